"""A store from before facts were filed by themselves: what a person filed is kept, the rest waits."""

import apsw

from migrations import runner

_BEFORE = 4
_ROWS = """
  INSERT INTO items
    (key, id, user_id, kind, memory_type, content, created_at, updated_at, stated_at, content_hash)
  VALUES (1, 'm1', 'u', 'semantic', 'general', 'I like tea', 0, 0, 0, 'h1'),
         (2, 'm2', 'u', 'semantic', 'general', 'I like jam', 0, 0, 0, 'h2');
  INSERT INTO categories (id, user_id, name, summary) VALUES ('c', 'u', 'Tea Time', 'old words');
  INSERT INTO item_categories VALUES ('m1', 'c');
"""


def test_what_a_person_filed_is_chosen_and_the_rest_waits() -> None:
    """The category is found by its name in any case, and is to be summed up anew."""
    connection = apsw.Connection(":memory:")
    for migration in runner.migrations():
        if migration.version <= _BEFORE:
            connection.execute(migration.sql)
    connection.pragma("application_id", runner.APPLICATION_ID)
    connection.pragma("user_version", _BEFORE)
    connection.execute(_ROWS)
    runner.apply(connection)
    assert connection.execute("SELECT item_id, state FROM item_filings ORDER BY item_id").fetchall() == [
        ("m1", "chosen"),
        ("m2", "waiting"),
    ]
    assert connection.execute("SELECT name, folded, made_by, dirty FROM categories").fetchall() == [
        ("Tea Time", "tea time", "person", 1)
    ]
    connection.close()
