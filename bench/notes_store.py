"""A store of made-up notes, each as a turn and as the fact drawn from it, written without a daemon."""

import secrets
from pathlib import Path

import apsw

from bench.peers.work import Stub, note
from bench.seeding import note_that_all_was_seen
from config.settings import load
from memory.database.connection import open_writer
from memory.ids import NewId, id_maker
from memory.model import DAY_S, Fact, Kind, MemoryType, Modality, Origin, Role, Scope, Turn
from memory.store import items, resources
from memory.turns import content_hash
from migrations import runner

_BATCH = 2_000
_DAYS = 365
_EMBEDDER = "stub"


def write_notes(state: Path, texts: int, users: int, dimension: int, now: int) -> None:
    """Half as many notes as there are to be texts, spread over a year and over the users."""
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    connection = open_writer(state / "memud.db", load().store.wal_checkpoint_pages)
    runner.apply(connection)
    connection.pragma("synchronous", "OFF")  # a store that breaks in the making is made again
    stub, new_id, notes = Stub(dimension), id_maker(secrets.token_bytes), texts // 2
    for start in range(0, notes, _BATCH):
        with connection:
            for number in range(start, min(start + _BATCH, notes)):
                at = now - _DAYS * DAY_S * (notes - number) // notes
                _put(connection, stub, number, f"u{number % users}", at, new_id)
    with connection:
        note_that_all_was_seen(connection)
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()


def _put(connection: apsw.Connection, stub: Stub, number: int, user: str, at: int, new_id: NewId) -> None:
    text, vector = note(number), stub.passage(note(number))
    turn = Turn(
        f"note-{number}", Scope(user, None, f"s{number % 50}"), Role.USER, None, text, text, Modality.CHAT,
        at, "UTC", Origin.USER, True, content_hash(text),
    )  # fmt: skip
    resource = resources.insert(connection, turn, new_id("t"), at)
    fact = Fact(text, Kind.SEMANTIC, MemoryType.GENERAL, 0.5, 60, (0, len(text)))
    stored = items.insert(connection, fact, resource, new_id("m"))
    resources.set_embedding(connection, resource.key, vector, _EMBEDDER)
    items.set_embedding(connection, stored.key, vector, _EMBEDDER)
