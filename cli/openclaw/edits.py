"""Changes of a configuration, each of which can be taken back without touching what came later."""

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from cli.openclaw.configuration import UneditableError, Value

Path = tuple[str, ...]
Kind = Literal["set", "add"]


@dataclass(frozen=True, slots=True)
class Edit:
    """`set`: the value at `path` becomes `after`. `add`: `after` joins the list at `path`."""

    kind: Kind
    path: Path
    after: Any


@dataclass(frozen=True, slots=True)
class Done:
    """An edit that changed something, and what it takes to undo it."""

    edit: Edit
    had: bool  # whether there was a value before
    before: Any = None
    made: list[Path] = field(default_factory=list)  # the parents that came into being with it

    @property
    def name(self) -> str:
        """The place, as OpenClaw writes it."""
        return ".".join(self.edit.path)


def applied(value: Value, edits: Iterable[Edit]) -> tuple[Value, list[Done]]:
    """A changed copy, and what was changed: nothing for what is so already. Raises UneditableError."""
    changed = copy.deepcopy(value)
    done = [one for edit in edits if (one := _apply(changed, edit))]
    return changed, done


def undone(value: Value, done: Sequence[Done]) -> tuple[Value, list[Done], list[Done]]:
    """A copy as it was before, what went back, and what is left as somebody has changed it since."""
    changed = copy.deepcopy(value)
    back: list[Done] = []
    left: list[Done] = []
    for one in reversed(done):
        (back if _undo(changed, one) else left).append(one)
    return changed, back, left


def at(value: Any, path: Iterable[str]) -> Any:
    """What stands there, or None."""
    for name in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _apply(value: Value, edit: Edit) -> Done | None:
    *parents, name = edit.path
    place, made = _place(value, parents)
    had, before = name in place, copy.deepcopy(place.get(name))
    if edit.kind == "set":
        if had and before == edit.after:
            return None
        place[name] = copy.deepcopy(edit.after)
        return Done(edit, had, before, made)
    listed = place.setdefault(name, [])
    if not isinstance(listed, list):
        raise UneditableError("no_list", name=".".join(edit.path))
    if edit.after in listed:
        return None
    listed.append(edit.after)
    return Done(edit, had, None, made)


def _place(value: Value, parents: Sequence[str]) -> tuple[Value, list[Path]]:
    """The object that holds the value; objects that are missing are made, and named."""
    made: list[Path] = []
    place = value
    for depth, name in enumerate(parents, 1):
        if name not in place:
            place[name] = {}
            made.append(tuple(parents[:depth]))
        place = place[name]
        if not isinstance(place, dict):
            raise UneditableError("no_object", name=".".join(parents[:depth]))
    return place, made


def _undo(value: Value, done: Done) -> bool:
    """Whether nothing of it is left: it was taken back, or somebody has done so before."""
    *parents, name = done.edit.path
    place = at(value, parents)
    if not isinstance(place, dict) or name not in place:
        _tidy(value, done)  # somebody took it back before; what was made for it still goes
        return not done.had
    if done.edit.kind == "add":
        return _take_out(value, place, done)
    if place[name] != done.edit.after:
        return False
    if done.had:
        place[name] = copy.deepcopy(done.before)
    else:
        del place[name]
        _tidy(value, done)
    return True


def _take_out(value: Value, place: Value, done: Done) -> bool:
    name = done.edit.path[-1]
    if not isinstance(place[name], list) or done.edit.after not in place[name]:
        return True
    place[name].remove(done.edit.after)
    if not place[name] and not done.had:
        del place[name]
        _tidy(value, done)
    return True


def _tidy(value: Value, done: Done) -> None:
    """Objects that came into being with the edit go, if nobody has put anything else there."""
    for path in reversed(done.made):
        *parents, name = path
        place = at(value, parents)
        if isinstance(place, dict) and place.get(name) == {}:
            del place[name]
