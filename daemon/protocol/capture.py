"""`capture`: what happened, event by event."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Raw

from daemon.protocol.call import Call, Params, Reply
from daemon.protocol.fields import Key, Name, Seconds, Tokens, Word
from memory.model import Modality, Role
from memory.session import Compaction


class Event(Params, kw_only=True, frozen=True):
    """One thing that happened."""

    role: Annotated[Role, Meta(description="Who speaks.")]
    content: Annotated[
        str | list[Any] | dict[str, Any],
        Meta(description="The words, or the parts as the agent has them (at most 64 deep). NUL is dropped."),
    ]
    key: Annotated[
        Key | None,
        Meta(description="The event's own key. A repeated key of a user is a duplicate, whatever its body."),
    ] = None
    sender: Annotated[Name | None, Meta(description="Who spoke, in a group.")] = None
    modality: Annotated[Modality, Meta(description="What kind of thing it is.")] = Modality.CHAT
    timestamp: Annotated[Seconds | None, Meta(description="When it happened; now, if absent.")] = None
    tz: Annotated[
        Word | None,
        Meta(description="The speaker's zone, as `Asia/Shanghai`; the daemon's own, if absent or unknown."),
    ] = None
    trigger: Annotated[
        Word | None, Meta(description="What set the turn off, if no human did: `heartbeat`, `cron`, ...")
    ] = None
    private: Annotated[bool, Meta(description="False: may be told in groups.")] = True
    origin: Annotated[
        Literal["import"] | None,
        Meta(
            description="`import` for what was said elsewhere: what was forgotten does not come back by it, "
            "and what was captured live (same session and words, within ten minutes) is a duplicate."
        ),
    ] = None


class WindowUse(Params, kw_only=True, frozen=True):
    """How full the agent's context window is."""

    tokens_used: Annotated[Tokens, Meta(description="Tokens in use.")]
    context_window: Annotated[int, Meta(ge=1, le=2**40, description="Tokens that fit.")]

    @property
    def ratio(self) -> float:
        """Tokens used / context window."""
        return self.tokens_used / self.context_window


class CaptureParams(Call, kw_only=True, frozen=True):
    """Events, each decoded by itself: a bad one is skipped, the rest is kept. Use `read_events`."""

    events: Annotated[
        list[Annotated[Raw, Meta(extra={"type": Event})]], Meta(description="What happened, oldest first.")
    ]
    context: Annotated[WindowUse | None, Meta(description="How full the context window is.")] = None
    dry_run: Annotated[
        bool, Meta(description="True: only say what would become of the events; nothing is stored.")
    ] = False


class Skipped(Reply, kw_only=True, frozen=True):
    """An event that was not kept."""

    key: Annotated[str | None, Meta(description="Its key, if it had a readable one.")]
    reason: Annotated[
        str,
        Meta(description="A word: `invalid`, `too_large`, `too_deep`, or why no memory is made of it."),
    ]
    index: Annotated[int, Meta(description="Its place in `events`, from 0.")]
    detail: Annotated[str, Meta(description="What is wrong, for a person.")] = ""


class CaptureResult(Reply, kw_only=True, frozen=True):
    """What is now on disk: acknowledged means committed."""

    accepted: Annotated[int, Meta(description="Events newly stored.")]
    duplicates: Annotated[int, Meta(description="Events whose key was known.")]
    skipped: Annotated[tuple[Skipped, ...], Meta(description="Events not kept, with the reason.")] = ()
    ids: Annotated[
        tuple[str, ...], Meta(description="Ids of the turns, in order; duplicates give the first one's.")
    ] = ()
    compaction: Annotated[Compaction, Meta(description="Whether to compact.")] = Compaction()
