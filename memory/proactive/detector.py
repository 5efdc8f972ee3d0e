"""What every detector of the proactive ledger promises."""

from typing import Protocol

import apsw

from memory.model import Prediction, Resource


class Detector(Protocol):
    """Looks at one new turn, with the store behind it, and predicts what the user will want.

    Once for each turn in order of arrival. Reads only; a prediction names its evidence, and counts from the
    moment at which the last of that was said. Silence is the usual answer.
    """

    @property
    def name(self) -> str:
        """As it stands in the ledger."""
        ...

    async def prepare(self) -> None:
        """Load what `detect` needs; called before turns are looked at, and cheap from the second time on.

        Raises TemporaryError when that can't be had now; the turns wait.
        """
        ...

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        """The predictions that this turn gives rise to. Runs in a reader's thread.

        A topic that the ledger has already is predicted again under the same name: its evidence grows.
        """
        ...
