"""What an import says, in English and Chinese."""

from collections.abc import Mapping

IMPORTS: Mapping[str, tuple[str, str]] = {
    "import.progress": ("importing", "正在导入"),
    "import.at": ("{file}:{number}: {reason}", "{file}：第 {number} 行：{reason}"),
    "import.in": ("{file}: {reason}", "{file}：{reason}"),
    "import.rest": ("... and {count} more", "……另有 {count} 处"),
    "import.done": (
        "{lines} = new {accepted} + known {duplicates} + facts {facts} + passed {passed} + bad {left_out}",
        "{lines} 条 = 新 {accepted} + 已有 {duplicates} + 事实 {facts} + 略过 {passed} + 未收 {left_out}",
    ),
    "import.planned": (
        "would be handed over: turns {events}, facts {facts}; could not be read: {left_out}",
        "将会交出：对话 {events} 条，事实 {facts} 条；无法读取：{left_out} 处",
    ),
    "import.waiting": (
        "Facts are drawn from them in the background; `memud status` shows how many turns wait.",
        "事实会在后台逐步提炼；可用 `memud status` 查看还有多少对话在等待。",
    ),
    "import.compared": ("of the turns new: {new}, known: {known}", "其中对话新增 {new} 条，已有 {known} 条"),
    "import.not_compared": (
        "No daemon answers: what of it is known already can't be told.",
        "守护进程没有应答，无法判断其中哪些已有。",
    ),
    "import.added": ("facts: new {added}, known {known}", "事实：新增 {added} 条，早已知道 {known} 条"),
    "import.ended": (
        "facts whose line is gone from the notes, archived: {count}",
        "笔记中已删除、归档的事实：{count} 条",
    ),
    "import.watched": (
        "files of notes kept in step from now on: {count} (`memud notes` lists them)",
        "今后会跟踪变化的笔记文件：{count} 个（用 `memud notes` 查看）",
    ),
    "import.note_gone": ("the file is gone", "文件不见了"),
    "import.note_unreadable": ("can't be read", "无法读取"),
    "import.note_link": ("a link leads to it", "路径中有符号链接"),
    "import.note_no_file": ("no plain file", "不是普通文件"),
    "import.note_too_long": ("longer than 1 MiB: no notes", "超过 1 MiB，不是笔记"),
    "import.note_not_utf8": ("not in UTF-8", "不是 UTF-8 编码"),
    "import.note_busy": ("it is being written; import it again", "正在写入，请稍后再导入"),
    "import.facts": (
        "Exported facts are passed over, as they are drawn again from their turns: {count}",
        "导出的事实会从对话中重新得出，因此略过：{count} 行",
    ),
    "import.passed": ("passed over {count}: {reason}", "略过 {count} 条：{reason}"),
    "import.left_alone": ("  left alone: {file}", "  未动：{file}"),
    "import.more_sources": ("... and {count} more sources", "……另有 {count} 个来源"),
    "import.not_json": ("not a JSON object", "不是 JSON 对象"),
    "import.no_content": ("role or content is missing", "缺少 role 或 content"),
    "import.others": (
        "Lines that name another user, stored for {user} as you asked: {count}",
        "文件中属于其他用户、按 --user 存到 {user} 名下的：{count} 行",
    ),
    "import.bad_time": ("{value} is not a time", "{value} 不是有效的时间"),
    "import.bad_scope": ("{name} must be a text", "{name} 必须是文本"),
    "import.torn": (
        "cut off in the middle, as after a crash; all before it was read",
        "写到一半就断了（例如崩溃所致）；之前的内容都已读取",
    ),
    "import.too_long": ("longer than 32 MiB: no message", "超过 32 MiB，不是消息"),
    "import.broken_archive": ("the archive breaks off: {cause}", "压缩文件已损坏：{cause}"),
    "import.broken_json": ("broken JSON: {cause}", "JSON 已损坏：{cause}"),
    "import.no_memory": ("neither a memory nor its id", "缺少记忆或其编号"),
    "import.no_conversation": ("not a conversation", "不是一段会话"),
    "import.broken_database": ("the database can't be read: {cause}", "无法读取该数据库：{cause}"),
    "import.foreign": (
        "not a kind of file that memud knows; --format says which it is",
        "memud 不认识这种文件；可用 --format 指明格式",
    ),
    "import.no_file": (
        "neither a file nor a folder; `memud import -` reads events from a pipe",
        "既不是文件也不是文件夹；来自管道的事件请用 `memud import -`",
    ),
    "import.loop": ("a link that leads back to a folder already visited", "链接又绕回已经读过的文件夹"),
    "import.unreadable": ("can't be read: {cause}", "无法读取：{cause}"),
    "bad.format": ("{value}: not a format. Known are {known}.", "{value}：没有这种格式。可用的有 {known}。"),
    "column.format": ("format", "格式"),
    "column.sessions": ("sessions", "会话"),
    "column.turns": ("turns", "对话"),
    "column.facts": ("facts", "事实"),
    "column.span": ("from – to", "起止时间"),
    "column.source": ("source", "来源"),
}
