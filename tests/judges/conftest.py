from __future__ import annotations

import pytest

from judges.served_model import save_both
from judges.servers import llama_server, transformers_server


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A Transformers folder and a llama.cpp file of one tiny model."""
    return save_both(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="session")
def llama(served):
    """Address of llama.cpp's server."""
    with llama_server(served[1]) as address:
        yield address


@pytest.fixture(scope="session")
def plain(served):
    """Address of the server of Transformers."""
    with transformers_server(served[0]) as address:
        yield address
