"""What a model is shown of one user holds no word of another, in any order of talk, guesses and ticks."""

import asyncio
import random
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from config.settings import load
from jobs.forecast import Forecaster
from memory.database import Database
from memory.ids import id_maker
from memory.model import Role, Scope
from memory.testing import FakeEmbedder, FakeExtractor, FakeLanguageModel, FrozenClock
from tests.world import World

USERS = ("ana", "bo", "che")
WORD = re.compile(r"(ana|bo|che)word\d+")
SAYINGS = (
    "I'm moving to {word} in May and still have no flat there.",
    "What do flats in {word} cost these days?",
    "下个月想去{word}玩，签证还没开始办。",
    "Tell bo and che about {word}, please, they asked for it.",
    "> {word} was quoted by somebody\n\nand I want to know more about it.",
)
STEP = st.one_of(
    st.tuples(
        st.just("say"), st.sampled_from(USERS), st.integers(0, len(SAYINGS) - 1), st.sampled_from(["s", "t"])
    ),
    st.tuples(st.just("tick"), st.sampled_from([None, *USERS]), st.integers(0, 30), st.just("")),
)


def _guess(prompt: str) -> dict[str, Any]:
    """Something about the first word that is shown."""
    found = WORD.search(prompt)
    if found is None:
        return {"intents": []}
    word = found[0]
    guess = {"topic": word, "text": f"News of {word}.", "probability": 0.8, "when": "", "days": 9}
    return {"intents": [guess | {"turns": [f"t{n}" for n in range(1, 25)]}]}


async def _kept_apart(steps: list[tuple[str, str | None, int, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        config, clock, new_id = load(), FrozenClock(), id_maker(random.Random(3).randbytes)  # noqa: S311
        store = config.store.model_copy(update={"ballast_bytes": 4096})
        database = Database.open(Path(folder) / "m.db", store)
        model = FakeLanguageModel(_guess)
        world = World.build(
            database, config, clock, new_id, embedder=FakeEmbedder(), extractor=FakeExtractor()
        )
        forecaster = Forecaster(database, model, config.proactive, clock, new_id)
        try:
            for count, (step, user, number, session_id) in enumerate(steps):
                clock.turn(60 * number)
                if step == "tick" or user is None:
                    await forecaster.run(user, clock.now())
                    continue
                text = SAYINGS[number].format(word=f"{user}word{count}")
                scope = Scope(user, session_id=session_id)
                await world.say(text, f"k{count}", scope=scope, role=Role.USER)
            await forecaster.run(None, clock.now() + 3600)
            shown = [{found[1] for found in WORD.finditer(prompt.text)} for prompt in model.prompts]
            assert all(len(users) == 1 for users in shown)
            owners = await world.rows(
                """
                SELECT p.user_id, r.user_id, p.topic
                FROM proactive_items AS p
                JOIN proactive_evidence AS e ON e.proactive_id = p.id
                JOIN resources AS r ON r.id = e.resource_id
                """
            )
            assert [row for row in owners if not (row[0] == row[1] and row[2].startswith(row[0]))] == []
        finally:
            database.close()


@pytest.mark.slow
@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(STEP, min_size=6, max_size=30))
def test_no_prompt_and_no_guess_mixes_two_users(steps: list[tuple[str, str | None, int, str]]) -> None:
    """Each prompt is about one user's turns and open items, and what it foresees rests on that user's."""
    asyncio.run(_kept_apart(steps))
