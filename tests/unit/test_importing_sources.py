"""What lies under a path: each file once, each with its format, and nothing changed by looking."""

import hashlib
import os
import shutil
import zipfile
from pathlib import Path

import apsw

from cli.importing import exports
from cli.importing.found import Fault, Passed, Turn, Wishes
from cli.importing.sources import Source, sources
from tests.openclaw_home import SESSION_ID, with_every_trap, write_database, write_index


def _told(folder: Path) -> list[tuple[str, str]]:
    told = []
    for one in sources(folder):
        if isinstance(one, Source):
            told.append((one.format.name, one.path.name))
        else:
            told.append((one.reason, Path(one.place.file).name))
    return told


def test_a_home_of_openclaw_is_walked(tmp_path: Path) -> None:
    """Transcripts, index and database are recognised; other files are told and left alone."""
    agent = tmp_path / "agents" / "main"
    write_database(agent / "agent" / "openclaw-agent.sqlite", [])
    write_index(agent / "sessions", {})
    with_every_trap().write(agent / "sessions" / f"{SESSION_ID}.jsonl")
    (tmp_path / "openclaw.json").write_text("{}")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "x.json").write_text("{}")
    assert _told(tmp_path) == [
        ("openclaw-db", "openclaw-agent.sqlite"),
        ("openclaw", f"{SESSION_ID}.jsonl"),
        ("openclaw-index", "sessions.json"),
        ("foreign", "openclaw.json"),
    ]


def test_half_an_archive_is_damaged_and_not_foreign(tmp_path: Path) -> None:
    """Half a download, and one with other files in it, are told apart."""
    for name in ("half.zip", "pictures.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("conversations.json" if name == "half.zip" else "a.txt", "[" + 4_000 * " " + "]")
    half = tmp_path / "half.zip"
    half.write_bytes(half.read_bytes()[:600])
    assert _told(tmp_path) == [("archive", "half.zip"), ("foreign", "pictures.zip")]
    (fault,) = exports.read_damaged(half, Wishes())
    assert isinstance(fault, Fault)
    assert (fault.reason, bool(fault.fields["cause"])) == ("import.broken_archive", True)


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    """A link to a folder above is told once; a second way to a file, a dead link, and one to itself, too."""
    path = with_every_trap().write(tmp_path / "a" / "x.jsonl")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "a" / "y.jsonl").symlink_to(path)
    (tmp_path / "a" / "z.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "b").symlink_to("b")
    assert _told(tmp_path) == [
        ("import.loop", "loop"),
        ("openclaw", "x.jsonl"),
        ("linked_twice", "y.jsonl"),
        ("import.unreadable", "z.jsonl"),
        ("import.unreadable", "b"),
    ]


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    """A pipe would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    assert [one.reason for one in sources(tmp_path) if isinstance(one, Passed)] == ["no_file"]
    named = next(iter(sources(tmp_path / "pipe")))
    assert isinstance(named, Fault)
    assert named.reason == "import.no_file"


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    """Another program's SQLite file is no source; half a database is told."""
    apsw.Connection(str(tmp_path / "other.sqlite")).execute("CREATE TABLE photos (id)")
    (tmp_path / "openclaw-agent.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 200)
    found = list(sources(tmp_path))
    assert [one.reason for one in found if isinstance(one, Passed)] == ["foreign"]
    (broken,) = [one for one in found if isinstance(one, Source)]
    faults = [one for one in broken.format.read(broken.path, Wishes()) if isinstance(one, Fault)]
    assert [fault.reason for fault in faults] == ["import.broken_database"]


def test_sources_are_not_touched(tmp_path: Path) -> None:
    """Every byte and every name is the same afterwards, beside a database at work and in a copy of it."""
    path = write_database(tmp_path / "a.sqlite", [("agent:main:main", "s", with_every_trap().records)])
    with_every_trap().write(tmp_path / "x.jsonl.zst")
    owner = apsw.Connection(str(path))
    owner.execute("PRAGMA journal_mode = wal")
    owner.execute("UPDATE session_windows SET chat_type = 'direct'")
    (tmp_path / "copy").mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", tmp_path / "copy")

    def prints() -> dict[Path, str]:
        files = [file for file in tmp_path.rglob("*") if file != Path(f"{path}-shm")]  # its owner's lock
        return {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()}

    before = prints()
    turns = 0
    for one in sources(tmp_path):
        assert isinstance(one, Source)
        turns += sum(isinstance(found, Turn) for found in one.format.read(one.path, Wishes()))
    assert turns == 21
    assert prints() == before
    owner.close()
