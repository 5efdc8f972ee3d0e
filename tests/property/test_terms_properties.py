"""Terms hold their promises for any text."""

import apsw
from hypothesis import given
from hypothesis import strategies as st

from memory.terms import content_terms, estimate_tokens, index_terms, match_expression, query_terms

ANY_TEXT = st.text(alphabet=st.characters(codec=None))


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
