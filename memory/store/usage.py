"""What models were asked and what they took, by day, purpose and model."""

from dataclasses import dataclass, replace
from typing import Any

import apsw

from memory.ports import Usage

_MAX_NAME = 100  # a provider tells the name of its model itself


@dataclass(frozen=True, slots=True)
class Cost:
    """Millionths of a dollar, and how many tokens have no known price; neither where a model is local."""

    micro: int = 0
    unpriced_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Spent:
    """One day's tokens for one purpose and model. `is_local`: on this machine, neither paid nor limited."""

    day: str
    purpose: str
    model: str
    input_tokens: int
    output_tokens: int
    calls: int
    cost_micro: int
    unpriced_tokens: int
    is_local: bool


@dataclass(frozen=True, slots=True)
class Handed:
    """What recalls handed out, and what resending the history would have cost, in tokens."""

    recalls: int
    injected_tokens: int
    history_tokens: int


def add(
    connection: apsw.Connection,
    day: str,
    purpose: str,
    usage: Usage,
    cost: Cost,
    *,
    calls: int = 1,
    is_local: bool = False,
) -> None:
    """Count calls and their tokens."""
    connection.execute(
        """
        INSERT INTO llm_usage (
          day, purpose, model, input_tokens, output_tokens, calls, cost_micro, unpriced_tokens, is_local
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET
          input_tokens = input_tokens + excluded.input_tokens,
          output_tokens = output_tokens + excluded.output_tokens,
          calls = calls + excluded.calls,
          cost_micro = cost_micro + excluded.cost_micro,
          unpriced_tokens = unpriced_tokens + excluded.unpriced_tokens
        """,
        (
            day, purpose, usage.model[:_MAX_NAME], usage.input_tokens, usage.output_tokens, calls, cost.micro,
            cost.unpriced_tokens, is_local,
        ),
    )  # fmt: skip


def paid_on(connection: apsw.Connection, day: str) -> tuple[int, int]:
    """(tokens, millionths of a dollar) that paid models took on a day."""
    tokens, micro = next(
        connection.execute(
            """
            SELECT coalesce(sum(input_tokens + output_tokens), 0), coalesce(sum(cost_micro), 0)
            FROM llm_usage WHERE day = ? AND NOT is_local
            """,
            (day,),
        )
    )
    return int(tokens), int(micro)


def unpriced_on(connection: apsw.Connection, day: str) -> tuple[str, ...]:
    """The models without a known price that were paid on a day."""
    rows = connection.execute(
        "SELECT DISTINCT model FROM llm_usage WHERE day = ? AND unpriced_tokens > 0 ORDER BY model", (day,)
    )
    return tuple(str(model) for (model,) in rows)


def spent(connection: apsw.Connection) -> list[Spent]:
    """Everything, the newest day first."""
    rows: list[Any] = connection.execute(
        """
        SELECT
          day, purpose, model, input_tokens, output_tokens, calls, cost_micro, unpriced_tokens, is_local
        FROM llm_usage ORDER BY day DESC, purpose, model
        """
    ).fetchall()
    return [replace(Spent(*row), is_local=bool(row[-1])) for row in rows]


def hand_out(connection: apsw.Connection, day: str, user_id: str, injected: int, history: int) -> None:
    """Count one recall."""
    connection.execute(
        """
        INSERT INTO recall_usage VALUES (?, ?, 1, ?, ?)
        ON CONFLICT DO UPDATE SET
          recalls = recalls + 1,
          injected_tokens = injected_tokens + excluded.injected_tokens,
          history_tokens = history_tokens + excluded.history_tokens
        """,
        (day, user_id, injected, history),
    )


def handed(connection: apsw.Connection, user_id: str | None) -> Handed:
    """All recalls, of one user or of all."""
    row = next(
        connection.execute(
            """
            SELECT
              coalesce(sum(recalls), 0), coalesce(sum(injected_tokens), 0), coalesce(sum(history_tokens), 0)
            FROM recall_usage WHERE ?1 IS NULL OR user_id = ?1
            """,
            (user_id,),
        )
    )
    return Handed(*map(int, row))
