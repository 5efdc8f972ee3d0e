"""What the daemon reads in a peer's name."""

from pathlib import Path

import pytest

from daemon.peer import may_be_read_for


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of the user that runs the tests."""
    path = tmp_path / "MEMORY.md"
    path.write_text("- has a cat\n")
    return path


def test_a_stranger_gets_only_what_is_his_own(file: Path) -> None:
    """A file that is not there is nobody's, as it may become anybody's."""
    owner = file.stat().st_uid
    stranger, daemon = owner + 1_000, owner + 2_000
    assert not may_be_read_for(file, stranger, own_uid=owner)
    assert not may_be_read_for(file, stranger, own_uid=daemon)
    assert may_be_read_for(file, owner, own_uid=daemon)
    assert not may_be_read_for(file.with_name("USER.md"), stranger, own_uid=daemon)


@pytest.mark.parametrize("uid", [None, 0, 77])
def test_whoever_could_read_it_as_the_daemon_may_have_it_read(uid: int | None, tmp_path: Path) -> None:
    """The daemon's own user, root, and peers that the system can't tell apart."""
    assert may_be_read_for(tmp_path / "MEMORY.md", uid, own_uid=77)
