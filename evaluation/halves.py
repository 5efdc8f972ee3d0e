"""The halves of a set: constants are chosen on the first, figures told on the second."""

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

HALVES = ("choose", "report")
_LANGUAGES = ("en", "zh")


class InHalf(Protocol):
    """What is of one half and one language."""

    @property
    def half(self) -> str:
        """One of HALVES."""

    @property
    def language(self) -> str:
        """`en` or `zh`."""


One = TypeVar("One", bound=InHalf)


def parts(ones: Sequence[One]) -> Iterator[tuple[str, list[One]]]:
    """Each half that has any, then each language of it, by a name such as `report` and `report.zh`."""
    for half in HALVES:
        group = [one for one in ones if one.half == half]
        if group:
            yield half, group
        for language in _LANGUAGES:
            if part := [one for one in group if one.language == language]:
                yield f"{half}.{language}", part
