"""What all connections share: the methods, the limits, and how the daemon introduces itself."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from config.settings import ServerSettings
from daemon.method import Method
from daemon.protocol.connection import PROTOCOL, HelloParams, HelloResult, ServerLimits
from daemon.protocol.errors import UnknownMethodError, VersionError
from daemon.protocol.frames import MAX_BATCH


@dataclass(frozen=True, slots=True)
class Service:
    """The methods by name, and the limits. `max_notifications` may wait for a slow subscriber."""

    methods: Mapping[str, Method[Any, Any]]
    settings: ServerSettings
    version: str
    max_notifications: int

    def method(self, name: str) -> Method[Any, Any]:
        """The method of this name. Raises UnknownMethodError that names the nearest one."""
        if found := self.methods.get(name):
            return found
        nearest = difflib.get_close_matches(name, self.features(), n=1, cutoff=0.0)
        raise UnknownMethodError(
            f"unknown method `{name}`; the nearest known one is `{nearest[0]}`",
            hint="docs/PROTOCOL.md has every method.",
        )

    def features(self) -> list[str]:
        """The names of all methods, those of the connection itself too."""
        return sorted({*self.methods, "hello", "cancel"})

    def greet(self, params: HelloParams, user_id: str | None) -> HelloResult:
        """The answer to `hello`. Raises VersionError for another major version."""
        major = str(params.protocol).partition(".")[0]
        if major != PROTOCOL:
            raise VersionError(
                f"protocol {params.protocol} is not spoken here; {PROTOCOL} is",
                hint="Use a client of the daemon's version.",
            )
        return HelloResult(
            protocol=PROTOCOL,
            server=f"memud/{self.version}",
            limits=self._limits(),
            features=tuple(self.features()),
            user_id=user_id,
        )

    def _limits(self) -> ServerLimits:
        settings = self.settings
        return ServerLimits(
            max_line_bytes=settings.max_line_bytes,
            max_event_bytes=settings.max_event_bytes,
            max_events=settings.max_events,
            max_depth=settings.max_depth,
            max_in_flight=settings.max_in_flight,
            max_batch=MAX_BATCH,
        )
