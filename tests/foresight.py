"""A store in which people talk, and a detector looks at each turn that it would look at in the daemon."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import apsw

from config.settings import Settings
from memory.database import Database
from memory.extract.rules import RulesExtractor
from memory.ids import NewId
from memory.model import DAY_S, Modality, Origin, Prediction, Resource, Role, Scope, Turn
from memory.ports import Clock, Embedder
from memory.proactive import recording
from memory.proactive.detector import Detector
from memory.store import resources
from memory.terms import Language
from memory.testing import FakeEmbedder, FrozenClock
from memory.turns import content_hash
from tests.world import World

BEGIN = 1_796_029_200  # Monday, 30 November 2026, 10:00 in Berlin


@dataclass(frozen=True, slots=True)
class Line:
    """What is said so many days after the talk began."""

    text: str
    day: float = 0.0
    role: Role = Role.USER


@dataclass(frozen=True, slots=True)
class Scene:
    """A detector, and in each language a talk whose last line makes it predict something."""

    build: Callable[[Database, Embedder, Clock], Detector]
    talks: Mapping[Language, Sequence[Line]]


@dataclass(frozen=True, slots=True)
class House:
    """A store where people talk at moments counted from `begin`, and one detector."""

    world: World
    detector: Detector
    begin: int

    async def hear(self, lines: Sequence[Line], user_id: str = "ana", *, private: bool = True) -> Resource:
        """Take a talk in, as the daemon does; the last turn, with its vector and facts in the store."""
        heard: Resource | None = None
        for line in lines:
            at = self.begin + int(line.day * DAY_S)
            self.world.clock.turn(max(0, at - self.world.clock.now()))
            scope = Scope(user_id, session_id="s")
            taken = await self.world.take(
                line.text, f"{user_id}-{at}-{line.role}", scope=scope, role=line.role, timestamp=at,
                tz="Europe/Berlin", private=private,
            )  # fmt: skip
            assert taken.stored is not None
            await self.world.learn_all()
            heard = taken.stored
        assert heard is not None
        return heard

    async def store(self, line: Line, **changes: object) -> Resource:
        """A turn put into the store past all checks at its door."""
        at = self.begin + int(line.day * DAY_S)
        turn = Turn(
            f"raw-{at}", Scope("ana", session_id="s"), line.role, None, line.text, line.text, Modality.CHAT,
            at, "Europe/Berlin", Origin.USER, True, content_hash(line.text),
        )  # fmt: skip
        vector = (await self.world.embedder.passages([line.text]))[0] if self.world.embedder else None
        name = self.world.embedder.name if self.world.embedder else ""

        def put(connection: apsw.Connection) -> Resource:
            stored = resources.insert(connection, replace(turn, **changes), f"t-raw-{at}", at)  # type: ignore[arg-type]
            if vector is not None:
                resources.set_embedding(connection, stored.key, vector, name)
            return stored

        return await self.world.database.write(put)

    async def look(self, turn: Resource) -> list[Prediction]:
        """What the detector predicts by a turn."""
        await self.detector.prepare()
        return await self.world.database.read(partial(self._detect, turn=turn))

    async def record(self, predictions: Sequence[Prediction], user_id: str = "ana") -> None:
        """Write predictions into the ledger."""
        now = self.world.clock.now()
        for prediction in predictions:
            item_id = self.world.new_id("p")
            await self.world.database.write(
                partial(recording.record, user_id=user_id, prediction=prediction, item_id=item_id, now=now)
            )

    def _detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        return list(self.detector.detect(connection, turn))


@asynccontextmanager
async def open_house(
    scene: Scene, folder: Path, settings: Settings, new_id: NewId, begin: int = BEGIN
) -> AsyncIterator[House]:
    """An empty store with the scene's detector; the clock stands at the beginning."""
    clock, embedder = FrozenClock(begin), FakeEmbedder()
    database = Database.open(folder / f"at-{begin}.db", settings.store)
    world = World.build(database, settings, clock, new_id, embedder=embedder, extractor=RulesExtractor())
    yield House(world, scene.build(database, embedder, clock), begin)
    database.close()
