"""`export` and `import` at the daemon's door: equal, strict, and never another user's."""

from typing import Any

import pytest
from memud_client import Client, InvalidError

from tests.daemons import DaemonProcess
from tests.person import Person

NOON = 1_746_100_800


def _records(client: Client, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        page = client.export_records(limit=2, **options)
        found += page["records"]
        if page["cursor"] is None:
            return found
        options = {**options, "cursor": page["cursor"]}


def test_a_memory_moves_to_another_user(person: Person, long_memory: DaemonProcess) -> None:
    """All is there, found at once, and its ids are its own; the first owner's stays as it was."""
    person.add("I prefer tea", NOON)
    person.say("I moved to Berlin", NOON + 1)
    person.say("nothing to learn here, is there?", NOON + 2)
    before = _records(person.client, everything=True)
    assert len(_records(person.client)) < len(before)
    with long_memory.client(user_id=f"{person.user}-b") as other:
        reply = other.import_records(before)
        assert (reply["added"], reply["skipped"]) == (len(before), [])
        assert other.import_records(before)["known"] == len(before)
        moved = _records(other, everything=True)
        assert [one.get("memory") for one in moved] == [one.get("memory") for one in before]
        assert {one.get("id") for one in moved if "id" in one}.isdisjoint(
            one["id"] for one in before if "id" in one
        )
        assert [hit["memory"] for hit in other.search("tea")["results"]][:1] == ["I prefer tea"]
    assert _records(person.client, everything=True) == before


def test_what_was_forgotten_does_not_come_back(person: Person) -> None:
    """Neither the fact nor its words, by no export from before."""
    item = person.add("I prefer tea", NOON)["item"]
    before = _records(person.client, everything=True)
    person.client.forget(item["id"])
    reasons = {one["reason"] for one in person.client.import_records(before)["skipped"]}
    assert reasons == {"forgotten"}
    assert person.live() == []


def test_bad_records_are_told_and_the_rest_is_kept(person: Person) -> None:
    """Type, size, range and unknown fields are checked, each record by itself."""
    person.add("I prefer tea", NOON)
    good = _records(person.client, everything=True)
    item = next(one for one in good if one["type"] == "item")
    bad: list[Any] = [
        7,
        {"type": "secret"},
        {**item, "importance": 2},
        {**item, "id": "m"},
        {**item, "half_life_days": 0},
        {**item, "trust": "root"},
        {**item, "user_id": "ann"},
        {**item, "sources": [], "id": "m-aaaaaaaaaa", "memory": "I prefer beer"},
    ]
    reply = person.client.import_records([*bad, *good])
    assert [(one["index"], one["reason"]) for one in reply["skipped"]] == [
        *((index, "invalid") for index in range(7)),
        (7, "no_source"),
    ]
    assert reply["known"] == len(good)


def test_secrets_in_records_are_masked_and_times_to_come_are_cut(person: Person) -> None:
    """An export is a file that anybody may have written."""
    secret = "sk-" + "ant-api03-" + "a1B2" * 12
    person.add("I prefer tea", NOON)
    item = next(one for one in _records(person.client) if one["type"] == "item")
    forged = {
        **item, "id": "m-bbbbbbbbbb", "memory": f"the key is {secret}", "stated_at": 2**40, "trust": "edited",
        "sources": [], "said_in": None,
    }  # fmt: skip
    assert person.client.import_records([forged])["added"] == 1
    stored = person.client.get("m-bbbbbbbbbb")["item"]
    assert secret not in stored["memory"]
    assert stored["stated_at"] < 2**40


def test_a_secret_in_a_zone_or_a_rule_is_masked_too(person: Person) -> None:
    """Every free text of a record may be a hiding place."""
    secret = "sk-" + "ant-api03-" + "a1B2" * 12
    person.add("I prefer tea", NOON)
    person.add("I prefer coffee", NOON + 1)
    before = _records(person.client, everything=True)
    turn = next(one for one in before if one["type"] == "turn")
    one, other = (record["id"] for record in before if record["type"] == "item")
    forged = [
        {**turn, "id": "t-bbbbbbbbbb", "key": "b", "tz": secret},
        {
            "type": "link", "from_id": one, "to_id": other, "relation": "related", "rule": secret,
            "created_at": NOON,
        },
    ]  # fmt: skip
    assert person.client.import_records(forged)["added"] == 2
    assert secret not in str(_records(person.client, everything=True))


@pytest.mark.parametrize("cursor", ["x", '[9,0,""]', "[0]", "{}"])
def test_a_cursor_that_is_none_is_refused(person: Person, cursor: str) -> None:
    """With words that say what to do."""
    with pytest.raises(InvalidError):
        person.client.export_records(cursor=cursor)
