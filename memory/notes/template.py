"""The sentences that OpenClaw itself puts into a new USER.md: how to fill it in. Nobody's memories."""

from hashlib import sha256
from typing import Final

_HEX: Final = 12
_SENTENCES: Final = frozenset(
    (
        "04f4ac62623a",
        "07a0f18643da",
        "272afc3f8066",
        "352034059fd9",
        "4b5168b7a912",
        "5f775f5d3ab8",
        "69a2bc7890b1",
        "70ce952b2ed6",
        "8978047b26fc",
        "9f6f919dc108",
        "ced7f489c92f",
        "e3b42baf024b",
    )
)


def is_of_host(text: str) -> bool:
    """Whether a statement stands there word for word; known by its hash, as the words are OpenClaw's."""
    return sha256(text.strip().encode()).hexdigest()[:_HEX] in _SENTENCES
