"""What words are learnt from with: the parts that turn a text into vectors and settled facts."""

from dataclasses import dataclass

from memory.knowledge.settle import Settler
from memory.ports import Embedder, Extractor
from memory.vectors.generations import Generations


@dataclass(frozen=True, slots=True)
class Learning:
    """`embedder` is None where only full text is to be had; else that of the current generation."""

    embedder: Embedder | None
    extractor: Extractor
    settler: Settler
    generations: Generations
