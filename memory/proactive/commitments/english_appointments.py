"""What is ahead of an English speaker and binds: appointments, bookings, meetings moved, duties, expiries."""

import re

from memory.proactive.commitments.cues import Cue, Pledge


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_VISIT = (  # an engagement by its name alone: "dentist on Friday"
    r"(?:appointments?|appt|check-?up|haircut|dentist|doctor|gp|vet|physio|optician|hygienist|scan|mri|x-?ray|surgery"
    r"|blood\s+test|job\s+interview|exam|court\s+hearing)"
)
_EVENT = (
    rf"(?:{_VISIT}|interview|meeting|call|test|therapy|therapist|viewing|inspection|rehearsal|lesson|class|session|demo"
    r"|presentation|stand-?up|sync|1:1|one-on-one|retro|review|hearing|parents?'?\s+evening|school\s+play|shift|reservation"
    r"|lunch|dinner|date|(?:coffee|drinks)(?=\s+with))\b(?!\s+(?:ideas?|recipes?|options?|tips|notes|agenda|menu|plans?|night)\b)"
)
_PAPER = (
    r"(?:applications?|registration|enrol+ment|sign-?up|submissions?|rsvp|passport|visa|permit|licen[cs]e|prescription"
    r"|insurance|warranty|subscription|membership|trial|lease|policy|mot|domain|certificate|early\s+bird\s+(?:tickets|rate))"
)
_WORDS = (
    r"(?:(?!(?:no|any|last|his|her|their|your|every|cancel\w*|if|to"
    r"|about|for|of|whose|who|with|in|at|on|after|before|and)\b)[\w-]+\s+)"
)
_OWN = r"^(?:(?:the|my|our)\s+)?"
_DAY = (
    r"(?:(?:on|at|this|next|coming|the|@)\s+)*(?:@?\d|(?:mon|tue|wed|thu|fri|sat|sun)|today|tonight|tom|tm[rw]|2mo"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
)
_WITH = rf"(?:\s+(?:for|with|at)\s+(?:the\s+)?(?!{_DAY})[\w'-]+(?:\s+(?!{_DAY})[\w'-]+)?)?"
_OVER = r"(?!.*\b(?:was|were|went|cancel+ed|called\s+off)\b)"
_NO_MONTH = r"(?!\s+in\s+(?!\d|an?\b|two|three|four))"  # what ends "in July" is no matter of a day
_MOVED = r"(?:moved|rescheduled|pushed|postponed|shifted|bumped|brought\s+forward|changed)"
_SUPERIOR = (
    r"(?:boss|manager|client|customer|teacher|professor|prof|landlord|landlady|tutor|supervisor|editor|bank|lawyer"
    r"|accountant|hr|school|council|doctor|team\s+lead)"
)
_I_AM = r"\b(?:i'?m|we'?re|i\s+am|we\s+are)\s+"
_ASKED = _compiled(r"\b(?:do|did|does|when|if|whether|what)\s*$")

_HAS = (
    r"(?:\b(?:i|we)\s*(?:'?ve(?:\s+got)?|have(?:\s+got)?|got)|^(?:got|have))\s+"
    rf"(?:(?:an?|my|our|another|the)\s+)?{_WORDS}{{0,3}}?(?:[\w-]+'s\s+)?{_EVENT}{_OVER}"
)
_BOOKED = (
    r"^(?:(?:i|we)(?:'?ve|\s+have)?\s+|(?:i'?m|we'?re)\s+)?(?:just\s+|also\s+|already\s+)?"
    r"(?:booked|reserved|signed\s+up|registered|enrol+ed|(?:got|bought|have)\s+(?:\w+\s+){0,2}tickets?"
    r"|made\s+(?:an?|the)\s+(?:\w+\s+)?(?:appointment|reservation|booking))\b"
)
_WAS_MOVED = (
    rf"{_OWN}{_WORDS}{{0,3}}?{_EVENT}(?:\s+with\s+[\w' ]{{1,30}}?)?\s+(?:(?:is|was|got|has|been|now)\s+)*"
    rf"{_MOVED}\s+(?:back\s+)?to\b(?!.{{3,40}}\b(?:was|were|went)\b)"
)
_THEY_MOVED = (
    r"\b(?:moved|rescheduled|pushed|postponed|shifted|bumped)\s+(?:my|our)\s+"
    rf"{_WORDS}{{0,3}}?{_EVENT}.{{0,20}}\bto\b"
)
_NAMED = rf"{_OWN}{_WORDS}{{0,2}}?{_EVENT}{_WITH}[:,]?\s+(?:is\s+)?{_DAY}{_OVER}"
_NAMED_VISIT = rf"{_OWN}(?:[\w-]+\s+)?{_VISIT}{_WITH}\s+(?:is\s+)?{_DAY}{_OVER}"
_NAMED_LAST = (
    rf"^{_DAY}\w*(?:\s+(?:at\s+)?\d[\w:.]*)?(?:\s+(?:morning|afternoon|evening))?\s*[:,–-]?\s+{_WORDS}{{0,2}}?{_EVENT}"
    + _OVER
)
_MEETS = (
    rf"{_I_AM}(?:meeting|seeing|picking\s+up|dropping\s+off|due|expected"
    r"|(?:taking|driving|bringing)\s+[\w']+(?:\s+[\w']+)?\s+to)\b"
)
_ON_DUTY = (
    rf"(?:{_I_AM}|\b(?:i|we)(?:'ll|\s+will)\s+be\s+)"
    r"(?:on\s+(?:call|duty)|presenting|covering|babysitting|chairing|hosting)\b"
)
_LEAVES = (
    r"^(?:my|our)\s+(?:[\w'-]+\s+){0,3}?"
    r"(?:flight|train|bus|ferry|coach|shuttle)\b.{0,30}?\b(?:is|leaves|departs|boards)\b"
)
_LETS = (
    r"^(?:ok(?:ay)?,?\s+|so\s+)?let'?s\s+"
    r"(?!see|say|not|assume|imagine|pretend|talk|chat|continue|hope|wait|call\s+it|go\s+with|use)\w+"
)
_TAKEN_ON = (
    r"\b(?:i|we)(?:'?ve|\s+have)?\s+"
    r"(?:volunteered|offered|(?:(?:been|was|were)\s+)?(?:asked|told|assigned))\s+to\b"
)
_EXPIRES = (
    r"\b(?:my|our)\s+(?:[\w'-]+\s+){1,4}?(?:expires?|runs?\s+out|lapses?|is\s+up\s+for\s+renewal|comes?\s+due)\b"
    + _NO_MONTH
)
_CLOSES = (
    rf"^(?:the\s+)?{_WORDS}{{0,2}}?{_PAPER}\s+(?:window\s+|period\s+)?(?:expires?|runs?\s+out|closes?|ends?|lapses?|is\s+up)\b"
    + _NO_MONTH
)
_IS_WANTED = (
    rf"^(?:my|our|the)\s+{_SUPERIOR}\s+(?:really\s+)?"
    r"(?:wants|needs|expects|is\s+(?:expecting|waiting\s+for))\s+(?!to\b)"
)
_DUE = r"^due\b(?!\s+(?:to|diligence))"
_NOTED = (
    r"^(?:must\s+|pls\s+|please\s+)?(?:finish|submit|pay|return|renew|hand\s+in|turn\s+in|pick\s+up|sign|mail|post|cancel|file)"
    r"\b(?!\s+(?:in|attention)\b)"
)


def _own(pledge: Pledge, pattern: str, *, is_timed: bool = False) -> Cue:
    return Cue(
        pledge, _compiled(pattern), _ASKED, is_bound=True, is_timed=is_timed, tells_all=True, is_told=True
    )


APPOINTMENTS = (
    _own(Pledge.PROMISE, _HAS),
    _own(Pledge.PROMISE, _BOOKED),
    _own(Pledge.PROMISE, _WAS_MOVED),
    _own(Pledge.PROMISE, _THEY_MOVED),
    _own(Pledge.PROMISE, _NAMED, is_timed=True),
    _own(Pledge.PROMISE, _NAMED_LAST, is_timed=True),
    _own(Pledge.PROMISE, _NAMED_VISIT),
    _own(Pledge.PROMISE, _MEETS, is_timed=True),
    _own(Pledge.PROMISE, _ON_DUTY),
    _own(Pledge.PROMISE, _LEAVES + _OVER, is_timed=True),
    _own(Pledge.PROMISE, _LETS, is_timed=True),
    _own(Pledge.PROMISE, _TAKEN_ON),
    _own(Pledge.DEADLINE, _EXPIRES),
    _own(Pledge.DEADLINE, _CLOSES),
    _own(Pledge.DEADLINE, _IS_WANTED),
    _own(Pledge.DEADLINE, _DUE),
    Cue(Pledge.PROMISE, _compiled(_NOTED), _compiled(r"(?!)"), is_bound=True, is_limited=True),
)
