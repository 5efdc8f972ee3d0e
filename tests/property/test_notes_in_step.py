"""A file of notes through any edits: the facts are its lines, and nothing else."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import islice

import apsw
from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from memory.ids import id_maker
from memory.knowledge.filing import Filer
from memory.knowledge.settle import Settler
from memory.notes.document import Nature, read
from memory.notes.entry import Shelf, entries
from memory.notes.shelving import Shelving, Vectors, plan
from memory.store import notebooks
from memory.testing import FrozenClock
from memory.turns import content_hash
from memory.vectors.generations import Generations
from migrations import runner

WORDS = strategies.sampled_from(
    [
        "tea",
        "Tea",
        "green tea",
        "NAS: one",
        "NAS: two",
        "has a cat",
        "has two cats",
        "养猫",
        "养了两只猫",
        "plays chess",
    ]
)
LISTS = strategies.lists(WORDS, min_size=1, max_size=6)
PATHS = ("/w/MEMORY.md", "/w/USER.md")


@cache
def _empty_store() -> bytes:
    connection = apsw.Connection(":memory:")
    runner.apply(connection)
    return connection.serialize("main")


class NotesMachine(RuleBasedStateMachine):
    """Two files of one user, edited at random."""

    def __init__(self) -> None:
        super().__init__()
        self.connection = apsw.Connection(":memory:")
        self.connection.deserialize("main", _empty_store())
        self.connection.pragma("foreign_keys", "ON")
        self.clock = FrozenClock()
        new_id = id_maker(random.Random(1).randbytes)  # noqa: S311 - no secrets
        self.shelving = Shelving(Settler(Generations(None, ()), new_id, Filer(new_id)), new_id)
        self.files: dict[str, list[str]] = {path: [] for path in PATHS}
        self.parts_before_crash = 0

    @rule(parts=strategies.integers(0, 3))
    def crash_later(self, parts: int) -> None:
        """From now on so many parts of a file are taken in before the process is gone, and then all anew."""
        self.parts_before_crash = parts

    @rule(path=strategies.sampled_from(PATHS), lines=LISTS)
    def rewrite(self, path: str, lines: list[str]) -> None:
        """The file says something else."""
        self._save(path, lines)

    @rule(path=strategies.sampled_from(PATHS), word=WORDS, at=strategies.integers(0, 6))
    def put(self, path: str, word: str, at: int) -> None:
        """A line comes in between."""
        lines = self.files[path]
        self._save(path, [*lines[:at], word, *lines[at:]])

    @rule(path=strategies.sampled_from(PATHS), word=WORDS, at=strategies.integers(0, 6))
    def change(self, path: str, word: str, at: int) -> None:
        """A line says something else."""
        lines = self.files[path]
        if at < len(lines):
            self._save(path, [*lines[:at], word, *lines[at + 1 :]])

    @rule(path=strategies.sampled_from(PATHS), seed=strategies.integers(0, 99))
    def shuffle(self, path: str, seed: int) -> None:
        """Lines move, and nothing changes."""
        lines = list(self.files[path])
        random.Random(seed).shuffle(lines)  # noqa: S311 - no secrets
        before = self._rows()
        self._save(path, lines)
        assert self._rows() == before

    @rule(path=strategies.sampled_from(PATHS))
    def save_again(self, path: str) -> None:
        """The same file changes nothing."""
        before = self._rows()
        self._save(path, self.files[path])
        assert self._rows() == before

    @invariant()
    def facts_are_the_lines(self) -> None:
        """Each line has its one live fact, also where both files say it; no fact is without a line."""
        said = {content_hash(line) for lines in self.files.values() for line in lines}
        live = self.connection.execute(
            "SELECT content_hash FROM items WHERE superseded_by IS NULL"
        ).fetchall()
        assert sorted(str(found) for (found,) in live) == sorted(said)

    @invariant()
    def nothing_dangles(self) -> None:
        """Each known line leads to a turn that says it, and every live fact to one of those turns."""
        dangling = self.connection.execute(
            """
            SELECT count(*) FROM note_lines AS l LEFT JOIN resources AS r ON r.id = l.resource_id
            WHERE r.content_hash IS NOT l.content_hash
            """
        ).get
        alone = self.connection.execute(
            """
            SELECT count(*) FROM items AS i
            WHERE superseded_by IS NULL AND NOT EXISTS (SELECT 1 FROM item_sources WHERE item_id = i.id)
            """
        ).get
        assert (dangling, alone) == (0, 0)

    def _save(self, path: str, lines: Sequence[str]) -> None:
        self.files[path] = list(lines)
        self.clock.turn(60)
        now = self.clock.now()
        text = "".join(f"- {line}\n" for line in lines)
        shelf = Shelf("default", path, Nature(), now, "UTC")
        wanted = entries(read(text, Nature()).notes)
        for parts in (self.parts_before_crash, None):
            file = notebooks.enter(self.connection, "default", path)
            ahead = plan(self.connection, file, wanted)
            for part in islice(ahead.parts(2), parts):
                with self.connection:
                    self.shelving.put_in_step(self.connection, file, shelf, ahead, part, Vectors({}, ""), now)

    def _rows(self) -> Sequence[object]:
        return self.connection.execute(
            "SELECT id, content, superseded_by, reinforced FROM items ORDER BY id"
        ).fetchall()

    def teardown(self) -> None:
        """Close it."""
        self.connection.close()


TestNotes = NotesMachine.TestCase
TestNotes.settings = settings(max_examples=20, stateful_step_count=8, deadline=None)
