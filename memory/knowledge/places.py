"""Where one value stands in the place of another: what a person has one of, and what was put for what."""

from memory.knowledge.comparison import Comparison, Replaced
from memory.knowledge.features import Parsed, clauses
from memory.knowledge.lexicon import lexicon


def common_own_slots(pair: Comparison) -> list[str]:
    """The personal slots that both fill for the same person, each with another value."""
    is_other_value = bool(pair.changed or pair.opposed)
    common = pair.new.own_slots & pair.old.own_slots
    return [name for name in common if is_other_value or not lexicon().slots[name].by_value]


def has_weak_cue(text: Parsed, slot: str) -> bool:
    """Whether the clause that fills the slot has a word that may mark a change: "now", 了."""
    weak = lexicon().cues["weak"]
    said = [clause for clause in clauses(text.folded) if text.slots[slot] in clause]
    return "weak" in text.cues and (not said or any(weak.search(clause.strip()) for clause in said))


def is_closer(pair: Comparison) -> bool:
    """Whether one names a region and the other a place, or one is not where the person lives."""
    old, new = pair.old.folded, pair.new.folded
    regions, second = lexicon().regions, lexicon().second_home
    is_region = (regions.search(new) is None) != (regions.search(old) is None)
    return is_region or bool(second.search(new) or second.search(old))


def real_replacements(pair: Comparison) -> list[Replaced]:
    """Where content or a typed value stands in place of another."""
    return [
        part
        for part in pair.replaced
        if _says_something(part.old, pair.old.content) and _says_something(part.new, pair.new.content)
    ]


def _says_something(tokens: tuple[str, ...], content: frozenset[str]) -> bool:
    return any(token in content or "=" in token or not token.isascii() for token in tokens)
