"""Batches through any order of arrivals, faults, crashes and clocks: in order, once, and to the end."""

import random
from typing import Any

import apsw
from hypothesis import settings, strategies
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from config.settings import load
from memory import queue
from memory.ids import id_maker
from memory.intake import Event, Intake
from memory.model import Role, Scope
from memory.ports import Batching
from memory.queue import Lease
from memory.testing import FrozenClock
from migrations import runner

LEASE_S = 60
MAX_CRASHES = 3
BATCHING = Batching(turns=3, quiet_s=20)
SESSIONS = strategies.sampled_from(["one", "two"])


class BatchMachine(RuleBasedStateMachine):
    """Each turn has one effect, after all earlier turns of its session that are not dead."""

    leases = Bundle("leases")

    def __init__(self) -> None:
        super().__init__()
        self.connection = apsw.Connection(":memory:")
        self.connection.pragma("foreign_keys", "ON")
        runner.apply(self.connection)
        self.clock = FrozenClock()
        new_id = id_maker(random.Random(1).randbytes)  # noqa: S311 - no secrets
        self.intake = Intake(load().capture, new_id, batching=BATCHING)
        self.count = self.tokens = 0
        self.done: list[int] = []

    def teardown(self) -> None:
        """Whatever happened, all that is not dead comes to its end."""
        self.crash()
        for _ in range(500):
            held = self._lease(f"last-{self.clock.now()}")
            if held is not None:
                self._finish(held)
            elif (due_at := queue.next_due(self.connection, self.clock.now())) is not None:
                self.clock.turn(due_at - self.clock.now())
            else:
                break
        assert {row[0] for row in self._rows("SELECT state FROM capture_queue")} <= {"done", "dead"}
        assert len(self.done) == len(set(self.done))
        self.connection.close()

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        return list(self.connection.execute(sql, values))

    def _lease(self, token: str) -> Lease | None:
        return queue.lease(self.connection, token, self.clock.now(), LEASE_S, BATCHING.turns)

    def _finish(self, held: Lease) -> None:
        if queue.is_whole(self.connection, held):
            assert queue.finish(self.connection, held, self.clock.now())
            self.done += held.resource_keys

    @rule(session=SESSIONS, private=strategies.booleans())
    def put(self, session: str, private: bool) -> None:
        """A turn arrives."""
        self.count += 1
        event = Event(f"k{self.count}", Scope(session_id=session), Role.USER, "words", private=private)
        prepared = self.intake.prepare(event, self.clock.now())
        self.intake.take(self.connection, prepared, self.clock.now())

    @rule(target=leases)
    def lease(self) -> Lease | None:
        """What is taken together: one session's first turns, in order, of one privacy, at most three."""
        self.tokens += 1
        held = self._lease(f"token-{self.tokens}")
        if held is None:
            return None
        assert 1 <= len(held.resource_keys) <= BATCHING.turns
        assert list(held.resource_keys) == sorted(held.resource_keys)
        kinds = self._rows(
            """
            SELECT DISTINCT session_id, private FROM resources
            WHERE key IN (SELECT value FROM json_each(?))
            """,
            held.keys,
        )
        assert len(kinds) == 1
        skipped = self._rows(
            """
            SELECT count(*) FROM capture_queue
            WHERE state = 'queued' AND session_id = ? AND resource_key < ?
            """,
            kinds[0][0], held.resource_keys[-1],
        )  # fmt: skip
        assert skipped == [(0,)]
        return held

    @rule(held=consumes(leases))
    def finish(self, held: Lease | None) -> None:
        """The effects are stored, if the lease still holds."""
        if held is not None:
            self._finish(held)

    @rule(held=consumes(leases), wait_s=strategies.integers(0, 50), counted=strategies.booleans())
    def fail(self, held: Lease | None, wait_s: int, counted: bool) -> None:
        """An outage puts a batch back whole; another fault halves it, and buries a turn alone at last."""
        if held is None:
            return
        now = self.clock.now()
        if not counted:
            queue.retry(self.connection, held, now, now + wait_s, "outage", counted=False)
        elif len(held.resource_keys) > 1:
            queue.halve(self.connection, held, now, now + wait_s, "answer")
        elif held.attempts >= 3:
            queue.bury(self.connection, held, now, "answer")
        else:
            queue.retry(self.connection, held, now, now + wait_s, "answer", counted=True)

    @rule(seconds=strategies.integers(1, 90))
    def turn_the_clock(self, seconds: int) -> None:
        """Time passes; leases may run out."""
        self.clock.turn(seconds)
        queue.sweep(self.connection, self.clock.now())

    @rule(session=SESSIONS)
    def flush(self, session: str) -> None:
        """A session ends: nothing in it waits for others."""
        now = self.clock.now()
        queue.flush(self.connection, "default", session, now)
        late = self._rows(
            "SELECT count(*) FROM capture_queue WHERE state = 'queued' AND session_id = ? AND reason IS NULL"
            " AND crashes = 0 AND due_at > ?",
            session, now,
        )  # fmt: skip
        assert late == [(0,)]

    @rule()
    def crash(self) -> None:
        """The daemon is killed and starts again."""
        queue.recover(self.connection, self.clock.now(), MAX_CRASHES)

    @invariant()
    def no_session_has_two_leases(self) -> None:
        """A session's batches are worked on one at a time."""
        rows = self._rows(
            """
            SELECT session_id, count(DISTINCT lease_token) FROM capture_queue
            WHERE state = 'leased'
            GROUP BY session_id
            """
        )
        assert all(count == 1 for _, count in rows)

    @invariant()
    def attempts_are_never_negative(self) -> None:
        """What is taken back was counted before."""
        assert self._rows("SELECT count(*) FROM capture_queue WHERE attempts < 0") == [(0,)]


TestBatches = BatchMachine.TestCase
TestBatches.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
