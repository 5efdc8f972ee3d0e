"""The anchors in one embedder's vectors, kept in the database: embedding them again would cost seconds."""

import hashlib

import apsw
import numpy as np

from memory.embed.anchors import Anchors, utterances

_NAME = "anchors/" + hashlib.sha256("\n".join(utterances()).encode()).hexdigest()[:16]


def load(connection: apsw.Connection, embedder: str, dimension: int) -> Anchors | None:
    """What was kept for this embedder and this list of anchors; None for nothing that fits."""
    blob = connection.execute(
        "SELECT value FROM calibration WHERE embedder = ? AND name = ?", (embedder, _NAME)
    ).get
    rows = len(utterances()) + 1
    if blob is None or len(blob) != rows * dimension * np.dtype(np.float32).itemsize:
        return None
    matrix = np.frombuffer(blob, np.float32).reshape(rows, dimension)
    return Anchors(matrix[0], matrix[1:])


def keep(connection: apsw.Connection, embedder: str, anchors: Anchors, now: int) -> None:
    """Keep the embedded anchors; of another list of anchors nothing is left."""
    connection.execute(
        "DELETE FROM calibration WHERE embedder = ? AND substr(name, 1, 8) = 'anchors/'", (embedder,)
    )
    matrix = np.vstack([anchors.mean, anchors.centred]).astype(np.float32)
    connection.execute(
        "INSERT INTO calibration VALUES (?, ?, ?, ?)", (embedder, _NAME, matrix.tobytes(), now)
    )
