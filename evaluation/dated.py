"""Events of our own sets with a local time and its zone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from evaluation.store import Said, Store
from memory.terms import Language


def dated_store(name: str, language: Language, events: Sequence[Mapping[str, Any]]) -> Store:
    """A user's store of events with `at` (local, no zone in it), `tz` and `text`; a session a day.

    The keys are their places, from 0. Who names no `role` is the user.
    """
    return Store(name, language, [_said(name, str(place), event) for place, event in enumerate(events)])


def instant(at: str, tz: str) -> int:
    """Unix seconds of a local time; of an hour that comes twice the first."""
    return int(datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(tz)).timestamp())


def _said(name: str, key: str, event: Mapping[str, Any]) -> Said:
    at, tz = event["at"], event["tz"]
    session = f"{name}-{datetime.fromisoformat(at):%Y-%m-%d}"
    return Said(key, event.get("role", "user"), event["text"], instant(at, tz), session, tz=tz)
