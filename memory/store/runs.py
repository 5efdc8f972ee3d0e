"""When each job last ran, and how it went; the truth about what is overdue."""

from dataclasses import dataclass

import apsw


@dataclass(frozen=True, slots=True)
class Run:
    """Unix seconds; None: never."""

    last_ok: int | None = None
    last_error: str | None = None


def read(connection: apsw.Connection) -> dict[str, Run]:
    """All jobs that ever ran, by name."""
    rows = connection.execute("SELECT name, last_ok, last_error FROM job_runs")
    return {name: Run(*rest) for name, *rest in rows}


def succeeded(connection: apsw.Connection, name: str, now: int) -> None:
    """The job did its work."""
    connection.execute(
        """
        INSERT INTO job_runs VALUES (?1, ?2, ?2, NULL)
        ON CONFLICT DO UPDATE SET last_try = ?2, last_ok = ?2, last_error = NULL
        """,
        (name, now),
    )


def failed(connection: apsw.Connection, name: str, now: int, error: str) -> None:
    """The job did not; it is tried again at its next time."""
    connection.execute(
        """
        INSERT INTO job_runs VALUES (?1, ?2, NULL, ?3)
        ON CONFLICT DO UPDATE SET last_try = ?2, last_error = ?3
        """,
        (name, now, error),
    )
