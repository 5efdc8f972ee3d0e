"""The exit codes that scripts and systemd rely on (those of sysexits.h), and which error gives which."""

from memud_client import InvalidError, MemudError, TimedOutError, UnreachableError

OK = 0
FAILED = (
    1  # not done, or not in full: nothing has this id, a refusal, bad lines, a check of `doctor` that fails
)
USAGE = 64
UNREACHABLE = 69
LOCKED = 75
CONFIGURATION = 78


def of_error(error: MemudError) -> int:
    """The exit code of a refusal."""
    if isinstance(error, UnreachableError | TimedOutError):
        return UNREACHABLE
    return USAGE if isinstance(error, InvalidError) else FAILED
