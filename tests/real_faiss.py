"""The suites over the real faiss; a platform without a wheel of it skips them."""

from importlib.util import find_spec

import pytest

needs_faiss = pytest.mark.skipif(find_spec("faiss") is None, reason="faiss-cpu is not installed")
