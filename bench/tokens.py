"""What memory takes and saves in a conversation of 500 turns, beside resending its history.

.venv/bin/python -m bench.tokens    ends with `memud stats --json` of the daemon that had the conversation.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memud_client import Client

from bench.long_talk import Exchange, conversation
from bench.running import running
from bench.stub_model import stub_model
from memory.tokens import estimate_tokens

SESSION = "long-talk"
LAST_TURNS = 6  # of its own window, that an agent with a memory sends along
_BETWEEN_S = 3_600
_LIMIT_S = 60.0

Found = list[tuple[Exchange, bool]]
"""The questions, and whether the turn that answers was recalled."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast people talk: so many turns may wait, as the extractor waits for more."""

    quiet_s: int
    may_wait: int


PACES: Mapping[str, Pace | None] = {
    "rules": None,
    "a model, prompts in quick succession": Pace(quiet_s=3_600, may_wait=3),
    "a model, a pause after each reply": Pace(quiet_s=0, may_wait=0),
}


def measure() -> dict[str, Any]:
    """Tokens by part, their share of the full history, and the evidence recall by language."""
    measured = {name: _measured(pace)[0] for name, pace in PACES.items()}
    return {f"{name}: {what}": value for name, found in measured.items() for what, value in found.items()}


def main() -> None:
    """The figures, then what `memud stats --json` says, for each way to draw facts."""
    for name, pace in PACES.items():
        figures, shown = _measured(pace)
        print(f"\nfacts by {name}")
        for what, value in figures.items():
            print(f"  {what}: {value}")
        print(shown)


def _measured(pace: Pace | None) -> tuple[dict[str, Any], str]:
    if pace is None:
        return _talked({}, may_wait=0)
    with stub_model() as address:
        settings = {
            "MEMUD_EXTRACT__PROVIDER": "openai",
            "MEMUD_EXTRACT__QUIET_S": str(pace.quiet_s),
            "MEMUD_LLM__OPENAI_BASE_URL": f"{address}/v1",
        }
        return _talked(settings, may_wait=pace.may_wait)


def _talked(settings: Mapping[str, str], *, may_wait: int) -> tuple[dict[str, Any], str]:
    talk = conversation()
    with (
        tempfile.TemporaryDirectory(prefix="memud-bench-") as folder,
        running(Path(folder), env=settings) as (client, _),
    ):
        found = replay(client, talk, may_wait=may_wait)
        tokens = client.stats()["tokens"]
        return figures_of(talk, found, tokens), _shown(Path(folder) / "memud.sock")


def replay(client: Client, talk: Sequence[Exchange], *, may_wait: int) -> Found:
    """Have the conversation: before each prompt a recall, after each reply a capture."""
    begun = int(time.time()) - _BETWEEN_S * len(talk)  # noqa: TID251 - the talk ends now
    found = []
    for number, exchange in enumerate(talk):
        recalled = client.recall(exchange.prompt, session_id=SESSION)
        if exchange.evidence is not None:
            found.append((exchange, exchange.evidence in _keys(recalled["results"])))
        client.capture(_events(exchange, begun + number * _BETWEEN_S), session_id=SESSION)
        _wait_for_facts(client, may_wait)
    return found


def _events(exchange: Exchange, said: int) -> list[dict[str, Any]]:
    return [
        {"key": exchange.key, "role": "user", "content": exchange.prompt, "timestamp": said},
        {
            "key": f"{exchange.key}-reply",
            "role": "assistant",
            "content": exchange.reply,
            "timestamp": said + 1,
        },
    ]


def figures_of(talk: Sequence[Exchange], found: Found, tokens: Mapping[str, Any]) -> dict[str, Any]:
    """What was measured, in the order in which it is told."""
    own, full = own_window(talk), tokens["full_history"]
    return {
        "conversation": {"turns": 2 * len(talk), "tokens": sum(map(sum, _lengths(talk)))},
        "injected": {
            "tokens": tokens["injected"],
            "a recall": round(tokens["injected"] / tokens["recalls"], 1),
        },
        "models": _by_purpose(tokens["days"]),
        "full history": {"tokens": full},
        "share of the full history": {"all of it": tokens["share"]},
        f"with the agent's own last {LAST_TURNS} turns": {
            "tokens": own,
            "all of it": round(tokens["share"] + own / full, 4),
        },
        "evidence recalled": {
            name: _rate([hit for one, hit in found if one.language in languages])
            for name, languages in (("all", ("en", "zh")), ("en", ("en",)), ("zh", ("zh",)))
        },
    }


def own_window(talk: Sequence[Exchange]) -> int:
    """What an agent sends of its last turns with each prompt, memory or not."""
    lengths = [length for pair in _lengths(talk) for length in pair]
    return sum(sum(lengths[max(0, 2 * number - LAST_TURNS) : 2 * number]) for number in range(len(talk)))


def _by_purpose(days: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Tokens in and out of all models."""
    found: dict[str, int] = {}
    for row in days:
        found[row["purpose"]] = found.get(row["purpose"], 0) + row["input_tokens"] + row["output_tokens"]
    return found


def _lengths(talk: Sequence[Exchange]) -> list[tuple[int, int]]:
    return [(estimate_tokens(one.prompt), estimate_tokens(one.reply)) for one in talk]


def _keys(results: Sequence[Mapping[str, Any]]) -> set[str]:
    """The turns on which results rest."""
    return {source["key"] for result in results for source in (result["source"], *result["sources"])}


def _wait_for_facts(client: Client, may_wait: int) -> None:
    """People pause between prompts; a replay has to. As many turns may wait as an extractor lets wait."""
    end = time.monotonic() + _LIMIT_S
    while (queue := client.health()["queue"])["leased"] or queue["queued"] > may_wait:
        if time.monotonic() > end:
            raise TimeoutError("turns wait for their facts")
        time.sleep(0.01)


def _rate(hits: Sequence[bool]) -> str:
    return f"{sum(hits) / len(hits):.2f} of {len(hits)}"


def _shown(socket: Path) -> str:
    command = [sys.executable, "-m", "cli", "stats", "--json", "--socket", str(socket)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
