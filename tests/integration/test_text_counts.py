"""How many texts there are, counted as they come and go, is how many there are."""

from typing import Any

import apsw

from jobs.reindex import Reindex
from memory.forgetting import forget
from memory.model import Role, Scope
from memory.store import counting
from memory.vectors import loading
from tests.world import World

_REAL = """
  SELECT user_id, coalesce(embedder, ''), gets, count(*)
  FROM (
    SELECT user_id, embedder, role = 'user' AS gets FROM resources
    UNION ALL
    SELECT user_id, embedder, 1 FROM items
  )
  GROUP BY 1, 2, 3
"""


def kept_and_real(connection: apsw.Connection) -> tuple[Any, Any]:
    """The counts as they are kept, and as a count of all rows gives them."""
    kept = connection.execute("SELECT * FROM text_counts WHERE texts <> 0").fetchall()
    return sorted(kept), sorted(connection.execute(_REAL).fetchall())


async def test_the_counts_follow_every_change(world: World) -> None:
    """Turns, facts, vectors, a turn of an assistant, another user, a change of the model, forgetting."""
    ids = [await world.say(f"I like tea number {n}", f"k{n}") for n in range(4)]
    await world.say("A fine choice.", "a1", role=Role.ASSISTANT)
    await world.say("I like maté", "b1", scope=Scope("ben"))
    await world.take("I like rooibos", "k9")
    kept, real = await world.database.read(kept_and_real)
    assert kept == real
    assert len(kept) >= 4
    await world.database.write(lambda c: c.execute("UPDATE items SET embedder = NULL, embedding = NULL"))
    await world.database.write(lambda c: forget(c, "default", ids[0], world.clock.now()))
    kept, real = await world.database.read(kept_and_real)
    assert kept == real
    await Reindex(world.database, world.generations, world.clock).run()
    kept, real = await world.database.read(kept_and_real)
    assert kept == real


async def test_what_is_asked_of_them_is_what_was_asked_of_the_rows(world: World) -> None:
    """The texts of a user, the users by size, and what waits for a vector."""
    for n in range(3):
        await world.say(f"I like tea number {n}", f"k{n}")
    await world.take("I like rooibos", "k9", scope=Scope("ben"))
    sizes = await world.database.read(lambda c: counting.sizes(c, 1))
    assert sizes == {"ben": 1, "default": 6}
    assert await world.database.read(lambda c: counting.texts(c, "default")) == 6
    assert await world.database.read(lambda c: counting.texts(c, "nobody")) == 0
    census = await world.database.read(loading.census)
    assert (dict(census.by_model), census.waiting) == ({"fake-words": 6}, 1)
