"""How people commit themselves in English."""

import re

from memory.proactive.commitments.cues import Cue, Cues, Pledge
from memory.proactive.commitments.english_appointments import APPOINTMENTS


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


FICTION = (
    r"\bin\s+(?:the|this|that|a|my)\s+"
    r"(?:novel|book|film|movie|series|show|story|game|play|cartoon|episode|comic|dream)\b"
)
_NOT_DONE = (
    r"(?!(?:(?:finally|just|still|also|really|now)\s+)?(?:be|always|never|not|know|see|say|admit|probably|maybe|perhaps|need|love|miss|laugh|smile|confess|wonder)\b"
    r"|have\b(?!\s+to\b|\s+\w+ed\b|\s.{1,40}?\b(?:ready|booked|done|finished|packed|sent|written|paid|signed)\b))"
)
_ADVERBS = r"(?:\s+(?:also|finally|just|definitely|really|still|certainly|gladly|then|now|first))*"
_MEANS_TO = (
    r"(?:'ll|\s+will|\s+shall|'m\s+(?:going\s+to|gonna)|\s+am\s+going\s+to|'re\s+going\s+to|\s+are\s+going\s+to"
    r"|\s+(?:have|need)\s+to|(?:'m|\s+am)\s+to|'ve\s+(?:got|promised|agreed)\s+to|\s+have\s+(?:got|promised|agreed)\s+to|\s+gotta"
    r"|\s+got\s+to|\s+must|\s+should|\s+ought\s+to|\s+promised(?:\s+(?:my\s+)?\w+){0,2}\s+to|\s+plan\s+to"
    r"|\s+intend\s+to|\s+agreed\s+to|(?:'m|\s+am|'re|\s+are)\s+(?:supposed|planning)\s+to|(?:(?:'ve|\s+have)\s+)?\s*committed\s+to|'d\s+better"
    r"|\s+had\s+better|\s+(?:gave|(?:'ve|have)\s+given)\s+(?:\w+\s+)?my\s+word\s+to|\s+(?:can't|cannot|mustn't|must\s+not|won't)\s+forget\s+to)"
)
_OBLIGED_TO_BE = (
    r"(?:\s+(?:have|need)\s+to|'ve\s+got\s+to|\s+have\s+got\s+to|\s+gotta|\s+got\s+to|\s+must|(?:'m|\s+am|'re|\s+are)\s+supposed\s+to)"
    r"\s+be(?=\s+(?:at|in|there|back|home|on\s+time|out|up|ready|done|finished|with)\b)"
)
_REMINDER = _compiled(
    r"\b(?:re?mi?nd|ping|nudge|alert|notify|poke|prod|buzz|bug|kick|check\s+in\s+with|follow\s+up\s+with|shout\s+at|yell\s+at)\s+(?:me|us)\b(?!\s+(?:of|why|how|what|who|where|which)\b)|\bwake\s+me(?:\s+up)?\b"
    r"|\bi\s+(?:need|want)\s+(?:to\s+be\s+reminded|reminding|a\s+(?:reminder|nudge|ping|wake-?up\s+call|push))\b"
    r"|\b(?:set|create|add|make|schedule)\s+(?:me\s+)?(?:an?\s+|another\s+)?(?:reminder|alarm)\b(?!\s+for\s+(?:the|your|this|every|all)\s+users?\b)"
    r"|\bgive\s+me\s+a\s+(?:nudge|shout|heads[-\s]up|reminder|ping|buzz|poke)\b|\b(?:tell|text|message|write|email|let)\s+me\s+(?:know\s+)?(?=(?:again\s+)?(?:tomorrow|tonight|on|at|in|next|this)\b.*\b(?:to|so|that)\s)"
    r"|\b(?:make\s+sure|see\s+to\s+it)\s+(?:that\s+)?i\s+(?:don't|do\s+not|won't)\s+forget\b(?:\s+about)?"
    r"|^(?:a\s+)?reminder(?=\s+(?:for|to)\b|\s*[:–-])|\b(?:put|add)\b.{1,60}?\b(?:to|on|in|into)\s+my\s+(?:to-?do(?:\s+list)?|list|calendar|agenda|diary)\b"
    r"|\bmind\s+reminding\s+me\b|\bmake\s+sure\s+(?:that\s+)?i\s+(?!don't|do\s+not|won't|know|understand|understood|got|have\s+this)\w"
    r"|^(?:an?\s+)?alarm\s+(?:(?:for|at)\b|(?=\d))|\b(?:send|shoot|drop|give|leave)\s+me\s+an?\s+(?:quick\s+)?(?:reminder|message|text|note|ping|nudge|line|alert)\b|\bmake\s+a\s+note\b|\b(?:note|jot)\s+(?:it\s+|this\s+|that\s+)?down\b|\b(?:block\s+(?:off|out)|pencil\s+me\s+in)\b"
    r"|\b(?:don'?t|do\s+not|never)\s+let\s+me\s+forget\b(?:\s+about)?|\bnote\s+to\s+self\b|\bto-?do\b(?=\s*:)"
    r"|(?:^|(?<=[,;.]\s))(?:please\s+|pls\s+)?(?:remember|don'?t\s+forget)\b(?=\s+to\b|\s*:)"
)
# Of the user's own things these say what has to become of them, on a day as well as by it.
_HANDED_IN = (
    r"(?:handed|turned|submitted|paid|returned|sent|renewed|filed|delivered|signed|finished|done"
    r"|ready|posted|picked|cancel+ed|booked|back)\b"
)
_UNTIL_THEN = _compiled(
    r"\b(?:i|we)(?:\s+only)?\s+have(?:\s+only)?(?:\s+got)?\s+(?=until\b|till\b)|\b(?:i|we)'ve\s+(?:only\s+)?got\s+(?=until\b|till\b)"
)
_AT_THE_END = _compiled(r"\b(?:don'?t|do\s+not)\s+(?:let\s+me\s+)?forget(?:\s+(?:it|that|this))?\s*$")
_KEPT_FROM = _compiled(
    r"\b(?:don'?t|do\s+not|never)\s+let\s+me\s+(?:miss|sleep|oversleep|skip|be\s+late|leave\s+without|eat|drink)\b"
)
_HELD_TO_IT = _compiled(
    r"\b(?:hold\s+me\s+(?:to\s+(?:it|that|this)|accountable)|keep\s+me\s+(?:honest|accountable))\b"
)
_REFUSED_REMINDER = _compiled(
    r"\b(?:said|says|told\s+me|tells\s+me|wrote|writes|asked\s+me)\b[^\w]*(?:please\s+)?$"
    r"|\b(?:don't|do\s+not|never|didn't|did\s+you|no\s+need\s+to|needn't|not|stop|forgot\s+to|he|she|they|who"
    r"|(?<!can )(?<!could )(?<!will )(?<!would )(?<!want )(?<!need )(?<!like )you|how\s+(?:do|can)"
    r"|(?<!you )to|why|(?:will|would)(?!\s+you)|should\s+i|shall\s+i|can\s+i|do\s+i)(?:\s+\w+){0,1}\s*$"
)
_REFUSED_PROMISE = _compiled(
    r"\b(?:if|do|does|did|can|could|would|whether|what|when|why|how|where|time)\s*$|\b(?:say|says|said|wrote|writes|reads)\s*[:,]\s*$"
)
_NEVER = _compiled(r"(?!)")

ENGLISH = Cues(
    of_user=(
        Cue(Pledge.REMINDER, _REMINDER, _REFUSED_REMINDER),
        Cue(Pledge.REMINDER, _KEPT_FROM, _NEVER, tells_all=True),
        Cue(Pledge.REMINDER, _AT_THE_END, _NEVER, tells_all=True),
        Cue(Pledge.DEADLINE, _UNTIL_THEN, _NEVER, is_bound=True),
        Cue(
            Pledge.PROMISE,
            _compiled(rf"\b(?:i|we)(?:\s+still|\s+also|\s+really)?{_MEANS_TO}{_ADVERBS}(?=\s+{_NOT_DONE}\w)"),
            _REFUSED_PROMISE,
        ),
        Cue(Pledge.PROMISE, _compiled(rf"\b(?:i|we)(?:\s+still|\s+also)?{_OBLIGED_TO_BE}"), _REFUSED_PROMISE),
        Cue(Pledge.PROMISE, _HELD_TO_IT, _NEVER),
        Cue(
            Pledge.PROMISE,
            _compiled(
                r"^(?:gonna|(?:still\s+)?(?:have|need|going|got|supposed)\s+to(?:\s+be(?=\s+(?:at|in|there|back|home|out|up|ready|done|finished)\b))?|gotta|must|will(?=\s+(?!it|he|she|they|there|you|we|i|the|this|that|my)\w))\b(?=\s+(?!be\b|know\b)\w)"
            ),
            _NEVER,
        ),
        Cue(
            Pledge.DEADLINE,
            _compiled(
                r"\b(?:my|our|the)\s+(?!(?:train|bus|flight|plane|ferry|taxi|baby)\b)(?:[\w-]+\s+){1,5}?(?:is|are)\s+due\b(?!\s+to\b)"
                r"|\b(?:my|our|the)\s+(?:[\w-]+\s+){0,3}?deadline\b(?=.*\b(?:is|:))|^deadline\b"
                r"|^(?!(?:the\s+)?(?:train|bus|flight|plane|ferry|taxi|baby|it|he|she|they|this|that)\b)(?:[\w'-]+\s+){1,5}?(?:(?:is|are)\s+)?due\b(?!\s+(?:to|diligence|process)\b)"
            ),
            _NEVER,
        ),
        Cue(
            Pledge.PROMISE,
            _compiled(
                r"\b(?:i|we)(?:'ve|\s+have)?\s+promised\s+(?:(?:my|the|our)\s+)?\w+\s+(?=(?:an?|the|my|some)\b)|\bmy\s+(?:job|turn|task|duty)\s+to\b"
                r"|\b(?:i|we)\s+owe\b|\b(?:(?:told|promised)\s+(?:(?:my|the|our)\s+)?\w+|(?:i|we)\s+(?:said|promised|agreed))(?:\s+that)?\s+(?:i|we)(?:'d|\s+would)(?=\s+(?!be\b|never\b|not\b)\w)"
            ),
            _REFUSED_PROMISE,
        ),
        Cue(
            Pledge.DEADLINE,
            _compiled(
                r"\b(?:the|my|our|this)\s+(?:[\w-]+\s+){1,6}?(?:has\s+to|have\s+to|needs?\s+to|must|should)\s+(?:be\s+\w+|go\b|reach\b|arrive\b|get\b)"
            ),
            _NEVER,
            is_limited=True,
        ),
        Cue(
            Pledge.DEADLINE,
            _compiled(
                rf"\b(?:my|our)\s+(?:[\w-]+\s+){{1,6}}?(?:has\s+to|have\s+to|needs?\s+to|must)\s+be\s+{_HANDED_IN}"
            ),
            _NEVER,
        ),
        *APPOINTMENTS,
    ),
    of_assistant=(
        Cue(
            Pledge.ASSISTANT,
            _compiled(
                r"\byou(?:'ll|\s+will)\s+(?:hear\s+(?:back\s+)?from\s+me|(?:get|have|receive)\b.{1,30}\bfrom\s+me\b|have\s+(?:it|the|my|your)|get\s+(?:it|the|my|your))\b|\bexpect\b.{1,30}\bfrom\s+me\b|\byou\s+can\s+expect\s+(?:it|the|my|an?)\b"
            ),
            _REFUSED_PROMISE,
            tells_all=True,
        ),
        Cue(
            Pledge.ASSISTANT,
            _compiled(r"\blet\s+me\s+(?=(?:get\s+back|check|look|come\s+back|remind)\b)"),
            _NEVER,
        ),
        Cue(
            Pledge.ASSISTANT,
            _compiled(
                r"(?:^|(?<=[:!.]\s))(?:reminder|alarm)\s+(?:is\s+|has\s+been\s+)?set\b|\bi(?:'ve|\s+have)\s+(?:set|scheduled|created)\b"
                r"|(?:^|(?<=,\s))will\s+(?=(?:ping|remind|send|check|get\s+back|follow|let\s+you|have|update)\b)"
            ),
            _NEVER,
        ),
        Cue(
            Pledge.ASSISTANT,
            _compiled(
                r"\bi(?:'ll|\s+will)\s+have\s+(?=.{1,40}?\b(?:ready|done|finished|for\s+you|with\s+you|in\s+your\s+inbox)\b)"
            ),
            _REFUSED_PROMISE,
        ),
        Cue(
            Pledge.ASSISTANT,
            _compiled(
                rf"\b(?:i|we)(?:'ll|\s+will|'m\s+going\s+to|\s+am\s+going\s+to|'re\s+going\s+to){_ADVERBS}(?=\s+{_NOT_DONE}\w)"
            ),
            _REFUSED_PROMISE,
        ),
    ),
    task=_compiled(
        r"^(?:please\s+|pls\s+|can\s+you\s+|could\s+you\s+|help\s+me\s+)*(?:translate|paraphrase|rephrase|rewrite|proofread|summari[sz]e|"
        r"draft|compose|correct|fix\s+the|write|explain|analy[sz]e|complete|continue|how\s+do\s+(?:you|i)\s+say|what\s+does)\b"
    ),
    refused=_compiled(
        r"\b(?:if|unless|in\s+case|maybe|perhaps|might|every|each|usually|normally|typically|nobody|no\s+one|originally|let\s+me\s+know)\b|\bi\s+(?:read|heard)\b|\bhad\s+i\b|\bi\s+(?:don'?t|do\s+not)\s+think\b|\bchanged\s+my\s+mind\b|\bi(?:'d|\s+would)\s+have\b"
        rf"|{FICTION}"
    ),
    question=_compiled(
        r"^(?:what|how|why|when|who|which|where|can|could|do|does|did|is|are|was|should|shall|would|will\s+(?:it|he|she|they|you|we|i))\b"
    ),
    request=_compiled(r"\b(?:(?:can|could|will|would)\s+(?:you|u)|please|pls|plz)\b"),
    weary=_compiled(
        r"\b(?:annoy\w*|stop\s+remind\w*|no\s+more\s+remind\w*|keeps?\s+remind\w*|thanks\s+for)\b"
    ),
    lead=_compiled(
        r"^(?:[\s,;:.–—-]+|(?:about|of)\s+(?:it|that|this)\b|(?:to|that|about|and|also|for|on|at|by|again|please|up|then)\b(?=\W|$))+"
    ),
    trail=_compiled(
        r"(?:[\s,;:–—-]+|\b(?:on|at|by|for|in|the|to|before|until|and|please|latest|due|is|so)\b)+$"
    ),
)
