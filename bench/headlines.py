"""The few figures that the READMEs name, in both languages, each taken from a result."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bench.results import Result

Read = Callable[[str], Result | None]
Find = Callable[[Read], str | None]


@dataclass(frozen=True, slots=True)
class Headline:
    """What it says in each language, and where its figure comes from: None where it was not measured."""

    english: str
    chinese: str
    find: Find


def at(measure: str, *keys: str, form: str) -> Find:
    """A figure of a result, or two of the same name space: `form` has their places."""

    def find(read: Read) -> str | None:
        result = read(measure)
        values = [_value(result.figures, key.split("/")) for key in keys] if result else [None]
        return None if None in values else form.format(*values)

    return find


def beside(peer: str, size: int) -> Find:
    """How many times the CPU of memud's question another program's takes, in one run."""

    def find(read: Read) -> str | None:
        result = read("peers")
        ours, theirs = (_asked(result, name, size) for name in ("memud", peer))
        if ours is None or theirs is None or ours[0] != theirs[0] or theirs[1] < ours[1]:
            return None
        times = theirs[1] / ours[1]
        return f"{times:,.0f} ×" if times >= 10 else f"{times:.1f} ×"

    return find


def _asked(result: Result | None, peer: str, size: int) -> tuple[str, float] | None:
    """The run, and the CPU of a question in it."""
    one = result.figures.get(peer, {}) if result else {}
    cpu_ms = _value(one, ("time", "sizes", str(size), "cpu_p50_ms"))
    return None if cpu_ms is None else (one["run"], cpu_ms)


HEADLINES = (
    Headline(
        "a recall among 10,000 texts, the question embedded by the built-in model: CPU",
        "在一万条文本中召回一次，含内置模型的向量计算：CPU 时间",
        at("latency", "recall/cpu_p50_ms", form="{:.0f} ms"),
    ),
    Headline(
        "a captured turn, until it is safely on the disk",
        "写入一句话，直到安全落盘",
        at("latency", "capture, acknowledged/p50_ms", form="{:.1f} ms"),
    ),
    Headline(
        "acknowledged turns lost in 50 × `kill -9`",
        "`kill -9` 五十次，丢失的已确认内容",
        at("durability", "kill -9 during capture/lost", "kill -9 during capture/acked", form="{} / {}"),
    ),
    Headline(
        "CPU of memu-cli's retrieve beside memud's recall, 10,000 notes",
        "一万条笔记：memu-cli 检索的 CPU 时间是 memud 召回的多少倍",
        beside("memu_cli", 10_000),
    ),
    Headline(
        "CPU of mem0's search with qdrant beside memud's recall, 5,000 notes",
        "五千条笔记：mem0（qdrant）搜索的 CPU 时间是 memud 召回的多少倍",
        beside("mem0_qdrant", 5_000),
    ),
    Headline(
        "memory of the whole daemon at 10,000 texts",
        "一万条文本时整个守护进程的内存",
        at("footprint", "idle, 10,000 texts/rss_mb", form="{:.0f} MB"),
    ),
    Headline(
        "disk for a text at 100,000 of them, vector and all indexes included",
        "十万条文本时每条占用的磁盘，含向量和全部索引",
        at("growth", "100,000 texts, 384 dimensions, 1 user/disk_kb_a_text", form="{:.1f} kB"),
    ),
)


def shown(read: Read, headlines: tuple[Headline, ...] = HEADLINES) -> Iterator[tuple[Headline, str]]:
    """Each headline whose figure was measured, with that figure."""
    for headline in headlines:
        if (figure := headline.find(read)) is not None:
            yield headline, figure


def _value(figures: Mapping[str, Any], keys: tuple[str, ...] | list[str]) -> Any:
    found: Any = figures
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found
