"""Whose words outweigh whose: corrections, edits, changes of mind, an assistant's repetitions."""

import pytest

from tests.person import Person

MARCH, APRIL, MAY, JUNE = 1_740_830_400, 1_743_508_800, 1_746_100_800, 1_748_779_200


CHANGES = [
    ("I love sushi", "I hate sushi"),
    ("I like spicy food", "I don't like spicy food"),
    ("I love jazz", "I hate jazz now"),
    ("I live in Berlin", "I moved from Berlin to Munich"),
    ("I live in Berlin", "We've moved from Berlin to Munich"),
    ("我喜欢吃寿司", "我讨厌吃寿司"),
    ("我喜欢榴莲", "我不喜欢榴莲了"),
    ("我住在北京", "我从北京搬到上海"),
    ("我家在北京", "我们搬到上海了"),
    ("我喜歡吃壽司", "我討厭吃壽司"),
    ("我住在北京", "我從北京搬到上海"),
    ("我喜欢吃寿司", "我討厭吃壽司"),
]


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_of_a_change_one_fact_holds_and_one_command_undoes_it(
    person: Person, old: str, new: str, is_late: bool
) -> None:
    """The old one is reached by `history` and `as_of`, also if it arrives late; `restore` brings it back."""
    said = [(old, MARCH), (new, MAY)]
    for text, at in reversed(said) if is_late else said:
        person.say(text, at)
    assert (person.live(), person.live(as_of=APRIL)) == ([new], [old])
    held = person.client.call("list")["results"][0]
    assert held["sources"][0]["span"] == [0, len(new)]
    versions = person.client.call("history", id=held["id"])["versions"]
    assert [item["memory"] for item in versions] == [new, old]
    person.client.call("restore", id=versions[1]["id"])
    assert sorted(person.live()) == sorted([new, old])


@pytest.mark.parametrize("is_corrected", [False, True])
@pytest.mark.parametrize(
    ("said", "put_right", "remark"),
    [
        ("I live in Ghent.", "No, that's wrong: I live in Ghent.", "I live in Bruges."),
        ("I'm a nurse.", "Correction: I'm a nurse.", "I work as a tiler."),
        ("我最喜欢的颜色是绿色", "更正：我最喜欢的颜色是绿色", "我最喜欢的颜色是蓝色"),
        ("我是护士", "更正：我是护士", "我是老师"),
    ],
)
def test_a_chance_remark_does_not_end_what_was_put_right(
    person: Person, said: str, put_right: str, remark: str, is_corrected: bool
) -> None:
    """It ends what was only said; beside a correction it stands at most."""
    person.say(put_right if is_corrected else said, MARCH)
    (known,) = person.client.call("list")["results"]
    person.say(remark, MAY)
    assert (person.superseded_by(known["id"]) is None) is is_corrected


@pytest.mark.parametrize(
    ("corrected", "change"),
    [
        ("Correction: I live in Ghent, not in Bruges.", "I moved from Ghent to Lyon."),
        ("更正：我住在成都，不是重庆。", "我从成都搬到上海了。"),
    ],
)
def test_a_change_ends_what_was_put_right(person: Person, corrected: str, change: str) -> None:
    """A corrected fact is not for ever."""
    person.say(corrected, MARCH)
    (known,) = person.client.call("list")["results"]
    person.say(change, MAY)
    assert person.superseded_by(known["id"]) is not None


@pytest.mark.parametrize(
    ("said", "edited", "remark"),
    [
        ("I live in Berlin", "I live in Munich", "I live in Berlin"),
        ("I live in Berlin", "I live in Munich", "I moved to Rome"),
        ("我住在北京", "我住在上海", "我住在北京"),
        ("我住在北京", "我住在上海", "我搬到广州了"),
    ],
)
def test_what_a_person_edited_is_ended_by_no_remark(
    person: Person, said: str, edited: str, remark: str
) -> None:
    """Neither by the old wording said again, nor by news: both stay, and a person decides."""
    known = person.add(said, MARCH)["item"]["id"]
    person.client.call("update", id=known, memory=edited)
    person.say(remark, MAY)
    assert person.superseded_by(known) is None
    assert person.client.call("get", id=known)["item"]["memory"] == edited


def test_how_long_an_edited_fact_holds_is_left_as_the_person_said(person: Person) -> None:
    """Saying it again freshens it and takes no end away."""
    known = person.add("I rent a garage", MARCH)["item"]["id"]
    end = 2_000_000_000
    person.client.call("update", id=known, valid_until=end)
    assert person.add("I rent a garage", MAY)["action"] == "reinforced"
    item = person.client.call("get", id=known)["item"]
    assert (item["valid_until"], item["stated_at"]) == (end, MAY)


@pytest.mark.parametrize("role", ["assistant", "tool"])
@pytest.mark.parametrize(
    ("said", "claimed"),
    [
        ("I live in Berlin", "You live in Munich now."),
        ("I live in Berlin", "I moved to Munich."),
        ("我住在北京", "我搬到上海了"),
        ("我喜欢吃寿司", "我讨厌吃寿司"),
    ],
)
def test_what_an_assistant_or_a_tool_says_changes_nothing(
    person: Person, said: str, claimed: str, role: str
) -> None:
    """The user's fact holds, no older and no fresher, and stands alone."""
    person.say(said, MARCH)
    before = person.client.call("list")["results"]
    person.say(claimed, MAY, role=role)
    person.say(said, JUNE, role=role)
    assert person.client.call("list")["results"] == before
