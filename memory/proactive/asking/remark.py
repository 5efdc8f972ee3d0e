"""Remarks: moods, weather, what one did today. Said each evening they are company, and nothing to prepare."""

import re

from memory.proactive.asking.greetings import is_greeting

_MAX_CHARS = 160
_PIECE = re.compile(r"[^.!…。！\n]+")

# Whoever asks, wishes, or has a problem that an assistant could see to, is after something.
_ENGLISH_WISH = re.compile(
    r"\?|\b(?:which|who|whose|where|when|why|how|what(?!\s+an?\b)|whether|can|could|would|should|shall|please|pls"
    r"|(?<!don't )(?<!don’t )(?<!not )want|need|wish|wonder|help|tell|give|show|find|check|book|order|play"
    r"|suggest|recommend|remind|log|track|record|note|save|add|put|write|make|set|plan|look|calculate|explain|something|anything"
    r"|lost|stolen|declin\w+|broken?|wrong|error|fail\w*|problem|(?:does|did|is|was)(?:n['’]t|\s+not)\s+work\w*)\b",
    re.IGNORECASE,
)
_LEAD = (
    r"(?:(?:oh|ah|ugh|phew|man|god|well|so|and|but|ok|okay|today|tonight|again|yes|yeah|honestly|really|just|finally"
    r"|this\s+(?:morning|evening|afternoon)|it['’]?s\s+been|had|i\s+had|i['’]?ve\s+had|another|such|a|an)[\s,]+)*"
)
_BEARING = (
    r"(?:tired|exhausted|sleepy|bored|knackered|beat|drained|stressed|happy|sad|lonely|hungry|angry|annoyed"
    r"|frustrated|grateful|excited|relaxed|overwhelmed|anxious|nervous|proud|glad|grumpy|cranky|fed\s+up|worn\s+out"
    r"|burn(?:t|ed)\s+out|depressed|miserable|wiped(?:\s+out)?)"
)
_QUALITY = (
    r"(?:exhausting|tiring|long|rough|hard|tough|great|good|nice|lovely|bad|terrible|awful|boring|stressful|fun|crazy"
    r"|hectic|busy|annoying|brutal|delicious|beautiful|cold|hot|freezing|raining|snowing|pouring|sunny|windy"
    r"|horrible|gorgeous|quiet|slow)"
)
_TIMES = r"(?:day|week|weekend|night|morning|evening|afternoon|meeting|shift|commute|class)s?"
_VERY = (
    r"(?:so|very|really|too|still|pretty|quite|always|just|a\s+bit|kinda|totally|completely|absolutely|all)"
)
_ENGLISH_REMARK = re.compile(
    rf"^{_LEAD}(?:"
    rf"(?:(?:i|we)(?:['’]m|['’]re|\s+am|\s+are|\s+feel|\s+was)\s+|feeling\s+|{_VERY}\s+)(?:{_VERY}\s+)*{_BEARING}\b"
    rf"|(?:what\s+an?\s+)?(?:{_VERY}\s+)*{_QUALITY}\s+(?:\w+\s+)?{_TIMES}\b"
    rf"|(?:my\s+|the\s+)?(?:{_TIMES}|work|job|school|traffic|weather|dinner|lunch|it)(?:\s+(?:was|is|has\s+been)|['’]s(?:\s+been)?)"
    rf"(?:\s+{_VERY})*\s+{_QUALITY}\b"
    r"|(?:i\s+)?(?:(?:just|only|also|finally)\s+)*(?:went|ran|ate|walked|slept|drank|cooked|watched|played|worked|swam"
    r"|cycled|hiked|studied|cleaned|stayed|got\s+(?:home|back|up))\b"
    r"|my\s+\w+\s+(?:hurts?|aches?|(?:is|are)\s+(?:sore|killing\s+me))\b"
    r"|i\s+(?:do\s+not|don['’]t)\s+(?:want\s+to|feel\s+like)\b|i\s+(?:hate|miss|love)\s+\w+"
    r"|(?:thanks|thank\s+you|thx)\b[\s,]*(?:$|that|this|it|you|for|so|a\b|i\b)"
    r"|(?:home|done|over|asleep|free|\w+day|weekend)(?:\s+(?:again|already|at\s+last))?\s*$"
    r"|the\s+\w+\s+(?:is|are)\s+(?:finally\s+|at\s+last\s+)?(?:asleep|home|gone|done|over|here)\b)",
    re.IGNORECASE,
)

_CHINESE_WISH = re.compile(
    r"[?？]|什么|啥|怎么|怎样|如何|哪|谁|几|多少|吗|呢|要不要|能不能|可不可以|有没有|是不是|请|帮(?![了到大])|给我|教|推荐|讲|说说|查|看看"
    r"|来[个点首句段一几套]|想(?:要|吃|去|学|听|看|知道|约|买)|需要|提醒|记[一下录住]|告诉|吧\s*$|一下|卡住|失败|报错|打不开|坏了|丢了|不见"
)
_ZH_LEAD = (
    r"(?:[我咱唉哎啊哦嗯]|今天|今晚|昨晚|早上|中午|晚上|下午|最近|这周|上班|工作|又|还|也|都|真的|终于|刚刚?|才"
    r"|周[一二三四五六日天]|心里?|[，,\s])*"
)
_ZH_VERY = r"(?:好|很|真|太|又|有点儿?|超级?|特别|非常|挺|这么|快|好像|一直|觉得|感觉|是|[我，,\s])*"
_CHINESE_REMARK = re.compile(
    rf"^{_ZH_LEAD}(?:"
    rf"{_ZH_VERY}(?:疲?累|困|烦|无聊|开心|难过|郁闷|焦虑|压力{_ZH_VERY}大|孤单|孤独|失眠|没睡好|没精神|崩溃|疲惫|心累|不舒服|头[疼痛]|腰[疼酸]|高兴"
    r"|伤心|生气|紧张|幸福|充实|辛苦|忙|冷|热|闷|堵|漫长)(?:死|坏|极|爆)?[了啊呀哦啦的哈得不行今天]*"
    r"|心情\S{0,3}[好坏差糟错低落]+[了啊呀的]*|(?:还?在)?下(?:大|小|暴)?[雨雪]了?[啊呀]*|天气\S{0,3}[好坏冷热闷糟舒服错]+[啊呀了]*"
    r"|(?:加班|开会|堵车|下班|到家|放假|周末|周[一五])(?:到\S{1,5})?[了啊呀]*|\S{0,4}(?:开|加|忙|累|堵|睡)了(?:一|大半|整)?\S{0,2}(?:天|上午|下午|晚上|夜|路)\S{0,3}"
    r"|(?:和\S{1,6})?(?:跑|走|吃|喝|睡|做|去|见|练|游|骑|读)了\S{1,12}|被\S{1,6}[骂批坑说]了\S{0,3}"
    r"|不想(?:上班|上学|动|起床|加班|工作|干活|学习)[了啊呀]*|\S{1,5}(?:终于|总算)\S{1,6}了"
    r"|(?:是)?周[一五][了啊呀]*|(?:谢谢|多谢|感谢)\S*)\s*[，,～~]?"
)


def is_remark(text: str) -> bool:
    """Whether a short turn only tells how one is, how the day was or what one did in it, or thanks.

    Whatever asks, wishes or reports a trouble is none; in doubt it is none.
    """
    said = text.strip()
    if len(said) > _MAX_CHARS or is_wish(said):
        return False
    pieces = [piece.strip() for piece in _PIECE.findall(said) if any(map(str.isalnum, piece))]
    return bool(pieces) and all(_is_said_in_passing(piece) for piece in pieces)


def is_wish(text: str) -> bool:
    """Whether a short turn asks, wishes or reports a trouble."""
    return bool(_ENGLISH_WISH.search(text) or _CHINESE_WISH.search(text))


def _is_said_in_passing(piece: str) -> bool:
    if _ENGLISH_REMARK.match(piece):
        return True
    clauses = [clause.strip() for clause in re.split("[，,]", piece) if clause.strip()]
    return is_greeting(piece) or all(_CHINESE_REMARK.fullmatch(clause) for clause in clauses)
