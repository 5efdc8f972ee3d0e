"""Pairs of sentences: which ones count, and how what memud made of them is judged."""

from pathlib import Path

from evaluation.sets import dedupe, updates
from evaluation.sets.dedupe import Judged
from tests.tiny_sets import write_all


def test_pairs_that_people_do_not_agree_on_are_left_out(tmp_path: Path) -> None:
    """From 4.5 they are the same, below 4 they are not; of the inference sets only contradictions count."""
    pairs = dedupe.read(write_all(tmp_path))
    assert [(pair.of, pair.is_same) for pair in pairs] == [
        ("stsb_en", True),
        ("stsb_en", False),
        ("stsb_zh", True),
        ("snli", False),
        ("ocnli", False),
    ]


def test_a_repetition_is_right_only_for_what_is_the_same(tmp_path: Path) -> None:
    """All taken for repetitions: every duplicate found, one wrong, and every contradiction dropped."""
    pairs = dedupe.read(write_all(tmp_path))
    found = dedupe.figures([Judged(pair, is_repeated=True) for pair in pairs])
    values = {name: each.value for name, each in found.items() if each}
    assert values["precision"] == 2 / 3
    assert (values["recall"], values["stsb_en.precision"], values["stsb_zh.precision"]) == (1, 0.5, 1)
    assert (values["snli.dropped"], values["ocnli.dropped"]) == (1, 1)


def test_our_pairs_are_balanced_and_split() -> None:
    """As many look-alikes as updates in both languages; every second pair of the first file is held out."""
    pairs = updates.read()
    for half in ("learnt", "held", "fresh"):
        for language in ("en", "zh"):
            group = [pair for pair in pairs if (pair.half, pair.language) == (half, language)]
            assert sum(pair.is_update for pair in group) == len(group) / 2 == 30


def test_what_is_doubted_is_seen_but_not_superseded() -> None:
    """And a look-alike that is only doubted is not wrong."""
    pairs = [pair for pair in updates.read() if pair.half == "held"]
    found = updates.figures([updates.Judged(pair, is_superseded=False, is_doubted=True) for pair in pairs])
    values = {name: each.value for name, each in found.items() if each}
    assert (values["held.superseded"], values["held.seen"], values["held.wrong"]) == (0, 1, 0)
    assert "fresh.wrong" not in values
