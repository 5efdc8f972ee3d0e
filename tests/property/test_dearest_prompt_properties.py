"""What is kept free for a batch is never less than what its prompt takes, whatever was said."""

from hypothesis import given, settings, strategies

from memory.extract.prompt import MAX_KNOWN, dearest_prompt, extraction_prompt
from memory.llm.metered import expected_usage
from memory.model import Item, Resource
from tests.batches import known, turn

_ODD = strategies.sampled_from(
    ["<", "&", '"', "'", "a1", "1a", "🙂", "茶", "é", "!", " ", "word ", "\n", "\x1b[31m"]
)
_WORDS = strategies.builds(
    lambda pieces, times: "".join(pieces) * times,
    strategies.lists(_ODD, min_size=1, max_size=8),
    strategies.integers(0, 6_000),
)
_NAMES = strategies.none() | strategies.builds(lambda sign: sign * 60, _ODD)
_ZONES = strategies.sampled_from(["UTC", "Asia/Shanghai", "America/Argentina/ComodRivadavia"])
_TURNS = strategies.lists(
    strategies.builds(lambda text, sender, tz: turn(text, sender=sender, tz=tz), _WORDS, _NAMES, _ZONES),
    min_size=1,
    max_size=20,
)
_KNOWN = strategies.lists(strategies.builds(lambda text: known("m", text), _WORDS), max_size=MAX_KNOWN + 1)


@given(_TURNS, _KNOWN, strategies.integers(1, 5), strategies.data())
@settings(max_examples=150, deadline=None)
def test_no_prompt_takes_more_than_was_kept_free_for_its_turns(
    turns: list[Resource], near: list[Item], max_facts: int, data: strategies.DataObject
) -> None:
    """By bytes alone, with the longest facts known; also where only some of the turns are asked about."""
    told = data.draw(strategies.lists(strategies.sampled_from(turns), min_size=1, max_size=len(turns)))
    told = list({id(one): one for one in told}.values())
    most = expected_usage("m", dearest_prompt([len(one.turn.text.encode()) for one in turns], max_facts))
    takes = expected_usage("m", extraction_prompt(told, near, max_facts))
    assert takes.input_tokens <= most.input_tokens
    assert takes.output_tokens <= most.output_tokens
