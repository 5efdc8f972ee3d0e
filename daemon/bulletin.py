"""Wakes those who wait for news in the outbox."""

from jobs.bell import Bell


class Bulletin(Bell):
    """Rung after something was posted."""
