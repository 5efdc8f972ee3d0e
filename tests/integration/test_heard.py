"""What was said around a turn is the same, whether it is read for the turn alone or once for many."""

import random
from collections.abc import Sequence
from typing import Any

import apsw
import numpy as np
import pytest

from memory.embed.anchors import anchors, utterances
from memory.model import DAY_S, Modality, Origin, Resource, Role, Scope, Turn
from memory.proactive.asking.heard import Heard
from migrations import runner

NOW, WINDOW_S, MODEL, DIMENSION = 1_790_000_000, 7 * DAY_S, "model", 8
ANCHORS = anchors(np.random.default_rng(3).normal(size=(len(utterances()), DIMENSION)).astype(np.float32))
_INSERT = """
  INSERT INTO resources (
    key, id, event_key, user_id, role, content, embedding, embedder, timestamp, tz, origin, content_hash,
    arrived_at
  ) VALUES (?1, 't-' || ?1, ?1, ?2, ?3, '"x"', ?4, ?5, ?6, 'UTC', 'user', 'h', 0)
"""
_PLAIN = """
  SELECT key FROM resources
  WHERE user_id = ? AND timestamp BETWEEN ? AND ? AND role = 'user' AND embedder = ? AND key < ?
  ORDER BY timestamp DESC
  LIMIT 2000
"""


def turn_of(key: int, user_id: str, at: int) -> Resource:
    said = Turn(
        str(key), Scope(user_id), Role.USER, None, "x", "x", Modality.CHAT, at, "UTC", Origin.USER, True, "h"
    )
    return Resource(key, f"t-{key}", said)


def store(moments: Sequence[tuple[str, int]], randomly: random.Random) -> apsw.Connection:
    """Turns of users at these moments, in this order of arrival; some without the model's vector."""
    connection = apsw.Connection(":memory:")
    runner.apply(connection)
    for key, (user_id, at) in enumerate(moments, 1):
        vector = np.array([randomly.gauss(0, 1) for _ in range(DIMENSION)], np.float32)
        role, model = randomly.choice(["user"] * 6 + ["assistant"]), randomly.choice([MODEL] * 6 + ["other"])
        connection.execute(_INSERT, (key, user_id, role, vector.tobytes(), model, at))
    return connection


def check(connection: apsw.Connection, turns: Sequence[Resource]) -> None:
    """Each turn in its order, with one reading for them all."""
    heard = Heard(MODEL)
    for turn in turns:
        said = turn.turn
        since, until = said.timestamp - WINDOW_S, said.timestamp + WINDOW_S
        values = (said.scope.user_id, since, until, MODEL, turn.key)
        plain: list[Any] = connection.execute(_PLAIN, values).fetchall()
        around = heard.around(connection, ANCHORS, turn, WINDOW_S)
        moment = {one.key: one.at for one in (around.rows.asked(place) for place in around.places)}
        assert sorted(moment) == sorted(key for (key,) in plain)
        assert list(moment.values()) == sorted(moment.values(), reverse=True)
        seen = around.rows.seen(around.places)
        own = heard.turns(connection, ANCHORS, [f"t-{key}" for key in moment])
        by_id = np.argsort([f"t-{key}" for key in moment])
        assert np.allclose(seen.centred[by_id], own.centred, atol=1e-6)
        assert np.allclose(seen.hubs[by_id], own.hubs, atol=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_in_any_order_of_arrival(seed: int) -> None:
    """Two users, two months, the turns in order of their times or shuffled."""
    randomly = random.Random(seed)  # noqa: S311 - no secrets
    moments = [(randomly.choice("ab"), NOW - randomly.randrange(60 * DAY_S)) for _ in range(400)]
    if seed % 2:
        moments.sort(key=lambda one: one[1])
    connection = store(moments, randomly)
    check(connection, [turn_of(key, *moments[key - 1]) for key in range(1, 401)])


def test_of_who_says_more_than_can_be_heard() -> None:
    """The latest two thousand; also for a turn behind which as many arrived."""
    moments = [("a", NOW + n) for n in range(4_700)]
    connection = store(moments, random.Random(1))  # noqa: S311 - no secrets
    keys = [*range(1, 120, 30), *range(2_300, 2_330), *range(4_690, 4_700)]
    check(connection, [turn_of(key, *moments[key - 1]) for key in keys])


def test_what_came_meanwhile_is_heard_after_a_refresh() -> None:
    """A vector that a turn got between two looks counts in the second."""
    connection = store([("a", NOW + n) for n in range(20)], random.Random(2))  # noqa: S311 - no secrets
    connection.execute("UPDATE resources SET embedder = NULL WHERE key = 3")
    heard, last = Heard(MODEL), turn_of(21, "a", NOW + 60)

    def keys() -> set[int]:
        around = heard.around(connection, ANCHORS, last, WINDOW_S)
        return set(around.rows.keys[around.places].tolist())

    before = keys()
    connection.execute("UPDATE resources SET embedder = ?, role = 'user' WHERE key = 3", (MODEL,))
    heard.refresh()
    assert keys() == before | {3}
