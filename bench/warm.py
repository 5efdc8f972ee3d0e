"""How long a recall takes that was expected, beside one that was not: 10,000 texts, one client."""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bench.running import running
from bench.seeding import questions, seed

SIZE = 10_000
ASKED = 300
DAY_S = 86_400
EXPECTED = ("What's the price of NVDA?", "any movement in the NVDA price?", "check the price of NVDA again")
_READY_S = 120.0


def measure() -> dict[str, Any]:
    """Medians and 95th percentiles in ms, and how many recalls were warm."""
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        state, now = Path(folder), int(time.time())  # noqa: TID251 - ages count from today
        seed(state, SIZE, now)
        with running(state) as (client, _):
            _make_expected(client, now)
            cold = _timed(client.recall, questions(ASKED))
            warm = _timed(client.recall, [EXPECTED[0]] * ASKED)
            known = _timed(lambda text: client.recall(text, explain=True), [EXPECTED[0]] * ASKED)
            counts = client.call("stats")["warm"]
    return {
        "recall": cold,
        "recall, expected": warm,
        "recall, expected and void: its vector is known": known,
        "prepared": counts,
    }


def _make_expected(client: Any, now: int) -> None:
    """The same asked on three days, the prediction made, and its recalls prepared."""
    for day, text in enumerate(EXPECTED):
        at = now - (3 - day) * DAY_S
        client.capture([{"role": "user", "content": text, "timestamp": at}], session_id="bench")
    client.call("session.compact", session_id="bench", reason="wait")
    client.call("job.run", name="monitor")
    end = time.monotonic() + _READY_S
    while not client.recall(EXPECTED[0])["warm"]:
        if time.monotonic() > end:
            raise SystemExit("nothing was prepared")
        time.sleep(0.5)


def _timed(call: Callable[[str], Any], texts: Iterable[str]) -> dict[str, float]:
    spent = []
    for text in texts:
        start = time.perf_counter()
        call(text)
        spent.append((time.perf_counter() - start) * 1000)
    quantiles = statistics.quantiles(spent[5:], n=100)
    return {"p50_ms": round(quantiles[49], 2), "p95_ms": round(quantiles[94], 2)}


if __name__ == "__main__":
    import json

    print(json.dumps(measure(), indent=2))
