"""`hello`, `cancel`, `subscribe` and the notifications: the talk about the talk."""

from typing import Annotated, Literal

from msgspec import Meta, Raw

from daemon.protocol.call import Params, Reading, Reply
from daemon.protocol.fields import INT64_MAX, Name

PROTOCOL = "1"
"""Only a new major number breaks clients."""

Version = Annotated[str, Meta(min_length=1, max_length=16, pattern=r"\A[0-9]+(\.[0-9]+)*\Z")]

Topic = Literal["proactive", "compaction", "health"]


class HelloParams(Params, kw_only=True, frozen=True):
    """Who is there, and what it speaks."""

    protocol: Annotated[
        Version | int, Meta(description="Version of the protocol; another major one than 1 is an error.")
    ] = PROTOCOL
    client: Annotated[Name | None, Meta(description="Name and version of the client, for the log.")] = None
    user_id: Annotated[
        Name | None, Meta(description="Binds the connection: no call can leave this user.")
    ] = None


class ServerLimits(Reply, kw_only=True, frozen=True):
    """How much may come over the wire."""

    max_line_bytes: Annotated[int, Meta(description="Bytes of a line.")]
    max_event_bytes: Annotated[int, Meta(description="Bytes of an event.")]
    max_events: Annotated[int, Meta(description="Events in a call.")]
    max_depth: Annotated[int, Meta(description="Nesting of an event.")]
    max_in_flight: Annotated[int, Meta(description="Requests at a time; more wait unread.")]
    max_batch: Annotated[int, Meta(description="Requests in a batch.")]


class HelloResult(Reply, kw_only=True, frozen=True):
    """What the server speaks."""

    protocol: Annotated[str, Meta(description="Version of the protocol.")]
    server: Annotated[str, Meta(description="Name and version.")]
    limits: Annotated[ServerLimits, Meta(description="How much may come.")]
    features: Annotated[tuple[str, ...], Meta(description="The methods it has.")]
    user_id: Annotated[str | None, Meta(description="The user that the connection is bound to.")] = None


class CancelParams(Params, kw_only=True, frozen=True):
    """Which request of this connection is no longer wanted."""

    id: Annotated[Raw, Meta(description="The request's id (a number or string), as it was sent.")]


class CancelResult(Reply, kw_only=True, frozen=True):
    """Whether there was something to cancel. What was stored before stays stored."""

    cancelled: Annotated[bool, Meta(description="False: not in flight (any more).")]


class SubscribeParams(Reading, kw_only=True, frozen=True):
    """What to be told, and from where on."""

    topics: Annotated[list[Topic], Meta(min_length=1, max_length=16, description="Which topics.")]
    cursor: Annotated[
        Annotated[int, Meta(ge=0, le=INT64_MAX)] | None,
        Meta(description="The last one seen; what came after is sent again. Now, if absent."),
    ] = None


class SubscribeResult(Reply, kw_only=True, frozen=True):
    """From where on notifications follow, as `event`."""

    topics: Annotated[tuple[str, ...], Meta(description="Which topics.")]
    cursor: Annotated[int, Meta(description="Notifications after this one follow.")]


class Lagged(Reply, kw_only=True, frozen=True):
    """The params of the notification `lagged`: you read too slowly. Subscribe again from your cursor."""

    dropped: Annotated[int, Meta(description="Notifications that were not sent.")]
