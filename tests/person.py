"""A person at the daemon's door: says things at given times, and looks what is known."""

from typing import Any

from memud_client import Client


class Person:
    """Says things at given times, and looks what is known."""

    def __init__(self, client: Client, user: str = "default") -> None:
        self.client = client
        self.user = user

    def add(self, memory: str, at: int) -> dict[str, Any]:
        """Ask to remember it."""
        return dict(self.client.call("add", memory=memory, timestamp=at))

    def say(self, text: str, at: int, **fields: Any) -> None:
        """A turn, learnt from before this returns: compaction waits for the session's turns."""
        event = {"key": f"{at}-{text[:8]}", "role": "user", "content": text, "timestamp": at, **fields}
        self.client.call("capture", events=[event], session_id="s")
        self.client.call("session.compact", session_id="s", reason="wait")
        if fields.get("origin") == "import":
            self.wait()

    def wait(self) -> None:
        """Return when nothing waits: no compaction waits for what is brought in."""
        while self._waiting():
            pass

    def live(self, **options: Any) -> list[str]:
        """The facts that hold, oldest first."""
        found = self.client.call("list", **options)["results"]
        return [item["memory"] for item in reversed(found)]

    def _waiting(self) -> int:
        return sum(self.client.health()["queue"][state] for state in ("queued", "leased"))

    def superseded_by(self, item_id: str) -> str | None:
        """What took the place of a fact."""
        found: str | None = self.client.call("get", id=item_id)["item"]["superseded_by"]
        return found
