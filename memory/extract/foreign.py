"""What in a turn is not the user's own telling: code, logs, quotations, others' words, an agent's prompt."""

import re

from memory.extract.chinese_words import KIN as KIN_HAN
from memory.extract.english_words import KIN
from memory.extract.lexicon import one_of, words

_CODE = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|^[ \t]*>.*$|^(?: {4}|\t).*$|https?://\S+",
    re.DOTALL | re.MULTILINE,
)
_CODE_LINE = re.compile(
    r"^[ \t]*(?:"
    r"//|\#{1,6}(?![\w#])|/\*|\$\s|>>>|diff\s--git|@@|<\w[^>\n]*>|\|.*\|[ \t]*$|[{\[].*[}\]][ \t]*$"
    r"|\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|panic)\b[\]:]?\s"
    r"|(?:def|class)\s\w.*:[ \t]*$|(?:const|let|var)\s\w+\s*=|(?:print|function|console\.\w+)\b\s*\w*\("
    r"|(?:import\s[\w.]+|from\s[\w.]+\simport\b.*)$|(?:return|assert|export)\b[^\n]*(?:;|=)"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\s[^\n]*\b(?:FROM|INTO|SET|TABLE|INDEX)\b"
    r"|(?:git|npm|pip|docker|curl|sudo|kubectl)\s[^\n]*\s-{1,2}\w"
    r"|[+-]?[ \t]*[\w.\[\]]+[ \t]*=[ \t]*[\"'\w(\[{]"
    r").*$",
    re.MULTILINE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”]{1,400}”|「[^」]{1,400}」|『[^』]{1,400}』|‘[^’\n]{2,400}’|(?<![\w'])'[^'\n]{2,400}'(?!\w)"
)
_SPEECH = re.compile(r"\b(?:i|i'm|my|you|he|she|we)\b|[我你他她]|.{25}", re.IGNORECASE)  # else it is a name

# "Tom (in the chat): I hate it", 同事写道：我住在奥斯陆, "About us: we love wood"
_LABELLED = re.compile(
    r"(?:^|(?<=[.!?。！？]))[ \t]*(?P<label>[^\n:：.!?。！？]{1,60})[:：][ \t]*"
    r"(?=(?:I|I['’]\w+|My|We|We['’]\w+|Our)\b|[我咱俺]|本人).*$",
    re.MULTILINE | re.IGNORECASE,
)
_LEADS_TO_OWN = one_of("""
    no nope wait sorry ok okay yes well so and but also then plus because actually thanks please
    wrong not_quite not_true that's_wrong that's_not_right corrections? update reminder remember notes? fyi
    btw by_the_way for_the_record for_your_information decisions? final_decision decided change_of_plans?
    new_plan plan ps important keep_in_mind one_more_thing one_last_thing just_so_you_know good_news bad_news
    news facts? background context preferences? rules? diet answer in_short turns_out scratch_that
""")
_LEADS_TO_OWN_HAN = one_of("""
    不 错 更正 纠正 订正 修正 更新 备注 备忘 记住 记一下 记下 请记住 补充 说明 另外 还有 对了 其实 实际上
    注意 提醒 决定 结论 定了 想好了 算了 改了 改主意 情况 现在 目前 最近 今天 总之 首先 其次 最后 因为
    所以 但是 不过 顺便 等等 好消息 坏消息 回答 简单说 是这样 老实说 说实话
""")
_MY_OWN = words(
    r"\b(?:i|i'm|me|my|mine|we|our)\b(?!.*\b(?:wrote|writes|says|said|posted|replied)$)|[我咱]",
    rf"^{_LEADS_TO_OWN}\b|\blist$|[清列]单$",
    rf"^{_LEADS_TO_OWN_HAN}",
)
_MY_KIN = words(rf"^(?:my|our)\s+(?:\w+\s+)?{KIN}$", rf"^我们?家?的?{KIN_HAN}$")
# Nothing after the head of a letter is the user's.
_LETTER = re.compile(
    r"^[ \t]*(?:(?:fwd?|subject|from|forwarded\s+message)\b[^\n]*:|-+\s*(?:original|forwarded)\s+message"
    r"|dear\s+\w+[^\n]{0,30},|转发|发件人|主题[:：]|邮件(?:内容|正文)|尊敬的).*\Z",
    re.MULTILINE | re.IGNORECASE | re.DOTALL,
)
_PROMPT = words(
    r"^\s*(?:<\|?system|\[(?:system|bootstrap|instructions?|系统|启动)\b)",
    r"^\s*#{1,3}\s*(?:\w+\.md\b|(?:persona|identity|soul|role|system|instructions?|tools|"
    r"身份|人设|角色|系统|设定)\s*(?:\n|$|[:：]))",
    r"^\s*(?:system\s+prompt|instructions?\s+(?:for|to)\s+the\s+(?:assistant|agent|model)|skill\s+loaded|系统提示词?)\s*[:：]",
    r"^\s*you\s+are\s+(?:now\s+)?(?:an?\s+|the\s+|running\s+|(?-i:[A-Z]\w+),)",
    r"^\s*you\s+have\s+access\s+to\s+the\s+following\b|^\s*i\s+want\s+you\s+to\s+act\s+as\b",
    r"^\s*你(?:现在)?是(?:一[名个位款]|[一-鿿A-Za-z]{1,6}[，,]\s*(?:一[名个位款]|[^，。]{0,8}助[理手]))",
)


def is_prompt(text: str) -> bool:
    """Whether it opens as what an agent is set up with, not as what a person tells it."""
    return bool(_PROMPT.search(text))


def blanked(text: str) -> str:
    """The text at the same length, with code, links and other people's words turned to spaces."""
    for pattern in (_CODE, _CODE_LINE, _LETTER):
        text = pattern.sub(_spaces, text)
    text = _LABELLED.sub(lambda match: match[0] if _is_own(match["label"]) else _spaces(match), text)
    return _QUOTED.sub(lambda match: _spaces(match) if _SPEECH.search(match[0]) else match[0], text)


def _is_own(label: str) -> bool:
    """Whether what stands before a colon leads to the user's own words: "correction: I live in Ghent"."""
    label = label.strip()
    return bool(_MY_OWN.search(label)) and not _MY_KIN.search(label)


def _spaces(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
