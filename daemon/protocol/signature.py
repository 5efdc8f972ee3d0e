"""What a method takes and gives."""

from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Signature(Generic[P, R]):
    """A method of the wire. One that `keeps_deadline` answers in time by itself, with `partial: true`."""

    name: str
    params: type[P]
    result: type[R]
    summary: str
    keeps_deadline: bool = False
