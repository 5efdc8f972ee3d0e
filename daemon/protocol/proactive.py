"""`proactive.list`, `.next`, `.resolve`, `.stats`: what the user is likely to want next."""

from typing import Annotated, Literal

from msgspec import Meta

from daemon.protocol.call import Call, Reading, Reply
from daemon.protocol.fields import Id, Limit, Seconds, Word
from daemon.protocol.recall import AsOf
from memory.model import ProactiveItem, ProactiveState
from memory.proactive.scores import Bin, DayScore, DetectorScore, TopicScore


class ProactiveListParams(Reading, kw_only=True, frozen=True):
    """Which predictions."""

    state: Annotated[ProactiveState | None, Meta(description="Only these; every state, if absent.")] = None
    detector: Annotated[Word | None, Meta(description="Only this detector's.")] = None
    as_of: AsOf = None
    limit: Annotated[Limit, Meta(description="Predictions at most.")] = 100


class ProactiveNextParams(Reading, kw_only=True, frozen=True):
    """What is asked for, of all that may be brought up now; the caller gets it, and nobody else."""

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


class ProactiveStatsParams(Reading, kw_only=True, frozen=True):
    """Of which days."""

    days: Annotated[int, Meta(ge=1, le=366, description="What became known in so many days.")] = 30
    as_of: AsOf = None


class ProactiveStatsResult(Reply, kw_only=True, frozen=True):
    """How good the predictions were. What the user asked for is no guess: it counts under `states` alone."""

    states: Annotated[dict[str, int], Meta(description="Predictions of all time by state.")]
    detectors: Annotated[
        tuple[DetectorScore, ...], Meta(description="By detector, and how far it is trusted now.")
    ] = ()
    days: Annotated[
        tuple[DayScore, ...], Meta(description="By the user's local day and detector, the oldest first.")
    ] = ()
    reliability: Annotated[
        tuple[Bin, ...], Meta(description="By tenth of the probability; empty tenths are left out.")
    ] = ()
    brier: Annotated[
        float | None,
        Meta(description="Mean square of probability - outcome: 0 is best; null: nothing is judged yet."),
    ] = None
    topics: Annotated[tuple[TopicScore, ...], Meta(description="What the user dismissed.")] = ()
