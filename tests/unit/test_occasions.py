"""Days that lie ahead in facts: of which kind they are, and when they come up."""

from dataclasses import replace

import pytest

from memory.model import Item, Kind, MemoryType
from memory.proactive.mornings import morning_after
from memory.proactive.occasions.occasion import Sort, occasion
from tests.foreseen import TZ, local, unix

SAID = unix("2026-11-30 10:00")
FACT = Item(
    "m-1", "ana", None, "s", Kind.EPISODIC, MemoryType.GENERAL, "", 0.5, 60, SAID, SAID, SAID, 0, None, None,
    None, pinned=False, private=True, trust="user",
)  # fmt: skip


def fact(text: str, kind: Kind = Kind.EPISODIC) -> Item:
    return replace(FACT, memory=text, kind=kind)


@pytest.mark.parametrize(
    ("text", "sort", "due"),
    [
        ("My passport expires on 3 March 2027", Sort.DOCUMENT, "2027-01-20 09:00"),
        ("My visa expires on 20 December", Sort.DOCUMENT, "2026-12-01 09:00"),
        ("Our lease ends on January 31st (2027-01-31)", Sort.CONTRACT, "2027-01-03 09:00"),
        ("The trial ends on Dec 12 (2026-12-12)", Sort.SUBSCRIPTION, "2026-12-05 09:00"),
        ("I fly to Lisbon on Friday at 7am (2026-12-04 07:00)", Sort.EVENT, "2026-12-03 09:00"),
        ("My interview is tomorrow at 3pm (2026-12-01 15:00)", Sort.EVENT, "2026-12-01 13:00"),
        ("I have an exam tomorrow (2026-12-01)", Sort.EVENT, "2026-12-01 09:00"),
        ("我的护照2027年3月3日到期", Sort.DOCUMENT, "2027-01-20 09:00"),
        ("房子的合同1月31号（2027-01-31）到期", Sort.CONTRACT, "2027-01-03 09:00"),
        ("视频会员12月12号到期", Sort.SUBSCRIPTION, "2026-12-05 09:00"),
        ("我下周二（2026-12-08）飞东京", Sort.EVENT, "2026-12-07 09:00"),
    ],
)
def test_each_kind_of_day_comes_up_in_time_to_act(text: str, sort: Sort, due: str) -> None:
    """A passport six weeks before, a contract four, a trial one; a journey the day before."""
    found = occasion(fact(text), SAID, TZ)
    assert found is not None
    moment = found.due_at(SAID)
    assert (found.sort, local(moment)) == (sort, due)
    assert moment is not None
    assert SAID < moment < found.ends_at


@pytest.mark.parametrize("text", ["My daughter's birthday is on May 4", "我女儿生日是5月4号"])
def test_a_birthday_comes_up_three_days_before_and_every_year(text: str) -> None:
    """It is no fact of one day, and has its day all the same."""
    found = occasion(fact(text, Kind.SEMANTIC), SAID, TZ)
    assert found is not None
    assert (found.comes_again, local(found.due_at(SAID))) == (True, "2027-05-01 09:00")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("My old passport expired on 2024-12-20", Kind.EPISODIC),
        ("I love jazz", Kind.SEMANTIC),
        ("I work in Ghent since 2027-03-01", Kind.SEMANTIC),
        ("I start my new job in March 2027", Kind.EPISODIC),
        ("we move in 2028", Kind.EPISODIC),
        ("the contract ends on 31 December 9999", Kind.EPISODIC),
    ],
)
def test_what_has_no_day_ahead_comes_up_never(text: str, kind: Kind) -> None:
    """The past, what holds, whole months and years, and what no calendar has."""
    assert occasion(fact(text, kind), SAID, TZ) is None


def test_what_is_told_shortly_before_it_is_not_told_back() -> None:
    """Nobody has forgotten it within half a day."""
    found = occasion(fact("My interview is today at 6pm (2026-11-30 18:00)"), SAID, TZ)
    assert found is not None
    assert found.due_at(SAID) is None


@pytest.mark.parametrize(
    ("said", "morning"),
    [
        ("2026-11-30 10:00", "2026-12-01 09:00"),
        ("2026-11-30 23:59", "2026-12-01 09:00"),
        ("2026-12-01 00:30", "2026-12-01 09:00"),
        ("2026-12-01 03:00", "2026-12-02 09:00"),
        ("2027-03-27 20:00", "2027-03-28 09:00"),  # the clocks go forward in that night
        ("2026-10-24 20:00", "2026-10-25 09:00"),  # and back
    ],
)
def test_the_morning_after_lies_a_night_away(said: str, morning: str) -> None:
    """At nine by the writer's clock, also when it is put forward or back."""
    assert local(morning_after(unix(said), TZ)) == morning
