"""How memory fades: retention by half-life, and what age takes from a relevance."""

import math


def retention(age_days: float, half_life_days: float | None) -> float:
    """What is left of a memory, 0..1: half after one half-life, 1 for an evergreen one (None).

    An age below zero counts as zero, a half-life of zero or less fades at once.
    """
    if half_life_days is None or age_days <= 0:
        return 1.0
    return 0.5 ** (age_days / half_life_days) if half_life_days > 0 else 0.0


def decayed_score(relevance: float, retention: float, decay_weight: float) -> float:
    """`sigmoid(logit(relevance) - decay_weight x (1 - retention))`: age is taken off in log-odds.

    So it hides weak and passing things and never a strong lasting one; 0 stays 0 and 1 stays 1.
    """
    odds_kept = math.exp(-decay_weight * (1.0 - retention))
    return relevance * odds_kept / (relevance * odds_kept + (1.0 - relevance))


def standing(fused: float, retention: float, decay_weight: float) -> float:
    """The order of what is recalled: the fused score, with age taken off as from a relevance."""
    return fused - decay_weight * (1.0 - retention)


def faded_cosine(cosine: float, retention: float) -> float:
    """The article's first formula, `recall.formula = "decay"`."""
    return cosine * retention


def literal_score(cosine: float, importance: float, retention: float) -> float:
    """The article's second formula, `recall.formula = "literal"`."""
    return cosine * importance * retention
