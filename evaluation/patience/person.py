"""A person who is told things, hour by hour, and answers each in one way."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from memud_client import Client, types

from evaluation.store import Said, Store
from memory.proactive.worth import ASKED_FOR

Manner = Literal["dismisses", "uses"]
_MOST = 10
_ANSWERS: dict[Manner, Literal["used", "dismissed"]] = {"dismisses": "dismissed", "uses": "used"}
_SESSIONS = ((12, "morning"), (17, "afternoon"), (24, "evening"))


@dataclass(frozen=True, slots=True)
class Told:
    """One item that came: on which day of being told, from 0, and whether it had been asked for."""

    id: str
    detector: str
    day: int
    is_asked_for: bool


@dataclass(slots=True)
class Person:
    """Their turns, how they take what they are told, and what came so far. Told from `since` on."""

    store: Store
    manner: Manner
    zone: ZoneInfo
    since: datetime
    told: list[Told] = field(default_factory=list)

    def says(self, begin: int, end: int) -> list[Said]:
        """Their turns from one moment to before another."""
        return [turn for turn in self.store.turns if begin <= turn.timestamp < end]

    def listen(self, client: Client, now: int) -> None:
        """Take what there is to say now, if it is the time for that, and answer it."""
        local = datetime.fromtimestamp(now, UTC).astimezone(self.zone)
        if local < self.since:
            return
        day = (local.date() - self.since.date()).days
        session_id = f"{local:%Y-%m-%d}-{next(name for end, name in _SESSIONS if local.hour < end)}"
        reply = client.proactive_next(user_id=self.store.name, session_id=session_id, limit=_MOST)
        for item in reply["results"]:
            is_asked_for = item["due_at"] is not None and item["probability"] >= ASKED_FOR
            self.told.append(Told(item["id"], item["detector"], day, is_asked_for))
            client.proactive_resolve(item["id"], _ANSWERS[self.manner], user_id=self.store.name)

    def unasked(self, days: Callable[[int], bool]) -> dict[int, int]:
        """How many items came unasked, on each of the days that are meant."""
        counts: dict[int, int] = {}
        for one in self.told:
            if not one.is_asked_for and days(one.day):
                counts[one.day] = counts.get(one.day, 0) + 1
        return counts

    def got(self, due: list[types.ProactiveItem]) -> list[bool]:
        """Whether each of these came."""
        ids = {one.id for one in self.told}
        return [item["id"] in ids for item in due]
