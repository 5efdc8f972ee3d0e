"""`session.compact` and `session.resume`. Times are Unix seconds, UTC."""

from typing import TypedDict

from memud_client.types.capture import WindowUse
from memud_client.types.proactive import ProactiveItem
from memud_client.types.recall import SaidTurn
from memud_client.types.scope import UserReadScope, UserScope


class CompactOptions(UserScope, total=False):
    """Options of `session.compact`."""

    context: WindowUse


class ResumeOptions(UserReadScope, total=False):
    """`limit` is how many turns at most."""

    limit: int


class CompactReply(TypedDict):
    """A session in short; the same for a second call in one cycle."""

    summary: str
    item_ids: list[str]
    cycle: int


class ResumeReply(TypedDict):
    """What a restarted agent needs."""

    turns: list[SaidTurn]
    summary: str | None
    proactive: list[ProactiveItem]
