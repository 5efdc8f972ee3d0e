"""The backup job: a whole copy, for the owner's eyes, or none."""

from pathlib import Path

import apsw
import pytest

from config.settings import Settings
from jobs.backup import Backup
from memory.database import Database
from memory.errors import StorageFullError
from memory.knowledge.curation import Statement
from memory.model import Scope
from tests.world import World


async def test_a_copy_is_a_whole_database(world: World, tmp_path: Path, settings: Settings) -> None:
    """It opens as a store of its own, with every fact."""
    await world.curation.add(Scope(), Statement("The boiler is serviced in May."))
    report = await Backup(world.database, world.clock).run()
    (copy,) = (tmp_path / "backups").iterdir()
    assert report.notes == (str(copy),)
    assert report.counts == {"bytes": copy.stat().st_size}
    restored = tmp_path / "elsewhere" / "memud.db"
    restored.parent.mkdir()
    copy.rename(restored)
    opened = Database.open(restored, settings.store)
    assert await opened.read(lambda c: c.execute("SELECT content FROM items").get) == (
        "The boiler is serviced in May."
    )
    opened.close()


async def test_a_copy_is_for_the_owner_alone(world: World, tmp_path: Path) -> None:
    """0600 in a folder 0700."""
    await Backup(world.database, world.clock).run()
    folder = tmp_path / "backups"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [file.stat().st_mode & 0o777 for file in folder.iterdir()] == [0o600]


async def test_a_copy_has_no_forgotten_words(world: World, tmp_path: Path) -> None:
    """What was forgotten before is in no later copy; its tombstone is."""
    item = (
        await world.curation.add(Scope(), Statement("The zanzibar xylophone is Quillfeather's."))
    ).stored.item
    await world.curation.forget(Scope(), item.id, dry_run=False)
    await Backup(world.database, world.clock).run()
    (copy,) = (tmp_path / "backups").iterdir()
    assert b"xylophon" not in copy.read_bytes().lower()
    connection = apsw.Connection(str(copy))
    assert connection.execute("SELECT count(*) FROM tombstones").get == 2
    connection.close()


async def test_a_dry_run_writes_nothing(world: World, tmp_path: Path) -> None:
    """It says where the copy would be."""
    report = await Backup(world.database, world.clock).run(dry_run=True)
    assert report.dry_run
    assert not (tmp_path / "backups").exists()


async def test_a_copy_that_fails_leaves_no_half_of_it(world: World, tmp_path: Path) -> None:
    """Nothing partial stays behind, and the database goes on."""
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / f"memud-{world.clock.now()}.partial").mkdir()  # VACUUM INTO can't write there
    with pytest.raises((apsw.Error, OSError, StorageFullError)):
        await Backup(world.database, world.clock).run()
    assert not list(folder.glob("*.db"))
    await world.curation.add(Scope(), Statement("The boiler is serviced in May."))
