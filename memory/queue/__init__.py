"""The durable capture queue: what was acknowledged and still waits for its effects.

queued -> leased -> done. A lease that ends otherwise goes back to queued with a later `due_at`, or to dead.
"""

from memory.queue.arrival import IMPORT_REST_S, flush, put
from memory.queue.crashes import MAX_WAIT_S, SUSPECT_WAIT_S, look_anew, recover, release, sweep
from memory.queue.leases import Lease, bury, finish, halve, is_whole, lease, retry, sizes
from memory.queue.levers import Choice, Entry, drop, entries, redrive
from memory.queue.waiting import (
    Depth,
    depth,
    first_underway,
    is_busy,
    is_underway,
    load,
    next_due,
    note_embedded,
    unembedded,
)

__all__ = [
    "IMPORT_REST_S",
    "MAX_WAIT_S",
    "SUSPECT_WAIT_S",
    "Choice",
    "Depth",
    "Entry",
    "Lease",
    "bury",
    "depth",
    "drop",
    "entries",
    "finish",
    "first_underway",
    "flush",
    "halve",
    "is_busy",
    "is_underway",
    "is_whole",
    "lease",
    "load",
    "look_anew",
    "next_due",
    "note_embedded",
    "put",
    "recover",
    "redrive",
    "release",
    "retry",
    "sizes",
    "sweep",
    "unembedded",
]
