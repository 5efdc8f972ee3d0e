"""Lists that grow by being told on: "I like jazz" and "I also like blues" are "I like jazz and blues"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.simplified import simplified

MAX_MEMBERS = 30
_MAX_CHARS = 600  # a longer text is a message
_MEMBER_WORDS = 4
_MEMBER_HAN = 8

_ADVERB = r"(?:also|really|still|just|both|always|too|absolutely)"
_VERB = (
    r"(?:like|love|enjoy|adore|hate|dislike|detest|can['’]t\s+stand|(?:don['’]t|do\s+not)\s+(?:like|eat|drink)|speak|collect"
    r"|own|play|grow|eat|drink|have|(?:allergic|intolerant)\s+to|afraid\s+of|fond\s+of|into|a\s+fan\s+of|learning)"
)
_ENGLISH = re.compile(
    rf"(?P<frame>(?P<who>I|We)(?:(?P<am>['’]m|['’]re|\s+am|\s+are)|['’]ve)?(?P<before>(?:\s+{_ADVERB})*)\s+(?P<verb>{_VERB}))"
    r"\s+(?P<members>.+?)(?P<after>,?\s+(?:too|as\s+well|also))?",
    re.IGNORECASE,
)
_MIDDLE = r"(?:也|还|另外|最|很|特别|非常|真的|都|同样|同时|更|现在|一直)"
_CHINESE = re.compile(
    rf"(?P<frame>(?P<who>我们|咱们|我|俺|咱)(?P<before>{_MIDDLE}*)(?P<verb>(?:不太|不)?(?:喜欢|爱|讨厌|会说|会|在学|收藏|养了|有|怕)"
    r"(?:吃|喝|听|看|玩|打|弹|读|做|去|逛|养|种|学|说|收集)?))(?P<members>.+?)"
)
_ALLERGIC = re.compile(
    rf"(?P<frame>(?P<who>我们|咱们|我|俺|咱)(?P<before>{_MIDDLE}*)(?P<verb>对))(?P<members>.+?)(?P<tail>也?过敏)"
)
_NAME = r"(?P<name>(?:shopping|grocery|packing|reading|watch|wish|guest|gift)\s+list)"
_LIST = re.compile(rf"(?:(?:my|our|the)\s+)?{_NAME}\s*(?::|has|is)\s*(?P<members>.+)", re.IGNORECASE)
_PUT = re.compile(
    rf"(?:please\s+)?(?:also\s+)?(?:add|put)\s+(?P<members>.+?)\s+(?:to|on|onto)\s+(?:my|our|the)\s+{_NAME}(?:,?\s+(?:too|as\s+well|please))*",
    re.IGNORECASE,
)
_HAN_LIST = r"(?:购物|采购|买菜|打包|行李|阅读|读书|观影|愿望|礼物)(?:清单|单子|列表)"
_NAME_HAN = rf"(?P<name>{_HAN_LIST})"
_LIST_HAN = re.compile(rf"(?:我们?的|我们)?{_NAME_HAN}(?:[：:]|[里上]有|是)\s*(?P<members>.+)")
_PUT_HAN = re.compile(
    rf"(?:请|帮我|再|还)*[把将](?P<members>.+?)(?:也|都)?[加放写记](?:到|进|在)?(?:我们?的)?{_NAME_HAN}[里上中]?(?:去|吧)?"
    rf"|(?:我们?的)?(?P<name2>{_HAN_LIST})[里上]?(?:再|还要?|也)*[加添](?:上|一个|个)?(?P<members2>.+)"
)

_PARTED = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", re.IGNORECASE)
_PARTED_HAN = re.compile(r"、|，|,|以及|还有|(?<=.)[和跟与及](?=.)")
_NO_MEMBER = re.compile(
    r"\b(?:because|when|if|that|but|who|which|than|for|with|since|while|more|most|very|to|it|this|them|when)\b|[.:;!?()]",
    re.IGNORECASE,
)
_NO_MEMBER_HAN = re.compile(r"因为|但|如果|时候|比|了|吗|是|就|才|不|[。：；！？（）]")
_DENIED = re.compile(r"n['’]t|\bnot\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TalliedList:
    """A fact as a list: `key` tells whether another is of the same list, `head` and `tail` stand around it.

    `adds`: it says itself that there is more ("also", "add ... to the list").
    """

    key: str
    head: str
    members: tuple[str, ...]
    tail: str
    adds: bool
    is_chinese: bool

    @property
    def text(self) -> str:
        """The list in words."""
        return f"{self.head}{_joined(self)}{self.tail}"


def parsed(text: str) -> TalliedList | None:
    """The list that a fact tells; None where it is none, or more than one."""
    if len(text) > _MAX_CHARS:
        return None
    words = " ".join(text.split()).rstrip(".。!！")
    plain = simplified(words)
    for read in (_told_english, _told_chinese, _named_english, _named_chinese):
        found = read(words, plain)
        if found and 0 < len(found.members) <= MAX_MEMBERS and all(map(_is_member, found.members)):
            return found
    return None


def grown(old: str, new: str) -> str | None:
    """The old list with what the new fact adds to it; the old one where that is nothing. None: not sure."""
    told = parsed(new)
    known = parsed(old) if told else None
    if known is None or told is None or known.key != told.key:
        return None
    seen = {_folded(member) for member in known.members}
    more = [member for member in told.members if _folded(member) not in seen]
    if not more:
        return old
    if not told.adds or len(known.members) + len(more) > MAX_MEMBERS:
        return None
    return replace(known, members=(*known.members, *more)).text


def shares_members(one: str, other: str) -> bool:
    """Whether two lists of one kind name something in common."""
    first, second = parsed(one), parsed(other)
    if first is None or second is None or first.key != second.key:
        return False
    return not {_folded(member) for member in first.members}.isdisjoint(map(_folded, second.members))


def together(texts: Sequence[str]) -> str:
    """One list of several that were told one after the other; of those that do not fit, the first stands."""
    whole = texts[0]
    for text in texts[1:]:
        whole = grown(whole, text) or whole
    return whole


def _told_english(words: str, _: str) -> TalliedList | None:
    match = _ENGLISH.fullmatch(words)
    if match is None:
        return None
    verb = " ".join(match["verb"].lower().replace("’", "'").split())
    adds = bool(match["after"]) or "also" in match["before"].lower()
    members = _cut(match["members"], _PARTED)
    return TalliedList(f"{match['who'].lower()} {verb}", f"{match['frame']} ", members, "", adds, False)


def _told_chinese(words: str, plain: str) -> TalliedList | None:
    match = _ALLERGIC.fullmatch(plain) or _CHINESE.fullmatch(plain)
    if match is None:
        return None
    tail = words[match.end("members") :]
    key = f"{match['who']} {match['verb']} {tail and '过敏'}"
    head, members = words[: match.start("members")], words[match.start("members") : match.end("members")]
    adds = bool(re.search("也|还|另外|同样", match["before"]))
    return TalliedList(key, head, _cut(members, _PARTED_HAN), tail, adds, True)


def _named_english(words: str, _: str) -> TalliedList | None:
    told, put = _LIST.fullmatch(words), _PUT.fullmatch(words)
    match = told or put
    if match is None:
        return None
    name = " ".join(match["name"].lower().split())
    head = words[: match.start("members")] if told else f"{name.capitalize()}: "
    return TalliedList(name, head, _cut(match["members"], _PARTED), "", put is not None, False)


def _named_chinese(words: str, plain: str) -> TalliedList | None:
    told, put = _LIST_HAN.fullmatch(plain), _PUT_HAN.fullmatch(plain)
    match = told or put
    if match is None:
        return None
    first = "members" if match["members"] else "members2"
    name = match["name"] or match["name2"]
    head = words[: match.start(first)] if told else f"{name}："
    members = _cut(words[match.start(first) : match.end(first)], _PARTED_HAN)
    return TalliedList(name, head, members, "", put is not None, True)


def _cut(members: str, marks: re.Pattern[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(member.strip() for member in marks.split(members) if member.strip()))


def _is_member(member: str) -> bool:
    plain = simplified(member)
    if re.search("[一-鿿]", plain):
        return len(plain) <= _MEMBER_HAN and not _NO_MEMBER_HAN.search(plain)
    return len(plain.split()) <= _MEMBER_WORDS and not _NO_MEMBER.search(plain)


def _folded(member: str) -> str:
    return re.sub(r"^(?:the|a|an|some)\s+", "", simplified(member).casefold())


def _joined(told: TalliedList) -> str:
    *first, last = told.members
    if not first:
        return last
    if told.is_chinese:
        return "、".join(first) + "和" + last
    return ", ".join(first) + (" or " if _DENIED.search(told.head) else " and ") + last
