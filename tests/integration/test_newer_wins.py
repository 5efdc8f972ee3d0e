"""Newer wins, at the daemon's door: what ends a fact, what only doubts it, and how it is undone."""

from typing import Any

import pytest

from tests.person import Person

MARCH, APRIL, MAY, JUNE = 1_740_830_400, 1_743_508_800, 1_746_100_800, 1_748_779_200


def test_a_supersession_is_a_link_that_can_be_undone(person: Person) -> None:
    """Nothing is deleted: `restore` makes the old one hold again, and the new one stays."""
    old = person.add("I live in Graz", MARCH)["item"]["id"]
    new = person.add("I moved to Linz", MAY)
    assert (new["action"], new["related_ids"]) == ("superseded", [old])
    assert person.superseded_by(old) == new["item"]["id"]
    person.client.call("restore", id=old)
    assert person.superseded_by(old) is None
    assert sorted(person.live()) == ["I live in Graz", "I moved to Linz"]


def test_history_and_as_of_show_what_was_superseded(person: Person) -> None:
    """The versions are newest first; asked as of April, the old one is the answer."""
    person.add("I live in Graz", MARCH)
    new = person.add("I moved to Linz", MAY)["item"]["id"]
    versions = person.client.call("history", id=new)["versions"]
    assert [item["memory"] for item in versions] == ["I moved to Linz", "I live in Graz"]
    assert person.live(as_of=APRIL) == ["I live in Graz"]
    assert person.live(as_of=JUNE) == ["I moved to Linz"]
    found = person.client.call("search", query="where do I live", as_of=APRIL)["results"]
    assert [result["memory"] for result in found if result["layer"] == "item"] == ["I live in Graz"]


@pytest.mark.parametrize("again", ["I live in Graz", "i live in graz."])
def test_stating_the_old_value_again_revives_it(person: Person, again: str) -> None:
    """The link is turned round: what held before holds again."""
    old = person.add("I live in Graz", MARCH)["item"]["id"]
    new = person.add("I moved to Linz", APRIL)["item"]["id"]
    assert person.add(again, MAY)["action"] == "reinforced"
    assert person.superseded_by(old) is None
    assert person.superseded_by(new) == old


def test_who_moved_back_lived_elsewhere_in_between(person: Person) -> None:
    """As of each moment one home holds, through a chain that ends where it began."""
    graz = person.add("I live in Graz", MARCH)["item"]["id"]
    person.add("I moved to Linz", APRIL)
    wels = person.add("I moved to Wels", MAY)["item"]["id"]
    person.add("I live in Graz", JUNE)
    homes = {at: person.live(as_of=at) for at in (MARCH, APRIL, MAY, JUNE)}
    assert homes == {
        MARCH: ["I live in Graz"],
        APRIL: ["I moved to Linz"],
        MAY: ["I moved to Wels"],
        JUNE: ["I live in Graz"],
    }
    found = person.client.call("search", query="where do I live", as_of=MAY + 60)["results"]
    assert [result["memory"] for result in found if result["layer"] == "item"] == ["I moved to Wels"]
    person.client.call("forget", id=wels)
    assert (person.live(as_of=MAY), person.live()) == (["I moved to Linz"], ["I live in Graz"])
    assert graz in {item["id"] for item in person.client.call("list")["results"]}


def test_a_change_that_never_was_is_none_at_any_moment(person: Person) -> None:
    """`restore` says that both hold, ever since each was said."""
    person.add("I live in Graz", MARCH)
    linz = person.add("I moved to Linz", APRIL)["item"]["id"]
    person.add("I live in Graz", MAY)
    person.client.call("restore", id=linz)
    assert person.live(as_of=JUNE) == person.live() == ["I live in Graz", "I moved to Linz"]


@pytest.mark.parametrize("is_pinned", [False, True])
def test_what_is_forgotten_ends_nothing_any_more(person: Person, is_pinned: bool) -> None:
    """Forgotten is that the old value was said again: the new one holds once more, and alone."""
    graz = person.add("I live in Graz", MARCH)["item"]["id"]
    linz = person.add("I moved to Linz", APRIL)["item"]["id"]
    person.client.call("pin", id=linz, pinned=is_pinned)
    again = person.add("I live in Graz", MAY)["item"]["sources"][-1]["resource_id"]
    person.client.call("forget", id=again)
    assert (person.live(), person.superseded_by(graz)) == (["I moved to Linz"], linz)
    assert person.live(as_of=MARCH) == ["I live in Graz"]


def test_a_fact_is_no_older_than_the_words_that_are_left_of_it(person: Person) -> None:
    """When it was first said is forgotten with the turn that said so."""
    first = person.add("I live in Graz", MARCH)["item"]["sources"][0]["resource_id"]
    person.add("I live in Graz", MAY)
    person.client.call("forget", id=first)
    assert (person.live(as_of=APRIL), person.live()) == ([], ["I live in Graz"])


def test_the_time_of_the_event_decides_and_not_its_arrival(person: Person) -> None:
    """An old statement that arrives late is superseded at once, from the time of the newer one."""
    new = person.add("I moved to Linz", MAY)["item"]["id"]
    late = person.add("I live in Graz", MARCH)
    assert person.superseded_by(late["item"]["id"]) == new
    assert person.live() == ["I moved to Linz"]
    assert person.live(as_of=APRIL) == ["I live in Graz"]


def test_what_arrives_late_takes_its_place_among_what_was_said(person: Person) -> None:
    """Three homes told in the wrong order: each holds until the next one."""
    first = person.add("I live in Graz", MARCH)["item"]["id"]
    last = person.add("I moved to Linz", JUNE)["item"]["id"]
    between = person.add("I moved to Wels", APRIL)["item"]["id"]
    assert (person.superseded_by(first), person.superseded_by(between)) == (between, last)
    assert person.live(as_of=MARCH) == ["I live in Graz"]
    assert person.live(as_of=MAY) == ["I moved to Wels"]
    assert person.live() == ["I moved to Linz"]


def test_turns_that_arrive_out_of_order_end_alike(person: Person) -> None:
    """Captured, too: the last word in time holds."""
    person.say("I work at a bakery now.", MAY)
    person.say("I work at a brewery.", MARCH)
    assert person.live() == ["I work at a bakery now"]


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ("So you moved to Linz, noted.", {"role": "assistant"}),
        ("I moved to Linz", {"role": "tool", "modality": "tool"}),
        ("I moved to Linz", {"origin": "import"}),
        ('My sister wrote "I moved to Linz" on the card.', {}),
        ("> I moved to Linz\nThat is what she wrote.", {}),
        ("Should I say that I moved to Linz?", {}),
        ("I might move to Linz.", {}),
        ("I'm thinking about moving to Linz.", {}),
        ("If I moved to Linz, my commute would be short.", {}),
    ],
)
def test_only_the_user_s_own_later_statement_ends_a_fact(
    person: Person, said: str, fields: dict[str, Any]
) -> None:
    """Not the assistant's words, a tool's, imported or quoted ones, no question, plan or condition."""
    old = person.add("I live in Graz", MARCH)["item"]["id"]
    person.say(said, MAY, **fields)
    assert person.superseded_by(old) is None
    assert "I live in Graz" in person.live()


@pytest.mark.slow
def test_imported_words_end_imported_words(person: Person) -> None:
    """A history that is brought along keeps its own order; what the user says here ends it."""
    person.say("I live in Graz", MARCH, origin="import")
    person.say("I moved to Linz", APRIL, origin="import")
    assert person.live() == ["I moved to Linz"]
    person.say("I moved to Wels", MAY)
    assert person.live() == ["I moved to Wels"]


@pytest.mark.slow
def test_imported_words_do_not_bring_an_old_value_back(person: Person) -> None:
    """Who moved has not moved back because an old log says so once more."""
    old = person.add("I live in Graz", MARCH)["item"]["id"]
    new = person.add("I moved to Linz", APRIL)["item"]["id"]
    person.say("I live in Graz", MAY, origin="import")
    assert (person.superseded_by(old), person.superseded_by(new)) == (new, None)


def test_a_whole_message_is_never_superseded(person: Person) -> None:
    """What else it says would be lost with it: both are kept, as maybe."""
    message = (
        "I live in Graz. The cellar key hangs behind the blue door, the plumber is called Moser, and the "
        "neighbours on the second floor feed our fish when we are away over the holidays in August."
    )
    old = person.client.call("add", memory=message, infer=False, timestamp=MARCH)["item"]["id"]
    new = person.add("I moved to Linz", MAY)
    assert (new["action"], new["related_ids"]) == ("maybe", [old])
    assert person.superseded_by(old) is None


def test_two_sentences_about_one_thing_are_one_fact(person: Person) -> None:
    """Nothing else would be lost with them."""
    old = person.client.call(
        "add", memory="We lint with Ruff. Ruff replaced Flake8.", infer=False, timestamp=MARCH
    )["item"]["id"]
    new = person.add("We moved from Ruff to Biome", MAY)
    assert person.superseded_by(old) == new["item"]["id"]


def test_of_a_message_only_the_fact_is_superseded(person: Person) -> None:
    """The other facts of the same turn go on holding."""
    person.say("I live in Graz. My daughter is allergic to nuts.", MARCH)
    person.say("We moved to Linz last week.", MAY)
    assert "My daughter is allergic to nuts" in person.live()
    assert "I live in Graz" not in person.live()


def test_a_turn_whose_statements_were_all_replaced_answers_nothing(person: Person) -> None:
    """Each question gets what holds now, and neither the turn nor what replaced its other statement."""
    person.say("I live in Graz. I work as a nurse at a hospital.", MARCH)
    person.say("I moved to Linz.", APRIL)
    person.say("I work as a teacher now.", MAY)
    for question, answer in (
        ("Do I work at a hospital?", "I work as a teacher now"),
        ("Do I live in Graz?", "I moved to Linz"),
    ):
        found = person.client.call("recall", query=question, threshold=0.5)["results"]
        assert [one["memory"] for one in found] == [answer]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My locker number is 418", "My locker number is 481"),
        ("I don't eat shrimp", "I eat shrimp"),
        ("Greta waters the office plants", "Gesine waters the office plants"),
        ("我的储物柜是418号", "我的储物柜是481号"),
        ("我不吃虾", "我吃虾"),
        ("小李负责浇花", "小王负责浇花"),
    ],
)
def test_another_number_name_or_not_is_never_a_repetition(person: Person, old: str, new: str) -> None:
    """However alike the sentences are, both are stored."""
    person.add(old, MARCH)
    assert person.add(new, MAY)["action"] != "reinforced"
    assert len(person.live(include_superseded=True)) == 2


def test_a_repetition_keeps_its_own_wording(person: Person) -> None:
    """The fact counts once more, as fresh as the last time, and its other words are in its history."""
    known = person.add("Please keep the answers short", MARCH)["item"]["id"]
    again = person.add("PLEASE keep the answers short!", MAY)
    assert (again["action"], again["item"]["id"]) == ("reinforced", known)
    assert (again["item"]["reinforced"], again["item"]["stated_at"]) == (1, MAY)
    history = person.client.call("history", id=known)
    words = [item["memory"] for item in history["versions"]]
    assert words == ["Please keep the answers short", "PLEASE keep the answers short"]
    assert len(history["sources"]) == 2


def test_what_is_unsure_stays_on_both_sides(person: Person) -> None:
    """A maybe ends nothing."""
    person.add("My phone number is 555 0134", MARCH)
    unsure = person.add("My work phone is 555 0188", MAY)
    assert unsure["action"] == "maybe"
    assert len(person.live()) == 2
