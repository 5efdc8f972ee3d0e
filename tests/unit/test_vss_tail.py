"""What a file lacks, while changes and batches overlap."""

import pytest

from memory.vectors.vss.tail import Tail

A, B, C = 11, 22, 33
"""Checksums of vectors."""


def owners_of(tail: Tail, *users: str) -> dict[str, list[int]]:
    """The changed keys by user."""
    return {user: sorted(tail.of(user)) for user in users}


def test_what_agrees_with_the_file_is_no_change() -> None:
    """Only what is new, or another, waits."""
    tail = Tail({1: A, 2: B})
    tail.put(1, "ann", A)
    tail.put(2, "ann", C)
    tail.put(3, "bob", C)
    assert owners_of(tail, "ann", "bob") == {"ann": [2], "bob": [3]}
    tail.put(2, "ann", B)
    assert owners_of(tail, "ann", "bob") == {"ann": [], "bob": [3]}


def test_what_never_came_is_gone_once_settled() -> None:
    """Put or removed before counts as having come."""
    tail = Tail({1: A, 2: B, 3: C})
    tail.put(1, "ann", A)
    tail.remove(2)
    assert len(tail) == 1
    tail.settle()
    assert sorted(tail.take(9)[0]) == [2, 3]
    tail.settle()
    assert len(tail) == 2


def test_a_key_that_is_neither_here_nor_there_is_no_change() -> None:
    """Nothing is written for what came and went between two batches."""
    tail = Tail({})
    tail.put(1, "ann", A)
    tail.remove(1)
    assert len(tail) == 0
    assert owners_of(tail, "ann") == {"ann": []}


def test_a_key_that_changes_hands_is_the_new_users_alone() -> None:
    """One key is one row."""
    tail = Tail({})
    tail.put(1, "ann", A)
    tail.put(1, "bob", A)
    assert owners_of(tail, "ann", "bob") == {"ann": [], "bob": [1]}


def test_the_oldest_changes_are_written_first_and_no_more_than_asked() -> None:
    """No key waits for ever."""
    tail = Tail({4: A})
    for key in (9, 4, 7):
        tail.put(key, "ann", B)
    taken, stale = tail.take(2)
    assert (list(taken), stale) == ([9, 4], [4])
    tail.landed({9: B, 4: B})
    assert owners_of(tail, "ann") == {"ann": [7]}
    assert tail.held == 2


@pytest.mark.parametrize("later", [B, A])
def test_a_vector_replaced_while_it_is_written_still_waits(later: int) -> None:
    """Also when it is again what the file held before: that is being overwritten."""
    tail = Tail({1: A})
    tail.put(1, "ann", C)
    tail.take(9)
    tail.put(1, "ann", later)
    tail.landed({1: C})
    assert owners_of(tail, "ann") == {"ann": [1]}


def test_a_vector_put_again_as_it_is_being_written_waits_no_more_than_once() -> None:
    """The next batch writes it again, and then it agrees."""
    tail = Tail({})
    tail.put(1, "ann", A)
    tail.take(9)
    tail.put(1, "ann", A)
    tail.landed({1: A})
    taken, stale = tail.take(9)
    assert (list(taken), stale) == ([1], [1])
    tail.landed({1: A})
    assert len(tail) == 0


def test_a_vector_removed_while_it_is_written_leaves_with_the_next_batch() -> None:
    """The file holds it for a moment, and it is not forgotten that it must go."""
    tail = Tail({})
    tail.put(1, "ann", A)
    tail.take(9)
    tail.remove(1)
    tail.landed({1: A})
    taken, stale = tail.take(9)
    assert ([change.user_id for change in taken.values()], stale) == ([None], [1])
    tail.landed({})
    assert (len(tail), tail.held) == (0, 0)


def test_a_vector_put_again_while_its_removal_is_written_waits() -> None:
    """The same words said again while they are being forgotten."""
    tail = Tail({1: A})
    tail.remove(1)
    tail.take(9)
    tail.put(1, "ann", A)
    tail.landed({})
    assert owners_of(tail, "ann") == {"ann": [1]}
    assert tail.held == 0


def test_a_file_that_holds_something_else_than_was_thought_is_compared() -> None:
    """After a fault: lost, gained, changed and the same."""
    tail = Tail({1: A, 2: A, 3: A})
    tail.put(4, "ann", C)
    users = {1: "ann", 2: "ann", 3: "bob", 4: "ann"}
    tail.take(9)
    tail.reopened({1: A, 2: B, 4: C, 5: A}, lambda keys: [users.get(key) for key in keys])
    assert owners_of(tail, "ann", "bob") == {"ann": [2, 4], "bob": [3]}
    taken, _ = tail.take(9)
    assert taken[5].user_id is None
    assert 1 not in taken
