"""Terms hold their promises for any text."""

import apsw
from hypothesis import given
from hypothesis import strategies as st

from memory.simplified import simplified
from memory.terms import (
    TextTerms,
    content_terms,
    has_term,
    index_terms,
    match_expression,
    present,
    query_terms,
)
from memory.tokens import estimate_tokens, first_tokens

ANY_TEXT = st.text(alphabet=st.characters(codec=None))
# Words that share beginnings and stems, and Chinese that shares bigrams, so that questions and texts meet.
_PARTS = [
    "relate", "relational", "relating", "happy", "happily", "hope", "hoping", "hop", "ties", "sky", "s", "a1",
    "é", "élan", "привет", "喝", "茶", "叶", "喝茶", "コーヒー", "커피", " ", " ", "-", "。",
]  # fmt: skip
MIXED_TEXT = st.lists(st.sampled_from(_PARTS), max_size=12).map("".join)


@given(ANY_TEXT)
def test_any_text_is_found_by_itself_in_fts5(text: str) -> None:
    """Joined index terms come back as the same tokens, and a text's own query matches it."""
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'unicode61')")
    connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab (t, 'instance')")
    terms = index_terms(text)
    connection.execute("INSERT INTO t (x) VALUES (?)", (" ".join(terms),))
    assert [row[0] for row in connection.execute("SELECT term FROM v ORDER BY offset")] == terms
    if expression := match_expression(query_terms(text)):
        assert connection.execute("SELECT count(*) FROM t WHERE t MATCH ?", (expression,)).get == 1


@given(ANY_TEXT)
def test_content_terms_are_query_terms(text: str) -> None:
    """Every content term is asked for, so that its frequency is known."""
    assert set(content_terms(text)) <= set(query_terms(text))


@given(ANY_TEXT, ANY_TEXT)
def test_a_longer_text_never_costs_fewer_tokens(text: str, more: str) -> None:
    """The estimate grows with the text, and the parts never cost less than the whole."""
    assert (
        estimate_tokens(text) <= estimate_tokens(text + more) <= estimate_tokens(text) + estimate_tokens(more)
    )


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=200))
def test_the_short_way_for_ascii_gives_the_same_terms(text: str) -> None:
    """A CJK character at the end makes the text take the long way."""
    assert index_terms(text) == index_terms(text + " 中")[:-1]


@given(MIXED_TEXT | ANY_TEXT, MIXED_TEXT | ANY_TEXT)
def test_a_text_has_the_same_terms_whether_it_is_taken_apart_or_looked_into(text: str, question: str) -> None:
    """For every term of any question, one by one and all at once."""
    asked, apart = query_terms(question), set(index_terms(text))
    known = [term for term in asked if has_term(apart, term)]
    assert [term for term in asked if has_term(TextTerms(text), term)] == known
    assert present(TextTerms(text), asked) == present(apart, asked) == set(known)


@given(MIXED_TEXT | ANY_TEXT, st.integers(0, 40))
def test_the_first_tokens_of_a_text_are_as_many_as_fit(text: str, most: int) -> None:
    """Its beginning, never over; one sign more would cost too much, or there is none."""
    head = first_tokens(text, most)
    assert text.startswith(head)
    assert estimate_tokens(head) <= most
    assert head == text or estimate_tokens(text[: len(head) + 1]) > most


@given(ANY_TEXT | st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=40))
def test_simplified_text_keeps_its_places_and_stays_so(text: str) -> None:
    """One character for one, and what was folded once is folded no further."""
    folded = simplified(text)
    assert len(folded) == len(text)
    assert simplified(folded) == folded
