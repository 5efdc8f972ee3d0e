"""The names of categories: fit to be shown, and the same however they are written."""

import re
import unicodedata

from memory.terms import index_terms

MAX_CHARS = 40
_MAX_WORDS = 6
# What a group may be told of a category `c`: private facts may have given it its name, so with one of those
# in it the name has to be an everyday one, be said by a public fact, or be chosen for one by a person.
TOLD_IN_PUBLIC = """
  (
    c.everyday IS NOT NULL
    OR NOT EXISTS (
      SELECT 1 FROM item_categories AS t JOIN items AS own ON own.id = t.item_id
      WHERE t.category_id = c.id AND own.private
    )
    OR EXISTS (
      SELECT 1 FROM item_categories AS t
      JOIN items AS own ON own.id = t.item_id
      JOIN item_filings AS f ON f.item_id = t.item_id
      WHERE t.category_id = c.id AND NOT own.private
        AND (f.state = 'chosen' OR instr(lower(own.content), lower(c.name)) > 0)
    )
  )
"""
_NO_NAME = re.compile(r"<[^<>]*>|[<>\[\]{}()|`*#\\/\"“”]+")
_BLANKS = re.compile(r"\s+")


def tidy(name: str) -> str:
    """A name that a model gave, as plain words on one line; "" where it is none.

    Markup, signs that nobody sees and what is too long for a name are refused or taken out.
    """
    if len(name) > 4 * MAX_CHARS:
        return ""
    plain = _NO_NAME.sub(" ", unicodedata.normalize("NFKC", name))
    seen = "".join(sign if unicodedata.category(sign)[0] != "C" else " " for sign in plain)
    short = _BLANKS.sub(" ", seen).strip(" .,:;!?-–—_。，、：；！？")
    is_name = any(sign.isalpha() for sign in short) and len(short.split()) <= _MAX_WORDS
    return short if is_name and len(short) <= MAX_CHARS else ""


def fold(name: str) -> str:
    """The same for "Food", "food" and "foods"; never empty, and bounded."""
    return " ".join(index_terms(name))[:256] or name.casefold()[:256]
