"""Predictions and subscriptions. Times are Unix seconds, UTC."""

from typing import Any, Literal, TypedDict

from memud_client.types.scope import ReadScope, Scope

Outcome = Literal["used", "dismissed", "snoozed"]
Topic = Literal["proactive", "compaction", "health"]


class ProactiveListOptions(ReadScope, total=False):
    """Filters of `proactive.list`; without `state` every state."""

    state: str
    detector: str
    as_of: int
    limit: int


class ProactiveNextOptions(ReadScope, total=False):
    """Options of `proactive.next`; `ids` claims those alone, before they are shown."""

    limit: int
    ids: list[str]
    as_of: int


class ProactiveStatsOptions(ReadScope, total=False):
    """Of how many `days`, by which moment."""

    days: int
    as_of: int


class ResolveOptions(Scope, total=False):
    """`until` is when a snoozed item comes back."""

    until: int


class SubscribeOptions(ReadScope, total=False):
    """`cursor` is that of the last notification taken."""

    cursor: int


class Evidence(TypedDict):
    """What a prediction rests on."""

    resource_id: str
    item_id: str | None
    key: str | None


class ProactiveItem(TypedDict):
    """A prediction of the ledger."""

    id: str
    user_id: str
    session_id: str | None
    detector: str
    topic: str
    text: str
    why: str
    probability: float
    evidence: list[Evidence]
    created_at: int
    due_at: int | None
    expires_at: int
    state: str


class ProactiveReply(TypedDict):
    """Predictions with why, evidence, probability and due date."""

    results: list[ProactiveItem]


class ProactiveItemReply(TypedDict):
    """A prediction as it stands now."""

    item: ProactiveItem


class DetectorScore(TypedDict):
    """What a detector was right and wrong about, and how far it is trusted."""

    detector: str
    right: int
    wrong: int
    prompted: int
    dismissed: int
    precision: float | None
    posterior: float
    throttled_by: str | None
    retry_at: int | None


class DayScore(TypedDict):
    """A detector on a local day."""

    day: str
    detector: str
    right: int
    wrong: int
    precision: float


class Bin(TypedDict):
    """Predictions of about the same probability."""

    low: float
    high: float
    n: int
    predicted: float
    observed: float


class TopicScore(TypedDict):
    """A topic that was dismissed, and the share of its probability that is left."""

    topic: str
    text: str
    dismissed: int
    left: float


class ProactiveStats(TypedDict):
    """How good the predictions were."""

    states: dict[str, int]
    detectors: list[DetectorScore]
    days: list[DayScore]
    reliability: list[Bin]
    brier: float | None
    topics: list[TopicScore]


class Notice(TypedDict):
    """What a subscription brings; `cursor` leads on from here."""

    topic: Topic
    cursor: int
    user_id: str | None
    payload: Any
    created_at: int
