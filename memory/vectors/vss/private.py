"""Files that this process wrote itself, in a folder that nobody else can write to."""

import os
from pathlib import Path

from memory.errors import UnavailableError


def make_private(folder: Path) -> None:
    """The folder, ours alone. UnavailableError where it is not, since code is loaded from it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise UnavailableError(
            f"{folder} can't be made: {error.strerror}", hint="see who owns the state folder"
        ) from error
    if not folder.is_dir() or folder.is_symlink() or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise UnavailableError(
            f"{folder} is not a folder that this user alone can write to",
            hint=f"remove {folder}; it is made anew",
        )


def place(path: Path, content: bytes) -> None:
    """The file with exactly this content; one in use elsewhere is replaced, never rewritten.

    A mapped library that changes in place ends every process that has it. Raises OSError.
    """
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o700), "wb") as file:
        file.write(content)
    fresh.replace(path)
