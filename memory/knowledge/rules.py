"""The rules of supersession: small named tests over a comparison, asked in order; the first answer stands.

They decide about half of the updates that people make and leave the rest to both facts being shown, newest
first. Wrong supersessions are dearer than missed ones, so vetoes come early.
"""

import re

from memory.knowledge.comparison import Comparison
from memory.knowledge.features import SELF, THIRD
from memory.knowledge.hints import HINTS
from memory.knowledge.lexicon import lexicon
from memory.knowledge.places import common_own_slots, has_weak_cue, is_closer, real_replacements
from memory.knowledge.verdict import Rule, Verdict

_EXCLUSIVE_KINDS = frozenset(("currency", "units"))
_HAN = re.compile("[一-鿿]")
_WHERE_ONE_IS = frozenset(("home", "employer"))
_ROW = re.compile(r" and | & |[和、与跟]")
_AMOUNTS = frozenset(("money", "number", "percent", "amount"))
_WHEN = frozenset(("when", "date", "month", "day", "weekday", "time", "lunar"))
_TWO_SIDED = frozenset(("workplace", "shift", "diet"))
_SLOT_KINDS = {
    "title": frozenset(("profession",)),
    "department": frozenset(("department",)),
    "phone_model": frozenset(("phone_make",)),
    "salary": frozenset(("money", "number", "amount")),
    "hourly": frozenset(("money", "number", "amount")),
}
_SAID_AGAIN = frozenset(("profession", "department"))  # a nurse may be a nurse elsewhere
_FAVOURITE = frozenset(("favourit", "favorit", "prefer", "default"))
_FEW = 3
_STANDING = _TWO_SIDED | _SLOT_KINDS.keys()
_ONLY = re.compile(r"\b(?:all|always|only|prefer\w*|every\w*|favou?rite)\b|只|都|一律|总是|最|所有")
_EVERY_WEEK = re.compile(r"\b(?:every|each|weekly|\w+days)\b|每(?!个?月|年)")
_PRODUCT_KINDS = frozenset(
    ("editor", "notes", "chat", "browser", "database", "ci", "frontend", "cloud", "packages", "music")
)


def no_statement(pair: Comparison) -> Verdict | None:
    """A question or a condition states nothing: "Is the launch on March 28?", "if I moved to York"."""
    return None if pair.new.is_statement and pair.old.is_statement else "new"


def same_values(pair: Comparison) -> Verdict | None:
    """V1: the same numbers again, and no word of change: "the rent is 900" / "I pay 900 rent"."""
    is_same = bool(pair.new.values.keys() - _SAID_AGAIN) and pair.new.numbers == pair.old.numbers
    if pair.replaces_name and "home" in common_own_slots(pair):
        return None
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
    owners = {pair.new.owner, pair.old.owner} - {SELF, ""}
    is_topic = (
        bool(pair.changed) and not common_own_slots(pair) and owners <= pair.new.people & pair.old.people
    )
    return "new" if pair.owner_differs and not is_named and not is_topic else None


def polarity(pair: Comparison) -> Verdict | None:
    """R2: yes became no, or no became yes: "I can't drive" / "I can drive now"."""
    if not (pair.polarity_differs and pair.turns_round) or pair.subject_differs:
        return None
    return "maybe" if "sometimes" in pair.new.cues ^ pair.old.cues else _whole_or_part(pair)


def additive(pair: Comparison) -> Verdict | None:
    """V4: beside the old value, not in its place: "I like jazz" / "I also like techno"."""
    if "additive" not in pair.new.cues or pair.names_old:
        return None
    return "maybe" if pair.slots and pair.changed and len(pair.shared) >= 2 else "new"


def named_value(pair: Comparison) -> Verdict | None:
    """R1: it names what it gives up: "we deploy with Jenkins" / "we replaced Jenkins with GitLab"."""
    is_about_it = pair.slots or pair.overlap >= (0.2 if pair.new.dropped <= pair.old.content else 0.3)
    if not (pair.names_old and pair.new.has_strong_cue and is_about_it) or _names_another(pair):
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
    if not is_role or not pair.shared:
        return None
    if pair.is_about_another_name:
        return "supersede"
    is_alike = pair.overlap >= 0.5 or pair.equal_share >= 0.5
    return "supersede" if is_alike and pair.new.has_cue else None


def first_choice(pair: Comparison) -> Verdict | None:
    """Only one can be the favourite: "Muse is my favourite band" / "my favourite band? the Pixies"."""
    if not {"favourite"} <= pair.slots or pair.apart or pair.qualifier_differs:
        return None
    new, old = pair.new.content - pair.old.content, pair.old.content - pair.new.content
    is_other = 0 < len(new) <= _FEW and 0 < len(old) <= _FEW
    return "supersede" if is_other and pair.shared - _FAVOURITE else None


def changed_mind(pair: Comparison) -> Verdict | None:
    """A choice taken back for another of its kind: "buy the Rational oven" / "take the Unox after all"."""
    if "retraction" not in pair.new.cues or not pair.has_two_remainders:
        return None
    is_alike = pair.overlap >= (0.3 if pair.changed else 0.5)
    return "supersede" if pair.shared and is_alike else None


def other_subject(pair: Comparison) -> Verdict | None:
    """V6: each is about something else: "the Pro plan costs $29" / "the Team plan costs $79"."""
    if pair.qualifier_differs:
        return "new"
    is_moved = "change" in pair.new.cues and pair.changed and pair.overlap >= 0.5  # who moved it comes first
    return "new" if pair.subject_differs and not is_moved else None


def other_label(pair: Comparison) -> Verdict | None:
    """A number that is a name makes another thing: "task 4 is due on Friday" / "task 5 is due on Friday"."""
    new, old = pair.new.labels, pair.old.labels
    if pair.new.has_cue or new == old:
        return None
    if new and old:
        return "new" if new.isdisjoint(old) else None
    return "maybe" if pair.shared and pair.changed - _AMOUNTS else None  # "sprint 2" has another date


def personal_slot(pair: Comparison) -> Verdict | None:
    """R3: what a person has one of, with a word of change: "I live in Leeds" / "we moved to York"."""
    is_known_person = pair.new.owner == SELF or (pair.new.owner == pair.old.owner not in ("", THIRD))
    common = common_own_slots(pair)
    cue = pair.new.has_strong_cue or (
        is_known_person and any(has_weak_cue(pair.new, name) for name in common)
    )
    if not cue or not common:
        return None
    gives_up_another = pair.new.dropped and not pair.names_old
    return "maybe" if gives_up_another or "future" in pair.new.cues else _whole_or_part(pair)


def other_place(pair: Comparison) -> Verdict | None:
    """Home has another name: "I share a flat in Queens" / "my cats and I have a little place in Yonkers".

    A town in the region named before is only said more closely.
    """
    if "home" not in common_own_slots(pair) or not (pair.replaces_name or pair.opposed) or pair.apart:
        return None
    return "maybe" if is_closer(pair) or not pair.replaces_name else "supersede"


def other_value_of_slot(pair: Comparison) -> Verdict | None:
    """What a person has one of, with another value in other words: "I'm a nurse" / "I work as a tiler".

    Two trades at different times of the week, or one on the side, stand together.
    """
    common = _STANDING.intersection(common_own_slots(pair))
    is_other = any(
        pair.opposed if name in _TWO_SIDED else pair.changed & _SLOT_KINDS[name] for name in common
    )
    if not is_other or pair.apart or "sometimes" in pair.new.cues | pair.old.cues:
        return None
    if pair.new.dropped and not pair.names_old:  # "I used to be a waiter"
        return None
    return "supersede" if pair.new.owner == pair.old.owner else "maybe"


def side_by_side(pair: Comparison) -> Verdict | None:
    """V5: several are usual, and nothing says that one went: "I speak French" / "I speak Greek"."""
    is_multi = pair.new.is_multi and pair.old.is_multi and not pair.new.has_strong_cue
    if common_own_slots(pair):
        return None
    if pair.opposed and pair.has_one_frame and _says_only(pair):
        return None
    if not is_multi or (pair.changed & _EXCLUSIVE_KINDS and pair.equal_share >= 0.6):
        return None
    return "maybe" if pair.opposed and pair.equal_share >= 0.5 else "new"


def narrower(pair: Comparison) -> Verdict | None:
    """V7: one subject is narrower: "my phone number" / "my work phone number".

    Where one lives or works, the narrower words are part of the value: "I work at Kranich as backend lead".
    """
    if _WHERE_ONE_IS.intersection(common_own_slots(pair)):
        return None
    is_shorter = pair.new.subject < pair.old.subject and pair.changed and pair.changed <= _WHEN
    is_narrower = pair.is_qualified and not pair.new.has_cue and not is_shorter
    if pair.names_another_kind or is_narrower:
        return "maybe" if pair.slots and pair.shared else "new"
    return None


def cue_and_value(pair: Comparison) -> Verdict | None:
    """R5: a word of change and another value: "launch is on 14 May" / "launch moved to 28 May"."""
    if not pair.new.has_strong_cue or not pair.shared or pair.overlap < 0.3:
        return None
    is_end_of_another = bool(pair.new.dropped) and not pair.names_old and "change" not in pair.new.cues
    if is_end_of_another and "correction" not in pair.new.cues:
        return None
    is_same_slot = (
        not pair.new.cues.isdisjoint(("change", "ending", "correction"))
        and pair.overlap >= 0.5
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


def same_template(pair: Comparison) -> Verdict | None:
    """R6: the same sentence with one other value: "standup is at 9:30" / "standup is at 10 now"."""
    replaced = real_replacements(pair)
    if len(replaced) != 1 or pair.equal_share < 0.5 or pair.new.is_multi:
        return None
    if pair.apart or ("weekday" in pair.changed and _comes_again(pair) and not pair.new.has_cue):
        return "maybe"
    if (common := common_own_slots(pair)) and "ending" not in pair.old.cues:
        return "maybe" if "home" in common and is_closer(pair) else "supersede"
    is_sure = len(pair.shared) >= 2 or pair.overlap >= 0.8 or pair.new.has_cue
    is_other = (pair.changed and is_sure) or (replaced[0].is_last and pair.new.has_cue)
    return "supersede" if pair.slots and pair.shared and is_other else None


def same_thing(pair: Comparison) -> Verdict | None:
    """R8: another value of the same, in other words: "the nanny gets 15" / "we pay the nanny 18".

    When something is, and what is chosen, is sure only of a thing told as known: two lessons stand side by
    side, "the lesson" does not. Twice a week is no change either.
    """
    frame = pair.new.frame & pair.old.frame
    if not frame or not (pair.changed or pair.opposed) or not pair.has_one_frame or pair.apart:
        return None
    if pair.has_alien_subject and not pair.new.has_strong_cue:  # "I weigh", "my suitcase weighs"
        return None
    if pair.changed and not pair.opposed and all(map(_is_amount, pair.changed)):
        return "supersede"
    if "weekday" in pair.changed and _comes_again(pair):
        return "maybe"
    is_known = pair.tells_again_of(
        pair.new.known | pair.new.subject
    )  # "the dinner" is, "dinner on Friday" is not
    is_the_one = pair.opposed or (is_known if pair.changed <= _WHEN else pair.common_thing)
    return "supersede" if is_the_one else "maybe"


def swapped(pair: Comparison) -> Verdict | None:
    """R7: the two sides of a preference changed places: "tea over coffee" / "coffee over tea"."""
    return "supersede" if pair.inverted > 0.34 and pair.likeness > 0.75 and pair.new.is_multi else None


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
    first_choice,
    other_value_of_slot,
    narrower,
    personal_slot,
    other_place,
    changed_mind,
    other_subject,
    other_label,
    swapped,
    side_by_side,
    cue_and_value,
    now_and_value,
    product,
    same_template,
    same_thing,
    *HINTS,
)


def _is_amount(kind: str) -> bool:
    return kind in _AMOUNTS or kind.startswith("unit:")


def _says_only(pair: Comparison) -> bool:
    return bool(_ONLY.search(pair.new.folded) or _ONLY.search(pair.old.folded))


def _comes_again(pair: Comparison) -> bool:
    return bool(_EVERY_WEEK.search(pair.new.folded) or _EVERY_WEEK.search(pair.old.folded))


def _names_another(pair: Comparison) -> bool:
    """Whether another of several ends: "I'm not allergic to nuts any more" leaves shellfish.

    In Chinese a "not" changes the pairs of characters around it, and such pairs are told apart without this.
    """
    new, old = pair.new, pair.old
    is_other = bool(new.content - old.content) and bool(old.content - new.content)
    return old.is_multi and is_other and "change" not in new.cues and not _HAN.search(new.folded)


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
