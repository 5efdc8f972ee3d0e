"""Secrets are masked before anything is written: by their shape, by their name, by what is said of them."""

from memory.redact.masking import Redacted, redact, redact_json
from memory.redact.names import redact_name

__all__ = ["Redacted", "redact", "redact_json", "redact_name"]
