"""What every extractor promises, proven for the fake and for the rules alike."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from memory.extract.kept import KeptAnswers
from memory.extract.llm import LlmExtractor
from memory.extract.rules import RulesExtractor
from memory.model import Fact, Resource
from memory.ports import Batching, Extractor, Proposal
from memory.store.extractions import StoredAnswer
from memory.testing import FakeExtractor, FakeLanguageModel, told_facts
from tests.batches import turn

ODD_TEXTS = [
    "",
    " \n\t ",
    "\x00\x01\x02",
    "\ud800 lone",
    "I prefer " * 20_000,
    "我喜欢" * 20_000,
    "(" * 5_000 + ")" * 5_000,
    "a" * 100_000,
    "，" * 50_000,
    "I prefer tea at 99:99 on February 30 9999-99-99",
    "我2月30号25点喜欢喝茶",
    "🎉" * 1_000,
    "`" * 9_999,
    '"I' * 9_999,
]


def facts_of(extractor: Extractor, said: Resource) -> Sequence[Fact]:
    return [proposal.fact for proposal in asyncio.run(extractor.extract([said], ()))]


class NoneKept(KeptAnswers):
    """Keeps no answer: what a store does with them is told elsewhere."""

    def __init__(self) -> None:
        return

    async def about(self, turns: Sequence[Resource]) -> StoredAnswer | None:
        """Nothing."""
        return None

    async def keep(
        self, turns: Sequence[Resource], raw: str, known: tuple[str, ...], model: str
    ) -> StoredAnswer:
        """Not for long."""
        return StoredAnswer("x", raw, known)


def llm_extractor() -> Extractor:
    """With a model that takes each turn, whole, for one fact."""
    return LlmExtractor(FakeLanguageModel(told_facts), NoneKept(), Batching())


@pytest.fixture(params=[FakeExtractor, RulesExtractor, llm_extractor])
def extractor(request: pytest.FixtureRequest) -> Extractor:
    build: Callable[[], Extractor] = request.param
    return build()


def test_an_extractor_has_a_name_for_health(extractor: Extractor) -> None:
    """A word, no sentence."""
    assert extractor.name
    assert " " not in extractor.name


@pytest.mark.parametrize(
    "text",
    [
        "I prefer tea over coffee. My name is Ingrid. I live in Porto, near the river.",
        "我对花生过敏，下周三去上海出差。我叫王建国。",
        *ODD_TEXTS,
    ],
)
def test_facts_are_few_well_formed_and_traceable_to_the_turn(extractor: Extractor, text: str) -> None:
    """At most five, weighed between 0 and 1, each with a span inside the text; odd text is no error."""
    facts = facts_of(extractor, turn(text))
    assert len(facts) <= 5
    for fact in facts:
        assert 0.0 <= fact.importance <= 1.0
        assert fact.half_life_days is None or fact.half_life_days > 0
        assert fact.span is not None
        start, end = fact.span
        assert 0 <= start <= end <= len(text)


def test_the_same_turn_gives_the_same_facts(extractor: Extractor) -> None:
    """A redelivered turn can't bring something else."""
    said = turn("I prefer tea over coffee, and I live in Porto")
    assert facts_of(extractor, said) == facts_of(extractor, said)


def test_many_turns_are_extracted_at_once(extractor: Extractor) -> None:
    """Tasks do not disturb each other."""

    async def all_at_once() -> list[Sequence[Proposal]]:
        turns = [turn(f"I prefer tea number {n}, my name is Ida") for n in range(20)]
        return await asyncio.gather(*(extractor.extract([one], ()) for one in turns))

    found = asyncio.run(all_at_once())
    assert all(f"number {n}" in proposals[0].fact.text for n, proposals in enumerate(found))
