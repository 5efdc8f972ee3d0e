"""The relevance's offset as each user's own store asks for it: kept in numbers, looked up in memory."""

import json
from dataclasses import dataclass, replace

import apsw

from memory.scoring.background import LEXICAL_OFFSET, OFFSET, Offset
from memory.scoring.calibration import SMALL_STORE
from memory.store import calibrations
from memory.terms import Language

MOST_MOVED = 1.0  # from the shipped one: what strays further is the fault of an odd store
_GROWN = 1.5  # as often as large, or as small


@dataclass(frozen=True, slots=True)
class Fit:
    """What `count` prompts in one language told about a store of `store_size` texts: its offset then.

    No prompts: too little is written in that language to tell, and the shipped offset serves.
    """

    value: float
    store_size: int
    count: int

    def serves(self, store_size: int) -> bool:
        """Whether the store is about as large as it was; else it is time for another fit."""
        return self.store_size < _GROWN * store_size and store_size < _GROWN * self.store_size


class Offsets:
    """The offsets of an embedder by user and language; without an embedder (""), those of words alone.

    Those of the models before it serve as long as texts have their vectors. A store without a fit, or of
    fewer than SMALL_STORE texts, is served the shipped one. Safe to ask in any thread; asking costs no query.
    """

    def __init__(self, embedder: str) -> None:
        self.embedder = embedder
        self.shipped = OFFSET if embedder else LEXICAL_OFFSET
        self.revision = 0  # grows with each change
        self._fits: dict[tuple[str, str, str], Fit] = {}  # by embedder, user, language

    def load(self, connection: apsw.Connection) -> None:
        """Take what is kept, for whichever embedder."""
        rows = connection.execute("SELECT embedder, name, value FROM calibration WHERE name GLOB 'offset/*'")
        for embedder, name, value in rows:
            _, spoken, user_id = str(name).split("/", 2)
            self._fits[embedder, user_id, spoken] = Fit(*json.loads(value))
        self.revision += 1

    def keep(self, connection: apsw.Connection, user_id: str, spoken: Language, fit: Fit, now: int) -> None:
        """Store a fit, in numbers alone; `use` it once that is durable."""
        value = json.dumps([fit.value, fit.store_size, fit.count]).encode()
        calibrations.keep(connection, self.embedder, f"offset/{spoken}/{user_id}", value, now)

    def use(self, user_id: str, spoken: Language, fit: Fit) -> None:
        """Serve it from now on."""
        self._fits[self.embedder, user_id, spoken] = fit
        self.revision += 1

    def is_due(self, user_id: str, spoken: Language, store_size: int) -> bool:
        """Whether a store of this size should be looked at, for the first time or again."""
        fit = self._fits.get((self.embedder, user_id, spoken))
        return store_size >= SMALL_STORE and (fit is None or not fit.serves(store_size))

    def by_vectors(
        self, user_id: str, spoken: Language, store_size: int, embedder: str | None = None
    ) -> Offset:
        """For texts in the question's language that have a vector: of this embedder, or of the one named."""
        wanted = self.embedder if embedder is None else embedder
        return self._own(wanted, user_id, spoken, store_size) if wanted else OFFSET

    def by_words(self, user_id: str, spoken: Language, store_size: int) -> Offset:
        """For texts in the question's language where words decide alone."""
        return LEXICAL_OFFSET if self.embedder else self._own("", user_id, spoken, store_size)

    def _own(self, embedder: str, user_id: str, spoken: Language, store_size: int) -> Offset:
        fit = self._fits.get((embedder, user_id, spoken))
        if fit is None or fit.count == 0 or store_size < SMALL_STORE:
            return self.shipped
        return replace(self.shipped, value=self._bounded(fit), store_size=fit.store_size)

    def _bounded(self, fit: Fit) -> float:
        """Near the shipped one of today, which may differ from that of the day of the fit."""
        usual = self.shipped.at(fit.store_size)
        return min(max(fit.value, usual - MOST_MOVED), usual + MOST_MOVED)
