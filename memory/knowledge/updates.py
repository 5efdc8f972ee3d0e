"""Whether a new fact replaces a known one, decided by rules over the two texts."""

from dataclasses import dataclass

from memory.knowledge.comparison import Comparison, compare
from memory.knowledge.embedders import cosine_floors
from memory.knowledge.features import parse
from memory.knowledge.rules import RULES
from memory.knowledge.verdict import Verdict

MAX_FACT_TOKENS = 40  # longer texts are messages, as are several sentences: only their facts are superseded

_RELATED_OVERLAP = 0.6


@dataclass(frozen=True, slots=True)
class Relation:
    """How a new fact stands to a known one, and the rule that said so.

    `supersede`: the old one holds no longer. `maybe`: both stay, shown together. `related`: a link for
    display. `new`: nothing to do with each other.
    """

    verdict: Verdict
    rule: str


def relation(new: str, old: str, *, cosine: float | None, embedder: str) -> Relation:
    """The verdict for a new fact against an older one of the same user, said earlier.

    `cosine` is symmetric (both texts embedded alike), None where it is not known; then the texts alone
    decide. Misses about half of real updates rather than supersede wrongly; decides nothing about time,
    pins or scope. The texts must be facts or clauses, a long message is superseded by nothing.
    """
    floors = cosine_floors(embedder)
    pair = compare(parse(new), parse(old))
    if cosine is not None and cosine < floors.candidate and not _gives_up(pair):
        return Relation("new", "far")
    found = _first_answer(pair)
    if found.verdict == "supersede" and (reason := _doubt(pair)):
        return Relation("maybe", f"{found.rule}, {reason}")
    if found.verdict == "new" and _is_near(pair, cosine, floors.related):
        return Relation("related", found.rule)
    return found


def says_change(text: str) -> bool:
    """Whether it tells of a change, or corrects, rather than only states."""
    return parse(text).has_strong_cue


def _gives_up(pair: Comparison) -> bool:
    """Whether it names what it gives up: "we moved from Berlin to Munich" is not far from Berlin."""
    return pair.names_old and "change" in pair.new.cues


def _first_answer(pair: Comparison) -> Relation:
    for rule in RULES:
        if verdict := rule(pair):
            return Relation(verdict, rule.__name__)
    return Relation("new", "nothing")


def _doubt(pair: Comparison) -> str:
    """Why a supersession is only a maybe, "" if it is sure."""
    if "hedge" in pair.new.cues and not pair.new.is_negated:
        return "hedged"
    if pair.is_owner_unclear:
        return "unclear who"
    if max(len(pair.new.tokens), len(pair.old.tokens)) > MAX_FACT_TOKENS:
        return "too long"
    if len(pair.old.sentences) > 1 and any(map(pair.new.content.isdisjoint, pair.old.sentences)):
        return "says more"
    return ""


def _is_near(pair: Comparison, cosine: float | None, floor: float) -> bool:
    if cosine is not None and cosine >= floor:
        return True
    return len(pair.shared) > 1 and pair.overlap >= _RELATED_OVERLAP
