"""The rules of supersession: small named tests over a comparison, asked in order; the first answer stands.

They decide about half of the updates that people make and leave the rest to both facts being shown, newest
first. Wrong supersessions are dearer than missed ones, so vetoes come early.
"""

import re
from collections.abc import Callable
from typing import Literal

from memory.knowledge.comparison import Comparison, Replaced
from memory.knowledge.features import SELF, THIRD
from memory.knowledge.lexicon import lexicon

Verdict = Literal["supersede", "maybe", "related", "new"]
Rule = Callable[[Comparison], Verdict | None]

_EXCLUSIVE_KINDS = frozenset(("currency", "units"))
_WHERE_ONE_IS = frozenset(("home", "employer"))
_ROW = re.compile(r" and | & |[和、与跟]")
_PRODUCT_KINDS = frozenset(
    ("editor", "notes", "chat", "browser", "database", "ci", "frontend", "cloud", "packages", "music")
)


def no_statement(pair: Comparison) -> Verdict | None:
    """A question or a condition states nothing: "Is the launch on March 28?", "if I moved to York"."""
    return None if pair.new.is_statement and pair.old.is_statement else "new"


def same_values(pair: Comparison) -> Verdict | None:
    """V1: the same numbers again, and no word of change: "the rent is 900" / "I pay 900 rent"."""
    is_same = bool(pair.new.values) and pair.new.numbers == pair.old.numbers
    return "new" if is_same and not pair.new.has_strong_cue and not pair.polarity_differs else None


def elaboration(pair: Comparison) -> Verdict | None:
    """All of the old fact is said again, with more: "I live in Leeds" / "I moved to Leeds in 2019"."""
    return "new" if pair.old.content and pair.adds_only and "ending" not in pair.new.cues else None


def past_event(pair: Comparison) -> Verdict | None:
    """V2: what happened once stays true: "went to Rome in 2019" / "went to Prague in 2022"."""
    if pair.new.is_past_event:
        return "new"
    return "new" if pair.old.is_past_event and "correction" not in pair.new.cues else None


def other_owner(pair: Comparison) -> Verdict | None:
    """V3: another person: "my brother lives in Oslo" / "my sister moved to Bergen"."""
    is_named = pair.names_old and "" in (pair.new.owner, pair.old.owner)
    return "new" if pair.owner_differs and not is_named else None


def polarity(pair: Comparison) -> Verdict | None:
    """R2: yes became no, or no became yes: "I can't drive" / "I can drive now"."""
    is_flip = pair.polarity_differs and pair.turns_round
    return _whole_or_part(pair) if is_flip and not pair.subject_differs else None


def additive(pair: Comparison) -> Verdict | None:
    """V4: beside the old value, not in its place: "I like jazz" / "I also like techno"."""
    if "additive" not in pair.new.cues or pair.names_old:
        return None
    return "maybe" if pair.slots and pair.changed and len(pair.shared) >= 2 else "new"


def named_value(pair: Comparison) -> Verdict | None:
    """R1: it names what it gives up: "we deploy with Jenkins" / "we replaced Jenkins with GitLab"."""
    is_about_it = pair.slots or pair.overlap >= (0.2 if pair.new.dropped <= pair.old.content else 0.3)
    if not (pair.names_old and pair.new.has_strong_cue and is_about_it):
        return None
    is_bare_correction = pair.new.cues.isdisjoint(("change", "ending")) and not pair.shares_frame
    return "maybe" if is_bare_correction else _whole_or_part(pair)


def milk(pair: Comparison) -> Verdict | None:
    """Another milk in the cup, in either language: 我喝燕麦奶 / "I switched to almond milk"."""
    is_own = pair.new.owner == SELF and pair.old.owner in (SELF, "")
    return "supersede" if is_own and "milk" in pair.changed and "change" in pair.new.cues else None


def role_holder(pair: Comparison) -> Verdict | None:
    """R4: a role passes on: "Sarah is our team lead" / "Priya took over as team lead"."""
    is_role = "role" in pair.slots and pair.new.slots["role"] == pair.old.slots["role"]
    is_alike = pair.shared and (pair.overlap >= 0.5 or pair.equal_share >= 0.5)
    return "supersede" if is_role and is_alike and pair.new.has_cue else None


def changed_mind(pair: Comparison) -> Verdict | None:
    """A choice taken back for another of its kind: "buy the Rational oven" / "take the Unox after all"."""
    if "retraction" not in pair.new.cues or not pair.has_two_remainders:
        return None
    is_alike = pair.overlap >= (0.3 if pair.changed else 0.5)
    return "supersede" if pair.shared and is_alike else None


def other_subject(pair: Comparison) -> Verdict | None:
    """V6: each is about something else: "the Pro plan costs $29" / "the Team plan costs $79"."""
    return "new" if pair.subject_differs or pair.qualifier_differs else None


def two_differences(pair: Comparison) -> Verdict | None:
    """Another name at another time is another thing: "meet Dana on Monday" / "meet Omar on Tuesday"."""
    return "new" if pair.has_more_than_one_other_name and not pair.new.has_strong_cue else None


def personal_slot(pair: Comparison) -> Verdict | None:
    """R3: what a person has one of, with a word of change: "I live in Leeds" / "we moved to York"."""
    is_known_person = pair.new.owner == SELF or (pair.new.owner == pair.old.owner not in ("", THIRD))
    cue = pair.new.has_strong_cue or ("weak" in pair.new.cues and is_known_person)
    if not cue or not _common_own_slots(pair):
        return None
    gives_up_another = pair.new.dropped and not pair.names_old
    return "maybe" if gives_up_another or "future" in pair.new.cues else _whole_or_part(pair)


def side_by_side(pair: Comparison) -> Verdict | None:
    """V5: several are usual, and nothing says that one went: "I speak French" / "I speak Greek"."""
    is_multi = pair.new.is_multi and pair.old.is_multi and not pair.new.has_strong_cue
    if not is_multi or (pair.changed & _EXCLUSIVE_KINDS and pair.equal_share >= 0.6):
        return None
    return "maybe" if pair.opposed and pair.equal_share >= 0.5 else "new"


def narrower(pair: Comparison) -> Verdict | None:
    """V7: one subject is narrower: "my phone number" / "my work phone number".

    Where one lives or works, the narrower words are part of the value: "I work at Kranich as backend lead".
    """
    if _WHERE_ONE_IS.intersection(_common_own_slots(pair)):
        return None
    if pair.names_another_kind or (pair.is_qualified and not pair.new.has_cue):
        return "maybe" if pair.slots and pair.shared else "new"
    return None


def cue_and_value(pair: Comparison) -> Verdict | None:
    """R5: a word of change and another value: "launch is on 14 May" / "launch moved to 28 May"."""
    if not pair.new.has_strong_cue or not pair.shared or pair.overlap < 0.3:
        return None
    is_same_slot = (
        pair.overlap >= 0.5
        and pair.has_two_remainders
        and any(not lexicon().slots[name].by_value for name in pair.slots)
    )
    is_about_one = bool(pair.shared_names) and _ROW.search(pair.old.folded) is not None
    is_other_name = "change" in pair.new.cues and pair.replaces_name and not is_about_one
    return "supersede" if pair.changed or pair.opposed or is_same_slot or is_other_name else None


def now_and_value(pair: Comparison) -> Verdict | None:
    """A "now" and another number of just the same: "I run 5 km a day" / "I run 8 km a day now"."""
    is_same = pair.likeness >= 0.75 and len(pair.changed) == 1
    return "supersede" if is_same and pair.new.has_cue else None


def product(pair: Comparison) -> Verdict | None:
    """Another product for the same purpose: "I use VS Code" / "I switched to Zed"."""
    return "supersede" if pair.changed & _PRODUCT_KINDS and "change" in pair.new.cues else None


def opposite(pair: Comparison) -> Verdict | None:
    """The opposite is asked of the same thing: "keep answers short" / "I'd like longer answers"."""
    is_opposite = pair.opposed and pair.shared and pair.overlap >= 0.5
    return "supersede" if is_opposite and (pair.new.has_cue or pair.slots) else None


def same_template(pair: Comparison) -> Verdict | None:
    """R6: the same sentence with one other value: "standup is at 9:30" / "standup is at 10 now"."""
    replaced = _real_replacements(pair)
    if len(replaced) != 1 or pair.equal_share < 0.5 or pair.new.is_multi:
        return None
    if _common_own_slots(pair) and "ending" not in pair.old.cues:
        return "supersede"
    is_sure = len(pair.shared) >= 2 or pair.overlap >= 0.8 or pair.new.has_cue
    is_other = (pair.changed and is_sure) or (replaced[0].is_last and pair.new.has_cue)
    return "supersede" if pair.slots and pair.shared and is_other else None


def swapped(pair: Comparison) -> Verdict | None:
    """R7: the two sides of a preference changed places: "tea over coffee" / "coffee over tea"."""
    return "supersede" if pair.inverted > 0.34 and pair.likeness > 0.75 and pair.new.is_multi else None


def hinted_by_cue(pair: Comparison) -> Verdict | None:
    """A word of change, and something in common: "I prefer tea over coffee" / "I switched to coffee"."""
    if not (pair.shared and pair.new.has_cue):
        return None
    is_about_it = pair.slots or pair.changed or (pair.new.has_strong_cue and pair.overlap >= 0.3)
    return "maybe" if is_about_it or "correction" in pair.new.cues else None


def hinted_by_value(pair: Comparison) -> Verdict | None:
    """Another value, with too little around it: "prices in USD" / "no, I always mean EUR"."""
    is_alike = pair.equal_share >= 0.6 and len(_real_replacements(pair)) == 1
    is_other = pair.changed or pair.opposed
    return "maybe" if is_other and (is_alike or "correction" in pair.new.cues) else None


def hinted_by_slot(pair: Comparison) -> Verdict | None:
    """Both fill what a person has one of: "I'm a nurse" / "I'm a paralegal at a small firm"."""
    return "maybe" if _common_own_slots(pair) and not pair.new.is_multi else None


def hinted_by_polarity(pair: Comparison) -> Verdict | None:
    """One says no, about partly the same: "I declined the offer" / "I never declined an offer"."""
    return "maybe" if pair.polarity_differs and pair.shared and pair.overlap >= 0.3 else None


RULES: tuple[Rule, ...] = (
    no_statement,
    same_values,
    past_event,
    other_owner,
    elaboration,
    polarity,
    additive,
    named_value,
    milk,
    role_holder,
    narrower,
    personal_slot,
    changed_mind,
    other_subject,
    two_differences,
    swapped,
    side_by_side,
    cue_and_value,
    now_and_value,
    product,
    opposite,
    same_template,
    hinted_by_cue,
    hinted_by_value,
    hinted_by_slot,
    hinted_by_polarity,
)


def _common_own_slots(pair: Comparison) -> list[str]:
    """The personal slots that both fill for the same person, each with another value."""
    is_other_value = bool(pair.changed or pair.opposed)
    common = pair.new.own_slots & pair.old.own_slots
    return [name for name in common if is_other_value or not lexicon().slots[name].by_value]


def _whole_or_part(pair: Comparison) -> Verdict:
    """Only a maybe where one of several things ends: a team of the firm, Momo of "Momo and Kiki"."""
    denied = (claim.content for claim in pair.new.claims if claim.is_negated)
    given = pair.new.dropped.union(*denied)
    if "ending" not in pair.new.cues or given.isdisjoint(pair.old.content):
        return "supersede"
    has_several = max(len(pair.old.names), len(pair.old.own_slots)) >= 2
    is_one_of_a_row = bool(pair.old.names - pair.new.content) and _ROW.search(pair.old.folded) is not None
    is_other_thing = has_several and bool(given - pair.old.content)
    return "maybe" if is_other_thing or is_one_of_a_row else "supersede"


def _real_replacements(pair: Comparison) -> list[Replaced]:
    """Where content or a typed value stands in place of another."""
    return [
        part
        for part in pair.replaced
        if _says_something(part.old, pair.old.content) and _says_something(part.new, pair.new.content)
    ]


def _says_something(tokens: tuple[str, ...], content: frozenset[str]) -> bool:
    return any(token in content or "=" in token or not token.isascii() for token in tokens)
