"""The few figures that the READMEs name, in both languages, each taken from a result."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bench.results import Result

Read = Callable[[str], Result | None]


@dataclass(frozen=True, slots=True)
class Headline:
    """What it says in each language, and where its figure stands: measure, then keys."""

    english: str
    chinese: str
    measure: str
    keys: tuple[str, ...]
    form: str


HEADLINES = (
    Headline(
        "recall among 10,000 texts, the question's vector included, median",
        "在一万条文本中召回（含问题的向量计算），中位数",
        "latency", ("recall", "p50_ms"), "{:.1f} ms",
    ),
    Headline(
        "the same, asked again",
        "同一问题再次召回",
        "latency", ("recall, asked again", "p50_ms"), "{:.1f} ms",
    ),
    Headline(
        "capture until it is safely on the disk",
        "写入一条，直到安全落盘",
        "latency", ("capture, acknowledged", "p50_ms"), "{:.1f} ms",
    ),
    Headline(
        "memory of the whole daemon at 10,000 texts",
        "一万条文本时整个守护进程的内存",
        "footprint", ("idle, 10,000 texts", "rss_mb"), "{:.0f} MB",
    ),
)  # fmt: skip


def shown(read: Read, headlines: tuple[Headline, ...] = HEADLINES) -> Iterator[tuple[Headline, str]]:
    """Each headline whose figure was measured, with that figure."""
    for headline in headlines:
        result = read(headline.measure)
        value = _value(result.figures, headline.keys) if result else None
        if value is not None:
            yield headline, headline.form.format(value)


def _value(figures: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    found: Any = figures
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found
