"""`add`, `list`, `get`, `history`, `update`, `forget`, `restore`, `pin`: the facts, one by one."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from daemon.protocol.call import Call, Reading, Reply
from daemon.protocol.fields import Cursor, Days, Id, Key, Limit, Name, Ratio, Seconds, Statement
from daemon.protocol.recall import AsOf, Categories, Kinds
from memory.knowledge.settled import Action
from memory.model import Item, Kind, MemoryType, Source

FactId = Annotated[Id, Meta(description="The fact, or a short prefix of its id.")]


class AddParams(Call, kw_only=True, frozen=True):
    """A statement to remember."""

    memory: Annotated[Statement, Meta(description="What to remember.")]
    kind: Annotated[Kind | None, Meta(description="Found out, if absent.")] = None
    memory_type: Annotated[MemoryType | None, Meta(description="Found out, if absent.")] = None
    importance: Annotated[Ratio | None, Meta(description="The type's default, if absent.")] = None
    valid_until: Annotated[Seconds | None, Meta(description="When it stops to hold.")] = None
    timestamp: Annotated[Seconds | None, Meta(description="When it was said; now, if absent.")] = None
    private: Annotated[bool, Meta(description="False: may be told in groups.")] = True
    infer: Annotated[bool, Meta(description="False: store it verbatim.")] = True
    key: Annotated[
        Key | None,
        Meta(
            description="The statement's own key, for what is brought in: a repeated one changes nothing, "
            "and what was forgotten does not come back by it (`not_found`)."
        ),
    ] = None


class AddResult(Reply, kw_only=True, frozen=True):
    """The fact, at once."""

    item: Annotated[Item, Meta(description="The fact as it stands now.")]
    action: Annotated[Action, Meta(description="What became of the statement.")]
    related_ids: Annotated[
        tuple[str, ...], Meta(description="Facts it replaced, repeats or may contradict.")
    ] = ()


class ListParams(Reading, kw_only=True, frozen=True):
    """Which facts."""

    kinds: Kinds = None
    memory_types: Annotated[
        Annotated[list[MemoryType], Meta(max_length=8)] | None, Meta(description="Only these types.")
    ] = None
    categories: Categories = None
    since: Annotated[Seconds | None, Meta(description="Nothing stated before.")] = None
    until: Annotated[Seconds | None, Meta(description="Nothing stated after.")] = None
    pinned: Annotated[bool | None, Meta(description="Only pinned ones, or only others.")] = None
    include_superseded: Annotated[bool, Meta(description="True: also what no longer holds.")] = False
    as_of: AsOf = None
    limit: Annotated[Limit, Meta(description="Facts a page.")] = 100
    cursor: Annotated[Cursor | None, Meta(description="From the page before.")] = None


class ListResult(Reply, kw_only=True, frozen=True):
    """One page of facts."""

    results: Annotated[tuple[Item, ...], Meta(description="The latest learnt first.")]
    cursor: Annotated[str | None, Meta(description="For the next page; null on the last.")] = None


class GetParams(Reading, kw_only=True, frozen=True):
    """Which fact."""

    id: FactId


class ItemResult(Reply, kw_only=True, frozen=True):
    """The fact as it stands now."""

    item: Annotated[Item, Meta(description="The fact.")]


class HistoryResult(Reply, kw_only=True, frozen=True):
    """How a fact came to be."""

    versions: Annotated[tuple[Item, ...], Meta(description="Newest first, with what they replaced.")]
    sources: Annotated[tuple[Source, ...], Meta(description="Where it was said, first to last.")]


class UpdateParams(Call, kw_only=True, frozen=True):
    """What to change; absent fields stay."""

    id: FactId
    memory: Annotated[Statement | UnsetType, Meta(description="New words.")] = UNSET
    kind: Annotated[Kind | UnsetType, Meta(description="New kind.")] = UNSET
    memory_type: Annotated[MemoryType | UnsetType, Meta(description="New type.")] = UNSET
    importance: Annotated[Ratio | UnsetType, Meta(description="New importance.")] = UNSET
    half_life_days: Annotated[
        Days | UnsetType | None, Meta(description="New half-life; null makes it evergreen.")
    ] = UNSET
    valid_until: Annotated[
        Seconds | UnsetType | None, Meta(description="When it stops to hold; null: never.")
    ] = UNSET
    private: Annotated[bool | UnsetType, Meta(description="False: may be told in groups.")] = UNSET
    categories: Annotated[
        Annotated[list[Name], Meta(max_length=64)] | UnsetType, Meta(description="All its categories.")
    ] = UNSET


class ForgetParams(Call, kw_only=True, frozen=True):
    """What to purge, with the turns it came from and what was derived from them alone."""

    id: Annotated[Id, Meta(description="The fact or turn, or a short prefix of its id.")]
    dry_run: Annotated[bool, Meta(description="True: only say what would go.")] = False


class ForgetResult(Reply, kw_only=True, frozen=True):
    """What was purged."""

    item: Annotated[Item | None, Meta(description="The fact as it was; null for a turn.")]
    item_ids: Annotated[tuple[str, ...], Meta(description="All facts purged.")] = ()
    items: Annotated[tuple[Item, ...], Meta(description="The same facts, as they were.")] = ()
    resource_ids: Annotated[tuple[str, ...], Meta(description="All turns purged.")] = ()
    dry_run: Annotated[bool, Meta(description="True: nothing was changed.")] = False


class RestoreParams(Call, kw_only=True, frozen=True):
    """Which fact comes back from supersession or cleanup."""

    id: FactId


class PinParams(Call, kw_only=True, frozen=True):
    """Which fact never fades."""

    id: FactId
    pinned: Annotated[bool, Meta(description="False: let it fade again.")] = True
