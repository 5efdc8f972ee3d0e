"""`agent.report`: how the plugin that sits in an agent fares, as far as only it can know."""

from typing import Annotated, Literal

from msgspec import Meta

from daemon.protocol.call import Call, Reply
from daemon.protocol.fields import Word

Problem = Literal["no_access", "no_injection", "not_owner", "hooks_missing", "deaf", "no_capture"]
Reminders = Literal["wake", "next-turn", "off"]
Count = Annotated[int, Meta(ge=0, le=2**40)]


class AgentReportParams(Call, kw_only=True, frozen=True):
    """How a plugin fares; `health` tells it on for five minutes. Send it once a minute."""

    name: Annotated[Word, Meta(description="Which agent it sits in: `openclaw`.")]
    instance: Annotated[
        Word | None,
        Meta(description="Which one, where several of that name may run; the same after a restart."),
    ] = None
    version: Annotated[Word | None, Meta(description="Of the plugin.")] = None
    problems: Annotated[
        tuple[Problem, ...],
        Meta(
            max_length=16,
            description="`no_access`: it may not see conversations; "
            "`no_injection`: it may not add to prompts; "
            "`not_owner`: another plugin owns the memory; `hooks_missing`: the agent lacks what it needs; "
            "`deaf`: messages come and no turn; `no_capture`: turns are asked for and none is captured.",
        ),
    ] = ()
    reminders: Annotated[
        Reminders | None, Meta(description="When a due reminder is said: at once, or with the next message.")
    ] = None
    turns: Annotated[Count, Meta(description="Turns of people since the plugin began.")] = 0
    recalls: Annotated[Count, Meta(description="Recalls that were answered in them.")] = 0
    captures: Annotated[
        Count | None, Meta(description="Captures that were answered, or spooled; null: the user wants none.")
    ] = 0
    spooled: Annotated[Count, Meta(description="Calls that wait on the plugin's disk.")] = 0


class AgentReportResult(Reply, kw_only=True, frozen=True):
    """What `health` says of it."""

    reasons: Annotated[tuple[str, ...], Meta(description="What is wrong, for a person.")] = ()


class AgentHealth(Reply, kw_only=True, frozen=True):
    """A plugin that reported within the last five minutes."""

    name: Annotated[str, Meta(description="Which agent it sits in; where several report, with the instance.")]
    instance: Annotated[str | None, Meta(description="Which one, as it said.")] = None
    version: Annotated[str | None, Meta(description="Of the plugin.")] = None
    reminders: Annotated[
        str | None, Meta(description="`wake`: said at once; `next-turn`: with the next message; `off`.")
    ] = None
    turns: Annotated[int, Meta(description="Turns of people since the plugin began.")] = 0
    recalls: Annotated[int, Meta(description="Recalls that were answered in them.")] = 0
    captures: Annotated[
        int | None, Meta(description="Captures that were answered, or spooled; null: the user wants none.")
    ] = 0
    spooled: Annotated[int, Meta(description="Calls that wait on the plugin's disk.")] = 0
    reported_at: Annotated[int, Meta(description="When it last reported.")] = 0
    reasons: Annotated[tuple[str, ...], Meta(description="What is wrong, for a person.")] = ()
    notes: Annotated[tuple[str, ...], Meta(description="Worth knowing, and nothing wrong.")] = ()
