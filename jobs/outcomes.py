"""Says of each logged recall what became of its memories, once the session has gone on."""

from collections.abc import Set
from functools import partial

import apsw

from memory.database import Database
from memory.recall import outcome
from memory.store import cursors, recalls, replies, resources
from memory.store.recalls import LoggedRecall, Outcome
from memory.store.replies import SETTLED_S

CHUNK = 50
_MOST = 1_000  # looked at in one tick, in order of arrival; the rest waits for the next
_NAME = "outcomes"
_TURN, _LOOK = "outcomes/turn", "outcomes/look"  # the last turn there was at the last look, and when that was

_Decision = tuple[int, list[Outcome]]
_Session = tuple[str, str | None]


async def decide(database: Database, user_id: str | None, now: int) -> int:
    """Decide what can be decided at a moment of arrival (Unix seconds); the number of recalls decided.

    Idempotent, in short steps: a crash in between costs nothing. Where nobody has said anything since the
    last look, the next one comes after the time in which a reply is whole.
    """
    latest = await database.read(lambda c: _news(c, now))
    if latest is None:
        return 0
    after = start = await database.read(lambda c: cursors.position(c, _NAME))
    spoken: Set[_Session] | None = None
    seen = count = 0
    is_settled = True  # so far, all behind `start` are decided, of every user
    while seen < _MOST:
        waiting = await database.read(partial(recalls.undecided, after=after, user_id=user_id, limit=CHUNK))
        if not waiting:
            break
        if spoken is None:
            spoken = await database.read(partial(_spoken, waiting=waiting, now=now))
        decisions = await database.read(partial(_decisions, waiting=waiting, spoken=spoken, now=now))
        is_settled = is_settled and user_id is None and len(decisions) == len(waiting)
        after, seen, count = waiting[-1].id, seen + len(waiting), count + len(decisions)
        if is_settled:
            start = after
        if decisions:
            await database.write(partial(_store, decisions=decisions, settled_to=start))
    if user_id is None and seen < _MOST:
        await database.write(partial(_note_look, latest=latest, now=now))
    return count


def _news(connection: apsw.Connection, now: int) -> int | None:
    """The number of the last turn; None where a look would find nothing that the last one did not."""
    latest = resources.newest_key(connection)
    since_s = now - cursors.position(connection, _LOOK)
    is_same = latest == cursors.position(connection, _TURN)
    return None if is_same and 0 <= since_s < SETTLED_S else latest


def _note_look(connection: apsw.Connection, latest: int, now: int) -> None:
    cursors.advance(connection, _TURN, latest)
    cursors.advance(connection, _LOOK, now)


def _spoken(connection: apsw.Connection, waiting: list[LoggedRecall], now: int) -> set[_Session]:
    """Where an assistant spoke since the first of them that still waits for a reply."""
    since = max(now - outcome.PATIENCE_S, min(one.at for one in waiting))
    return replies.spoken_in(connection, since)


def _decisions(
    connection: apsw.Connection, waiting: list[LoggedRecall], spoken: Set[_Session], now: int
) -> list[_Decision]:
    """Of those that may have a reply, or wait for none any more."""
    ripe = [
        one
        for one in waiting
        if (one.user_id, one.session_id) in spoken or now - one.at >= outcome.PATIENCE_S
    ]
    judged = [(one.id, outcome.outcomes(connection, one, now)) for one in ripe]
    return [(recall_id, found) for recall_id, found in judged if found is not None]


def _store(connection: apsw.Connection, decisions: list[_Decision], settled_to: int) -> None:
    for recall_id, outcomes in decisions:
        recalls.decide(connection, recall_id, outcomes)
    cursors.advance(connection, _NAME, settled_to)
