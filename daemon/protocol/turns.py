"""A turn as it is shown, and `resources.get`."""

from typing import Annotated, Any

from msgspec import Meta

from daemon.protocol.call import Reading, Reply
from daemon.protocol.fields import Id
from memory.model import Modality, Origin, Role


class SaidTurn(Reply, kw_only=True, frozen=True):
    """One turn of a conversation, in plain words."""

    id: Annotated[str, Meta(description="Of the turn.")]
    key: Annotated[str | None, Meta(description="The event key that the client gave.")]
    session_id: Annotated[str | None, Meta(description="Which conversation.")]
    role: Annotated[Role, Meta(description="Who speaks.")]
    sender: Annotated[str | None, Meta(description="Who spoke, in a group.")]
    text: Annotated[str, Meta(description="The plain words.")]
    timestamp: Annotated[int, Meta(description="When, Unix seconds.")]


class ResourceParams(Reading, kw_only=True, frozen=True):
    """Which turn."""

    id: Annotated[Id, Meta(description="The turn, or a short prefix of its id.")]


class ResourceResult(SaidTurn, kw_only=True, frozen=True):
    """One stored turn with all that is known of it."""

    user_id: Annotated[str, Meta(description="Whose memory.")]
    agent_id: Annotated[str | None, Meta(description="Which agent.")]
    content: Annotated[Any, Meta(description="As the agent sent it, secrets masked.")]
    modality: Annotated[Modality, Meta(description="What kind of thing it is.")]
    origin: Annotated[Origin, Meta(description="Whose words these are.")]
    tz: Annotated[str, Meta(description="The zone of the capture.")]
    private: Annotated[bool, Meta(description="False: may be told in groups.")]
    item_ids: Annotated[tuple[str, ...], Meta(description="The facts that came from it.")] = ()
