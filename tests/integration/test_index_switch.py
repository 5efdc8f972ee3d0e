"""Another vector index takes the place of the one in use, and nothing is missed, whatever goes wrong."""

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from config.settings import Settings
from daemon.indexes import OpenedIndex, open_index, read_choice
from jobs.bell import Bell
from jobs.construction import Construction
from jobs.rebuild import Rebuild
from jobs.reindex import Reindex
from memory.database import Database
from memory.errors import BusyError, ClosedError, InvalidError, StorageFullError, UnavailableError
from memory.ids import NewId
from memory.knowledge.curation import Statement
from memory.model import Report, Scope
from memory.ports import Filter
from memory.store import index_choice
from memory.store.index_choice import IndexChoice
from memory.testing import FakeEmbedder, FakeExtractor, FrozenClock
from memory.vectors.backends import Backends
from memory.vectors.generations import Generation, Generations
from tests.filed_index import Shop
from tests.world import World, finished

FACTS = 30
VECTORS = 2 * FACTS  # of each fact, and of its turn


class OtherEmbedder(FakeEmbedder):
    """Another model, of the same kind."""

    name = "other-model"


@dataclass
class Switch:
    """A store with its vectors in the exact index, and what can change that."""

    world: World
    shop: Shop
    backends: Backends
    rebuild: Rebuild
    progress: Bell
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def generations(self) -> Generations:
        """The indexes."""
        return self.world.generations

    @property
    def files(self) -> list[str]:
        """What lies in the folder, by backend."""
        return sorted(path.name.split("-")[0] for path in self.backends.folder.glob("*"))

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """As the daemon does."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.rebuild.serve(self.stop))
            yield
            self.stop.set()

    async def ask(self, backend: str, **options: bool) -> Report:
        """As `job run reindex --backend` does."""
        async with asyncio.timeout(10):
            return await self.rebuild.run(backend, **options)

    async def begin(self, backend: str) -> "asyncio.Future[Report]":
        """The same, and it is held where all vectors are in the new index and its file is being written."""
        asked = asyncio.ensure_future(self.ask(backend))
        await asyncio.to_thread(self.shop.writes.wait, 10)
        return asked

    async def is_replaced(self) -> None:
        """The exact index answers no more."""
        async with asyncio.timeout(10):
            while self.generations.index.backend == "exact":
                await self.progress.next_ring().wait()

    async def add(self, text: str) -> None:
        """A fact and its turn, with their vectors."""
        await self.world.curation.add(Scope(), Statement(text, infer=False))

    async def nearest(self, text: str) -> float:
        """How near the nearest is."""
        query = await FakeEmbedder().query(text)
        found = self.generations.index.search("default", query, 1, Filter())
        return float(found.cosines[0])

    async def kept(self, configured: str = "exact") -> IndexChoice:
        """What a start would find."""
        return await read_choice(self.world.database, configured)


async def _opened(world: World, shop: Shop, configured: str = "exact") -> Switch:
    assert world.generations.current is not None
    backends = Backends(world.database.path.with_name("index"), shop.backends("vss", "faiss"))
    choice = await read_choice(world.database, configured)
    opened: OpenedIndex = await open_index(backends, choice, FakeEmbedder())
    world.generations.current.index = opened.index
    after: int | None = 0
    while after is not None:
        after = await world.database.read(
            lambda c, after=after: world.generations.load(c, world.generations.current, after)  # type: ignore[misc]
        )
    progress = Bell()
    construction = Construction(world.database, world.generations, backends, progress.ring)
    rebuild = Rebuild(world.database, world.generations, construction, choice, opened.fault, progress.ring)
    return Switch(world, shop, backends, rebuild, progress)


@pytest.fixture
def shop() -> Shop:
    """Indexes that write at once."""
    shop = Shop()
    shop.may_write.set()
    return shop


@pytest.fixture
async def filled(database: Database, settings: Settings, clock: FrozenClock, new_id: NewId) -> World:
    """A store with facts."""
    world = World.build(database, settings, clock, new_id, embedder=FakeEmbedder(), extractor=FakeExtractor())
    for n in range(FACTS):
        await world.curation.add(Scope(), Statement(f"fact number {n} about the garden", infer=False))
    return world


@pytest.fixture
async def switch(filled: World, shop: Shop) -> Switch:
    """The store after a start."""
    return await _opened(filled, shop)


async def test_the_new_index_holds_everything_and_answers(switch: Switch) -> None:
    """Its file is the only one then, and the choice is kept for the next start."""
    async with switch.serving():
        report = await switch.ask("vss")
        assert (report.counts, report.notes) == ({"indexed": VECTORS}, ("vss answers now",))
        assert (switch.generations.index.backend, len(switch.generations)) == ("vss", VECTORS)
        await switch.ask("faiss")
    assert [index.is_closed for index in switch.shop.opened] == [True, False]
    assert switch.files == ["faiss"]
    assert await switch.kept() == IndexChoice("exact", "faiss", is_built=True)


async def test_back_to_exact_leaves_no_file(switch: Switch) -> None:
    """What is derived and of no use any more is deleted."""
    async with switch.serving():
        await switch.ask("vss")
        await switch.ask("exact")
    assert (switch.generations.index.backend, switch.files) == ("exact", [])
    assert len(switch.generations) == VECTORS


async def test_what_changes_meanwhile_is_in_both(switch: Switch) -> None:
    """Words that come, change or are forgotten while the index is built are so in the new one, too."""
    switch.shop.may_write.clear()
    first, *_ = await switch.world.facts()
    async with switch.serving():
        asked = await switch.begin("vss")
        await switch.add("a heron stands in the pond")
        await switch.world.curation.update(Scope(), first.id, {"memory": "tomatoes ripen"})
        assert await switch.nearest("a heron stands in the pond") == pytest.approx(1.0, abs=1e-5)
        assert switch.generations.index.backend == "exact"
        switch.shop.may_write.set()
        await finished(asked)
        assert switch.generations.index.backend == "vss"
        for text in ("a heron stands in the pond", "tomatoes ripen"):
            assert await switch.nearest(text) == pytest.approx(1.0, abs=1e-5)
    assert len(switch.generations) == VECTORS + 2


async def test_progress_is_told_while_it_lasts(switch: Switch) -> None:
    """And not after it."""
    switch.shop.may_write.clear()
    async with switch.serving():
        asked = await switch.begin("vss")
        far = switch.rebuild.building
        assert far is not None
        assert (far.backend, far.total) == ("vss", VECTORS)
        switch.shop.may_write.set()
        await finished(asked)
        assert switch.rebuild.building is None


async def test_a_second_request_meanwhile_is_refused_and_the_one_in_use_gives_up_the_first(
    switch: Switch,
) -> None:
    """One index is built at a time; whoever wants none of it any more asks for what there is."""
    switch.shop.may_write.clear()
    async with switch.serving():
        asked = await switch.begin("vss")
        for backend in ("faiss", "vss"):
            with pytest.raises(BusyError, match=f"vss is being built, .* of {VECTORS} vectors"):
                await switch.ask(backend)
        with pytest.raises(BusyError):
            await switch.ask("faiss", dry_run=True)
        assert (await switch.ask("exact")).notes == ("exact is in use already",)
        with pytest.raises(UnavailableError, match="vss is not built any more"):
            await asked
        assert (switch.rebuild.building, switch.rebuild.fault, switch.files) == (None, None, [])
        switch.shop.may_write.set()
        await switch.ask("faiss")
    assert await switch.kept() == IndexChoice("exact", "faiss", is_built=True)


async def test_whoever_gives_it_up_at_the_last_moment_is_heard(switch: Switch) -> None:
    """The file is written, nobody has looked yet: what answers and what is chosen never differ."""
    switch.shop.may_write.clear()
    async with switch.serving():
        asked = await switch.begin("vss")
        switch.shop.may_write.set()
        switch.shop.written.wait(10)  # and the loop has not turned since
        await switch.ask("exact")
        with pytest.raises(UnavailableError, match="vss is not built any more"):
            await asked
    assert switch.generations.index.backend == (await switch.kept()).chosen == "exact"


async def test_a_dry_run_does_not_clear_away_what_is_asked_for_meanwhile(switch: Switch) -> None:
    """The file of the new index is there for the next start."""
    switch.shop.held = "faiss"
    async with switch.serving():
        dry = asyncio.ensure_future(switch.ask("faiss", dry_run=True))
        await asyncio.to_thread(switch.shop.opens.wait, 10)
        switch.shop.may_write.clear()
        asked = asyncio.ensure_future(switch.ask("vss"))
        await asyncio.to_thread(switch.shop.writes.wait, 0.2)
        switch.shop.may_open.set()
        await dry
        switch.shop.may_write.set()
        await asked
    assert (switch.generations.index.backend, switch.files) == ("vss", ["vss"])


async def test_what_no_index_made_stays_in_its_folder(switch: Switch) -> None:
    """It may be a link to a folder with other things in it."""
    other = switch.world.database.path.with_name("other")
    other.mkdir()
    kept = {"letter.txt", "vss-notes.md", "vss-0123456789abcdef.sqlite.aside", "faiss-0123456789abcdef0.ann"}
    for name in (*kept, "faiss-0123456789abcdef.built", "vss-0123456789abcdef.sqlite-wal"):
        (other / name).touch()
    switch.backends.folder.symlink_to(other)
    async with switch.serving():
        await switch.ask("vss")
        await switch.ask("exact")
    assert {path.name for path in other.iterdir()} == kept


async def test_the_one_in_use_is_nothing_new(switch: Switch) -> None:
    """Asking twice changes nothing."""
    async with switch.serving():
        report = await switch.ask("exact")
    assert (report.counts, report.notes) == ({"indexed": 0}, ("exact is in use already",))
    assert await switch.kept() == IndexChoice("exact", "exact", is_built=True)


async def test_a_missing_extra_changes_nothing(switch: Switch) -> None:
    """The error says what to install; a dry run says it as well."""
    switch.shop.missing = True
    async with switch.serving():
        for dry_run in (True, False):
            with pytest.raises(UnavailableError) as raised:
                await switch.ask("vss", dry_run=dry_run)
            assert "pip install" in raised.value.hint
    assert (switch.generations.index.backend, switch.rebuild.fault, switch.files) == ("exact", None, [])
    assert await switch.kept() == IndexChoice("exact", "exact", is_built=True)


async def test_a_fault_that_nobody_foresaw_is_told_like_any_other(switch: Switch) -> None:
    """It ends neither the daemon nor its start: the exact index answers."""
    async with switch.serving():
        await switch.ask("faiss")
        switch.shop.refuses = PermissionError(errno.EACCES, "Permission denied")
        with pytest.raises(UnavailableError, match="the index vss can't be built: PermissionError"):
            await switch.ask("vss")
        assert switch.generations.index.backend == "faiss"
    again = await _opened(switch.world, switch.shop)
    assert (again.generations.index.backend, again.rebuild.choice.chosen) == ("exact", "faiss")
    assert "PermissionError" in str(again.rebuild.fault)


async def test_an_unknown_name_is_refused(switch: Switch) -> None:
    """With the known ones."""
    async with switch.serving():
        with pytest.raises(InvalidError) as raised:
            await switch.ask("annoy")
    assert raised.value.hint == "there are exact, vss, faiss"


@pytest.mark.parametrize(
    ("breaks", "fault", "error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "", StorageFullError, "the disk is full"),
        (RuntimeError("a bug"), "", UnavailableError, "RuntimeError"),
        (MemoryError("no room"), "", UnavailableError, "MemoryError"),
        (None, "the disk is full", UnavailableError, "can't be written: the disk is full"),
    ],
)
async def test_a_fault_on_the_way_leaves_the_old_index_in_use(
    switch: Switch, breaks: Exception | None, fault: str, error: type[Exception], words: str
) -> None:
    """It says why; who captures meanwhile is not bothered; nothing of it is left."""
    switch.shop.breaks, switch.shop.fault = breaks, fault
    async with switch.serving():
        with pytest.raises(error, match=words):
            await switch.ask("vss")
        await switch.add("a heron stands in the pond")
        assert await switch.nearest("a heron stands in the pond") == pytest.approx(1.0, abs=1e-5)
    assert (switch.generations.index.backend, switch.files) == ("exact", [])
    assert await switch.kept() == IndexChoice("exact", "exact", is_built=True)
    assert switch.shop.opened[0].is_closed


async def test_a_fault_of_the_new_index_in_a_capture_is_its_own(switch: Switch) -> None:
    """The fact is stored and found, and the new index never gets the place."""
    switch.shop.may_write.clear()
    async with switch.serving():
        asked = await switch.begin("vss")
        switch.shop.breaks = RuntimeError("a bug")
        await switch.add("a heron stands in the pond")
        assert await switch.nearest("a heron stands in the pond") == pytest.approx(1.0, abs=1e-5)
        switch.shop.may_write.set()
        with pytest.raises(UnavailableError, match="RuntimeError"):
            await asked
    assert switch.generations.index.backend == "exact"


async def test_a_stop_ends_it_and_the_next_start_goes_on(switch: Switch) -> None:
    """The exact index answers again at once, until the wanted one is built."""
    switch.shop.may_write.clear()
    async with switch.serving():
        asked = await switch.begin("vss")
        switch.stop.set()
        with pytest.raises(ClosedError, match="the daemon stops"):
            await asked
    assert await switch.kept() == IndexChoice("exact", "vss", is_built=False)
    again = await _opened(switch.world, switch.shop)
    switch.shop.may_write.set()
    assert again.generations.index.backend == "exact"
    assert again.files == ["vss"]  # what was written is not written again
    async with again.serving():
        await again.is_replaced()
    assert await again.kept() == IndexChoice("exact", "vss", is_built=True)


async def test_an_index_over_which_the_daemon_died_too_often_is_left_until_somebody_asks(
    filled: World, shop: Shop
) -> None:
    """One that takes more memory than there is would end each start."""
    choice = IndexChoice("exact", "vss", is_built=False, attempts=3)
    await filled.database.write(lambda c: index_choice.keep(c, choice))
    switch = await _opened(filled, shop)
    async with switch.serving():
        await asyncio.sleep(0)  # it has begun to serve
        assert "vss was begun 3 times" in str(switch.rebuild.fault)
        assert "reindex --backend vss" in str(switch.rebuild.fault and switch.rebuild.fault.hint)
        assert shop.opened == []
        await switch.ask("vss")
        assert switch.rebuild.fault is None
    assert await switch.kept() == IndexChoice("exact", "vss", is_built=True)


async def test_a_built_index_is_opened_at_once_by_the_next_start(switch: Switch) -> None:
    """Unless its files are gone: then the exact one answers until they are there again."""
    async with switch.serving():
        await switch.ask("vss")
    again = await _opened(switch.world, switch.shop)
    assert (again.generations.index.backend, len(again.generations)) == ("vss", VECTORS)
    for path in again.backends.folder.glob("*"):
        path.unlink()
    bare = await _opened(switch.world, switch.shop)
    assert bare.generations.index.backend == "exact"


async def test_the_configured_index_is_built_beside_the_exact_one(filled: World, shop: Shop) -> None:
    """A start with another configuration answers at once."""
    shop.may_write.clear()
    switch = await _opened(filled, shop, configured="vss")
    assert (switch.generations.index.backend, switch.rebuild.choice.chosen) == ("exact", "vss")
    shop.may_write.set()
    async with switch.serving():
        await switch.is_replaced()
    assert len(switch.generations) == VECTORS


async def test_a_choice_stands_until_the_configuration_says_something_else(switch: Switch) -> None:
    """Also when it comes back to what it said then."""
    async with switch.serving():
        await switch.ask("vss")
    assert (await switch.kept("exact")).chosen == "vss"
    assert await switch.kept("faiss") == IndexChoice("faiss", "faiss", is_built=False)
    assert (await switch.kept("exact")).chosen == "exact"


@pytest.mark.parametrize("was_built", [True, False])
async def test_a_wanted_index_that_can_t_be_used_is_told_and_the_exact_one_answers(
    filled: World, shop: Shop, was_built: bool
) -> None:
    """At a start; it is wanted still, and tried again when asked."""
    before = await _opened(filled, shop, configured="vss")
    if was_built:
        async with before.serving():
            await before.ask("vss")
    shop.missing = True
    switch = await _opened(filled, shop, configured="vss")
    async with switch.serving():
        with pytest.raises(UnavailableError):
            await switch.ask("vss")
        assert (switch.generations.index.backend, len(switch.generations)) == ("exact", VECTORS)
        assert str(switch.rebuild.fault) == "the package is not installed"
        assert switch.rebuild.choice.chosen == "vss"
        shop.missing = False
        await switch.ask("vss")
        assert switch.rebuild.fault is None


async def test_a_dry_run_says_what_would_be_done(switch: Switch) -> None:
    """And does nothing of it."""
    report = await switch.ask("vss", dry_run=True)
    assert (report.counts, report.dry_run) == ({"indexed": VECTORS}, True)
    assert report.notes[0] == "vss would be built beside exact, then answer in its place"
    assert (switch.generations.index.backend, switch.files) == ("exact", [])
    assert (await switch.ask("exact", dry_run=True)).notes == ("exact is in use already",)


async def test_a_disk_that_it_would_fill_is_left_alone(switch: Switch) -> None:
    """It is looked at before the work begins."""
    huge = FakeEmbedder()
    huge.dimension = 2**40
    with pytest.raises(StorageFullError, match=r"may need \d+ MiB of disk, \d+ MiB are free"):
        switch.backends.check_room("vss", huge, 10**6)
    switch.backends.check_room("exact", huge, 10**6)


async def test_without_an_embedder_there_is_no_index(switch: Switch) -> None:
    """The report says why."""
    construction = Construction(switch.world.database, Generations(None), switch.backends)
    rebuild = Rebuild(
        switch.world.database, Generations(None), construction, IndexChoice("exact", "exact", True)
    )
    report = await rebuild.run("vss")
    assert (report.counts, report.notes) == ({"indexed": 0}, ("no embedder: full text alone",))


async def test_a_model_that_changes_meanwhile_moves_into_the_new_index(filled: World, shop: Shop) -> None:
    """Texts that get a vector of the model in use are in both indexes, and leave the older model's."""
    older = Generation(FakeEmbedder(), filled.index)
    world = World.build(
        filled.database, filled.settings, filled.clock, filled.new_id,
        embedder=OtherEmbedder(), extractor=FakeExtractor(), older=[older],
    )  # fmt: skip
    shop.may_write.clear()
    switch = await _opened(world, shop)
    async with switch.serving():
        asked = await switch.begin("vss")
        report = await Reindex(world.database, world.generations, world.clock).run()
        assert report.counts == {"embedded": VECTORS, "pending": 0}
        shop.may_write.set()
        await finished(asked)
    assert (switch.generations.index.backend, len(switch.generations.index)) == ("vss", VECTORS)
    assert len(older.index) == 0
