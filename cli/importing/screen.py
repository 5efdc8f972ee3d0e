"""An import's report for a person."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cli import moments
from cli.importing.report import faults_in_order
from cli.show import left_out
from cli.terminal import Terminal

_SHOWN_FAULTS = 20
_SHOWN_FILES = 5
_LIKE_DATA = frozenset({".json", ".jsonl", ".md", ".txt", ".sqlite", ".db", ".zip"})
_PACKED = (".zst", ".gz")
_SHOWN_SOURCES = 40


def show(terminal: Terminal, report: Mapping[str, Any]) -> None:
    """What was found, what was left out and why, and the sum; each record is counted once."""
    _show_faults(terminal, report)
    sources = report["sources"]
    if report["dry_run"] or len(sources) > 1:
        _show_sources(terminal, sources)
    _show_passed(terminal, report["passed"])
    _show_foreign(terminal, report["foreign"])
    if report["watched"]:
        terminal.tell("import.watched", count=report["watched"])
    if report["other_users"]:
        terminal.warn("import.others", count=report["other_users"], user=terminal.user)
    if report["dry_run"]:
        _show_plan(terminal, report)
    else:
        _show_sum(terminal, report)


def _show_sum(terminal: Terminal, report: Mapping[str, Any]) -> None:
    shown = {name: report[name] for name in ("lines", "accepted", "duplicates")}
    facts = report["facts_added"] + report["facts_known"]
    passed = sum(report["passed"].values())
    terminal.tell("import.done", **shown, left_out=_left_out(report), passed=passed, facts=facts)
    if report["accepted"] > report["restored"]:
        terminal.tell("import.waiting")
    if facts:
        terminal.tell("import.added", added=report["facts_added"], known=report["facts_known"])
    if report["facts_ended"]:
        terminal.tell("import.ended", count=report["facts_ended"])


def _show_plan(terminal: Terminal, report: Mapping[str, Any]) -> None:
    events = sum(source["events"] for source in report["sources"])
    facts = sum(source["facts"] for source in report["sources"])
    terminal.tell("import.planned", events=events, facts=facts, left_out=_left_out(report))
    if report["compared"]:
        terminal.tell("import.compared", new=report["accepted"], known=report["duplicates"])
    else:
        terminal.tell("import.not_compared")
    terminal.tell("dry")


def _left_out(report: Mapping[str, Any]) -> int:
    return int(report["bad_count"] + report["skipped_count"])


def _show_sources(terminal: Terminal, sources: Iterable[Mapping[str, Any]]) -> None:
    rows = [
        (
            terminal.say.word("format", source["format"]),
            str(source["sessions"]),
            str(source["events"]),
            str(source["facts"]),
            _span(source),
            source["file"],
        )
        for source in sources
    ]
    if rows:
        terminal.table(("format", "sessions", "turns", "facts", "span", "source"), rows[:_SHOWN_SOURCES])
    if len(rows) > _SHOWN_SOURCES:
        terminal.tell("import.more_sources", count=len(rows) - _SHOWN_SOURCES)


def _span(source: Mapping[str, Any]) -> str:
    if source["first"] is None:
        return "-"
    return f"{moments.show(source['first'])} – {moments.show(source['last'])}"


def _show_passed(terminal: Terminal, passed: Mapping[str, int]) -> None:
    for reason, count in passed.items():
        if reason == "own_fact":
            terminal.tell("import.facts", count=count)
        else:
            terminal.tell("import.passed", count=count, reason=terminal.say.word("skip", reason))


def _show_foreign(terminal: Terminal, files: list[str]) -> None:
    """Those that a person could take for data; a home of OpenClaw has thousands of pictures and scripts."""
    for file in [file for file in files if _is_like_data(file)][:_SHOWN_FILES]:
        terminal.tell("import.left_alone", file=file)


def _is_like_data(file: str) -> bool:
    name = Path(file.lower())
    packed = name.suffix in _PACKED
    return (name.with_suffix("") if packed else name).suffix in _LIKE_DATA


def _show_faults(terminal: Terminal, report: Mapping[str, Any]) -> None:
    for fault in list(faults_in_order(report))[:_SHOWN_FAULTS]:
        at = "import.at" if fault["line"] is not None else "import.in"
        terminal.warn(at, file=fault["file"], number=fault["line"], reason=_reason(terminal, fault))
    if _left_out(report) > _SHOWN_FAULTS:
        terminal.warn("import.rest", count=_left_out(report) - _SHOWN_FAULTS)


def _reason(terminal: Terminal, fault: Mapping[str, Any]) -> str:
    if fault["reason"].startswith("import."):
        return terminal.say(fault["reason"], **fault["fields"])
    return left_out(terminal, fault["reason"], fault["detail"])
