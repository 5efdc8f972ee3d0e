"""OpenAI's embeddings over the wire: limits, faults, and what is never paid twice."""

from pathlib import Path

import numpy as np
import pytest

from memory.embed.openai import MAX_CALL_BYTES, MAX_CALL_TEXTS, MAX_TEXT_BYTES
from memory.embed.remembered import RememberedEmbedder
from memory.errors import KeyRefusedError, MemudError, OutageError
from memory.knowledge.embedders import cosine_floors
from memory.llm.faults import UnusableError
from memory.testing import FrozenClock
from tests.stubs import script
from tests.stubs.embedders import embedder_stub
from tests.stubs.models import KEY, SHORT_S
from tests.stubs.provider import NOW, RETRY_AFTER_S
from tests.stubs.script import Fault

LIMITED = {Fault.RATE_LIMIT_SECONDS, Fault.RATE_LIMIT_DATE, Fault.RATE_LIMIT_MS}
REJECTED = [Fault.TOO_LONG, Fault.TOO_LARGE, Fault.REJECTED]


@pytest.fixture
def clock() -> FrozenClock:
    """The time that the stub's dates are counted from."""
    return FrozenClock(NOW)


async def test_many_texts_go_in_few_calls_within_the_limits(clock: FrozenClock) -> None:
    """Neither too many nor too large, and all in order."""
    texts = [f"turn {number}" for number in range(700)]
    async with embedder_stub(clock) as stubbed:
        rows = await stubbed.embedder.passages(texts)
        assert [len(call) for call in stubbed.calls] == [MAX_CALL_TEXTS, MAX_CALL_TEXTS, 188]
        assert rows[699] == pytest.approx(await stubbed.embedder.query("turn 699"), abs=1e-6)


async def test_long_texts_are_cut_and_spread_over_calls(clock: FrozenClock) -> None:
    """In either language, by bytes, so that no count of tokens can pass the provider's limit."""
    async with embedder_stub(clock) as stubbed:
        await stubbed.embedder.passages(["长" * 50_000, "word " * 20_000] * 30)
        assert len(stubbed.calls) > 1
        for call in stubbed.calls:
            assert max(len(text.encode()) for text in call) <= MAX_TEXT_BYTES
            assert sum(len(text.encode()) for text in call) <= MAX_CALL_BYTES


@pytest.mark.parametrize("fault", script.PASSING)
async def test_what_may_pass_is_an_outage(clock: FrozenClock, fault: Fault) -> None:
    """As with the models; a limit's time is kept."""
    timeout_s = SHORT_S if fault is Fault.HANG else 30
    async with embedder_stub(clock, script.always(fault), timeout_s) as stubbed:
        with pytest.raises(OutageError) as caught:
            await stubbed.embedder.query("tea")
    assert caught.value.retry_after_ms == (1000 * RETRY_AFTER_S if fault in LIMITED else None)


@pytest.mark.parametrize("fault", script.FOR_A_PERSON)
async def test_what_a_person_has_to_set_right_stops_the_asking(clock: FrozenClock, fault: Fault) -> None:
    """One request, however many texts wait."""
    async with embedder_stub(clock, script.always(fault)) as stubbed:
        for _ in range(5):
            with pytest.raises(KeyRefusedError) as caught:
                await stubbed.embedder.passages(["tea"])
        assert len(stubbed.calls) == 1
    assert KEY not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize("fault", REJECTED)
async def test_a_text_that_is_rejected_is_no_outage(clock: FrozenClock, fault: Fault) -> None:
    """The next text may be embedded."""
    async with embedder_stub(clock, script.first([fault])) as stubbed:
        with pytest.raises(UnusableError):
            await stubbed.embedder.passages(["tea"])
        assert (await stubbed.embedder.passages(["coffee"])).shape == (1, 1536)


async def test_a_fault_in_passing_is_not_noticed(clock: FrozenClock) -> None:
    """One quick retry."""
    async with embedder_stub(clock, script.first([Fault.RESET])) as stubbed:
        assert len(await stubbed.embedder.query("tea")) == 1536


async def test_vectors_of_another_length_are_refused(clock: FrozenClock) -> None:
    """They could not be compared with any that are stored; the setting is named."""
    async with embedder_stub(clock, dimension=768) as stubbed:
        with pytest.raises(KeyRefusedError) as caught:
            await stubbed.embedder.query("tea")
    assert "embed.openai_dimension" in caught.value.hint


async def test_what_was_embedded_before_a_fault_is_not_paid_again(clock: FrozenClock, tmp_path: Path) -> None:
    """The file keeps each call's vectors as soon as they are there, by the texts' hashes."""
    texts = [f"turn {number}" for number in range(600)]
    async with embedder_stub(clock, script.first([None, Fault.RATE_LIMIT_SECONDS])) as stubbed:
        remembered = RememberedEmbedder(stubbed.embedder, tmp_path / "vectors.db")
        with pytest.raises(MemudError):
            await remembered.passages(texts)
        clock.turn(RETRY_AFTER_S)
        rows = await remembered.passages(texts)
        assert sum(len(call) for call in stubbed.calls) == 600 + MAX_CALL_TEXTS
        assert np.array_equal(await remembered.passages(texts), rows)
        assert sum(len(call) for call in stubbed.calls) == 600 + MAX_CALL_TEXTS
        remembered.close()


async def test_near_is_what_the_article_says_for_this_model(clock: FrozenClock) -> None:
    """Its .9, in both languages."""
    async with embedder_stub(clock) as stubbed:
        floors = cosine_floors(stubbed.embedder.name)
    assert (floors.duplicate_en, floors.duplicate_zh) == (0.9, 0.9)
