"""What the user asked to forget, as event keys and hashes: enough to recognise it, too little to read it."""

import apsw


def lay(connection: apsw.Connection, user_id: str, subject: str, value: str, now: int) -> None:
    """Remember that this event key, or content of this hash, was forgotten."""
    connection.execute("INSERT OR IGNORE INTO tombstones VALUES (?, ?, ?, ?)", (user_id, subject, value, now))


def is_forgotten(connection: apsw.Connection, user_id: str, content_hash: str) -> bool:
    """Whether words of this hash were forgotten; what the user says anew counts all the same."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM tombstones WHERE user_id = ? AND subject = 'content' AND value = ?)",
        (user_id, content_hash),
    ).get
    return bool(row)
