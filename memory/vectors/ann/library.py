"""The package faiss: an extra, loaded when an index of this kind is opened."""

import logging
import os
from typing import Any

from memory.errors import UnavailableError

_HINT = "pip install 'memud[faiss]'"


def load() -> Any:
    """The module. Raises UnavailableError where it is not installed, or too old, or does not load."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait must not spin
    # It tells of each build for a newer processor that it does not find; nobody can do anything about it.
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)
    try:
        import faiss
    except (ImportError, OSError) as error:
        raise UnavailableError(f"the package faiss-cpu can't be loaded: {error}", hint=_HINT) from error
    if not hasattr(faiss, "IndexIVFPQFastScan"):
        raise UnavailableError(f"faiss {faiss.__version__} is too old for this index", hint=_HINT)
    return faiss


def use_one_thread(faiss: Any) -> None:
    """For the calling thread, whatever was set in others: OpenMP keeps the number by thread."""
    faiss.omp_set_num_threads(1)
