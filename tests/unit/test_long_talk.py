"""The conversation by which tokens are measured."""

from collections import Counter

from bench.long_talk import EXCHANGES, conversation
from bench.tokens import LAST_TURNS, own_window
from memory.tokens import estimate_tokens


def test_it_is_the_same_in_every_run() -> None:
    """Figures of two versions can be compared."""
    assert conversation() == conversation()
    assert len(conversation()) == EXCHANGES == 250


def test_each_question_comes_long_after_what_answers_it() -> None:
    """Half of them in Chinese; nothing is asked about the turns just before."""
    talk = conversation()
    place = {one.key: number for number, one in enumerate(talk)}
    asked = [one for one in talk if one.evidence]
    assert Counter(one.language for one in asked) == {"en": 22, "zh": 22}
    for one in asked:
        assert one.evidence is not None
        assert place[one.key] - place[one.evidence] >= 25
        assert talk[place[one.evidence]].language == one.language


def test_the_agents_own_window_holds_its_last_turns() -> None:
    """Each turn is sent along with as many prompts as it stays in the window."""
    first, second, third, *rest = conversation()
    lengths = [estimate_tokens(words) for one in (first, second, third) for words in (one.prompt, one.reply)]
    assert LAST_TURNS == 6
    assert own_window([first]) == 0
    assert own_window([first, second]) == sum(lengths[:2])
    assert own_window([first, second, third, rest[0]]) == sum(lengths[:2]) + sum(lengths[:4]) + sum(lengths)
