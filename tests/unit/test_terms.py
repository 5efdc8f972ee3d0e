"""Terms: what full text indexes and what a query asks for, against the real FTS5."""

import sys
import threading
import unicodedata

import apsw
import pytest

from memory.terms import (
    MAX_INDEX_TERMS,
    MAX_QUERY_TERMS,
    content_terms,
    has_term,
    index_terms,
    language,
    match_expression,
    query_terms,
)
from memory.tokens import estimate_tokens


def tokens_of(texts: list[str]) -> list[list[str]]:
    """The tokens that FTS5's unicode61 makes of each text, in order."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'unicode61')")
    connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab (t, 'instance')")
    with connection:
        connection.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", enumerate(texts, 1))
    found: list[list[str]] = [[] for _ in texts]
    for term, document in connection.execute("SELECT term, doc FROM v ORDER BY doc, offset"):
        found[document - 1].append(str(term))
    return found


def finds(stored: str, question: str) -> bool:
    """Whether FTS5 finds a stored text by a question."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'unicode61')")
    connection.execute("INSERT INTO t (x) VALUES (?)", (" ".join(index_terms(stored)),))
    sql = "SELECT count(*) FROM t WHERE t MATCH ?"
    return bool(connection.execute(sql, (f"x : ({match_expression(query_terms(question))})",)).get)


@pytest.mark.parametrize(
    "text",
    [
        "The cats were running happily, weren't they? I'll see.",
        "我每天早上喝一杯绿茶，不放糖。",
        "コーヒーが好きです。ｺｰﾋｰ、がぎぐげご、々",
        "저는 커피를 좋아해요. 한국어",
        "Café déjà vu, naïve Ångström, Việt Nam ế, Straße, ΣΊΣΥΦΟΣ, İstanbul, ёлка",
        "🎉👨‍👩‍👧 party 🚀🚀 ①②③ ½ ２０２６",
        "ＮＶＤＡ现在多少钱 iPhone15用户",
        "हिन्दी ภาษาไทย עִבְרִית العربية",
        "\x00\ud800 NUL and surrogate \u200bzero\u200dwidth",
        "᧐᧑ᦰᳲ letters that FTS5 does not know",
        "snake_case kebab-case a.b.c x=1;y:2 'quoted' \"double\" (AND OR NOT NEAR*) ^+-",
        "s t d a b",
    ],
)
def test_every_index_term_is_one_fts5_token_equal_to_itself(text: str) -> None:
    """FTS5 splits the joined terms into exactly the terms again."""
    terms = index_terms(text)
    assert tokens_of([" ".join(terms)]) == [terms]
    assert "" not in terms


def test_no_letter_of_unicode_makes_a_term_that_fts5_changes() -> None:
    """Whatever letter or number stands in a word, its terms survive the tokenizer."""
    letters = [
        chr(code)
        for code in range(0x20, min(sys.maxunicode, 0x1FFFF))
        if unicodedata.category(chr(code))[0] in "LN"
    ]
    texts = [
        "".join(["a" + letter + "b " for letter in letters[at : at + 200]])
        for at in range(0, len(letters), 200)
    ]
    terms = [index_terms(text) for text in texts]
    assert tokens_of([" ".join(each) for each in terms]) == terms


def test_words_are_folded_and_stemmed() -> None:
    """Case, width, accents and endings do not keep words apart."""
    assert index_terms("Running CAFÉS") == index_terms("ｒｕｎ cafes")


def test_stop_words_are_indexed_and_repeats_are_kept() -> None:
    """The index holds every word in order."""
    assert index_terms("to be or not to be") == ["to", "be", "or", "not", "to", "be"]


def test_a_cjk_run_gives_bigrams_and_its_last_character() -> None:
    """Each character begins exactly one term; Latin words inside stay words."""
    assert index_terms("喜欢喝茶") == ["喜欢", "欢喝", "喝茶", "茶"]
    assert index_terms("茶") == ["茶"]
    assert index_terms("用Python写") == ["用", "python", "写"]


def test_index_terms_are_bounded() -> None:
    """A huge text costs no more than the bound, and a huge word is cut."""
    assert len(index_terms("word " * (MAX_INDEX_TERMS + 5))) == MAX_INDEX_TERMS
    assert len(index_terms("喝" * (MAX_INDEX_TERMS + 5))) == MAX_INDEX_TERMS
    assert max(map(len, index_terms("x1" * 40_000))) <= 64


def test_query_terms_leave_out_stop_words_of_both_languages() -> None:
    """What stands in every question is not asked for."""
    assert query_terms("What is the name of my dentist?") == ["name", "dentist"]
    assert query_terms("请问我的护照什么时候到期") == ["护照", "时候", "候到", "到期"]


def test_query_terms_fall_back_to_all_terms() -> None:
    """A question of stop words alone still finds their texts."""
    assert query_terms("who are you?") == ["who", "ar", "you"]
    assert query_terms("这是什么") == index_terms("这是什么")
    assert query_terms("?!") == []


def test_a_single_character_is_asked_for_only_when_nothing_longer_is_left() -> None:
    """Short Chinese questions find their text; longer ones are not blurred by single characters."""
    assert query_terms("我喝什么茶？") == ["喝", "茶"]
    assert query_terms("我喝什么绿茶？") == ["绿茶"]


def test_query_terms_are_distinct_and_bounded() -> None:
    """A pasted document can't make an endless query."""
    many = " ".join(f"word{number}" for number in range(200))
    assert len(query_terms(many + " " + many)) == MAX_QUERY_TERMS


def test_content_terms_are_a_part_of_the_query_terms() -> None:
    """What carries meaning is among what is asked for, and may be nothing."""
    question = "Can you please tell me about the Lisbon trip again?"
    assert content_terms(question) == ["lisbon", "trip"]
    assert set(content_terms(question)) <= set(query_terms(question))
    assert content_terms("can you tell me more?") == []


@pytest.mark.parametrize(
    ("stored", "question"),
    [
        ("我喜欢喝绿茶。", "我喝什么茶？"),
        ("我喜欢喝茶", "茶"),
        ("茶叶放在柜子里", "茶"),
        ("请记住我对花生过敏", "花生"),
        ("周五把iPhone寄给张伟", "iphone 在哪里"),
        ("She visited the cafés in Zürich", "zurich cafe visits"),
        ("コーヒーが好きです", "コーヒー"),
        ("저는 커피를 좋아해요", "커피"),
    ],
)
def test_a_question_finds_its_text(stored: str, question: str) -> None:
    """Two-character words, single characters, Latin words in Chinese and folded words are found."""
    assert finds(stored, question)


def test_a_question_does_not_find_another_text() -> None:
    """Terms that do not stand in a text do not match it."""
    assert not finds("我喜欢喝绿茶", "护照什么时候到期")
    assert not finds("the meeting is on Friday", "dentist appointment")


@pytest.mark.parametrize(
    "text",
    ['" OR x*', "NEAR(a b)", "col:val AND (NOT", "a\x00b", "'; DROP TABLE t; --", "^茶*", "", "  ", "🎉"],
)
def test_any_text_gives_a_valid_match(text: str) -> None:
    """No operator of FTS5 gets through, and nothing to ask for is an empty expression."""
    expression = match_expression(query_terms(text))
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'unicode61')")
    if expression:
        assert connection.execute("SELECT count(*) FROM t WHERE t MATCH ?", (expression,)).get == 0


def test_match_expression_quotes_terms_it_did_not_make() -> None:
    """Quotes inside a term are doubled."""
    assert match_expression(['a"b', "茶"]) == '"a""b" OR "茶" *'
    assert match_expression([]) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What do I drink?", "en"),
        ("我喝什么茶？", "zh"),
        ("NVDA现在多少钱", "zh"),
        ("帮我 review 一下这个 pull request", "zh"),
        ("The word 茶 means tea in Chinese", "en"),
        ("コーヒーが好きです", "en"),
        ("커피를 좋아해요", "en"),
        ("2026-05-01 12:30 提醒", "zh"),
        ("", "en"),
    ],
)
def test_language_is_chinese_where_han_characters_dominate(text: str, expected: str) -> None:
    """A Latin word counts as one character, numbers count nothing."""
    assert language(text) == expected


def test_a_lone_character_is_had_by_every_term_that_begins_with_it() -> None:
    """The prefix search of FTS5 and the count of matched terms agree."""
    assert has_term(set(index_terms("茶叶")), "茶")
    assert has_term(set(index_terms("喝茶")), "茶")
    assert not has_term(set(index_terms("咖啡")), "茶")
    assert not has_term({"teapot"}, "tea")


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("I prefer tea over coffee in the morning.", 9, 16),
        ("我更喜欢喝茶，不喜欢喝咖啡。", 9, 16),
        ("1234567890" * 4, 13, 40),
        ("{'a': [1, 2, 3]}", 10, 20),
        ("🎉🎉🎉", 6, 12),
    ],
)
def test_estimated_tokens_are_rather_too_many(text: str, least: int, most: int) -> None:
    """At least what common tokenizers count, and not absurdly more."""
    assert least <= estimate_tokens(text) <= most


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \t\n\u3000", 0),
        ("tea", 1),
        ("seventy", 1),
        ("eighteen", 2),
        ("eleven letters", 2),
        ("acknowledge", 2),
        ("acknowledges", 2),
        ("internationalization", 3),
        ("123", 1),
        ("1234", 2),
        ("2026-05-28", 6),
        ("v2.10", 4),
        ("I'd", 3),
        ("snake_case", 3),
        ("café", 2),
        ("喝茶", 2),
        ("喝茶。", 3),
        ("用 Python 喝茶", 4),
        ("🎉", 3),
        ("𠮷", 3),
    ],
)
def test_a_token_is_a_short_word_three_digits_or_a_sign(text: str, tokens: int) -> None:
    """One for every seven letters begun, three for what lies beyond the basic plane."""
    assert estimate_tokens(text) == tokens


def test_threads_stem_at_once_without_harm() -> None:
    """The stemmer is not shared between threads."""
    text = "relational conditional rational digitizer operator feudalism " * 50
    expected = index_terms(text)
    found: list[bool] = []

    def work() -> None:
        found.append(all(index_terms(text) == expected for _ in range(20)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4
