"""Public ids: short enough to type, random enough never to point at something else, even across backups."""

from collections.abc import Callable

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
_LENGTH = 10  # 50 bits: with a million memories a clash is one in 2,000, and a clash is refused, not lost

NewId = Callable[[str], str]
"""Makes an id from its prefix: t (turn), m (fact), p (proactive), q (queue), s (summary), c (category)."""


def id_maker(random_bytes: Callable[[int], bytes]) -> NewId:
    """Ids such as `m-k3v9q2xw7d` from a source of randomness, `secrets.token_bytes` in the daemon."""

    def new_id(prefix: str) -> str:
        letters = (_ALPHABET[byte & 31] for byte in random_bytes(_LENGTH))
        return f"{prefix}-{''.join(letters)}"

    return new_id
