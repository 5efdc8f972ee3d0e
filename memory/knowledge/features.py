"""A fact's text, parsed once: what it is about, the values it names, the cues of change it carries."""

import functools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from memory.knowledge import named
from memory.knowledge.lexicon import Lexicon, lexicon
from memory.knowledge.quantities import Quantity, quantities, with_digits
from memory.simplified import simplified
from memory.terms import index_terms

MAX_TEXT_CHARS = 600  # longer texts are read up to here; they are messages, not facts
MAX_GIVEN_UP = 6  # a clause that gives up more is noise

_CONTRACTIONS = (
    (re.compile(r"\bcan(?:'t|not)\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"\b(it|he|she|that|what|there|here|who)'s\b"), r"\1 is"),
    (re.compile(r"'s\b|'(?=\s|$)"), ""),
)
_COMMA = re.compile(r"(?<!\d)\s*([,;:])\s*|\s*([,;:])\s*(?!\d)")
_SPACES = re.compile(r"\s+")
_YEAR_NOTE = re.compile(r"\s?[(（](?:19|20)\d\d(?:-\d\d)?[)）]")  # 今年（2026）: when it was said, no value
_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[a-z][a-z0-9.+#_-]*[a-z0-9+#]|[a-z]|\d+|[{_HAN}]|[^\W\d_]+")
_HAN_RUN = re.compile(rf"[{_HAN}]+")
_CLAUSE_END = re.compile(r"[,;:.!?](?=\s|$)|[。；！？，、,;!?]| - ")
_SENTENCE_END = re.compile(r"(?<!\bdr)(?<!\bmr)(?<!\bst)[.!?;](?=\s)|[。！？；]|\n")
_NAME = re.compile(r"[A-Z][\w&+.-]*\w")
_NO_NAME = re.compile(
    r"^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|^i$"
)
_SELF = re.compile(r"^(?:[^a-z]*)?(?:i|we|me|my|our)(?![a-z])|^[^\w]*(?:我|咱|本人)")
_ANY_SELF = re.compile(r"(?<![a-z])(?:i|we|me|my|our)(?![a-z])|我|咱|本人")
_ACTS_ON_THING = re.compile(  # "my friends pushed the dinner to Friday" is about the dinner
    r"\s?(?:has |have |just )?(?:moved|pushed|changed|raised|lowered|cut|postponed|rescheduled|put)"
    r" (?:the|our|my)\b|[把将](?!来)"
)
_DONE_TO_SELF = re.compile(  # "they moved me to the night shift"
    r"\b(?:moved|put|made|promoted|transferred|switched|hired|given|gave) me\b|[给把让调]我"
)
_THIRD = re.compile(r"^(?:he|she|his|her)(?![a-z])|^[他她](?!们)")
_REPORT = re.compile(
    r"^(?:the |my )?[a-z]+ (?:said|says|told (?:me|us))(?: that| to)?|^[^,，]{1,4}(?:说|让|建议)(?=我)"
)
_LEADING = re.compile(r"^(?:我的?|我们的?|咱们?|本人|my |our |the |a |an )+")
_NO_STATEMENT = re.compile(r"[?？]\s*$|吗[。!！]?\s*$|^\s*(?:[\"“「『]|if\b|如果|要是|假如)", re.IGNORECASE)
_OWN_NOUNS = re.compile(  # "my car" says of the speaker what "I drive" does
    r"\b(?:phone|car|home|flat|house|apartment|place|job|salary|(?:hourly |day )?rate|shoe size|weight)\b"
    r"|手机|家(?!长|教|政|具)|房子|工作|工资|月薪|年薪|体重|鞋码"
)
_KNOWN_THING = re.compile(r"\b(?:the|my|our|his|her|their)(?=((?: [a-z][\w-]*){1,3}))")

SELF = "self"
THIRD = "third"


@dataclass(frozen=True, slots=True)
class Claim:
    """One clause: what it is about, and whether it says no."""

    content: frozenset[str]
    is_negated: bool


@dataclass(frozen=True, slots=True)
class Parsed:
    """What the rules ask of a text. Everything here comes from the text alone."""

    folded: str
    tokens: tuple[str, ...]  # what alignment compares: stems, Han characters, typed numbers
    words: tuple[str, ...]  # what it is about, in order: stems and Han bigrams, no light words
    content: frozenset[str]
    subject: frozenset[str]  # the content before the first verb
    owner: str  # self, third, a relative's name for the speaker, "" for a thing or somebody by name
    people: frozenset[str]  # everybody that is named as a relative or the like
    values: Mapping[str, frozenset[str]]  # by kind: typed numbers and members of closed sets
    names: frozenset[str]  # proper names, as stems
    capitals: frozenset[str]  # all capitalised words, as stems: also those that open a sentence
    dropped: frozenset[str]  # the content that the text itself gives up ("replaced X", "不用X了")
    slots: Mapping[str, str]  # by name: the words that fill it
    own_slots: frozenset[str]  # those that it fills for a person: the speaker or a relative
    qualifiers: frozenset[str]  # "work phone", "staging": what makes another thing of the same noun
    sides: Mapping[int, int]  # antonym group: side
    apart: Mapping[int, int]  # the same, of what tells two things apart
    side_words: frozenset[str]
    frame: frozenset[str]  # the content without typed values and opposites: what they are said of
    known: frozenset[str]  # the content that is told as known: "the cleaner", "my phone plan"
    labels: frozenset[str]  # numbers that are names: "task 4", "room 12"
    cues: frozenset[str]
    claims: tuple[Claim, ...]
    is_negated: bool
    is_multi: bool
    is_statement: bool  # no question, no condition, no quotation
    sentences: tuple[frozenset[str], ...]  # the content of each that says something

    @property
    def has_strong_cue(self) -> bool:
        """Whether it says that something changed, ended, or was wrong."""
        return not self.cues.isdisjoint(("change", "beginning", "ending", "correction"))

    @property
    def has_cue(self) -> bool:
        """Whether anything hints at a change."""
        return self.has_strong_cue or "weak" in self.cues

    @property
    def is_past_event(self) -> bool:
        """Whether it tells what happened once and changed nothing that lasts."""
        is_over = not self.cues.isdisjoint(("past", "event")) and "present" not in self.cues
        return is_over and not self.has_strong_cue

    @property
    def numbers(self) -> frozenset[tuple[str, frozenset[str]]]:
        """All values with their kinds, comparable."""
        return frozenset(self.values.items())


# "since Monday (2026-11-16) I work at ...": when it began is no subject
_LEADING_TIME = re.compile(
    r"^(?:since|from|as of|starting(?: on)?)\s+(?:last\s+|next\s+|the\s+)?\w+(?:\s*\([\d -]+\))?\s?,?\s+"
    r"(?=(?:i|we|my|our)\b)"
)


@functools.lru_cache(maxsize=512)
def parse(text: str) -> Parsed:
    """The features of a text; the last ones are remembered: neighbours come again."""
    words = lexicon()
    bare = _YEAR_NOTE.sub("", text[:MAX_TEXT_CHARS])
    shown = simplified(unicodedata.normalize("NFKC", bare).replace("’", "'"))
    folded = _folded(shown)
    numbers = quantities(folded)
    content = tuple(_content(folded, numbers, words))
    told = _LEADING_TIME.sub("", folded)
    head = _head(told, words)
    owner = _owner(told, words)
    slots = dict(_slots(folded, words))
    frame = named.in_one_word(named.without_values(_masked(folded, numbers), words), words)
    return Parsed(
        folded=folded,
        tokens=tuple(_tokens(folded, numbers, words)),
        words=content,
        content=frozenset(content),
        subject=frozenset(_content(head, quantities(head), words)),
        owner=owner,
        people=frozenset(match.lastgroup or "" for match in words.owners.finditer(folded)),
        values=MappingProxyType(named.values(folded, numbers, words)),
        names=frozenset(_names(shown)) - frozenset(map(_stem, named.value_words(folded, words))),
        capitals=frozenset(_stem(match.group().lower()) for match in _NAME.finditer(shown)),
        dropped=frozenset(_dropped(folded, words)),
        slots=MappingProxyType({name: match.group() for name, match in slots.items()}),
        own_slots=frozenset(_own_slots(slots, folded, head, words)),
        qualifiers=frozenset(
            match.group().replace("my ", "the ") for match in words.qualifiers.finditer(folded)
        ),
        sides=MappingProxyType(named.sides(folded, words.antonyms, words.any_side)),
        apart=MappingProxyType(named.sides(folded, words.apart, words.any_apart)),
        side_words=frozenset(map(_stem, named.side_words(folded, words))),
        frame=frozenset(_content(frame, [], words)),
        known=frozenset(_known(told, words)),
        labels=frozenset(named.labels(folded, numbers, words)),
        cues=frozenset(
            name
            for name, pattern in words.cues.items()
            if pattern.search(told if told == folded else f"now {told}")
        ),
        claims=tuple(_claims(folded, words)),
        is_negated=_is_negated(folded, words),
        is_multi=words.multi.search(folded) is not None,
        is_statement=_NO_STATEMENT.search(shown) is None,
        sentences=tuple(_sentences(folded, words)),
    )


def _folded(text: str) -> str:
    folded = text.lower()
    for pattern, spelled in _CONTRACTIONS:
        folded = pattern.sub(spelled, folded)
    folded = _COMMA.sub(lambda match: f" {match[1] or match[2]} ", folded)
    return with_digits(_SPACES.sub(" ", folded).strip())


def _stem(word: str) -> str:
    return next(iter(index_terms(word)), word)


def _masked(text: str, numbers: list[Quantity]) -> str:
    """The text with blanks for its numbers."""
    for number in numbers:
        text = text[: number.start] + " " * (number.end - number.start) + text[number.end :]
    return text


def _tokens(folded: str, numbers: list[Quantity], words: Lexicon) -> list[str]:
    placed = [(number.start, f"{number.kind}={number.value}") for number in numbers]
    matches = _WORD.finditer(_masked(folded, numbers))
    placed += [
        (match.start(), _stem(match.group())) for match in matches if match.group() not in words.fillers
    ]
    return [token for _, token in sorted(placed)]


def _content(folded: str, numbers: list[Quantity], words: Lexicon) -> Iterator[str]:
    """Stems of the English content words and bigrams of Han runs between light words, in order."""
    text = _masked(folded, numbers)
    text = words.light_han.sub(lambda match: " " if match[1] else f" {match.group()} ", text)
    for match in re.finditer(rf"[{_HAN}]+|[a-z][a-z0-9.+#_@-]*", text):
        run = match.group()
        if _HAN_RUN.match(run):
            yield from ([run[at : at + 2] for at in range(len(run) - 1)] or [run])
        elif (word := run.rstrip(".-")) not in words.light_words:
            yield _stem(word)


def _head(folded: str, words: Lexicon) -> str:
    """What stands before the first verb or number: the subject, if the sentence names one."""
    clause = _REPORT.sub("", _without_opening(folded, words)).strip()
    if _HAN_RUN.search(clause):
        verb = words.verbs_han.search(clause, 1)
        return clause[: verb.start()] if verb else ""
    for match in _WORD.finditer(clause):
        if match.group() in words.verbs or match.group().isdigit():
            return clause[: match.start()]
    return re.split(r" : ", clause)[0] if " : " in clause else ""


def _without_opening(folded: str, words: Lexicon) -> str:
    """The first clause that is more than an opening such as "No, that's wrong -"."""
    clauses = [clause for clause in _CLAUSE_END.split(folded) if clause and clause.strip()]
    for clause in clauses:
        rest = words.cues["correction"].sub("", clause)
        if any(True for _ in _content(rest, [], words)) or _ANY_SELF.search(rest):
            return rest.strip()
    return folded


def _owner(folded: str, words: Lexicon) -> str:
    clause = _REPORT.sub("", _without_opening(folded, words)).strip()
    bare = _LEADING.sub("", clause)
    found = words.owners.match(bare)
    if found and _ACTS_ON_THING.match(bare[found.end() :]):
        return ""
    if found and found.lastgroup:
        return found.lastgroup
    if _SELF.match(clause) or _DONE_TO_SELF.search(clause):
        return SELF
    return THIRD if _THIRD.match(clause) else ""


def _slots(folded: str, words: Lexicon) -> Iterator[tuple[str, re.Match[str]]]:
    for name, slot in words.slots.items():
        if match := slot.pattern.search(folded):
            yield name, match


def _own_slots(slots: Mapping[str, re.Match[str]], folded: str, head: str, words: Lexicon) -> Iterator[str]:
    """Personal slots of a sentence about a person: no other subject ("the deadline moved") stands before."""
    head_end = folded.find(head) + len(head)
    is_told_of_self = _DONE_TO_SELF.search(folded) is not None
    has_subject = not is_told_of_self and any(
        True for _ in _content(_OWN_NOUNS.sub(" ", words.owners.sub(" ", head)), quantities(head), words)
    )
    for name, match in slots.items():
        if words.slots[name].is_personal and (not has_subject or match.start() < head_end):
            yield name


def _names(shown: str) -> Iterator[str]:
    """Capitalised words that do not open a sentence, and every Latin word inside Chinese."""
    is_han = _HAN_RUN.search(shown) is not None
    for match in _NAME.finditer(shown):
        opens = re.search(r"(?:^|[.!?:]\s+)$", shown[: match.start()])
        folded = match.group().lower()
        if (is_han or not opens) and not _NO_NAME.match(folded):
            yield _stem(folded)


def _dropped(folded: str, words: Lexicon) -> Iterator[str]:
    for clause in _CLAUSE_END.split(folded):
        for part in _given_up(clause or "", words):
            yield from _content(part, quantities(part), words)
            yield from (f"{number.kind}={number.value}" for number in quantities(part))


def _given_up(clause: str, words: Lexicon) -> Iterator[str]:
    for match in islice(words.dropped.after.finditer(clause), MAX_GIVEN_UP):
        yield words.dropped.stop.split(clause[match.end() :], maxsplit=1)[0]
    for match in islice(words.dropped.before.finditer(clause), MAX_GIVEN_UP):
        yield clause[: match.start()]
        yield match.group()


def _known(told: str, words: Lexicon) -> Iterator[str]:
    for match in _KNOWN_THING.finditer(told):  # one in another: "the date of my wedding"
        yield from _content(match[1], quantities(match[1]), words)


def clauses(folded: str) -> list[str]:
    """A folded text cut at its commas and stops."""
    return [clause for clause in _CLAUSE_END.split(folded) if clause and clause.strip()]


def _sentences(folded: str, words: Lexicon) -> Iterator[frozenset[str]]:
    for part in _SENTENCE_END.split(folded):
        if content := frozenset(_content(part, quantities(part), words)):
            yield content


def _claims(folded: str, words: Lexicon) -> Iterator[Claim]:
    for clause in _CLAUSE_END.split(words.contrast.sub(" ", folded)):
        if content := frozenset(_content(clause or "", quantities(clause or ""), words)):
            yield Claim(content, _is_negated(clause, words))


def _is_negated(folded: str, words: Lexicon) -> bool:
    rest = words.contrast.sub(" ", folded)
    rest = words.cues["correction"].sub(" ", rest)
    dislikes = words.dislike.search(rest) is not None
    rest = words.dislike.sub(" ", rest)
    return dislikes != (words.negation.search(rest) is not None)
