"""Counters since the start, as numbers and as Prometheus reads them."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

from daemon.method import Context, Method
from memory.errors import MemudError


class Metrics:
    """Counts requests, their seconds and their errors. Names follow Prometheus, labels in braces."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}

    def counted(self, method: Method[Any, Any]) -> Method[Any, Any]:
        """The same method, counted."""
        name = method.signature.name

        async def handler(params: Any, context: Context) -> Any:
            loop = asyncio.get_running_loop()
            start = loop.time()
            self._counts[f'memud_requests_total{{method="{name}"}}'] += 1
            try:
                return await method.handler(params, context)
            except MemudError as error:
                self._counts[f'memud_errors_total{{method="{name}",reason="{error.reason}"}}'] += 1
                raise
            finally:
                key = f'memud_request_seconds_total{{method="{name}"}}'
                self._seconds[key] = self._seconds.get(key, 0.0) + loop.time() - start

        return Method(method.signature, handler)

    def values(self, gauges: Mapping[str, float]) -> dict[str, float]:
        """All counters, and the gauges as memud_NAME."""
        shown = {f"memud_{name}": float(value) for name, value in gauges.items()}
        counted = {name: float(value) for name, value in self._counts.items()}
        return dict(sorted({**shown, **counted, **self._seconds}.items()))


def exposition(values: Mapping[str, float]) -> str:
    """The text that Prometheus scrapes, one value a line."""
    return "".join(f"{name} {value:g}\n" for name, value in values.items())
