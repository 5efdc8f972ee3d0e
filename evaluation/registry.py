"""The sets by name; a new one is a file in sets/ and a line here."""

from collections.abc import Mapping

from evaluation.sets import (
    aging,
    beam,
    beam_updates,
    commitments,
    dedupe,
    foresight,
    intents,
    lifebench,
    locomo,
    noise,
    patience,
    poison,
    proactive,
    small_talk,
    unrelated,
    updates,
)
from evaluation.trial import EvalSet

SETS: Mapping[str, EvalSet] = {
    each.name: each
    for each in (
        locomo.SET,
        beam.SET,
        beam_updates.SET,
        proactive.SET,
        lifebench.SET,
        unrelated.SET,
        aging.SET,
        dedupe.SET,
        updates.SET,
        noise.SET,
        intents.SET,
        patience.SET,
        commitments.SET,
        foresight.SET,
        small_talk.SET,
        poison.SET,
    )
}
