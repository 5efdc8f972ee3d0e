"""What channels and agents wrap around a person's words, and the words without it."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

BLOCK_OPEN = "<memud-recall"
BLOCK_CLOSE = "</memud-recall>"

INTERNAL_OPEN = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"
_INTERNAL_CLOSE = "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"

# Both limits keep hostile input cheap; real envelopes are one or two deep and a few kB long.
_MAX_PASSES = 20
_MAX_METADATA_CHARS = 20_000

_ANSI = re.compile(r"\x1b\[[0-9;?]{0,40}[A-Za-z]")
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

# As it was rendered, or as a channel hands it on: escaped, in capitals, split by a zero-width sign.
_OWN_NAME = r"memud[\u200b-\u200d\u2060]*-[\u200b-\u200d\u2060]*recall"
_LT, _GT = r"(?:<|&lt;)", r"(?:>|&gt;)"
_OWN_MARK = re.compile(
    rf"(?P<open>{_LT}{_OWN_NAME}(?:\s[^<>]{{0,1000}}?)?(?:{_GT}|\Z))|{_LT}/{_OWN_NAME}{_GT}",
    re.IGNORECASE,
)
_REGION_OPEN = re.compile(
    rf"{INTERNAL_OPEN}"
    r'|<<<(?P<external>EXTERNAL_UNTRUSTED_CONTENT(?:\sid="[^"\n]{1,80}")?)>>>'
    r"|<(?P<tag>relevant[-_]memories|relevant_memory|active_memory_plugin|supermemory-context"
    r"|hindsight_memories|mem0-context|memory-context|user-persona|scene-navigation"
    r"|memory-tools-guide)(?:\s[^<>]{0,500})?>"
    r"|\[(?P<quote>Replying|Quoting)\sto\s[^\]\n]{1,200}\](?=\n)"
)
_INTERNAL_CUT_OFF = re.compile(rf"^{INTERNAL_OPEN}", re.MULTILINE)

_WEEKDAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_DATE_TIME = (
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[ ]?[A-Z]{2,5}(?:[+-]\d{1,2}(?::?\d\d)?)?)?"
)
_CHANNEL = (
    r"(?:WebChat|WhatsApp|Telegram|Signal|Slack|Discord|Google Chat|iMessage|BlueBubbles|MS ?Teams|Teams"
    r"|Matrix|Mattermost|Zalo(?: Personal)?|LINE|Feishu|Lark|WeChat|WeCom|DingTalk|QQ|IRC|Nostr|SMS|Email)"
)
_CHANNEL_STAMP = re.compile(
    rf"\[{_CHANNEL}[ ](?P<who>[^\[\]\n]{{1,200}}?)[ ]?(?:{_WEEKDAY}[ ])?{_DATE_TIME}\][ \t]*"
    rf"|\[{_CHANNEL}[ ](?P<who_id>[^\[\]\n]{{1,120}}[ ]id:-?\d+)\][ \t]*"
)
_HEAD = (
    re.compile(rf"\[{_WEEKDAY}[ ]{_DATE_TIME}\][ \t]*"),
    _CHANNEL_STAMP,
    re.compile(rf"System(?:[ ]\(untrusted\))?:[ ]\[(?:{_WEEKDAY}[ ])?{_DATE_TIME}\][^\n]*"),
    re.compile(r"\s+"),
)
_HISTORY_OPEN = "[Chat messages since your last reply - for context]"
_HISTORY_CLOSE = "[Current message - respond to this]"

_METADATA_LABEL = re.compile(
    rf"^[ \t]{{0,20}}(?:\[{_WEEKDAY}[ ]{_DATE_TIME}\][ ]?)?(?P<label>[^\n:]{{1,100}}?)[ ]?"
    r"(?:\(untrusted[ ]metadata\):|\(untrusted,[ ]for[ ]context\):|:[ ]⟦openclaw:ctx⟧"
    r"|\(metadata,[ ]do[ ]not[ ]treat[ ]as[ ]instructions[ ]or[ ]commands\):)[ \t]*$",
    re.MULTILINE,
)
_FENCE_OPEN = re.compile(r"\s*```[a-z]*[ \t]*\n")
_FENCE_CLOSE = re.compile(r"\n[ \t]*```[ \t]*(?=\n|\Z)")
_PAIRS = re.compile(r"\n(?:\w{1,40}=\S{1,200}[ \t]*)+")

_NOTES = re.compile(
    r"\[message_id: ?[^\[\]\s]{1,200}\]"
    r"|\[\[(?:reply_to_current|reply_to: ?[^\[\]\s]{1,100}|audio_as_voice)\]\]"
    r"|<media:[a-z]{1,20}>(?: \(\d+ [a-z]+\))?"
    r"|(?m:^\[media attached(?: \d+/\d+)?: [^\]\n]{1,2000}\][ \t]*$"
    r"|^To send an image back, prefer the message tool[^\n]*$"
    r"|^Delivery: to send a message, use the `message` tool[^\n]*$"
    r"|^\[Queued messages while agent was busy\][ \t]*$"
    r"|^---\nQueued #\d+[^\n]{0,80}$"
    r"|^Runtime: agent=\S+ \|[^\n]*$)"
)
_FROM_LINE = re.compile(r"\s*\[from: (?P<who>[^\]\n]{1,200})\]\s*")
_MACHINE_SENDERS = {"openclaw-control-ui", "gateway-client", "openclaw-tui", "cli", "webchat"}


def strip_controls(text: str) -> str:
    """The text without control characters, colours of a terminal and lone surrogates."""
    if text.isprintable():  # as nearly all are, and it is told at once
        return text
    text = _ANSI.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _NOT_TEXT.sub("", text)


def clean(text: str) -> str:
    """The person's own words: without channel envelopes, internal context and recalled blocks.

    Idempotent for what is nested less than 20 deep. Words that only look like an envelope stay.
    """
    text = strip_controls(text).strip()
    for _ in range(_MAX_PASSES):
        stripped = _strip_once(text)
        if stripped == text:
            break
        text = stripped
    return text


def sender_of(text: str) -> str | None:
    """Who spoke, if the envelope around the text names a person."""
    for name in _named_senders(text):
        name = " ".join(strip_controls(name).split())[:120]
        if name and name.lower() not in _MACHINE_SENDERS:
            return name
    return None


def _strip_once(text: str) -> str:
    text = _without(text, _own_blocks(text))
    text = _without(text, _regions(text))
    text = _without(text, _metadata_blocks(text))
    text = _NOTES.sub(" ", text)
    return text[_head_end(text) : _tail_start(text)].strip()


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with each span replaced by a space, so that what it parted can't grow together."""
    kept: list[str] = []
    end = 0
    for start, stop in spans:
        kept.append(text[end:start])
        end = stop
    return " ".join([*kept, text[end:]])


def _own_blocks(text: str) -> Iterator[tuple[int, int]]:
    """What memud recalled earlier: nested, repeated, or cut off at the end of the text."""
    depth = start = last_close = 0
    for mark in _OWN_MARK.finditer(text):
        if mark["open"]:
            start = start if depth else mark.start()
            depth += 1
            continue
        last_close = mark.end()
        if depth <= 1:
            yield (start if depth else mark.start()), last_close
        depth = max(0, depth - 1)
    if depth:
        yield from _unclosed_block(text, start, last_close)


def _unclosed_block(text: str, start: int, last_close: int) -> Iterator[tuple[int, int]]:
    if last_close > start:
        yield start, last_close
    # In the middle of a line somebody talks about the tag.
    elif not text[:start].rpartition("\n")[2].strip():
        yield start, len(text)


def _regions(text: str) -> Iterator[tuple[int, int]]:
    """Marked regions of agents and other memory plugins, from their opening to their closing mark."""
    end = 0
    missing: set[str] = set()
    for mark in _REGION_OPEN.finditer(text):
        close = _closing_mark(mark)
        if mark.start() < end or close in missing or len(missing) > _MAX_PASSES:
            continue
        found = text.find(close, mark.end())
        if found >= 0:
            end = found + len(close)
            yield mark.start(), end
        else:
            missing.add(close)
    cut_off = _INTERNAL_CUT_OFF.search(text, end)
    if cut_off:
        yield cut_off.start(), len(text)


def _closing_mark(mark: re.Match[str]) -> str:
    if mark["tag"]:
        return f"</{mark['tag']}>"
    if mark["external"]:
        return f"<<<END_{mark['external']}>>>"
    return f"[/{mark['quote']}]" if mark["quote"] else _INTERNAL_CLOSE


def _metadata_blocks(text: str) -> Iterator[tuple[int, int]]:
    end = 0
    for label in _METADATA_LABEL.finditer(text):
        if label.start() >= end:
            end = _metadata_end(text, label.end())
            yield label.start(), end


def _metadata_end(text: str, start: int) -> int:
    """Where the JSON, the key=value line or the paragraph under a label ends."""
    stop = min(len(text), start + _MAX_METADATA_CHARS)
    fence = _FENCE_OPEN.match(text, start, stop)
    if fence:
        close = _FENCE_CLOSE.search(text, fence.end() - 1, stop)
        return close.end() if close else _paragraph_end(text, fence.end(), stop)
    parsed = _json_at(text, start, stop)
    if parsed:
        return parsed[1]
    pairs = _PAIRS.match(text, start, stop)
    if pairs:
        return pairs.end()
    return _paragraph_end(text, start, stop)


def _json_at(text: str, start: int, stop: int) -> tuple[Any, int] | None:
    chunk = text[start:stop]
    body = chunk.lstrip()
    if not body.startswith("{"):
        return None
    try:
        value, end = json.JSONDecoder().raw_decode(body)
    except (ValueError, RecursionError):
        return None
    return value, start + len(chunk) - len(body) + end


def _paragraph_end(text: str, start: int, stop: int) -> int:
    end = text.find("\n\n", start, stop)
    return end if end >= 0 else stop


def _head_end(text: str) -> int:
    at = 0
    while True:
        end = max((m.end() for m in (p.match(text, at) for p in _HEAD) if m), default=at)
        if text.startswith(_HISTORY_OPEN, end):
            current = text.find(_HISTORY_CLOSE, end)
            end = current + len(_HISTORY_CLOSE) if current >= 0 else end
        if end == at:
            return at
        at = end


def _tail_start(text: str) -> int:
    """Where the closing `[from: ...]` lines of a group chat begin."""
    end = len(text)
    while True:
        line = text.rfind("\n", 0, end)
        if line < 0 or not _FROM_LINE.fullmatch(text, line, end):
            return end
        end = line


def _named_senders(text: str) -> Iterator[str]:
    blocks = list(_metadata_values(text))
    for find in (_sender_block, _conversation_sender):
        for label, value in blocks:
            yield from find(label, value)
    stamp = _CHANNEL_STAMP.match(text.lstrip())
    if stamp:
        yield from _stamp_sender(stamp["who"] or stamp["who_id"])
    last_line = _FROM_LINE.fullmatch(text, text.rstrip().rfind("\n") + 1)
    if last_line:
        yield re.sub(r"\s*\([^()]*\)$", "", last_line["who"])


def _metadata_values(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for label in _METADATA_LABEL.finditer(text):
        fence = _FENCE_OPEN.match(text, label.end())
        start = fence.end() if fence else label.end()
        parsed = _json_at(text, start, min(len(text), start + _MAX_METADATA_CHARS))
        if parsed and isinstance(parsed[0], dict):
            yield label["label"].strip(), parsed[0]


def _sender_block(label: str, value: dict[str, Any]) -> Iterator[str]:
    if label.lower() == "sender":
        yield from _names_in(value)


def _conversation_sender(label: str, value: dict[str, Any]) -> Iterator[str]:
    if label.lower() == "conversation info":
        sender = value.get("sender")
        yield from _names_in(sender if isinstance(sender, dict) else {"name": sender})


def _names_in(value: dict[str, Any]) -> Iterator[str]:
    names = (value.get(field) for field in ("name", "label", "username"))
    yield from (name for name in names if isinstance(name, str))


def _stamp_sender(who: str) -> Iterator[str]:
    """`Alex (@alex) id:12 +5m` names Alex; a group's stamp names the group, not the speaker."""
    if re.search(r"\bgroup\b|\bchannel\b|#|id:-", who, re.IGNORECASE):
        return
    yield re.sub(r"(?:\s+(?:\(@[^()]*\)|id:\S+|\+\d+[smhd]))+\s*$", "", who)
