"""Whether a reply made use of a memory: by its words beyond the prompt, in English and Chinese."""

import pytest

from memory.recall.outcome import Exchange, judge, new_terms
from memory.store.recalls import Outcome

TEA = "I prefer green tea over coffee in the afternoon."


def outcome(memory: str, prompt: str, reply: str) -> Outcome:
    """Judged with every word as rare as can be."""
    return judge("m-7", memory, Exchange(prompt, reply), {})


@pytest.mark.parametrize(
    ("memory", "prompt", "reply"),
    [
        (TEA, "What shall I drink now?", "It is past three, so how about green tea rather than coffee?"),
        ("My sister Nora lives in Ghent.", "Where does my sister live?", "Nora lives in Ghent."),
        ("我对花生过敏，吃了会起疹子。", "晚上想点外卖", "点川菜要小心花生，你一吃就起疹子。"),
        ("周末我喜欢去西湖边骑自行车。", "这个周末做什么好？", "天气不错，去西湖边骑自行车吧。"),
    ],
)
def test_a_reply_that_repeats_the_memory_used_it(memory: str, prompt: str, reply: str) -> None:
    """Most of what the memory adds to the prompt stands in the reply."""
    assert outcome(memory, prompt, reply) is Outcome.USED


@pytest.mark.parametrize(
    ("memory", "prompt", "reply"),
    [
        (TEA, "What shall I drink now?", "Some water would be good after the long run."),
        ("My sister Nora lives in Ghent.", "Book a table for my sister", "Which day suits you?"),
        ("我对花生过敏，吃了会起疹子。", "明天上海天气怎么样？", "明天上海多云，最高二十二度。"),
        ("周末我喜欢去西湖边骑自行车。", "帮我订一张去北京的机票", "好的，想订哪一天的？"),
    ],
)
def test_a_reply_about_something_else_did_not(memory: str, prompt: str, reply: str) -> None:
    """Nothing of what the memory adds stands in the reply."""
    assert outcome(memory, prompt, reply) is Outcome.UNUSED


def test_what_the_prompt_had_already_does_not_count() -> None:
    """An assistant repeats the prompt whatever it was given."""
    memory, reply = "We meet at the old lighthouse on Friday.", "Friday at the old lighthouse it is."
    assert outcome(memory, "Where do we meet?", reply) is Outcome.USED
    assert outcome(memory, "So: the old lighthouse, on Friday?", reply) is Outcome.UNUSED
    assert set(new_terms(memory, "So: the old lighthouse, on Friday?")) == {"meet"}


def test_one_common_word_of_a_long_memory_is_no_use() -> None:
    """A text that shares a word with many replies is not used by each of them."""
    long = TEA + " On Sundays my neighbour bakes walnut bread, and we eat it on the balcony with plum jam."
    assert outcome(long, "What's next?", "You could cut the bread into slices.") is Outcome.UNUSED


def test_common_words_count_for_less() -> None:
    """Words that stand in half of the store tell little."""
    prompt, reply = "What shall I drink?", "Green tea, as it is afternoon."
    common = dict.fromkeys(new_terms(TEA, prompt), 0.1)
    assert judge("m-7", TEA, Exchange(prompt, reply), {}) is Outcome.USED
    assert judge("m-7", TEA, Exchange(prompt, reply), common) is Outcome.UNUSED


def test_a_reply_that_quotes_the_id_used_it() -> None:
    """An agent that cites its memories says so itself, in any language."""
    assert outcome(TEA, "喝什么？", "看看 m-7 就知道了。") is Outcome.USED


def test_a_reply_in_another_language_can_not_tell() -> None:
    """A memory may be used without one of its words; a name that both have is a word."""
    assert outcome(TEA, "下午喝什么？", "来杯绿茶吧，你不喝咖啡。") is Outcome.UNKNOWN
    assert outcome("I moved to Reykjavik.", "我住在哪里？", "你住在 Reykjavik。") is Outcome.USED


def test_a_memory_without_a_word_of_its_own_can_not_tell() -> None:
    """What the prompt says too, or stop words alone, can't be found again."""
    assert outcome("It is what it is.", "And now?", "It is what it is.") is Outcome.UNKNOWN
