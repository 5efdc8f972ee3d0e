"""What an OpenClaw session is: whose key it has, and whether a person spoke there alone with the agent."""

from dataclasses import dataclass

_MACHINE = {"subagent": "session_subagent", "cron": "session_cron", "hook": "session_hook"}
_MANY = frozenset({"group", "channel", "room", "guild", "supergroup"})
_INTERNAL = ("internal-session-effects", "model-run-", "dreaming-narrative", ":active-memory:", ":acp:")


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation by its key, such as `agent:main:main`; it goes on over resets and files."""

    key: str
    chat_type: str | None = None
    home: str | None = None  # the agent in whose folder it lies

    @property
    def agent(self) -> str | None:
        """The agent's id, where the key or the folder names it."""
        parts = self.key.split(":")
        return parts[1] if parts[0] == "agent" and len(parts) > 2 else self.home

    @property
    def machine(self) -> str | None:
        """Why no person speaks here, or None."""
        rest = self._rest()
        if "heartbeat" in rest:
            return "session_heartbeat"
        if any(sign in self.key for sign in _INTERNAL):
            return "session_internal"
        return _MACHINE.get(rest[0])

    @property
    def is_group(self) -> bool:
        """Whether others listen."""
        return self.chat_type in _MANY or not _MANY.isdisjoint(self._rest())

    def _rest(self) -> list[str]:
        parts = self.key.lower().split(":")
        return parts[2:] if parts[0] == "agent" and len(parts) > 2 else parts
