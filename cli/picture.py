"""Pictures that a command draws; they need matplotlib, which `memud[plot]` brings."""

from importlib.util import find_spec
from pathlib import Path

from evaluation.writing import check_writable
from memory.errors import InvalidError

FORMATS = (".png", ".svg")


def check(path: Path) -> None:
    """Raises InvalidError when the picture can't be drawn, before anything is measured for it."""
    if path.suffix.lower() not in FORMATS:
        raise InvalidError(f"{path.name}: a picture is a .png or .svg file", hint="give it such a name")
    if not path.resolve().parent.is_dir():
        raise InvalidError(f"{path.parent}: no such folder", hint="make it first")
    if find_spec("matplotlib") is None:
        raise InvalidError("a picture needs matplotlib", hint="pip install 'memud[plot]'")
    check_writable(path, "the picture", "name another file with --plot")
