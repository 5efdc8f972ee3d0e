"""Progress in tenths."""


class Tenths:
    """Counts in tenths of a total, so that not each batch is news."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._passed = 0

    def has_passed_one(self, done: int) -> bool:
        """Whether another tenth is done since the last one told."""
        tenth = 10 * done // max(1, self.total)
        is_new = tenth > self._passed
        self._passed = max(tenth, self._passed)
        return is_new
