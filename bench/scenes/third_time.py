"""One story from end to end: a price is asked for three times, and the fourth time it is ready beforehand."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bench.scenes.say import Say, moment
from bench.scenes.screen import Screen
from bench.scenes.stage import POLL_S, Stage

USER = "mia"
DAY_S, MINUTE_S = 86_400, 60
MORNING = 10  # nothing unasked is said at night, so it is morning where the story is set
READY_S = 15.0
TIMES = 25  # the quickest counts: in so small a store the rest is what else the machine does
TRUST_AT_FIRST = 0.8  # of a user nobody knows, see docs/PROACTIVE.md

ASKED = (
    (4 * DAY_S, Say("Morning! What's NVDA trading at?", "早，英伟达现在股价多少？")),
    (DAY_S, Say("Any movement in the NVDA price?", "英伟达的股价有变化吗？")),
    (40 * MINUTE_S, Say("Could you check the price of NVDA again?", "再帮我查一下英伟达的股价")),
)


@dataclass(frozen=True, slots=True)
class _Asking:
    """One of the three: when, where, in which words."""

    key: str
    at: int
    tz: str
    words: str

    @property
    def event(self) -> Mapping[str, Any]:
        """As an agent sends it."""
        said = {"role": "user", "content": self.words, "timestamp": self.at, "tz": self.tz}
        return {"key": self.key, **said}


@dataclass(frozen=True, slots=True)
class _Timed:
    """What a recall answered, whether it was prepared, and the milliseconds of the quickest."""

    context: str
    is_warm: bool
    ms: float


def third_time(screen: Screen, stage: Stage) -> None:
    """Asked three times, prepared, told once, used; and what memud learns from it."""
    screen.scene(
        Say("The third time: a story of one price", "问到第三次：一个股价的故事"),
        Say(
            "Mia asks for one price on three days, each time in other words. Nobody told memud to watch it.",
            "小米在三天里问了三次同一个股价，每次说法都不同。没有人让 memud 盯着它。",
        ),
    )
    askings = _askings(screen, stage.conversation.read_at)
    for asking in askings:
        when = screen.words(moment(asking.at, ZoneInfo(asking.tz)))
        screen.entry(f"{when}  “{asking.words}”")
    cold = _tell(stage, askings)
    item = _prepared(screen, stage, askings)
    if item is not None:
        _told(screen, stage, item)
        _ready(screen, stage, askings[-1].words, cold)
        _learnt(screen, stage, item)


def _askings(screen: Screen, now: int) -> list[_Asking]:
    tz = _morning(now)
    return [
        _Asking(f"price-{number}", now - ago, tz, screen.words(say))
        for number, (ago, say) in enumerate(ASKED, start=1)
    ]


def _morning(now: int) -> str:
    """A zone in which it is morning now."""
    east = (MORNING - datetime.fromtimestamp(now, UTC).hour + 11) % 24 - 11
    return f"Etc/GMT{-east:+d}"


def _tell(stage: Stage, askings: Sequence[_Asking]) -> _Timed:
    """Hand them over; how long the last one takes to answer while memud can't expect it yet."""
    for asking in askings[:-1]:
        _capture(stage, asking)
    cold = _timed(stage, askings[-1].words)
    _capture(stage, askings[-1])
    stage.client.job_run("monitor")
    return cold


def _capture(stage: Stage, asking: _Asking) -> None:
    stage.client.call("capture", events=[asking.event], session_id=USER, user_id=USER)
    stage.digest(lambda _: None)


def _timed(stage: Stage, query: str) -> _Timed:
    spent: list[float] = []
    while True:
        begun = time.monotonic()
        reply = stage.client.recall(query, user_id=USER)
        spent.append((time.monotonic() - begun) * 1000)
        if len(spent) == TIMES:
            return _Timed(reply["context"], reply["warm"], min(spent))


def _prepared(screen: Screen, stage: Stage, askings: Sequence[_Asking]) -> Mapping[str, Any] | None:
    """The prediction, with the turns that it rests on."""
    found = stage.client.proactive_list(user_id=USER)["results"]
    keys = [[piece["key"] for piece in item["evidence"]] for item in found]
    held = screen.check(
        Say("one prediction, and its evidence are these three turns", "只得出一条预测，依据正是这三句话"),
        keys == [[asking.key for asking in askings]],
        str(keys),
    )
    if not held:
        return None
    item: Mapping[str, Any] = found[0]
    why = screen.words(screen.heard(item["why"]))
    sure = screen.words(Say(f"probability {item['probability']:.0%}", f"可能性 {item['probability']:.0%}"))
    screen.panel(
        screen.words(Say("what memud prepared", "memud 准备了什么")), f"{item['text']}\n{why}\n{sure}"
    )
    return item


def _told(screen: Screen, stage: Stage, item: Mapping[str, Any]) -> None:
    """The agent takes it, once."""
    first, again = (stage.client.proactive_next(user_id=USER)["results"] for _ in range(2))
    screen.check(
        Say(
            "the agent asks what to bring up and gets it; asked again, there is nothing",
            "agent 来问有什么该提，拿到这一条；再问，就没有了",
        ),
        ([one["id"] for one in first], again) == ([item["id"]], []),
        Say(f"first {len(first)}, then {len(again)}", f"先 {len(first)} 条，后 {len(again)} 条"),
    )


def _ready(screen: Screen, stage: Stage, query: str, cold: _Timed) -> None:
    """She wants it: the recall is made already, and is the same as without preparation."""
    until = time.monotonic() + READY_S
    while not stage.client.recall(query, user_id=USER)["warm"] and time.monotonic() < until:
        time.sleep(POLL_S)
    warm = _timed(stage, query)
    screen.note(
        Say(
            f"Mia says yes. Her memories for it were looked up beforehand: {warm.ms:.1f} ms at best, "
            f"unprepared {cold.ms:.1f}.",
            f"小米说“好”。相关记忆事先已经查好：最快 {warm.ms:.1f} 毫秒，没有准备时 {cold.ms:.1f} 毫秒。",
        )
    )
    screen.note(
        Say(
            "(Among 10,000 texts it is 2 instead of 35, see docs/PROACTIVE.md.)",
            "（记忆有一万条时，是 2 毫秒对 35 毫秒，见 docs/PROACTIVE.md。）",
        )
    )
    screen.check(
        Say(
            "the recall was made ahead; before the third time it was not",
            "这次回忆是事先备好的；第三次问之前还没有",
        ),
        warm.is_warm and not cold.is_warm,
    )
    anew = stage.client.recall(query, user_id=USER, explain=True)  # never answered from what is prepared
    screen.check(
        Say("it is the very answer that looking anew gives", "与当场现查的结果一字不差"),
        bool(warm.context) and (anew["context"], anew["warm"]) == (warm.context, False),
    )


def _learnt(screen: Screen, stage: Stage, item: Mapping[str, Any]) -> None:
    """The agent reports that it was of use, and the statistics know it."""
    stage.client.proactive_resolve(item["id"], "used", user_id=USER)
    stats = stage.client.proactive_stats(user_id=USER)
    shown = [(one["detector"], one["right"], one["wrong"], one["posterior"]) for one in stats["detectors"]]
    for detector, right, wrong, trust in shown:
        name = screen.word("detector", detector)
        screen.note(
            Say(
                f"The agent reports `used`. {name.capitalize()}: {right} right, {wrong} wrong, "
                f"trust {trust:.0%}.",
                f"agent 回报 used（采用）。{name}：对 {right} 次，错 {wrong} 次，信任度 {trust:.0%}。",
            )
        )
    screen.check(
        Say(
            "it counts as right, and predictions like it are trusted more",
            "记作说对一次，以后这类预测更受信任",
        ),
        [one[:3] for one in shown] == [(item["detector"], 1, 0)] and shown[0][3] > TRUST_AT_FIRST,
        str(shown),
    )
