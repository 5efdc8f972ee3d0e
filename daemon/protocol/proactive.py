"""`proactive.list`, `proactive.next`, `proactive.resolve`: what the user is likely to want next."""

from typing import Annotated, Literal

from msgspec import Meta

from daemon.protocol.call import Call, Reading, Reply
from daemon.protocol.fields import Id, Limit, Seconds, Word
from daemon.protocol.recall import AsOf
from memory.model import ProactiveItem, ProactiveState


class ProactiveListParams(Reading, kw_only=True, frozen=True):
    """Which predictions."""

    state: Annotated[ProactiveState | None, Meta(description="Only these; every state, if absent.")] = None
    detector: Annotated[Word | None, Meta(description="Only this detector's.")] = None
    as_of: AsOf = None
    limit: Annotated[Limit, Meta(description="Predictions at most.")] = 100


class ProactiveNextParams(Reading, kw_only=True, frozen=True):
    """How many may be delivered now."""

    limit: Annotated[Limit, Meta(description="Predictions at most.")] = 3
    ids: Annotated[
        Annotated[list[Id], Meta(max_length=100)] | None,
        Meta(description="Claim these alone, as `subscribe` brought them: those that nobody has yet."),
    ] = None
    as_of: AsOf = None


class ProactiveResult(Reply, kw_only=True, frozen=True):
    """Predictions; `proactive.next` has marked them delivered."""

    results: Annotated[
        tuple[ProactiveItem, ...], Meta(description="`list`: newest first; `next`: most urgent first.")
    ]


class ProactiveResolveParams(Call, kw_only=True, frozen=True):
    """What became of a prediction."""

    id: Annotated[Id, Meta(description="The prediction, or a short prefix of its id.")]
    outcome: Annotated[
        Literal["used", "dismissed", "snoozed"], Meta(description="What the user did with it.")
    ]
    until: Annotated[Seconds | None, Meta(description="When a snoozed one comes back.")] = None


class ProactiveItemResult(Reply, kw_only=True, frozen=True):
    """The prediction as it stands now."""

    item: Annotated[ProactiveItem, Meta(description="The prediction.")]
