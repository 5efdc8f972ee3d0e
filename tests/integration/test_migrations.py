"""The schema: what the migrations make, and that every statement in the code fits it."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import apsw
import apsw.ext
import pytest

from config.settings import Settings
from memory.database import Database
from memory.database.connection import MIN_SQLITE, check_sqlite
from migrations import runner

ROOT = Path(__file__).parents[2]
TABLES = {
    "archive", "calibration", "capture_queue", "categories", "category_sentences", "extraction_turns",
    "extractions", "fulltext", "fulltext_terms", "index_choice", "item_categories", "item_filings",
    "item_links",
    "item_sources", "item_versions", "items", "job_cursors", "job_runs", "judged_pairs",
    "llm_reservations", "llm_usage", "note_files", "note_lines", "outbox", "proactive_evidence",
    "proactive_items",
    "proposed_categories", "recall_log", "recall_usage", "recall_version_bump", "recall_versions",
    "resources", "retold", "sentence_items",
    "sequence", "session_histories", "session_summaries", "sessions", "skipped_turns",
    "summary_sources", "text_counts", "tombstones",
}  # fmt: skip
_ROWS = """
  INSERT INTO items
    (key, id, user_id, kind, memory_type, content, created_at, updated_at, stated_at, content_hash)
  VALUES (1, 'm', 'u', 'semantic', 'general', 'x', 0, 0, 0, 'h');
  INSERT INTO resources
    (key, id, event_key, user_id, role, content, timestamp, tz, origin, content_hash, arrived_at)
  VALUES (2, 't', 'k', 'u', 'user', '"x"', 0, 'UTC', 'user', 'h', 0);
  INSERT INTO capture_queue (resource_key, id, user_id, bytes, due_at, created_at, updated_at)
  VALUES (2, 'q', 'u', 1, 0, 0, 0);
"""
_STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b[\s\S]+\b(FROM|INTO|SET|SELECT)\b")


@pytest.fixture
def connection() -> Iterator[apsw.Connection]:
    """A migrated database in memory."""
    opened = apsw.Connection(":memory:")
    runner.apply(opened)
    yield opened
    opened.close()


def test_the_tables_are_those_of_the_design(connection: apsw.Connection) -> None:
    """No table is missing, none is there that nobody knows."""
    names = {row[1] for row in connection.execute("PRAGMA table_list") if row[0] == "main"}
    assert {name for name in names if not name.startswith(("sqlite_", "fulltext_"))} | {
        "fulltext_terms"
    } == TABLES


def test_migrations_follow_one_another_without_a_hole() -> None:
    """A file that took a number left out would come too late: a newer database never applies it."""
    versions = [one.version for one in runner.migrations()]
    assert versions == list(range(1, len(versions) + 1))


def test_every_table_of_ours_is_strict(connection: apsw.Connection) -> None:
    """SQLite refuses a value of the wrong type instead of keeping it."""
    loose = [
        row[1]
        for row in connection.execute("PRAGMA table_list")
        if row[2] == "table" and not row[5] and not row[1].startswith("sqlite_")
    ]
    assert loose == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE items SET importance = 1.5",
        "UPDATE items SET half_life_days = 0",
        "UPDATE items SET kind = 'myth'",
        "UPDATE resources SET content = 'no json'",
        "UPDATE resources SET timestamp = 'yesterday'",
        "UPDATE capture_queue SET state = 'lost'",
    ],
)
def test_values_that_make_no_sense_are_refused(connection: apsw.Connection, statement: str) -> None:
    """The last line of defence is the schema itself."""
    connection.execute(_ROWS)
    with pytest.raises(apsw.ConstraintError):
        connection.execute(statement)


async def test_the_file_is_as_the_writer_promises(database: Database) -> None:
    """Write-ahead log, full sync, foreign keys, incremental vacuum, our mark on the file."""
    found = await database.write(
        lambda c: {
            name: c.pragma(name)
            for name in (
                "journal_mode", "synchronous", "foreign_keys", "auto_vacuum", "application_id",
                "trusted_schema", "secure_delete", "mmap_size", "temp_store", "cell_size_check",
                "user_version",
            )
        }
    )  # fmt: skip
    assert found == {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "auto_vacuum": 2, "secure_delete": 2,
        "application_id": 0x4D454D44, "trusted_schema": 0, "mmap_size": 0, "temp_store": 2,
        "cell_size_check": 1, "user_version": runner.migrations()[-1].version,
    }  # fmt: skip


def test_the_sqlite_that_is_used_is_new_enough() -> None:
    """Older ones can corrupt a log that is reset while another connection writes."""
    check_sqlite()
    assert MIN_SQLITE == (3, 51, 3)


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file and its record are one transaction."""
    connection = apsw.Connection(str(tmp_path / "m.db"))
    runner.apply(connection)
    broken = runner.Migration(
        runner.migrations()[-1].version + 1, "broken", "CREATE TABLE half (x); SELECT nonsense"
    )
    known = [*runner.migrations(), broken]
    monkeypatch.setattr(runner, "migrations", lambda: known)
    with pytest.raises(apsw.SQLError):
        runner.apply(connection)
    assert connection.pragma("user_version") == broken.version - 1
    assert not connection.table_exists("main", "half")
    connection.close()


def test_before_a_migration_the_database_is_copied(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update that goes wrong can be undone by hand."""
    path = tmp_path / "memud.db"
    Database.open(path, settings.store).close()
    added = runner.Migration(
        runner.migrations()[-1].version + 1, "0099_more.sql", "CREATE TABLE more (x ANY) STRICT"
    )
    known = [*runner.migrations(), added]
    monkeypatch.setattr(runner, "migrations", lambda: known)
    Database.open(path, settings.store).close()
    (copy,) = tmp_path.glob("memud.db.before-*")
    before = apsw.Connection(str(copy))
    assert before.pragma("user_version") == added.version - 1
    assert before.pragma("quick_check") == "ok"
    before.close()


_WITH_FILES_OF_THEIR_OWN = ("remembered.py", "vss/file.py", "vss/sidecar.py")


def _statements() -> Iterator[tuple[str, str]]:
    """Every literal of the code that is a whole SQL statement, with its place."""
    for room in ("memory", "jobs", "daemon"):
        for file in sorted((ROOT / room).rglob("*.py")):
            if file.as_posix().endswith(_WITH_FILES_OF_THEIR_OWN):
                continue
            tree = ast.parse(file.read_text(encoding="utf-8"))
            texts = (*_literals(tree), *_composed(tree, file.relative_to(ROOT)))
            yield from (
                (f"{file.relative_to(ROOT)}:{line}", text) for line, text in texts if _STATEMENT.match(text)
            )


def _literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The plain ones, by line."""
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.lineno, node.value


def _composed(tree: ast.Module, file: Path) -> Iterator[tuple[int, str]]:
    """Those put together of constants, as the module has them."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.JoinedStr):
            (target,) = node.targets
            assert isinstance(target, ast.Name)
            module = importlib.import_module(".".join(file.with_suffix("").parts))
            yield node.lineno, getattr(module, target.id)


STATEMENTS = list(_statements())


def test_the_statements_of_the_code_are_found() -> None:
    """The search below looks at something."""
    assert len(STATEMENTS) > 80


@pytest.mark.parametrize("place", [place for place, _ in STATEMENTS])
def test_every_statement_fits_the_schema(connection: apsw.Connection, place: str) -> None:
    """Each prepares against the migrated database: no column or table is misspelt or gone."""
    statement = dict(STATEMENTS)[place]
    assert apsw.ext.query_info(connection, statement).query == statement
