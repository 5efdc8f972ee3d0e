"""A conversation outlives its context window and its agent: when to compact, what to resume with."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from config.settings import CompactionSettings
from memory.ids import NewId
from memory.model import Resource, Role, Scope
from memory.store import items, resources, retold
from memory.tokens import estimate_tokens

_SESSION_TURNS = 2_000  # the newest of a cycle; a summary needs no more


@dataclass(frozen=True, slots=True)
class Compaction:
    """`due` is True once for each crossing; `ratio` is tokens used / context window."""

    due: bool = False
    ratio: float | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a session said in one compaction cycle, from 1."""

    text: str
    item_ids: tuple[str, ...]
    cycle: int


@dataclass(frozen=True, slots=True)
class _State:
    """`armed`: the next crossing counts. `cycle` counts from 0."""

    armed: bool
    cycle: int
    has_summary: bool = False
    tells_ratio: bool = False


class Sessions:
    """Keeps each session's place in its compaction cycle.

    A cycle that has its summary ends when the window has emptied again (the ratio falls under
    `rearm_ratio`) or fills up for the first time, or, where an agent tells no ratio, with the next turn.
    """

    def __init__(self, settings: CompactionSettings, new_id: NewId) -> None:
        self._settings = settings
        self._new_id = new_id

    def note(self, connection: apsw.Connection, scope: Scope, ratio: float | None, now: int) -> Compaction:
        """Take note of a capture in a session, and whether it should be compacted now."""
        if scope.session_id is None:
            return Compaction(False, ratio)
        state = self._state(connection, scope, now)
        next_cycle = state.cycle + state.has_summary
        if ratio is None:
            if not state.tells_ratio:
                self._save(connection, scope, _State(True, next_cycle), None, now)
            return Compaction()
        if ratio < self._settings.rearm_ratio:
            self._save(connection, scope, _State(True, next_cycle), ratio, now)
            return Compaction(False, ratio)
        due = state.armed and ratio >= self._settings.due_ratio
        after = _State(state.armed and not due, next_cycle if due else state.cycle)
        self._save(connection, scope, after, ratio, now)
        return Compaction(due, ratio)

    def compact(
        self, connection: apsw.Connection, scope: Scope, reason: str, ratio: float | None, now: int
    ) -> Summary:
        """Store the session's summary; a second call in the same cycle gives the same one.

        A ratio that was not told yet may begin a cycle by filling up, never by emptying: a repeated
        call must find the cycle of the first.
        """
        if ratio is not None and ratio >= self._settings.rearm_ratio:
            self.note(connection, scope, ratio, now)
        state = self._state(connection, scope, now)
        if not state.has_summary and not self._summarise(connection, scope, state.cycle, reason, now):
            return Summary("", (), state.cycle + 1)
        text, through, since = _read_summary(connection, scope, state.cycle)
        return Summary(text, _facts_between(connection, scope, since, through), state.cycle + 1)

    def latest_summary(self, connection: apsw.Connection, scope: Scope) -> str | None:
        """The newest summary of a session; None without one."""
        return connection.execute(  # type: ignore[no-any-return]
            """
            SELECT summary FROM session_summaries
            WHERE user_id = ? AND session_id = ? AND (NOT ? OR NOT private)
            ORDER BY cycle DESC LIMIT 1
            """,
            (scope.user_id, scope.session_id, scope.public_only),
        ).get

    def _state(self, connection: apsw.Connection, scope: Scope, now: int) -> _State:
        connection.execute(
            """
            INSERT INTO sessions (user_id, session_id, agent_id, updated_at) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            (scope.user_id, scope.session_id, scope.agent_id, now),
        )
        armed, cycle, has_summary, tells_ratio = next(
            connection.execute(
                """
                SELECT s.armed, s.cycle, EXISTS (
                  SELECT 1 FROM session_summaries AS m
                  WHERE m.user_id = s.user_id AND m.session_id = s.session_id AND m.cycle = s.cycle
                ), s.ratio IS NOT NULL
                FROM sessions AS s
                WHERE s.user_id = ? AND s.session_id = ?
                """,
                (scope.user_id, scope.session_id),
            )
        )
        return _State(bool(armed), cycle, bool(has_summary), bool(tells_ratio))

    def _save(
        self, connection: apsw.Connection, scope: Scope, state: _State, ratio: float | None, now: int
    ) -> None:
        connection.execute(
            """
            UPDATE sessions SET armed = ?, cycle = ?, ratio = ?, updated_at = ?
            WHERE user_id = ? AND session_id = ?
            """,
            (state.armed, state.cycle, ratio, now, scope.user_id, scope.session_id),
        )

    def _summarise(
        self, connection: apsw.Connection, scope: Scope, cycle: int, reason: str, now: int
    ) -> bool:
        """Whether there was anything to sum up."""
        since = _through(connection, scope)
        turns = [
            turn
            for said in resources.recent(connection, scope, _SESSION_TURNS)
            if said.key > since and said.turn.role in (Role.USER, Role.ASSISTANT)
            if (turn := retold.own(connection, said)) is not None
        ]
        if not turns:
            return False
        facts = [fact for turn in turns for fact in _fact_texts(connection, turn)]
        text = extract_summary(turns, list(dict.fromkeys(facts)), self._settings.summary_tokens)
        summary_id = self._new_id("s")
        connection.execute(
            """
            INSERT INTO session_summaries (
              id, user_id, session_id, cycle, reason, summary, through_key, created_at, private
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (
                summary_id, scope.user_id, scope.session_id, cycle, reason, text,
                max(turn.key for turn in turns), now, any(turn.turn.private for turn in turns),
            ),
        )  # fmt: skip
        connection.executemany(
            "INSERT INTO summary_sources VALUES (?, ?)", [(summary_id, turn.id) for turn in turns]
        )
        return True


def extract_summary(turns: Sequence[Resource], facts: Sequence[str], max_tokens: int) -> str:
    """A summary in the session's own words: its facts, then what the user last said, newest kept first.

    Nothing is paraphrased, so nothing is invented; without a language model that is the honest form.
    """
    lines = [f"- {_one_line(fact)}" for fact in facts]
    said = [_one_line(turn.turn.text) for turn in turns if turn.turn.role is Role.USER]
    known = set(facts)
    lines += [f"> {text}" for text in reversed(said) if text and text not in known]
    kept: list[str] = []
    left = max_tokens
    for line in dict.fromkeys(lines):
        cost = estimate_tokens(line) + 1
        if cost <= left:
            kept.append(line)
            left -= cost
    facts_kept = [line for line in kept if line.startswith("- ")]
    turns_kept = [line for line in kept if line.startswith("> ")]
    return "\n".join(facts_kept + turns_kept[::-1])


def _one_line(text: str, max_chars: int = 300) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= max_chars else flat[: max_chars - 1] + "…"


def _through(connection: apsw.Connection, scope: Scope) -> int:
    return int(
        connection.execute(
            """
            SELECT coalesce(max(through_key), 0) FROM session_summaries WHERE user_id = ? AND session_id = ?
            """,
            (scope.user_id, scope.session_id),
        ).get
    )


def _read_summary(connection: apsw.Connection, scope: Scope, cycle: int) -> tuple[str, int, int]:
    """(words, last turn covered, last turn covered before)."""
    text, through, since = next(
        connection.execute(
            """
            SELECT m.summary, m.through_key, (
              SELECT coalesce(max(b.through_key), 0) FROM session_summaries AS b
              WHERE b.user_id = m.user_id AND b.session_id = m.session_id AND b.cycle < m.cycle
            )
            FROM session_summaries AS m
            WHERE m.user_id = ? AND m.session_id = ? AND m.cycle = ?
            """,
            (scope.user_id, scope.session_id, cycle),
        )
    )
    return str(text), int(through), int(since)


def _fact_texts(connection: apsw.Connection, turn: Resource) -> list[str]:
    return [
        fact.item.memory for fact in items.stated_in(connection, turn.id) if fact.item.superseded_by is None
    ]


def _facts_between(connection: apsw.Connection, scope: Scope, since: int, through: int) -> tuple[str, ...]:
    rows = connection.execute(
        """
        SELECT DISTINCT i.id
        FROM items AS i
        JOIN item_sources AS s ON s.item_id = i.id
        JOIN resources AS r ON r.id = s.resource_id
        WHERE r.user_id = ? AND r.session_id = ? AND r.key > ? AND r.key <= ?
        ORDER BY i.key
        """,
        (scope.user_id, scope.session_id, since, through),
    )
    return tuple(item_id for (item_id,) in rows)
