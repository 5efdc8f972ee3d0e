"""What the commands that set up, check and measure say: `install`, `doctor`, `eval`, `bench`."""

from collections.abc import Mapping

MACHINE: Mapping[str, tuple[str, str]] = {
    "step.fill": ("handing turns over", "正在写入对话"),
    "step.settle": ("waiting for facts and vectors", "正在等待事实和向量"),
    "step.fit": ("fitting the relevance to each store", "正在按各记忆库校准相关度"),
    "step.add": ("adding facts", "正在添加事实"),
    "step.search": ("searching", "正在搜索"),
    "step.recall": ("recalling", "正在回忆"),
    "step.watch": ("watching for predictions", "正在等待预测"),
    "step.age": ("letting time pass", "正在模拟时间流逝"),
    "bench.filling": ("{backend}: {count} vectors", "{backend}：{count} 条向量"),
    "bench.head": (
        "{vectors} vectors of {dimension} numbers, {source}",
        "{vectors} 条 {dimension} 维向量，{source}",
    ),
    "bench.asked": (
        "{questions} questions for the {k} nearest; recall is the share of the true ones that is found",
        "共 {questions} 问，各取最近的 {k} 条；召回率指其中真正最近者被找到的比例",
    ),
    "bench.skipped": ("{backend} was left out: {reason}", "未测 {backend}：{reason}"),
    "eval.head": ("{name}, {by}: {counts}", "{name}，{by}：{counts}"),
    "eval.count": ("{name} {count}", "{name} {count}"),
    "eval.cost": (
        "{method}: {answers} answers of {tokens} tokens, {p50_ms} ms (p95 {p95_ms} ms)",
        "{method}：{answers} 次应答，平均 {tokens} 个 token，{p50_ms} 毫秒（p95 {p95_ms} 毫秒）",
    ),
    "eval.only_threshold": (
        "--thresholds, --plot and --from-log are options of `eval threshold`",
        "--thresholds、--plot 和 --from-log 只用于 eval threshold",
    ),
    "eval.overall": ("overall: the mean of the sets", "总体：各数据集的平均"),
    "eval.quiet": (
        (
            "Take {threshold}: of {tried} it is the lowest, and so recalls most ({recall} %), at which "
            "at most {allowed} % of unrelated prompts get something ({false_alarms} %)."
        ),
        (
            "建议用 {threshold}：在 {tried} 中，它是使无关提示得到结果的比例不超过 {allowed}% 的最低阈值"
            "（{false_alarms}%），因而召回最多（{recall}%）。"
        ),
    ),
    "eval.quietest": (
        (
            "Take {threshold}: at none of {tried} do at most {allowed} % of unrelated prompts get something, "
            "and at this one it is the fewest ({false_alarms} %; recalled: {recall} %)."
        ),
        (
            "建议用 {threshold}：{tried} 都不能使无关提示得到结果的比例不超过 {allowed}%，"
            "其中它的比例最低（{false_alarms}%；召回 {recall}%）。"
        ),
    ),
    "eval.keeps_used": (
        (
            "Take {threshold}: of {tried} it is the highest that still gives {kept} % of the memories that "
            "replies used, by {prompts} prompts with a known outcome."
        ),
        (
            "建议用 {threshold}：在 {tried} 中，它是仍能给出 {kept}% 被回复用上的记忆的最高阈值"
            "（依据 {prompts} 个结果已知的提示）。"
        ),
    ),
    "eval.too_few": (
        "No recommendation: too few ({prompts}) prompts with a known outcome, at least {needed} are needed.",
        "暂无建议：结果已知的提示太少（{prompts} 个），至少需要 {needed} 个。",
    ),
    "eval.none_used": (
        "No recommendation: no reply used a memory, by {prompts} prompts with a known outcome.",
        "暂无建议：从 {prompts} 个结果已知的提示看，没有回复用上过记忆。",
    ),
    "eval.strict": (
        "A threshold in a call holds for every result; as a setting the same value gives more.",
        "调用中给出的阈值对每条结果都生效；作为设置时，同一数值会给出更多。",
    ),
    "check.ok": ("ok", "正常"),
    "check.bad": ("fails", "有误"),
    "check.dates": ("Chinese dates", "中文日期"),
    "check.python": ("Python", "Python"),
    "check.sqlite": ("SQLite", "SQLite"),
    "check.embedder": ("embedder", "向量模型"),
    "check.index": ("vector index", "向量索引"),
    "check.extractor": ("extractor", "提取器"),
    "check.config": ("configuration", "配置"),
    "check.socket": ("daemon", "守护进程"),
    "check.state": ("state folder", "状态目录"),
    "check.runtime": ("socket folder", "套接字目录"),
    "check.disk": ("disk space", "磁盘空间"),
    "fix.python": ("Install Python 3.11 or newer.", "请安装 Python 3.11 或更新的版本。"),
    "fix.sqlite": ("Upgrade apsw: pip install -U apsw", "请升级 apsw：pip install -U apsw"),
    "fix.embedder": (
        'Reinstall its package, or set embed.provider = "none" to go on with full text alone.',
        '请重新安装该模型的软件包，或设置 embed.provider = "none"，仅用全文检索。',
    ),
    "fix.extractor": (
        "See what the daemon says below; docs/EXTRACTION.md tells of keys and providers.",
        "请看下面守护进程给出的原因；密钥与服务商的设置见 docs/EXTRACTION.md。",
    ),
    "fix.dates": (
        "As a user who may write there, run once: {python} -c 'import jionlp'",
        "请以有写权限的用户运行一次：{python} -c 'import jionlp'",
    ),
    "dates.fine": ("are read (jionlp)", "可以识别（jionlp）"),
    "dates.missing": ("can't be read: jionlp does not load", "无法识别：jionlp 加载失败"),
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
    "config.absent": ("defaults; there is no {path}", "使用默认设置；{path} 不存在"),
    "extractor.unknown": ("not known: no daemon answers", "未知：没有守护进程应答"),
    "extractor.mode": ("{name}: {mode}", "{name}：{mode}"),
    "embedder.off": ("switched off in the configuration", "已在配置中关闭"),
    "install.write": ("written: {path}", "已写入：{path}"),
    "install.same": ("unchanged: {path}", "无需改动：{path}"),
    "install.would": ("would write: {path}", "将写入：{path}"),
    "install.next": ("Now start it, today and at every login:", "接下来启动它（今天以及每次登录时）："),
    "install.linger": (
        "To keep it running after you log out: {command}",
        "若要在退出登录后继续运行：{command}",
    ),
    "install.no_bus": (
        "systemd's user services are not within reach here, so start the daemon yourself:",
        "这里无法使用 systemd 用户服务，请自行启动守护进程：",
    ),
    "install.no_units": (
        "The unit files are not where they were installed. Reinstall memud.",
        "找不到单元文件。请重新安装 memud。",
    ),
    "uninstall.remove": ("removed: {path}", "已删除：{path}"),
    "uninstall.would": ("would remove: {path}", "将删除：{path}"),
    "uninstall.absent": ("not there: {path}", "不存在：{path}"),
    "uninstall.next": (
        "It no longer starts at login, and your memories stay in {path}. To end a daemon that still runs:",
        "登录时不再启动；你的记忆仍保留在 {path}。若守护进程仍在运行，请停止它：",
    ),
    "page.usage": ("Usage: {usage}", "用法：{usage}"),
    "page.options.place": ("[OPTIONS]", "[选项]"),
    "page.commands.place": ("COMMAND ...", "命令 ..."),
    "page.arguments": ("Arguments:", "参数："),
    "page.options": ("Options:", "选项："),
    "page.commands": ("Commands:", "命令："),
    "page.default": ("[default: {value}]", "[默认：{value}]"),
}
