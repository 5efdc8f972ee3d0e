"""A store as large as one likes, written through its schema: turns with vectors, a ledger, logs, a queue.

The turns go back in time, one every few seconds. They have no full text, so only what never reads that can be
measured on it.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import numpy as np

from bench.seeding import EMBEDDER, bent_vectors, questions
from config.settings import load
from memory.database.connection import open_writer
from memory.model import DAY_S
from memory.ports import Matrix
from memory.store import cursors
from memory.store.sequence import next_key
from migrations import runner

YEAR_S = 365 * DAY_S
LEDGER, OPEN, RECURRING, HELD = 20_000, 400, 60, 100
RECALLS, UNDECIDED, DONE = 20_000, 300, 50_000
_BATCH = 5_000
_TEXTS = 2_000

_TURN = """
  INSERT INTO resources (
    key, id, event_key, user_id, session_id, role, content, embedding, embedder, timestamp, tz, origin,
    content_hash, arrived_at
  ) VALUES (?1, ?2, ?2, ?3, 's', 'user', ?4, ?5, ?6, ?7, 'Europe/Berlin', 'user', ?2, ?7)
"""
_ITEM = """
  INSERT INTO proactive_items (
    id, user_id, session_id, detector, topic, text, why, probability, created_at, updated_at, due_at,
    expires_at, announced, state, recurs
  ) VALUES (?1, ?2, 's', ?3, ?4, 'text', 'why', ?5, ?6, ?6, ?7, ?8, ?9, ?10, ?11)
"""
_RECALL = """
  INSERT INTO recall_log (user_id, session_id, query, ids, scores, threshold, outcome, created_at)
  VALUES (?, 's', 'what was it?', ?, '[0.9]', 0.75, ?, ?)
"""


def write_store(path: Path, size: int, users: int, now: int) -> None:
    """Write the database file; every job has looked at all of it."""
    connection = open_writer(path, load().store.wal_checkpoint_pages)
    runner.apply(connection)
    connection.pragma("synchronous", "OFF")  # a store that breaks in the making is made again
    random = np.random.default_rng(7)
    texts = [json.dumps(text) for text in questions(_TEXTS)]
    for start in range(1, size + 1, _BATCH):
        count = min(_BATCH, size + 1 - start)
        with connection:
            connection.executemany(_TURN, _turns(start, bent_vectors(count, random), size, users, now, texts))
    with connection:
        connection.execute("UPDATE sequence SET value = ?", (size,))
        _write_ledger(connection, size, users, now)
        _write_log(connection, users, now)
        _write_queue(connection, size, users, now)
        _note_that_all_was_seen(connection, next_key(connection), size // users, users, now)
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()


def _turns(
    start: int, vectors: Matrix, size: int, users: int, now: int, texts: Sequence[str]
) -> Iterator[tuple[object, ...]]:
    for key, vector in enumerate(vectors, start):
        at = now - YEAR_S + YEAR_S * key // size - 3600
        blob = vector.tobytes()
        yield key, f"t-{key}", f"u{key % users}", texts[key % _TEXTS], blob, EMBEDDER, at


def _write_ledger(connection: apsw.Connection, size: int, users: int, now: int) -> None:
    """What is over, what is to come, what comes again, and what may not be said now."""
    rows = [_closed(n, users, now) for n in range(LEDGER)]
    rows += [_to_come(n, users, now) for n in range(OPEN)]
    rows += [_again(n, users, now) for n in range(RECURRING)]
    rows += [_held(n, users, now) for n in range(HELD)]
    connection.executemany(_ITEM, rows)
    connection.executemany(
        "INSERT INTO proactive_evidence VALUES (?, ?, NULL, 0)",
        [(row[0], f"t-{1 + 7 * n % size}") for n, row in enumerate(rows)],
    )


def _closed(n: int, users: int, now: int) -> tuple[object, ...]:
    at, state = now - YEAR_S + YEAR_S * n // LEDGER, ("used", "expired", "dismissed", "miss")[n % 4]
    detector = ("commitment", "repeated_intent")[n % 2]
    return f"p-c{n}", f"u{n % users}", detector, f"topic {n}", 0.8, at, at, at + 60, at, state, 0


def _to_come(n: int, users: int, now: int) -> tuple[object, ...]:
    due, at = now + DAY_S + 600 * n, now - DAY_S
    return f"p-o{n}", f"u{n % users}", "commitment", f"errand {n}", 0.99, at, due, due + DAY_S, 0, "open", 0


def _again(n: int, users: int, now: int) -> tuple[object, ...]:
    due, at, topic = now + DAY_S + n, now - DAY_S, f"pill {n} @ every day 09:00"
    return f"p-r{n}", f"u{n % users}", "commitment", topic, 0.99, at, due, due + DAY_S, 0, "open", 1


def _held(n: int, users: int, now: int) -> tuple[object, ...]:
    at = now - 3600
    return f"p-h{n}", f"u{n % users}", "llm_intent", f"guess {n}", 0.1, at, None, at + YEAR_S, 0, "open", 0


def _write_log(connection: apsw.Connection, users: int, now: int) -> None:
    """Recalls whose outcome is known, and those of today that nobody answered."""
    known = [(f"u{n % users}", '["t-1"]', '["used"]', now - YEAR_S + n) for n in range(RECALLS)]
    waiting = [(f"u{n % users}", '["t-1"]', None, now - 3600) for n in range(UNDECIDED)]
    connection.executemany(_RECALL, [*known, *waiting])


def _write_queue(connection: apsw.Connection, size: int, users: int, now: int) -> None:
    """Entries that are done, and stay until the weekly cleanup."""
    keys = range(max(1, size - DONE), size + 1)
    connection.executemany(
        """
        INSERT INTO capture_queue (
          resource_key, id, user_id, session_id, bytes, state, due_at, created_at, updated_at
        ) VALUES (?1, 'q-' || ?1, ?2, 's', 100, 'done', ?3, ?3, ?3)
        """,
        ((key, f"u{key % users}", now - DAY_S) for key in keys),
    )


def _note_that_all_was_seen(connection: apsw.Connection, last: int, texts: int, users: int, now: int) -> None:
    """The cursors stand at the end, and the relevance is fitted to each user's store."""
    cursors.advance(connection, "monitor", last)
    cursors.advance(connection, "outcomes", RECALLS)
    fit = json.dumps([2.0, texts, 0]).encode()
    connection.executemany(
        "INSERT INTO calibration VALUES (?, ?, ?, ?)",
        [(EMBEDDER, f"offset/{spoken}/u{n}", fit, now) for n in range(users) for spoken in ("en", "zh")],
    )
