"""A tick reads what is due and what is new, however much there is: it reads no table through."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import pytest

from config.settings import load
from jobs.announce import Announcer
from memory import outbox, queue
from memory.model import Evidence as Rests
from memory.model import Modality, Origin, Prediction, Role, Scope, Turn
from memory.proactive import ledger, notices, recording, set_back
from memory.proactive.arbiter import Arbiter
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.following.again import rearm
from memory.proactive.following.follow import follow
from memory.store import counting, cursors, recalls, resources
from memory.turns import content_hash
from memory.vectors import loading
from migrations import runner

NOW = 1_780_000_000
LARGE = {"resources", "items", "proactive_items", "proactive_evidence", "recall_log", "outbox", "retold"}
_SCAN = re.compile(r"SCAN (\w+)(?! USING (?:COVERING )?INDEX (?:recall_log_undecided|retold_whole))")

Look = Callable[[apsw.Connection], object]


def said(text: str, key: str, at: int) -> Turn:
    return Turn(
        key, Scope("ana", None, "s"), Role.USER, None, text, text, Modality.CHAT, at, "Europe/Berlin",
        Origin.USER, True, content_hash(text),
    )  # fmt: skip


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    """A store with a turn, an errand, something that comes again, and something to come."""
    opened = apsw.Connection(str(tmp_path / "m.db"))
    runner.apply(opened)
    for n, text in enumerate(("remind me tomorrow to send the invoice", "remind me every day at 9 to swim")):
        turn = resources.insert(opened, said(text, f"k{n}", NOW), f"t-{n}", NOW)
        for prediction in CommitmentDetector().detect(opened, turn):
            recording.record(opened, "ana", prediction, f"p-{n}", NOW)
    resources.insert(opened, said("move the invoice to 5pm please", "k9", NOW + 60), "t-9", NOW + 60)
    yield opened
    opened.close()


def plans(connection: apsw.Connection, look: Look) -> list[str]:
    """What SQLite does for each statement of a look."""
    asked: list[tuple[str, Any]] = []

    def note(_: apsw.Cursor, sql: str, values: Any) -> bool:
        asked.append((sql, values))
        return True

    connection.exec_trace = note
    try:
        look(connection)
    finally:
        connection.exec_trace = None
    assert asked
    steps = (connection.execute("EXPLAIN QUERY PLAN " + sql, values).fetchall() for sql, values in asked)
    return [str(row[3]) for rows in steps for row in rows]


def _follow_the_last(connection: apsw.Connection) -> object:
    *_, turn = resources.after(connection, 2, 5)
    return follow(connection, turn, CommitmentDetector().detect(connection, turn))


def _record(connection: apsw.Connection) -> object:
    again = Prediction("commitment", "new", "text", "why", 0.9, (Rests("t-0"),), NOW + 9, NOW + 99)
    return recording.record(connection, "ana", again, "p-9", NOW)


LOOKS: Sequence[Look] = (
    lambda c: Announcer(Arbiter(load().proactive)).announce(c, None, NOW + 86_400),
    lambda c: Arbiter(load().proactive).upcoming(c, Scope("ana"), NOW, ["t-0"]),
    lambda c: notices.next_due(c, NOW),
    lambda c: set_back.is_behind(c, NOW),
    lambda c: set_back.put_right(c, NOW - 1000),
    lambda c: rearm(c, NOW + 2 * 86_400, None, lambda prefix: f"{prefix}-new"),
    lambda c: recording.expire(c, NOW + 99),
    lambda c: recording.deliver(c, ["p-0"], NOW + 99_999),
    _follow_the_last,
    _record,
    lambda c: queue.first_underway(c),
    lambda c: queue.sweep(c, NOW),
    lambda c: outbox.trim(c, 10),
    lambda c: recalls.undecided(c, 0, None, 50),
    lambda c: ledger.undecided(c, "ana", NOW, NOW, NOW, 0.95),
    lambda c: cursors.position(c, "monitor"),
    lambda c: list(resources.after(c, 1, 50)),
    lambda c: resources.newest_key(c),
    lambda c: counting.sizes(c, 100),
    lambda c: loading.census(c),
    lambda c: loading.pending(c, "model", 32),
)


@pytest.mark.parametrize("look", LOOKS)
def test_no_statement_of_a_tick_reads_a_table_through(connection: apsw.Connection, look: Look) -> None:
    """Each finds its rows by an index; only small tables and indexes of what waits are read whole."""
    whole = [step for step in plans(connection, look) if (match := _SCAN.match(step)) and match[1] in LARGE]
    assert whole == []


@pytest.mark.parametrize("look", LOOKS)
def test_no_statement_of_a_tick_reads_all_of_a_user(connection: apsw.Connection, look: Look) -> None:
    """A user may have a million turns, and years of predictions: the user's name alone is no way to a row."""
    by_name = re.compile(r"SEARCH (?:resources|items|proactive_items|recall_log) USING .*\(user_id=\?\)$")
    assert [step for step in plans(connection, look) if by_name.match(step)] == []


def test_the_plans_would_tell(connection: apsw.Connection) -> None:
    """What reads all is seen by these tests."""
    scans = plans(connection, lambda c: c.execute("SELECT count(*) FROM resources WHERE tz = 'x'").get)
    assert any(_SCAN.match(step) for step in scans)
