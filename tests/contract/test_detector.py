"""What every detector promises. A new one joins by a scene: how it is built, and what makes it speak."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import apsw
import pytest

from config.settings import Settings
from memory.database import Database
from memory.ids import NewId
from memory.model import DAY_S, Prediction, Resource, Role, Scope
from memory.ports import Clock, Embedder
from memory.proactive import ledger
from memory.proactive.detector import Detector
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.detectors.habit import HabitDetector
from memory.proactive.detectors.open_question import OpenQuestionDetector
from memory.proactive.detectors.overtaken import OvertakenDetector
from memory.proactive.detectors.repeated_intent import RepeatedIntentDetector
from memory.proactive.detectors.upcoming import UpcomingDetector
from memory.terms import Language
from tests.foresight import BEGIN, House, Line, Scene, open_house
from tests.guesses import GuessDetector, guessing

WHEN = {"en": ("now", "today", "again", "please", "this time"), "zh": ("", "现在", "今天", "又", "到底")}
GUESSES = {
    "Porto": ("flat in Porto", "Current rents for flats in Porto."),
    "签证": ("日本签证", "整理日本签证需要的材料。"),
}


def repeated_intent(database: Database, embedder: Embedder, clock: Clock) -> Detector:
    return RepeatedIntentDetector(embedder, database, clock, 7 * DAY_S)


def habit(database: Database, embedder: Embedder, clock: Clock) -> Detector:
    return HabitDetector(embedder, database, clock)


SCENES = {
    "commitment": Scene(
        lambda database, embedder, clock: CommitmentDetector(),
        {
            "en": [Line("Remind me on Friday at 3 pm to send the invoice.")],
            "zh": [Line("周五下午三点提醒我寄发票。")],
        },
    ),
    "habit": Scene(
        habit,
        {
            "en": [Line(f"What is the price of NVDA {when}?", day) for day, when in enumerate(WHEN["en"])],
            "zh": [Line(f"英伟达股价{when}多少", day) for day, when in enumerate(WHEN["zh"])],
        },
    ),
    "open_question": Scene(
        lambda database, embedder, clock: OpenQuestionDetector(),
        {
            "en": [Line("I still need to figure out whether to renew the lease.")],
            "zh": [Line("还没想好要不要续租。")],
        },
    ),
    "llm_intent": Scene(
        lambda database, embedder, clock: GuessDetector(guessing(GUESSES)),
        {
            "en": [Line("I'm moving to Porto in May and still have no flat there.")],
            "zh": [Line("下个月想带爸妈去日本玩，签证还没开始办。")],
        },
    ),
    "upcoming": Scene(
        lambda database, embedder, clock: UpcomingDetector(),
        {"en": [Line("My passport expires on 3 March 2027.")], "zh": [Line("我的护照2027年3月3日到期。")]},
    ),
    "overtaken": Scene(
        lambda database, embedder, clock: OvertakenDetector(embedder, database, clock),
        {
            "en": [
                Line("We decided to hire Nordlicht as our printer."),
                Line("I'm having second thoughts about Nordlicht as a printer.", 2),
            ],
            "zh": [Line("我们决定用蓝鲸做收银系统。"), Line("收银系统用蓝鲸这事我有点动摇了。", 2)],
        },
    ),
    "repeated_intent": Scene(
        repeated_intent,
        {
            "en": [
                Line("What is the price of NVDA?"),
                Line("any movement in the NVDA price?", 1),
                Line("check the price of NVDA again", 2),
            ],
            "zh": [
                Line("英伟达股价多少"),
                Line("英伟达股价现在多少", 1),
                Line("查一下英伟达股价多少", 2),
            ],
        },
    ),
}
LANGUAGES: Sequence[Language] = ("en", "zh")
UNRELATED: dict[Language, Line] = {
    "en": Line("The kettle is blue and the window is open.", 9),
    "zh": Line("水壶是蓝色的，窗户开着。", 9),
}
BAD_TEXTS = {
    "empty": "",
    "space": " \n\t ",
    "control characters": "\x00\x01\x1b[31m\x7f\x9f" * 9,
    "500 KiB": "the same old words come again and again. " * 12_500,
    "500 KiB of Chinese": "同样的话说了一遍又一遍。" * 14_000,
    "500 KiB without a break": "啊" * 170_000,
    "emoji": "🎉" * 40,
    "lone marks": "?!?…。，" * 20,
    "format signs": "{topic} %s {0!r} \\1 [bold]",
    "directions turned": "\u202eremind\u202c \u200b\ufeff",
}
EXTREMES = {
    "1970": 0,
    "the leap day": 1_709_164_800,
    "an hour that comes twice": 1_792_890_000,
    "2038": 2**31 - 1,
    "9999": 253_402_214_400,
}


@pytest.fixture(params=sorted(SCENES))
def scene(request: pytest.FixtureRequest) -> Scene:
    """Each detector with what makes it speak."""
    return SCENES[request.param]


@pytest.fixture(params=LANGUAGES)
def talk(request: pytest.FixtureRequest, scene: Scene) -> Sequence[Line]:
    """What makes it speak, in each language."""
    return scene.talks[request.param]


@pytest.fixture
async def house(scene: Scene, tmp_path: Path, settings: Settings, new_id: NewId) -> AsyncIterator[House]:
    """An empty store with the detector."""
    async with open_house(scene, tmp_path, settings, new_id) as opened:
        yield opened


def assert_sound(predictions: Sequence[Prediction], turn: Resource, detector: str) -> None:
    """Each could stand in the ledger, and ends after it began."""
    for one in predictions:
        assert one.detector == detector
        assert one.topic.strip()
        assert one.text.strip()
        assert one.why.strip()
        assert 0.0 <= one.probability <= 1.0
        assert one.evidence
        assert one.expires_at > turn.turn.timestamp
        assert one.due_at is None or one.expires_at > one.due_at


async def _turns_of(house: House, user_id: str) -> set[str]:
    rows = await house.world.rows("SELECT id FROM resources WHERE user_id = ?", user_id)
    return {turn_id for (turn_id,) in rows}


async def test_a_detector_speaks_in_both_languages(house: House, talk: Sequence[Line]) -> None:
    """What it predicts is sound, and rests on turns of this user alone."""
    turn = await house.hear(talk)
    found = await house.look(turn)
    assert found
    assert_sound(found, turn, house.detector.name)
    evidence = {one.resource_id for prediction in found for one in prediction.evidence}
    assert evidence <= await _turns_of(house, "ana")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_first_turn_about_nothing_is_met_with_silence(house: House, language: Language) -> None:
    """An empty store predicts nothing."""
    assert await house.look(await house.hear([UNRELATED[language]])) == []


async def test_an_unrelated_turn_wakes_nothing_up(house: House, talk: Sequence[Line]) -> None:
    """What was predicted before it is not predicted by it."""
    await house.hear(talk)
    assert await house.look(await house.hear([UNRELATED["en"]])) == []


async def test_the_same_question_has_the_same_answer(
    house: House, scene: Scene, talk: Sequence[Line]
) -> None:
    """Asked twice, and by another instance, as after a restart: nothing is kept outside of the store."""
    turn = await house.hear(talk)
    first = await house.look(turn)
    embedder = house.world.embedder
    assert embedder is not None
    another = House(house.world, scene.build(house.world.database, embedder, house.world.clock), house.begin)
    assert await house.look(turn) == first
    assert await another.look(turn) == first


async def test_a_detector_only_reads(house: House, talk: Sequence[Line]) -> None:
    """It works where nothing can be written."""
    turn = await house.hear(talk)
    await house.detector.prepare()

    def look(connection: apsw.Connection) -> list[Prediction]:
        with pytest.raises(apsw.ReadOnlyError):
            connection.execute("DELETE FROM resources")
        return list(house.detector.detect(connection, turn))

    assert await house.world.database.read(look)


async def test_what_a_topic_has_in_the_ledger_grows(house: House, talk: Sequence[Line]) -> None:
    """The same talk looked at again, with the prediction in the ledger, makes no second item."""
    turn = await house.hear(talk)
    for _ in range(2):
        await house.record(await house.look(turn))
    stored = await house.world.database.read(lambda c: ledger.entries(c, Scope("ana")))
    assert len({item.topic for item in stored}) == len(stored) > 0


@pytest.mark.parametrize("is_private", [True, False])
async def test_a_prediction_is_as_private_as_its_evidence(
    house: House, talk: Sequence[Line], is_private: bool
) -> None:
    """A group sees what rests on public words alone."""
    await house.record(await house.look(await house.hear(talk, private=is_private)))
    public = await house.world.database.read(lambda c: ledger.entries(c, Scope("ana", public_only=True)))
    assert bool(public) is not is_private


async def test_another_users_turns_are_never_seen(house: House, talk: Sequence[Line]) -> None:
    """The last line of what another began rests on that line alone, or says nothing."""
    await house.hear(talk, "ben")
    turn = await house.hear(talk[-1:], "ana")
    found = await house.look(turn)
    assert {one.resource_id for prediction in found for one in prediction.evidence} <= {turn.id}
    assert not found or len(talk) == 1


@pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS.keys())
async def test_any_text_is_borne(house: House, talk: Sequence[Line], text: str) -> None:
    """Whatever was stored: no crash, and no prediction about nothing."""
    await house.hear(talk)
    turn = await house.store(Line(text, 8))
    assert await house.look(turn) == []


async def test_a_tools_words_are_nobodys_wish(house: House, talk: Sequence[Line]) -> None:
    """What a tool or the system wrote is not looked at."""
    if len(talk) > 1:
        await house.hear(talk[:-1])
    for role in (Role.TOOL, Role.SYSTEM):
        line = Line(talk[-1].text, talk[-1].day + (role is Role.TOOL), role)
        assert await house.look(await house.store(line)) == []


@pytest.mark.parametrize("begin", EXTREMES.values(), ids=EXTREMES.keys())
@pytest.mark.parametrize("tz", ["Pacific/Kiritimati", "Etc/GMT+12", "no such zone"])
async def test_any_moment_in_any_zone_is_borne(
    scene: Scene, talk: Sequence[Line], tmp_path: Path, settings: Settings, new_id: NewId, begin: int, tz: str
) -> None:
    """A clock that was never set, and one far ahead."""
    async with open_house(scene, tmp_path, settings, new_id, begin) as house:
        for line in talk:
            turn = await house.store(line, tz=tz)
        assert_sound(await house.look(turn), turn, house.detector.name)


def test_the_beginning_is_the_morning_that_the_scenes_are_written_for() -> None:
    """Friday lies ahead, and nothing is due yet."""
    assert BEGIN % DAY_S == 9 * 3600
