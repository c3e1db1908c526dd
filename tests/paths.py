"""Where the tests find the project and, where present, the specification beside it."""

from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
PUBLISHED = PROJECT / "resources" / "published"
SPEC = PROJECT.parent / "shared" / "spec"

needs_spec = pytest.mark.skipif(not SPEC.is_dir(), reason="the specification does not lie beside this checkout")
