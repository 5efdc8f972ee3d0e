"""Names that programs give, such as keys of events and ids of sessions, without secrets; still distinct."""

import hashlib
import re

from memory.redact.masking import redact

# Words, UUIDs, milliseconds: what hosts make names of, and no secret. Most names are such.
_PLAIN = re.compile(r"[a-z]{1,16}(?::(?:[a-z]{1,10}|1\d{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))*")


def redact_name(name: str) -> str:
    """The name without secrets; two that differ in their secrets alone stay two. Twice is the same."""
    if _PLAIN.fullmatch(name):
        return name
    masked = redact(name).text
    return masked if masked == name else f"{masked}#{hashlib.sha256(name.encode()).hexdigest()[:12]}"
