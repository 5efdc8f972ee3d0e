"""The last scene: kill -9 a moment after an acknowledgement, start again, compare."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bench.scenes.conversation import Line, own_words_worth_finding
from bench.scenes.say import Say
from bench.scenes.screen import Screen
from bench.scenes.shared import facts_of
from bench.scenes.stage import Stage, source_keys

LAST_KEY = "the-last-words"
LAST_WORDS = "The spare bicycle key hangs behind the blue door in the cellar."


def prompts_of(stage: Stage) -> list[str]:
    """Three things that the user said, to be asked for before and after the crash."""
    return [line.words[:400] for line in own_words_worth_finding(stage.conversation.lines, at_most=3)]


def survive(screen: Screen, stage: Stage, prompts: Iterable[str]) -> None:
    """Kill -9 a moment after an acknowledgement, start again, compare."""
    screen.scene(
        Say("kill -9, and start again", "kill -9 之后重新启动"),
        Say(
            "One more turn is acknowledged, the process killed at once. What was acknowledged must be there.",
            "再记一句话，刚确认就立刻杀掉进程。凡是确认过的，一条都不能少。",
        ),
    )
    asked = list(prompts)
    before = _Memory.of(stage, asked)
    last = _last_words(stage)
    stage.capture(last)
    stage.child.kill()
    ready_s = stage.child.start()
    screen.note(Say(f"ready again after {ready_s:.1f} s", f"{ready_s:.1f} 秒后恢复"))
    with screen.progress(Say("catching up", "继续处理"), 1) as bar:
        stage.digest(bar.left)
    stage.monitor()
    _compare(screen, before, _Memory.of(stage, asked))
    screen.check(
        Say("the turn acknowledged just before the kill is found", "被杀前刚确认的那句话也在"),
        stage.finds_by_its_words(last),
    )


def _last_words(stage: Stage) -> Line:
    # A second after `end`, so that answers as of the end stay comparable.
    event = {
        "key": LAST_KEY,
        "role": "user",
        "content": LAST_WORDS,
        "timestamp": stage.conversation.end + 1,
        "tz": "UTC",
    }
    return Line(0, event, stage.session_id, None)


@dataclass(frozen=True, slots=True)
class _Memory:
    """Everything that must be the same after a crash."""

    facts: Mapping[str, str]
    holding: int
    replaced: int
    turns: int
    ledger: frozenset[str]
    blocks: Mapping[str, str]

    @classmethod
    def of(cls, stage: Stage, prompts: Iterable[str]) -> "_Memory":
        """What memud holds and would say now, the last words apart."""
        facts = _without_last(stage.facts(with_superseded=True))
        return cls(
            {fact["id"]: fact["memory"] for fact in facts},
            len(_without_last(stage.facts())),
            sum(fact["superseded_by"] is not None for fact in facts),
            stage.turns(),
            frozenset(f"{entry['id']} {entry['detector']} {entry['due_at']}" for entry in stage.ledger()),
            {prompt: stage.recall(prompt)[0]["context"] for prompt in prompts},
        )


def _without_last(facts: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [fact for fact in facts if LAST_KEY not in source_keys(fact)]


def _compare(screen: Screen, before: _Memory, after: _Memory) -> None:
    screen.check(
        Say("no acknowledged turn is lost, none is doubled", "确认过的话一句不少、一句不重"),
        after.turns == before.turns + 1,
        Say(
            f"{before.turns} turns before, {after.turns} after one more",
            f"之前 {before.turns} 句，再记一句之后 {after.turns} 句",
        ),
    )
    same = facts_of(before.holding, before.replaced)
    screen.check(
        Say(f"the same {same.en}", f"还是原来那些：{same.zh}"),
        (after.facts, after.holding) == (before.facts, before.holding),
        Say(f"{len(after.facts)} after", f"之后 {len(after.facts)} 条"),
    )
    screen.check(
        Say("the same ledger of predictions", "主动事项账本一致"),
        after.ledger == before.ledger,
        Say(
            f"{len(before.ledger)} before, {len(after.ledger)} after",
            f"之前 {len(before.ledger)} 条，之后 {len(after.ledger)} 条",
        ),
    )
    screen.check(
        Say("the same blocks for the same prompts", "同样的问题，得到同样的记忆"),
        after.blocks == before.blocks,
        "; ".join(prompt for prompt in before.blocks if before.blocks[prompt] != after.blocks.get(prompt)),
    )
