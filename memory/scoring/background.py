"""What everyday prompts give by chance: the prompts themselves, shipped beside this file, and the offset."""

import functools
import importlib.resources
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from types import MappingProxyType

from memory.terms import cjk_runs, content_terms, is_lone_character

REFERENCE_SIZE = 300  # stored texts, for which the shipped offsets hold
_SEEN_DISCOUNT = 0.5  # a word seen once in a small sample is rarer than the sample says
_EULER_GAMMA = 0.5772156649015329
_SERVED_LOGIT = math.log(3.0)  # the logit of .75, the threshold that an offset is fitted for


@dataclass(frozen=True, slots=True)
class Offset:
    """`c` of the relevance: what the best chance score of a store reaches, less the logit of .75.

    It holds for a store of `store_size` texts; each e-fold more adds `growth`, because the best of many
    chance scores is higher than the best of few.
    """

    value: float
    growth: float
    store_size: int = REFERENCE_SIZE

    def at(self, store_size: int) -> float:
        """The offset for a store of this size; an empty store counts as one text."""
        return self.value + self.growth * math.log(max(store_size, 1) / self.store_size)


OFFSET = Offset(2.80, 0.40)
"""With vectors and words; cosines are judged by the embedder's own cohort, so it serves every embedder."""

CROSS_OFFSET = Offset(1.50, 0.20)
"""By vectors alone, for a question in another language than the text."""

LEXICAL_OFFSET = Offset(1.30, 0.22)
"""By words alone, where a text or a question has no vector."""


def fit_offset(top_scores: Sequence[float], allowed_share: float = 0.03) -> float:
    """The offset that lets `allowed_share` of unrelated prompts reach .75.

    `top_scores` holds the best raw score of the store for each background prompt, two at least. A Gumbel
    distribution is fitted to them by moments, which is steadier than their own quantile.
    """
    mean, deviation = _moments(top_scores)
    scale = math.sqrt(6.0) / math.pi * deviation
    quantile = mean - scale * (_EULER_GAMMA + math.log(-math.log1p(-allowed_share)))
    return quantile - _SERVED_LOGIT


def fit_lexical_offset(top_scores: Sequence[float], allowed_share: float = 0.03) -> float:
    """`fit_offset` for words alone: a match is bounded, so the scores are fitted by a normal distribution."""
    mean, deviation = _moments(top_scores)
    return mean + deviation * NormalDist().inv_cdf(1.0 - allowed_share) - _SERVED_LOGIT


def _moments(scores: Sequence[float]) -> tuple[float, float]:
    """(mean, standard deviation) of what the scores are a sample of."""
    mean = math.fsum(scores) / len(scores)
    variance = math.fsum((score - mean) ** 2 for score in scores) / (len(scores) - 1)
    return mean, math.sqrt(variance)


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


def _data(name: str) -> bytes:
    return importlib.resources.files("memory.scoring").joinpath(name).read_bytes()
