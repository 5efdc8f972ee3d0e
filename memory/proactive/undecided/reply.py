"""What an assistant's reply does to a question: answers it, or says that it can't yet."""

import re
from typing import Final

from memory.extract.clauses import Clause, sentences
from memory.terms import content_terms

_MAX_CHARS = 240  # who has more to say has an answer
_MIN_ANSWER_CHARS = 12
_MAX_QUESTION_CHARS = 160
_UNKNOWN: Final = re.compile(
    r"\bi\s+(?:don't|do\s+not)\s+know(?:\s+yet)?\b|\bi(?:'m|\s+am)\s+not\s+sure\s+yet\b|\bi\s+(?:could\s*n't|could\s+not|can't|cannot)\s+find\b"
    r"|\bi(?:'ll|\s+will)\s+(?:have\s+to\s+|need\s+to\s+)?(?:look\s+into|look\s+that\s+up|find\s+out|check|get\s+back\s+to\s+you)\b|\bno\s+(?:idea|answer)\s+yet\b"
    r"|\bi\s+(?:need|have)\s+to\s+(?:check|look\s+into|find\s+out)\b|\b(?:i\s+)?(?:can't|cannot|couldn't)\s+(?:say|tell)\b|\bhard\s+to\s+(?:say|tell)\b"
    r"|说不[准好清]|不好说|没法(?:说|判断|确定)"
    r"|我(?:暂时|目前|现在|也|还)*(?:不知道|不清楚|不确定|没查到|查不到|没找到|找不到|没有?(?:查|找)到)|(?:暂时|目前|还)+(?:没有?|查不到|找不到)[^，。]{0,6}(?:信息|答案|结果|消息)"
    r"|(?:稍后|回头|晚点|之后)(?:我)?(?:再|会)?(?:告诉|回复|答复)你|我(?:再|先|去|得|需要|会)+(?:去)?(?:查|确认|问|核实)(?:一下|一查|查)?",
    re.IGNORECASE,
)
_YET: Final = re.compile(
    r"\b(?:but|however|though|that\s+said|instead|generally|usually|probably)\b|不过|但是?|可是|一般|通常|大概",
    re.IGNORECASE,
)
_CAN_NOT: Final = re.compile(
    r"\b(?:access|real-?time|live\s+data|browse|as\s+an\s+ai|your\s+(?:calendar|files|device))\b|实时|联网|权限|作为[^，。]{0,6}(?:AI|助手|模型)",
    re.IGNORECASE,
)
_PASSING: Final = re.compile(
    r"\b(?:weather|time\s+is\s+it|today|tonight|right\s+now|now|this\s+(?:morning|afternoon|evening)|currently|you|your|joke)\b"
    r"|天气|几点|今[天晚早]|现在|你|在吗|笑话",
    re.IGNORECASE,
)
_DECIDED: Final = re.compile(
    r"\b(?:you|we)(?:'ve|\s+have)?\s+(?:already\s+)?(?:decided|chosen|chose|picked|settled|agreed)\b|\b(?:is|are|has\s+been|have\s+been)\s+(?:now\s+)?(?:decided|settled|booked|renewed|signed|confirmed|ordered|cancel+ed)\b"
    r"|你们?(?:已经|刚才|刚刚|之前)*(?:决定|选|定)了?|已经?(?:帮你|为你|给你)?(?:决定|定好|定下|选好|选定|续|签|订|确认|取消|办好)",
    re.IGNORECASE,
)


def question_of(text: str) -> Clause | None:
    """The one question of a user's turn that may still matter tomorrow; None for none or several."""
    asked = [one for one in sentences(text.replace("’", "'")) if one.is_question]
    if len(asked) != 1 or len(asked[0].text) > _MAX_QUESTION_CHARS or _PASSING.search(asked[0].text):
        return None
    return asked[0] if len(content_terms(asked[0].text)) >= 2 else None


def leaves_open(reply: str) -> bool:
    """Whether a reply says that the answer is not known yet, and no more.

    What an assistant can never know it will not know tomorrow either.
    """
    if len(reply) > _MAX_CHARS or _CAN_NOT.search(reply) or _YET.search(reply):
        return False
    return bool(_UNKNOWN.search(reply.replace("’", "'")))


def answers(reply: str) -> bool:
    """Whether a reply tells something: no counter-question, no "I will look into it"."""
    text = reply.strip()
    told = [one for one in sentences(text) if not one.is_question]
    is_known = not (_UNKNOWN.search(text.replace("’", "'")) and len(text) <= _MAX_CHARS)
    return is_known and sum(len(one.text) for one in told) >= _MIN_ANSWER_CHARS


def reports_choice(reply: str) -> bool:
    """Whether a reply says that a choice was made; advice is none."""
    return any(_DECIDED.search(one.text) for one in sentences(reply.replace("’", "'")) if not one.is_question)
