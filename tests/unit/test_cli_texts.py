"""What the commands say: complete in both languages, whatever the locale."""

import re
import string
import typing
import unicodedata
from pathlib import Path

import pytest

import cli
from cli import operate, options, proactive, talk
from cli.app import COMMANDS, build, main
from cli.helps import HELPS
from cli.importing.texts import IMPORTS
from cli.machine_messages import MACHINE
from cli.messages import MESSAGES
from cli.openclaw.texts import OPENCLAW
from cli.texts import TEXTS, Texts, language
from cli.words import WORDS
from evaluation.conditions import Step
from memory.model import Kind, MemoryType, ProactiveState, QueueState, Role
from memory.recall.asking import Missing
from tests.scored import turn

_SOURCES = [path.read_text(encoding="utf-8") for path in sorted(Path(cli.__path__[0]).rglob("*.py"))]


def _fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_part_that_could_not_help_has_words() -> None:
    """A warning names the part in the reader's language, whichever it is."""
    assert {f"part.{name}" for name in typing.get_args(Missing)} == {
        k for k in WORDS if k.startswith("part.")
    }


def test_every_factor_of_an_explanation_has_words() -> None:
    """All but the score, which stands in the line above them."""
    told = {f"factor.{name}" for name in turn(1).factors if name != "score"}
    assert told - WORDS.keys() == set()


def test_every_step_of_a_measurement_has_words() -> None:
    """The progress bar says what is going on, whichever set it is."""
    assert {f"step.{name}" for name in typing.get_args(Step)} == {k for k in MACHINE if k.startswith("step.")}


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_both_languages_say_the_same(key: str) -> None:
    """Each sentence exists in both languages and shows the same values."""
    english, chinese = TEXTS[key]
    assert bool(english) == bool(chinese)
    assert _fields(english) == _fields(chinese)


def test_no_key_stands_for_two_sentences() -> None:
    """Messages and helps do not hide one another."""
    assert len(TEXTS) == len(MESSAGES) + len(MACHINE) + len(HELPS) + len(WORDS) + len(IMPORTS) + len(OPENCLAW)


def test_every_sentence_a_command_names_exists() -> None:
    """No command ends in a missing text."""
    named = {
        key
        for source in _SOURCES
        for key in re.findall(r'(?:say|tell|warn|refuse|sure)\(\s*"([a-z_.]+)"', source)
        + re.findall(r'help="([a-z_.]+)"', source)
    }
    assert len(named) > 80
    assert named <= set(TEXTS)


def test_every_sentence_is_said_somewhere() -> None:
    """Texts that nobody says any more are deleted."""
    code = "\n".join(source for source in _SOURCES if ": Mapping[str, tuple[str, str]]" not in source)
    composed = (
        "add.",
        "check.",
        "column.",
        "error.",
        "help.",
        "mark.",
        "status.",
        "step.",
        "time.",
        "import.",
        "openclaw.bad.",
        "openclaw.check.",
        "openclaw.fail.",
        "openclaw.heartbeat.",
    )
    unsaid = [
        key
        for key in {**MESSAGES, **MACHINE, **HELPS, **IMPORTS, **OPENCLAW}
        if f'"{key}"' not in code and not key.startswith(composed)
    ]
    assert unsaid == []


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LC_ALL": "en_GB", "LC_MESSAGES": "zh_CN", "LANG": "zh_CN"}, "en"),
        ({"LC_ALL": "", "LANG": "zh"}, "zh"),
    ],
)
def test_the_first_locale_that_is_set_decides(env: dict[str, str], expected: str) -> None:
    """As with every other program of the system."""
    assert language(env) == expected


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_every_command_and_option_has_help_in_the_readers_language(tongue: str) -> None:
    """No key shines through where a sentence should be."""
    command = build(Texts("zh" if tongue == "zh" else "en"))
    column = 1 if tongue == "zh" else 0
    sentences = {pair[column].format() for pair in HELPS.values()}
    assert set(command.commands) == {name for name, _ in COMMANDS}
    for part in command.commands.values():
        assert part.help in sentences
        assert {parameter.help for parameter in part.params} <= sentences


@pytest.mark.parametrize("name", ["", *(name for name, _ in COMMANDS)])
def test_a_help_page_is_chinese_throughout(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Headings, places and defaults too; no line is wider than the terminal, Chinese signs counted twice."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*name.split(), "--help"]) == 0
    page = capsys.readouterr().out
    assert "用法：memud" in page
    assert "显示本说明并退出" in page
    assert not re.search(r"Usage|Options|Arguments|Commands|default|required|Show", page)
    assert max(_cells(line) for line in page.splitlines()) <= 80


def _cells(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in text)


def test_the_values_that_options_offer_are_those_of_the_domain() -> None:
    """A type, state or role that the daemon learns can be named by an option, and has a name in words."""
    offered = {
        MemoryType: (options.MemoryType, "type"),
        Kind: (options.Kind, "kind"),
        Role: (talk.Role, "role"),
        QueueState: (operate.State, "state"),
        ProactiveState: (proactive.State, "state"),
    }
    for values, (annotation, group) in offered.items():
        literal = typing.get_args(annotation)[0]
        known = [value for part in (literal, *typing.get_args(literal)) for value in typing.get_args(part)]
        assert {str(value) for value in values} == {value for value in known if isinstance(value, str)}
        assert {f"{group}.{value}" for value in values} <= set(WORDS)


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [(5, "5 s", "5 秒"), (61, "1 min", "1 分钟"), (7_200, "2 h", "2 小时"), (864_000, "10 days", "10 天")],
)
def test_spans_are_as_exact_as_a_person_wants_them(seconds: int, english: str, chinese: str) -> None:
    """Seconds for seconds, days for days."""
    assert Texts("en").span(seconds) == english
    assert Texts("zh").span(seconds) == chinese
