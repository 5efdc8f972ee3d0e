"""`categories.list`, `stats`, `health`, `metrics`: the daemon looked at from outside."""

from typing import Annotated, Literal

from msgspec import Meta

from daemon.protocol.agents import AgentHealth
from daemon.protocol.call import Call, Reading, Reply
from memory.store.summaries import Category


class CategoriesParams(Reading, kw_only=True, frozen=True):
    """Whose categories."""


class CategoriesResult(Reply, kw_only=True, frozen=True):
    """The groups."""

    results: Annotated[tuple[Category, ...], Meta(description="Largest first.")]


class StatsParams(Call, kw_only=True, frozen=True):
    """Whose store; the whole store without `user_id` on an unbound connection."""


class SpentTokens(Reply, kw_only=True, frozen=True):
    """What a model took on a day for a purpose."""

    day: Annotated[str, Meta(description="Local day of the machine.")]
    purpose: Annotated[str, Meta(description="What for: `extract`, `embed`, `embed_query` and others.")]
    model: Annotated[str, Meta(description="Which model.")]
    input_tokens: Annotated[int, Meta(description="Sent.")] = 0
    output_tokens: Annotated[int, Meta(description="Answered.")] = 0
    calls: Annotated[int, Meta(description="How often.")] = 0
    cost_usd: Annotated[float, Meta(description="Dollars, as far as prices are known.")] = 0.0
    unpriced_tokens: Annotated[int, Meta(description="Tokens without a known price.")] = 0
    local: Annotated[bool, Meta(description="True: on this machine; it costs nothing.")] = False


class TokenStats(Reply, kw_only=True, frozen=True):
    """Tokens: what memory took, beside what resending the whole history would have taken.

    What models take is counted for all users together, so `spent`, `local`, `cost_usd`, `share`, `unpriced`
    and `days` are empty where one user is looked at.
    """

    recalls: Annotated[int, Meta(description="Recalls answered.")] = 0
    injected: Annotated[int, Meta(description="Tokens of the contexts that they handed out.")] = 0
    full_history: Annotated[
        int,
        Meta(
            description="Tokens that resending each session's history would have taken at the same prompts, "
            "compacted to a summary at 80 % of a window of 200,000."
        ),
    ] = 0
    spent: Annotated[int, Meta(description="Tokens that paid models took, in and out.")] = 0
    local: Annotated[int, Meta(description="Tokens embedded on this machine.")] = 0
    cost_usd: Annotated[float, Meta(description="Dollars, as far as prices are known.")] = 0.0
    share: Annotated[
        float | None,
        Meta(description="(injected + spent + local) / full_history; null without a recall with a history."),
    ] = None
    unpriced: Annotated[tuple[str, ...], Meta(description="Models whose price is not known.")] = ()
    days: Annotated[
        tuple[SpentTokens, ...], Meta(description="By day, purpose and model; the newest 31 days.")
    ] = ()


class StatsResult(Reply, kw_only=True, frozen=True):
    """The store, counted."""

    users: Annotated[int, Meta(description="Users with turns.")] = 0
    resources: Annotated[int, Meta(description="Turns.")] = 0
    items: Annotated[int, Meta(description="Live facts.")] = 0
    superseded: Annotated[int, Meta(description="Facts that no longer hold.")] = 0
    pinned: Annotated[int, Meta(description="Facts that never fade.")] = 0
    categories: Annotated[int, Meta(description="Groups of facts.")] = 0
    proactive: Annotated[int, Meta(description="Open predictions.")] = 0
    queued: Annotated[int, Meta(description="Turns that wait for extraction.")] = 0
    dead: Annotated[int, Meta(description="Turns that extraction gave up.")] = 0
    archived: Annotated[int, Meta(description="Facts that the cleanup removed.")] = 0
    tombstones: Annotated[int, Meta(description="What the user made us forget.")] = 0
    skipped: Annotated[
        dict[str, int] | None, Meta(description="Events not kept since the start, by reason.")
    ] = None
    tokens: Annotated[TokenStats | None, Meta(description="What memory costs, and what it saves.")] = None
    warm: Annotated[
        dict[str, int] | None,
        Meta(
            description="Since the start: `hits`, recalls prepared before they were asked; `stale`, those"
            " whose preparation no longer held; `kept`, questions prepared now, and their `bytes`."
        ),
    ] = None
    notes: Annotated[tuple[str, ...], Meta(description="Advice for the operator.")] = ()


class HealthParams(Call, kw_only=True, frozen=True):
    """Nothing but the scope."""


class QueueHealth(Reply, kw_only=True, frozen=True):
    """The capture queue."""

    queued: Annotated[int, Meta(description="Turns that wait.")] = 0
    leased: Annotated[int, Meta(description="Turns in work.")] = 0
    dead: Annotated[int, Meta(description="Turns given up.")] = 0
    oldest_age_s: Annotated[int, Meta(description="How long the oldest has waited.")] = 0


class OlderModel(Reply, kw_only=True, frozen=True):
    """A model of which texts still have vectors."""

    name: Annotated[str, Meta(description="Model and version.")]
    vectors: Annotated[int, Meta(description="Texts that have its vector still.")]
    mode: Annotated[
        str, Meta(description="`ok`: it answers for them; `lost`: it can't be opened, so words find them.")
    ]


class EmbedderHealth(Reply, kw_only=True, frozen=True):
    """What turns text into vectors."""

    name: Annotated[str, Meta(description="Model and version.")]
    dim: Annotated[int, Meta(description="Length of a vector.")]
    mode: Annotated[
        str,
        Meta(description="`ok`, `changing` (an older model has vectors still), `off` or why it can't help."),
    ]
    pending: Annotated[int, Meta(description="Texts that wait for a vector of this model.")] = 0
    done: Annotated[int, Meta(description="Texts that have one.")] = 0
    total: Annotated[int, Meta(description="Both together.")] = 0
    older: Annotated[
        tuple[OlderModel, ...], Meta(description="While the model changes: those before it.")
    ] = ()


class ExtractorHealth(Reply, kw_only=True, frozen=True):
    """What turns turns into facts."""

    name: Annotated[str, Meta(description="Which.")]
    mode: Annotated[str, Meta(description="`ok` or why it can't help.")]
    breaker: Annotated[str, Meta(description="`closed`, `open` or `half-open`.")] = "closed"


class IndexBuilding(Reply, kw_only=True, frozen=True):
    """An index that is built beside the one in use and will take its place."""

    backend: Annotated[str, Meta(description="`exact`, `vss` or `faiss`.")]
    done: Annotated[int, Meta(description="Vectors in it.")] = 0
    total: Annotated[int, Meta(description="Vectors it will have.")] = 0


class IndexHealth(Reply, kw_only=True, frozen=True):
    """The vector index."""

    backend: Annotated[str, Meta(description="The one in use: `exact`, `vss` or `faiss`.")]
    size: Annotated[int, Meta(description="Vectors in it.")] = 0
    bytes: Annotated[int, Meta(description="Memory that they take.")] = 0
    wanted: Annotated[str, Meta(description="The one that is configured, or was chosen since.")] = "exact"
    reason: Annotated[str | None, Meta(description="Why that is not in use, unless it is being built.")] = (
        None
    )
    recall: Annotated[
        float | None,
        Meta(description="Of an approximate one: the share of the true 100 nearest that it finds, measured."),
    ] = None
    building: Annotated[IndexBuilding | None, Meta(description="While another is built.")] = None


class DatabaseHealth(Reply, kw_only=True, frozen=True):
    """The file."""

    bytes: Annotated[int, Meta(description="Size of the database.")] = 0
    wal_bytes: Annotated[int, Meta(description="Size of the write-ahead log.")] = 0


class JobHealth(Reply, kw_only=True, frozen=True):
    """A periodic job. Times are Unix seconds."""

    last_ok: Annotated[int | None, Meta(description="When it last succeeded.")] = None
    next_run: Annotated[int | None, Meta(description="When it is due.")] = None
    last_error: Annotated[str | None, Meta(description="What went wrong last.")] = None


class BudgetHealth(Reply, kw_only=True, frozen=True):
    """Tokens of paid models, today."""

    day: Annotated[str, Meta(description="The machine's local day.")]
    used: Annotated[int, Meta(description="Tokens used.")] = 0
    limit: Annotated[int | None, Meta(description="Tokens allowed; null: no limit.")] = None
    cost_usd: Annotated[float, Meta(description="Dollars, as far as prices are known.")] = 0.0
    limit_usd: Annotated[float | None, Meta(description="Dollars allowed; null: no limit.")] = None
    spent: Annotated[bool, Meta(description="True: paid models stand still until the next day.")] = False


class HealthResult(Reply, kw_only=True, frozen=True):
    """Whether the daemon does its work, and if not, why."""

    status: Annotated[Literal["ok", "degraded", "error"], Meta(description="In a word.")]
    reasons: Annotated[tuple[str, ...], Meta(description="Why it is not `ok`, for a person.")] = ()
    version: Annotated[str, Meta(description="Of the daemon.")]
    uptime_s: Annotated[int, Meta(description="Since the start.")]
    queue: Annotated[QueueHealth, Meta(description="The capture queue.")]
    embedder: Annotated[EmbedderHealth, Meta(description="Text to vectors.")]
    extractor: Annotated[ExtractorHealth, Meta(description="Turns to facts.")]
    index: Annotated[IndexHealth, Meta(description="The vector index.")]
    db: Annotated[DatabaseHealth, Meta(description="The file.")]
    jobs: Annotated[dict[str, JobHealth], Meta(description="The periodic jobs, by name.")]
    budget: Annotated[BudgetHealth, Meta(description="Tokens of paid models.")]
    agents: Annotated[
        tuple[AgentHealth, ...], Meta(description="The plugins in agents that reported lately.")
    ] = ()


class MetricsParams(Call, kw_only=True, frozen=True):
    """Nothing but the scope."""


class MetricsResult(Reply, kw_only=True, frozen=True):
    """Counters and gauges since the start."""

    values: Annotated[dict[str, float], Meta(description="By name, with labels in braces.")]
    text: Annotated[str, Meta(description="The same as Prometheus reads it.")]
