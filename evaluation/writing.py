"""Files that a measurement writes."""

from pathlib import Path

from memory.errors import InvalidError


def check_writable(path: Path, what: str, hint: str) -> None:
    """Raises InvalidError, naming `what` can't be written; leaves the file as it is."""
    is_new = not path.exists()
    try:
        path.open("ab").close()
        if is_new:
            path.unlink()
    except OSError as error:
        raise InvalidError(f"{what} can't be written to {path}: {error.strerror}", hint=hint) from error
