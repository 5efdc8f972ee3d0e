"""What the parameters of every method have in common: whose memory, and until when an answer is of use."""

from typing import Annotated

from msgspec import Meta, Struct

from daemon.protocol.fields import Milliseconds, Name


class Params(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """Parameters on the wire; an unknown one is refused."""


class Call(Params, kw_only=True, frozen=True):
    """The parameters that every method takes. Handlers read the scope from their Context."""

    user_id: Annotated[
        Name | None, Meta(description="Whose memory; `default`, or the user that `hello` bound, if absent.")
    ] = None
    agent_id: Annotated[Name | None, Meta(description="Which agent speaks.")] = None
    session_id: Annotated[Name | None, Meta(description="Which conversation.")] = None
    deadline_ms: Annotated[
        Milliseconds | None,
        Meta(description="How long an answer is of use. None: no deadline."),
    ] = None


class Reading(Call, kw_only=True, frozen=True):
    """The parameters that every reading method takes."""

    private: Annotated[bool, Meta(description="False hides private memories: for groups and channels.")] = (
        True
    )


class Reply(Struct, kw_only=True, frozen=True):
    """A result on the wire. Clients ignore fields they don't know."""
