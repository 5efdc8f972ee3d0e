"""Concepts: which words stand for which, for whom, and what the shipped list promises."""

import importlib.resources
import tomllib

import pytest

from memory.scoring.background import background_prompts, prompt_shares
from memory.scoring.calibration import CONCEPT_SHARE, Wanted, wanted
from memory.scoring.concepts import (
    MAX_OTHER_WORDS,
    asked_for,
    asks_for_memory,
    members,
    other_words,
    without_the_user,
)
from memory.terms import content_terms, index_terms, is_cjk, language


def everything_weighs_the_same(_: str) -> float:
    """Every word weighs one."""
    return 1.0


def asked(question: str) -> Wanted:
    """What a question looks for, in a store where every word is rare."""
    terms = content_terms(without_the_user(question))
    return wanted(terms, {}, everything_weighs_the_same, asked_for(question, terms))


def mass(question: str, text: str) -> float:
    """How much of a question stands in a text."""
    return asked(question).found_in(set(index_terms(text)))[1]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("what should I drink?", "I prefer tea over coffee"),
        ("what should I drink?", "我早上喝咖啡"),
        ("我平时喝什么？", "Green tea, always"),
        ("我常喝什么？", "早上一杯绿茶"),
        ("Do I have pets?", "My cat is called Miso"),
        ("我有什么宠物？", "家里有一只狗"),
        ("Which sport do I do?", "I swam across the lake"),
        ("What is my rent?", "房东每月收我四千五"),
    ],
)
def test_a_name_of_a_concept_finds_its_kinds_in_both_languages(question: str, text: str) -> None:
    """One word counts by its share, and only once."""
    assert mass(question, text) == pytest.approx(CONCEPT_SHARE)


def test_one_kind_is_not_another() -> None:
    """Who asks for tea does not mean beer, who asks for the dog does not mean the cat."""
    assert mass("Which tea do I like?", "beer after work") == 0
    assert mass("What is my dog called?", "the cat sleeps a lot") == 0


def test_a_kind_is_itself_in_the_other_language() -> None:
    """Tea is 茶 in both directions."""
    assert mass("When do I have tea?", "下午一杯茶") == pytest.approx(CONCEPT_SHARE)
    assert mass("我的狗叫什么？", "our dog is old") == pytest.approx(CONCEPT_SHARE)


def test_the_word_itself_counts_in_full_and_never_twice() -> None:
    """A text with the word and with its concept gives what the word gives."""
    assert mass("what do I drink?", "a drink of tea, coffee and milk") == 1.0


def test_a_character_is_found_wherever_it_stands() -> None:
    """In the middle, at the end and alone; in another word of the same characters too."""
    for text in ("他泡茶给我", "一杯茶", "茶"):
        assert mass("what do I drink?", text) == pytest.approx(CONCEPT_SHARE)
    assert mass("what do I drink?", "今天开会") == 0


@pytest.mark.parametrize(
    "prompt",
    [
        "How do I cook rice for my family?",
        "how can I get my dog to sleep?",
        "Write a poem about a cup of tea",
        "What is the best pet for a child?",
        "帮我写一首关于茶的诗",
        "哪种运动最适合减肥？",
        "let the user choose a drink",
    ],
)
def test_who_asks_for_knowledge_gets_no_concept(prompt: str) -> None:
    """Only a question about the user is one that a memory answers."""
    assert not asks_for_memory(prompt)
    assert asked_for(prompt, content_terms(prompt)) == {}
    assert other_words(prompt, content_terms(prompt)) == []


@pytest.mark.parametrize(
    "question",
    [
        "what should I offer the user to drink?",
        "Does the user have pets?",
        "用户平时喝什么？",
        "How many pets do I have?",
    ],
)
def test_the_user_is_who_is_meant(question: str) -> None:
    """An agent asks about "the user", and the word itself asks for nothing."""
    assert asks_for_memory(question)
    assert "user" not in content_terms(without_the_user(question))
    assert "用户" not in without_the_user(question)


def test_few_background_prompts_ask_for_a_concept() -> None:
    """So few that their false alarms can hardly grow."""
    prompts = background_prompts()
    asking = [prompt for prompt in prompts if asked_for(prompt, content_terms(prompt))]
    assert len(asking) / len(prompts) < 0.05


def test_other_words_are_whole_concepts_within_a_bound() -> None:
    """A question of many concepts looks for the first of them, in a fixed order."""
    terms = content_terms("drink food sport family school travel music pet hobby")
    words = other_words("what do I " + " ".join(terms), terms)
    assert 0 < len(words) <= MAX_OTHER_WORDS
    assert words == sorted(set(words))
    assert "茶" in words
    assert all(0 < len(meant) <= MAX_OTHER_WORDS for meant in members().values() if meant)


def test_members_are_single_index_terms() -> None:
    """An English word is one term, a Chinese one has one or two characters; else it would never match."""
    for word in _words():
        terms = index_terms(word)
        assert len(terms) == 1 or (is_cjk(terms[0]) and len(word) == 2), word


def test_no_member_is_a_word_of_every_prompt() -> None:
    """The most common one stands in fewer than one prompt of twenty-five."""
    shares = prompt_shares()
    assert max(shares.get(term, 0.0) for term in members()) < 0.04


def test_the_list_is_bilingual_and_says_nothing_twice_in_a_concept() -> None:
    """Each concept has names in some language, most in both."""
    concepts = _table()
    both = [c for c in concepts.values() if {language(word) for word in c["names"].split()} == {"en", "zh"}]
    assert 60 <= len(concepts) <= 100
    assert len(both) == len(concepts)
    for name, concept in concepts.items():
        for words in (concept["names"], *concept["kinds"]):
            assert len(words.split()) == len(set(words.split())), name


def _table() -> dict[str, dict[str, str]]:
    file = importlib.resources.files("memory.scoring").joinpath("concepts.toml")
    return tomllib.loads(file.read_text("utf-8"))


def _words() -> list[str]:
    return [word for c in _table().values() for part in (c["names"], *c["kinds"]) for word in part.split()]
