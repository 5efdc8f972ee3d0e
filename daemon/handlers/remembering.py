"""`add`, `list`, `get`, `history`, `update`, `forget`, `restore`, `pin`: the facts, one by one."""

from collections.abc import Iterable
from typing import Any, cast

from msgspec import UNSET

from daemon.method import Context, Method
from daemon.protocol.items import (
    AddParams,
    AddResult,
    ForgetParams,
    ForgetResult,
    GetParams,
    HistoryResult,
    ItemResult,
    ListParams,
    ListResult,
    PinParams,
    RestoreParams,
    UpdateParams,
)
from daemon.protocol.table import ADD, FORGET, GET, HISTORY, LIST, PIN, RESTORE, UPDATE
from memory.knowledge.curation import Changes, Curation, Statement
from memory.knowledge.everyday import meant
from memory.store.listing import Listing


class FactHandler:
    """What a person does with single facts."""

    def __init__(self, curation: Curation) -> None:
        self._curation = curation

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [
            Method(ADD, self.add),
            Method(LIST, self.list),
            Method(GET, self.get),
            Method(HISTORY, self.history),
            Method(UPDATE, self.update),
            Method(FORGET, self.forget),
            Method(RESTORE, self.restore),
            Method(PIN, self.pin),
        ]

    async def add(self, params: AddParams, context: Context) -> AddResult:
        """Remember a statement, at once."""
        statement = Statement(
            text=params.memory,
            kind=params.kind,
            memory_type=params.memory_type,
            importance=params.importance,
            valid_until=params.valid_until,
            timestamp=params.timestamp,
            private=params.private,
            infer=params.infer,
            key=params.key,
        )
        settled = await self._curation.add(context.scope, statement)
        return AddResult(
            item=settled.stored.item,
            action=settled.action,
            related_ids=settled.related_ids,
        )

    async def list(self, params: ListParams, context: Context) -> ListResult:
        """One page of facts."""
        listing = Listing(
            scope=context.scope,
            kinds=params.kinds,
            memory_types=params.memory_types,
            categories=meant(params.categories),
            since=params.since,
            until=params.until,
            pinned=params.pinned,
            include_superseded=params.include_superseded,
            as_of=params.as_of,
            limit=params.limit,
            cursor=params.cursor,
        )
        page = await self._curation.list(listing)
        return ListResult(results=page.items, cursor=page.cursor)

    async def get(self, params: GetParams, context: Context) -> ItemResult:
        """One fact."""
        return ItemResult(item=await self._curation.get(context.scope, params.id))

    async def history(self, params: GetParams, context: Context) -> HistoryResult:
        """Versions and sources."""
        history = await self._curation.history(context.scope, params.id)
        return HistoryResult(versions=history.versions, sources=history.sources)

    async def update(self, params: UpdateParams, context: Context) -> ItemResult:
        """Change what is given; absent fields stay."""
        given = {name: getattr(params, name) for name in Changes.__optional_keys__}
        changes = {name: value for name, value in given.items() if value is not UNSET}
        return ItemResult(item=await self._curation.update(context.scope, params.id, cast(Changes, changes)))

    async def forget(self, params: ForgetParams, context: Context) -> ForgetResult:
        """Purge, or say what would go."""
        purge = await self._curation.forget(context.scope, params.id, dry_run=params.dry_run)
        return ForgetResult(
            item=purge.item,
            item_ids=purge.item_ids,
            items=purge.items,
            resource_ids=purge.resource_ids,
            dry_run=params.dry_run,
        )

    async def restore(self, params: RestoreParams, context: Context) -> ItemResult:
        """Undo a supersession or the cleanup."""
        return ItemResult(item=await self._curation.restore(context.scope, params.id))

    async def pin(self, params: PinParams, context: Context) -> ItemResult:
        """Keep a fact from fading, or let it fade again."""
        return ItemResult(item=await self._curation.pin(context.scope, params.id, pinned=params.pinned))
