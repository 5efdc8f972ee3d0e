"""Scenes of the conversation that ships with memud: it is known what must be kept, recalled, foreseen."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bench.scenes import shared
from bench.scenes.conversation import Line, PlantedSecrets
from bench.scenes.say import Say
from bench.scenes.screen import Screen
from bench.scenes.stage import Replayed, Stage, source_keys

FRIDAY = "2026-11-20"
FRIDAY_THREE_PM = datetime(2026, 11, 20, 14, tzinfo=UTC)  # 15:00 in Berlin
SMALL_TALK = ("ok", "thanks", "哈哈", "👍", "早", "嗯嗯", "谢谢", "sounds good")
UNRELATED = ("How do I reverse a linked list in Rust?", "鲸鱼为什么会搁浅在沙滩上？", "good morning!")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question, the words its block must hold, and those it must not."""

    head: Say
    query: str
    check: Say
    needs: str
    never: str = ""


PROMPTS = (
    Prompt(
        Say("English", "英文提问"),
        "Which database did we choose for the booking service?",
        Say("the decision is recalled", "想起了当时的决定"),
        needs="Postgres",
    ),
    Prompt(
        Say("asked in Chinese, said in English", "中文提问，原话是英文"),
        "我周几在家工作？",
        Say("a Chinese question finds what was said in English", "用中文问，找到用英文说过的话"),
        needs="on Tuesdays and Thursdays I work from home",
    ),
    Prompt(
        Say("decided by a correction", "由更正决定的回答"),
        "What's the NVDA share price?",
        Say("the correction is in the block: EUR", "更正过的偏好在场：欧元"),
        needs="EUR",
    ),
    Prompt(
        Say("something that changed", "后来变了的事"),
        "Do I still live in Neukölln?",
        Say("the new flat, and no longer the old one", "给的是新住处，不再是旧的"),
        needs="Leipzig",
        never="near Hermannplatz",
    ),
)


def compaction(screen: Screen, stage: Stage, replayed: Replayed) -> None:
    """The context window filled up on the way; the summary is written before anything is lost."""
    screen.scene(
        Say("The context window fills up", "上下文快满了"),
        Say(
            "At 80 % the agent is told once that a summary is due, before its host cuts old turns away.",
            "用到 80% 时提醒 agent 一次：该做摘要了，赶在宿主裁掉旧对话之前。",
        ),
    )
    full = [line for line in stage.conversation.lines if _ratio(line) >= 0.8]
    screen.check(
        Say("due once, at the crossing, not at each turn above it", "越过 80% 时只提醒一次，之后不重复"),
        replayed.compactions_due == [line.number for line in full[:1]],
        Say(
            f"due at lines {replayed.compactions_due}, above 80 % at {[line.number for line in full]}",
            f"在第 {replayed.compactions_due} 行提醒，超过 80% 的是第 {[line.number for line in full]} 行",
        ),
    )
    first, again = (_compact(stage, full[-1]) for _ in range(2))
    screen.panel(screen.words(Say("summary of the session", "会话摘要")), str(first["summary"]))
    screen.check(
        Say("asked twice, it is the same summary", "问两次，得到同一份摘要"),
        bool(first["summary"]) and first["summary"] == again["summary"],
    )


def _ratio(line: Line) -> float:
    return line.context["tokens_used"] / line.context["context_window"] if line.context else 0.0


def _compact(stage: Stage, line: Line) -> Mapping[str, Any]:
    reply: Mapping[str, Any] = stage.client.call(
        "session.compact", session_id=line.session_id, context=line.context, reason="threshold"
    )
    return reply


def kept(screen: Screen, stage: Stage, planted: PlantedSecrets) -> None:
    """Few facts, each with its weight; no junk, no echo, no secret."""
    screen.scene(
        Say("What was kept, and why", "记住了什么，为什么"),
        Say(
            "Not every sentence becomes a fact. Each fact has a type, a weight, and its own speed of fading.",
            "不是每句话都变成事实。每条事实有类型、重要度，以及各自的遗忘速度。",
        ),
    )
    facts = stage.facts()
    shared.show_facts(screen, facts, stage.replaced())
    _check_kept(screen, facts)
    _check_refused(screen, stage, facts)
    for stored in stage.client.search("payment test key", limit=1)["results"]:
        screen.panel(
            screen.words(Say("a pasted secret, as stored", "粘贴的密钥，存下来是这样")), stored["memory"]
        )
    found = stage.files_with(planted.values)
    screen.check(
        Say(
            "the pasted key and password stand in no file, log included",
            "粘贴的密钥和密码不在任何文件里，日志也没有",
        ),
        not found,
        ", ".join(found),
    )


def _check_kept(screen: Screen, facts: Sequence[Mapping[str, Any]]) -> None:
    screen.check(
        Say("the correction is kept as a correction: EUR, not USD", "更正按更正保存：EUR，不是 USD"),
        _has(facts, "EUR", {"correction"}),
    )
    screen.check(
        Say("both decisions are kept: Postgres, Hetzner", "两个决定都在：Postgres、Hetzner"),
        _has(facts, "Postgres", {"decision"}) and _has(facts, "Hetzner", {"decision"}),
    )
    screen.check(
        Say("preferences in both languages: oolong, 九点半", "中英文偏好都在：oolong、九点半"),
        _has(facts, "oolong", {"preference"}) and _has(facts, "九点半", {"preference", "general"}),
    )
    live = [fact["memory"] for fact in facts]
    screen.check(
        Say("what changed was replaced: Leipzig, Nordlicht", "变了的事已更新：Leipzig、Nordlicht"),
        any("Leipzig" in text for text in live)
        and any("Nordlicht" in text for text in live)
        and not any("I live in Neukölln" in text or "backend lead" in text for text in live),
    )


def _has(facts: Iterable[Mapping[str, Any]], word: str, types: set[str]) -> bool:
    return any(word in fact["memory"] and fact["memory_type"] in types for fact in facts)


def _check_refused(screen: Screen, stage: Stage, facts: Sequence[Mapping[str, Any]]) -> None:
    noise = [fact["memory"] for fact in facts if fact["memory"].strip(" .!，。！").lower() in SMALL_TALK]
    screen.check(Say("small talk left no fact", "寒暄没有变成事实"), not noise, "; ".join(noise))
    echoed = stage.client.search("tortoise Archimedes", limit=10)["results"]
    screen.check(
        Say("our own recalled block, pasted back in, was not learnt", "粘贴回来的记忆块没有被当成新记忆"),
        not any("Archimedes" in result["memory"] for result in echoed),
    )
    said_by_others = {line.event["key"] for line in stage.conversation.lines if line.event["role"] != "user"}
    lent = [fact["memory"] for fact in facts if source_keys(fact) <= said_by_others]
    screen.check(
        Say("no fact rests on the assistant's words alone", "没有一条事实只凭助手的话"),
        not lent,
        "; ".join(lent),
    )


def recall(screen: Screen, stage: Stage) -> None:
    """The block that goes before the next prompt."""
    screen.scene(
        Say("Before the next prompt", "下一个提示词之前"),
        Say(
            "The few memories that matter, dated and fenced as data. No language model was asked.",
            "只给真正有关的几条，带日期，围栏标明是数据。全程没有调用大模型。",
        ),
    )
    for prompt in PROMPTS:
        reply, took_ms = stage.recall(prompt.query)
        block = reply["context"]
        head = f"{screen.words(prompt.head)} · {prompt.query} · {took_ms:.0f} ms · {reply['tokens']} token"
        screen.panel(head, block or "∅")
        holds = prompt.needs in block and not (prompt.never and prompt.never in block)
        lacking = Say(f"{prompt.needs!r} is missing", f"缺少“{prompt.needs}”")
        stale = Say(f"{prompt.never!r} is there", f"出现了“{prompt.never}”")
        screen.check(prompt.check, holds, stale if prompt.needs in block else lacking)


def foresight(screen: Screen, stage: Stage) -> None:
    """What memud prepares without being asked, each with its evidence."""
    screen.scene(
        Say("What it prepares on its own", "它主动准备了什么"),
        Say(
            "Every five minutes it looks for what you may want next. A prediction is no fact and expires.",
            "每五分钟看一遍你接下来可能需要什么。预测不是事实，到期作废。",
        ),
    )
    stage.monitor()
    ledger = stage.ledger()
    shared.show_ledger(screen, ledger, stage.conversation.zone)
    _check_ledger(screen, stage, ledger)
    stage.monitor()
    screen.check(
        Say("the next tick adds nothing twice", "再跑一次，不会重复"),
        [entry["id"] for entry in stage.ledger()] == [entry["id"] for entry in ledger],
    )


def _check_ledger(screen: Screen, stage: Stage, ledger: Sequence[Mapping[str, Any]]) -> None:
    asked = _keys_of_turns(stage, "NVDA")
    repeated = [entry for entry in ledger if entry["detector"] == "repeated_intent"]
    screen.check(
        Say(
            "NVDA was asked a third time: noticed once, with all three turns",
            "NVDA 第三次被问到：只提一次，三句话都是证据",
        ),
        [asked <= _evidence(entry) for entry in repeated] == [True],
        Say(f"{len(repeated)} repeated intents", f"反复问到的有 {len(repeated)} 条"),
    )
    due = [entry["due_at"] for entry in ledger if _evidence(entry) & _keys_of_turns(stage, "VAT return")]
    screen.check(
        Say("the VAT reminder is due on Friday", "报税提醒定在周五"),
        [datetime.fromtimestamp(at or 0, UTC).date().isoformat() for at in due] == [FRIDAY],
        str(due),
    )
    due = [entry["due_at"] for entry in ledger if _evidence(entry) & _keys_of_turns(stage, "物业打电话")]
    screen.check(
        Say("明天下午三点 became Friday 15:00 in Berlin", "“明天下午三点”落在柏林时间周五 15:00"),
        due == [int(FRIDAY_THREE_PM.timestamp())],
        str(due),
    )


def _keys_of_turns(stage: Stage, words: str) -> set[str]:
    """The keys of the questions and requests of the user that hold these words."""
    return {
        str(line.event["key"]) for line in stage.conversation.lines if line.is_human and words in line.words
    }


def _evidence(entry: Mapping[str, Any]) -> set[str]:
    return {piece["key"] for piece in entry["evidence"] if piece["key"]}
