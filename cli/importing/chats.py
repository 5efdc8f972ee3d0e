"""Exports of chats: the frame that ChatGPT's and Claude's share, a list of conversations."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cli.importing.elements import Element, elements
from cli.importing.exports import DAMAGED, head_of, opened, parts_of
from cli.importing.found import Fault, Found, Passed, Place, Wishes

Conversation = Mapping[str, Any]
_EMPTY = re.compile(r"\s*\[\s*\]\s*")


def recognises_empty(path: Path, head: bytes) -> bool:
    """Whether it is an export without a single chat."""
    return bool(_EMPTY.fullmatch(head_of(path, head))) and path.suffix in (".json", ".zip")


def read_empty(path: Path, wishes: Wishes) -> Iterator[Found]:
    """Only that there is nothing in it."""
    yield Passed(Place(str(path)), "no_chats")


def read_chats(
    path: Path, mark: str, turns: Callable[[Conversation, Place], Iterator[Found]]
) -> Iterator[Found]:
    """What `turns` finds in each conversation that has the field `mark`, one conversation at a time."""
    try:
        for name in parts_of(path):
            with opened(path, name) as stream:
                file = f"{path}#{name}" if name else str(path)
                for element in elements(stream, mark):
                    yield from _conversation(element, file, mark, turns)
    except DAMAGED as error:
        yield Fault(Place(str(path)), "import.broken_archive", {"cause": str(error)})


def _conversation(
    element: Element, file: str, mark: str, turns: Callable[[Conversation, Place], Iterator[Found]]
) -> Iterator[Found]:
    place = Place(file, element.line)
    if element.broken:
        yield Fault(place, "import.broken_json", {"cause": element.broken})
    elif isinstance(element.value, dict) and mark in element.value:
        yield from turns(element.value, place)
    else:
        yield Fault(place, "import.no_conversation")
