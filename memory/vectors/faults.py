"""What a backend with files and libraries of its own may raise, and what is made of it."""

import errno

import apsw

from memory.errors import MemudError, StorageFullError, UnavailableError

INDEX_FAULTS = (MemudError, OSError, RuntimeError, MemoryError, apsw.Error)


def told(backend: str, fault: Exception) -> MemudError:
    """The same for a person: what can't be done, and what to do now."""
    if isinstance(fault, MemudError):
        return fault
    if isinstance(fault, apsw.FullError) or (isinstance(fault, OSError) and fault.errno == errno.ENOSPC):
        return StorageFullError(
            f"the disk is full: the index {backend} can't be built", hint="free some space, then ask again"
        )
    return UnavailableError(
        f"the index {backend} can't be built: {type(fault).__name__}", hint="look at the daemon's log"
    )
