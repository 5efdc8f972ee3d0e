"""Recalls prepared ahead, with the real embedder: for what is expected, given up when anything changes."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from config.settings import load
from jobs.warming import Warming
from memory.embed.cohort import open_cohort
from memory.model import DAY_S, Evidence, Prediction, Resource, Scope
from memory.proactive import recording
from memory.recall.ahead import AheadRecall
from memory.recall.asked_alike import sense
from memory.recall.asking import Asker
from memory.recall.finding import Finder
from memory.recall.freshness import Freshness
from memory.recall.offsets import Fit, Offsets
from memory.recall.query import Query, Recalled
from memory.recall.recall import Recall
from memory.recall.repeats import Repeats
from memory.recall.scored import Scorer
from memory.recall.warm import Warm
from memory.vectors.generations import Generation, Generations
from tests.shelf import Shelf

QUESTION = "when is the dentist appointment of Mia?"


class CountingEmbedder:
    """The real one, counted."""

    def __init__(self, shelf: Shelf) -> None:
        self.asked: list[str] = []
        self._embedder = shelf.embedder
        self.name, self.dimension = shelf.embedder.name, shelf.embedder.dimension

    async def query(self, text: str) -> Any:
        self.asked.append(text)
        return await self._embedder.query(text)

    async def passages(self, texts: Sequence[str]) -> Any:
        return await self._embedder.passages(texts)


@dataclass
class House:
    """A shelf whose recalls are prepared ahead."""

    shelf: Shelf
    embedder: CountingEmbedder
    generations: Generations
    offsets: Offsets
    warm: Warm
    cold: Recall
    ahead: AheadRecall
    warming: Warming

    async def ask(self, text: str = QUESTION, **changes: Any) -> Recalled:
        return await self.ahead.recall(replace(Query(text, Scope(session_id="s"), 5), **changes))

    async def expect(self, turn: Resource, topic: str = "dentist Mia") -> None:
        """A prediction that rests on a turn."""
        now = self.shelf.clock.now()
        one = Prediction(
            "repeated_intent", topic, "You have asked", "asked", 0.8, (Evidence(turn.id),), None,
            now + 7 * DAY_S,
        )  # fmt: skip
        item_id = f"p-{topic}"
        user_id = turn.turn.scope.user_id
        await self.shelf.database.write(lambda c: recording.record(c, user_id, one, item_id, now))

    async def prepare(self) -> int:
        """A pass, once the queue is empty: nobody works on the turns of a shelf."""
        await self.shelf.database.write(lambda c: c.execute("UPDATE capture_queue SET state = 'done'"))
        return await self.warming.prepare(asyncio.Event())


@pytest.fixture
async def house(shelf: Shelf) -> House:
    config = load().recall
    embedder = CountingEmbedder(shelf)
    cohort = await open_cohort(shelf.database, shelf.embedder, shelf.clock.now())
    generations = Generations(Generation(embedder, shelf.index, cohort))
    warm, offsets = Warm(), Offsets(embedder.name)
    asker = Asker(shelf.database, generations, shelf.clock, lambda: True, config.candidates, warm.vector)
    scorer = Scorer(config, Finder(config.candidates), offsets)
    cold = Recall(shelf.database, asker, scorer, Repeats(generations), config, lambda *_: ())
    freshness = Freshness(generations, offsets, lambda: True)
    ahead = AheadRecall(shelf.database, cold, warm, freshness, shelf.clock)
    warming = Warming(shelf.database, ahead, warm, shelf.clock, settle_s=0)
    return House(shelf, embedder, generations, offsets, warm, cold, ahead, warming)


@pytest.fixture
async def expected(house: House) -> House:
    """Something is known, the question was asked before, and its recall is prepared."""
    await house.shelf.tell("Mia's dentist appointment is on March 3", days_ago=3)
    await house.shelf.tell("I prefer window seats", days_ago=2)
    await house.expect(await house.shelf.say(QUESTION, at=house.shelf.clock.now() - DAY_S))
    assert await house.prepare() == 2  # the turn's words, and the topic
    return house


async def test_an_expected_question_is_answered_from_what_was_prepared(expected: House) -> None:
    """Whoever asks, in whatever session and size; with no call of the embedder, and just as ever."""
    expected.embedder.asked.clear()
    bounds: list[dict[str, Any]] = [
        {}, {"limit": 1}, {"max_tokens": 120}, {"scope": Scope(session_id="other")}, {"in_prompt_since": 0},
    ]  # fmt: skip
    for changes in bounds:
        answer = await expected.ask(**changes)
        cold = await expected.cold.recall(replace(Query(QUESTION, Scope(session_id="s"), 5), **changes))
        assert answer.is_warm
        assert answer.results
        assert replace(answer, is_warm=False) == cold
    assert expected.embedder.asked == []  # the plain recall knew the vector, too
    assert expected.warm.counts.hits == len(bounds)


@pytest.mark.parametrize(
    "changes",
    [
        {"threshold": 0.5}, {"kinds": ["semantic"]}, {"categories": ["health"]}, {"as_of": 1_779_990_000},
        {"with_factors": True}, {"scope": Scope(public_only=True)}, {"scope": Scope("somebody")},
        {"text": "when is the dentist appointment of Ben?"},
        {"text": "when was the dentist appointment of Mia?"},
        {"text": "when is the dentist appointment not of Mia?"},
    ],
)  # fmt: skip
async def test_any_other_question_is_asked_as_ever(expected: House, changes: dict[str, Any]) -> None:
    """Other bounds, another user, another name, tense or negation: nothing prepared is near enough."""
    assert not (await expected.ask(**changes)).is_warm


async def test_what_changes_makes_it_cold_until_it_is_prepared_anew(expected: House) -> None:
    """A turn is in the next answer; the vector of the question is still known, and not made again."""
    await expected.shelf.tell("The dentist appointment of Mia is moved to March 9")
    expected.embedder.asked.clear()
    answer = await expected.ask()
    assert not answer.is_warm
    assert "March 9" in answer.context
    assert expected.embedder.asked == []
    assert expected.warm.counts.stale == 1
    await expected.prepare()
    assert (await expected.ask()).is_warm


async def test_a_vector_that_comes_late_to_the_index_is_not_missed(expected: House) -> None:
    """What was prepared between a turn's commit and its index knows nothing of it, and is given up."""
    said = await expected.shelf.say("Mia's tooth doctor moved her visit")
    expected.shelf.index.remove([said.key])
    await expected.prepare()
    assert (await expected.ask()).is_warm
    await expected.shelf.database.read(lambda c: expected.generations.refresh(c, [said.key]))
    assert not (await expected.ask()).is_warm


async def test_a_new_offset_makes_it_cold(expected: House) -> None:
    """Another calibration gives other scores."""
    expected.offsets.use("default", "en", Fit(2.0, 200, 100))
    assert not (await expected.ask()).is_warm


async def test_it_holds_to_the_end_of_the_users_day(expected: House) -> None:
    """Or until the clock is set back."""
    expected.shelf.clock.turn(-60)
    assert not (await expected.ask()).is_warm
    expected.shelf.clock.turn(60)
    assert (await expected.ask()).is_warm
    expected.shelf.clock.turn(DAY_S)
    assert not (await expected.ask()).is_warm


async def test_an_unchanged_store_prepares_nothing_anew(expected: House) -> None:
    """What holds is left alone, and nothing is embedded."""
    expected.embedder.asked.clear()
    assert await expected.prepare() == 0
    assert expected.embedder.asked == []


async def test_what_is_no_longer_expected_is_let_go(expected: House) -> None:
    """The words of a prediction that is over do not stay in memory."""
    expected.shelf.clock.turn(8 * DAY_S)
    assert await expected.prepare() == 0
    assert expected.warm.counts.kept == expected.warm.counts.nbytes == 0


async def test_without_an_open_prediction_nothing_is_prepared(house: House) -> None:
    """Idle costs nothing."""
    await house.shelf.say(QUESTION)
    assert await house.prepare() == 0
    assert house.embedder.asked == []


async def test_a_question_about_a_time_keeps_only_its_vector_from_being_prepared(house: House) -> None:
    """What a relative day means changes, so such a question is asked as ever."""
    await house.shelf.tell("The garden party was fun", days_ago=1)
    await house.expect(await house.shelf.say("what did I say yesterday about the garden party?"), "party")
    await house.prepare()
    assert not (await house.ask("what did I say yesterday about the garden party?")).is_warm


async def test_a_recall_goes_first(expected: House) -> None:
    """While somebody waits for an answer, nothing is prepared."""
    await expected.shelf.tell("I moved to Ghent")
    order = list[str]()

    async def ask() -> None:
        await expected.ask("where do I live?")
        order.append("asked")

    async def prepare() -> None:
        assert await expected.prepare() == 2
        order.append("prepared")

    async with asyncio.TaskGroup() as group:
        group.create_task(ask())
        group.create_task(prepare())
    assert order == ["asked", "prepared"]


async def test_it_waits_until_the_queue_is_empty(expected: House) -> None:
    """What is still worked on would change it all again."""
    await expected.shelf.tell("I moved to Ghent")
    assert await expected.warming.prepare(asyncio.Event()) == 0
    assert await expected.prepare() == 2


async def test_it_prepares_when_woken_and_ends_when_told(expected: House) -> None:
    """What rings while it is at work is not slept through."""
    await expected.shelf.tell("I moved to Ghent")
    await expected.shelf.database.write(lambda c: c.execute("UPDATE capture_queue SET state = 'done'"))
    stop = asyncio.Event()
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        group.create_task(expected.warming.run(stop))
        while not (await expected.ask()).is_warm:
            expected.warming.wake()
        stop.set()


async def test_switched_off_it_ends_at_once(house: House) -> None:
    """`proactive.enabled = false` costs nothing."""
    idle = Warming(house.shelf.database, house.ahead, house.warm, house.shelf.clock, is_enabled=False)
    async with asyncio.timeout(20):
        await idle.run(asyncio.Event())


async def test_bounds_are_kept(expected: House) -> None:
    """What is least lately used goes first; what is too much for one user is not kept at all."""
    prepared = expected.warm.find(Query(QUESTION, Scope(), 1))
    assert prepared is not None
    small = Warm(max_bytes=2 * prepared.nbytes, max_bytes_of_user=prepared.nbytes)
    for user_id in ("a", "b", "c"):
        query = replace(prepared.asked.query, scope=Scope(user_id))
        small.keep(replace(prepared, asked=replace(prepared.asked, query=query)))
    assert small.users() == {"b", "c"}
    tiny = Warm(max_bytes_of_user=prepared.nbytes - 1)
    tiny.keep(prepared)
    assert tiny.counts.kept == 0


@pytest.mark.parametrize(
    ("one", "other", "are_alike"),
    [
        ("What's the price of NVDA?", "could you tell me what's the price of NVDA?", False),
        ("What's the price of NVDA?", "hey, WHAT'S the price of ＮＶＤＡ? ", True),
        ("where does Ana live", "Could you please: where does Ana live, thanks", True),
        ("who gave Ana the book?", "who Ana gave the book?", False),
        ("flights to Paris", "flights from Paris", False),
        ("英伟达股价多少", "请问英偉達股價多少呀", True),
        ("我喜欢喝茶吗？", "我不喜欢喝茶吗？", False),
        ("call me at 5", "call me at 6", False),
    ],
)
def test_only_courtesies_and_marks_may_differ(one: str, other: str, are_alike: bool) -> None:
    """Every word that can make it another question must be there, in order."""
    assert (sense(one) == sense(other)) == are_alike
