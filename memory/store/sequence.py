"""The numbers of turns and facts, from one sequence."""

import apsw


def next_key(connection: apsw.Connection) -> int:
    """A number that no turn or fact has had before."""
    row = connection.execute(
        "UPDATE sequence SET value = value + 1 WHERE name = 'memory' RETURNING value"
    ).get
    return int(row)
