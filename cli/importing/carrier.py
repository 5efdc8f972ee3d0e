"""Carries what was found to the daemon, turns in batches, and waits where the daemon is busy."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from memud_client import BusyError, Client, InvalidError, NotFoundError, TimedOutError, UnreachableError

from cli.importing.batch import Batch
from cli.importing.found import Document, Fact, Found, Place, Turn, Whole
from cli.importing.report import Report

_BUSY_TRIES = 600
_LATE_TRIES = 20
_MAX_RECORDS = 400
_MAX_RECORD_CHARS = 400_000  # even escaped, with one long record more, a line of the wire
Answer = TypeVar("Answer")


class Carrier:
    """Hands turns and facts over, in the order in which they come; `flush` sends what waits for more."""

    def __init__(self, client: Client, report: Report, user: str | None, *, dry_run: bool = False) -> None:
        self._client = client
        self._dry_run = dry_run
        self._report = report
        self._user = user
        self._batch = Batch({})
        self._whole: list[Whole] = []
        self._whole_chars = 0

    def take(self, found: Found) -> None:
        """Hand over what is to be remembered; anything else is only told."""
        if isinstance(found, Turn):
            self._take_turn(found)
        elif isinstance(found, Fact) and not self._dry_run:
            self.flush()
            self._add(found)
        elif isinstance(found, Whole) and not self._dry_run:
            self._take_record(found)
        elif isinstance(found, Document) and not self._dry_run:
            self.flush()
            self._take_notes(found)

    def flush(self) -> None:
        """Send what waits."""
        self._send_records()
        batch, self._batch = self._batch, Batch({})
        if batch.events:
            self._send_turns(batch)

    def _send_turns(self, batch: Batch) -> None:
        """Send a batch; one that is refused as a whole goes in halves, until what is bad stands alone."""
        try:
            reply = self._capture(batch)
        except InvalidError as error:
            if len(batch.events) == 1:
                self._report.left_out(batch.places[0], "invalid", str(error))
            else:
                for half in batch.halves():
                    self._send_turns(half)
            return
        if reply is None:
            return
        self._report.taken(reply["accepted"], reply["duplicates"])
        for skipped in reply["skipped"]:
            place = batch.places[skipped["index"]]
            self._report.left_out(place, skipped["reason"], skipped.get("detail", ""))

    def _capture(self, batch: Batch) -> Any:
        """The daemon's answer; None in a dry run without a daemon, which tells what is there all the same."""
        scope = self._scope(batch.scope)
        if not self._dry_run:
            return _patiently(lambda: self._client.capture(batch.events, **scope))
        if not self._report.is_compared:
            return None
        try:
            return _patiently(lambda: self._client.capture(batch.events, dry_run=True, **scope))
        except UnreachableError:
            self._report.is_compared = False
            return None

    def _take_turn(self, turn: Turn) -> None:
        if not self._batch.has_room(turn):
            self.flush()
        if not self._batch.events:
            self._batch = Batch(turn.scope)
        self._batch.put(turn)

    def _add(self, fact: Fact) -> None:
        try:
            reply = _patiently(lambda: self._client.call("add", **fact.statement, **self._scope(fact.scope)))
        except (InvalidError, NotFoundError, UnreachableError) as error:
            is_forgotten = isinstance(error, NotFoundError)
            reason, detail = ("forgotten", "") if is_forgotten else ("invalid", str(error))
            self._report.left_out(fact.place, reason, detail)
        else:
            self._report.fact_taken(reply["action"])

    def _take_record(self, found: Whole) -> None:
        if len(self._whole) >= _MAX_RECORDS or self._whole_chars > _MAX_RECORD_CHARS:
            self._send_records()
        self._whole.append(found)
        self._whole_chars += len(str(found.record))

    def _send_records(self) -> None:
        whole, self._whole, self._whole_chars = self._whole, [], 0
        if whole:
            self._restore(whole)

    def _restore(self, whole: Sequence[Whole]) -> None:
        """Send records, likewise."""
        records = [one.record for one in whole]
        try:
            reply = _patiently(lambda: self._client.import_records(records, **self._scope({})))
        except InvalidError as error:
            if len(whole) == 1:
                self._report.left_out(whole[0].place, "invalid", str(error))
            else:
                middle = len(whole) // 2
                self._restore(whole[:middle])
                self._restore(whole[middle:])
            return
        self._report.restored(reply["added"], reply["known"])
        for skipped in reply["skipped"]:
            place = whole[skipped["index"]].place
            self._report.left_out(place, skipped["reason"], skipped["detail"])

    def _take_notes(self, document: Document) -> None:
        page = {
            "path": document.path,
            "text": document.text.replace("\0", ""),
            "modified_at": document.modified_at,
            "watch": document.watch,
        }
        try:
            reply = _until_done(lambda: self._client.call("notes.take", **page, **self._scope({})))
        except InvalidError as error:
            self._report.left_out(document.place, "invalid", str(error))
            return
        self._report.notes_taken(reply)
        for line in reply["forgotten"]:
            self._report.left_out(Place(document.place.file, line), "forgotten", "")
        if reply["emptied"]:
            self._report.left_out(document.place, "note_empty", "")

    def _scope(self, scope: Mapping[str, str]) -> dict[str, Any]:
        """A user who was named wins over the source's own."""
        return {**scope, "user_id": self._user} if self._user is not None else dict(scope)


def _until_done(send: Callable[[], Answer]) -> Answer:
    """A long file takes its time; what was taken in of it stays, so asking again goes on from there."""
    for _ in range(_LATE_TRIES):
        with suppress(TimedOutError):
            return _patiently(send)
    return _patiently(send)


def _patiently(send: Callable[[], Answer]) -> Answer:
    for _ in range(_BUSY_TRIES):
        try:
            return send()
        except BusyError as error:
            # The queue is full; the daemon says how long it needs.
            time.sleep((error.retry_after_ms or 1000) / 1000)
    return send()
