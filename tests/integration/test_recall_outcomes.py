"""What became of recalled memories: decided from what the session said, and taken back by its user."""

import json
from pathlib import Path

import pytest
from memud_client import Client, InvalidError

from jobs.outcomes import decide
from memory.model import DAY_S, Role, Scope
from memory.store import recalls, replies
from memory.store.recalls import LoggedRecall, Outcome
from tests.world import World, bytes_of

TEA = "I prefer green tea over coffee."
ASKED = "What shall I drink?"
ANSWER = "Green tea, not coffee."


async def log(world: World, *ids: str, query: str = ASKED, user_id: str = "default") -> None:
    """A recall that gave these memories, as it is logged now."""
    row = (user_id, "s", query, json.dumps(ids), json.dumps([0.8] * len(ids)), 0.75, world.clock.now())
    await world.database.write(
        lambda c: c.execute(
            """
            INSERT INTO recall_log (user_id, session_id, query, ids, scores, threshold, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            row,
        )
    )
    world.clock.turn(1)


async def logged(world: World, user_id: str = "default") -> list[LoggedRecall]:
    """The log, oldest first."""
    found = await world.database.read(
        lambda c: recalls.page(c, Scope(user_id), before=0, since=None, limit=100)
    )
    return found[::-1]


async def outcomes(world: World) -> list[list[Outcome | None]]:
    """What became of each recall's memories, once all that can be decided is."""
    await decide(world.database, None, world.clock.now())
    return [[given.outcome for given in one.results] for one in await logged(world)]


async def fact_of(world: World, text: str = TEA, key: str = "told") -> str:
    """Say something in another session; the id of its fact."""
    await world.say(text, key, scope=Scope(session_id="before"))
    return (await world.facts())[-1].id


async def test_each_memory_of_a_recall_has_its_own_outcome(world: World) -> None:
    """One is repeated by the reply, one is not, one is gone."""
    tea, boat = await fact_of(world), await fact_of(world, "The canoe has a red paddle.", "boat")
    await world.say(ASKED, "prompt")
    await log(world, tea, boat, "m-gone")
    await world.say(ANSWER, "reply", role=Role.ASSISTANT)
    await world.say("Thanks a lot", "next")
    assert await outcomes(world) == [[Outcome.USED, Outcome.UNUSED, Outcome.UNKNOWN]]


async def test_a_turn_that_was_recalled_counts_like_a_fact(world: World) -> None:
    """By its words, too."""
    turn = await world.say(TEA, "told", scope=Scope(session_id="before"))
    await log(world, turn)
    await world.say(ANSWER, "reply", role=Role.ASSISTANT)
    await world.say("Thanks a lot", "next")
    assert await outcomes(world) == [[Outcome.USED]]


async def test_a_reply_counts_once_it_is_whole(world: World) -> None:
    """An assistant may say more: what it said is judged when the user speaks again, or after a while."""
    await log(world, await fact_of(world))
    await world.say("Let me think.", "reply-1", role=Role.ASSISTANT)
    assert await outcomes(world) == [[None]]
    await world.say(ANSWER, "reply-2", role=Role.ASSISTANT)
    assert await outcomes(world) == [[None]]
    world.clock.turn(replies.SETTLED_S)
    assert await outcomes(world) == [[Outcome.USED]]


async def test_without_a_reply_nothing_is_known_after_a_day(world: World) -> None:
    """Until then there may be one; another session's words are none."""
    await log(world, await fact_of(world))
    await world.say(ANSWER, "elsewhere", role=Role.ASSISTANT, scope=Scope(session_id="other"))
    await world.say("Thanks", "elsewhere-2", scope=Scope(session_id="other"))
    assert await outcomes(world) == [[None]]
    world.clock.turn(DAY_S)
    assert await outcomes(world) == [[Outcome.UNKNOWN]]


async def test_turns_that_were_sent_late_are_not_the_reply(world: World) -> None:
    """An agent may send the exchange before, and then the prompt, after it recalled."""
    await log(world, await fact_of(world))
    await world.say("Green tea, not coffee, was yesterday.", "late", role=Role.ASSISTANT)
    await world.say(ASKED, "prompt")
    await world.say("Some water.", "reply", role=Role.ASSISTANT)
    await world.say("Fine", "next")
    assert await outcomes(world) == [[Outcome.UNUSED]]


async def test_a_fact_that_was_reworded_was_not_wanted(world: World) -> None:
    """Whether the correction comes before the outcome is decided or after; one from before does not count."""
    item_id = await fact_of(world)
    await world.curation.update(Scope(), item_id, {"memory": "I prefer black tea over coffee."})
    world.clock.turn(60)
    for place in range(2):
        await log(world, item_id, "m-gone")
        await world.say(ANSWER, f"reply-{place}", role=Role.ASSISTANT)
        await world.say("Thanks a lot", f"next-{place}")
    unedited = (await outcomes(world))[0]
    assert unedited[0] is not Outcome.EDITED
    await log(world, item_id, "m-gone")
    await world.curation.update(Scope(), item_id, {"memory": "I prefer white tea.", "importance": 0.9})
    await world.curation.update(Scope(), item_id, {"importance": 0.8})
    await world.say(ANSWER, "reply-3", role=Role.ASSISTANT)
    await world.say("Thanks a lot", "next-3")
    assert await outcomes(world) == [[Outcome.EDITED, Outcome.UNKNOWN]] * 3


async def test_a_memory_that_was_forgotten_was_not_wanted(world: World) -> None:
    """Its recalls keep numbers alone, of others too; what nobody decided is unknown from then on."""
    tea, boat = await fact_of(world), await fact_of(world, "The canoe has a red paddle.", "boat")
    await log(world, tea, boat)
    await world.say("Take the red paddle to the canoe.", "reply", role=Role.ASSISTANT)
    await world.say("Thanks a lot", "next")
    await outcomes(world)
    await log(world, boat, tea)
    await world.curation.forget(Scope(), tea, dry_run=False)
    assert await outcomes(world) == [[Outcome.FORGOTTEN, Outcome.USED], [Outcome.UNKNOWN, Outcome.FORGOTTEN]]
    assert [one.query for one in await logged(world)] == ["", ""]


async def test_no_word_of_a_forgotten_memory_stays_in_the_log(world: World, tmp_path: Path) -> None:
    """A question that has one goes, or loses its words if it had recalled something; others stay."""
    secret, other = await fact_of(world, "Quillfeather is my code name."), await fact_of(world, TEA, "tea")
    await log(world, query="Who is Quillfeather?")
    await log(world, other, query="Does Quillfeather drink tea?")
    await log(world, other)
    await log(world, query="Who is Quillfeather?", user_id="ben")
    assert b"Quillfeather" in bytes_of(tmp_path / "memud.db")
    await world.curation.forget(Scope(), secret, dry_run=False)
    assert [one.query for one in await logged(world)] == ["", ASKED]
    assert [one.query for one in await logged(world, "ben")] == ["Who is Quillfeather?"]
    assert b"Does Quillfeather" not in bytes_of(tmp_path / "memud.db")


async def test_a_recall_of_nothing_has_no_outcome_and_delays_none(world: World) -> None:
    """Silence is passed over; what waits does not keep later ones from being decided."""
    item_id = await fact_of(world)
    await log(world)
    await log(world, item_id)
    await world.say("Some water.", "other", role=Role.ASSISTANT, scope=Scope(session_id="other"))
    assert await outcomes(world) == [[], [None]]
    await log(world, item_id)
    await world.say(ANSWER, "reply", role=Role.ASSISTANT)
    await world.say("Thanks a lot", "next")
    assert await outcomes(world) == [[], [Outcome.USED], [Outcome.USED]]


async def test_a_run_for_one_user_decides_that_user_s(world: World) -> None:
    """The others' wait for theirs, and are not passed over by the next run for all."""
    for user_id in ("ann", "ben"):
        await log(world, "m-gone", user_id=user_id)
    world.clock.turn(DAY_S)
    assert await decide(world.database, "ben", world.clock.now()) == 1
    assert [one.results[0].outcome for one in await logged(world, "ann")] == [None]
    assert await decide(world.database, None, world.clock.now()) == 1
    assert [one.results[0].outcome for one in await logged(world, "ann")] == [Outcome.UNKNOWN]
    assert await decide(world.database, None, world.clock.now()) == 0


async def test_more_than_a_step_s_worth_is_decided_in_one_tick(world: World) -> None:
    """However many wait."""
    for place in range(120):
        await log(world, f"m-{place}")
    world.clock.turn(DAY_S)
    assert await decide(world.database, None, world.clock.now()) == 120


def _talk(client: Client, key: str, role: str, text: str) -> None:
    client.capture([{"key": key, "role": role, "content": text}], session_id="s")


def test_a_daemon_tells_what_became_of_what_it_recalled(client: Client) -> None:
    """From the prompt to its outcome through the socket, by page and by session; a group is shown none."""
    tea = client.add(TEA)["item"]["id"]
    client.recall("Do I prefer tea or coffee?", session_id="s")
    _talk(client, "1", "user", "Do I prefer tea or coffee?")
    _talk(client, "2", "assistant", "You prefer green tea over coffee.")
    client.recall("hello", session_id="s")
    _talk(client, "3", "user", "hello")
    assert client.job_run("monitor")["counts"]["recalls_decided"] == 1
    page = client.recall_log(limit=1)
    assert [(one["query"], one["results"]) for one in page["results"]] == [("hello", [])]
    assert page["cursor"] is not None
    (first,) = client.recall_log(limit=1, cursor=page["cursor"])["results"]
    assert (first["query"], first["session_id"]) == ("Do I prefer tea or coffee?", "s")
    assert [(given["id"], given["outcome"]) for given in first["results"]] == [(tea, "used")]
    assert first["results"][0]["score"] >= first["threshold"]
    assert client.recall_log(session_id="t")["results"] == []
    assert client.recall_log(since=first["at"] + DAY_S)["results"] == []
    assert client.recall_log(private=False)["results"] == []


def test_a_question_as_of_a_moment_is_not_logged(client: Client) -> None:
    """Asking again, to compare thresholds, leaves no trace."""
    client.add(TEA)
    client.recall("Do I prefer tea or coffee?", as_of=1_900_000_000, threshold=0.1)
    client.recall("hello")
    client.job_run("monitor")
    assert [one["query"] for one in client.recall_log()["results"]] == ["hello"]


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5"])
def test_a_cursor_that_no_page_gave_is_refused(client: Client, cursor: str) -> None:
    """With words, not with an empty page."""
    with pytest.raises(InvalidError, match="no cursor"):
        client.recall_log(cursor=cursor)
