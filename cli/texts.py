"""The sentences of the commands and the daemon in the reader's language."""

from collections.abc import Mapping
from typing import Literal

from cli.heard import in_chinese, in_english
from cli.helps import HELPS
from cli.importing.texts import IMPORTS
from cli.machine_messages import MACHINE
from cli.messages import MESSAGES
from cli.openclaw.texts import OPENCLAW
from cli.words import WORDS

Language = Literal["en", "zh"]

TEXTS: Mapping[str, tuple[str, str]] = {**MESSAGES, **MACHINE, **HELPS, **WORDS, **IMPORTS, **OPENCLAW}


def language(env: Mapping[str, str]) -> Language:
    """Chinese where the locale is Chinese, else English; the first locale variable that is set counts."""
    locale = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"


class Texts:
    """The sentences in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._column = 0 if language == "en" else 1

    def __call__(self, key: str, **fields: object) -> str:
        """The sentence with its fields filled in."""
        return TEXTS[key][self._column].format(**fields)

    def word(self, group: str, word: str) -> str:
        """A type, state, detector and the like by its name; one that is not known stands for itself."""
        known = TEXTS.get(f"{group}.{word}")
        return known[self._column] if known else word.replace("_", " ")

    def heard(self, sentence: str) -> str:
        """What the daemon said, in the reader's language where it is known."""
        return in_english(sentence) if self.language == "en" else in_chinese(sentence)

    def span(self, seconds: float) -> str:
        """A length of time, as exact as a person wants it."""
        for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
            if seconds >= 2 * size or (unit == "min" and seconds >= size):
                return self(f"time.{unit}", n=int(seconds // size))
        return self("time.s", n=int(seconds))
