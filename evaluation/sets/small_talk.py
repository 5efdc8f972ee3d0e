"""Five hundred turns of small talk of our own: nothing in them is worth a prediction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from memud_client import types

from evaluation.dated import dated_store
from evaluation.halves import parts
from evaluation.measures import Figure, figure
from evaluation.reading import own_lines
from evaluation.report import Findings
from evaluation.store import Store
from evaluation.trial import EvalSet, Trial
from evaluation.watching import watch

_FILE = "small_talk.jsonl"


@dataclass(frozen=True, slots=True)
class Chat:
    """One user's chat over some days."""

    store: Store
    half: str


@dataclass(frozen=True, slots=True)
class Heard:
    """A chat, and the items that it left, whatever found them."""

    chat: Chat
    items: Sequence[types.ProactiveItem]

    @property
    def half(self) -> str:
        """Of the chat."""
        return self.chat.half

    @property
    def language(self) -> str:
        """Of the chat."""
        return self.chat.store.language


def read() -> list[Chat]:
    """Those of the package."""
    groups = groupby(own_lines(_FILE), lambda row: row["conversation"])
    return [_chat(name, list(group)) for name, group in groups]


def figures(heard: Sequence[Heard]) -> dict[str, Figure | None]:
    """The items a chat, of all chats, of each half, and of each language in it."""
    shares = {f"{name}.alarms": _alarms(part) for name, part in parts(heard)}
    return {"alarms": _alarms(heard), **shares}


def _alarms(heard: Sequence[Heard]) -> Figure | None:
    return figure(len(one.items) for one in heard)


def _chat(name: str, rows: Sequence[Mapping[str, Any]]) -> Chat:
    return Chat(dated_store(f"talk-{name}", rows[0]["lang"], rows), rows[0]["half"])


def _measure(trial: Trial) -> Findings:
    chats = read()[: trial.conditions.limit]
    heard = []
    for place, chat in enumerate(chats, start=1):
        heard.append(Heard(chat, _items(trial, chat)))
        trial.progress("watch", place, len(chats))
    counts = {
        "stores": len(chats),
        "turns": sum(len(chat.store.turns) for chat in chats),
        "items": sum(len(one.items) for one in heard),
    }
    return Findings(counts, figures(heard), [_told(item) for one in heard for item in one.items])


def _items(trial: Trial, chat: Chat) -> list[types.ProactiveItem]:
    """Every item once: the ledger keeps those that have expired."""
    found: dict[str, types.ProactiveItem] = {}
    for pause in watch(trial.stand, chat.store):
        found |= {item["id"]: item for item in pause.items}
    return list(found.values())


def _told(item: types.ProactiveItem) -> Mapping[str, Any]:
    return {"chat": item["user_id"], "detector": item["detector"], "text": item["text"], "why": item["why"]}


SET = EvalSet("small-talk", (), _measure)
