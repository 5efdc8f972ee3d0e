"""Tokens as `stats` and `metrics` show them: spent, handed out, and what full history would have taken."""

from collections.abc import Sequence

import apsw

from daemon.protocol.state import SpentTokens, TokenStats
from memory.budget import MICRO
from memory.store import usage as ledger
from memory.store.usage import Spent

_SHOWN_DAYS = 31


def token_stats(connection: apsw.Connection, user_id: str | None) -> TokenStats:
    """What recalls handed out, to one user or to all; what models took only where all are looked at."""
    handed = ledger.handed(connection, user_id)
    rows = ledger.spent(connection) if user_id is None else []
    paid, local = _tokens(rows, is_local=False), _tokens(rows, is_local=True)
    taken, full = handed.injected_tokens + paid + local, handed.history_tokens
    return TokenStats(
        recalls=handed.recalls,
        injected=handed.injected_tokens,
        full_history=handed.history_tokens,
        spent=paid,
        local=local,
        cost_usd=sum(row.cost_micro for row in rows) / MICRO,
        share=round(taken / full, 4) if full and user_id is None else None,
        unpriced=tuple(sorted({row.model for row in rows if row.unpriced_tokens})),
        days=tuple(_shown(row) for row in _newest(rows)),
    )


def token_gauges(connection: apsw.Connection, user_id: str | None) -> dict[str, float]:
    """The same for Prometheus; labels in braces."""
    handed, gauges = ledger.handed(connection, user_id), dict[str, float]()
    for row in ledger.spent(connection) if user_id is None else []:
        labels = f'purpose="{_label(row.purpose)}",model="{_label(row.model)}"'
        for way, tokens in (("in", row.input_tokens), ("out", row.output_tokens)):
            name = f'tokens_total{{{labels},direction="{way}"}}'
            gauges[name] = gauges.get(name, 0.0) + tokens
        name = f"cost_usd_total{{{labels}}}"
        gauges[name] = gauges.get(name, 0.0) + row.cost_micro / MICRO
    return {
        **gauges,
        "injected_tokens_total": float(handed.injected_tokens),
        "full_history_tokens_total": float(handed.history_tokens),
    }


def _tokens(rows: Sequence[Spent], *, is_local: bool) -> int:
    return sum(row.input_tokens + row.output_tokens for row in rows if row.is_local is is_local)


def _newest(rows: Sequence[Spent]) -> list[Spent]:
    days = sorted({row.day for row in rows}, reverse=True)[:_SHOWN_DAYS]
    return [row for row in rows if row.day in days]


def _shown(row: Spent) -> SpentTokens:
    return SpentTokens(
        day=row.day,
        purpose=row.purpose,
        model=row.model,
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
        calls=row.calls,
        cost_usd=row.cost_micro / MICRO,
        unpriced_tokens=row.unpriced_tokens,
        local=row.is_local,
    )


def _label(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
