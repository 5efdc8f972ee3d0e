"""What every language model promises, each behind its provider's stub server and through the real SDK."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import pytest

from memory.errors import AnswerError, KeyRefusedError, MemudError, OutageError
from memory.llm.faults import UnusableError
from memory.testing import FrozenClock
from tests.stubs import script
from tests.stubs.models import KEY, SHORT_S, Stubbed, anthropic_stub, asking, openai_stub
from tests.stubs.provider import NOW, RETRY_AFTER_S
from tests.stubs.script import Fault

Opener = Callable[..., AbstractAsyncContextManager[Stubbed]]
LIMITED = {Fault.RATE_LIMIT_SECONDS, Fault.RATE_LIMIT_DATE, Fault.RATE_LIMIT_MS}
REASONS = {
    Fault.TOO_LONG: "answer_too_long",
    Fault.TOO_LARGE: "answer_too_long",
    Fault.REJECTED: "answer_rejected",
    Fault.REFUSAL: "answer_refused",
    Fault.CUT_AT_LIMIT: "answer_cut",
    Fault.EMPTY: "answer_empty",
}


@pytest.fixture(params=["anthropic", "openai"])
def opener(request: pytest.FixtureRequest) -> Opener:
    """Each provider."""
    return {"anthropic": anthropic_stub, "openai": openai_stub}[request.param]


@pytest.fixture
def clock() -> FrozenClock:
    """The time that the stubs' dates are counted from."""
    return FrozenClock(NOW)


@pytest.fixture
async def stubbed(opener: Opener, clock: FrozenClock) -> AsyncIterator[Stubbed]:
    """A model whose provider works."""
    async with opener(clock) as stubbed:
        yield stubbed


async def refused(opener: Opener, clock: FrozenClock, fault: Fault) -> MemudError:
    """What a model raises when its provider does nothing but this."""
    timeout_s = SHORT_S if fault is Fault.HANG else 30
    async with opener(clock, faults=script.always(fault), timeout_s=timeout_s) as stubbed:
        with pytest.raises(MemudError) as caught:
            await stubbed.model.answer(asking())
        assert len(stubbed.stub.requests) == 1
    return caught.value


async def test_the_answer_is_the_json_text_that_the_model_gave(stubbed: Stubbed) -> None:
    """In either language, unparsed."""
    answer = await stubbed.model.answer(asking("我从北京搬到上海 🎉"))
    assert json.loads(answer.raw) == {"facts": ["我从北京搬到上海 🎉"]}


async def test_an_answer_says_what_it_cost(stubbed: Stubbed) -> None:
    """In the provider's own count, under the model's own name."""
    usage = (await stubbed.model.answer(asking("word " * 400))).usage
    assert usage.model == stubbed.model.name.partition("/")[2]
    assert usage.input_tokens > 400
    assert usage.output_tokens > 400


async def test_half_a_character_does_not_keep_a_prompt_back(stubbed: Stubbed) -> None:
    """What JSON can't carry is replaced."""
    answer = await stubbed.model.answer(asking("broken \ud800 half"))
    assert json.loads(answer.raw) == {"facts": ["broken ? half"]}


async def test_many_tasks_get_their_own_answers(stubbed: Stubbed) -> None:
    """Nothing is mixed up between calls at the same time."""
    answers = await asyncio.gather(*(stubbed.model.answer(asking(f"turn {n}")) for n in range(12)))
    assert [json.loads(answer.raw)["facts"] for answer in answers] == [[f"turn {n}"] for n in range(12)]


async def test_a_cancelled_call_disturbs_no_other(opener: Opener, clock: FrozenClock) -> None:
    """Who stops waiting is forgotten; the others get their answers."""
    async with opener(clock, faults=script.first([Fault.HANG])) as stubbed, asyncio.TaskGroup() as tasks:
        given_up = tasks.create_task(stubbed.model.answer(asking("one")))
        await stubbed.stub.asked.wait()
        given_up.cancel()
        wanted = await stubbed.model.answer(asking("two"))
    assert json.loads(wanted.raw) == {"facts": ["two"]}


@pytest.mark.parametrize("fault", script.PASSING)
async def test_what_may_pass_is_an_outage_and_the_sdk_does_not_try_again(
    opener: Opener, clock: FrozenClock, fault: Fault
) -> None:
    """With the time to come back, if the provider named one in any of its forms."""
    error = await refused(opener, clock, fault)
    assert isinstance(error, OutageError)
    assert error.retry_after_ms == (1000 * RETRY_AFTER_S if fault in LIMITED else None)


@pytest.mark.parametrize("fault", script.FOR_A_PERSON)
async def test_what_a_person_has_to_set_right_says_what_to_do(
    opener: Opener, clock: FrozenClock, fault: Fault
) -> None:
    """A refused key, an empty account, an unknown model, a setting the model does not take."""
    error = await refused(opener, clock, fault)
    assert isinstance(error, KeyRefusedError)
    assert error.hint


@pytest.mark.parametrize("fault", script.OF_THE_PROMPT)
async def test_a_prompt_without_a_usable_answer_says_why(
    opener: Opener, clock: FrozenClock, fault: Fault
) -> None:
    """By a stable reason, and with the tokens it cost if it was answered at all."""
    error = await refused(opener, clock, fault)
    assert isinstance(error, UnusableError)
    assert isinstance(error, AnswerError)
    assert error.reason == REASONS[fault]
    answered = fault in (Fault.REFUSAL, Fault.CUT_AT_LIMIT, Fault.EMPTY)
    assert bool(error.input_tokens) == answered


@pytest.mark.parametrize("fault", script.OF_THE_ANSWER)
async def test_an_answer_of_another_form_is_handed_on_as_it_is(
    opener: Opener, clock: FrozenClock, fault: Fault
) -> None:
    """It is kept before it is parsed, so that nobody has to pay for it twice to see what was wrong."""
    async with opener(clock, faults=script.always(fault)) as stubbed:
        answer = await stubbed.model.answer(asking("tea"))
    assert answer.raw
    assert answer.raw != json.dumps({"facts": ["tea"]})
    assert answer.usage.output_tokens > 0


async def test_a_provider_that_can_not_be_reached_is_an_outage(opener: Opener, clock: FrozenClock) -> None:
    """Nobody listens at the address any more."""
    async with opener(clock) as stubbed:
        model = stubbed.model
    with pytest.raises(OutageError):
        await model.answer(asking())


@pytest.mark.parametrize("fault", [*script.PASSING, *script.FOR_A_PERSON, *script.OF_THE_PROMPT])
async def test_no_error_repeats_the_key_or_the_prompt(
    opener: Opener, clock: FrozenClock, fault: Fault
) -> None:
    """They end in logs and in `queue list`."""
    error = await refused(opener, clock, fault)
    said = f"{error!r} {error} {error.hint}"
    assert KEY not in said
    assert "Lisbon" not in said


async def test_after_a_fault_the_next_call_is_answered(opener: Opener, clock: FrozenClock) -> None:
    """A broken connection is not used again."""
    faults = [Fault.RESET, Fault.CUT_BODY, Fault.SERVER_ERROR]
    async with opener(clock, faults=script.first(faults)) as stubbed:
        for _ in faults:
            with pytest.raises(OutageError):
                await stubbed.model.answer(asking())
        assert json.loads((await stubbed.model.answer(asking("tea"))).raw) == {"facts": ["tea"]}
