"""memud through its real daemon and socket; the daemon's CPU and memory count with the client's."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import apsw

from bench.cpu import own_s, process_s
from bench.peers.peer import Embed, Peer, Store, used_bytes
from bench.peers.work import Stub
from bench.running import rss_mb, running, settle
from bench.seeding import note_that_all_was_seen

_RECORDS = 100
_SPARE = "ballast"  # of one size, however much is stored


class Memud(Store):
    """`add` stores, `recall` is what an agent gets before its prompt, `search` what a person asks for."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        self._database = folder / "memud.db"
        self._stack = ExitStack()
        stub = embed.dimension if isinstance(embed, Stub) else 0
        daemon = running(folder, stub=stub, watches_lag=False)
        self._client, self._process = self._stack.enter_context(daemon)
        self._taken_in = 0

    def add(self, text: str) -> None:
        """Committed with a sync, as the daemon always does."""
        self._client.add(text)

    def add_many(self, texts: Sequence[str]) -> None:
        """By its own import: each as a turn with its fact, as a single add leaves it."""
        like = self._records()
        for start in range(0, len(texts), _RECORDS):
            copies = [copy for text in texts[start : start + _RECORDS] for copy in self._copies(like, text)]
            answer = self._client.import_records(copies)
            if answer["skipped"]:
                raise RuntimeError(str(answer["skipped"][0]))
        self._note_that_all_was_seen()

    def search(self, query: str, limit: int) -> list[str]:
        """The memories of a recall."""
        return [result["memory"] for result in self._client.recall(query, limit=limit)["results"]]

    def look_up(self, word: str, limit: int) -> list[str]:
        """A recall is silent for a single word; a search never is."""
        return [result["memory"] for result in self._client.search(word, limit=limit)["results"]]

    def count(self) -> int:
        """Live facts."""
        return int(self._client.stats()["items"])

    def settle(self) -> None:
        """Until nothing waits, and what the daemon would do within minutes is done."""
        settle(self._client.socket_path)

    def cpu_s(self) -> float:
        """Of the client and the daemon."""
        return own_s() + process_s(self._process.pid)

    def memory_mb(self) -> float:
        """Of the daemon; a client in Python takes what any program in Python does."""
        return rss_mb(self._process)

    def disk_bytes(self, folder: Path) -> int:
        """Without the spare room that it keeps for a full disk."""
        return super().disk_bytes(folder) - sum(used_bytes(path) for path in folder.glob(f"*{_SPARE}*"))

    def close(self) -> None:
        """Stop the daemon."""
        self._stack.close()

    def _note_that_all_was_seen(self) -> None:
        """Nobody says ten thousand things in a minute: only what `add` brought is looked at by the jobs."""
        connection = apsw.Connection(str(self._database))
        connection.set_busy_timeout(60_000)
        try:
            connection.execute("BEGIN IMMEDIATE")  # what begins by reading may not write once the daemon has
            note_that_all_was_seen(connection)
            connection.execute("COMMIT")
        finally:
            connection.close()

    def _records(self) -> dict[str, dict[str, Any]]:
        """The last turn and the last fact, as an export has them."""
        found: dict[str, dict[str, Any]] = {}
        cursor: str | None = None
        while not {"turn", "item"} <= found.keys():
            page = self._client.export_records(cursor=cursor) if cursor else self._client.export_records()
            found |= {record["type"]: record for record in page["records"]}
            cursor = page["cursor"]
        return found

    def _copies(self, like: dict[str, dict[str, Any]], text: str) -> Iterator[dict[str, Any]]:
        self._taken_in += 1
        turn_id, key = f"t-copy{self._taken_in}", f"copy-{self._taken_in}"
        yield like["turn"] | {"id": turn_id, "key": key, "content": text}
        source = like["item"]["sources"][0] | {"resource_id": turn_id, "key": key, "span": [0, len(text)]}
        yield like["item"] | {
            "id": f"m-copy{self._taken_in}",
            "memory": text,
            "said_in": turn_id,
            "sources": [source],
            "filed": "lone",
            "categories": [],
        }


PEER = Peer(
    "memud", "its daemon in a process of its own, over the socket", Memud, sizes=(1_000, 5_000, 10_000)
)
