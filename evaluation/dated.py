"""Events of our own sets with a local time and its zone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from evaluation.store import Said, Store
from memory.terms import Language


def dated_store(name: str, language: Language, events: Sequence[Mapping[str, Any]]) -> Store:
    """A user's store of events with `at` (local, no zone in it), `tz` and `text`; a session a day."""
    return Store(name, language, [_said(name, str(place), event) for place, event in enumerate(events)])


def _said(name: str, key: str, event: Mapping[str, Any]) -> Said:
    local = datetime.fromisoformat(event["at"]).replace(tzinfo=ZoneInfo(event["tz"]))
    session = f"{name}-{local:%Y-%m-%d}"
    return Said(key, "user", event["text"], int(local.timestamp()), session, tz=event["tz"])
