"""Predictions are never evidence: a hundred rounds of prediction, delivery and capture leave no trace."""

import asyncio
import random
import re
import tempfile
from collections.abc import Callable
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from config.settings import load
from jobs.forecast import Forecaster
from jobs.foresight import Foresight
from memory.database import Database
from memory.extract.rules import RulesExtractor
from memory.ids import id_maker
from memory.model import DAY_S, ProactiveItem, Role, Scope
from memory.proactive import ledger, recording
from memory.proactive.arbiter import Arbiter
from memory.proactive.detector import Detector
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.detectors.habit import HabitDetector
from memory.proactive.detectors.open_question import OpenQuestionDetector
from memory.proactive.detectors.overtaken import OvertakenDetector
from memory.proactive.detectors.repeated_intent import RepeatedIntentDetector
from memory.proactive.detectors.upcoming import UpcomingDetector
from memory.proactive.following.fulfilled import Fulfilment
from memory.testing import FakeEmbedder, FrozenClock
from tests.guesses import guessing
from tests.world import World

ROUNDS = 10  # an example; ten examples
HOUR_S = 3_600
SAID = {
    "en": (
        ("What's the price of NVDA?", "We decided to hire Nordlicht as our printer."),
        ("any movement in the NVDA price?", "My passport expires on 3 March 2027."),
        ("check the price of NVDA again", "how long does the ferry to Texel take?"),
        ("What is the price of NVDA now?", "I'm having second thoughts about Nordlicht as a printer."),
        ("What is the price of NVDA?", "does the ferry to Texel take long?"),
        ("remind me to call mom on Friday at 3pm. I prefer tea over coffee",),
        ("how long does the Texel ferry take?", "I still need to figure out whether to renew the lease."),
        ("I'm moving to Porto in May and still have no flat there.",),
    ),
    "zh": (
        ("英伟达股价现在多少？", "我们决定用蓝鲸做收银系统。"),
        ("英伟达股价多少了？", "我的护照2027年3月3日到期。"),
        ("今天英伟达股价多少？", "去崇明岛的轮渡要多久？"),
        ("英伟达股价又是多少？", "收银系统用蓝鲸这事我有点动摇了。"),
        ("英伟达股价多少？", "崇明岛的轮渡要坐多久？"),
        ("周五下午三点提醒我给妈妈打电话。我喜欢喝绿茶",),
        ("轮渡去崇明岛要多久？", "还没想好要不要续租。"),
        ("下个月想带爸妈去日本玩，签证还没开始办。",),
    ),
}
ALL = {
    "commitment", "habit", "llm_intent", "open_question", "overtaken", "repeated_intent", "upcoming",
}  # fmt: skip
GUESSES = {
    "Porto": ("flat in Porto", "Current rents for flats in Porto."),
    "签证": ("日本签证", "整理日本签证需要的材料。"),
}
HALF_WIDTH = str.maketrans("，。：？（）“”", ',.:?()""')
FULL_WIDTH = str.maketrans(",.:?()", "，。：？（）")
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
TRADITIONAL = str.maketrans(
    "问这来说从现备决过华达价电话还证护题热张", "問這來說從現備決過華達價電話還證護題熱張"
)

Disguise = Callable[[str], str]


def _half(text: str) -> str:
    words = text.split(" ")
    return text[: len(text) * 3 // 5] if len(words) < 6 else " ".join(words[: len(words) * 3 // 5])


def _without_a_word(text: str) -> str:
    words = text.split(" ")
    is_short = len(words) < 8  # one word of few may be all that is memud's own
    return text if is_short else " ".join(words[:1] + words[2:])


DISGUISES: tuple[Disguise, ...] = (
    str,
    str.upper,
    _half,
    _without_a_word,
    lambda text: f"> {text}",
    lambda text: f"“{text}”",
    lambda text: text.translate(HALF_WIDTH),
    lambda text: text.translate(FULL_WIDTH),
    lambda text: text.replace("You have asked", "You've asked").replace("你三次问到", "你已经三次问到"),
    lambda text: f"Re: memud\n> {text}\n\nok, thanks",
    lambda text: f"你刚才说：{text}\n好的，谢谢",
    lambda text: f"As you wrote: {text}",
    lambda text: f'{{"results": [{{"text": "{text}"}}]}}',
    lambda text: f"{text}\n\n{text}",
    lambda text: text.translate(WIDE),
    lambda text: text.translate(TRADITIONAL),
    lambda text: f"- {text}",
    lambda text: f"1. **{text}**",
    lambda text: f"```\n{text}\n```",
    lambda text: f"<li>{escape(text)}</li>",
    lambda text: "\n".join(wrap(text, 20)),
    lambda text: re.sub(r"[ ，：“”]", r"\g<0>🎉 ", text),
    lambda text: f"| memud |\n|---|\n| {text} |",
)
ROUND = st.tuples(
    st.integers(0, 9),
    st.sampled_from(DISGUISES),
    st.sampled_from([Role.USER, Role.USER, Role.ASSISTANT, Role.TOOL]),
    st.integers(1, 30),
)


class House:
    """A store that foresees, delivers, and captures what it delivered."""

    def __init__(self, database: Database) -> None:
        config, self.clock = load(), FrozenClock(1_795_600_800)
        new_id = id_maker(random.Random(3).randbytes)  # noqa: S311 - no secrets
        embedder = FakeEmbedder()
        self.world = World.build(
            database, config, self.clock, new_id, embedder=embedder, extractor=RulesExtractor()
        )
        detectors: list[Detector] = [
            CommitmentDetector(),
            OpenQuestionDetector(),
            UpcomingDetector(),
            OvertakenDetector(embedder, database, self.clock),
            RepeatedIntentDetector(embedder, database, self.clock, 30 * DAY_S),
            HabitDetector(embedder, database, self.clock),
        ]
        fulfilment = Fulfilment(embedder, database, self.clock)
        self.foresight = Foresight(database, detectors, fulfilment, self.clock, new_id)
        model = guessing(GUESSES)
        self.forecaster = Forecaster(database, model, config.proactive, self.clock, new_id)
        self.arbiter = Arbiter(config.proactive)
        self._count = 0

    async def hear(self, text: str, role: Role = Role.USER) -> None:
        """Capture a turn, learn from it, and look ahead."""
        self._count += 1
        await self.world.say(text, f"k{self._count}", role=role, tz="Europe/Berlin")
        await self.foresight.run(None, dry_run=False)
        await self.forecaster.run(None, self.clock.now())

    async def told(self) -> list[ProactiveItem]:
        """What is handed out now, and all that was before."""
        now, scope = self.clock.now(), Scope()

        def deliver(connection: Any) -> list[ProactiveItem]:
            chosen = self.arbiter.choose(connection, scope, now, 10)
            recording.deliver(connection, [item.id for item in chosen], now)
            return ledger.entries(connection, scope)

        return await self.world.database.write(deliver)

    async def learnt(self) -> list[Any]:
        """All that a turn could have changed: facts with their weight, predictions with their evidence."""
        facts = await self.world.rows(
            "SELECT id, content, importance, reinforced, stated_at, valid_until FROM items ORDER BY key"
        )
        sources = await self.world.rows("SELECT * FROM item_sources ORDER BY 1, 2")
        predictions = await self.world.rows("SELECT id, topic, probability FROM proactive_items ORDER BY id")
        evidence = await self.world.rows("SELECT * FROM proactive_evidence ORDER BY 1, 2")
        hits = await self.world.rows("SELECT id FROM proactive_items WHERE state = 'hit' ORDER BY id")
        return [facts, sources, predictions, evidence, hits]


async def _quarantined(language: str, rounds: list[tuple[int, Disguise, Role, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = load().store.model_copy(update={"ballast_bytes": 4096})
        database = Database.open(Path(folder) / "m.db", store)
        try:
            house = House(database)
            for day in SAID[language]:
                for text in day:
                    await house.hear(text)
                    house.clock.turn(HOUR_S)
                house.clock.turn(DAY_S - len(day) * HOUR_S)
            before = await house.learnt()
            assert all(before[:4])
            assert {item.detector for item in await house.told()} == ALL
            for choice, disguise, role, hours in rounds:
                house.clock.turn(hours * HOUR_S)
                items = await house.told()
                await house.hear(disguise(items[choice % len(items)].text), role)
                assert await house.learnt() == before
        finally:
            database.close()


# What fails is short enough to read; making it shorter takes minutes.
@pytest.mark.slow
@settings(max_examples=20, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.sampled_from(["en", "zh"]), st.lists(ROUND, min_size=ROUNDS, max_size=ROUNDS))
def test_what_is_delivered_and_comes_back_changes_nothing(
    language: str, rounds: list[tuple[int, Disguise, Role, int]]
) -> None:
    """No new fact, none reinforced, no new prediction, no evidence, no hit; whoever says it and however."""
    asyncio.run(_quarantined(language, rounds))
