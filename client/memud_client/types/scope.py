"""Whose memory a call is about, and the words that stand for roles and kinds. Times are Unix seconds, UTC."""

from typing import Literal, TypedDict

Role = Literal["user", "assistant", "tool", "system"]
Kind = Literal["episodic", "semantic"]
MemoryType = Literal["correction", "preference", "decision", "observation", "general"]


class UserScope(TypedDict, total=False):
    """Whose memory a call is about, and how long the daemon may take."""

    user_id: str
    agent_id: str
    deadline_ms: int


class UserReadScope(UserScope, total=False):
    """`private=False` hides private rows: for groups and channels."""

    private: bool


class Scope(UserScope, total=False):
    """A user's memory, or what it has of one session."""

    session_id: str


class ReadScope(Scope, UserReadScope, total=False):
    """What a reading call may see."""
