"""One finished smoke run that the workflow tests copy."""

import pytest

from workflow.checkout import SMOKE, Checkout


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A checkout in which the smoke configuration was run to its end."""
    checkout = Checkout.create(tmp_path_factory.mktemp("finished") / "project")
    checkout.run(*SMOKE)
    return checkout


@pytest.fixture
def edited(finished, tmp_path):
    """A copy of the finished checkout for one test's edits."""
    return finished.clone(tmp_path / "project")
