"""What belongs to a turn by its sense, where something else, such as the hour, has to bear it out."""

import numpy as np

from memory.embed.anchors import Seen, joined

# Of the similarity that is corrected for hubs: to the turn, and on average to all that belongs to it. Chosen
# on the half `choose` of the own dated set: with the hours they bear out 11 of 12 habits, and nothing else.
NEAR = 0.08
TOGETHER = 0.06


def belonging(turn: Seen, others: Seen) -> list[int]:
    """The places of those that belong to the turn: the group grows by the one that fits it best."""
    if not len(others):
        return []
    rows = joined([turn, others])
    similar = rows.alike(rows)
    left = [place for place in range(1, len(rows)) if similar[0, place] >= NEAR]
    group = [0]
    while left:
        fit = similar[np.ix_(left, group)].mean(axis=1)
        fittest = int(fit.argmax())
        if fit[fittest] < TOGETHER:
            break
        group.append(left.pop(fittest))
    return [place - 1 for place in group[1:]]


def is_of(turn: Seen, members: Seen) -> bool:
    """Whether the turn belongs to the members, on average."""
    return len(members) > 0 and float(turn.alike(members).mean()) >= TOGETHER
