"""What can go wrong with a measurement."""

from memory.errors import InvalidError, MemudError


class DataError(InvalidError):
    """A file of the set is missing or has another form than expected."""


class StandError(MemudError):
    """The daemon that is measured did not start, or gave up."""

    reason = "stand"
