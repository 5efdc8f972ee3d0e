"""The cohort of an embedder: shipped for the embedded one, embedded once and kept for any other."""

import asyncio
from importlib import resources
from io import BytesIO

import apsw
import numpy as np

from memory.database import Database
from memory.embed.anchors import Anchors, anchors, utterances
from memory.ports import Embedder, Matrix, Vector
from memory.scoring.background import background_prompts
from memory.scoring.cohort import Cohort, cohort
from memory.store import calibrations

_NAMES = ("prompts", "texts")
_AT_ONCE = 10  # over a network each question takes its time


async def open_cohort(database: Database, embedder: Embedder, now: int) -> Cohort:
    """The cohort that cosines are judged against. Raises TemporaryError like the embedder."""
    prompts, texts = await open_rows(database, embedder, now)
    return cohort(background_prompts(), prompts, utterances(), texts)


async def open_anchors(database: Database, embedder: Embedder, now: int) -> Anchors:
    """The anchors that similarities of turns are judged against. Raises TemporaryError like the embedder."""
    _, texts = await open_rows(database, embedder, now)
    return anchors(texts)


async def open_rows(database: Database, embedder: Embedder, now: int) -> tuple[Matrix, Matrix]:
    """(prompts as queries, texts as passages): shipped, or kept, or embedded now, which takes seconds."""
    rows = shipped(embedder.name) or await database.read(lambda c: _kept(c, embedder))
    if rows is None:
        made = await embed_rows(embedder)
        await database.write(lambda c: _keep(c, embedder.name, made, now))
        return made
    return rows


async def embed_rows(embedder: Embedder) -> tuple[Matrix, Matrix]:
    """(prompts as queries, texts as passages), in the order of the shipped lists."""
    prompts = background_prompts()
    rows: list[Vector] = []
    for start in range(0, len(prompts), _AT_ONCE):
        rows += await asyncio.gather(*map(embedder.query, prompts[start : start + _AT_ONCE]))
    return np.array(rows, np.float32), await embedder.passages(utterances())


def shipped(embedder: str) -> tuple[Matrix, Matrix] | None:
    """The rows that came with this version for this very model; None for another."""
    file = resources.files("memory.embed") / "cohorts" / f"{embedder}.npz"
    if not file.is_file():
        return None
    with np.load(BytesIO(file.read_bytes())) as arrays:
        prompts, texts = (_unit(arrays[name]) for name in _NAMES)
    return prompts, texts


def _kept(connection: apsw.Connection, embedder: Embedder) -> tuple[Matrix, Matrix] | None:
    prompts, texts = (calibrations.rows(connection, embedder, name) for name in _NAMES)
    if prompts is None or texts is None:
        return None
    if len(prompts) != len(background_prompts()) or len(texts) != len(utterances()):
        return None  # the lists have changed with an update
    return prompts, texts


def _keep(connection: apsw.Connection, embedder: str, rows: tuple[Matrix, Matrix], now: int) -> None:
    for name, matrix in zip(_NAMES, rows, strict=True):
        calibrations.keep(connection, embedder, name, matrix.tobytes(), now)


def _unit(rows: Matrix) -> Matrix:
    """Shipped rows are float16; their norms are made 1 again."""
    full = rows.astype(np.float32)
    unit: Matrix = full / np.linalg.norm(full, axis=1, keepdims=True)
    return unit
