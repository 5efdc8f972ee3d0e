"""Laws of cleaning and hashing, whatever a channel or an attacker sends."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memory.envelope import BLOCK_CLOSE, BLOCK_OPEN, clean, sender_of
from memory.render import clean_line
from memory.turns import content_hash, plain_text, skip_reason

REASONS = {"heartbeat", "cron", "flush", "session_event", "silent_reply", "command", "empty", "internal"}

PIECES = [
    BLOCK_OPEN,
    BLOCK_OPEN + ">",
    BLOCK_CLOSE,
    "<relevant-memories>",
    "</relevant-memories>",
    "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>",
    "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>",
    "Sender (untrusted metadata):\n",
    "Sender: ⟦openclaw:ctx⟧\n",
    '```json\n{"name": "Mia"}\n```\n',
    "```",
    "[Mon 2026-11-30 07:56 UTC] ",
    "[Telegram Mia id:1 2026-11-30 07:56 UTC] ",
    "System: [2026-03-01 17:30:18 GMT+9] done",
    "[[reply_to:",
    "[[reply_to_current]]",
    "]]",
    "[message_id: 1]",
    "[from: Mia]",
    "[Chat messages since your last reply - for context]",
    "[Current message - respond to this]",
    "[Replying to Mia]",
    "[/Replying]",
    "Runtime: agent=main | x",
    "---\nQueued #1",
    "<media:image>",
    "\n",
    "\n\n",
    " ",
    "tea",
    "茶",
    "/new",
    "HEARTBEAT_OK",
    "\x00",
    "\x1b[1m",
    "\ud800",
    "\r",
]
TEXTS = st.one_of(
    st.text(alphabet=st.characters(), max_size=200),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=25).map("".join),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["type", "text", "content", "x"]), inner, max_size=4),
    ),
    max_leaves=12,
)


@given(TEXTS)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    """A cleaned text has nothing left to clean."""
    assert clean(clean(text)) == clean(text)


@given(TEXTS)
def test_a_cleaned_text_can_be_stored(text: str) -> None:
    """No NUL and no lone surrogate reaches the database, and no complete recalled block."""
    cleaned = clean(text)
    cleaned.encode()
    assert "\x00" not in cleaned
    assert BLOCK_CLOSE not in cleaned


@given(st.text(alphabet="abcdefg 茶水明天.,!?", max_size=80), TEXTS)
def test_a_recalled_block_around_words_changes_nothing(words: str, recalled: str) -> None:
    """Whatever memud recalls, its own block never comes back as somebody's words."""
    shown = clean_line(recalled)
    assert clean(f"{BLOCK_OPEN}>\n{shown}\n{BLOCK_CLOSE}\n\n{words}") == clean(words)


@given(JSON)
def test_any_content_has_plain_text(content: Any) -> None:
    """No content makes it raise, and what comes out can be encoded."""
    plain = plain_text(content)
    assert plain.encode().decode() == plain


@given(st.sampled_from(["user", "assistant", "tool", "system", "x"]), TEXTS, st.one_of(st.none(), TEXTS))
def test_a_reason_is_one_of_the_stable_words(role: str, text: str, trigger: str | None) -> None:
    """Counters by reason have a closed set of names; raw and cleaned text get one verdict."""
    reason = skip_reason(role, text, trigger)
    assert reason is None or reason in REASONS
    cleaned = skip_reason(role, clean(text), trigger)
    assert cleaned == reason or (reason, cleaned) == ("internal", "empty")


@given(TEXTS)
def test_a_sender_is_a_short_printable_name(text: str) -> None:
    """An envelope can't smuggle lines or controls into a name."""
    sender = sender_of(text)
    assert sender is None or (sender and len(sender) <= 120 and "\n" not in sender)


@given(TEXTS)
def test_the_hash_ignores_case_and_white_space(text: str) -> None:
    """A text that is only folded or padded has the hash of the original."""
    assert content_hash(f"  {text}\n") == content_hash(text)
    assert content_hash(text.casefold()) == content_hash(text)
