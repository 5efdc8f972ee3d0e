"""What an embedder gives by chance: everyday prompts and everyday texts, against which a cosine is judged.

Symmetric score normalisation, as speaker verification has it (Shum, Dehak, Dehak & Glass, Odyssey 2010):
a cosine counts in deviations from what each side has with a cohort of the other side's kind and language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.ports import Matrix, Vector
from memory.terms import Language, language

Floats = NDArray[np.float64]
_LEAST_STD = 1e-3  # a cohort of equal vectors says nothing, and divides by nothing


@dataclass(frozen=True, slots=True)
class Cohort:
    """Vectors of one embedder by language: `prompts` as queries, `texts` as passages; rows of L2 norm 1.

    Some prompts and some texts are near to everything, and two languages are never as near as one. Judged
    against the cohorts of both sides, one threshold serves all, also a Chinese question on English texts.
    """

    prompts: Mapping[Language, Matrix]
    texts: Mapping[Language, Matrix]

    def chance(self, prompt: Vector, spoken: Language) -> tuple[float, float]:
        """(mean, standard deviation) of a prompt's cosines with everyday texts of its language."""
        cosines = self.texts[spoken] @ prompt
        return float(cosines.mean(dtype=np.float64)), float(cosines.std(dtype=np.float64))

    def standardised(
        self, prompt: Vector, spoken: Language, stored: Matrix, written: Sequence[Language]
    ) -> Floats:
        """The cosines of a prompt with stored texts, in deviations from chance; shape (len(stored),)."""
        cosines = (stored @ prompt).astype(np.float64)
        by_text = _deviations(cosines, stored @ self.prompts[spoken].T)
        by_prompt = np.empty_like(by_text)
        for tongue, texts in self.texts.items():
            rows = [row for row, own in enumerate(written) if own == tongue]
            chance = (texts @ prompt)[None, :]
            by_prompt[rows] = _deviations(cosines[rows], chance)
        return (by_text + by_prompt) / 2


def cohort(prompts: Sequence[str], prompt_rows: Matrix, texts: Sequence[str], text_rows: Matrix) -> Cohort:
    """A cohort from texts and their vectors, in order."""
    return Cohort(_by_language(prompts, prompt_rows), _by_language(texts, text_rows))


def _by_language(texts: Sequence[str], rows: Matrix) -> dict[Language, Matrix]:
    spoken = np.array([language(text) for text in texts])
    tongues: tuple[Language, Language] = ("en", "zh")
    return {tongue: rows[spoken == tongue] for tongue in tongues}


def _deviations(cosines: Floats, chance: Matrix) -> Floats:
    """How far each cosine lies above its row of chance cosines (one row may serve all)."""
    mean = chance.mean(axis=1, dtype=np.float64)
    std = np.maximum(chance.std(axis=1, dtype=np.float64), _LEAST_STD)
    deviations: Floats = (cosines - mean) / std
    return deviations
