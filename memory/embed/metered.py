"""An embedder of a paid provider within the day's budget."""

from collections.abc import Sequence

from memory.budget import Budget
from memory.database import Database
from memory.embed.counted import PASSAGES, QUERY
from memory.errors import BudgetError
from memory.ports import Clock, Embedder, Matrix, Usage, Vector
from memory.reserving import reserved
from memory.tally import Counted, Tally
from memory.tokens import estimate_tokens


class MeteredEmbedder:
    """The Embedder behind it, refused before a call that could lead past a limit.

    Passages are reserved and booked like a model's answers. A question is only refused once the day is
    spent, and is counted in a tally, since a recall waits for no write; it is a few tokens. Vectors come
    without a count of their tokens, so both are counted by estimate, rather too many than too few.
    """

    def __init__(
        self, embedder: Embedder, budget: Budget, database: Database, tally: Tally, clock: Clock
    ) -> None:
        self._embedder = embedder
        self._budget = budget
        self._database = database
        self._tally = tally
        self._clock = clock

    @property
    def name(self) -> str:
        """The name of the embedder behind it."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._embedder.dimension

    async def query(self, text: str) -> Vector:
        """The vector of a question. Raises BudgetError on a day that is spent."""
        now = self._clock.now()
        today = await self._database.read(lambda c: self._budget.today(c, now))
        if today.fault:
            raise BudgetError(today.fault, retry_after_ms=self._budget.wait_ms(now))
        vector = await self._embedder.query(text)
        self._tally.add(Counted(QUERY, self.name, is_local=False), estimate_tokens(text))
        return vector

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order. Raises BudgetError before the call."""
        if not texts:
            return await self._embedder.passages(texts)
        used, now = Usage(self.name, sum(map(estimate_tokens, texts)), 0), self._clock.now()
        held = await reserved(
            self._database, self._budget, lambda c: self._budget.reserve(c, PASSAGES, used, now)
        )
        try:
            vectors = await self._embedder.passages(texts)
        except BaseException:
            await self._database.write(lambda c: self._budget.release(c, held), frees_space=True)
            raise
        await self._database.write(lambda c: self._budget.book(c, held, used), frees_space=True)
        return vectors
