"""What files of notes say, line by line, in both languages."""

from datetime import date
from pathlib import PurePath

import pytest

from memory.model import MemoryType
from memory.notes.comparison import compare
from memory.notes.document import Document, Nature, nature_of, read

LASTING = Nature()
DAILY = Nature(date(2026, 3, 8))


def _texts(text: str, nature: Nature = LASTING) -> list[str]:
    return [note.text for note in read(text, nature).notes]


@pytest.mark.parametrize(
    ("path", "nature"),
    [
        ("/w/MEMORY.md", LASTING),
        ("/w/memory.md", LASTING),
        ("/w/USER.md", LASTING),
        ("/w/memory/2026-03-08.md", DAILY),
        ("/w/memory/2026-03-08-nvda-price.md", DAILY),
        ("/w/memory/2026-02-30.md", None),
        ("/w/DREAMS.md", None),
        ("/w/memory/.dreams/2026-03-08.md", None),
        ("/w/memory/dreaming/2026-03-08.md", None),
        ("/w/SOUL.md", None),
    ],
)
def test_a_file_is_known_by_its_name(path: str, nature: Nature | None) -> None:
    """OpenClaw's own consolidation is no note: it repeats the others."""
    assert nature_of(PurePath(path)) == nature


def test_what_openclaw_wrote_into_a_new_file_is_no_memory() -> None:
    """Hints how to fill it in, of today's file and of older ones, are nobody's words; the person's are."""
    text = (
        "# USER.md\n\nUse one directive per entry:\n\n"
        "- Begin each directive with an imperative such as `Always`, `Never`, or `Prefer`.\n- Prefer ...\n"
        "*Learn about the person you're helping. Update this as you go.*\n\n- Prefer short answers.\n"
    )
    document = read(text, LASTING)
    assert [note.text for note in document.notes] == ["Prefer short answers."]
    assert document.passed == {"template": 4}


def test_the_remark_before_an_entry_says_when_it_was_observed_and_whether_it_holds() -> None:
    """OpenClaw keeps both in comments: what is superseded is no memory, and a heading ends a remark."""
    text = (
        "# USER.md\n\n<!-- observed: 2026-03-08 | status: superseded -->\n\n- Prefer tea.\n\n"
        "<!-- observed: 2026-05-01 | status: active -->\n\n- Prefer coffee.\n\n## Related\n\n- Never call.\n"
    )
    document = read(text, LASTING)
    assert [(note.text, note.day) for note in document.notes] == [
        ("Prefer coffee.", date(2026, 5, 1)),
        ("Never call.", None),
    ]
    assert document.passed == {"struck": 1}


def test_each_statement_is_one_note_with_its_line() -> None:
    """Marks are taken off; nested entries know what leads them; a row is a name and its value."""
    text = (
        "# MEMORY.md\n\n## About Alex\n- **Prefers** prices in `EUR`\n- Servers:\n  - web: debian\n"
        "  1. db: alpine\n"
        "- 早上九点前不接电话\n\n| Item | Value |\n|---|---|\n| NAS | nas.lan |\n"
    )
    found = [(note.number, note.text, note.category) for note in read(text, LASTING).notes]
    assert found == [
        (4, "Prefers prices in EUR", "About Alex"),
        (6, "Servers: web: debian", "About Alex"),
        (7, "Servers: db: alpine", "About Alex"),
        (8, "早上九点前不接电话", "About Alex"),
        (12, "NAS: nas.lan", "About Alex"),
    ]


def test_a_wide_row_is_told_with_its_columns() -> None:
    """Else nobody knows what its cells mean."""
    assert _texts("| Who | Role | Since |\n|--|--|--|\n| Ann | boss | 2020 |\n") == [
        "Ann (Role: boss; Since: 2020)"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one line\ngoes on here", ["one line goes on here"]),
        ("第一行\n接着写", ["第一行接着写"]),
        ("Runs a startup.\nLives in Bonn.", ["Runs a startup.", "Lives in Bonn."]),
        ("在波恩生活。\n有一只猫。", ["在波恩生活。", "有一只猫。"]),
    ],
)
def test_lines_of_a_paragraph_are_parted_where_sentences_end(text: str, expected: list[str]) -> None:
    """A wrapped sentence is one statement; Chinese needs no blank between its lines."""
    assert _texts(text) == expected


def test_what_is_crossed_out_is_left_out() -> None:
    """The whole line, also with a remark behind it; or the part of it."""
    text = "- ~~uses MySQL~~ (superseded)\n- ~~住在上海~~\n- uses ~~MySQL~~ Postgres\n"
    document = read(text, LASTING)
    assert [note.text for note in document.notes] == ["uses Postgres"]
    assert document.passed == {"struck": 2}


def test_what_says_nothing_is_passed_over() -> None:
    """Comments, code, front matter and fields that nobody filled in."""
    text = (
        "---\ntitle: x\n---\n<!-- not\n- this\n-->\n```\ncode: no\n```\n- **Name:** Alex\n"
        "- **Pronouns:** _(optional)_\n"
        "- Email: TBD\n- 电话：\n- 生日：（待填）\n\n_(Build this over time.)_\n"
    )
    document = read(text, LASTING)
    assert [(note.number, note.text) for note in document.notes] == [(10, "Name: Alex")]
    assert document.passed == {"template": 5}


def test_a_daily_note_knows_its_hour_and_what_is_done() -> None:
    """The hour stands in a heading; a box that is ticked says so in words."""
    text = (
        "# 2026-03-08\n## 10:05 Prices\n- [x] fix it\n- [ ] call Bob\n- [x] 修好了灯\n- [ ] 交房租\n"
        "## 晚上\n- 讨论了发票\n"
    )
    notes = read(text, DAILY).notes
    assert [note.text for note in notes] == [
        "fix it (done)", "To do: call Bob", "修好了灯（已完成）", "待办：交房租", "讨论了发票",
    ]  # fmt: skip
    assert [note.minute for note in notes] == [605, 605, 605, 605, None]
    assert {note.day for note in notes} == {date(2026, 3, 8)}
    assert {note.category for note in notes} == {None}


def test_a_session_note_does_not_repeat_the_session() -> None:
    """The transcript is brought in from the session itself; other sections are notes."""
    text = (
        "# Session: 2026-03-08 09:00\n\n- **Session Key**: agent:main:main\n\n## Conversation Summary\n\n"
        "user: hi\nassistant: hello\n\n## Outcome\n\n- chose Postgres\n"
    )
    document = read(text, DAILY)
    assert [note.text for note in document.notes] == ["chose Postgres"]
    assert set(document.passed) == {"transcript"}


def test_headings_and_dates_say_what_a_note_is() -> None:
    """A decision below `Decisions`, in either language; a leading date is its day."""
    text = (
        "# M\n## Decisions\n- 2026-03-08: uses Postgres\n## 偏好\n- 喝绿茶\n## Lessons Learned\n- ask first\n"
    )
    first, second, third = read(text, LASTING).notes
    assert (first.memory_type, first.day) == (MemoryType.DECISION, date(2026, 3, 8))
    assert (second.memory_type, third.memory_type) == (MemoryType.PREFERENCE, MemoryType.CORRECTION)


@pytest.mark.parametrize(
    "text", ["", "\ufeff", "~~", "|", "- ", "[" * 5_000, "- " * 2_000 + "x", "```", "---\n"]
)
def test_no_text_breaks_the_reading(text: str) -> None:
    """Whatever stands in a file, there is an answer."""
    assert isinstance(read(text, LASTING), Document)


def test_deep_lists_are_read_to_their_end() -> None:
    """Nothing below or after the tenth level is lost."""
    deep = "".join(f"{'  ' * level}- level {level}\n" for level in range(20))
    assert _texts(f"# M\n{deep}- after it\n") == [f"level {level}" for level in range(20)] + ["after it"]


def test_what_is_no_statement_for_its_length_is_counted() -> None:
    """Nor is a whole page told again with each entry below it."""
    document = read(f"- {'long ' * 10_000}\n- short\n", LASTING)
    assert ([note.text for note in document.notes], document.passed) == (["short"], {"too_large": 1})
    assert _texts(f"- {'a lead ' * 200}:\n  - one\n  - two\n")[1:] == ["one", "two"]
    assert _texts("- NAS:\n  - in the cellar\n") == ["NAS: in the cellar"]


def test_a_changed_line_is_told_from_a_new_one() -> None:
    """By its words wherever it stands, by its name before a colon, by its place; not by moving."""
    words = {
        "a": "drinks green tea every morning", "b": "NAS: old", "c": "has a cat", "d": "plays chess",
        "A": "drinks black tea every morning", "B": "NAS: all other", "C": "x y z", "n": "new thing",
    }  # fmt: skip
    assert compare("abcd", "bdca", words) == compare("", "", {})
    assert compare("abcd", "BdCcA", words).edited == {"A": "a", "B": "b"}
    assert compare("abcd", "abCd", words).edited == {"C": "c"}
    changes = compare("abcd", "abn", words)
    assert (changes.edited, changes.gone, changes.fresh) == ({}, ["c", "d"], ["n"])


def test_a_date_before_two_things_makes_them_no_versions_of_one() -> None:
    """Nor does an open box."""
    words = {
        "a": "2026-03-08: chose Postgres",
        "b": "To do: taxes",
        "x": "q",
        "A": "2026-03-08: met Ann",
        "B": "To do: flowers",
    }
    assert compare("abx", "xAB", words).edited == {}
