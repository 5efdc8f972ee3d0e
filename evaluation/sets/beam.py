"""BEAM: long chats with an assistant about projects and plans; its questions name messages of the user."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from evaluation.asking import Memud, Searcher
from evaluation.conditions import Progress
from evaluation.evidence import by_kind, evidence_recall, gate_figures, recall_all, search_all
from evaluation.forms import label, many, one_of, optional, text, time_in
from evaluation.reading import malformed, read_lines, seconds_in
from evaluation.report import Figures
from evaluation.store import Question, Said, Store, single
from evaluation.trial import SearchSet, evidence_set

MESSAGES = "beam/messages.jsonl.gz"
QUESTIONS = "beam/questions.jsonl.gz"
# To sum up and to order whole chats is no matter of ten results; who abstains has nothing to find.
_LEFT_OUT = {"summarization", "event_ordering", "abstention"}
_DATE = "%B-%d-%Y"
_MESSAGE_FORM = {
    "conv": label,
    "id": label,
    "role": one_of("user", "assistant"),
    "t": optional(time_in(_DATE)),
    "batch": label,
    "text": text,
}
_QUESTION_FORM = {"conv": label, "type": text, "question": text, "evidence": many(label)}


def read(data: Path) -> list[Store]:
    """One store a chat, all messages of both sides; credit is given for the user's own messages."""
    rows = read_lines(data / QUESTIONS, _QUESTION_FORM)
    asked = [row for row in rows if row["type"] not in _LEFT_OUT]
    return [_store(chat, turns, asked) for chat, turns in chats(data).items()]


def chats(data: Path) -> dict[str, list[Said]]:
    """The messages of each chat."""
    path = data / MESSAGES
    grouped = groupby(read_lines(path, _MESSAGE_FORM), lambda row: str(row["conv"]))
    by_chat = {chat: list(rows) for chat, rows in grouped}
    for chat, rows in by_chat.items():
        if not any(row["t"] for row in rows):
            raise malformed(path, f"no date in the chat {chat}", _MESSAGE_FORM)
    return {chat: list(_turns(rows)) for chat, rows in by_chat.items()}


def name(chat: str) -> str:
    """The store of a chat."""
    return f"beam-{chat}"


def _store(chat: str, turns: Sequence[Said], asked: Sequence[Mapping[str, Any]]) -> Store:
    mine = frozenset(turn.key for turn in turns if turn.role == "user")
    questions = [_question(row, mine) for row in asked if str(row["conv"]) == chat]
    return Store(name(chat), "en", turns, [one for one in questions if one.evidence])


def _turns(rows: Sequence[Mapping[str, Any]]) -> Iterator[Said]:
    """Only some messages are dated; the others are of the same day as the one before."""
    day = seconds_in(_DATE, next(row["t"] for row in rows if row["t"]))
    for place, row in enumerate(rows):
        day = seconds_in(_DATE, row["t"]) if row["t"] else day
        yield Said(str(row["id"]), row["role"], row["text"], day + place, f"batch-{row['batch']}")


def _question(row: Mapping[str, Any], mine: frozenset[str]) -> Question:
    return Question(row["question"], single(mine & set(map(str, row["evidence"]))), row["type"])


def _search(searcher: Searcher, stores: Sequence[Store], progress: Progress) -> Figures:
    asked = search_all(searcher, stores, 10, progress)
    return {
        "R@5": evidence_recall(asked, 5),
        "R@10": evidence_recall(asked, 10),
        **by_kind(asked, 10),
    }


def _gate(memud: Memud, stores: Sequence[Store], progress: Progress) -> Figures:
    return gate_figures(recall_all(memud, stores, progress))


SET = evidence_set("beam", (MESSAGES, QUESTIONS), SearchSet(read, _search), _gate)
