"""Which vector index is wanted: as the configuration says, or as somebody chose since while it ran."""

from dataclasses import dataclass

import apsw


@dataclass(frozen=True, slots=True)
class IndexChoice:
    """The backend that is wanted, and the one that was configured when it was chosen.

    `is_built`: it has taken its place once, so a start may open it at once. `attempts` to build it were begun
    and neither ended nor stopped: the daemon died over them.
    """

    configured: str
    chosen: str
    is_built: bool
    attempts: int = 0


def read(connection: apsw.Connection, configured: str) -> IndexChoice | None:
    """What was chosen under this configuration; None where nothing was, or the configuration has changed."""
    row = connection.execute(
        "SELECT configured, chosen, is_built, attempts FROM index_choice WHERE configured = ?", (configured,)
    ).fetchone()
    return IndexChoice(row[0], row[1], bool(row[2]), row[3]) if row else None


def keep(connection: apsw.Connection, choice: IndexChoice) -> None:
    """Let this choice stand in place of any before."""
    connection.execute(
        "INSERT OR REPLACE INTO index_choice VALUES (1, ?, ?, ?, ?)",
        (choice.configured, choice.chosen, choice.is_built, choice.attempts),
    )
