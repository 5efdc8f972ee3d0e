"""How well the time of a memory fits the times that a question asks about."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from memory.dates.asked import Span
from memory.model import DAY_S, Kind, Layer, MemoryType, Role, Source
from memory.recall.candidate import Candidate
from memory.recall.timing import date_fit, lacks_subject

SHANGHAI = "Asia/Shanghai"


def unix(local: str, tz: str = SHANGHAI) -> int:
    """A local time as Unix seconds."""
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(tz)).timestamp())


DAY = Span(unix("2026-05-27"), unix("2026-05-28"))


def memory(at: int, text: str = "x", layer: Layer = Layer.RESOURCE, tz: str = SHANGHAI) -> Candidate:
    """What was said at a moment."""
    source = Source("t-1", None, None, at, Role.USER, tz=tz)
    return Candidate(
        1, "t-1", layer, text, Kind.SEMANTIC, MemoryType.GENERAL, 0.5, 30, at, at, None, None, False,
        Role.USER, source, (), (source,),
    )  # fmt: skip


@pytest.mark.parametrize("at", [DAY.start, DAY.start + DAY_S // 2, DAY.end - 1])
def test_what_was_said_in_the_time_fits_in_full(at: int) -> None:
    """From the first second to the last."""
    assert date_fit(memory(at), [DAY]) == 1.0


@pytest.mark.parametrize(
    ("days", "fit"), [(1, 0.8 * 14 / 15), (2, 0.8 * 13 / 15), (7, 0.8 * 8 / 15), (14, 0.8 / 15), (15, 0.0)]
)
def test_what_was_said_in_the_days_after_fits_less_each_day(days: int, fit: float) -> None:
    """What happened is told later, for a fortnight; a day counts as one from its first second to its last."""
    first = DAY.end + (days - 1) * DAY_S
    assert date_fit(memory(first), [DAY]) == pytest.approx(fit)
    assert date_fit(memory(first + DAY_S - 1), [DAY]) == pytest.approx(fit)


@pytest.mark.parametrize("before_s", [1, DAY_S, 400 * DAY_S])
def test_what_was_said_before_the_time_does_not_fit(before_s: int) -> None:
    """Nobody tells what happened before it did."""
    assert date_fit(memory(DAY.start - before_s), [DAY]) == 0.0


def test_without_a_time_in_the_question_nothing_fits() -> None:
    """There is nothing to fit."""
    assert date_fit(memory(DAY.start), []) == 0.0


def test_the_best_of_several_times_counts() -> None:
    """Either of two days that are asked about."""
    other = Span(DAY.start - 100 * DAY_S, DAY.end - 100 * DAY_S)
    assert date_fit(memory(DAY.start), [other, DAY]) == 1.0
    assert date_fit(memory(DAY.end), [DAY, other]) == pytest.approx(0.8 * 14 / 15)


def test_a_fact_fits_the_day_that_its_words_name() -> None:
    """Facts have their dates written out; when they were said does not matter then."""
    long_before = DAY.start - 90 * DAY_S
    fact = memory(long_before, "sees the dentist tomorrow at 3pm (2026-05-27 15:00)", Layer.ITEM)
    assert date_fit(fact, [DAY]) == 1.0
    assert date_fit(replace(fact, text="明天（2026-05-27）看牙医"), [DAY]) == 1.0
    assert date_fit(replace(fact, text="sees the dentist (2026-05-28)"), [DAY]) == 0.0


def test_the_words_of_a_turn_date_nothing() -> None:
    """What somebody pasted with a date in it was said when it was said."""
    turn = memory(DAY.start - 90 * DAY_S, "log of 2026-05-27: all is well")
    assert date_fit(turn, [DAY]) == 0.0


@pytest.mark.parametrize("tz", [SHANGHAI, "Pacific/Kiritimati", "Nowhere/Atlantis"])
def test_a_written_day_is_one_of_the_zone_where_it_was_said(tz: str) -> None:
    """Wherever that is; a zone that nobody knows is UTC."""
    known = "UTC" if tz == "Nowhere/Atlantis" else tz
    day = Span(unix("2026-05-27", known), unix("2026-05-28", known))
    fact = memory(day.start - 90 * DAY_S, "flies to Oslo (2026-05-27)", Layer.ITEM, tz)
    assert date_fit(fact, [day]) == 1.0
    next_day = Span(day.end, day.end + DAY_S)
    assert date_fit(fact, [next_day]) == 0.0


def test_a_written_day_is_the_same_day_for_who_asks_from_a_few_hours_away() -> None:
    """By its noon: the 27th in Shanghai is the 27th in Berlin."""
    day = Span(unix("2026-05-27", "Europe/Berlin"), unix("2026-05-28", "Europe/Berlin"))
    fact = memory(day.start - 90 * DAY_S, "flies to Oslo (2026-05-27)", Layer.ITEM, SHANGHAI)
    assert date_fit(fact, [day]) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "due 2026-02-31",
        "due 2026-13-01",
        "due 2026-00-00",
        "order 2026-05-271",
        "part 12026-05-27",
        "2026-5-27",
    ],
)
def test_a_day_that_no_calendar_has_dates_nothing(text: str) -> None:
    """It is no error, and neither is a number that looks like a date."""
    assert date_fit(memory(DAY.start - 90 * DAY_S, text, Layer.ITEM), [DAY]) == 0.0


def test_a_fact_that_was_said_several_times_fits_each_of_them() -> None:
    """The first time, the last one, and those between."""
    first, between, last = (DAY.start + 100 * DAY_S * at for at in (-2, -1, 0))
    sources = tuple(Source(f"t-{at}", None, None, at, Role.USER) for at in (first, between, last))
    fact = replace(memory(first, layer=Layer.ITEM), stated_at=last, sources=sources)
    for said_at in (first, between, last):
        assert date_fit(fact, [Span(said_at, said_at + DAY_S)]) == 1.0
    assert date_fit(fact, [Span(first + 50 * DAY_S, first + 51 * DAY_S)]) == 0.0


def test_a_fact_whose_turns_are_gone_fits_when_it_was_first_and_last_said() -> None:
    """What was forgotten or is private takes no time away from the fact."""
    fact = replace(memory(DAY.start, layer=Layer.ITEM), stated_at=DAY.start + 200 * DAY_S, sources=())
    assert date_fit(fact, [DAY]) == 1.0
    assert date_fit(fact, [Span(fact.stated_at, fact.stated_at + DAY_S)]) == 1.0


@pytest.mark.parametrize(
    "content",
    [
        "what did I say?",
        "What did we talk about?",
        "Summarize everything",
        "我说了什么？",
        "我们聊过什么",
        "发生了什么事",
        "請幫我總結我們說過的內容",
        "我寫了什麼？",
    ],
)
def test_a_question_without_a_subject_asks_for_its_time_alone(content: str) -> None:
    """What is left of "what did I say last Tuesday?" names nothing to look for."""
    assert lacks_subject(content)


@pytest.mark.parametrize(
    "content", ["What did I plant?", "我买了什么车？", "What did I say about the boiler?"]
)
def test_a_question_with_a_subject_asks_for_more_than_its_time(content: str) -> None:
    """The subject is to be found, too."""
    assert not lacks_subject(content)
