"""How people leave something open in English."""

import re
from typing import Final


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_OPENING = (
    r"(?:^|(?<=[,;:]\s)|\b(?:and|but|so|because|though|although|since)\s+"
    r"|^(?:also|honestly|hmm+|ugh|well|ok(?:ay)?),?\s+)"
)
_SELF = rf"(?:\b(?:i|we)\s+|\b(?:i|we)'(?=ve|m|re)|{_OPENING})"
_AM = r"(?:(?:am|are|m|re)\s+)?"
_ASKED = r"(?=\s+(?:whether|if|which|what|how|where|when|why|who|between)\b)"
_SETTLE = r"(?:decide|figure\s+out|work\s+out|make\s+up\s+(?:my|our)\s+minds?|choose|settle|agree|sort\s+out)"
_SETTLED = (
    r"(?:decided|figured\s+out|worked\s+out|made\s+up\s+(?:my|our)\s+minds?|chosen|settled|agreed"
    r"|come\s+to\s+a\s+decision|reached\s+a\s+decision|sorted\s+out)"
)
_OWN_CHOICE = (
    r"(?=\s+(?:(?:about\s+)?(?:whether|if)\s+(?:to\b|(?:i|we)\s+(?:should|want|need|ought|can\s+afford)\b)"
    r"|which\b|between\b|(?:what|where|when|who)\s+to\b))"
)
_UNSURE = r"(?:not\s+(?:really\s+|quite\s+)?sure|unsure|not\s+certain)(?:\s+yet)?"
_TORN = r"(?:torn|undecided|on\s+the\s+fence|in\s+two\s+minds)(?=\s+(?:between|about|on|whether)\b)"
_PLANNED = (
    r"(?=\s+(?:whether|if|which|where|when|who|how)\s+(?:\w+\s+)?"
    r"(?:i|we)(?:'ll|'d|\s+(?:should|will|want|can|shall|could))\b)"
)
_OURS = (
    r"(?=,?\s+(?:whether|who|which|where|when|how)\s+"
    r"(?:to\b|(?:\w+\s+)?(?:we|i)\b|will\b|gets\b|pays\b|takes\b))"
)
_MINDS = r"make\s+up\s+(?:my|our)\s+minds?"
_THINKS = (
    r"(?:debating|deliberating|weighing(?:\s+up)?|mulling(?:\s+over)?|pondering|arguing\s+about|discussing"
    r"|thinking\s+about)"
)
# The matter follows these.
_LEADS: Final = tuple(
    _compiled(pattern)
    for pattern in (
        rf"{_SELF}(?:have\s+not|haven't|ve\s+not|ve\s+still\s+not|still\s+haven't)(?:\s+(?:yet|really|quite|fully))*\s+{_SETTLED}\b",
        (
            rf"{_SELF}(?:still\s+(?:need|have|got)\s+to|ve\s+still\s+got\s+to|have\s+yet\s+to|should\s+(?:soon\s+)?)\s*{_SETTLE}"
            rf"(?:\s+(?:at\s+some\s+point|some\s+day|soon|one\s+day))?\b"
        ),
        rf"{_SELF}(?:need|have)\s+to\s+decide{_ASKED}",
        rf"{_SELF}{_AM}(?:still\s+)?{_UNSURE}{_OWN_CHOICE}",
        rf"{_SELF}{_AM}(?:still\s+)?(?:not\s+sure|unsure)\s+(?=what\s+to\s+do\s+(?:about|with)\b)",
        rf"{_SELF}{_AM}(?:still\s+)?(?:{_TORN}|wavering(?=\s+between\b))",
        rf"{_SELF}{_AM}still\s+{_THINKS}(?=\s+(?:about\s+)?(?:whether|which|where|who)\b)",
        rf"{_SELF}(?:keep|kept|{_AM}still)\s+wondering(?=\s+(?:whether|if|which)\s+(?:to\b|(?:i|we)\b))",
        rf"{_SELF}(?:still\s+)?(?:can't|cannot|can\s+not|couldn't)\s+(?:decide{_ASKED}|{_MINDS}(?=\s+(?:about|on|whether|which|between)\b)|agree\s+on\b)",
        rf"{_SELF}(?:{_AM}going|keep\s+going|go|went)\s+back\s+and\s+forth\s+(?:on|about|between)\b",
        rf"{_SELF}never\s+(?:really\s+)?(?:agreed|settled|decided)\s+(?:on|about)\b",
        rf"{_SELF}(?:left|are\s+leaving|ve\s+left)\s+(?:it\s+)?open{_ASKED}",
        rf"{_SELF}(?:postponed|put\s+off|parked|shelved|deferred)\s+the\s+(?:decision|question|matter)\s+(?:about|on|of)\b",
        r"\b(?:let's|we\s+(?:can|should|could)|we'll)\s+(?:come\s+back\s+to|revisit|park|table)\b(?!\s+(?:it|this|that)\b)",
        rf"{_SELF}(?:(?:need|have|want)\s+to|'ll\s+have\s+to|ll\s+have\s+to)\s+think\s+(?:about|over|through)(?=\s+(?:whether|which|if)\b)",
        r"\blet\s+me\s+sleep\s+on\b",
        rf"{_SELF}still\s+(?:do\s+not|don't)\s+know(?:{_OWN_CHOICE}|{_PLANNED})",
        rf"{_SELF}(?:do\s+not|don't)\s+know\s+yet(?:{_OWN_CHOICE}|{_PLANNED})",
        rf"{_OPENING}(?:still\s+)?no\s+idea(?:\s+yet)?(?:{_OWN_CHOICE}|{_PLANNED})",
        r"^(?:(?:and|but|so)\s+)?(?:now\s+)?the\s+(?:open\s+|big\s+|only\s+)?question\s+(?:now\s+)?(?:is|remains)(?=,?\s+(?:whether|which|who|where|when)\b)",
        rf"\b(?:it\s+remains|it's|it\s+is|is)\s+(?:still\s+|not\s+yet\s+)?(?:to\s+be\s+seen|open|unclear|undecided|clear|decided){_OURS}",
        r"^(?:still\s+)?(?:remains\s+)?to\s+be\s+decided\s*:",
        r"\bone\s+(?:thing|question|point)\s+(?:that\s+)?(?:we|i)\s+still\s+have\s+to\s+(?:decide|settle|sort\s+out)\s+is\b",
        r"\bjury(?:'s|\s+is)\s+(?:still\s+)?out\s+on\b",
    )
)
# The matter stands before these.
_TRAILS: Final = tuple(
    _compiled(pattern)
    for pattern in (
        (
            r"^(?P<about>(?:whether|which|where|who|the|our|my)\s+.{2,80}?)\s+(?:is|are|remains)\s+(?:still\s+)?(?:tbd\b|to\s+be\s+decided"
            r"|undecided|up\s+in\s+the\s+air|unresolved|not\s+(?:yet\s+)?(?:decided|settled)|an\s+open\s+question|open\s+for\s+now)"
        ),
        r"^(?P<about>(?:whether|who|which|where|when)\s+(?:\w+\s+)?(?:we|i|will|gets|pays|takes)\b.{2,80}?)\s+(?:is|remains)\s+(?:still\s+)?(?:open|unclear)\b",
    )
)
_END = _compiled(
    r"[,;]|\s[-–—]+\s|\b(?:because|since|but|so)\b|\s(?:yet|later|for\s+now|another\s+(?:day|time)|at\s+the\s+moment)\b|$"
)
_JOINT = _compiled(r"^(?:\s|:|,|\b(?:yet|on|about)\b)+")
_POINTS_BACK = _compiled(r"^(?:it|this|that|these|those|them|things?|anything|everything)\b(?=\s*$)")

DECIDED: Final = _compiled(
    r"\b(?:i|we)(?:'ve|\s+have)?\s+(?:finally\s+|just\s+)?(?:decided|chose|chosen|picked|settled|agreed|figured\s+(?:it\s+)?out|found\s+out)\b"
    r"|\b(?:i'm|we're|i\s+am|we\s+are)\s+(?:going|sticking)\s+(?:with|for)\b|\b(?:i|we)(?:'ll|\s+will)\s+(?:go|stick)\s+(?:with|for)\b"
    r"|\blet's\s+(?:go|stick)\s+with\b|\bmade\s+up\s+(?:my|our)\s+minds?\b|^(?:ok(?:ay)?,?\s+)?decided\b|^decision\b"
    r"|\b(?:i|we)(?:'ll|\s+will|'m\s+going\s+to|\s+am\s+going\s+to|'re\s+going\s+to|'ve|\s+have)\s+(?:just\s+|now\s+|not\s+)*\w+"
    r"|\b(?:i|we)\s+(?:signed|renewed|bought|booked|cancelled|canceled|accepted|declined|rejected|ordered|took|went\s+with|quit|sold|won't)\b"
    r"|\b(?:i|we)\s+(?:just\s+|then\s+)+(?:did|went|bought|took)\b|\bin\s+the\s+end\b|\bsaid\s+(?:yes|no)\s+to\b"
    r"|(?:^|\b(?:i|we)\s+)(?:just\s+|finally\s+)?(?:turned\s+down|took|declined|signed|booked|renewed|accepted|rejected|cancel+ed|sold|adopted)\b"
    r"|(?:\b(?:is|are|was|were)|'s)\s+(?:now\s+|all\s+)?(?:settled|decided|renewed|signed|booked|cancel+ed|sold|confirmed)\b"
    r"|\b(?:i'm|we're|i\s+am|we\s+are)\s+(?:now\s+|not\s+)?(?!going\b|thinking|wondering|considering|debating|discussing|weighing|leaning|wavering)\w+ing\b"
    r"|\b(?:i'm|we're)\s+not\s+going\s+to\b|\bnever\s*mind\b|\bno\s+longer\s+(?:matters|an\s+issue|relevant)\b"
)
REFUSED: Final = _compiled(
    r"\b(?:if|unless|until|once|when)\s+(?:i|we)\s+(?:still\s+)?(?:haven't|have\s+not|can't|decide)|\bin\s+case\b|\bwhile\s+(?:i|we)\s+decide\b"
    r"|\b(?:he|she|they|says?|said|told|asked|asks|wrote)\b.{0,12}$|\b(?:said|says|told\s+me|wrote)\b"
)
TRIVIAL: Final = _compiled(
    r"\b(?:to|i|we|i'll|we'll|should)\s+(?:eat|watch|wear|drink|cook|order|play|listen|laugh|cry|nap|sleep|snack)\b"
    r"|\b(?:lunch|dinner|breakfast|brunch|movie|film|song|playlist|pizza|umbrella|tonight|today|this\s+(?:morning|afternoon|evening))\b"
    r"|\bto\s+(?:say|do|think|feel|call\s+it)\s*$|^(?:what|how|if)\s+(?:i|to|this|that|it|you)\b(?!\s+(?:should|want|need))(?=.{0,12}$)"
)
ASKS_FACT: Final = re.compile(
    r"(?:how|why|(?:what|where|when|who|which)(?!\s+(?:to\b|(?:\w+\s+){1,3}?to\b|will\b)))\b", re.IGNORECASE
)


def about(sentence: str) -> str:
    """What the sentence leaves open; "" for nothing that it names."""
    found = next((match for lead in _LEADS if (match := lead.search(sentence))), None)
    if found is None:
        trailing = next((match for trail in _TRAILS if (match := trail.search(sentence))), None)
        return trailing["about"] if trailing else ""
    rest = _JOINT.sub("", sentence[found.end() :])
    end = _END.search(rest)
    words = rest[: end.start()] if end else rest
    if end and DECIDED.search(rest, end.start()):
        return ""
    return "" if _POINTS_BACK.match(words.strip()) else words
