"""What the commands say: complete in both languages, whatever the locale."""

import re
import string
from pathlib import Path

import pytest

import cli
from cli.app import COMMANDS, build
from cli.helps import HELPS
from cli.texts import MESSAGES, TEXTS, Texts, language

_SOURCES = [path.read_text(encoding="utf-8") for path in sorted(Path(cli.__path__[0]).glob("*.py"))]


def _fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_both_languages_say_the_same(key: str) -> None:
    """Each sentence exists in both languages and shows the same values."""
    english, chinese = TEXTS[key]
    assert bool(english) == bool(chinese)
    assert _fields(english) == _fields(chinese)


def test_no_key_stands_for_two_sentences() -> None:
    """Messages and helps do not hide one another."""
    assert not set(MESSAGES) & set(HELPS)


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
    code = "\n".join(source for source in _SOURCES if "MESSAGES" not in source and "HELPS" not in source)
    composed = ("add.", "check.", "column.", "error.", "help.", "mark.", "status.", "time.", "import.")
    unsaid = [key for key in TEXTS if f'"{key}"' not in code and not key.startswith(composed)]
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
    sentences = {pair[column] for pair in HELPS.values()}
    assert set(command.commands) == {name for name, _ in COMMANDS}
    for part in command.commands.values():
        assert part.help in sentences
        assert {parameter.help for parameter in part.params} <= sentences


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [(5, "5 s", "5 秒"), (61, "1 min", "1 分钟"), (7_200, "2 h", "2 小时"), (864_000, "10 days", "10 天")],
)
def test_spans_are_as_exact_as_a_person_wants_them(seconds: int, english: str, chinese: str) -> None:
    """Seconds for seconds, days for days."""
    assert Texts("en").span(seconds) == english
    assert Texts("zh").span(seconds) == chinese
