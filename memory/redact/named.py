"""Secrets known by the name in front of them: `password=...`, `"api_key": ...`, `FOO_TOKEN=...`."""

import re
from collections.abc import Iterator

from memory.redact.shapes import Secret

_NAME = r"[A-Za-z_][A-Za-z0-9_.-]{0,100}"
_ASSIGNMENT = re.compile(
    rf"(?<![A-Za-z0-9_.-])(?P<name>(?:[A-Za-z]{{2,12}}[ ])?{_NAME})"
    r"(?P<separator>\\?[\"'`]?\]?[ \t]{0,3}(?::=|=>|==?|[:：＝])[ \t]{0,3})"
    r"(?:(?i:bearer|basic|token|digest)[ \t]{1,3})?"
)
_SIGNS = (":", "=", "：", "＝")  # one of them is in every assignment
_QUOTED = re.compile(
    r"\\\"(?P<escaped>[^\"\\\n]{1,2000})\\\"|\"(?P<double>(?:[^\"\\\n]|\\[^\n]){1,2000})\""
    r"|'(?P<single>[^'\n]{1,2000})'|`(?P<tick>[^`\n]{1,2000})`"
    r"|“(?P<curly>[^”\n]{1,200})”|「(?P<corner>[^」\n]{1,200})」"
)
_BARE = re.compile(r"(?:(?!&\w{1,40}=|\\[\"nr])[^\s\"'`<>，。；、！？）」”])+")

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_KINDS = (
    ("password", re.compile(r"(?:password|passwd|passphrase|passcode|passwort)s?\d?\Z")),
    (
        "api_key",
        re.compile(r"(?:api|access|secret|account|storage|master|license)keys?\Z|(?:api|app)secret\Z"),
    ),
    ("private_key", re.compile(r"(?:private|signing|encryption|ssh)key(?:id)?\Z|mnemonic\Z|seedphrase\Z")),
    (
        "token",
        re.compile(r"(?:auth|access|refresh|bot|bearer|session|api|id|personal|deploy)token\Z|authkey\Z"),
    ),
    ("secret", re.compile(r"(?:client|shared|webhook|consumer|jwt|signing|oauth)secret\Z")),
    ("authorization", re.compile(r"authorization\Z")),
    ("password", re.compile(r"密码\Z|密碼\Z|口令\Z")),
)
_SHORT_KINDS = {"pwd": "password", "pw": "password", "pin": "pin", "cvv": "pin", "cvc": "pin", "otp": "pin"}
# These words also name harmless things: their values must look random.
_VAGUE_KINDS = {
    "token": "token",
    "secret": "secret",
    "key": "api_key",
    "pass": "password",
    "credential": "secret",
    "credentials": "secret",
}
_HARMLESS_NAME = re.compile(
    r"public|pub|primary|foreign|sort|cache|event|idempotency|partition|host|page|next|session|max|min"
)
_PLACEHOLDER = re.compile(
    r"(?i)(?:none|null|nil|true|false|undefined|required|optional|string|str|text|bytes|int|integer|any|todo|tbd"
    r"|(?:[a-z]{1,20}_){1,4}(?:password|token|key|secret)|n/?a|x{3,}|\*{3,}|\.{3,}|(?:your|my|the|an?)[_-].*|example|placeholder|redacted|hidden)\Z"
    r"|[$%<{]|os\.|process\.|env[.(]|config\.|settings\.|self\.|args\.|getenv|(?:bearer|basic) [$<{]"
    r"|[a-z_]{1,40}(?:\.[a-z_]{1,40}){0,4}[(\[]"
)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_CLAUSE_END = re.compile(r"[ \t]{0,8}(?:[.,;:!?)\]}\n，。；！？）]|\Z)")
_SENTENCE_MARKS = ".,;:?)]}"
_MAX_JUDGED_CHARS = 200

ALGORITHM = re.compile(
    r"(?i)(?:md5|sha-?(?:1|256|512)|base64|b?crypt|aes-?(?:128|256)|argon2\w?|utf-?8|1password|oauth2?|totp|8-char)\Z"
)
# What people say about a password instead of the password itself.
_SAID_ABOUT = re.compile(
    r"(?:wrong|correct|incorrect|right|weak|strong|expired|required|secret|safe|secure|unknown|missing|invalid"
    r"|valid|empty|blank|long|short|old|new|same|different|needed|important|ok|okay|fine|good|bad|ready|gone"
    r"|lost|forgotten|forgot|it|that|this|here|there|below|above|mine|yours|case-sensitive|not|no|yes|none"
    r"|what|which|optional|private|public|confidential|unique|simple|easy|hard|broken|better|terrible|awful"
    r"|great|everything|nothing|an?|the|in|on|at|to|my|your|too|very|so|only|also|see|ask|please|one|case"
    r"|mandatory|enough|useless|complicated|plain|plaintext|known|written|kept|soon|again|anymore|then|now"
    r"|[a-z]+(?:ed|ing))\Z"
)


def kind_of_name(name: str) -> str | None:
    """What kind of secret a variable, header or JSON key of this name holds; None for no secret."""
    words = _words(name)
    return _plain_kind(name, words) or _vague_kind(words)


def is_secret_value(name: str, value: str) -> bool:
    """Whether the value under a secret's name is the secret itself: no placeholder, no code, no path.

    Under a vague name such as `token` or `key` it must look random too.
    """
    if len(value) < 3 or _PLACEHOLDER.match(value) or value[0] in "/~":
        return False
    words = _words(name)
    kind = None if _plain_kind(name, words) else _vague_kind(words)
    return kind is None or _looks_random(value, 16 if kind == "api_key" else 6)


def quoted_span(text: str, at: int) -> tuple[int, int] | None:
    """What stands between the quotation marks that open at `at`."""
    quoted = _QUOTED.match(text, at)
    return quoted.span(quoted.lastgroup or 0) if quoted else None


class Values:
    """Reads the values of one text from left to right. A long run is read once, however often it is met."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._run_end = self._value_end = 0

    def span(self, at: int) -> tuple[int, int]:
        """The quoted text at `at`, or the run up to white space, without the sentence's punctuation."""
        quoted = quoted_span(self._text, at)
        if quoted:
            return quoted
        if at >= self._run_end:
            run = _BARE.match(self._text, at)
            self._run_end = run.end() if run else at
            self._value_end = at + len(run[0].rstrip(_SENTENCE_MARKS)) if run else at
        return at, max(at, self._value_end)


def sounds_secret(text: str, start: int, end: int) -> bool:
    """Whether a bare value reads like a password and not like the next word of the sentence."""
    value = text[start : min(end, start + _MAX_JUDGED_CHARS)]
    if ALGORITHM.match(value):
        return False
    if re.search(r"[^A-Za-z'’-]|[a-z][A-Z]", value):
        return len(value) > 3
    return _CLAUSE_END.match(text, end) is not None and not _SAID_ABOUT.match(value.lower())


def find_named(text: str) -> Iterator[Secret]:
    """The secrets that are assigned to a name. Linear in the text's length."""
    if not any(sign in text for sign in _SIGNS):
        return
    values = Values(text)
    for match in _ASSIGNMENT.finditer(text):
        kind = kind_of_name(match["name"])
        if kind is None:
            continue
        start, end = values.span(match.end())
        is_prose = match["separator"].strip(" \t\"'`\\]") in ":：" and start == match.end()
        if is_secret_at(text, start, end, match["name"]) and (
            not is_prose or sounds_secret(text, start, end)
        ):
            yield Secret(kind, start, end)


def is_secret_at(text: str, start: int, end: int, name: str) -> bool:
    """`is_secret_value` for a stretch of a text, of which the beginning is enough."""
    return is_secret_value(name, text[start : min(end, start + _MAX_JUDGED_CHARS)])


def _words(name: str) -> list[str]:
    """`OPENAI_API_KEY` and `openaiApiKey` are openai, api, key."""
    return [word.lower() for word in _WORD.findall(name)]


def _plain_kind(name: str, words: list[str]) -> str | None:
    joined = "".join(words) or name
    by_ending = next((kind for kind, ending in _KINDS if ending.search(joined)), None)
    return by_ending or (_SHORT_KINDS.get(words[-1]) if words else None)


def _vague_kind(words: list[str]) -> str | None:
    if not words or any(_HARMLESS_NAME.fullmatch(word) for word in words):
        return None
    return _VAGUE_KINDS.get(words[-1])


def _looks_random(value: str, min_chars: int) -> bool:
    if _UUID.fullmatch(value) or not value.isascii():
        return False
    is_mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return (is_mixed and len(value) >= min_chars) or (len(value) >= 20 and not re.search(r"[-/ ]", value))
