"""How the cosines of one user's vectors lie: by their moments, or by a scan of the fewer rows."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from memory.ports import Filter, Spread, Vector
from memory.vectors.moments import Sums, sums_of
from memory.vectors.segment import Part
from memory.vectors.slab import View

_Mask = NDArray[np.bool_]


def spread(view: View, query: Vector, allowed: Filter) -> Spread:
    """Mean, deviation and number of all that the filter lets through.

    Of a large user they come from the moments; where `since` or `until` hide some rows, those are taken off.
    """
    if view.moments is None:
        return spread_of(_cosines(view, query, allowed))
    of_all = view.moments.sums(query, public_only=allowed.public_only)
    if not any(part.is_cut(allowed) for part in view.parts):
        return of_all.spread
    masks = [(part, *_split(part, allowed)) for part in view.parts]
    seen = sum(np.count_nonzero(visible) for _, visible, _ in masks)
    hidden = sum(np.count_nonzero(others) for _, _, others in masks)
    if seen <= hidden:
        return _scanned([(part, visible) for part, visible, _ in masks], query).spread
    return (of_all - _scanned([(part, mask) for part, _, mask in masks], query)).spread


def spread_of(cosines: NDArray[np.float32]) -> Spread:
    """The spread of cosines that were computed."""
    if not len(cosines):
        return Spread(0.0, 0.0, 0)
    return Spread(float(cosines.mean(dtype=np.float64)), float(cosines.std(dtype=np.float64)), len(cosines))


def _cosines(view: View, query: Vector, allowed: Filter) -> NDArray[np.float32]:
    found = [part.cosines(part.visible(allowed), query) for part in view.parts]
    return np.concatenate(found or [np.empty(0, np.float32)])


def _split(part: Part, allowed: Filter) -> tuple[_Mask, _Mask]:
    """The rows let through, and those that only their time hides."""
    at_any_time = part.visible(replace(allowed, since=None, until=None))
    visible = part.visible(allowed)
    everything = np.ones(len(part), np.bool_)
    at_any_time = everything if at_any_time is None else at_any_time
    visible = everything if visible is None else visible
    return visible, at_any_time & ~visible


def _scanned(masks: list[tuple[Part, _Mask]], query: Vector) -> Sums:
    found = Sums()
    for part, mask in masks:
        if mask.any():
            found += sums_of(part.cosines(mask, query))
    return found
