"""Turns and known facts by hand, for what reads and asks about them."""

from dataclasses import replace
from typing import Any

from memory.model import (
    TYPE_DEFAULTS,
    Item,
    Kind,
    MemoryType,
    Modality,
    Origin,
    Resource,
    Role,
    Scope,
    Turn,
)

MONDAY = 1_796_032_800  # 2026-11-30 10:00 UTC


def turn(text: str, resource_id: str = "r1", **changes: Any) -> Resource:
    """A user's own turn, said in Shanghai."""
    said = Turn(
        event_key=f"key-{resource_id}",
        scope=Scope(session_id="s"),
        role=Role.USER,
        sender=None,
        content=text,
        text=text,
        modality=Modality.CHAT,
        timestamp=MONDAY,
        tz="Asia/Shanghai",
        origin=Origin.USER,
        private=True,
        content_hash="h",
    )
    return Resource(1, resource_id, replace(said, **changes))


def known(item_id: str, memory: str) -> Item:
    """A fact that is known since Monday."""
    defaults = TYPE_DEFAULTS[MemoryType.GENERAL]
    return Item(
        item_id,
        "default",
        None,
        "s",
        Kind.SEMANTIC,
        MemoryType.GENERAL,
        memory,
        defaults.importance,
        defaults.half_life_days,
        MONDAY,
        MONDAY,
        MONDAY,
        0,
        None,
        None,
        None,
        False,
        True,
        "user",
    )
