"""What users say of items: heard once, and refused with a reason where it can't be meant."""

from functools import partial

import pytest
from memud_client import Client, MemudError

from memory.database import Database
from memory.errors import InvalidError, NotFoundError
from memory.model import DAY_S, ProactiveItem, ProactiveState
from memory.proactive import ledger, recording
from memory.proactive.resolving import resolve
from tests.integration.test_ledger import NOW, predicted, recorded, say

USED, DISMISSED, SNOOZED = ProactiveState.USED, ProactiveState.DISMISSED, ProactiveState.SNOOZED


async def said(
    database: Database, outcome: ProactiveState, *, at: int = NOW + 10, until: int | None = None
) -> ProactiveItem:
    """Resolve the item of these tests."""
    return await database.write(lambda c: resolve(c, "ana", "p-1", outcome, until, at))


@pytest.fixture
async def item(database: Database) -> None:
    """One open item of Ana's."""
    await database.write(lambda c: say(c, "a", NOW))
    await recorded(database, predicted("tea", "t-a"), "p-1")


@pytest.mark.usefixtures("item")
@pytest.mark.parametrize("outcome", [USED, DISMISSED])
async def test_what_is_said_twice_counts_once(database: Database, outcome: ProactiveState) -> None:
    """An answer that was lost may be asked for again."""
    first = await said(database, outcome)
    assert first.state is outcome
    assert await said(database, outcome, at=NOW + 20) == first
    decided = await database.read(
        lambda c: c.execute("SELECT decided_at FROM proactive_items WHERE id = 'p-1'").get
    )
    assert decided == NOW + 10


@pytest.mark.usefixtures("item")
@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (USED, DISMISSED, "p-1 was used already"),
        (DISMISSED, USED, "p-1 was dismissed already"),
        (DISMISSED, SNOOZED, "p-1 was dismissed already"),
    ],
)
async def test_what_was_said_first_stands(
    database: Database, first: ProactiveState, second: ProactiveState, words: str
) -> None:
    """Another answer is refused, and says why."""
    await said(database, first)
    with pytest.raises(InvalidError, match=words):
        await said(database, second, until=NOW + 999)


@pytest.mark.usefixtures("item")
@pytest.mark.parametrize("is_noted", [True, False])
@pytest.mark.parametrize("outcome", [USED, DISMISSED, SNOOZED])
async def test_what_is_over_is_refused(database: Database, outcome: ProactiveState, is_noted: bool) -> None:
    """Whether or not the monitor has noted its end."""
    late = NOW + 400 * DAY_S
    if is_noted:
        await database.write(lambda c: recording.expire(c, late))
    with pytest.raises(InvalidError, match="p-1 is over"):
        await said(database, outcome, at=late, until=late + 60)


@pytest.mark.usefixtures("item")
@pytest.mark.parametrize("until", [None, NOW - 5, NOW + 10, 2**40])
async def test_a_snooze_ends_ahead_and_in_our_calendar(database: Database, until: int | None) -> None:
    """Nothing changes otherwise."""
    with pytest.raises(InvalidError, match="until when"):
        await said(database, SNOOZED, until=until)
    found = await database.read(lambda c: ledger.one(c, "ana", "p-1"))
    assert (found.state, found.due_at) == (ProactiveState.OPEN, None)


@pytest.mark.usefixtures("item")
async def test_a_snooze_may_be_put_off_again(database: Database) -> None:
    """The last time holds, and what is used after it is used."""
    for until in (NOW + 100, NOW + 200):
        assert (await said(database, SNOOZED, until=until)).due_at == until
    assert (await said(database, USED)).state is USED


@pytest.mark.usefixtures("item")
async def test_another_users_item_is_as_unknown_as_none(database: Database) -> None:
    """Neither is told from the other."""
    for user_id, item_id in (("ben", "p-1"), ("ana", "p-2")):
        attempt = partial(resolve, user_id=user_id, item_id=item_id, outcome=USED, until=None, now=NOW)
        with pytest.raises(NotFoundError, match=item_id):
            await database.write(attempt)


def test_over_the_socket_each_refusal_says_what_to_do(client: Client) -> None:
    """A reason for programs, a hint for a person."""
    with pytest.raises(MemudError) as caught:
        client.proactive_resolve("p-nothing", "used")
    assert (caught.value.reason, bool(caught.value.hint)) == ("not_found", True)
