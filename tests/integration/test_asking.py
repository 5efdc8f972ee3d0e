"""What is made of a question before anything is looked for."""

from datetime import UTC, datetime

import numpy as np
import pytest

from memory.model import Scope
from memory.recall.asking import Asked, Asker
from memory.recall.query import Query
from memory.vectors.generations import Generation, Generations
from tests.shelf import Shelf


async def asked(shelf: Shelf, text: str, **scope: str) -> Asked:
    """A question, understood."""
    generations = Generations(Generation(shelf.embedder, shelf.index))
    asker = Asker(shelf.database, generations, shelf.clock, lambda: True, 10)
    return await asker.ask(Query(text, Scope(**scope), 10))  # type: ignore[arg-type]


def unix(text: str) -> int:
    """A time in UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


@pytest.fixture
async def group(shelf: Shelf) -> Shelf:
    """Ann and Bob have spoken."""
    for sender in ("Ann", "Bob"):
        await shelf.say(f"Hello, this is {sender}", sender=sender, scope=Scope(session_id="group"))
    return shelf


async def test_in_a_group_a_name_is_a_speaker_and_no_word(group: Shelf) -> None:
    """The question is embedded and weighed without it."""
    question = await asked(group, "Where did Bob park the van?")
    assert (question.names.speakers, question.names.content) == (("Bob",), "Where did park the van?")
    (aim,) = question.aims
    assert np.array_equal(aim.vector, await group.embedder.query("Where did park the van?"))


async def test_where_one_person_speaks_a_name_is_a_word(shelf: Shelf) -> None:
    """A user who is named by their channel asks about somebody else."""
    await shelf.say("Hello, this is Bob", sender="Bob", scope=Scope(session_id="alone"))
    question = await asked(shelf, "Where did Bob park the van?")
    assert (question.names.speakers, question.names.content) == ((), "Where did Bob park the van?")
    assert not question.names.hears_talks


async def test_the_speakers_of_another_user_are_none_of_this_one(group: Shelf) -> None:
    """Whoever they are, their names are words here."""
    question = await asked(group, "Where did Bob park the van?", user_id="ben")
    assert (question.names.speakers, question.names.hears_talks) == ((), False)


async def test_a_time_is_no_word_either(group: Shelf) -> None:
    """Nothing that was said on a day repeats which day it was."""
    question = await asked(group, "Where did Bob park the van last Tuesday?")
    assert question.names.content == "Where did park the van?"
    assert len(question.names.times) == 1


async def test_a_statement_keeps_its_times(group: Shelf) -> None:
    """It tells of a day and asks for none."""
    told = await asked(group, "I parked the van on Tuesday")
    assert (told.names.times, told.names.content) == ((), "I parked the van on Tuesday")


async def test_a_question_of_nothing_but_a_time_is_about_that_time(group: Shelf) -> None:
    """There is nothing else to look for, and that is no error."""
    question = await asked(group, "上周三？")
    assert len(question.names.times) == 1
    assert len(question.aims) == 1


@pytest.mark.parametrize("text", ["What did we plant in March?", "三月份种了什么？"])
async def test_a_month_without_a_year_is_one_in_which_something_was_said(shelf: Shelf, text: str) -> None:
    """A year after the last talk "March" is the March that there is something of, not an empty one."""
    await shelf.say("We planted beans", at=unix("2025-03-10 10:00"))
    (span,) = (await asked(shelf, text)).names.times
    assert span.start <= unix("2025-03-10 10:00") < span.end


async def test_yesterday_is_yesterday_though_nothing_was_said(shelf: Shelf) -> None:
    """Only words that fit many times are moved to one that has something."""
    await shelf.say("We planted beans", at=unix("2025-03-10 10:00"))
    (span,) = (await asked(shelf, "What did we plant yesterday?")).names.times
    assert not span.is_open
    assert span.start > unix("2025-03-11 10:00")
