"""Under which conditions a set is measured."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evaluation.writing import check_writable
from memory.errors import InvalidError

Baseline = Literal["fulltext", "dense"]
Step = Literal["fill", "settle", "fit", "add", "search", "recall", "watch", "age"]
Progress = Callable[[Step, int, int], None]  # the step, how far, of how many

_CACHE_HINT = "name another file with --cache; --words-only needs none"
_SECRET = re.compile(r"(?i).*(key|token|secret|password)")
_SETTING = re.compile(r"MEMUD_\w+?__\w+")


@dataclass(frozen=True, slots=True)
class Conditions:
    """`words_only`: without an embedder. `cache` keeps vectors from run to run. `limit` counts questions.

    `is_data_named`: somebody said which folder, so that what is missing in it is an error.
    """

    data: Path
    cache: Path | None = None
    words_only: bool = False
    limit: int | None = None
    baseline: Baseline | None = None
    is_data_named: bool = True

    def settings(self) -> dict[str, str]:
        """The daemon's settings: those of the environment, and what the conditions ask for."""
        chosen = {name: value for name, value in os.environ.items() if _SETTING.fullmatch(name)}
        if self.words_only:
            return {**chosen, "MEMUD_EMBED__PROVIDER": "none"}
        return {**chosen, "MEMUD_EMBED__CACHE": str(self.cache)} if self.cache else chosen

    def make_room(self) -> None:
        """Make the folder that the cache will lie in. Raises InvalidError where it can't be written."""
        if not self.cache or self.words_only:
            return
        try:
            self.cache.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"the cache of vectors can't be written to {self.cache}: {error.strerror}"
            raise InvalidError(message, hint=_CACHE_HINT) from error
        check_writable(self.cache, "the cache of vectors", _CACHE_HINT)

    def told(self) -> dict[str, Any]:
        """What changes the figures, for the report."""
        settings = {
            name: value
            for name, value in self.settings().items()
            if name != "MEMUD_EMBED__CACHE" and not _SECRET.fullmatch(name)
        }
        return {
            "baseline": self.baseline,
            "words_only": self.words_only,
            "limit": self.limit,
            "settings": settings,
        }


def default_cache(env: Mapping[str, str]) -> Path:
    """vectors.db in the user's cache folder."""
    base = env.get("XDG_CACHE_HOME", "")
    folder = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
    return folder / "memud" / "vectors.db"
