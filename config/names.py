"""The names of settings: which are known, and which known one is near to one that is not."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

_PREFIX = "MEMUD_"
_OPEN = frozenset({"budget.prices"})  # sections whose names are the user's own


def unknown_in_file(values: Mapping[str, Any], known: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """A sentence for each setting or section of a file that does not exist."""
    for name, value in values.items():
        path = prefix + name
        if prefix.removesuffix(".") in _OPEN:
            continue
        if path in _sections(known):
            if isinstance(value, Mapping):
                yield from unknown_in_file(value, known, f"{path}.")
        elif path not in _settings(known):
            candidates = _sections(known) if isinstance(value, Mapping) else _settings(known)
            yield f"unknown setting {path}; the nearest known one is {_nearest(path, candidates)}"


def unknown_in_environment(env: Mapping[str, str], known: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each variable that is meant for a setting and names none.

    Meant are those of the form MEMUD_A__B, and MEMUD_A_B where A is a section: the others
    (MEMUD_SOCKET, MEMUD_STATE_DIR) are no settings and none of our business.
    """
    names = {variable(path) for path in (*_settings(known), *_sections(known))}
    openings = tuple(f"{variable(name)}_" for name in known)
    for given in env:
        name = given.upper()
        is_meant = "__" in name or name.startswith(openings)
        if name.startswith(_PREFIX) and is_meant and name not in names:
            nearest = _nearest(name, [variable(path) for path in _settings(known)])
            yield f"unknown setting {given}; the nearest known one is {nearest}"


def variable(path: str) -> str:
    """The environment's name of `section.key`."""
    return _PREFIX + path.upper().replace(".", "__")


def _nearest(name: str, known: list[str]) -> str:
    return difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]


def _settings(known: Mapping[str, Any]) -> list[str]:
    return [path for path, value in _paths(known) if not isinstance(value, Mapping)]


def _sections(known: Mapping[str, Any]) -> list[str]:
    return [path for path, value in _paths(known) if isinstance(value, Mapping)]


def _paths(known: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in known.items():
        yield prefix + name, value
        if isinstance(value, Mapping):
            yield from _paths(value, f"{prefix}{name}.")
