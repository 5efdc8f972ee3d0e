"""The replies to one line: one, or for a batch an array once all are there."""


class Answers:
    """Collects replies. A line of notifications alone gets none."""

    def __init__(self, expected: int, *, is_batch: bool) -> None:
        self._missing = expected
        self._is_batch = is_batch
        self._replies: list[bytes] = []

    def add(self, reply: bytes | None) -> bytes | None:
        """Take a call's reply, None for a notification's; the line to send when it was the last one."""
        self._missing -= 1
        if reply is not None:
            self._replies.append(reply)
        if self._missing or not self._replies:
            return None
        return b"[" + b",".join(self._replies) + b"]" if self._is_batch else self._replies[0]
