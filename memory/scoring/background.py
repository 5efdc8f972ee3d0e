"""What an embedder and everyday prompts give by chance, shipped as data beside this file."""

import functools
import importlib.resources
import io
import math
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from memory.ports import Vector
from memory.terms import cjk_runs, content_terms, is_lone_character

REFERENCE_SIZE = 300  # stored texts, for which the shipped offsets hold
_SEEN_DISCOUNT = 0.5  # a word seen once in a small sample is rarer than the sample says
_EULER_GAMMA = 0.5772156649015329
_SERVED_LOGIT = math.log(3.0)  # the logit of .75, the threshold that an offset is fitted for


@dataclass(frozen=True, slots=True)
class Spread:
    """How the cosines of prompts and stored texts of one language lie."""

    mean: float
    std: float


@dataclass(frozen=True, slots=True)
class Background:
    """What an embedder gives by chance: its spread by the stored text's language, and the offset `c`.

    The offset holds for a store of `store_size` texts; each e-fold more adds `growth`, because the best
    of many chance scores is higher than the best of few. `centre` is the mean vector of everyday prompts.
    """

    en: Spread
    zh: Spread
    offset: float
    growth: float
    store_size: int = REFERENCE_SIZE
    centre: Vector | None = field(default=None, compare=False, repr=False)

    def for_query(self, query: Vector, store_size: int) -> "Background":
        """The background of one prompt against a store of this size.

        Some prompts are near to everything: what a prompt is nearer to everyday prompts than these are to
        their own centre is added to the means. Without a centre only the size counts.
        """
        level = 0.0 if self.centre is None else float((query - self.centre) @ self.centre)
        return replace(
            self,
            en=Spread(self.en.mean + level, self.en.std),
            zh=Spread(self.zh.mean + level, self.zh.std),
            offset=self.offset_for(store_size),
            store_size=max(store_size, 1),
        )

    def offset_for(self, store_size: int) -> float:
        """The offset for a store of this size; an empty store counts as one text."""
        return self.offset + self.growth * math.log(max(store_size, 1) / self.store_size)


LEXICAL_BACKGROUND = Background(Spread(0.0, math.inf), Spread(0.0, math.inf), offset=1.30, growth=0.22)
"""For texts without a cosine, and for an embedder that nothing is known about: words decide alone."""


def shipped_background(embedder: str) -> Background:
    """The background of an embedder, LEXICAL_BACKGROUND for an unknown one.

    An entry serves every embedder whose name contains its key.
    """
    fitting = (entry for key, entry in _shipped_table().items() if key in embedder)
    return next(fitting, LEXICAL_BACKGROUND)


def fit_offset(top_scores: Sequence[float], allowed_share: float = 0.03) -> float:
    """The offset that lets `allowed_share` of unrelated prompts reach .75.

    `top_scores` holds the best raw score of the store for each background prompt, two at least. A Gumbel
    distribution is fitted to them by moments, which is steadier than their own quantile.
    """
    count = len(top_scores)
    mean = math.fsum(top_scores) / count
    variance = math.fsum((score - mean) ** 2 for score in top_scores) / (count - 1)
    scale = math.sqrt(6.0 * variance) / math.pi
    quantile = mean - scale * (_EULER_GAMMA + math.log(-math.log1p(-allowed_share)))
    return quantile - _SERVED_LOGIT


@functools.cache
def background_prompts() -> tuple[str, ...]:
    """Everyday prompts in English and Chinese that have nothing to do with anybody's memory."""
    lines = _data("background_prompts.txt").decode().splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


@functools.cache
def prompt_shares() -> Mapping[str, float]:
    """In which share of the background prompts of its language a term stands; unused terms are missing."""
    chinese = [prompt for prompt in background_prompts() if cjk_runs(prompt)]
    english = [prompt for prompt in background_prompts() if not cjk_runs(prompt)]
    return MappingProxyType(_shares(english) | _shares(chinese))


def _shares(prompts: Sequence[str]) -> dict[str, float]:
    counts = Counter(term for prompt in prompts for term in _prompt_terms(prompt))
    return {term: (count - _SEEN_DISCOUNT) / len(prompts) for term, count in counts.items()}


def _prompt_terms(prompt: str) -> set[str]:
    """Its content terms, and each CJK character alone, as a query may ask for a lone one."""
    return {*content_terms(prompt), *(character for character in prompt if is_lone_character(character))}


@functools.cache
def _shipped_table() -> Mapping[str, Background]:
    table = tomllib.loads(_data("background.toml").decode())
    return MappingProxyType({name: _background(entry) for name, entry in table.items()})


def _background(entry: Mapping[str, Any]) -> Background:
    return Background(
        en=Spread(**entry["en"]),
        zh=Spread(**entry["zh"]),
        offset=entry["offset"],
        growth=entry["growth"],
        centre=np.load(io.BytesIO(_data(entry["centre"]))) if "centre" in entry else None,
    )


def _data(name: str) -> bytes:
    return importlib.resources.files("memory.scoring").joinpath(name).read_bytes()
