"""What `memud openclaw` says, in English and Chinese."""

from collections.abc import Mapping

OPENCLAW: Mapping[str, tuple[str, str]] = {
    "openclaw.fail.absent": ("The command `openclaw` is not in the PATH.", "PATH 中找不到 openclaw 命令。"),
    "openclaw.fail.absent.hint": (
        "Install OpenClaw first, or start this from the shell in which you use it.",
        "请先安装 OpenClaw，或在平时使用它的终端里运行本命令。",
    ),
    "openclaw.fail.broken": ("{command} does not start: {fault}", "{command} 无法启动：{fault}"),
    "openclaw.fail.broken.hint": (
        "OpenClaw needs Node 24.16 or later (or 26.1 or later): see `node --version`.",
        "OpenClaw 需要 Node 24.16 及以上（或 26.1 及以上），请用 `node --version` 查看。",
    ),
    "openclaw.fail.old": (
        "OpenClaw {version} is too old; the plugin needs 2026.9 or later.",
        "OpenClaw {version} 版本过旧；插件需要 2026.9 或更高版本。",
    ),
    "openclaw.fail.old.hint": ("Bring it up to date: openclaw update", "请升级：openclaw update"),
    "openclaw.new": (
        "OpenClaw {version} is newer than 2026.9, with which this was tried. Try it with a conversation.",
        "OpenClaw {version} 比测试过的 2026.9 更新。请试聊一次来确认。",
    ),
    "openclaw.fail.readonly": (
        "OpenClaw's configuration is managed from outside (OPENCLAW_CONFIG_READONLY or OPENCLAW_NIX_MODE).",
        "OpenClaw 的配置由外部管理（OPENCLAW_CONFIG_READONLY 或 OPENCLAW_NIX_MODE）。",
    ),
    "openclaw.fail.readonly.hint": (
        "Change it where it is managed; docs/OPENCLAW.md says what the plugin needs.",
        "请在管理它的地方修改；所需内容见 docs/OPENCLAW.zh-CN.md。",
    ),
    "openclaw.fail.refused": (
        "{name} in {path} keeps the plugin out, and that is your decision.",
        "{path} 中的 {name} 禁止了本插件，这应由你决定。",
    ),
    "openclaw.fail.refused.hint": ("Change it, then install again.", "请先修改它，再重新安装。"),
    "openclaw.fail.invalid": (
        "Nothing was changed, as OpenClaw does not accept the new configuration: {fault}",
        "没有做任何改动，因为 OpenClaw 不接受新的配置：{fault}",
    ),
    "openclaw.fail.invalid.hint": (
        "`openclaw config validate` says whether it accepts the present one.",
        "可用 `openclaw config validate` 查看当前配置是否有效。",
    ),
    "openclaw.heartbeat.bad": (
        "{value} is not a time such as 30m; 0m switches the heartbeat off",
        "{value} 不是 30m 这样的时间；0m 表示关闭心跳",
    ),
    "openclaw.heartbeat.ask": (
        "Heartbeat is off: reminders wait for your messages. Set it to {time}? Each beat asks the model.",
        "心跳已关闭：提醒要等你发消息时才会出现。改为每 {time} 一次吗？每次心跳会调用一次模型。",
    ),
    "openclaw.heartbeat.off": (
        "Heartbeat is off: reminders wait for your messages (memud openclaw install --heartbeat 30m).",
        "心跳已关闭：提醒要等你发消息时才会出现（memud openclaw install --heartbeat 30m 可开启）。",
    ),
    "openclaw.heartbeat.last": (
        "on, but it may answer in a group (heartbeat.target): reminders wait for your messages",
        "已开启，但可能在群里回复（heartbeat.target）：提醒要等你发消息时才会出现",
    ),
    "openclaw.heartbeat.unsent": (
        "on, but OpenClaw knows nobody to write to (commands.ownerAllowFrom): reminders wait for you",
        "已开启，但 OpenClaw 不知道该发给谁（commands.ownerAllowFrom）：到点的提醒会随你的下一条消息出现",
    ),
    "openclaw.heartbeat.elsewhere": (
        "The heartbeat belongs to another agent (agents.*.heartbeat): reminders wait for your messages.",
        "心跳属于另一个 agent（agents.*.heartbeat）：提醒要等你发消息时才会出现。",
    ),
    "openclaw.heartbeat.on": ("on: a due reminder comes by itself", "已开启：到时间会主动提醒"),
    "openclaw.unasked": (
        "There is no terminal to ask on. Look with --dry-run, then add --yes.",
        "当前没有可供确认的终端。请先用 --dry-run 查看，再加上 --yes。",
    ),
    "openclaw.ask": ("Change {path}?", "修改 {path} 吗？"),
    "openclaw.same": ("All is as it should be; nothing to change.", "一切就绪，无需改动。"),
    "openclaw.done": ("The plugin is in OpenClaw.", "插件已装入 OpenClaw。"),
    "openclaw.copy": ("Your configuration as it was: {path}", "原来的配置保存在：{path}"),
    "openclaw.next": (
        "A running gateway: `openclaw gateway restart`. Then `memud openclaw status`.",
        "若网关正在运行，请执行 `openclaw gateway restart`，然后用 `memud openclaw status` 检查。",
    ),
    "openclaw.untouched": ("Nothing was changed.", "没有做任何改动。"),
    "openclaw.by_hand": (
        "{path} can't be written back without loss: {reason}. Add this to it yourself:",
        "无法无损写回 {path}：{reason}。请自行加入以下内容：",
    ),
    "openclaw.by_hand.back": (
        "{path} can't be written back without loss: {reason}. Take this back yourself:",
        "无法无损写回 {path}：{reason}。请自行改回：",
    ),
    "openclaw.bad": ("{path} was not changed: {reason}", "没有改动 {path}：{reason}"),
    "openclaw.bad.utf8": ("it is not UTF-8", "不是 UTF-8 文本"),
    "openclaw.bad.unreadable": ("it can't be read ({cause})", "无法读取（{cause}）"),
    "openclaw.bad.unwritable": ("it can't be written ({cause})", "无法写入（{cause}）"),
    "openclaw.bad.changed": (
        "somebody else has changed it in the meantime; start this again",
        "其间已被别的程序修改；请重新运行",
    ),
    "openclaw.bad.not_json": (
        "from line {line} on it is not plain JSON, and comments would be lost",
        "从第 {line} 行起不是纯 JSON，写回会丢失注释",
    ),
    "openclaw.bad.too_deep": ("it is nested too deeply", "嵌套过深"),
    "openclaw.bad.lossy": ("it holds signs or numbers that JSON can't", "含有 JSON 无法表示的字符或数字"),
    "openclaw.bad.no_object": ("{name} is not an object", "{name} 不是对象"),
    "openclaw.bad.no_list": ("{name} is not a list", "{name} 不是列表"),
    "openclaw.bad.twice": ("the key {name} stands there twice", "键 {name} 出现了两次"),
    "openclaw.bad.no_number": ("{word} is not JSON", "{word} 不是 JSON"),
    "openclaw.bad.include": (
        "{name} takes in another file ($include), which is not looked at here",
        "{name} 引入了别的文件（$include），这里不会去读它",
    ),
    "openclaw.included": (
        "{path}: {name} takes in another file ($include), so it can't be told from here",
        "{path}：{name} 引入了别的文件（$include），在这里无法判断",
    ),
    "openclaw.included.advice": (
        "OpenClaw itself reads both: openclaw memud status",
        "OpenClaw 自己会读全部文件，请用：openclaw memud status",
    ),
    "openclaw.copy_left": (
        "The copy from before memud is still there, as you have changed the file since: {path}",
        "安装前的配置副本还在，因为之后你改过配置：{path}",
    ),
    "openclaw.bad.no_plugin": (
        "the plugin is not at {path}; reinstall memud",
        "{path} 处没有插件；请重新安装 memud",
    ),
    "openclaw.left": ("left as it is, as it was changed since: {name}", "之后又被修改过，保持不动：{name}"),
    "openclaw.gone": (
        "The plugin is out of OpenClaw; your memories stay. A running gateway: `openclaw gateway restart`.",
        "插件已从 OpenClaw 移除，记忆仍然保留。若网关正在运行，请执行 `openclaw gateway restart`。",
    ),
    "openclaw.not_installed": ("Nothing of ours is there to take back.", "没有需要撤销的改动。"),
    "openclaw.record": (
        "{path} can't be read, so nothing was changed.",
        "无法读取 {path}，因此没有做任何改动。",
    ),
    "openclaw.record.hint": (
        "The configuration before memud is beside it, ending in .before-memud.",
        "安装前的配置保存在配置文件旁，以 .before-memud 结尾。",
    ),
    "openclaw.version": ("{version} (Node {node})", "{version}（Node {node}）"),
    "openclaw.no_path": (
        "plugins.load.paths names no folder with the plugin",
        "plugins.load.paths 中没有插件所在的文件夹",
    ),
    "openclaw.check.openclaw": ("OpenClaw", "OpenClaw"),
    "openclaw.check.config": ("configuration", "配置"),
    "openclaw.check.plugin": ("plugin", "插件"),
    "openclaw.check.slot": ("memory slot", "记忆插槽"),
    "openclaw.check.enabled": ("switched on", "已启用"),
    "openclaw.check.access": ("sees the conversation", "可读取对话"),
    "openclaw.check.injection": ("may add to prompts", "可加入提示"),
    "openclaw.check.built_in": ("built-in memory off", "内置记忆已关"),
    "openclaw.check.sessions": ("sessions", "会话"),
    "openclaw.sessions.apart": ("each chat has its own", "各聊天互相独立"),
    "openclaw.sessions.shared": (
        "all chats share one (session.scope), and nobody knows who listens: nothing private is told",
        "所有聊天共用一个会话（session.scope），不知道是谁在听：不会说出任何私密记忆",
    ),
    "openclaw.sessions.advice": (
        "To put it right: openclaw config set session.scope per-sender",
        "修复方法：openclaw config set session.scope per-sender",
    ),
    "openclaw.check.heartbeat": ("heartbeat", "心跳"),
    "openclaw.check.daemon": ("daemon", "守护进程"),
    "openclaw.check.advice": ("To put it right: memud openclaw install", "修复方法：memud openclaw install"),
}
