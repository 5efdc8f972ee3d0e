"""A user who talks, and everything that looks at what is said: facts, detectors, what follows, the ledger."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from config.settings import Settings
from jobs.foresight import Foresight
from memory.database import Database
from memory.extract.rules import RulesExtractor
from memory.ids import NewId
from memory.model import Modality, ProactiveItem, ProactiveState, Role, Scope
from memory.proactive import ledger
from memory.proactive.detector import Detector
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.detectors.open_question import OpenQuestionDetector
from memory.proactive.detectors.overtaken import OvertakenDetector
from memory.proactive.detectors.upcoming import UpcomingDetector
from memory.proactive.following.again import rearm
from memory.proactive.following.fulfilled import Fulfilment
from memory.proactive.following.outdated import take_back
from memory.testing import FakeEmbedder, FrozenClock
from tests.world import World

TZ = "Europe/Berlin"


def unix(local: str, tz: str = TZ) -> int:
    """A wall clock's time."""
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(tz)).timestamp())


def local(moment: int | None, tz: str = TZ) -> str:
    """As a wall clock shows it."""
    assert moment is not None
    return f"{datetime.fromtimestamp(moment, ZoneInfo(tz)):%Y-%m-%d %H:%M}"


@dataclass(frozen=True, slots=True)
class Talk:
    """One user's talk; after each turn the monitor's eye falls on it."""

    world: World
    foresight: Foresight
    tz: str

    async def say(
        self, text: str, at: str, role: Role = Role.USER, modality: Modality = Modality.CHAT
    ) -> None:
        """Take a turn in, learn from it, look at it."""
        moment = unix(at, self.tz)
        self.world.clock.turn(max(0, moment - self.world.clock.now()))
        await self.world.take(
            text, f"{at}-{role}", scope=Scope("ana", session_id="s"), role=role, timestamp=moment, tz=self.tz,
            modality=modality,
        )  # fmt: skip
        await self.world.learn_all()
        await self.foresight.run(None, dry_run=False)

    async def look(self, at: str) -> None:
        """What a tick does at a moment, when nothing new was said."""
        moment = unix(at, self.tz)
        self.world.clock.turn(max(0, moment - self.world.clock.now()))

        def turn_over(connection: object) -> None:
            take_back(connection, moment, None, self.world.new_id)  # type: ignore[arg-type]
            rearm(connection, moment, None, self.world.new_id)  # type: ignore[arg-type]

        await self.world.database.write(turn_over)

    async def items(self, detector: str | None = None) -> list[ProactiveItem]:
        """The ledger, oldest first."""
        found = await self.world.database.read(lambda c: ledger.entries(c, Scope("ana"), detector=detector))
        return found[::-1]

    async def open(self, detector: str) -> list[ProactiveItem]:
        """What of it is still to come."""
        return [item for item in await self.items(detector) if item.state is ProactiveState.OPEN]

    async def due(self, at: str) -> list[str]:
        """The texts of what may be handed out at a moment."""
        moment = unix(at, self.tz)
        found = await self.world.database.read(lambda c: ledger.waiting(c, Scope("ana"), moment))
        return [item.text for item in found if item.due_at is None or item.due_at <= moment]


@asynccontextmanager
async def open_talk(
    folder: Path, settings: Settings, new_id: NewId, begin: str, tz: str = TZ
) -> AsyncIterator[Talk]:
    """An empty store, with the detectors of what is said."""
    clock, embedder = FrozenClock(unix(begin, tz)), FakeEmbedder()
    database = Database.open(folder / "talk.db", settings.store)
    world = World.build(database, settings, clock, new_id, embedder=embedder, extractor=RulesExtractor())
    detectors: list[Detector] = [
        CommitmentDetector(),
        OpenQuestionDetector(),
        UpcomingDetector(),
        OvertakenDetector(embedder, database, clock),
    ]
    fulfilment = Fulfilment(embedder, database, clock)
    yield Talk(world, Foresight(database, detectors, fulfilment, clock, new_id), tz)
    database.close()
