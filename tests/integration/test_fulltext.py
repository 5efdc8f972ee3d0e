"""What full text knows of words: whose they are, how often they stand, and how well they match."""

from collections.abc import Sequence

import apsw
import pytest

from memory import fulltext
from memory.fulltext import Matches
from memory.model import Scope
from memory.store import counting
from tests.shelf import Shelf
from tests.world import World

NOTES = [
    "The heron stood in the pond",
    "A heron is a bird, and the pond is its larder",
    "我喜欢喝茶",
    "茶叶在柜子里",
    "coffee, no tea",
]


async def write(world: World, texts: Sequence[str], user_id: str = "ann", first: int = 1) -> None:
    """Index texts of a user, numbered on from `first`."""
    for key, text in enumerate(texts, first):
        await world.database.write(lambda c, k=key, t=text: fulltext.put(c, k, user_id, t, private=True))  # type: ignore[misc]


async def frequencies(world: World, *terms: str, user_id: str = "ann") -> dict[str, int]:
    """In how many texts of a user each term stands."""
    return await world.database.read(lambda c: fulltext.frequencies(c, user_id, terms))


async def ranked(world: World, *terms: str, limit: int = 9, public_only: bool = False) -> Matches:
    """The best texts of Ann."""
    return await world.database.read(
        lambda c: fulltext.ranked(c, "ann", terms, limit, public_only=public_only)
    )


async def test_a_term_counts_once_for_each_text_that_holds_it(world: World) -> None:
    """However often it stands there; an unknown one counts 0."""
    await write(world, [*NOTES, "heron heron heron"])
    assert await frequencies(world, "heron", "pond", "tea", "otter") == {
        "heron": 3,
        "pond": 2,
        "tea": 1,
        "otter": 0,
    }


async def test_a_lone_character_counts_wherever_it_stands(world: World) -> None:
    """At the end of 喝茶 and at the beginning of 茶叶."""
    await write(world, NOTES)
    assert await frequencies(world, "茶", "茶叶", "叶茶") == {"茶": 2, "茶叶": 1, "叶茶": 0}


async def test_how_common_a_word_is_to_one_user_is_no_matter_of_another_s(world: World) -> None:
    """A thousand herons of Ben's make none of Ann's less rare."""
    await write(world, NOTES)
    before = await frequencies(world, "heron", "茶", "otter")
    await write(world, ["a heron and an otter, 茶"] * 50, "ben", first=100)
    assert await frequencies(world, "heron", "茶", "otter") == before
    assert await frequencies(world, "heron", "茶", "otter", user_id="ben") == dict.fromkeys(before, 50)


async def test_what_was_taken_out_or_replaced_counts_no_more(world: World) -> None:
    """At once, without a scrub."""
    await write(world, NOTES)
    await world.database.write(lambda c: fulltext.remove(c, [1]))
    await write(world, ["The otter sleeps"], first=2)
    assert await frequencies(world, "heron", "otter") == {"heron": 0, "otter": 1}


async def test_the_totals_are_those_of_all_that_matched(world: World) -> None:
    """Though only the best are returned."""
    await write(world, [*NOTES, "heron heron heron"])
    everything, best = await ranked(world, "heron", "pond"), await ranked(world, "heron", "pond", limit=1)
    scores = [match.bm25 for match in everything.best]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert [match.key for match in best.best] == [everything.best[0].key]
    for found in (everything, best):
        assert found.total == pytest.approx(sum(scores))
        assert found.squares == pytest.approx(sum(score**2 for score in scores))


async def test_what_is_private_is_not_ranked_for_a_group(world: World) -> None:
    """Nor does it count in the totals."""
    await write(world, NOTES)
    await world.database.write(lambda c: fulltext.put(c, 50, "ann", "a public heron", private=False))
    found = await ranked(world, "heron", public_only=True)
    assert [match.key for match in found.best] == [50]
    assert found.total == pytest.approx(found.best[0].bm25)


async def test_no_terms_find_nothing(world: World) -> None:
    """They must not be sent to FTS5, which would take them for an error."""
    await write(world, NOTES)
    assert await ranked(world) == Matches([], 0.0, 0.0)
    assert await ranked(world, "otter") == Matches([], 0.0, 0.0)
    assert await frequencies(world) == {}


@pytest.mark.parametrize("term", ['"', "AND", "NEAR", "heron*", "^heron", 'x" OR "heron', "owner : u1", "-"])
async def test_operators_of_full_text_are_only_words(world: World, term: str) -> None:
    """Whoever asks can't widen a search, not even to their own other words."""
    await write(world, ["a quiet evening"])
    await write(world, ["a heron"], "ben", first=9)
    assert await frequencies(world, term) == {term: 0}
    assert (await ranked(world, term)).best == []


async def test_the_mark_of_a_public_text_is_no_word_of_it(world: World) -> None:
    """It stands in the index beside the words, and is not found as one."""
    await world.database.write(lambda c: fulltext.put(c, 50, "ann", "a heron", private=False))
    assert await frequencies(world, "public", "heron") == {"public": 0, "heron": 1}
    assert (await ranked(world, "public")).best == []


async def test_who_is_alone_is_counted_from_the_index_alike(shelf: Shelf) -> None:
    """The quick way gives what the exact way gives."""
    for text in ("I drink green tea", "Tea again, and tea", "我喝乌龙茶", "茶叶在柜子里"):
        await shelf.say(text)

    def both(connection: apsw.Connection) -> tuple[bool, dict[str, int], dict[str, int]]:
        terms = ["tea", "green", "乌龙", "coffee"]
        return (
            counting.is_only_user(connection, "default"),
            fulltext.frequencies(connection, "default", terms),
            fulltext.frequencies(connection, None, terms),
        )

    is_alone, own, everybodys = await shelf.database.read(both)
    assert is_alone
    assert own == everybodys == {"tea": 2, "green": 1, "乌龙": 1, "coffee": 0}
    await shelf.say("tea for Ben", scope=Scope("ben"))
    assert not (await shelf.database.read(both))[0]
