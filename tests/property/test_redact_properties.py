"""Laws of masking, whatever is pasted around a secret."""

import json
import re
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from memory.envelope import clean
from memory.redact import redact, redact_json

MIX = "aB3dE5gH7jK9mN1pQ4sT6vX8zC2wR0yU"
SECRETS = [
    "sk-" + MIX,
    "sk-ant-" + MIX,
    "AKIA" + "ABCD2345EFGH67IJ",
    "ghp_" + MIX + MIX[:4],
    "xoxb-" + MIX,
    "AIza" + MIX + MIX[:3],
    "npm_" + MIX + MIX[:4],
    "hf_" + MIX,
    "glpat-" + MIX,
    "1234567890:" + "AA" + MIX + "x",
    "eyJ" + MIX + ".eyJ" + MIX + "." + MIX,
]
PIECES = [
    *SECRETS,
    "password=",
    "password: ",
    "the wifi password is ",
    "my pin is ",
    "密码是",
    "密码：",
    "验证码",
    "口令：",
    "FOO_TOKEN=",
    '"api_key": "',
    "Authorization: Bearer ",
    "https://user:",
    "@example.com",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "MIIE" + MIX * 2,
    "4111 1111 1111 1111",
    "[redacted:password]",
    "[redacted:",
    "]",
    '"',
    "'",
    "\\",
    "\n",
    " ",
    ".",
    "1234",
    "word",
    "茶",
    "_",
    "-",
]
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=15).map("".join),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["password", "token", "text", "pin", "a"]), inner, max_size=4),
    ),
    max_leaves=12,
)


@given(TEXTS)
def test_masking_twice_is_masking_once(text: str) -> None:
    """A masked text has nothing left to mask."""
    masked = redact(text).text
    assert redact(masked).text == masked
    assert redact(masked).found == ()


@given(TEXTS, st.sampled_from(SECRETS), TEXTS)
def test_a_secret_is_found_in_any_company(before: str, secret: str, after: str) -> None:
    """No text around a secret, parted from it by a blank, hides it."""
    assume(secret not in before + after)  # glued to a letter it is no key of that shape
    assert secret not in redact(f"{before} {secret} {after}").text


@given(TEXTS)
def test_what_was_masked_is_what_is_named(text: str) -> None:
    """Nothing found means nothing changed, and the other way round."""
    masked = redact(text)
    assert bool(masked.found) == (masked.text != text)


@given(TEXTS)
def test_cleaning_and_masking_settle(text: str) -> None:
    """Clean, then mask: the masks stay whole, and doing both again masks nothing new away."""
    masked = redact(clean(text)).text
    assert len(re.findall(r"\[redacted:[a-z_]+\]", clean(masked))) == len(
        re.findall(r"\[redacted:[a-z_]+\]", masked)
    )


@given(st.from_regex(r"[a-z]{2,8}( [a-z]{2,8}){0,12}", fullmatch=True).filter(lambda s: "pass" not in s))
def test_plain_lower_case_words_are_never_masked(words: str) -> None:
    """Prose without digits, signs and secret names stays."""
    if not re.search(r"pw|pin|secret|token|key|phrase|words", words):
        assert redact(words).text == words


def shape(value: Any) -> Any:
    """The skeleton of a JSON value: lengths, keys and where scalars stand."""
    if isinstance(value, list):
        return [shape(part) for part in value]
    return {key: shape(part) for key, part in value.items()} if isinstance(value, dict) else "scalar"


@given(JSON)
def test_masked_json_keeps_its_shape(value: Any) -> None:
    """Masking replaces leaves only, once and for all, and the result is still JSON."""
    masked = redact_json(value)
    assert shape(masked) == shape(value)
    assert redact_json(masked) == masked
    json.dumps(masked)
