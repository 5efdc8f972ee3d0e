"""Under which conditions a set is measured."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Baseline = Literal["fulltext", "dense"]
Step = Literal["fill", "settle", "fit", "add", "search", "recall", "watch", "age"]
Progress = Callable[[Step, int, int], None]  # the step, how far, of how many

_SECRET = re.compile(r"(?i).*(key|token|secret|password)")
_SETTING = re.compile(r"MEMUD_\w+?__\w+")


@dataclass(frozen=True, slots=True)
class Conditions:
    """`words_only`: without an embedder. `cache` keeps vectors from run to run. `limit` counts questions."""

    data: Path
    cache: Path | None = None
    words_only: bool = False
    limit: int | None = None
    baseline: Baseline | None = None

    def settings(self) -> dict[str, str]:
        """The daemon's settings: those of the environment, and what the conditions ask for."""
        chosen = {name: value for name, value in os.environ.items() if _SETTING.fullmatch(name)}
        if self.words_only:
            return {**chosen, "MEMUD_EMBED__PROVIDER": "none"}
        return {**chosen, "MEMUD_EMBED__CACHE": str(self.cache)} if self.cache else chosen

    def make_room(self) -> None:
        """Make the folder that the cache will lie in."""
        if self.cache and not self.words_only:
            self.cache.parent.mkdir(parents=True, exist_ok=True)

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
