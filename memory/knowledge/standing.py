"""Which fact may end which, whoever says so: rules, a model that extracts, a model that judges."""

from memory.knowledge.updates import says_change
from memory.model import MemoryType
from memory.store.items import StoredItem
from memory.store.speakers import Voice


def may_end(newer: StoredItem, older: StoredItem, voice: Voice) -> bool:
    """Whether nothing forbids it: a pin, an edit, a correction, another's words, the order of time."""
    is_own = voice is Voice.SAME and outweighs(newer.item.trust, older)
    is_sure = is_own and _is_earlier(older, newer) and not is_protected(older)
    return is_sure and not _is_chance_remark(newer, older)


def outweighs(trust: str, older: StoredItem) -> bool:
    """Only the user's words end the user's; imported ones end imported ones, an assistant's none."""
    return trust in ("user", "edited") or (trust == older.item.trust == "import")


def is_protected(stored: StoredItem) -> bool:
    """Whether a person pinned or edited it."""
    return stored.item.pinned or stored.item.trust == "edited"


def _is_chance_remark(newer: StoredItem, older: StoredItem) -> bool:
    """Whether it only mentions another value of what was once put right: a slip more likely than a change."""
    is_weighty = newer.item.memory_type in (MemoryType.CORRECTION, MemoryType.DECISION)
    is_corrected = older.item.memory_type is MemoryType.CORRECTION
    return is_corrected and not is_weighty and not says_change(newer.item.memory)


def _is_earlier(older: StoredItem, newer: StoredItem) -> bool:
    """Within one second the order of arrival counts, but for two facts of one turn."""
    if older.item.stated_at != newer.item.stated_at:
        return older.item.stated_at < newer.item.stated_at
    turns = {source.resource_id for source in newer.item.sources}
    return turns.isdisjoint(source.resource_id for source in older.item.sources)
