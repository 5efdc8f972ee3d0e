"""Turns into the daemon, as an agent would hand them over."""

import time
from collections.abc import Iterator, Sequence
from itertools import groupby

from memud_client import BusyError, types

from evaluation.stand import Stand
from evaluation.store import Said, Store

_BATCH = 100


def fill(stand: Stand, stores: Sequence[Store]) -> int:
    """Capture every turn of every store, each the memory of a user of its own; wait until all is worked on.

    Returns how many turns memud would not take.
    """
    total = sum(len(store.turns) for store in stores)
    done = left_out = 0
    for store in stores:
        for batch in _batches(store.turns):
            reply = _capture(stand, store.name, batch)
            left_out += len(reply["skipped"])
            done += len(batch)
            stand.progress("fill", done, total)
    stand.settle()
    return left_out


def _batches(turns: Sequence[Said]) -> Iterator[list[Said]]:
    """Of one session each, in order."""
    for _, group in groupby(turns, lambda turn: turn.session_id):
        session = list(group)
        for start in range(0, len(session), _BATCH):
            yield session[start : start + _BATCH]


def _capture(stand: Stand, user_id: str, batch: Sequence[Said]) -> types.CaptureReply:
    events = [_event(turn) for turn in batch]
    while True:
        try:
            return stand.client.capture(events, user_id=user_id, session_id=batch[0].session_id)
        except BusyError as error:  # the queue is full; the daemon says how long it needs
            time.sleep((error.retry_after_ms or 1000) / 1000)


def _event(turn: Said) -> types.Event:
    event: types.Event = {
        "key": turn.key,
        "role": turn.role,
        "content": turn.text,
        "timestamp": turn.timestamp,
        "tz": turn.tz,
    }
    if turn.sender is not None:
        event["sender"] = turn.sender
    return event
