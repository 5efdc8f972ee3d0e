"""What an index on disk was made of, and the name of its files."""

import hashlib
import re
from dataclasses import dataclass

_HASH_CHARS = 16
STEM = re.compile(rf"(?P<backend>[a-z]+)-[0-9a-f]{{{_HASH_CHARS}}}(?![0-9a-f])")
"""How the names of such files begin."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """An index whose stamp differs is of no use: it is made anew from the stored embeddings."""

    backend: str
    model: str
    dimension: int

    @property
    def stem(self) -> str:
        """The name of its files without their endings: safe for any model's name, one for each model."""
        return f"{self.backend}-{hashlib.sha256(self.model.encode()).hexdigest()[:_HASH_CHARS]}"
