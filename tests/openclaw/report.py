"""What is printed: a line for each proof with its figure, and a summary."""

import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.openclaw.stand import Stand


@dataclass(frozen=True, slots=True)
class Proof:
    """One promise of the plugin; `run` gives the figure that shows it, or raises."""

    promise: str
    run: Callable[[Stand], Awaitable[str]]


class Report:
    """Counts as it prints."""

    def __init__(self) -> None:
        self.proven = 0
        self.failed = 0
        self._begun = time.monotonic()

    async def take(self, proof: Proof, stand: Stand) -> None:
        """Run one proof. A failure is told and counted; the next proofs run all the same."""
        begun = time.monotonic()
        try:
            figure = await proof.run(stand)
        except Exception:  # whatever broke is this proof's result
            self.failed += 1
            _tell("FAIL", proof.promise, traceback.format_exc(), begun)
        else:
            self.proven += 1
            _tell("ok", proof.promise, figure, begun)

    def summary(self) -> str:
        """The last line."""
        took = time.monotonic() - self._begun
        return f"{self.proven} proven, {self.failed} failed, {took // 60:.0f} min {took % 60:.0f} s"


def _tell(verdict: str, promise: str, figure: str, begun: float) -> None:
    print(f"{verdict:<5} {promise} ({time.monotonic() - begun:.0f} s)\n      {figure}", flush=True)
