"""What `--help` says, in English and Chinese."""

from collections.abc import Mapping

HELPS: Mapping[str, tuple[str, str]] = {
    "help.memud": (
        "memud: a proactive memory for always-on agents. Start with `memud status`.",
        "memud：为常驻智能体准备的主动记忆。可从 `memud status` 开始。",
    ),
    "help.run": ("Run the daemon in the foreground.", "在前台运行守护进程。"),
    "help.status": ("Is it running, is it well, what does it hold?", "是否在运行、是否正常、存了多少？"),
    "help.stats": (
        "What the store holds, what models took, and what resending the whole history would have taken.",
        "存了多少、模型用量多少、若重发全部历史又需多少。",
    ),
    "help.send": (
        "Hand over one turn of a conversation; `-` reads the words from standard input.",
        "交出一条对话；`-` 表示从标准输入读取。",
    ),
    "help.recall": ("What a model would get before this prompt.", "在这句提示之前，模型会得到什么。"),
    "help.search": ("Find facts and turns; nothing is held back.", "查找事实和原话，不设阈值。"),
    "help.add": ("State a fact to remember.", "直接记下一条事实。"),
    "help.get": ("One fact or turn, by its id or the start of it.", "按编号（或其开头）查看一条事实或原话。"),
    "help.list": ("The facts, the last stated first.", "列出事实，最近说过的在前。"),
    "help.update": (
        "Correct a fact; what it said before stays in its history.",
        "更正一条事实；旧内容留在历史中。",
    ),
    "help.forget": (
        "Purge a fact or turn for good, with its turns and all other facts that were drawn from them alone.",
        "永久遗忘一条事实或原话，连同其出处的对话，以及仅由这些对话得出的其他事实。",
    ),
    "help.restore": ("Bring back what was superseded or cleaned up.", "恢复被取代或被清理的事实。"),
    "help.pin": ("Keep a fact from fading.", "固定一条事实，使其不再淡忘。"),
    "help.history": ("A fact's versions and where it was said.", "一条事实的各个版本及其出处。"),
    "help.explain": ("Why a memory is, or is not, recalled for a query.", "某条记忆为何会（或不会）被想起。"),
    "help.proactive": (
        "What the user may want next: list, next, used, dismissed, snoozed; stats says how good it was.",
        "用户接下来可能想要什么：list、next、used、dismissed、snoozed；stats 查看预测得准不准。",
    ),
    "help.watch": (
        "Wait, and show what comes due the moment it does; also sessions to compact and changes of health.",
        "持续等待，预测一到期就显示；也显示该压缩的会话和运行状况的变化。",
    ),
    "help.queue": (
        "Turns that wait for their facts: list, retry, drop.",
        "等待处理的对话：list、retry、drop。",
    ),
    "help.notes": (
        "Files such as MEMORY.md that are kept in step: list, forget PATH.",
        "保持同步的笔记文件（如 MEMORY.md）：list、forget 路径。",
    ),
    "argument.notes": ("list or forget.", "list 或 forget。"),
    "argument.notes_path": ("The file of notes.", "笔记文件。"),
    "option.watch": (
        "Keep MEMORY.md and USER.md in step from now on, or take them in once.",
        "今后跟踪 MEMORY.md 和 USER.md 的变化，或只导入这一次。",
    ),
    "help.job": ("The periodic jobs: list, run NAME.", "定期任务：list、run 任务名。"),
    "help.import": (
        "Bring in what you have: a file, an export, a folder such as ~/.openclaw; twice changes nothing.",
        "导入已有的内容：一个文件、一份导出，或整个文件夹（如 ~/.openclaw）；重复导入不会产生重复。",
    ),
    "help.export": (
        "Write the facts and what they rest on: jsonl comes back as it was, markdown is to be read.",
        "导出事实及其依据：jsonl 可原样导回，markdown 供人阅读；已有的文件会被替换。",
    ),
    "help.doctor": ("Check this machine and say what to do.", "检查本机，并给出处理办法。"),
    "help.config": ("Every setting, its value and where it comes from.", "全部设置、当前值及其来源。"),
    "help.eval": (
        "Measure on a public set how well memud remembers, with a daemon and a store of its own.",
        "用公开数据集测量 memud 的记忆效果；使用独立的守护进程和存储。",
    ),
    "help.bench": (
        "`bench index`: how fast, how large and how true each vector index is on this machine.",
        "bench index：测量本机上各种向量索引的速度、大小和准确度。",
    ),
    "help.categories": (
        "Show what is known by topic, or one topic with its facts.",
        "按主题查看记忆，或查看某个主题的内容。",
    ),
    "help.openclaw": (
        "The plugin for OpenClaw: install, uninstall; status says whether all is as it should be.",
        "OpenClaw 插件：install 安装，uninstall 卸载；status 检查是否一切就绪。",
    ),
    "argument.openclaw": ("install, uninstall or status", "install、uninstall 或 status"),
    "option.heartbeat": (
        "Also set OpenClaw's heartbeat, such as 30m: due reminders then come by themselves.",
        "同时设置 OpenClaw 的心跳，如 30m：到时间会主动提醒。",
    ),
    "help.install": ("Set up the systemd user service.", "安装 systemd 用户服务。"),
    "help.uninstall": (
        "Take the systemd user service away; memories stay.",
        "移除 systemd 用户服务；记忆保留。",
    ),
    "option.help": ("Show this message and end.", "显示本说明并退出。"),
    "option.version": ("Show the version.", "显示版本。"),
    "option.json": ("Answer in JSON, for programs.", "以 JSON 输出，供程序使用。"),
    "option.socket": ("The daemon's socket.", "守护进程的套接字。"),
    "option.user": (
        "Whose memory; an import goes to this user, whatever its lines say.",
        "谁的记忆；导入时以此为准，不看行内的 user_id。",
    ),
    "option.format": (
        "Take it for this format, whatever it looks like.",
        "按这种格式读取，不再自动识别。",
    ),
    "option.export_format": ("jsonl, markdown or mem0.", "jsonl、markdown 或 mem0。"),
    "option.everything": ("Also turns that gave no fact.", "也包括没有得出事实的对话。"),
    "option.groups": (
        "Also conversations in groups and channels; what was said there is not private.",
        "也导入群聊和频道里的对话；其中的内容不视为私密。",
    ),
    "option.deleted": ("Also sessions that were deleted.", "也导入已删除的会话。"),
    "option.yes": ("Do not ask.", "不再询问。"),
    "option.backend": (
        "Of reindex: let this vector index answer from now on.",
        "仅用于 reindex：改用这种向量索引。",
    ),
    "option.dry": ("Only say what would be done.", "只说明会做什么。"),
    "option.state_dir": ("Where the database lives.", "数据库所在目录。"),
    "option.config": ("The configuration file.", "配置文件。"),
    "option.listen": ("Where to listen.", "监听的套接字路径。"),
    "option.session": ("Which conversation.", "哪段会话。"),
    "option.role": (
        "Who speaks: user, assistant, tool or system.",
        "说话者：user、assistant、tool 或 system。",
    ),
    "option.key": ("The event's own key: the same key is stored once.", "事件的键：同一个键只存一次。"),
    "option.sender": ("Who spoke, in a group.", "群聊中的说话人。"),
    "option.at": (
        "When it happened: 2026-05-01T18:30, Unix seconds, or how long ago: 3d, 12h, 30m.",
        "发生时间：2026-05-01T18:30、Unix 秒，或多久以前：3d、12h、30m。",
    ),
    "option.tz": (
        "The speaker's time zone, such as Asia/Shanghai; that of this machine if absent.",
        "说话者的时区，如 Asia/Shanghai；默认为本机时区。",
    ),
    "option.public": ("May be told in groups.", "可在群聊中提及。"),
    "option.group": ("As in a group: private memories are hidden.", "按群聊处理：隐藏私密记忆。"),
    "option.private": ("Whether it is kept out of groups.", "是否不在群聊中提及。"),
    "option.limit": ("How many at most.", "最多多少条。"),
    "option.threshold": (
        "Strict for all results; 0 lets everything through.",
        "对全部结果生效；0 表示不设限。",
    ),
    "option.max_tokens": ("Size of the block at most.", "文本块的最大长度。"),
    "option.as_of": (
        "Answer as of this time: 2026-05-01T18:30, or 3d ago as 3d.",
        "以这一时刻为准回答：2026-05-01T18:30，或多久以前，如 3d。",
    ),
    "option.since": ("Nothing older: 2026-05-01, or 7d.", "不早于：2026-05-01 或 7d。"),
    "option.until": ("Nothing younger.", "不晚于。"),
    "option.kind": ("episodic or semantic.", "episodic（经历）或 semantic（事实）。"),
    "option.type": (
        "correction, preference, decision, observation or general.",
        "correction（更正）、preference（偏好）、decision（决定）、observation（见闻）或 general（一般）。",
    ),
    "option.category": ("Only this category.", "只看这个分类。"),
    "option.categories": (
        "File it here and nowhere else; may be repeated; an empty one files it nowhere.",
        "归入这个分类（可重复）；空字符串表示不归类。",
    ),
    "option.all": ("Also what no longer holds.", "包括已失效的内容。"),
    "option.pinned": ("Only pinned ones.", "只看已固定的。"),
    "option.cursor": ("Go on after this place.", "从此处继续。"),
    "option.importance": ("From 0 to 1.", "0 到 1。"),
    "option.valid_until": ("When it stops to hold.", "何时失效。"),
    "option.verbatim": ("Store the words as they are.", "按原样存储。"),
    "option.memory": ("New words.", "新的内容。"),
    "option.half_life": ("Days until half is forgotten; 0: never fades.", "半衰期（天）；0 表示永不淡忘。"),
    "option.off": ("Let it fade again.", "取消固定。"),
    "option.queue_state": (
        "Only this state: queued, leased, done or dead.",
        "只看这个状态：queued、leased、done 或 dead。",
    ),
    "option.proactive_state": (
        "Only this state: open, delivered, used, hit, miss, dismissed, snoozed or expired.",
        "只看这个状态：open、delivered、used、hit、miss、dismissed、snoozed 或 expired。",
    ),
    "option.proactive_all": ("Also those that are closed.", "也显示已了结的。"),
    "option.detector": (
        "Only this detector's: repeated_intent, commitment, ...",
        "只看这个检测器的：repeated_intent（反复问到）、commitment（约定与期限）等。",
    ),
    "option.days": ("Of `stats`: the last so many days (30).", "用于 `stats`：最近多少天（默认 30）。"),
    "option.plot_scores": (
        "Of `stats`: a picture of reliability and precision by day, .png or .svg.",
        "用于 `stats`：把可靠性和每日精确率画成图，.png 或 .svg。",
    ),
    "option.snooze": (
        "When a snoozed one comes back: 2026-05-01T09:00, or 3d.",
        "推迟到何时：2026-05-01T09:00 或 3d。",
    ),
    "option.topic": (
        "proactive, compaction or health; may be repeated.",
        "proactive、compaction 或 health；可重复。",
    ),
    "option.path": ("Only the path of your configuration file.", "只显示你的配置文件路径。"),
    "option.data": (
        "The folder with the public sets, one folder each.",
        "公开数据集所在目录，每个数据集一个子目录。",
    ),
    "option.questions": ("Only so many questions, for a first look.", "只问这么多个问题，用于快速查看。"),
    "option.words_only": ("Without an embedder: full text alone.", "不用向量模型，仅用全文检索。"),
    "option.cache": (
        "Keeps vectors from run to run; vectors.db in your cache folder if absent.",
        "保存向量供下次使用；默认为缓存目录中的 vectors.db。",
    ),
    "option.baseline": (
        "Measure plain full text or plain vectors instead of memud: fulltext or dense.",
        "改为测量最简单的全文检索（fulltext）或向量检索（dense）作为对照。",
    ),
    "option.thresholds": (
        "Of `eval threshold`: what to compare, such as .70,.75,.80.",
        "用于 eval threshold：要比较的阈值，如 .70,.75,.80。",
    ),
    "option.plot": (
        "Of `eval threshold`: a picture of the curve, .png or .svg.",
        "用于 eval threshold：曲线图，.png 或 .svg。",
    ),
    "option.from_log": (
        "Of `eval threshold`: by your own prompts and what became of the memories, in the running daemon.",
        "用于 eval threshold：依据运行中的守护进程里你自己的提示及记忆的去向。",
    ),
    "argument.bench": ("What to measure: index.", "测量对象：index。"),
    "option.synthetic": (
        "So many made vectors of one user, instead of those of your store.",
        "改用这么多条合成的单用户向量，而不用你自己的记忆库。",
    ),
    "option.dimension": ("Of --synthetic: numbers a vector.", "用于 --synthetic：每条向量的维数。"),
    "option.backends": (
        "Only this one: exact, vss or faiss; may be repeated.",
        "只测这一种：exact、vss 或 faiss；可重复给出。",
    ),
    "option.nearest": ("How many nearest are asked for.", "每次查找最近的多少条。"),
    "option.asked": (
        "How many questions, each a vector of the user's own.",
        "提问次数；每问取该用户自己的一条向量。",
    ),
    "argument.eval": (
        "The set, all, or threshold: which threshold to take.",
        "数据集名称、all，或 threshold（该用哪个阈值）。",
    ),
    "argument.text": ("The words, or -.", "内容，或 -。"),
    "argument.query": ("A prompt or question.", "一句提示或问题。"),
    "argument.memory": ("What to remember.", "要记住的内容。"),
    "argument.id": ("The id, or the start of it.", "编号，或其开头。"),
    "argument.proactive": (
        "list, next, used, dismissed, snoozed or stats.",
        "list、next、used、dismissed、snoozed 或 stats。",
    ),
    "argument.queue": ("list, retry or drop.", "list、retry 或 drop。"),
    "argument.job": ("list or run.", "list 或 run。"),
    "argument.job_name": (
        "monitor, cleanup, categories, notes, reindex or backup.",
        "monitor、cleanup、categories、notes、reindex 或 backup。",
    ),
    "argument.category": ("The category, or a part of its name.", "分类名称，或其中一部分。"),
    "argument.events": (
        "File or folder; it is recognised by its content. - reads memud's own lines from standard input.",
        "文件或文件夹，按内容识别格式。- 表示从标准输入读取 memud 自己的格式。",
    ),
    "argument.file": ("A file, or - for standard input or output.", "文件，或 - 表示标准输入或输出。"),
}
