"""Which turns can be an intent at all: not greetings, and not what is said about the talk itself."""

import re

from memory.proactive.asking.greetings import is_greeting
from memory.scoring.silence import is_silent_prompt
from memory.terms import cjk_runs, content_terms

_MIN_CHARS, _MIN_CJK_CHARS = 6, 3
_MAX_GENERIC_CHARS = 80
_MAX_CHARS = 600  # a longer turn is a text to work on, and its topic is not what the user asks for

_GENERIC = re.compile(
    r"(?:(?:please|pls|ok(?:ay)?|and|so|now|yes|no|hm+|can\s+you|could\s+you|would\s+you|just)[\s,]+)*"
    r"(?:(?:go\s+on|continue|proceed|keep\s+going|carry\s+on|go\s+ahead|do\s+it|do\s+that|next(?:\s+one)?|more|again"
    r"|(?:try|do|say|run|check|send|explain)\s+(?:it|that|this)?\s*again|once\s+more|one\s+more\s+time|start\s+over"
    r"|tell\s+me\s+more|say\s+more|more\s+details?|give\s+me\s+(?:more|an\s+example|another(?:\s+one)?)|for\s+example"
    r"|(?:explain|shorten|simplify|rephrase|rewrite|summari[sz]e|fix|translate)\s+(?:it|this|that)(?:\s+(?:more|please|to\s+\w+))*"
    r"|make\s+(?:it|this|that)\s+(?:\w+\s*){1,3}|(?:shorter|longer|simpler|better)(?:\s+version)?"
    r"|what\s+do\s+you\s+(?:mean|think|suggest|recommend)|what\s+does\s+(?:this|that|it)\s+mean|what(?:'s|\s+is)\s+(?:this|that|next)"
    r"|are\s+you\s+(?:there|sure|ready)|why(?:\s+not|\s+is\s+that)?|how\s+so|how\s+come"
    r"|(?:can|could)\s+you\s+help(?:\s+me)?(?:\s+with\s+(?:this|that|something))?|help(?:\s+me)?|i\s+(?:need|want)\s+(?:some\s+|your\s+)?help"
    r"|i\s+(?:have|got)\s+(?:a|another)\s+question|i\s+(?:don't|do\s+not)\s+(?:understand|get\s+it|know)|i\s+(?:see|understand|agree)"
    r"|(?:it|that|this)(?:'s|\s+is|\s+does(?:n't|\s+not))\s+(?:\w+\s*){1,2}|still\s+(?:not|the\s+same|wrong|broken).{0,20}"
    r"|(?:it|that|this)\s+(?:works?|failed|worked)(?:\s+now)?|same\s+(?:error|problem|thing)(?:\s+again)?|never\s?mind|stop|wait(?:\s+a\s+\w+)?"
    r"|what\s+else|anything\s+else|is\s+that\s+all|show\s+me|let\s+me\s+(?:see|think|know)|i'll\s+(?:think|be)\s+.{0,25})"
    r"[\s.!?,…]*)+(?:please|pls|then|now|for\s+me|thanks?|thank\s+you)?[\s.!?…]*",
    re.IGNORECASE,
)
_ZH_GENERIC = re.compile(
    r"(?:(?:请|麻烦|好的?|嗯+|那|然后|再|你|帮我|能不能|可以|能|给我|我)[，,\s]*)*"
    r"(?:(?:继续|接着|往下|下一[个步条题]|再来一[个次遍条]|再说一[次遍]|再试一?[次下]|重来|重新[来写做说]|重试|换一[个种]|还有[吗呢]|还有什么"
    r"|说说|讲讲|详细一?点|具体一?点|详细(?:说|讲)(?:说|讲|一下)?|展开(?:说|讲)(?:说|讲)?|解释一下|举个例子|简单一?点|短一?点|总结一下|翻译一下|改一下"
    r"|什么意思|(?:这|那)?是什么(?:意思)?|为什么(?:呢|啊)?|怎么办(?:呢|啊)?|怎么(?:说|做|弄|回事)|你觉得(?:呢|怎么样)|怎么样|确定吗|真的吗|是吗|对吗"
    r"|看看|查一下|试试|想想|看一下|帮个忙|帮帮我|帮忙|有个问题|想问一?下|问一下|问你?个?(?:问题|事)|不懂|不明白|没懂|看不懂|不对|不行|还是不行|还是不对|错了"
    r"|同样的?(?:错误|问题)|算了|等等|等一?下|停|先这样|就这样|然后呢|接下来(?:呢|怎么办)?|下一步(?:呢|做什么)?|可以吗|行吗|好吗|在吗)"
    r"[了吧呢吗啊呀哦，。！？,.!?…\s]*)+"
)


def is_telling(text: str) -> bool:
    """Whether a turn says what the user is after."""
    words = text.strip()
    if len(words) > _MAX_CHARS or len(words) < (_MIN_CJK_CHARS if cjk_runs(words) else _MIN_CHARS):
        return False
    if is_greeting(words):
        return False
    if len(words) <= _MAX_GENERIC_CHARS and (_GENERIC.fullmatch(words) or _ZH_GENERIC.fullmatch(words)):
        return False
    return is_silent_prompt(words) != "courtesy" and bool(content_terms(words))
