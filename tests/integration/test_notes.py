"""Notes in the store: each line a fact, in step with its file, and never against what a person did."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from config.settings import NotesSettings
from jobs.notes import Notes
from memory.errors import InvalidError
from memory.knowledge.curation import Statement
from memory.knowledge.learning import Learning
from memory.model import Item, Kind, Origin, Scope
from memory.notes.notebook import Notebook, Page
from memory.notes.shelving import Outcome
from memory.ports import Matrix
from memory.store import notebooks, resources
from memory.testing import FakeEmbedder, FakeExtractor
from tests.world import World

PATH = "/w/MEMORY.md"


@pytest.fixture
def notebook(world: World) -> Notebook:
    """Takes notes into the store of the test."""
    learning = Learning(world.embedder, FakeExtractor(), world.settler, world.generations)
    return Notebook(world.database, learning, world.clock, world.new_id)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder without links above it."""
    return tmp_path.resolve()


@pytest.fixture
def job(world: World, notebook: Notebook) -> Notes:
    """Looks at the files when it is run."""
    settings = NotesSettings(files=(), period_s=60, settle_s=2, max_bytes=1_000)
    return Notes(world.database, notebook, settings, world.clock)


async def _take(world: World, notebook: Notebook, text: str, path: str = PATH) -> Outcome:
    world.clock.turn(60)
    outcome = await notebook.take("default", Page(path, text, world.clock.now()))
    assert outcome is not None
    return outcome


async def _live(world: World) -> list[Item]:
    return [item for item in await world.facts() if item.superseded_by is None]


async def _said(world: World) -> list[str]:
    return sorted(item.memory for item in await _live(world))


async def test_each_line_is_an_evergreen_fact_with_file_and_line(world: World, notebook: Notebook) -> None:
    """In its own words, private, filed under its heading, and found by its vector."""
    await _take(world, notebook, "# M\n## Home\n- NAS: nas.lan\n- has a cat\n")
    nas, _ = await world.facts()
    assert (nas.memory, nas.half_life_days, nas.kind, nas.trust) == (
        "NAS: nas.lan",
        None,
        Kind.SEMANTIC,
        "import",
    )
    assert nas.private
    assert (nas.sources[0].key or "").startswith("note:/w/MEMORY.md:3:")
    assert len(world.index) == 4


async def test_the_same_file_again_changes_nothing(world: World, notebook: Notebook) -> None:
    """Nor does moving its lines, or other letter case."""
    await _take(world, notebook, "- has a cat\n- plays chess\n")
    before = await world.facts()
    outcome = await _take(world, notebook, "- Plays chess\n\n- has a cat\n")
    assert (outcome.known, outcome.added, outcome.edited, outcome.ended) == (2, 0, 0, 0)
    assert await world.facts() == before


async def test_an_edited_line_takes_its_fact_s_place_and_can_be_undone(
    world: World, notebook: Notebook
) -> None:
    """The old words lead to the new ones; `restore` brings them back."""
    await _take(world, notebook, "- NAS: old.lan\n- 养了一只猫\n")
    outcome = await _take(world, notebook, "- NAS: new.lan\n- 养了两只猫\n")
    assert outcome.edited == 2
    assert await _said(world) == ["NAS: new.lan", "养了两只猫"]
    old, new = [
        next(i for i in await world.facts() if i.memory == f"NAS: {one}.lan") for one in ("old", "new")
    ]
    assert old.superseded_by == new.id
    assert (await world.curation.restore(Scope(), old.id)).superseded_by is None


async def test_a_line_that_is_gone_takes_its_fact_along_and_that_can_be_had_back(
    world: World, notebook: Notebook
) -> None:
    """It stands in the archive; its words are found no more."""
    await _take(world, notebook, "- has a cat\n- plays chess\n")
    chess = next(item for item in await world.facts() if item.memory == "plays chess")
    assert (await _take(world, notebook, "- has a cat\n")).ended == 1
    assert await _said(world) == await world.turns() == ["has a cat"]
    assert len(world.index) == 2
    assert (await world.curation.restore(Scope(), chess.id)).memory == "plays chess"
    await _take(world, notebook, "- has a cat\n")
    assert await _said(world) == ["has a cat", "plays chess"]


async def test_what_else_was_said_stays_when_its_line_goes(world: World, notebook: Notebook) -> None:
    """In a talk, or in another file."""
    said = await world.curation.add(Scope(), _statement("has a cat"))
    await _take(world, notebook, "- has a cat\n- plays chess\n")
    await _take(world, notebook, "- plays chess\n", "/w/USER.md")
    await _take(world, notebook, "- drinks tea\n")
    assert await _said(world) == ["drinks tea", "has a cat", "plays chess"]
    (cat,) = [item for item in await world.facts() if item.id == said.stored.item.id]
    assert [source.key for source in cat.sources if (source.key or "").startswith("note:")] == []


async def test_what_a_person_pinned_or_corrected_stays(world: World, notebook: Notebook) -> None:
    """Neither an edited line nor one that is gone ends it."""
    await _take(world, notebook, "- NAS: old.lan\n- plays chess\n- has a cat\n")
    nas, chess, _ = await world.facts()
    await world.curation.pin(Scope(), nas.id, pinned=True)
    await world.curation.update(Scope(), chess.id, {"memory": "plays chess badly"})
    await _take(world, notebook, "- NAS: new.lan\n- has a cat\n")
    assert await _said(world) == ["NAS: new.lan", "NAS: old.lan", "has a cat", "plays chess badly"]


async def test_what_was_forgotten_does_not_come_back(world: World, notebook: Notebook) -> None:
    """Though its line still stands there; the line is told, its words are kept nowhere."""
    await _take(world, notebook, "- has a cat\n- plays chess\n")
    chess = next(item for item in await world.facts() if item.memory == "plays chess")
    await world.curation.forget(Scope(), chess.id, dry_run=False)
    await _take(world, notebook, "- has a cat\n- plays chess\n- drinks tea\n")
    assert (await _take(world, notebook, "- x\n- plays chess\n", "/w/USER.md")).forgotten == [2]
    assert "plays chess" not in await _said(world)
    assert await world.rows("SELECT * FROM resources WHERE content LIKE '%chess%'") == []


async def test_secrets_are_masked(world: World, notebook: Notebook) -> None:
    """Before anything is written."""
    secret = "sk-" + "ant-api03-" + "a1B2" * 12
    await _take(world, notebook, f"- the API key is {secret}\n")
    assert [secret in item.memory for item in await world.facts()] == [False]


class _StuckEmbedder(FakeEmbedder):
    """Never comes back from one of its calls."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.reached = asyncio.Event()
        self._left = calls

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors, as ever; the last call hangs."""
        self._left -= 1
        if not self._left:
            self.reached.set()
            await asyncio.Event().wait()
        return await super().passages(texts)


async def test_a_long_file_is_taken_in_parts_and_goes_on_where_it_was_left(
    world: World, notebook: Notebook
) -> None:
    """Others write in between; who is gone in the middle leaves whole lines, and nothing is there twice."""
    text = "# M\n## Home\n" + "".join(f"- box {number} holds {number * 7} nails\n" for number in range(150))
    stuck = _StuckEmbedder(calls=3)
    learning = Learning(stuck, FakeExtractor(), world.settler, world.generations)
    async with asyncio.TaskGroup() as group:
        first = Notebook(world.database, learning, world.clock, world.new_id)
        taking = group.create_task(_take(world, first, text))
        await stuck.reached.wait()
        part = len(await _said(world))
        taking.cancel()
    assert 0 < part < 150
    assert len(await _said(world)) == part
    outcome = await _take(world, notebook, text)
    assert outcome.added + outcome.known == 150
    assert len(await _said(world)) == len(await world.facts()) == 150
    edited = await _take(world, notebook, text.replace("nails", "screws"))
    assert (edited.edited, edited.ended) == (150, 0)
    assert len([text for text in await _said(world) if "screws" in text]) == 150


async def test_a_daily_note_belongs_to_its_day_and_fades(world: World, notebook: Notebook) -> None:
    """At the hour of its heading; the same on two days is two."""
    for day in ("2024-03-08", "2024-03-09"):
        await _take(world, notebook, "## 10:05\n- went running\n", f"/w/memory/{day}.md")
    first, second = await world.facts()
    assert (first.created_at, second.created_at) == (1_709_892_300, 1_709_978_700)
    assert first.half_life_days is not None
    assert first.kind is Kind.EPISODIC


async def test_a_file_that_is_all_at_once_empty_changes_nothing(world: World, notebook: Notebook) -> None:
    """More likely an accident than a wish; the next text counts again."""
    await _take(world, notebook, "- has a cat\n")
    assert await notebook.take("default", Page(PATH, "", world.clock.now())) is None
    assert await _said(world) == ["has a cat"]
    await _take(world, notebook, "- has two cats\n")
    assert await _said(world) == ["has two cats"]


async def test_users_do_not_share_their_notes(world: World, notebook: Notebook) -> None:
    """The same file, two users: what one edits does not touch the other."""
    await notebook.take("ann", Page(PATH, "- has a cat\n", world.clock.now()))
    await _take(world, notebook, "- has a cat\n")
    await _take(world, notebook, "- plays chess\n")
    assert [item.memory for item in await world.facts("ann")] == ["has a cat"]


async def test_other_files_are_refused(world: World, notebook: Notebook) -> None:
    """What is no note is not read as one."""
    with pytest.raises(InvalidError):
        await notebook.take("default", Page("/etc/passwd", "x", 0))


async def test_notes_teach_no_detector(world: World, notebook: Notebook) -> None:
    """A line is no message: nothing is foreseen or drawn from it."""
    await _take(world, notebook, "- call the dentist tomorrow at nine\n")
    (turn,) = await world.database.read(lambda c: resources.recent(c, Scope(), 10))
    assert (turn.turn.origin, turn.turn.modality.value) == (Origin.IMPORT, "file")
    assert await world.entries() == []


async def _look(world: World, job: Notes) -> dict[str, int]:
    return (await job.run()).counts


def _write(world: World, path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    world.clock.turn(60)
    at = world.clock.now() - 30
    os.utime(path, (at, at))


async def _trouble(world: World) -> str | None:
    (file,) = await world.database.read(notebooks.watched)
    return file.trouble


async def test_a_watched_file_is_followed(world: World, notebook: Notebook, job: Notes, home: Path) -> None:
    """A look at what has not changed reads nothing; a dry run changes nothing."""
    path = home / "MEMORY.md"
    _write(world, path, "- has a cat\n")
    await notebook.watch("default", str(path), watched=True)
    assert (await _look(world, job))["added"] == 1
    assert (await _look(world, job))["files"] == 0
    _write(world, path, "- has two cats\n- plays chess\n")
    assert (await job.run(dry_run=True)).counts["files"] == 1
    counts = await _look(world, job)
    assert (counts["edited"], counts["added"]) == (1, 1)
    assert await _said(world) == ["has two cats", "plays chess"]
    await notebook.watch("default", str(path), watched=False)
    _write(world, path, "- drinks tea\n")
    assert (await _look(world, job))["files"] == 0


@pytest.mark.parametrize("trouble", ["gone", "empty", "link", "no_file", "too_long", "not_utf8"])
async def test_what_can_t_be_read_changes_nothing_until_it_is_back(
    world: World, notebook: Notebook, job: Notes, home: Path, trouble: str
) -> None:
    """Whatever happens to the file, the facts stay, and the trouble is known."""
    path = home / "MEMORY.md"
    _write(world, path, "- has a cat\n- plays chess\n")
    await notebook.watch("default", str(path), watched=True)
    await _look(world, job)
    _spoil(world, path, trouble)
    for _ in range(2):
        await _look(world, job)
        assert await _trouble(world) == trouble
        assert await _said(world) == ["has a cat", "plays chess"]
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)
    _write(world, path, "- has a cat\n")
    await _look(world, job)
    assert await _trouble(world) is None
    assert await _said(world) == ["has a cat"]


def _spoil(world: World, path: Path, trouble: str) -> None:
    path.unlink()
    if trouble == "empty":
        _write(world, path, "\n")
    elif trouble == "link":
        other = path.with_name("other.md")
        _write(world, other, "- hates cats\n")
        path.symlink_to(other)
    elif trouble == "no_file":
        os.mkfifo(path)
    elif trouble == "too_long":
        _write(world, path, "- has a dog\n" * 200)
    elif trouble == "not_utf8":
        path.write_bytes(b"- has a cat \xff\n")


async def test_a_half_written_file_is_left_for_the_next_look(
    world: World, notebook: Notebook, job: Notes, home: Path
) -> None:
    """What was changed a moment ago may not be whole."""
    path = home / "MEMORY.md"
    _write(world, path, "- has a cat\n- plays chess\n")
    await notebook.watch("default", str(path), watched=True)
    await _look(world, job)
    path.write_text("- has a c", encoding="utf-8")
    os.utime(path, (world.clock.now(), world.clock.now()))
    await _look(world, job)
    assert await _said(world) == ["has a cat", "plays chess"]


async def test_the_settings_may_name_files(world: World, notebook: Notebook, home: Path) -> None:
    """They are watched for the default user; a name that is none costs nothing but a line in the log."""
    path = home / "USER.md"
    _write(world, path, "- has a cat\n")
    settings = NotesSettings(
        files=(str(path), "/etc/passwd", "MEMORY.md"), period_s=60, settle_s=2, max_bytes=99
    )
    await Notes(world.database, notebook, settings, world.clock).run()
    assert [file.path for file in await world.database.read(notebooks.watched)] == [str(path)]
    assert await _said(world) == ["has a cat"]


def _statement(text: str) -> Statement:
    return Statement(text, infer=False)
