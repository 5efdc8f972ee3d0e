"""Which turns ask for nothing that could be prepared: facts, remarks, and what one is to be reminded of."""

from memory.extract.claims import claims
from memory.extract.clauses import sentences
from memory.proactive.asking.remark import is_remark, is_wish
from memory.proactive.asking.small_fact import is_small_fact
from memory.proactive.commitments.cues import Pledge
from memory.proactive.commitments.pledges import pledges
from memory.simplified import simplified


def is_statement(text: str, at: int, tz: str) -> bool:
    """Whether a turn only tells, or asks for a reminder, which another detector hears.

    Takes a few milliseconds.
    """
    return is_remark(text) or is_small_fact(text) or _is_reminder(text, at, tz) or _is_told(text, at, tz)


def _is_reminder(text: str, at: int, tz: str) -> bool:
    return any(one.pledge is Pledge.REMINDER for one in pledges(text, is_assistant=False, at=at, tz=tz))


def _is_told(text: str, at: int, tz: str) -> bool:
    """Whether each sentence tells something durable, and none asks or wishes."""
    if is_wish(text):
        return False
    told = [claim.clause.start for claim in claims(text, at, tz)]
    said = list(sentences(simplified(text)))
    return bool(said) and all(any(one.start <= start < one.end for start in told) for one in said)
