"""What a turn in a talk between people borrows from the turns around it, and from who speaks.

An answer seldom repeats the words of its question, and who speaks says "I": so a turn beside a good one is a
good one, the speaker whom a question names counts, and who only asks tells little. What is not to be shown
lends nothing.
The weights and what each is worth: docs/decisions/0004-two-layers-and-a-sum.md.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NEIGHBOUR_WEIGHT = 0.4
SPEAKER_WEIGHT = 1.5
QUESTION_PENALTY = 1.0
ANSWER_WEIGHT = 0.4
LENT_SHARE = 0.5
_NOBODY = -1.0  # the standing of a neighbour that is none: about the lowest twentieth of a store

Floats = NDArray[np.float64]

_SENTENCES = re.compile(r"[^.!?。！？\n]+[.!?。！？\n]*")


@dataclass(frozen=True, slots=True)
class Talk:
    """The turns of one query's candidates in their talks, by position.

    `before` and `after` have shape (n, 2): the positions of the nearest and the next nearest turn, -1 where
    there is none; `is_talk` is False for what stands in no talk, which has its speaker alone (a fact).
    `question_share` 0..1 is that of the words in questions, `is_named` says that the question names the
    speaker.
    """

    is_talk: NDArray[np.bool_]
    before: NDArray[np.intp]
    after: NDArray[np.intp]
    is_named: NDArray[np.bool_]
    question_share: Floats


def borrowed(standing: Floats, talk: Talk) -> Floats:
    """What each candidate gets beside its own `standing`, the standardised sum of its cosine and words.

    The better of both neighbours at each distance, the speaker, and how well the question fits that it
    answers; less if it only asks.
    """
    padded = np.append(standing, _NOBODY)  # position -1 is the last
    asked = np.append(talk.question_share, 0.0)
    near = np.maximum(padded[talk.before], padded[talk.after]).sum(axis=1)
    answered = asked[talk.before[:, 0]] * padded[talk.before[:, 0]]
    total: Floats = (
        NEIGHBOUR_WEIGHT * near
        + SPEAKER_WEIGHT * talk.is_named
        - QUESTION_PENALTY * talk.question_share
        + ANSWER_WEIGHT * answered
    )
    return np.where(talk.is_talk, total, SPEAKER_WEIGHT * talk.is_named)


def lent(logits: Floats, talk: Talk) -> Floats:
    """What each candidate's relevance gets from the better of its two nearest turns, as a logit >= 0.

    Half of the neighbour's own, where that is more likely meant than not. Chance seldom makes it so: the
    unrelated prompts that find something stay as few.
    """
    padded = np.append(logits, 0.0)  # position -1, no neighbour, is the last
    nearest = np.maximum(padded[talk.before[:, 0]], padded[talk.after[:, 0]])
    given: Floats = np.where(talk.is_talk, LENT_SHARE * np.maximum(nearest, 0.0), 0.0)
    return given


def question_share(text: str) -> float:
    """The share of a text's letters that stand in questions, 0..1."""
    sentences = _SENTENCES.findall(text)
    asked = sum(len(one) for one in sentences if "?" in one or "？" in one)
    return asked / max(1, sum(map(len, sentences)))
