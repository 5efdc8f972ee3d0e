"""The facts of a turn whose day lies ahead."""

from typing import Final

import apsw

from memory.dates.moment import is_in_calendar
from memory.extract.own import is_own
from memory.model import Item, Resource
from memory.proactive.occasions.occasion import Occasion, occasion
from memory.store import items

_OWN: Final = frozenset({"user", "edited", "import"})  # in whose words a fact may stand


def may_speak(fact: Item) -> bool:
    """Whether it still holds and stands in the user's own words."""
    return fact.superseded_by is None and fact.trust in _OWN


def told(connection: apsw.Connection, turn: Resource) -> list[tuple[Item, Occasion]]:
    """Those of the user's own, each with its day."""
    said = turn.turn
    if not is_own(said) or not is_in_calendar(said.timestamp):
        return []
    facts = [stored.item for stored in items.stated_in(connection, turn.id) if may_speak(stored.item)]
    return [(fact, found) for fact in facts if (found := occasion(fact, said.timestamp, said.tz))]
