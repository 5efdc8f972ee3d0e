"""What is said again, sent again or recalled is learnt once, through a real daemon."""

import pytest
from memud_client import Client

TIMES = 40
ROUNDS = 100
FACTS = {
    "en": ["I'm allergic to peanuts.", "I work as a baker in Ghent.", "My sister lives in Oslo."],
    "zh": ["我对花生过敏。", "我在杭州一家面包店工作。", "我妹妹住在成都。"],
}
PROMPTS = {
    "en": [
        "What can I cook without peanuts?",
        "Write to my sister in Oslo.",
        "Does a baker in Ghent start early?",
    ],
    "zh": ["不放花生可以做什么菜？", "给住在成都的妹妹写封信", "杭州的面包店几点开门？"],
}


def learn(client: Client, session_id: str = "s") -> None:
    """Wait until the session's turns are learnt from: compaction does."""
    client.call("session.compact", session_id=session_id, reason="wait")


def known(client: Client) -> list[tuple[str, str, int, int]]:
    """Every fact: id, words, how often it was said again, when last."""
    found = client.call("list", include_superseded=True)["results"]
    return [(item["id"], item["memory"], item["reinforced"], item["stated_at"]) for item in found]


def turns(client: Client) -> int:
    """How many turns are stored."""
    return int(client.call("stats")["resources"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_turn_that_is_sent_forty_times_is_one(client: Client, language: str) -> None:
    """By one key, in one session and in others: one turn, its facts once, said once."""
    event = {"key": "k", "role": "user", "content": " ".join(FACTS[language])}
    for time in range(TIMES):
        client.call("capture", events=[event], session_id=f"s{time % 3}")
    learn(client, "s0")
    assert turns(client) == 1
    assert sorted(words for _, words, _, _ in known(client)) == sorted(
        fact.rstrip(".。") for fact in FACTS[language]
    )
    assert {said_again for _, _, said_again, _ in known(client)} == {0}


@pytest.mark.parametrize("sessions", [1, TIMES])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_said_forty_times_is_known_once(client: Client, language: str, sessions: int) -> None:
    """By other keys each turn is stored, in one session or in as many; its facts are there once."""
    for time in range(TIMES):
        event = {"key": f"k{time}", "role": "user", "content": " ".join(FACTS[language])}
        client.call("capture", events=[event], session_id=f"s{time % sessions}")
    for number in range(sessions):
        learn(client, f"s{number}")
    assert turns(client) == TIMES
    assert len(known(client)) == len(FACTS[language])


def _as_it_is(block: str) -> str:
    return block


def _quoted(block: str) -> str:
    return "\n".join(f"> {line}" for line in block.splitlines())


def _in_a_fence(block: str) -> str:
    return f"```markdown\n{block}\n```"


def _escaped(block: str) -> str:
    return block.replace("<", "&lt;").replace(">", "&gt;")


def _in_other_fences(block: str) -> str:
    return "【回忆】\n" + _inner(block) + "\n【/回忆】"


def _in_a_list(block: str) -> str:
    return "What I know:\n" + "\n".join(f"  * {line.lstrip('- ')}" for line in _inner(block).splitlines())


def _inner(block: str) -> str:
    return "\n".join(line for line in block.splitlines() if "memud-recall" not in line)


DISGUISES = [_as_it_is, _quoted, _in_a_fence, _escaped, _in_other_fences, _in_a_list]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_hundred_rounds_of_recall_and_reply_teach_nothing(client: Client, language: str) -> None:
    """The block comes back before the prompt and in the reply, as it is and in disguise: nothing changes."""
    client.call(
        "capture",
        events=[{"key": "first", "role": "user", "content": " ".join(FACTS[language])}],
        session_id="s",
    )
    learn(client)
    before = known(client)
    for number in range(ROUNDS):
        prompt = PROMPTS[language][number % len(PROMPTS[language])]
        block = client.call("recall", query=prompt, threshold=0, session_id="s")["context"]
        assert "memud-recall" in block
        events = _round(number, prompt, DISGUISES[number % len(DISGUISES)](block))
        client.call("capture", events=events, session_id="s")
    learn(client)
    assert known(client) == before


def _round(number: int, prompt: str, block: str) -> list[dict[str, str]]:
    return [
        {"key": f"u{number}", "role": "user", "content": f"{block}\n\n{prompt}"},
        {"key": f"a{number}", "role": "assistant", "content": f"I looked:\n{block}\n\nSo that is it."},
    ]
