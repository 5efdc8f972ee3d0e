"""The queue against a model of it, through any order of puts, leases, faults, crashes and clocks."""

import random
from dataclasses import dataclass

import apsw
from hypothesis import settings, strategies
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, precondition, rule

from config.settings import load
from memory import queue
from memory.ids import id_maker
from memory.intake import Event, Intake
from memory.model import Role, Scope
from memory.queue import Choice, Lease
from memory.testing import FrozenClock
from migrations import runner

LEASE_S = 60
MAX_CRASHES = 3
KEYS = strategies.sampled_from("abcdefgh")
SESSIONS = strategies.sampled_from(["one", "two", None])


@dataclass
class Entry:
    """What the model knows of a turn."""

    session: str | None
    state: str = "queued"
    attempts: int = 0
    outages: int = 0
    crashes: int = 0
    due_at: int = 0
    leased_until: int = 0
    holder: str | None = None
    effects: int = 0


class QueueMachine(RuleBasedStateMachine):
    """Each acknowledged turn has exactly one effect, whatever happens in between."""

    leases = Bundle("leases")

    def __init__(self) -> None:
        super().__init__()
        self.connection = apsw.Connection(":memory:")
        self.connection.pragma("foreign_keys", "ON")
        runner.apply(self.connection)
        self.clock = FrozenClock()
        new_id = id_maker(random.Random(1).randbytes)  # noqa: S311 - no secrets
        self.intake = Intake(load().capture, new_id)
        self.model: dict[str, Entry] = {}
        self.key_of: dict[int, str] = {}
        self.tokens = 0

    def teardown(self) -> None:
        """Close the database."""
        self.connection.close()

    @rule(key=KEYS, session=SESSIONS)
    def put(self, key: str, session: str | None) -> None:
        """A new turn waits; a known key is a duplicate and changes nothing."""
        now = self.clock.now()
        event = Event(key, Scope(session_id=session), Role.USER, f"words of {key}")
        taken = self.intake.take(self.connection, self.intake.prepare(event, now), now)
        assert (taken.stored is None) is (key in self.model)
        if taken.stored is not None:
            self.model[key] = Entry(session, due_at=now)
            self.key_of[taken.stored.key] = key

    @rule(target=leases)
    def lease(self) -> tuple[Lease, str] | None:
        """The model's first leasable turn is the one that is taken."""
        self.tokens += 1
        token = f"token-{self.tokens}"
        held = queue.lease(self.connection, token, self.clock.now(), LEASE_S)
        expected = self._leasable()
        assert (held and self.key_of[held.resource_key]) == expected
        if held is None or expected is None:
            return None
        entry = self.model[expected]
        entry.state, entry.holder = "leased", token
        entry.leased_until = self.clock.now() + LEASE_S
        entry.attempts += 1
        assert (held.attempts, held.outages) == (entry.attempts, entry.outages)
        return held, expected

    def _leasable(self) -> str | None:
        waiting = [
            (entry.crashes > 1, entry.due_at, order, key)
            for order, (key, entry) in enumerate(self.model.items())
            if entry.state == "queued" and entry.due_at <= self.clock.now() and self._is_first(key)
        ]
        return min(waiting)[3] if waiting else None

    def _is_first(self, key: str) -> bool:
        session = self.model[key].session
        mates = [(other, entry) for other, entry in self.model.items() if entry.session == session]
        ahead = mates[: [other for other, _ in mates].index(key)]
        in_hand = any(entry.state == "leased" for _, entry in mates)
        return not in_hand and not any(entry.state == "queued" for _, entry in ahead)

    @rule(lease=consumes(leases))
    def finish(self, lease: tuple[Lease, str] | None) -> None:
        """The holder's effects are stored; a lost lease's are not."""
        if lease is not None:
            held, key = lease
            done = queue.finish(self.connection, held, self.clock.now())
            assert done is self._holds(held, key)
            if done:
                self._leave(key, "done")
                self.model[key].effects += 1

    @rule(lease=consumes(leases), wait_s=strategies.integers(0, 100), counted=strategies.booleans())
    def fail(self, lease: tuple[Lease, str] | None, wait_s: int, counted: bool) -> None:
        """The holder puts its turn back; an outage counts as no try."""
        if lease is not None:
            (held, key), now = lease, self.clock.now()
            back = queue.retry(self.connection, held, now, now + wait_s, "why", counted=counted)
            assert back is self._holds(held, key)
            if back:
                self._leave(key, "queued")
                entry = self.model[key]
                entry.due_at = now + wait_s
                entry.attempts -= not counted
                entry.outages += not counted

    @rule(lease=consumes(leases))
    def bury(self, lease: tuple[Lease, str] | None) -> None:
        """The holder gives its turn up."""
        if lease is not None:
            held, key = lease
            buried = queue.bury(self.connection, held, self.clock.now(), "why")
            assert buried is self._holds(held, key)
            if buried:
                self._leave(key, "dead")

    def _holds(self, held: Lease, key: str) -> bool:
        return self.model[key].state == "leased" and self.model[key].holder == held.token

    def _leave(self, key: str, state: str) -> None:
        self.model[key].state, self.model[key].holder = state, None

    @rule(seconds=strategies.sampled_from([1, 30, 60, 61, -5, 3600]))
    def turn_the_clock(self, seconds: int) -> None:
        """Time passes, or is set back."""
        self.clock.turn(seconds)

    @rule()
    def sweep(self) -> None:
        """What is held too long goes back."""
        now = self.clock.now()
        late = [
            key for key, entry in self.model.items() if entry.state == "leased" and entry.leased_until < now
        ]
        assert queue.sweep(self.connection, now) == len(late)
        for key in late:
            self._leave(key, "queued")
            self.model[key].due_at = now

    @rule()
    def crash(self) -> None:
        """Kill -9 and a new start: all leases are void, poison is buried."""
        now = self.clock.now()
        queue.recover(self.connection, now, MAX_CRASHES)
        for key, entry in self.model.items():
            if entry.state == "leased":
                entry.due_at = now + queue.SUSPECT_WAIT_S * entry.crashes
                entry.crashes += 1
                self._leave(key, "dead" if entry.crashes >= MAX_CRASHES else "queued")

    @rule()
    def stop(self) -> None:
        """A clean stop gives back what is in hand, at no cost."""
        now = self.clock.now()
        for key, entry in self.model.items():
            if entry.state == "leased":
                self._leave(key, "queued")
                entry.attempts -= 1
                entry.due_at = now
        queue.release(self.connection, now)

    @rule(state=strategies.sampled_from(["queued", "dead"]))
    def redrive(self, state: str) -> None:
        """The dead come back, the waiting are due now; all with fresh tries."""
        now = self.clock.now()
        again = [entry for entry in self.model.values() if entry.state == state]
        assert len(queue.redrive(self.connection, "default", Choice(None, state), now)) == len(again)
        for entry in again:
            entry.state, entry.attempts, entry.outages, entry.crashes, entry.due_at = "queued", 0, 0, 0, now

    @precondition(lambda self: any(entry.state == "dead" for entry in self.model.values()))
    @rule()
    def drop(self) -> None:
        """The dead are given up for good."""
        dropped = [key for key, entry in self.model.items() if entry.state == "dead"]
        found = queue.drop(self.connection, "default", Choice(None, "dead"), self.clock.now())
        assert len(found) == len(dropped)
        for key in dropped:
            self.model[key].state = "done"

    @invariant()
    def the_table_is_as_the_model_says(self) -> None:
        """States, counts and due times agree, turn by turn."""
        rows = self.connection.execute(
            """
            SELECT r.event_key, q.state, q.attempts, q.outages, q.crashes, q.lease_token
            FROM capture_queue AS q JOIN resources AS r ON r.key = q.resource_key
            """
        ).fetchall()
        assert {row[0]: row[1:] for row in rows} == {
            key: (entry.state, entry.attempts, entry.outages, entry.crashes, entry.holder)
            for key, entry in self.model.items()
        }

    @invariant()
    def no_turn_has_two_effects(self) -> None:
        """Done is done: no turn is finished twice unless a person drove it again."""
        assert all(entry.effects <= 1 for entry in self.model.values())

    @invariant()
    def no_session_has_two_turns_in_hand(self) -> None:
        """A session's turns are worked on one at a time."""
        held = [entry.session for entry in self.model.values() if entry.state == "leased"]
        assert len(held) == len(set(held))

    @invariant()
    def depth_counts_what_is_there(self) -> None:
        """The sums that guard the door are right."""
        states = [entry.state for entry in self.model.values()]
        depth = queue.depth(self.connection)
        assert (depth.queued, depth.leased, depth.dead) == tuple(
            states.count(state) for state in ("queued", "leased", "dead")
        )


TestQueue = QueueMachine.TestCase
TestQueue.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
