"""Small facts that no word marks as such: what one weighs, what one has on Friday, where one lives."""

import re

from memory.proactive.asking.remark import is_wish
from memory.simplified import simplified

_MAX_CHARS = 120
_LEAD = r"^(?:(?:now|today|currently|so|well|ok|okay|yes|btw|by\s+the\s+way|fyi|this\s+\w+)[,\s]+)*"
_ENGLISH = re.compile(
    rf"{_LEAD}(?:"
    r"(?:i|we)(?:['’]ve(?:\s+got)?|\s+have|\s+had|\s+got)\s+(?:an?|another|the|my|our|no|two|three|four|\d+)\s+"
    r"(?!(?:question|idea|few|look|problem|issue|trouble)\b)[\w\s'’-]{1,60}?"
    r"\b(?:on|at|tomorrow|today|tonight|this|next|from|until|in)\b"
    r"|(?:i|we)(?:\s+(?:only|now|both))?\s+(?:weigh(?:ed)?|measure|turn(?:ed)?|lived?|moved|work(?:ed)?(?!\s+(?:on|out))"
    r"|own|drive|bought|sold|met|joined|started|finished|quit|passed|paid|married|graduated)\b"
    r"|(?:i['’]m|i\s+am|we['’]re|we\s+are)\s+(?:\d|allergic\b|married\b|single\b|vegan\b|vegetarian\b|left-handed\b"
    r"|(?:in|at|from|off\s+to)\s+(?-i:[A-Z]))"
    r"|(?:my|our)\s+(?:[\w'’-]+\s+){1,3}?(?:has|had|lives?|works?|weighs?|starts?|turn(?:s|ed))\b)"
    r"(?!.*\b(?:looking|trying|thinking|interested|searching|wondering|planning|curious|about\s+to|going\s+to)\b)",
    re.IGNORECASE,
)
_WHEN = (
    r"(?:现在|今天|明天|后天|昨天|最近|目前|[这下上]?个?(?:周|星期|礼拜)[一二三四五六日天末]?|早上|上午|下午|晚上|对了"
    r"|\d{1,2}[点号月日]|[一二三四五六七八九十]+点|已经|刚|只|都|[，,\s])*"
)
_CHINESE = re.compile(
    rf"^{_WHEN}我们?(?:家?的?(?:妈|爸|老婆|老公|孩子|儿子|女儿|妹妹|弟弟|姐姐|哥哥))?"
    rf"(?:的?(?:体重|身高|血压|生日|年龄|名字|地址|房租|工资))?{_WHEN}"
    r"(?:有(?!.{0,3}(?:问题|疑问|想法|点|空|时间|兴趣|意思|办法|事想)|没有|什么)|没有|是(?!不是)|叫|住在?|重|身高|体重"
    r"|\d+[公斤岁米]|在[^，。]{1,10}(?:上班|工作|住|读书|上学|出差|开会)|搬到?了?|换了|买了|卖了|当了|考[上过]了|生了|养了"
    r"|结婚|离婚|毕业|退休)"
)


def is_small_fact(text: str) -> bool:
    """Whether a short turn tells of oneself or one's own, and asks, wishes and reports no trouble."""
    said = text.strip()
    if len(said) > _MAX_CHARS or is_wish(said):
        return False
    return bool(_ENGLISH.search(said) or _CHINESE.search(simplified(said)))
