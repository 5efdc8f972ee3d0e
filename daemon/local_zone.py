"""The zone of those who name none."""

import structlog
from tzlocal import get_localzone_name

log = structlog.get_logger()


def local_zone() -> str:
    """This machine's zone by its IANA name; UTC where it has none."""
    try:
        return get_localzone_name() or "UTC"
    except (ValueError, LookupError, OSError) as error:
        log.warning("zone_unknown", error=type(error).__name__)
        return "UTC"
