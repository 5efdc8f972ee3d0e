"""Whether a deed that is told is the one that was to be done: bought is ordered, called is not bought."""

import re

from memory.terms import content_terms

_ENGLISH = tuple(
    frozenset(words.split())
    for words in (
        "buy bought order ordered get got purchase purchased",
        "collect collected pick picked fetch fetched get got grab",
        "call called phone phoned ring rang spoke spoken speak talk talked",
        "pay paid settle settled transfer transferred",
        "send sent mail mailed email emailed post posted submit submitted hand handed deliver file filed",
        "book booked reserve reserved get got",
        "write wrote written finish finished draft",
        "take took taken bring brought",
        "go went gone visit visited been",
        "see saw seen meet met visit visited talk talked spoke",
        "give gave given bring brought",
        "make made cook cooked bake baked",
        "tell told ask asked email emailed message messaged text texted",
        "feed fed",
        "read",
        "sell sold",
    )
)
_CHINESE = ("买订购", "交缴付还", "寄发送", "打回联聊谈", "取拿领", "写", "看", "约订", "去", "吃喝", "退换")
_ANY_ENGLISH = frozenset(["did", "done", "finished", "completed", "handled", "sorted", "settled"])
_ANY_CHINESE = frozenset("办做弄搞")


def is_same_deed(verb: str, action: str) -> bool:
    """Whether who says the verb may speak of the action; where neither is known they must be one word."""
    if verb in _ANY_ENGLISH or verb in _ANY_CHINESE:
        return True
    is_chinese = "㐀" <= verb[0] <= "鿿"
    words = set(action) if is_chinese else set(re.findall(r"[a-z]+", action.lower()))
    if verb in words or set(content_terms(verb)) & set(content_terms(action)):
        return True
    families = [set(family) for family in (_CHINESE if is_chinese else _ENGLISH)]
    return any(verb in family and words & family for family in families)
