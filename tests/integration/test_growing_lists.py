"""A list that is told bit by bit is one fact, at the daemon's door; each bit can be had back or forgotten."""

import pytest

from tests.person import Person

MARCH, APRIL, MAY, JUNE = 1_740_830_400, 1_743_508_800, 1_746_100_800, 1_748_779_200
TOLD = {
    "en": ("I like jazz", "I also like blues", "I like soul too"),
    "zh": ("我喜欢爵士", "我还喜欢蓝调", "我也喜欢灵魂乐"),
    "shopping": (
        "Shopping list: milk, eggs",
        "Add bread to the shopping list",
        "Put jam on the shopping list",
    ),
    "清单": ("购物清单：牛奶、鸡蛋", "把面包加到购物清单里", "购物清单再加果酱"),
}
WHOLE = {
    "en": ("I like jazz and blues", "I like jazz, blues and soul", "I like jazz and soul"),
    "zh": ("我喜欢爵士和蓝调", "我喜欢爵士、蓝调和灵魂乐", "我喜欢爵士和灵魂乐"),
    "shopping": (
        "Shopping list: milk, eggs and bread",
        "Shopping list: milk, eggs, bread and jam",
        "Shopping list: milk, eggs and jam",
    ),
    "清单": ("购物清单：牛奶、鸡蛋和面包", "购物清单：牛奶、鸡蛋、面包和果酱", "购物清单：牛奶、鸡蛋和果酱"),
}


def tell(person: Person, which: str) -> None:
    """The three bits of a list, a month apart."""
    for text, at in zip(TOLD[which], (MARCH, APRIL, MAY), strict=True):
        person.say(text, at)


@pytest.mark.parametrize("which", TOLD)
def test_a_growing_list_is_one_fact(person: Person, which: str) -> None:
    """It rests on the turns of all its bits; `as_of` and `history` tell how long it was when."""
    tell(person, which)
    assert person.live() == [WHOLE[which][1]]
    assert (person.live(as_of=MARCH), person.live(as_of=APRIL)) == ([TOLD[which][0]], [WHOLE[which][0]])
    (item,) = person.client.call("list")["results"]
    assert [(source["timestamp"], source["span"]) for source in item["sources"]] == [
        (at, [0, len(text)]) for text, at in zip(TOLD[which], (MARCH, APRIL, MAY), strict=True)
    ]
    versions = {each["memory"] for each in person.client.call("history", id=item["id"])["versions"]}
    assert versions >= {WHOLE[which][1], WHOLE[which][0], *TOLD[which]}


@pytest.mark.parametrize("which", ["en", "zh"])
def test_saying_a_bit_again_adds_nothing(person: Person, which: str) -> None:
    """In its own words, or plainly: the list is reinforced, and stays the only fact."""
    tell(person, which)
    for number, text in enumerate((*TOLD[which], "I like blues" if which == "en" else "我喜欢蓝调")):
        person.say(text, JUNE + number)
    (item,) = person.client.call("list")["results"]
    assert (item["memory"], item["reinforced"]) == (WHOLE[which][1], 4)


@pytest.mark.parametrize("which", TOLD)
def test_growth_is_undone_by_one_command(person: Person, which: str) -> None:
    """`restore` of the shorter list: it holds again, and what was added stands by itself."""
    person.say(TOLD[which][0], MARCH)
    (shorter,) = person.client.call("list")["results"]
    person.say(TOLD[which][1], APRIL)
    person.client.call("restore", id=shorter["id"])
    assert sorted(person.live()) == sorted(TOLD[which][:2])
    assert {len(item["sources"]) for item in person.client.call("list")["results"]} == {1}


@pytest.mark.parametrize("which", TOLD)
def test_a_bit_that_is_forgotten_leaves_the_list(person: Person, which: str) -> None:
    """No word of it stays, in no version; the others hold."""
    tell(person, which)
    (item,) = person.client.call("list")["results"]
    person.client.call("forget", id=item["sources"][1]["resource_id"])
    assert person.live() == [WHOLE[which][2]]
    versions = person.client.call("history", id=item["id"])["versions"]
    left = {*TOLD[which][::2], WHOLE[which][2]}
    assert {each["memory"] for each in versions} <= left


def test_a_bit_that_is_forgotten_leaves_what_was_there_before_an_edit(person: Person) -> None:
    """The person's own words stay; those of the forgotten turn do not, in no earlier version."""
    tell(person, "en")
    (item,) = person.client.call("list")["results"]
    person.client.call("update", id=item["id"], memory="I like music with a swing")
    person.client.call("forget", id=item["sources"][1]["resource_id"])
    assert person.live() == ["I like music with a swing"]
    versions = person.client.call("history", id=item["id"])["versions"]
    assert not any("blues" in each["memory"] for each in versions)


def test_a_list_that_was_cleaned_up_comes_back_whole(person: Person) -> None:
    """And still knows its bits."""
    tell(person, "en")
    (item,) = person.client.call("list")["results"]
    person.client.call("update", id=item["id"], valid_until=MAY + 60)
    person.client.call("job.run", name="cleanup")
    assert person.live() == []
    person.client.call("restore", id=item["id"])
    assert person.live() == [WHOLE["en"][1]]
    person.client.call("forget", id=item["sources"][1]["resource_id"])
    assert person.live() == [WHOLE["en"][2]]


@pytest.mark.parametrize(
    ("which", "said", "left", "bit"),
    [
        ("en", "I hate blues", "I like jazz and soul", "I also like blues"),
        ("zh", "我讨厌蓝调", "我喜欢爵士和灵魂乐", "我还喜欢蓝调"),
    ],
)
def test_what_contradicts_a_bit_ends_that_bit_alone(
    person: Person, which: str, said: str, left: str, bit: str
) -> None:
    """The rest of the list holds; the bit that ended is reached by `history`, and had back by `restore`."""
    tell(person, which)
    person.say(said, JUNE)
    assert sorted(person.live()) == sorted([said, left])
    (new,) = (item for item in person.client.call("list")["results"] if item["memory"] == said)
    _, ended = person.client.call("history", id=new["id"])["versions"]
    assert ended["memory"] == bit
    person.client.call("restore", id=ended["id"])
    assert sorted(person.live()) == sorted([said, left, bit])


@pytest.mark.parametrize(
    ("mine", "gone", "left"),
    [
        (
            ("I'm allergic to nuts", "I'm also allergic to shellfish"),
            "I'm not allergic to nuts any more",
            "shellfish",
        ),
        (("我对花生过敏", "我还对虾过敏"), "我对花生不过敏了", "虾"),
    ],
)
def test_one_allergy_that_ends_leaves_the_other(
    person: Person, mine: tuple[str, str], gone: str, left: str
) -> None:
    """It would be missed most."""
    for text, at in ((mine[0], MARCH), (mine[1], APRIL), (gone, MAY)):
        person.say(text, at)
    assert gone in person.live()
    assert any(left in fact for fact in person.live())
    assert len(person.live()) == 2


def test_what_was_said_in_private_does_not_grow_in_public(person: Person) -> None:
    """Each stays with those who heard it."""
    person.say("I like jazz", MARCH)
    person.say("I also like blues", APRIL, private=False)
    assert person.live() == ["I like jazz", "I also like blues"]
    assert person.live(private=False) == ["I also like blues"]


def test_a_list_that_a_person_worded_or_pinned_is_left_as_it_is(person: Person) -> None:
    """What is added stands beside it."""
    known = person.add("I like jazz", MARCH)["item"]["id"]
    person.client.call("update", id=known, memory="I like cool jazz")
    person.say("I also like blues", APRIL)
    assert sorted(person.live()) == ["I also like blues", "I like cool jazz"]
    assert person.superseded_by(known) is None


def test_who_adds_by_hand_hears_that_the_list_grew(person: Person) -> None:
    """And which one."""
    shorter = person.add("I like jazz", MARCH)["item"]["id"]
    longer = person.add("I also like blues", APRIL)
    assert (longer["action"], longer["related_ids"]) == ("grown", [shorter])
    assert longer["item"]["memory"] == "I like jazz and blues"


def test_of_several_lists_the_one_just_spoken_of_grows(person: Person) -> None:
    """In another session nobody knows which is meant."""
    person.say("I like jazz", MARCH)
    person.say("I like hiking", APRIL)
    person.client.call(
        "capture",
        events=[{"key": "far", "role": "user", "content": "I also like chess", "timestamp": MAY}],
        session_id="far",
    )
    person.client.call("session.compact", session_id="far", reason="wait")
    assert person.live() == ["I like jazz", "I like hiking", "I also like chess"]
