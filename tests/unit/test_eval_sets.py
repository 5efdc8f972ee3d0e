"""The sets: how their files are read, and how an answer is judged."""

import gzip
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from evaluation.asking import Answer
from evaluation.errors import DataError
from evaluation.fires import REPEATED, Fire
from evaluation.measures import Hits
from evaluation.reading import check, read_lines, seconds
from evaluation.registry import SETS
from evaluation.sets import (
    aging,
    beam,
    beam_updates,
    dedupe,
    intents,
    lifebench,
    locomo,
    proactive,
    unrelated,
)
from evaluation.store import Question, Said, Store, single
from memory.model import DAY_S
from tests.tiny_sets import write_all, write_lines

JULY_1 = seconds("2023-07-01T13:30:00")
MAY_1 = seconds("2024-05-01")
READ: Mapping[str, Callable[[Path], object]] = {
    "locomo": locomo.read,
    "beam": beam.read,
    "beam-updates": beam_updates.read,
    "proactive": proactive.read,
    "lifebench": lifebench.read,
    "dedupe": dedupe.read,
    "intents": intents.read,
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """All sets, tiny."""
    return write_all(tmp_path)


def keys(*names: str) -> list[frozenset[str]]:
    """Results that rest on one turn each."""
    return [frozenset((name,)) for name in names]


def test_locomo_turns_have_speaker_time_and_caption_in_the_order_of_the_sessions(data: Path) -> None:
    """Each turn a second after the one before; what an image shows belongs to its turn."""
    (store,) = locomo.read(data)
    assert [turn.key for turn in store.turns] == ["D1:1", "D1:2", "D1:3", "D2:1"]
    otto = store.turns[1]
    assert otto == Said("D1:2", "user", "Look! [shares a blue kite]", JULY_1 + 1, "session_1", "Otto")
    assert store.turns[3].timestamp == seconds("2023-07-02T09:05:00")


def test_locomo_questions_know_their_kind_and_lose_evidence_that_is_no_turn(data: Path) -> None:
    """The set has lists in one string and stray letters."""
    (store,) = locomo.read(data)
    assert [(one.kind, one.evidence) for one in store.questions] == [
        ("single_hop", single(["D1:1"])),
        ("multi_hop", single(["D1:3", "D2:1"])),
        ("adversarial", single(["D1:1"])),
        ("open", ()),
    ]


def test_lifebench_is_read_in_order_of_time_with_questions_that_can_be_answered(data: Path) -> None:
    """Evidence of a kind that is not in the corpus does not count."""
    (store,) = lifebench.read(data)
    assert [turn.key for turn in store.turns] == ["sms:1", "agent_chat:1", "note:1"]
    assert [turn.session_id for turn in store.turns] == ["day-2025-03-01", "day-2025-03-02", "day-2025-03-02"]
    assert [one.evidence for one in store.questions] == [single(["sms:1"])]
    assert store.language == "zh"


def test_beam_messages_without_a_date_are_of_the_day_before_them(data: Path) -> None:
    """A second after one another, so that their order stays."""
    first, second = beam.read(data)
    assert [turn.timestamp for turn in first.turns] == [MAY_1, MAY_1 + 1, MAY_1 + 8 * DAY_S + 2]
    assert [turn.role for turn in first.turns] == ["user", "assistant", "user"]
    assert second.turns[1].timestamp == seconds("2024-06-01") + 1


def test_beam_gives_credit_for_what_the_user_said(data: Path) -> None:
    """And leaves out what ten results can't answer."""
    first, second = beam.read(data)
    assert [(one.kind, one.evidence) for one in first.questions] == [("knowledge_update", single("02"))]
    assert [one.text for one in second.questions] == ["Which dye?"]


def test_of_two_statements_the_later_said_is_the_newer(data: Path) -> None:
    """The label of a contradiction has no order."""
    first, second = beam_updates.read(data)
    assert first.questions[0].evidence == (frozenset("2"), frozenset("0"))
    assert second.questions[0].evidence == (frozenset("2"), frozenset("0"))
    assert [one.kind for one in first.questions] == ["update", "knowledge_update"]


@pytest.mark.parametrize(
    ("found", "right"),
    [(["new", "old"], True), (["x", "new"], True), (["old", "new"], False), (["old"], False), ([], False)],
)
def test_the_newer_must_be_there_and_first(found: list[str], right: bool) -> None:
    """An older one that is not there stands in nobody's way."""
    pair = Question("q", (frozenset(("new",)), frozenset(("old",))))
    assert beam_updates.is_newer_first(Answer(keys(*found)), pair) is right


def test_proactive_units_are_those_of_their_domain_that_were_said(data: Path) -> None:
    """All domains share one store; numbers of units come again in each."""
    (store,) = proactive.read(data)
    assert [turn.key for turn in store.turns] == ["tea-1-1", "tea-1-2", "chess-1-1"]
    assert [(one.qid, one.evidence) for one in store.questions] == [
        ("tea-q1", (frozenset(("tea-1-1",)),)),
        ("chess-q1", ()),
    ]


def test_only_a_concept_in_the_users_own_words_can_be_expected(data: Path) -> None:
    """Blanks and case do not count; what the assistant said does not count."""
    assert proactive.golds(data) == {"tea-q1": ["dragon  well"], "chess-q1": []}
    block = Answer([], context="- Each Friday evening: Dragon Well")
    assert proactive.gold_share(block, ["dragon  well", "clay pot"]) == 0.5


def test_a_fire_counts_once_for_the_intent_that_most_of_its_events_share(data: Path) -> None:
    """A second fire for it, and one of mixed intents, are false alarms."""
    (stream,) = intents.read(data)
    assert len({turn.timestamp for turn in stream.store.turns}) == 4
    fires = [Fire(REPEATED, 3, keys) for keys in (("0", "2", "3"), ("0", "1", "2"), ("0", "1"), ("1",))]
    assert intents.hits(stream, fires) == Hits(told=4, right=1, wanted=1)


def test_an_aged_store_is_cleaned_every_week_until_it_is_asked_again() -> None:
    """400 days after the last turn, 57 cleanups."""
    store = Store("s", "en", [Said("k", "user", "text", 0, "s")])
    assert aging.when_old(store) == 400 * DAY_S
    assert len(aging.cleanups(store)) == 57
    assert aging.cleanups(store)[0] == 8 * DAY_S


def test_what_age_loses_is_the_difference_question_by_question() -> None:
    """By hand: 1 to 0.5, 0 to 0, and 0.5 to 1 in another set."""
    found = aging.figures({"a": [1.0, 0.0], "b": [0.5]}, {"a": [0.5, 0.0], "b": [1.0]})
    values = {name: each.value for name, each in found.items() if each}
    assert values["lost.a"] == 0.25
    assert values["lost.b"] == -0.5
    assert values["lost"] == 0.0
    assert (values["gate.recall.a"], values["aged.recall.a"]) == (0.5, 0.25)


def test_a_prompt_counts_once_whatever_the_number_of_stores() -> None:
    """By hand: one prompt is answered by one of two stores, the other by none."""
    english, chinese = Store("e", "en", []), Store("c", "zh", [])
    first, second = (unrelated.Prompt("en", "short", text) for text in ("a", "b"))
    hello = unrelated.Prompt("zh", "greeting", "你好")
    heard = [
        unrelated.Heard(first, english, "locomo", 3),
        unrelated.Heard(first, chinese, "lifebench", 0),
        unrelated.Heard(second, english, "locomo", 0),
        unrelated.Heard(second, chinese, "lifebench", 0),
        unrelated.Heard(hello, chinese, "lifebench", 0),
    ]
    values = {name: (each.value, each.n) for name, each in unrelated.figures(heard).items() if each}
    assert values["any.en"] == (0.25, 2)
    assert values["any.greeting"] == (0.0, 1)
    assert values["any.en.short.on_en"] == (0.5, 2)
    assert values["any.locomo"] == (0.5, 2)
    assert "any.zh" not in values


def test_the_unrelated_prompts_come_in_both_languages_and_all_kinds() -> None:
    """At least 150, written for this purpose."""
    prompts = unrelated.prompts()
    assert len(prompts) >= 150
    assert {(one.language, one.kind) for one in prompts} == {
        (language, kind) for language in ("en", "zh") for kind in ("short", "long", "greeting")
    }


@pytest.mark.parametrize("name", SETS)
def test_a_missing_file_is_named_before_anything_starts(name: str, tmp_path: Path) -> None:
    """Whoever has only one of the sets learns which file another needs."""
    files = SETS[name].files
    if not files:
        pytest.skip("it brings its own data")
    with pytest.raises(DataError, match=files[0]):
        check(tmp_path, files)


def test_the_folder_of_one_set_will_do(data: Path) -> None:
    """`--data` may name it, as well as the folder above it."""
    check(data / "intents", SETS["intents"].files)
    assert len(intents.read(data / "intents")) == len(intents.read(data)) == 1


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    """No traceback for a download that broke off."""
    path = tmp_path / "half.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n{"b": 2}\n')[:-9])
    with pytest.raises(DataError, match=r"half\.jsonl\.gz can't be read"):
        read_lines(path, {})


WRONG = ['[{"a": 1}]', "null", "[]", "{}", '{"a": 1}', "7", '[{"qa": 3, "conversation": {}}]', "[null]"]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", READ)
def test_a_file_of_another_form_is_named_with_what_it_should_hold(name: str, wrong: str, data: Path) -> None:
    """Whichever of the files it is; neither a traceback nor an empty table."""
    for file in SETS[name].files:
        kept = (data / file).read_bytes()
        (data / file).write_bytes(gzip.compress(wrong.encode()))
        with pytest.raises(DataError, match=f"{file} has another form than expected: .*it should hold"):
            READ[name](data)
        (data / file).write_bytes(kept)


@pytest.mark.parametrize(
    ("name", "file", "field", "value"),
    [
        ("lifebench", "lifebench_zh/lumingqiang_corpus.jsonl.gz", "t", "soon"),
        ("lifebench", "lifebench_zh/lumingqiang_qa.jsonl.gz", "evidence", None),
        ("beam", "beam/messages.jsonl.gz", "t", "2024-05-01"),
        ("beam", "beam/messages.jsonl.gz", "role", "system"),
        ("beam-updates", "beam/update_contradiction_pairs.jsonl.gz", "old_ids", []),
        ("proactive", "proactivemembench/turns.jsonl.gz", "ts", 7),
        ("dedupe", "pairs/stsb_en_dev.jsonl.gz", "score", "5"),
        ("intents", "intents/streams_en.jsonl.gz", "events", []),
    ],
)
def test_a_value_of_another_form_is_named(
    name: str, file: str, field: str, value: object, data: Path
) -> None:
    """With its row and its field."""
    rows = read_lines(data / file, {})
    write_lines(data / file, [*rows, {**rows[0], field: value}])
    with pytest.raises(DataError, match=f"{file} .*row {len(rows) + 1}: `{field}` of another form"):
        READ[name](data)


def test_a_chat_without_a_date_and_a_pair_without_its_message_are_named(data: Path) -> None:
    """What only shows when rows are put together."""
    pairs = data / "beam" / "update_contradiction_pairs.jsonl.gz"
    write_lines(pairs, [{**row, "new_ids": [99]} for row in read_lines(pairs, {})])
    with pytest.raises(DataError, match="beam-1 has no message 99"):
        beam_updates.read(data)
    messages = data / "beam" / "messages.jsonl.gz"
    write_lines(messages, [{**row, "t": None} for row in read_lines(messages, {})])
    with pytest.raises(DataError, match="no date in the chat 1"):
        beam.read(data)
