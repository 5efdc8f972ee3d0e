"""A small disk, filled to its last byte."""

from pathlib import Path

from memud_client import Client, StorageFullError

_MIB = 2**20


def filled(path: Path) -> Path:
    """A file that takes all the room there is."""
    with path.open("ab", buffering=0) as file:
        size = _MIB
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2
    return path


def capture_until_full(client: Client) -> list[str]:
    """Capture until the disk is full; the keys of what was acknowledged."""
    kept: list[str] = []
    for n in range(5_000):
        key = f"k{n}"
        event = {"key": key, "role": "user", "content": f"note {n}: " + "lorem ipsum dolor sit amet " * 200}
        try:
            client.capture([event], session_id=f"s{n}")
        except StorageFullError:
            return kept
        kept.append(key)
    raise AssertionError("the disk was never full")
