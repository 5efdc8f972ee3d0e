"""The sets by name; a new one is a file in sets/ and a line here."""

from collections.abc import Mapping

from evaluation.sets import lifebench, locomo
from evaluation.trial import EvalSet

SETS: Mapping[str, EvalSet] = {
    each.name: each
    for each in (
        locomo.SET,
        lifebench.SET,
    )
}
