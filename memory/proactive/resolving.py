"""What the user did with an item that was brought up."""

from typing import Final

import apsw

from memory.dates.moment import is_in_calendar
from memory.errors import InvalidError
from memory.model import DAY_S, ProactiveItem, ProactiveState
from memory.proactive import ledger

_SAID: Final = {
    ProactiveState.USED: "{id} was used already",
    ProactiveState.DISMISSED: "{id} was dismissed already",
}


def resolve(
    connection: apsw.Connection,
    user_id: str,
    item_id: str,
    outcome: ProactiveState,
    until: int | None,
    now: int,
) -> ProactiveItem:
    """Note what the user did with an item; a snoozed one comes due again at `until`.

    Said once more in the same words it changes nothing, so a lost answer may be asked for again. Raises
    NotFoundError; InvalidError for what the user settled otherwise, for what is over, and for a snooze
    without an end that lies ahead.
    """
    item = ledger.one(connection, user_id, item_id)
    if item.state in _SAID and item.state is outcome:
        return item
    _check_open(item, now)
    if outcome is ProactiveState.SNOOZED:
        _snooze(connection, item, until, now)
    else:
        connection.execute(
            "UPDATE proactive_items SET state = ?1, decided_at = ?2, updated_at = ?2 WHERE id = ?3",
            (outcome, now, item_id),
        )
    return ledger.one(connection, user_id, item_id)


def _check_open(item: ProactiveItem, now: int) -> None:
    """What came true by itself may still be called used or dismissed: the user knows better."""
    if item.state in _SAID:
        raise InvalidError(_SAID[item.state].format(id=item.id), hint="what was said first stands")
    is_over = item.expires_at <= now and item.state is not ProactiveState.HIT
    if is_over or item.state in (ProactiveState.EXPIRED, ProactiveState.MISS):
        raise InvalidError(f"{item.id} is over", hint="`memud proactive` shows what is open")


def _snooze(connection: apsw.Connection, item: ProactiveItem, until: int | None, now: int) -> None:
    if until is None or until <= now or not is_in_calendar(until):
        raise InvalidError("snoozed until when?", hint="give `until`, Unix seconds in the future")
    connection.execute(
        """
        UPDATE proactive_items
        SET state = 'snoozed', decided_at = NULL, updated_at = ?1, due_at = ?2, announced = 0,
            expires_at = max(expires_at, ?2 + ?3)
        WHERE id = ?4
        """,
        (now, until, DAY_S, item.id),
    )
