"""kill -9 while facts are filed and summed up: what is left is done later, as if nothing had been."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from memud_client import Client

from tests.categorised_facts import FACTS, NOT_EVERYDAY
from tests.conftest import StartDaemon

TEXTS = [text for text, _ in FACTS] + list(NOT_EVERYDAY)


def told(client: Client) -> dict[str, Any]:
    """Size and sentences of each category."""
    listed = client.categories_list()["results"]
    return {
        one["name"]: (one["items"], {sentence["text"] for sentence in one["sentences"]}) for one in listed
    }


def settle(client: Client) -> None:
    """Run the job until it has nothing to do."""
    while any(client.job_run("categories")["counts"].values()):
        pass


def fill(client: Client) -> None:
    """Facts that nobody has filed yet, each verbatim."""
    for text in TEXTS:
        client.add(text, infer=False)


def unfile(database: Path) -> None:
    """As if all had been stored while nothing could be filed."""
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM categories")
        connection.execute("UPDATE item_filings SET state = 'waiting'")
        connection.execute("DELETE FROM job_runs WHERE name = 'categories'")  # so the start begins with it
    connection.close()


@pytest.mark.slow
def test_a_job_that_was_killed_is_done_by_the_next(start_daemon: StartDaemon, tmp_path: Path) -> None:
    """Every fact stands where it would have stood, once, and every category is summed up."""
    daemon = start_daemon()
    with daemon.client() as client:
        fill(client)
        settle(client)
        undisturbed = told(client)
    for made in (0, 1, 5):
        daemon.stop()
        unfile(daemon.database)
        daemon.start()
        with daemon.client() as client:
            while len(told(client)) < made:  # as far as that it may come; then it is killed
                pass
        daemon.kill()
        daemon.start()
        with daemon.client() as client:
            settle(client)
            assert told(client) == undisturbed
    assert len(undisturbed) > 10
    assert all(sentences for _, sentences in undisturbed.values())
