"""The time zone of the person at this machine, and of those they speak for."""

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo


def local_zone() -> str | None:
    """The zone that TZ or the machine names, such as `Asia/Shanghai`; None where none can be told."""
    # Only here: no other command needs it.
    from tzlocal import get_localzone_name

    try:
        name = get_localzone_name()
    except (LookupError, ValueError, OSError):  # ZoneInfoNotFoundError is a KeyError
        return None
    return name if is_zone(name) else None


def zone(name: str | None) -> tzinfo:
    """The zone of that name; the machine's where it knows none."""
    known = name if name and is_zone(name) else local_zone()
    return ZoneInfo(known) if known else UTC


def is_zone(name: str) -> bool:
    """Whether the machine's tables know a zone of this name."""
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return False
    return True
