"""Files what stands in no category yet, makes new ones of what belongs together, sums up what has changed."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import apsw

from jobs.summaries import Summaries
from memory.database import Database
from memory.errors import TemporaryError
from memory.knowledge.clusters import clusters
from memory.knowledge.filing import Filer
from memory.knowledge.yardstick import open_yardstick
from memory.model import Report
from memory.ports import Clock, Embedder, Matrix
from memory.store import categories, filings, items, summaries
from memory.store.categories import Named
from memory.store.items import StoredItem

CHUNK: Final = 20  # a step stays short, as the writer is one
LEAST_NAMED: Final = 2  # facts that a model gave one name: a category of one is junk
_MOST_GATHERED: Final = 2000  # facts of a user that are compared with one another


class Categories:
    """Idempotent: with nothing new it reads a few rows. A kill between two steps loses none.

    While the embedder is away facts wait; words find them all the same.
    """

    def __init__(
        self,
        database: Database,
        filer: Filer,
        embedder: Embedder | None,
        summing: Summaries,
        clock: Clock,
    ) -> None:
        self._database = database
        self._filer = filer
        self._embedder = embedder
        self._summing = summing
        self._clock = clock

    async def run(
        self, *, user_id: str | None = None, as_of: int | None = None, dry_run: bool = False
    ) -> Report:
        """One run, for one user or for all; a dry run only counts what waits."""
        now = self._clock.now() if as_of is None else as_of
        if dry_run:
            return Report(
                "categories", await self._database.read(lambda c: _waiting(c, user_id)), dry_run=True
            )
        filed, made, notes = 0, 0, list[str]()
        try:
            await self._prepare(user_id)
            filed = await self._file(user_id)
            while fresh := await self._gather(user_id):
                made += fresh
                filed += await self._file(user_id)
        except TemporaryError as error:
            notes.append(f"not all is filed: {error}")
        written, faults = await self._summing.write(user_id, now)
        counts = {"filed": filed, "categories_made": made, "summaries": written}
        return Report("categories", counts, (*notes, *faults))

    async def _prepare(self, user_id: str | None) -> None:
        """The yardstick of the embedder in use, and a vector for each name."""
        embedder, known = self._embedder, self._filer.yardstick
        if embedder is None:
            return
        if known is None or known.embedder != embedder.name:
            self._filer.yardstick = await open_yardstick(self._database, embedder, self._clock.now())
        await self._name_all(user_id, embedder)

    async def _name_all(self, user_id: str | None, embedder: Embedder) -> None:
        name = embedder.name
        while named := await self._database.read(lambda c: categories.nameless(c, user_id, name, CHUNK)):
            vectors = await embedder.passages([one.name for one in named])
            await self._database.write(partial(_name, named=named, vectors=vectors, embedder=name))

    async def _file(self, user_id: str | None) -> int:
        """Look at every fact that nobody has looked at; what has no vector yet goes on waiting."""
        after, filed = 0, 0
        while facts := await self._database.read(
            partial(filings.in_state, user_id=user_id, states=["waiting"], after=after, limit=CHUNK)
        ):
            filed += await self._database.write(partial(self._file_all, facts=facts))
            after = facts[-1].key
        return filed

    def _file_all(self, connection: apsw.Connection, facts: Sequence[StoredItem]) -> int:
        name = self._embedder.name if self._embedder else ""
        for fact in facts:
            if (current := items.by_key(connection, fact.key)) is not None:  # not forgotten meanwhile
                self._filer.file(connection, current, items.embedding(connection, fact.key, name), name)
        return sum(filings.state(connection, fact.item.id) == "filed" for fact in facts)

    async def _gather(self, user_id: str | None) -> int:
        """New categories: of names that a model gave several facts, and of words that several facts share."""
        made = 0
        for owner, name, ids in await self._database.read(
            lambda c: categories.proposed(c, user_id, LEAST_NAMED)
        ):
            made += await self._make(owner, name, ids, "model")
        for owner in await self._database.read(lambda c: filings.users_with_loose(c, user_id)):
            made += await self._gather_loose(owner)
        return made

    async def _gather_loose(self, owner: str) -> int:
        facts = await self._database.read(
            lambda c: filings.in_state(c, owner, ["loose", "lone"], 0, _MOST_GATHERED)
        )
        made = 0
        for cluster in clusters([(fact.item.id, fact.item.memory) for fact in facts]):
            made += await self._make(owner, cluster.name, cluster.item_ids, "facts")
        await self._database.write(lambda c: filings.leave_alone(c, owner))
        if made:
            await self._database.write(lambda c: filings.reopen(c, owner))
        return made

    async def _make(self, owner: str, name: str, item_ids: Sequence[str], made_by: str) -> bool:
        """File these facts under a name, or under the category there is that means the same."""
        vector = None
        if self._embedder is not None:
            await self._name_all(owner, self._embedder)
            vector = (await self._embedder.passages([name]))[0]

        def gather(connection: apsw.Connection) -> bool:
            categories.settle_proposal(connection, name, item_ids)
            return self._filer.gather(connection, owner, name, vector, item_ids, made_by)

        return await self._database.write(gather)


def _name(connection: apsw.Connection, named: Sequence[Named], vectors: Matrix, embedder: str) -> None:
    for one, vector in zip(named, vectors, strict=True):
        categories.set_embedding(connection, one.id, vector, embedder)


def _waiting(connection: apsw.Connection, user_id: str | None) -> dict[str, int]:
    return {
        "waiting": filings.count_waiting(connection, user_id),
        "dirty": summaries.count_dirty(connection, user_id),
    }
