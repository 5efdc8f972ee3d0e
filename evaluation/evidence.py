"""Figures of sets whose questions name the turns that answer them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evaluation.asking import Answer, Memud, Searcher
from evaluation.conditions import Progress, Step
from evaluation.measures import Figure, figure, share_found
from evaluation.store import Question, Store


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its answer."""

    question: Question
    answer: Answer


def search_all(searcher: Searcher, stores: Sequence[Store], limit: int, progress: Progress) -> list[Asked]:
    """Every question of every store."""
    return _all(stores, progress, "search", lambda store, text: searcher.search(store, text, limit))


def recall_all(memud: Memud, stores: Sequence[Store], progress: Progress) -> list[Asked]:
    """Every question as a prompt, at the shipped gate."""
    return _all(stores, progress, "recall", lambda store, text: memud.recall(store, text))


def evidence_recall(asked: Sequence[Asked], at_most: int | None, *, capped: bool = False) -> Figure | None:
    """The mean share of a question's evidence among the first so many results.

    `capped`: where there is more evidence than room, a full list counts as all of it.
    """
    room = at_most if capped else None
    return figure(
        share_found(one.question.evidence, one.answer.found(at_most), room)
        for one in asked
        if one.question.evidence
    )


def any_evidence(asked: Sequence[Asked], at_most: int) -> Figure | None:
    """The share of questions with at least one right turn among the first so many results."""
    return figure(
        float(any(piece & one.answer.found(at_most) for piece in one.question.evidence))
        for one in asked
        if one.question.evidence
    )


def gate_figures(asked: Sequence[Asked]) -> dict[str, Figure | None]:
    """What comes before a prompt: the evidence in it, how often, how many items, how many tokens."""
    return {
        "gate.recall": evidence_recall(asked, None),
        "gate.any": figure(float(bool(one.answer.keys)) for one in asked),
        "gate.items": figure(len(one.answer.keys) for one in asked),
        "gate.tokens": figure(one.answer.tokens for one in asked),
    }


def by_kind(asked: Sequence[Asked], at_most: int, *, capped: bool = False) -> dict[str, Figure | None]:
    """The evidence recall of each kind of question, as R@K.KIND."""
    kinds = sorted({one.question.kind for one in asked})
    of_kind = {kind: [one for one in asked if one.question.kind == kind] for kind in kinds}
    return {
        f"R@{at_most}.{kind}": evidence_recall(group, at_most, capped=capped)
        for kind, group in of_kind.items()
    }


def _all(
    stores: Sequence[Store], progress: Progress, step: Step, ask: Callable[[Store, str], Answer]
) -> list[Asked]:
    total = sum(len(store.questions) for store in stores)
    asked: list[Asked] = []
    for store, question in _questions(stores):
        asked.append(Asked(question, ask(store, question.text)))
        progress(step, len(asked), total)
    return asked


def _questions(stores: Sequence[Store]) -> Iterator[tuple[Store, Question]]:
    for store in stores:
        for question in store.questions:
            yield store, question
