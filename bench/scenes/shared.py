"""Scenes that any conversation can play: nothing lost, nothing doubled, silence, and life after kill -9."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import Any

from bench.scenes.conversation import Line, own_words_worth_finding, reasons_by_count, share_no_word
from bench.scenes.say import Say, day, moment
from bench.scenes.screen import Screen
from bench.scenes.stage import Replayed, Stage, source_keys

REFUSED = frozenset({"invalid", "too_large", "too_deep"})
UNRELATED = (
    "How do I reverse a linked list in Rust?",
    "Why do cats purr when they fall asleep?",
    "Explain photosynthesis in two sentences.",
    "鲸鱼为什么会搁浅在沙滩上？",
    "用五言写一首关于秋天枫叶的诗。",
    "Which planet has the shortest year?",
    "火山爆发之前有什么征兆？",
    "Translate 'good luck' into Finnish.",
)


def start(screen: Screen, stage: Stage) -> None:
    """The daemon comes up with nothing but itself."""
    screen.scene(
        Say("A daemon starts", "启动守护进程"),
        Say(
            "A child process in a temporary folder: no API key, no network, one SQLite file.",
            "在临时目录里启动一个子进程：不需要 API key，不联网，只有一个 SQLite 文件。",
        ),
    )
    ready_s = stage.child.start()
    health = stage.settled_health()
    embedder, extractor = health["embedder"]["name"], screen.word("extractor", health["extractor"]["name"])
    screen.note(
        Say(
            f"ready after {ready_s:.1f} s; embedder {embedder}, extractor {extractor}",
            f"{ready_s:.1f} 秒后就绪；向量模型 {embedder}，提取器：{extractor}",
        )
    )
    screen.check(
        Say("it is healthy without key or network", "没有 key、没有网络也一切正常"),
        health["status"] == "ok",
        screen.heard(", ".join(map(str, health["reasons"]))),
    )


def replay(screen: Screen, stage: Stage) -> Replayed:
    """The whole conversation goes in, one turn a call."""
    lines = stage.conversation.lines
    screen.scene(
        Say("The conversation is captured", "记录对话"),
        Say(
            "Each turn is acknowledged only once it is on the disk; what no human said is refused by name.",
            "每句话落盘之后才确认；不是人说的话（心跳、定时任务）拒收，并说明原因。",
        ),
    )
    _report_bad_lines(screen, stage)
    with screen.progress(Say("capturing", "记录中"), len(lines)) as bar:
        replayed = stage.replay(bar.advance)
    screen.note(
        Say(
            f"{replayed.accepted} stored, {len(replayed.skipped)} skipped",
            f"存下 {replayed.accepted} 条，跳过 {len(replayed.skipped)} 条",
        )
    )
    for reason, count in reasons_by_count(replayed.skipped).items():
        why = screen.word("skip", reason)
        screen.note(Say(f"  {count} × {why}", f"  {count} × {why}"))
    screen.check(
        Say(
            "every turn has a known fate: stored, or skipped with a reason",
            "每句话都有下落：已存，或注明原因跳过",
        ),
        replayed.answered == len(lines),
        Say(
            f"{replayed.answered} answers to {len(lines)} events",
            f"{len(lines)} 个事件，{replayed.answered} 个回应",
        ),
    )
    _report_refused(screen, lines, replayed)
    screen.check(Say("something was stored", "存下了内容"), replayed.accepted > 0)
    _check_machine_turns(screen, lines, replayed)
    return replayed


def _report_bad_lines(screen: Screen, stage: Stage) -> None:
    for number, reason in stage.conversation.bad:
        screen.warn(Say(f"line {number} left out: {reason.en}", f"第 {number} 行无法使用：{reason.zh}"))


def _report_refused(screen: Screen, lines: Iterable[Line], replayed: Replayed) -> None:
    """Events that can't be used as they are, by line."""
    number_of = {line.event["key"]: line.number for line in lines}
    for entry in replayed.skipped:
        if entry["reason"] in REFUSED:
            number, why = number_of.get(entry["key"]), screen.heard(entry.get("detail") or entry["reason"])
            screen.warn(Say(f"line {number} refused: {why.en}", f"第 {number} 行被拒收：{why.zh}"))


def _check_machine_turns(screen: Screen, lines: Iterable[Line], replayed: Replayed) -> None:
    machine = {str(line.event["key"]) for line in lines if line.is_machine}
    if machine:
        skipped = {str(entry["key"]) for entry in replayed.skipped}
        screen.check(
            Say("heartbeats and cron runs were skipped", "心跳和定时任务都被跳过"),
            machine <= skipped,
            Say(f"stored: {sorted(machine - skipped)}", f"存下了：{sorted(machine - skipped)}"),
        )


def digest(screen: Screen, stage: Stage) -> None:
    """Facts and vectors follow the acknowledgement."""
    with screen.progress(Say("extracting facts, making vectors", "提取事实、计算向量"), 1) as bar:
        done = stage.digest(bar.left)
    screen.check(Say("the queue ran empty", "队列已处理完"), done, str(stage.client.health()["queue"]))


def resend(screen: Screen, stage: Stage, first: Replayed) -> None:
    """An agent that lost its answers sends everything again."""
    with screen.progress(
        Say("sending all of it again", "全部重发一遍"), len(stage.conversation.lines)
    ) as bar:
        again = stage.replay(bar.advance)
    screen.check(
        Say("sent again, nothing is stored twice", "重发一遍，没有一条存两次"),
        again.accepted == 0 and again.duplicates == first.accepted + first.duplicates,
        Say(
            f"{again.accepted} accepted, {again.duplicates} duplicates",
            f"收下 {again.accepted} 条，重复 {again.duplicates} 条",
        ),
    )


def show_facts(screen: Screen, facts: Iterable[Mapping[str, Any]], replaced: int) -> None:
    """What memud would say it knows, first said first, and how many facts gave way to newer ones."""
    heads = (
        Say("fact", "事实"),
        Say("said", "说于"),
        Say("type", "类型"),
        Say("importance", "重要度"),
        Say("half-life", "半衰期"),
    )
    rows = [_fact_row(screen, fact) for fact in sorted(facts, key=lambda fact: int(fact["stated_at"]))]
    screen.table(heads, rows)
    screen.note(facts_of(len(rows), replaced))


def facts_of(holding: int, replaced: int) -> Say:
    """How many facts there are: those that hold, and those that newer ones replaced."""
    return Say(
        f"{holding + replaced} facts: {holding} hold now, {replaced} replaced by newer ones",
        f"事实共 {holding + replaced} 条：现行 {holding} 条，已被取代 {replaced} 条",
    )


def _fact_row(screen: Screen, fact: Mapping[str, Any]) -> tuple[str, ...]:
    days = fact["half_life_days"]
    half_life = Say(f"{days} days", f"{days} 天") if days else Say("never fades", "永不淡忘")
    kind = screen.word("type", fact["memory_type"])
    said = screen.words(day(fact["stated_at"]))
    return fact["memory"], said, kind, f"{fact['importance']:.2f}", screen.words(half_life)


def own_words(screen: Screen, stage: Stage, replayed: Replayed) -> None:
    """Every turn stays findable, whatever the extractor thought of it."""
    screen.scene(
        Say("Looked up by their own words", "用原话查找"),
        Say(
            "Extraction may miss a fact; the words themselves are never lost.",
            "提取可能漏掉事实，原话永远找得到。",
        ),
    )
    refused = {entry["key"] for entry in replayed.skipped}
    stored = [line for line in stage.conversation.lines if line.event["key"] not in refused]
    wanted = own_words_worth_finding(stored, at_most=10)
    missing = [line.number for line in wanted if not stage.finds_by_its_words(line)]
    screen.check(
        Say(f"{len(wanted)} turns out of the conversation are found", f"抽查 {len(wanted)} 句，都找得到"),
        not missing,
        Say(f"not found: lines {missing}", f"没找到：第 {missing} 行"),
    )


def unrelated_prompts(stage: Stage) -> list[str]:
    """Six prompts that share no word with the conversation, or as many as there are."""
    return [text for text in UNRELATED if share_no_word(text, stage.conversation.lines)][:6]


def silence(screen: Screen, stage: Stage, prompts: Sequence[str], allowed: int) -> None:
    """A vector store always returns its nearest rows; memud may return nothing."""
    screen.scene(
        Say("Silence", "沉默"),
        Say(
            "A vector store returns its nearest rows to any prompt. With nothing related, memud is silent.",
            "向量库问什么都会返回最近的 k 条；memud 没有相关记忆时，什么也不说。",
        ),
    )
    spoken = [text for text in prompts if stage.recall(text)[0]["context"]]
    for text in prompts:
        answer = Say("an answer", "有回应") if text in spoken else Say("nothing", "无")
        screen.note(Say(f"{text}  →  {answer.en}", f"{text}  →  {answer.zh}"))
    limit = Say(f"at most {allowed}", f"至多 {allowed} 个") if allowed else Say("none", "没有一个")
    screen.check(
        Say(
            f"of {len(prompts)} unrelated prompts {limit.en} is answered",
            f"{len(prompts)} 个无关问题，{limit.zh}有回应",
        ),
        len(spoken) <= allowed,
        "; ".join(spoken),
    )


def knows(screen: Screen, stage: Stage) -> None:
    """The facts, for a person to judge."""
    screen.scene(
        Say("What was kept", "记住了什么"),
        Say(
            "Each fact has a type, a weight, and its own speed of fading.",
            "每条事实有类型、重要度，以及各自的遗忘速度。",
        ),
    )
    facts = stage.facts()
    show_facts(screen, facts, stage.replaced())
    screen.check(
        Say(
            f"each of the {len(facts)} that hold leads back to the words it came from",
            f"现行的 {len(facts)} 条都能追溯到原话",
        ),
        all(source_keys(fact) - {None} for fact in facts),
    )


def foresight(screen: Screen, stage: Stage) -> None:
    """The predictions, for a person to judge."""
    screen.scene(
        Say("What it prepares on its own", "它主动准备了什么"),
        Say(
            "Every five minutes it looks for what you will want next. Nothing found is a good answer too.",
            "每五分钟看一遍你接下来可能需要什么。没有发现，也是好答案。",
        ),
    )
    stage.monitor()
    ledger = stage.ledger()
    show_ledger(screen, ledger, stage.conversation.zone)
    screen.check(
        Say(f"each of {len(ledger)} predictions shows its evidence", f"{len(ledger)} 条预测都附有证据"),
        all(entry["evidence"] for entry in ledger),
    )


def show_ledger(screen: Screen, ledger: Iterable[Mapping[str, Any]], zone: tzinfo) -> None:
    """The predictions with when, how sure and why, the next one first; times as at the speaker's place."""
    for entry in sorted(ledger, key=lambda entry: (entry["due_at"] is None, entry["due_at"])):
        screen.entry(
            entry["text"], _particulars(screen, entry, zone), screen.words(screen.heard(entry["why"]))
        )


def _particulars(screen: Screen, entry: Mapping[str, Any], zone: tzinfo) -> str:
    at = entry["due_at"]
    due = moment(at, zone) if at else Say("at any time", "随时")
    detector, state = screen.word("detector", entry["detector"]), screen.word("state", entry["state"])
    return " · ".join([screen.words(due), f"{entry['probability']:.0%}", detector, state])
