"""`export`, `import`: a user's memory as records, out and in again."""

from typing import Annotated, Any

from msgspec import Meta

from daemon.protocol.call import Call, Reply
from daemon.protocol.fields import Cursor

PageSize = Annotated[int, Meta(ge=1, le=500)]


class ExportParams(Call, kw_only=True, frozen=True):
    """Which part of one's memory."""

    everything: Annotated[
        bool, Meta(description="True: also turns that gave no fact; else only those that facts rest on.")
    ] = False
    limit: Annotated[PageSize, Meta(description="Records a page.")] = 200
    cursor: Annotated[Cursor | None, Meta(description="From the page before.")] = None


class ExportResult(Reply, kw_only=True, frozen=True):
    """One page: categories, then turns, then facts, then how facts stand to one another."""

    records: Annotated[
        tuple[Any, ...],
        Meta(description="Each has a `type`: `category`, `turn`, `item` or `link`; for `import`."),
    ]
    cursor: Annotated[str | None, Meta(description="For the next page; null: that was all.")] = None


class ImportParams(Call, kw_only=True, frozen=True):
    """Records of an export, in its order. They become the user's own, whoever exported them."""

    records: Annotated[
        Annotated[list[Any], Meta(max_length=500)],
        Meta(description="As `export` gave them. A bad one is skipped, the rest is kept."),
    ]


class SkippedRecord(Reply, kw_only=True, frozen=True):
    """A record that was not kept."""

    index: Annotated[int, Meta(description="Its place in the call, from 0.")]
    reason: Annotated[
        str,
        Meta(description="`invalid`; `forgotten`: by the user; `no_source`: what it rests on is absent."),
    ]
    detail: Annotated[str, Meta(description="What is wrong with an invalid one.")] = ""


class ImportResult(Reply, kw_only=True, frozen=True):
    """What became of the records. No facts are drawn from the turns: theirs come along."""

    added: Annotated[int, Meta(description="New ones.")]
    known: Annotated[int, Meta(description="Those that were there; they stay as they are.")]
    skipped: Annotated[tuple[SkippedRecord, ...], Meta(description="Those that were not kept.")] = ()
