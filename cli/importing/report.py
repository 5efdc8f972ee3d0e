"""What an import found and what became of it, by source and in all."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cli.importing.found import Document, Fact, Fault, Found, Passed, Place, Whole

_KEPT_FAULTS = 1_000  # of each kind; a file of a million broken lines is told by its first ones


@dataclass(slots=True)
class Tally:
    """One source: what stands in it."""

    file: str
    format: str
    sessions: set[str] = field(default_factory=set)
    turns: int = 0
    facts: int = 0
    bad: int = 0
    first: int | None = None
    last: int | None = None
    passed: Counter[str] = field(default_factory=Counter)

    def note(self, found: Found) -> None:
        """Count what was found."""
        if isinstance(found, Passed):
            self.passed[found.reason] += 1
        elif isinstance(found, Fault):
            self.bad += 1
        elif isinstance(found, Document):
            self.facts += found.statements
            for moment in found.moments:
                self._note_time(moment)
        elif isinstance(found, Whole):
            self.facts += found.record.get("type") == "item"
            self.turns += found.record.get("type") == "turn"
        elif isinstance(found, Fact):
            self.facts += 1
            self._note_time(found.statement.get("timestamp"))
        else:
            self.turns += 1
            self.sessions.add(found.scope.get("session_id", ""))
            self._note_time(found.event.get("timestamp"))

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "file": self.file,
            "format": self.format,
            "sessions": len(self.sessions),
            "events": self.turns,
            "facts": self.facts,
            "bad": self.bad,
            "first": self.first,
            "last": self.last,
            "passed": dict(sorted(self.passed.items())),
        }

    def _note_time(self, time: Any) -> None:
        if isinstance(time, int):
            self.first = time if self.first is None else min(self.first, time)
            self.last = time if self.last is None else max(self.last, time)


class Report:
    """The whole import. Every record that was found is counted once in `found`."""

    def __init__(self, user: str | None = None, *, dry_run: bool = False) -> None:
        self.tallies: list[Tally] = []
        self.passed: Counter[str] = Counter()
        self.totals: Counter[str] = Counter()
        self.bad: list[dict[str, Any]] = []
        self.skipped: list[dict[str, Any]] = []
        self.is_compared = True  # with what the daemon knows; it need not run for a dry run
        self._user = user
        self._dry_run = dry_run
        self._foreign: list[str] = []

    def opens(self, file: str, kind: str) -> None:
        """What is noted from now on stands in this source."""
        self.tallies.append(Tally(file, kind))

    def note(self, found: Found) -> None:
        """Count a record of the source that was opened last, or a file that is none."""
        if self.tallies:
            self.tallies[-1].note(found)
        self._count(found)

    def note_file(self, file: Passed | Fault) -> None:
        """Count a file that is no source."""
        if isinstance(file, Passed) and file.reason == "foreign" and len(self._foreign) < _KEPT_FAULTS:
            self._foreign.append(file.place.file)
        self._count(file)

    def taken(self, accepted: int, duplicates: int) -> None:
        """What the daemon said of turns."""
        self.totals["accepted"] += accepted
        self.totals["duplicates"] += duplicates

    def restored(self, added: int, known: int) -> None:
        """What the daemon said of records that bring their facts along."""
        self.taken(added, known)
        self.totals["restored"] += added

    def fact_taken(self, action: str) -> None:
        """What the daemon said of a fact."""
        self.totals["facts_known" if action == "known" else "facts_added"] += 1

    def notes_taken(self, reply: Mapping[str, Any]) -> None:
        """What the daemon said of a file of notes."""
        self.totals["facts_added"] += reply["added"] + reply["edited"]
        self.totals["facts_known"] += reply["known"]
        self.totals["facts_ended"] += reply["ended"]

    def left_out(self, place: Place, reason: str, detail: str) -> None:
        """A record that the daemon did not keep."""
        self.totals["skipped"] += 1
        if len(self.skipped) < _KEPT_FAULTS:
            self.skipped.append({"file": place.file, "line": place.line, "reason": reason, "detail": detail})

    @property
    def is_whole(self) -> bool:
        """Whether everything could be read and was kept or known."""
        return not self.totals["bad"] and not self.totals["skipped"]

    def as_json(self) -> dict[str, Any]:
        """For programs: the sums, then the details; of faults the first thousand."""
        names = (
            "accepted",
            "duplicates",
            "facts_added",
            "facts_known",
            "facts_ended",
            "restored",
            "other_users",
        )
        return {
            "dry_run": self._dry_run,
            "compared": self.is_compared,
            "lines": self.totals["found"],
            **{name: self.totals[name] for name in (*names, "other_users")},
            "facts": self.passed["own_fact"],
            "passed": dict(sorted(self.passed.items())),
            "bad_count": self.totals["bad"],
            "skipped_count": self.totals["skipped"],
            "bad": self.bad,
            "skipped": self.skipped,
            "watched": self.totals["watched"],
            "foreign": self._foreign,
            "sources": [tally.as_json() for tally in self.tallies],
        }

    def _count(self, found: Found) -> None:
        self.totals["found"] += found.statements if isinstance(found, Document) else 1
        if isinstance(found, Passed):
            self.passed[found.reason] += 1
        elif isinstance(found, Fault):
            self.totals["bad"] += 1
            if len(self.bad) < _KEPT_FAULTS:
                self.bad.append(_fault(found))
        elif isinstance(found, Document):
            self.totals["watched"] += found.watch
        elif isinstance(found, Whole):
            pass  # it names no user
        elif self._user is not None and found.scope.get("user_id", self._user) != self._user:
            self.totals["other_users"] += 1


def _fault(fault: Fault) -> dict[str, Any]:
    place = fault.place
    return {"file": place.file, "line": place.line, "reason": fault.reason, "fields": dict(fault.fields)}


def faults_in_order(report: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """What was bad or left out, by file and line."""
    return sorted([*report["bad"], *report["skipped"]], key=lambda fault: (fault["file"], fault["line"] or 0))
