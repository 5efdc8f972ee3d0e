"""What became of a recalled memory: whether the reply made use of it."""

from collections.abc import Mapping
from dataclasses import dataclass

import apsw

from memory import fulltext
from memory.model import DAY_S
from memory.scoring import calibration
from memory.store import counting, editing, items, replies, resources
from memory.store.recalls import LoggedRecall, Outcome
from memory.terms import has_term, index_terms, is_lone_character, language, meaningful_terms

USED_MATCH = 0.5
"""From this match (0..2) on a reply repeats a memory, and not just some words that stand in both.

On questions of public data sets whose answer rests on a known turn, an answer repeats that turn so well in 25
to 52 % of cases, and another turn near the question in .6 to 12 %.
"""

PATIENCE_S = DAY_S
"""For a reply; after it what became of a memory is not known."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A prompt, and what was answered to it."""

    prompt: str
    reply: str


def judge(memory_id: str, memory: str, exchange: Exchange, idf: Mapping[str, float]) -> Outcome:
    """Whether the reply made use of a memory: it quotes its id, or repeats what it says beyond the prompt.

    `idf` has the rarity (0..1) of its `new_terms`. A memory that says nothing new, or in another language
    than the reply, can't be known by its words.
    """
    if memory_id in exchange.reply:
        return Outcome.USED
    asked = calibration.wanted(new_terms(memory, exchange.prompt), idf, calibration.familiarity_weight)
    match = calibration.lexical_match(*asked.found_in(set(index_terms(exchange.reply))))
    if match >= USED_MATCH:
        return Outcome.USED
    can_tell = asked.weights and language(memory) == language(exchange.reply)
    return Outcome.UNUSED if can_tell else Outcome.UNKNOWN


def new_terms(memory: str, prompt: str) -> list[str]:
    """The terms that carry what a memory says and that the prompt had not."""
    asked = set(index_terms(prompt))
    meant = [term for term in meaningful_terms(memory) if not is_lone_character(term)]
    return [term for term in meant if not has_term(asked, term)]


def outcomes(connection: apsw.Connection, logged: LoggedRecall, now: int) -> list[Outcome] | None:
    """What became of each memory of a recall, in their order; None: it is too early to say."""
    reply = replies.reply_to(connection, logged.user_id, logged.session_id, logged.query, logged.at, now)
    if reply is None and now - logged.at < PATIENCE_S:
        return None
    edited = {given.id for given in logged.results if editing.was_reworded(connection, given.id, logged.at)}
    words = {} if reply is None else _words(connection, logged)
    exchange = Exchange(logged.query, reply or "")
    idf = _idf(connection, logged, words)
    return [
        Outcome.EDITED
        if given.id in edited
        else judge(given.id, words[given.id], exchange, idf)
        if given.id in words
        else Outcome.UNKNOWN
        for given in logged.results
    ]


def _words(connection: apsw.Connection, logged: LoggedRecall) -> dict[str, str]:
    """The words of the memories that are still here, by id."""
    found: dict[str, str] = {}
    for given in logged.results:
        if fact := items.by_id(connection, logged.user_id, given.id):
            found[given.id] = fact.item.memory
        elif turn := resources.by_id(connection, logged.user_id, given.id):
            found[given.id] = turn.turn.text
    return found


def _idf(connection: apsw.Connection, logged: LoggedRecall, words: Mapping[str, str]) -> dict[str, float]:
    """How rare the memories' own terms are in the user's store."""
    terms = {term for memory in words.values() for term in new_terms(memory, logged.query)}
    size = counting.texts(connection, logged.user_id)
    found = fulltext.frequencies(connection, logged.user_id, sorted(terms))
    return {term: calibration.idf(size, count) for term, count in found.items()}
