"""Times as other programs write them."""

from datetime import UTC, datetime
from typing import Any


def seconds_of(text: Any) -> int | None:
    """Unix seconds of an ISO time, of UTC where it names no zone; None for anything else."""
    try:
        moment = datetime.fromisoformat(text)
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    except (TypeError, ValueError, OverflowError):
        return None
