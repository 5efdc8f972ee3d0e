"""OpenAI's embeddings, and those of servers that speak alike. What is embedded leaves the machine."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

import msgspec
import numpy as np

from memory.embed.windows import clean
from memory.llm import faults
from memory.llm.breaker import Breaker
from memory.llm.retry import Sleep, once_more
from memory.llm.sending import Access, open_client, read, send
from memory.ports import Clock, Matrix, Vector

# A token has a byte at least, so bytes keep the limits of 8,192 and 300,000 tokens; 2,048 texts are allowed.
MAX_TEXT_BYTES: Final = 8_000
MAX_CALL_BYTES: Final = 200_000
MAX_CALL_TEXTS: Final = 256
_QUERY_TIMEOUT_S = 5.0  # a reply waits for it
_NO_WORDS = "."  # an empty text is refused


class _Row(msgspec.Struct):
    index: int
    embedding: list[float]


class _Rows(msgspec.Struct):
    data: list[_Row]


class OpenAIEmbedder:
    """An Embedder: many texts in a call, of each what 8,000 bytes hold; behind its own breaker.

    Questions and passages are embedded alike, and nothing waits for its turn here. Beside what an Embedder
    raises, AnswerError for texts that the provider rejects. The SDK is loaded by the first call.
    """

    def __init__(
        self, model: str, dimension: int, access: Access, clock: Clock, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._model = model
        self._dimension = dimension
        self._access = access
        self._clock = clock
        self._sleep = sleep
        self._client: Any = None
        self.breaker = Breaker(clock)

    @property
    def name(self) -> str:
        """The model's."""
        return self._model

    @property
    def dimension(self) -> int:
        """As set; a server that answers otherwise is not understood."""
        return self._dimension

    async def query(self, text: str) -> Vector:
        """The vector of a question; given up early, as a reply waits for it."""
        timeout_s = min(_QUERY_TIMEOUT_S, self._access.timeout_s)
        vector: Vector = (await self._embed([_sendable(text)], timeout_s))[0]
        return vector

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order."""
        batches = _batches([_sendable(text) for text in texts])
        rows = [await self._embed(batch, self._access.timeout_s) for batch in batches]
        return np.concatenate(rows) if rows else np.zeros((0, self._dimension), np.float32)

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        if self._client is not None:
            await self._client.close()

    async def _embed(self, texts: Sequence[str], timeout_s: float) -> Matrix:
        return await once_more(self._sleep)(self.breaker.run, lambda: self._call(texts, timeout_s))

    async def _call(self, texts: Sequence[str], timeout_s: float) -> Matrix:
        sdk = await asyncio.to_thread(import_module, "openai")
        create = self._connect(sdk).embeddings.with_raw_response.create
        call = create(model=self._model, input=texts, encoding_format="float")
        access, who = replace(self._access, timeout_s=timeout_s), self._access.host
        rows = read(await send(call, sdk.APIError, who, access, self._clock), _Rows, who)
        return self._matrix(rows, len(texts))

    def _connect(self, sdk: Any) -> Any:
        if self._client is None:
            self._client = open_client(sdk.AsyncOpenAI, sdk.Timeout, self._access)
        return self._client

    def _matrix(self, rows: _Rows, count: int) -> Matrix:
        """The rows in order, each of L2 norm 1. Raises OutageError or KeyRefusedError for others."""
        data = sorted(rows.data, key=lambda row: row.index)
        if [row.index for row in data] != list(range(count)):
            raise faults.unreadable(self._access.host)
        lengths = {len(row.embedding) for row in data}
        if lengths != {self._dimension}:
            raise faults.other_dimension(self._access.host, max(lengths), self._dimension)
        matrix = np.array([row.embedding for row in data], np.float32)
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not (np.isfinite(norms).all() and (norms > 0).all()):
            raise faults.unreadable(self._access.host)
        unit: Matrix = matrix / norms
        return unit


def _sendable(text: str) -> str:
    cleaned = clean(text, MAX_TEXT_BYTES)
    return cleaned if cleaned.strip() else _NO_WORDS


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if batch and (len(batch) == MAX_CALL_TEXTS or size + length > MAX_CALL_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch
