"""The errors of memud: one base, few children, each with the reason a client sees and a hint for a person."""


class MemudError(Exception):
    """Something memud was asked to do could not be done.

    `reason` is a stable word for programs, `hint` says what to do now, `retriable` whether the same
    call may succeed later, `retry_after_ms` when.
    """

    reason = "internal"
    retriable = False

    def __init__(self, message: str, *, hint: str = "", retry_after_ms: int | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        self.retry_after_ms = retry_after_ms


class InvalidError(MemudError):
    """The input can't be used as it is."""

    reason = "invalid"


class NotFoundError(MemudError):
    """No memory, turn or queue entry has this id."""

    reason = "not_found"


class ForbiddenError(MemudError):
    """The connection is bound to another user."""

    reason = "forbidden"


class BusyError(MemudError):
    """Too much is waiting; nothing was stored."""

    reason = "busy"
    retriable = True


class StorageFullError(MemudError):
    """The disk is full: recall goes on, nothing new can be stored until space is free."""

    reason = "storage_full"
    retriable = True


class DeadlineError(MemudError):
    """The deadline passed before anything could be answered."""

    reason = "deadline"
    retriable = True


class TemporaryError(MemudError):
    """A provider or resource failed in a way that may pass; the work is kept and tried again."""

    reason = "temporary"
    retriable = True


class OutageError(TemporaryError):
    """A provider is overloaded, broken or out of reach; the turn's own tries are not counted."""

    reason = "outage"


class KeyRefusedError(TemporaryError):
    """A provider refuses the key: nothing goes on there until a person acts, and nothing is lost."""

    reason = "key_refused"


class BudgetError(TemporaryError):
    """The day's tokens are spent; `retry_after_ms` says when the next day begins."""

    reason = "budget"


class AnswerError(MemudError):
    """A model gave no usable answer to this prompt: refused, cut, empty, of another form, too long.

    `input_tokens` and `output_tokens` are what the call took all the same; None where nobody said.
    """

    reason = "answer"

    def __init__(
        self, message: str, *, hint: str = "", input_tokens: int | None = None, output_tokens: int = 0
    ) -> None:
        super().__init__(message, hint=hint)
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


class UnavailableError(MemudError):
    """A part can't be used on this machine; memud works without it and `health` says so."""

    reason = "unavailable"


class ClosedError(MemudError):
    """The part was used after it was closed."""

    reason = "closed"


class LockedError(MemudError):
    """Another daemon owns this database."""

    reason = "locked"


class SchemaError(MemudError):
    """The database or SQLite does not fit this version of memud."""

    reason = "schema"
