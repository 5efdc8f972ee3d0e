"""`since` and `until`: what was said in between, and not what was said before and after it alone."""

import pytest

from memory.model import DAY_S, Scope
from memory.store.listing import Listing
from tests.shelf import Shelf

BOILER = "The boiler is serviced by Kovacs"


async def _bounded(shelf: Shelf, since: int | None, until: int | None) -> set[str]:
    """What the search finds of the facts and turns, and the list of the facts; bounds in days from now."""
    now = shelf.clock.now()
    start = None if since is None else now + since * DAY_S
    end = None if until is None else now + until * DAY_S
    found = await shelf.find("Who services the boiler?", since=start, until=end)
    listed = await shelf.curation.list(Listing(Scope(), since=start, until=end))
    assert {item.id for item in listed.items} == {one.id for one in found.results if one.id.startswith("m-")}
    return {one.memory for one in found.results}


@pytest.mark.parametrize(
    ("since", "until", "is_found"),
    [
        (-60, -40, False), (-101, -99, True), (-1, 1, True), (-100, -100, True), (-100, 0, True),
        (None, -40, True), (None, -101, False), (-60, None, True), (1, None, False), (None, None, True),
    ],
)  # fmt: skip
async def test_what_was_said_twice_is_found_in_the_times_of_both(
    shelf: Shelf, since: int | None, until: int | None, is_found: bool
) -> None:
    """A hundred days ago and now, but not in the time between."""
    first = await shelf.tell(BOILER, days_ago=100)
    assert await shelf.tell(BOILER) == first
    assert await _bounded(shelf, since, until) == ({BOILER} if is_found else set())


async def test_of_what_lost_its_turns_only_the_first_and_last_time_are_known(shelf: Shelf) -> None:
    """It may have been said between them, and was not before or after."""
    await shelf.tell(BOILER, days_ago=100)
    await shelf.tell(BOILER)
    await shelf.database.write(lambda c: c.execute("DELETE FROM resources"))
    assert await _bounded(shelf, -60, -40) == {BOILER}
    assert await _bounded(shelf, None, -101) == set()


async def test_a_group_s_bounds_are_those_of_what_was_said_there(shelf: Shelf) -> None:
    """That the fact was said again in private, and when, can't be found out by asking for a time."""
    now, public = shelf.clock.now(), Scope(public_only=True)
    source = await shelf.say(BOILER, at=now - 100 * DAY_S, private=False)
    fact_id = await shelf.learn(BOILER, source)
    assert await shelf.learn(BOILER, await shelf.say(BOILER, at=now, private=True)) == fact_id
    for since, is_found in ((now - 101 * DAY_S, True), (now - DAY_S, False)):
        listed = await shelf.curation.list(Listing(public, since=since))
        found = await shelf.find("Who services the boiler?", since=since, scope=public)
        assert [item.id for item in listed.items] == [fact_id] * is_found
        assert [one.id for one in found.results] == [fact_id] * is_found
