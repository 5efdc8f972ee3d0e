"""How people leave something open in Chinese."""

import re
from typing import Final

from memory.proactive.commitments.chinese_cues import PERSON

_ADVERBS = r"(?:我们?|咱们?|俺|一直|还|都|仍然?|尚|目前|现在|暂时|也|其实|真的|始终|到现在)*"
_SETTLED = (
    r"(?:想好|想清楚|想明白|决定好?|定下来|定好|定|确定下来|确定好?|考虑好|考虑清楚"
    r"|拿定主意|商量好|谈妥|选好|搞清楚|弄清楚|下定决心|说定|谈拢|谈好|敲定|(?:商量|讨论|谈|想)出个?(?:结果|名堂)|个?定数|个?着落|什么?头绪|有?头绪)"
)
_MATTER = r"(?:这件?事|的事情?|的问题|这个问题)?[，,]?"
_HESITATES = (
    r"(?:拿不定主意|定不下来|纠结|犹豫|下不了决心|举棋不定|(?:还在|一直在)(?:讨论|商量|琢磨|权衡|考虑))"
)
_THINKS_ON = (
    r"(?:还|得|要|还得|还要|想|需要)*再(?:好好)?"
    r"(?:想想|想一想|考虑考虑|考虑一下|琢磨琢磨|琢磨一下|商量商量|掂量掂量)"
)
_PUT_OFF = (
    r"(?:(?:先)?放一放|先放着|先搁着|以后再(?:说|定|议)|再议"
    r"|先不(?:定|决定|急着定)|(?:改天|回头|下次|过几天|改日|到时候?|以后|下回)(?:会上|开会时?|见面)?再(?:说|讨论|议|定|商量|决定))"
)
_UP_IN_THE_AIR = (
    r"(?:悬而未决|还悬着|悬着呢?$|还没(?:个)?(?:准话|准儿?|着落|结论|定论|谱|下文)"
    r"|也?没(?:个)?(?:准话|定论|结论)|待定|没有?定论)"
)


def _choice(group: str) -> str:
    """What can be decided: 要不要, A还是B, 去不去. `group` is a name that the whole pattern has once."""
    return (
        r"(?:到底|究竟)?(?:要不要|该不该|是否|应不应该|是不是(?:该|要)|值不值得|能不能|选|挑|用哪|去哪|买哪|怎么|如何|什么时候|哪|谁"
        rf"|.{{1,12}}还是.|(?P<{group}>[一-鿿])不(?P={group}))"
    )


_BEFORE: Final = (
    re.compile(  # 还没想好要不要续租
        rf"(?:^|我们?|咱们?|但是?|不过|可是?|因为|所以|现在|最近)?{_ADVERBS}(?:还|仍|尚|一直|都|也)?(?:没有?|未){_SETTLED}(?![了过])"
        rf"(?P<about>{_choice('a')}.*)"
    ),
    re.compile(
        rf"{_ADVERBS}(?:还在|一直在|正在|在|有点|很|挺|好)?(?:纠结|犹豫)(?:着|中)?(?P<about>{_choice('b')}.*)"
        rf"|{_ADVERBS}(?:还在|一直在|正在|在)考虑(?:着)?(?P<about2>{_choice('c')}.*)"
    ),
    re.compile(
        r"(?:拿不定主意|下不了决心|定不下来|不确定|不知道|没想清楚)(?P<about>(?:到底|究竟)?(?:要不要|该不该|是否(?:要|该)|应不应该|选哪).*)"
        r"|(?:还是?|一直)不知道(?P<about3>(?:该|要)?[一-鿿]{0,3}哪.*)"
        r"|(?:得|要|需要)(?:再)?(?:想想|想清楚|考虑(?:一下|清楚)?|决定(?:一下)?)(?P<about2>(?:到底|究竟)?(?:要不要|该不该|是否|选哪|用哪).*)"
    ),
)
_AFTER: Final = (
    re.compile(  # 要不要续租还没想好
        rf"^(?P<about>.{{2,30}}?){_MATTER}{_ADVERBS}(?:还|仍|尚|一直|都|也)(?:没有?|未){_SETTLED}(?!过)"
    ),
    re.compile(  # 报价的事以后再说
        rf"^(?P<about>.{{2,24}}?){_MATTER}(?:我们?|咱们?|就|先|还是|还|也|一直)*(?:{_PUT_OFF}|{_UP_IN_THE_AIR})"
    ),
    re.compile(
        rf"^(?P<about>.{{0,12}}?{_choice('d')}.{{0,30}}?)[，,]?{_ADVERBS}(?:还在|在|很|挺|有点)?{_HESITATES}"
        r"|^(?P<about2>.{2,20}?)[，,]?(?:我们?|咱们?)(?:还|一直)在(?:纠结|犹豫|考虑)(?:中|呢)?$"
    ),
    re.compile(
        rf"^(?P<about>.{{2,24}}?(?:的事情?|这件?事|之间|那个[一-鿿]{{2,4}})){_ADVERBS}(?:{_HESITATES}|{_THINKS_ON})"
        r"|^(?P<about2>.{2,24}?)(?:的事情?|这件?事)(?:还是?|一直)不知道(?:该)?怎么(?:办|弄|处理|安排|解决)"
    ),
)
_ALONE: Final = re.compile(
    rf"^{_ADVERBS}(?:还|仍|尚|一直|都|也)(?:没有?|未){_SETTLED}(?:呢|啊|吧)?$"
    rf"|^{_ADVERBS}(?:还在|一直在|在|很|挺|有点|好)?{_HESITATES}(?:中|呢)?$|^(?:我们?|咱们?)?{_THINKS_ON}(?:吧)?$"
    rf"|^(?:这个问题|这件?事)?(?:我们?|咱们?|就|先|还是|还|也)*(?:{_PUT_OFF}|{_UP_IN_THE_AIR})(?:吧|呢)?$"
    rf"|^.{{0,16}}(?:商量|讨论|聊|想|琢磨|吵).{{0,8}}(?:{_UP_IN_THE_AIR}|没(?:商量|讨论|想)?出(?:个)?(?:结果|所以然)|没{_SETTLED})$"
)
_CHOICE: Final = re.compile(_choice("a"))
_OWN_LEAD = re.compile(
    r"^(?:那|对了|其实|不过|但是?|关于|至于|我们?(?!家|公司)|咱们?|对于|现在|最近|目前)+(?!的)"
)
_TAIL = re.compile(r"(?:我们?$|这件?事|的事情?|的问题|这个问题|呢|啊|吧|了)+$")
_POINTS_BACK = re.compile(
    r"^(?:这个?|那个?|它|这事|那事|这些|那些|这件|那件|其他的?|别的|具体的?|什么|我们?)$"
)
# 小吴还没想好 is Wu's matter, 小程序还没定 is not.
_INSTITUTIONS = "法院|法官|科学家|专家|学者|政府|警方|学界|国会|欧盟|联合国|媒体|网友|考古"
_OTHERS = re.compile(
    rf"^(?:{_INSTITUTIONS})|^(?:那|对了|不过|但是?|听说)?{PERSON}(?:们)?(?=还|也|都|一直|自己|没|[在很]?(?:纠结|犹豫)|拿不|说|觉得)"
    r"|^[他她它]"
)

DECIDED: Final = re.compile(
    r"(?<!没)(?<!没有)(?<!未)(?:决定(?!权|着)|想好了|想通了|想明白了|定了|定下来了|选了|选好了|拿定主意|就这么定|说好了|商量好了|搞清楚了|弄清楚了"
    r"|查到了|想清楚了)|(?:还是|那就|就)(?:[用选去买定要留续换租签接]|不[去买要换租签续接])|(?:不打算|打算|准备)[一-鿿]{1,}|已经[一-鿿]{1,6}了"
    r"|不[一-鿿]{1,4}了$|[续签买租换订退辞接剪卖推砍定]掉?了|[推砍卖退辞]掉|回绝|谢绝|婉拒|(?:商量|讨论|谈)(?:下来|完了|好了|定)|不用管了|无所谓了|算了|结果.{0,10}了"
)
REFUSED: Final = re.compile(
    rf"如果|要是|假如|万一|的话|本来|原本|之前还|{PERSON}(?:们)?(?:跟我|对我)?(?:说|告诉我|问)"
    rf"|^(?:刚才|刚刚)?{PERSON}(?:们)?(?:还|也|都|一直|自己)*(?:没|在|很)"
)
TRIVIAL: Final = re.compile(
    r"为什么|为啥|[吃喝穿看玩点追听](?:什么|啥|哪|不[吃喝穿看玩点追听刷])|带伞|外卖|[早午晚中]饭|[早午晚]餐|夜宵|宵夜|电影|剧|奶茶|咖啡|火锅|几点睡|睡觉|起床|出门"
    r"|健身房|洗头|今[天晚早]|现在|(?:说|做|干|办|写)(?:什么|啥)(?:好)?$|怎么(?:说|办|样)(?:好)?$|先有"
)
ASKS_FACT: Final = re.compile(r"(?:到底|究竟)?(?:怎么|如何|为什么|为啥|是什么|谁)")


def about(part: str, before: str) -> str:
    """What a part of a sentence leaves open, or, where it names nothing, what stood before; "" for none."""
    if _OTHERS.match(part):
        return ""
    if _ALONE.match(part):
        return _trimmed(before) if _CHOICE.search(before) or _TAIL.search(before) else ""
    found = next((match for one in _BEFORE if (match := one.search(part))), None)
    found = found or next((match for one in _AFTER if (match := one.match(part))), None)
    if found is None or DECIDED.search(part, found.end()):
        return ""
    named = [text for name, text in found.groupdict().items() if name.startswith("about") and text]
    return _trimmed(named[0]) if named else ""


def may_be_open(part: str) -> bool:
    """Whether a part of a sentence names something that can be decided: 做手术还是保守治疗."""
    return bool(_CHOICE.search(part)) and not _ALONE.match(part)


def _trimmed(words: str) -> str:
    words = _TAIL.sub("", _OWN_LEAD.sub("", words.strip()))
    return "" if _POINTS_BACK.match(words) or _OTHERS.match(words) else words
