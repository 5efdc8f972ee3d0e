"""The noisy set: what it holds, and how what memud keeps of it is judged."""

from collections import Counter

from evaluation.sets import noise
from evaluation.sets.noise import Kept


def test_a_thousand_turns_hold_sixty_facts_in_two_languages() -> None:
    """Half of each kind and language stays unread by those who mend the rules."""
    turns = [turn for turn in noise.read() if turn.half != "fresh"]
    facts = [turn for turn in turns if turn.keep]
    assert len(turns) == 1000
    assert Counter((turn.language, turn.half) for turn in facts) == Counter(
        {(language, half): 15 for language in ("en", "zh") for half in noise.HALVES if half != "fresh"}
    )
    assert all(any(word in turn.content for word in turn.keep) for turn in facts)


def test_noise_that_is_kept_and_a_fact_told_twice_are_mistakes() -> None:
    """And a fact that is not kept is missed."""
    fact, other = [turn for turn in noise.read() if turn.keep][:2]
    junk = next(turn for turn in noise.read() if not turn.keep)
    told = Kept(fact.keep[0], frozenset({fact.key}))
    kept = [told, Kept(f"{fact.keep[0]} again", frozenset({fact.key})), Kept("x", frozenset({junk.key}))]
    assert noise.mistaken([fact, other, junk], kept) == kept[1:]
    assert noise.missed([fact, other, junk], kept) == [other]
    found = noise.figures([fact, other, junk], kept)
    assert {name: each.value for name, each in found.items() if each and "." not in name} == {
        "precision": 1 / 3,
        "recall": 0.5,
        "noise": 1.0,
    }
