"""kill -9 while captures come in, again and again: what was lost, what was doubled, how soon it served again.

.venv/bin/python -m bench.durability [ROUNDS]
"""

import json
import statistics
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import apsw
from memud_client import Client

from bench.scenes.child import Child
from bench.storm import Sent, Storm, resend

ROUNDS = 50
_ACKS_BEFORE_THE_KILL = (1, 60)


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Counts of events and facts; milliseconds from the start of the process until it serves."""
    rng, sent = Random(9), Sent()  # noqa: S311 - no secrets
    ready_ms: list[float] = []
    lost = known = 0
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        child = Child(Path(folder))
        child.start()
        try:
            for _ in range(rounds):
                storm = Storm(child.socket_path, sent, rng)
                storm.begin()
                storm.wait_for(rng.randint(*_ACKS_BEFORE_THE_KILL))
                child.kill()
                storm.end()
                ready_ms.append(1000 * child.start())
                with Client(child.socket_path) as client:
                    found = resend(client, sent)
                lost, known = lost + found[0], known + found[1]
            with Client(child.socket_path) as client:
                drain(client)
        finally:
            child.stop()
        facts = inspect(child.state_dir / "memud.db")
    return {
        "kill -9 during capture": {"rounds": rounds, "acked": len(sent.acked), "lost": lost, **facts},
        "in flight at the kill, stored": {"events": known},
        "ready again, ms": {"p50": round(statistics.median(ready_ms)), "max": round(max(ready_ms))},
    }


def drain(client: Client) -> None:
    """Return when every turn has its facts: each call waits until those of a session have settled."""
    while sum(client.health()["queue"][state] for state in ("queued", "leased")):
        for session in ("resent", *(f"s{n}" for n in range(6))):
            client.session_compact(session)


def inspect(database: Path) -> dict[str, Any]:
    """Whether the file is whole, and what stands in it twice."""
    connection = apsw.Connection(str(database))
    try:
        connection.execute("INSERT INTO fulltext (fulltext) VALUES ('integrity-check')")
        return {
            "facts": _number(connection, "SELECT count(*) FROM items"),
            "duplicate_turns": _number(connection, _DOUBLED_TURNS),
            "duplicate_facts": _number(connection, _DOUBLED_FACTS),
            "given_up": _number(connection, "SELECT count(*) FROM capture_queue WHERE state <> 'done'"),
            "integrity": str(connection.pragma("integrity_check")),
        }
    finally:
        connection.close()


_DOUBLED_TURNS = "SELECT count(*) - count(DISTINCT event_key) FROM resources"

# A turn whose effects were stored twice has its fact twice, or has reinforced it more often than it was said.
_DOUBLED_FACTS = """
  SELECT
    (SELECT count(*) - count(DISTINCT s.resource_id || i.content)
     FROM items AS i JOIN item_sources AS s ON s.item_id = i.id)
    + (SELECT count(*) FROM items AS i
       WHERE i.reinforced >= (SELECT count(*) FROM item_sources AS s WHERE s.item_id = i.id))
"""


def _number(connection: apsw.Connection, sql: str) -> int:
    return int(connection.execute(sql).get)


if __name__ == "__main__":
    print(json.dumps(measure(*(int(word) for word in sys.argv[1:2])), indent=1))
