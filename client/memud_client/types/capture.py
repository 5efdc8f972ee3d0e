"""`hello` and `capture`: what is handed over, and what became of it. Times are Unix seconds, UTC."""

from typing import Any, Literal, TypedDict

from memud_client.types.scope import Role, Scope


class HelloOptions(TypedDict, total=False):
    """`user_id` binds the connection to that user."""

    user_id: str


class HelloReply(TypedDict):
    """What the daemon speaks and allows."""

    protocol: str
    server: str
    limits: dict[str, int]
    features: list[str]
    user_id: str | None


class _EventContent(TypedDict):
    role: Role
    content: Any


class Event(_EventContent, total=False):
    """One thing that happened. A repeated `key` of a user is a duplicate, whatever its body."""

    key: str
    sender: str
    modality: Literal["chat", "file", "tool"]
    timestamp: int
    tz: str
    trigger: str
    origin: Literal["import"]
    private: bool


class WindowUse(TypedDict):
    """How full the agent's context window is; memud answers when a compaction is due."""

    tokens_used: int
    context_window: int


class CaptureOptions(Scope, total=False):
    """Options of `capture`."""

    context: WindowUse
    dry_run: bool


class Skipped(TypedDict):
    """An event that was not stored, its place in the call, and why."""

    key: str | None
    reason: str
    index: int
    detail: str


class Compaction(TypedDict):
    """`due` is true once for each crossing of the limit."""

    due: bool
    ratio: float | None


class CaptureReply(TypedDict):
    """What became of the events; what is accepted is on the disk."""

    accepted: int
    duplicates: int
    skipped: list[Skipped]
    ids: list[str]
    compaction: Compaction
