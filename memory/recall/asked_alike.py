"""Whether two prompts ask the same in so many words: courtesies, case, width, script and marks aside.

The order counts ("who gave Ana the book" is not "who Ana gave the book"), and so does every small word that
can turn a question round. A paraphrase is another question: only an embedder knows it, and it would have to
be asked.
"""

import re
from collections.abc import Hashable, Sequence

from memory.terms import cjk_runs, language, plain_words

_MAX_CHARS = 400

_ARTICLES = frozenset(["a", "an", "the", "please", "pls"])
_GREETINGS = frozenset(["hey", "hi", "hello", "ok", "okay", "so", "well", "just"])
_MAY_I_ASK = frozenset(["can", "could", "would", "will"])
_THANKS = (("thanks",), ("thank", "you"))
_ZH_LEAD = re.compile("^(?:你好|请问|请|麻烦你?|帮我|帮忙|给我|能不能|那|嗯|好的)+")
_ZH_TRAIL = re.compile("(?:一下|谢谢|啊|吧|呀|嘛)+$")


def sense(text: str) -> Hashable | None:
    """Equal for prompts that ask the same; None for one that is too long, or asks nothing."""
    if len(text) > _MAX_CHARS:
        return None
    words = _without_courtesies([word for word in plain_words(text) if word not in _ARTICLES])
    characters = _ZH_TRAIL.sub("", _ZH_LEAD.sub("", "".join(cjk_runs(text))))
    is_question = "?" in text or "？" in text
    return (language(text), is_question, words, characters) if words or characters else None


def _without_courtesies(words: Sequence[str]) -> tuple[str, ...]:
    left = tuple(words)
    while left and (left[0] in _GREETINGS or (left[0] in _MAY_I_ASK and left[1:2] == ("you",))):
        left = left[1:] if left[0] in _GREETINGS else left[2:]
    for thanks in _THANKS:
        if left[-len(thanks) :] == thanks:
            left = left[: -len(thanks)]
    return left
