"""What a model wrote, as plain words: no tag, link, markup or hidden sign is left in it."""

import re
from html import unescape

from memory.envelope import strip_controls

_MAX_NESTED = 3
_TAG = re.compile(r"<[/!?]?[a-zA-Z|][^<>]{0,300}>|<!--.{0,2000}?-->", re.DOTALL)
_OPENING = re.compile(r"<(?=[a-zA-Z/!?|])")
_LINK = re.compile(r"!?\[([^\]\n]{0,300})\]\([^)\s]{0,500}\)")
_MARKUP = re.compile(r"\*\*|__|`+|^[ \t]*(?:[-*#>]+|\d+[.)])[ \t]+", re.MULTILINE)
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def plain(text: str) -> str:
    """One line of words. What looks like a tag and has no end, or is nested too deeply, opens none."""
    text = _INVISIBLE.sub("", strip_controls(unescape(text)))
    for _ in range(_MAX_NESTED):
        text = _TAG.sub(" ", text)
    text = _OPENING.sub("< ", text)
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", text)).split())
