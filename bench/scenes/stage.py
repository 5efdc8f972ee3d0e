"""The daemon as an agent and its owner see it: replay, wait, look, kill, start again."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memud_client import Client, InvalidError

from bench.scenes.child import Child
from bench.scenes.conversation import Conversation, Line

DIGEST_S = 45.0
SETTLE_S = 10.0
POLL_S = 0.1


@dataclass(slots=True)
class Replayed:
    """What the daemon answered to a whole conversation."""

    accepted: int = 0
    duplicates: int = 0
    skipped: list[Mapping[str, Any]] = field(default_factory=list)
    compactions_due: list[int] = field(default_factory=list)  # line numbers

    @property
    def answered(self) -> int:
        """Events with a known fate."""
        return self.accepted + self.duplicates + len(self.skipped)


@dataclass(frozen=True, slots=True)
class Stage:
    """One conversation on one daemon."""

    child: Child
    client: Client
    conversation: Conversation

    @property
    def session_id(self) -> str:
        """The session that the conversation ends in."""
        return self.conversation.lines[-1].session_id

    def replay(self, tick: Callable[[], None]) -> Replayed:
        """Hand the turns over one by one, as an agent does."""
        replayed = Replayed()
        for line in self.conversation.lines:
            self._send(line, replayed)
            tick()
        return replayed

    def _send(self, line: Line, replayed: Replayed) -> None:
        try:
            reply = self.capture(line)
        except InvalidError as error:
            refused = {"key": line.event["key"], "reason": error.reason, "detail": str(error)}
            replayed.skipped.append(refused)
            return
        replayed.accepted += reply["accepted"]
        replayed.duplicates += reply["duplicates"]
        replayed.skipped.extend(reply["skipped"])
        if (reply.get("compaction") or {}).get("due"):
            replayed.compactions_due.append(line.number)

    def capture(self, line: Line) -> Mapping[str, Any]:
        """One turn; what is accepted is on the disk when this returns."""
        options = {"session_id": line.session_id} | ({"context": line.context} if line.context else {})
        reply: Mapping[str, Any] = self.client.call("capture", events=[line.event], **options)
        return reply

    def settled_health(self) -> Mapping[str, Any]:
        """The health once it is `ok`, or as it is after ten seconds; the index is loaded after READY."""
        until = time.monotonic() + SETTLE_S
        health: Mapping[str, Any] = self.client.health()
        while health["status"] != "ok" and time.monotonic() < until:
            time.sleep(POLL_S)
            health = self.client.health()
        return health

    def digest(self, left: Callable[[int], None]) -> bool:
        """Wait until facts are extracted and vectors made; False if that takes too long."""
        until = time.monotonic() + DIGEST_S
        while time.monotonic() < until:
            health = self.client.health()
            waiting = health["queue"]["queued"] + health["queue"]["leased"] + health["embedder"]["pending"]
            left(waiting)
            if not waiting:
                return True
            time.sleep(POLL_S)
        return False

    def recall(self, query: str) -> tuple[Mapping[str, Any], float]:
        """What an agent would get before this prompt at the end of the conversation, and the milliseconds."""
        begun = time.monotonic()
        reply = self.client.recall(query, session_id=self.session_id, as_of=self.conversation.end)
        return reply, (time.monotonic() - begun) * 1000

    def turns(self) -> int:
        """How many turns are stored."""
        return int(self.client.stats()["resources"])

    def facts(self, *, with_superseded: bool = False) -> list[Mapping[str, Any]]:
        """Every fact, over all pages."""
        found: list[Mapping[str, Any]] = []
        cursor: str | None = None
        while True:
            page = self._page(cursor, with_superseded)
            found.extend(page["results"])
            if not (cursor := page["cursor"]):
                return found

    def replaced(self) -> int:
        """How many facts no longer hold, because newer ones took their place."""
        return sum(fact["superseded_by"] is not None for fact in self.facts(with_superseded=True))

    def _page(self, cursor: str | None, with_superseded: bool) -> Mapping[str, Any]:
        options: dict[str, Any] = {"cursor": cursor} if cursor else {}
        page: Mapping[str, Any] = self.client.call(
            "list", as_of=self.conversation.end, include_superseded=with_superseded, **options
        )
        return page

    def ledger(self) -> list[Mapping[str, Any]]:
        """Every prediction, whatever became of it."""
        return list(self.client.proactive_list(as_of=self.conversation.end)["results"])

    def monitor(self) -> None:
        """The five-minute job, as of the conversation's end."""
        self.client.job_run("monitor", as_of=self.conversation.end)

    def finds_by_its_words(self, line: Line) -> bool:
        """A turn's own words lead to it among the first five."""
        found = self.client.search(line.words[:400], limit=5)["results"]
        return any(line.event["key"] in source_keys(result) for result in found)

    def files_with(self, secrets: Iterable[str]) -> list[str]:
        """The names of the daemon's files, log included, in which a secret stands."""
        needles = [secret.encode() for secret in secrets]
        return [path.name for path in self._files() if _has_any(path, needles)]

    def _files(self) -> list[Path]:
        kept = [path for path in self.child.state_dir.rglob("*") if path.is_file()]
        return [*kept, self.child.log_path]


def source_keys(memory: Mapping[str, Any]) -> set[str | None]:
    """The event keys that a fact or a recalled result goes back to."""
    first = [memory["source"]] if "source" in memory else []
    return {source["key"] for source in [*first, *memory.get("sources", ())]}


def _has_any(path: Path, needles: Iterable[bytes]) -> bool:
    content = path.read_bytes()
    return any(needle in content for needle in needles)
