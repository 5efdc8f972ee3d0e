"""Counters since the start, as numbers and as Prometheus reads them."""

from collections import Counter


class Metrics:
    """Counts what the daemon does. Names follow Prometheus: memud_THING_total."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, name: str, value: float = 1) -> None:
        """One more, or several."""
        self._counts[name] += value  # type: ignore[assignment]

    def values(self) -> dict[str, float]:
        """All counters by name."""
        return {name: float(value) for name, value in sorted(self._counts.items())}

    def text(self) -> str:
        """The exposition format, one counter a line."""
        return "".join(f"{name} {value:g}\n" for name, value in self.values().items())
