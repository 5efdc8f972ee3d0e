"""How far, in order of arrival, a job has read."""

import apsw


def position(connection: apsw.Connection, name: str) -> int:
    """The last number read; 0 for none."""
    row = connection.execute("SELECT position FROM job_cursors WHERE name = ?", (name,)).get
    return 0 if row is None else int(row)


def advance(connection: apsw.Connection, name: str, to: int) -> None:
    """Go on from here; never back."""
    connection.execute(
        """
        INSERT INTO job_cursors VALUES (?1, ?2)
        ON CONFLICT DO UPDATE SET position = max(position, ?2)
        """,
        (name, to),
    )
