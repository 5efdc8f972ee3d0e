"""What every detector of the proactive ledger promises."""

from typing import Protocol

import apsw

from memory.model import Prediction, Resource


class Detector(Protocol):
    """Looks at one new turn, with the store behind it, and predicts what the user will want.

    Runs in a reader's thread, once for each turn in order of arrival. Reads only; a prediction names its
    evidence. Silence is the usual answer.
    """

    @property
    def name(self) -> str:
        """As it stands in the ledger."""
        ...

    def detect(self, connection: apsw.Connection, turn: Resource, now: int) -> list[Prediction]:
        """The predictions that this turn gives rise to; `now` is Unix seconds."""
        ...
