"""The last rules: something is shared and something differs, too little for more than a maybe."""

from memory.knowledge.comparison import Comparison
from memory.knowledge.places import common_own_slots, real_replacements
from memory.knowledge.verdict import Rule, Verdict


def hinted_by_cue(pair: Comparison) -> Verdict | None:
    """A word of change, and something in common: "I prefer tea over coffee" / "I switched to coffee"."""
    if not (pair.shared and pair.new.has_cue):
        return None
    is_alike = pair.overlap >= 0.3
    is_about_it = is_alike and (pair.slots or pair.changed or pair.new.has_strong_cue)
    is_correction = "correction" in pair.new.cues and pair.overlap >= 0.25
    return "maybe" if is_about_it or is_correction else None


def hinted_by_value(pair: Comparison) -> Verdict | None:
    """Another value, with too little around it: "prices in USD" / "no, I always mean EUR"."""
    is_alike = pair.equal_share >= 0.6 and len(real_replacements(pair)) == 1
    is_other = pair.changed or pair.opposed
    return "maybe" if is_other and (is_alike or "correction" in pair.new.cues) else None


def hinted_by_slot(pair: Comparison) -> Verdict | None:
    """Both fill what a person has one of: "I'm a nurse" / "I'm a paralegal at a small firm"."""
    return "maybe" if common_own_slots(pair) and not pair.new.is_multi else None


def hinted_by_polarity(pair: Comparison) -> Verdict | None:
    """One says no, about partly the same: "I declined the offer" / "I never declined an offer"."""
    return "maybe" if pair.denies_a_claim and pair.overlap >= 0.3 else None


HINTS: tuple[Rule, ...] = (hinted_by_cue, hinted_by_value, hinted_by_slot, hinted_by_polarity)
