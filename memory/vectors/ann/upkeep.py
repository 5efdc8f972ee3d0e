"""Keeps lists in step with the vectors: builds, merges, saves; one short step after another."""

import threading
from collections.abc import MutableMapping
from functools import partial
from time import monotonic
from typing import Any

import numpy as np
import structlog

from memory.ports import Matrix
from memory.vectors.ann.aims import Aims
from memory.vectors.ann.building import build
from memory.vectors.ann.files import Files, Saved
from memory.vectors.ann.held import Held, checksums
from memory.vectors.ann.large import Changes, Large, Listed
from memory.vectors.ann.lists import Keys, Lists
from memory.vectors.exact import ExactIndex

log = structlog.get_logger()

SAVE_EVERY_S = 60.0

_MERGED_AT_ONCE = 128  # some 6 ms, for which searches wait
_WORTH_MERGING = 256  # fewer are found by a scan of theirs in less than a search of the lists takes
_AT_THE_END = 4096  # changes that a stop waits for; more are found, and merged, after the next start


class _StopError(Exception):
    """The index is being closed."""


class Upkeep:
    """What the thread of an index does. `lock` guards `users`, their lists, and rows together with both."""

    def __init__(
        self,
        faiss: Any,
        rows: ExactIndex,
        users: MutableMapping[str, Large],
        lock: threading.RLock,
        aims: Aims,
        files: Files | None,
    ) -> None:
        self._faiss = faiss
        self._rows = rows
        self._users = users
        self._lock = lock
        self._aims = aims
        self._files = files
        self._one_step = threading.Lock()
        self._is_over = threading.Event()
        self._refused: dict[str, int] = {}  # by user: how many vectors were not worth lists
        self.fault = ""

    def load(self) -> None:
        """Take the lists that were saved; what is put is compared with them."""
        for saved in self._files.load() if self._files else ():
            lists = Lists.of_image(self._faiss, saved.image, saved.middle, saved.widths)
            held = Held(saved.keys, saved.sums)
            listed = Listed(lists, held, saved.tuning, saved.size, saved.churn, saved_at=monotonic())
            self._users[saved.user_id] = Large(listed)

    def settle(self) -> None:
        """Everything was put: what the lists have beyond that is to go, or they themselves if it is much."""
        with self._lock:
            for user_id, large in list(self._users.items()):
                if large.listed is None:
                    continue
                gone = np.setdiff1d(large.listed.held.arrays()[0], self._rows.keys(user_id))
                large.listed.changes.note_gone(gone.tolist())
                if 2 * len(large.listed.changes) > len(large.listed.lists):
                    del self._users[user_id]
        self._written(lambda files: files.keep_only(self._users))

    def stop(self) -> None:
        """End the step in hand, and take no other."""
        self._is_over.set()

    def lacks(self, user_id: str, size: int) -> bool:
        """Whether a user of this size is to get lists, or better ones."""
        if size < self._aims.large or size < 2 * self._refused.get(user_id, 0):
            return False
        large = self._users.get(user_id)
        return large is None or large.listed is None or large.listed.is_worn

    def step(self, *, in_full: bool = False) -> bool:
        """Do the next thing; False if nothing is due. `in_full`: what could wait is due too."""
        with self._one_step:
            if self._is_over.is_set():
                return False
            sizes = self._rows.sizes()
            for user_id, size in sizes.items():
                if self.lacks(user_id, size):
                    self._build(user_id, size)
                    return True
            return any(
                self._keep(user_id, large, sizes.get(user_id, 0), in_full=in_full)
                for user_id, large in list(self._users.items())
            )

    def finish(self) -> None:
        """Write what is not in the files, but for changes that would take long."""
        with self._one_step:
            for user_id, large in list(self._users.items()):
                listed = large.listed
                if listed is None:
                    continue
                if len(listed.changes) > _AT_THE_END:
                    if listed.changes.has_gone:  # what is forgotten must not lie on until the next start
                        self._drop(user_id)
                    continue
                while len(listed.changes):
                    self._merge(user_id, listed)
                if listed.unsaved:
                    self._save(user_id, listed)

    def mark(self) -> None:
        """Leave word that everything was built."""
        self._written(lambda files: files.mark())

    def _keep(self, user_id: str, large: Large, size: int, *, in_full: bool) -> bool:
        listed = large.listed
        if listed is None:
            return False
        changes = len(listed.changes)
        if 2 * size < self._aims.large:
            self._drop(user_id)
        elif changes >= _WORTH_MERGING or listed.changes.has_gone or (in_full and changes):
            self._merge(user_id, listed)
        elif listed.unsaved and (in_full or monotonic() > listed.saved_at + SAVE_EVERY_S):
            return self._save(user_id, listed)
        else:
            return False
        return True

    def _build(self, user_id: str, size: int) -> None:
        with self._lock:
            large = self._users.setdefault(user_id, Large())
            large.building = changes = Changes()
            keys = self._rows.keys(user_id)
        began = monotonic()
        try:
            built = build(self._faiss, keys, partial(self._read, user_id), self._aims, self._go_on)
        except _StopError:
            large.building = None
            return
        except (RuntimeError, MemoryError, ValueError) as error:
            log.error("index_not_built", vectors=size, reason=str(error))
            self._refuse(user_id, size)
            return
        took_s = round(monotonic() - began, 1)
        if built.tuning is None:
            log.info("index_not_worth_it", vectors=size, took_s=took_s)
            self._refuse(user_id, size)
            return
        with self._lock:
            large.listed, large.building = Listed.of(built, built.tuning, changes), None
        log.info("index_built", vectors=size, recall=round(built.tuning.recall, 4), took_s=took_s)

    def _go_on(self) -> None:
        if self._is_over.is_set():
            raise _StopError

    def _refuse(self, user_id: str, size: int) -> None:
        """A full scan answers, until twice as many are there."""
        self._refused[user_id] = size
        self._drop(user_id)

    def _drop(self, user_id: str) -> None:
        with self._lock:
            self._users.pop(user_id, None)
        self._written(lambda files: files.drop(user_id))

    def _read(self, user_id: str, keys: Keys) -> tuple[Keys, Matrix]:
        vectors = self._rows.vectors(user_id, keys.tolist())
        there = ~np.isnan(vectors[:, 0])
        return keys[there], vectors[there]

    def _merge(self, user_id: str, listed: Listed) -> None:
        with self._lock:
            put, gone = listed.changes.take(_MERGED_AT_ONCE)
            keys, vectors = self._read(user_id, np.array(put, np.int64))
            changed = np.array([*put, *gone], np.int64)
            known = changed[listed.held.has(changed)]
            if len(known):
                listed.lists.drop(known)
                listed.held.drop(known.tolist())
            if len(keys):
                listed.lists.add(keys, vectors)
                listed.held.put(keys, checksums(vectors))
            listed.churn += len(changed)
            listed.unsaved += len(changed)

    def _save(self, user_id: str, listed: Listed) -> bool:
        with self._lock:
            keys, sums = listed.held.arrays()
            lists, unsaved = listed.lists, listed.unsaved
            arrays = (keys, sums, lists.middle, lists.widths, lists.image())
            saved = Saved(user_id, listed.tuning, listed.size, listed.churn, *arrays)
        listed.saved_at = monotonic()
        if not self._written(lambda files: files.save(saved)):
            return False
        with self._lock:
            listed.unsaved -= unsaved
        return True

    def _written(self, write: Any) -> bool:
        """Whether the disk took it; if not, `fault` says why, and answers are as good without."""
        if self._files is None:
            return True
        try:
            write(self._files)
        except OSError as error:
            self.fault = f"the index file can't be written: {error.strerror or error}"
            log.warning("index_not_saved", reason=self.fault)
            return False
        self.fault = ""
        return True
