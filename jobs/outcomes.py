"""Says of each logged recall what became of its memories, once the session has gone on."""

from functools import partial

import apsw

from memory.database import Database
from memory.recall import outcome
from memory.store import cursors, recalls
from memory.store.recalls import LoggedRecall, Outcome

CHUNK = 50
_MOST = 1_000  # looked at in one tick, in order of arrival; the rest waits for the next
_NAME = "outcomes"

_Decision = tuple[int, list[Outcome]]


async def decide(database: Database, user_id: str | None, now: int) -> int:
    """Decide what can be decided at a moment of arrival (Unix seconds); the number of recalls decided.

    Idempotent, in short steps: a crash in between costs nothing.
    """
    after = start = await database.read(lambda c: cursors.position(c, _NAME))
    seen = count = 0
    is_settled = True  # so far, all behind `start` are decided, of every user
    while seen < _MOST:
        waiting = await database.read(partial(recalls.undecided, after=after, user_id=user_id, limit=CHUNK))
        if not waiting:
            break
        decisions = await database.read(partial(_decisions, waiting=waiting, now=now))
        is_settled = is_settled and user_id is None and len(decisions) == len(waiting)
        after, seen, count = waiting[-1].id, seen + len(waiting), count + len(decisions)
        if is_settled:
            start = after
        if decisions:
            await database.write(partial(_store, decisions=decisions, settled_to=start))
    return count


def _decisions(connection: apsw.Connection, waiting: list[LoggedRecall], now: int) -> list[_Decision]:
    judged = [(one.id, outcome.outcomes(connection, one, now)) for one in waiting]
    return [(recall_id, found) for recall_id, found in judged if found is not None]


def _store(connection: apsw.Connection, decisions: list[_Decision], settled_to: int) -> None:
    for recall_id, outcomes in decisions:
        recalls.decide(connection, recall_id, outcomes)
    cursors.advance(connection, _NAME, settled_to)
