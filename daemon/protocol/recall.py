"""`recall`, `search`, `explain`: from a question to what is known."""

from typing import Annotated, Any

from msgspec import Meta

from daemon.protocol.call import Reading, Reply
from daemon.protocol.fields import Id, Limit, Name, Ratio, Seconds, Text, Tokens
from daemon.protocol.turns import SaidTurn
from memory.model import Kind, Layer, ProactiveItem, Result

AsOf = Annotated[
    Seconds | None, Meta(description="Answer as of this moment, in the events' own time; ages count to it.")
]
Kinds = Annotated[Annotated[list[Kind], Meta(max_length=8)] | None, Meta(description="Only these kinds.")]
Categories = Annotated[
    Annotated[list[Name], Meta(max_length=64)] | None, Meta(description="Only these categories.")
]


class RecallParams(Reading, kw_only=True, frozen=True):
    """The question, and how much may come back."""

    query: Annotated[Text, Meta(description="The user's next words, or any question.")]
    limit: Annotated[Limit | None, Meta(description="Results at most; `recall.limit` (10) if absent.")] = None
    threshold: Annotated[
        Ratio | None,
        Meta(description="Strict for all results; 0 switches gate, admission and veto off."),
    ] = None
    max_tokens: Annotated[
        Tokens | None, Meta(description="Size of the block at most; `recall.max_tokens` (800) if absent.")
    ] = None
    kinds: Kinds = None
    categories: Categories = None
    as_of: AsOf = None
    in_prompt_since: Annotated[
        Seconds | None,
        Meta(
            description="What was said in this session since then stands in the prompt: no turn of it comes."
        ),
    ] = None
    explain: Annotated[bool, Meta(description="True: `factors` says how each score came about.")] = False


class NearMiss(Reply, kw_only=True, frozen=True):
    """What came close, and why it was not recalled."""

    id: Annotated[str, Meta(description="Of the memory.")]
    memory: Annotated[str, Meta(description="Its words.")]
    layer: Annotated[Layer, Meta(description="A fact or a turn.")]
    score: Annotated[float, Meta(description="Decayed relevance, 0..1.")]
    relevance: Annotated[float, Meta(description="Calibrated relevance, 0..1.")]
    reason: Annotated[str, Meta(description="Why not.")]


class RecallResult(Reply, kw_only=True, frozen=True):
    """What matters for the next prompt; often nothing, and then all but `fallback` is empty."""

    results: Annotated[
        tuple[Result, ...],
        Meta(
            description="The first five newest first, of a time asked about before others; then what is not"
            " half as relevant as the best of them; the rest by score."
        ),
    ]
    fallback: Annotated[tuple[SaidTurn, ...], Meta(description="Recent turns, when nothing passes.")] = ()
    proactive: Annotated[tuple[ProactiveItem, ...], Meta(description="What the user may want next.")] = ()
    near_misses: Annotated[tuple[NearMiss, ...], Meta(description="What came close, and why not.")] = ()
    context: Annotated[str, Meta(description="The block for the prompt; empty when there is nothing.")] = ""
    tokens: Annotated[int, Meta(description="Size of `context`, estimated.")] = 0
    threshold: Annotated[float, Meta(description="The threshold that was in force.")]
    degraded: Annotated[tuple[str, ...], Meta(description="Parts that could not help.")] = ()
    partial: Annotated[bool, Meta(description="True: the deadline came first.")] = False
    warm: Annotated[bool, Meta(description="True: prepared before it was asked.")] = False
    factors: Annotated[
        dict[str, dict[str, Any]] | None, Meta(description="By id, how the score came about (`explain`).")
    ] = None


class SearchParams(Reading, kw_only=True, frozen=True):
    """The user asked: no threshold, the best come back."""

    query: Annotated[Text, Meta(description="Words or a question.")]
    limit: Annotated[Limit, Meta(description="Results at most.")] = 10
    as_of: AsOf = None
    kinds: Kinds = None
    categories: Categories = None
    since: Annotated[Seconds | None, Meta(description="Nothing said before.")] = None
    until: Annotated[Seconds | None, Meta(description="Nothing said after.")] = None
    include_superseded: Annotated[bool, Meta(description="True: also what no longer holds.")] = False


class SearchResult(Reply, kw_only=True, frozen=True):
    """The best matches."""

    results: Annotated[tuple[Result, ...], Meta(description="In the order of `recall`.")]
    degraded: Annotated[tuple[str, ...], Meta(description="Parts that could not help.")] = ()
    partial: Annotated[bool, Meta(description="True: the deadline came first.")] = False


class ExplainParams(Reading, kw_only=True, frozen=True):
    """A question and one memory."""

    query: Annotated[Text, Meta(description="The question.")]
    id: Annotated[Id, Meta(description="The memory or turn.")]
    threshold: Annotated[Ratio | None, Meta(description="As in `recall`.")] = None
    as_of: AsOf = None


class Explanation(Reply, kw_only=True, frozen=True):
    """Every factor, and why the memory was or was not recalled."""

    id: Annotated[str, Meta(description="Of the memory.")]
    recalled: Annotated[bool, Meta(description="Whether `recall` would return it.")]
    reason: Annotated[str, Meta(description="Why, for a person.")]
    score: Annotated[float, Meta(description="Decayed relevance, 0..1.")]
    threshold: Annotated[float, Meta(description="The threshold that was in force.")]
    factors: Annotated[dict[str, Any], Meta(description="How the score came about.")]
