"""The socket file on a real file system, and who may connect to it."""

import asyncio
import os
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.listener import Listener, adopt_listener, open_listener
from daemon.method import Method
from daemon.peer import is_welcome, uid_of
from daemon.server import Server
from daemon.systemd import take_descriptors
from daemon.testing import Peer, server_settings, serving
from memory.errors import InvalidError, LockedError

NOBODY = 65_534

STRANGER = """
import os, socket, sys
os.chdir(sys.argv[1])
os.setuid(int(sys.argv[2]))
s = socket.socket(socket.AF_UNIX)
s.connect("memud.sock")
s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"hello"}\\n')
try:
    print(s.recv(10000).decode())
except ConnectionError:
    print()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A socket path in a folder that does not exist yet."""
    return tmp_path / "run" / "memud.sock"


@pytest.fixture
def listener(path: Path) -> Iterator[Listener]:
    """A listener of ours."""
    opened = open_listener(path)
    yield opened
    opened.socket.close()


def mode(path: Path) -> int:
    """The permission bits."""
    return stat.S_IMODE(path.stat().st_mode)


def test_the_socket_is_the_users_own_whatever_the_umask(path: Path) -> None:
    """Mode 0600 in a folder of mode 0700, and nothing else is left in it."""
    before = os.umask(0)
    try:
        open_listener(path).socket.close()
    finally:
        os.umask(before)
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert [entry.name for entry in path.parent.iterdir()] == ["memud.sock"]


def test_a_folder_that_exists_keeps_its_mode(path: Path) -> None:
    """The operator's choice stands."""
    path.parent.mkdir(mode=0o750)
    open_listener(path).socket.close()
    assert mode(path.parent) == 0o750


def test_a_stale_socket_is_replaced(path: Path, listener: Listener) -> None:
    """What a killed daemon left behind does not keep the next one from starting."""
    listener.socket.close()
    again = open_listener(path)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(b"x")
        answered, _ = again.socket.accept()
        with answered:
            assert answered.recv(1) == b"x"
    again.socket.close()


def test_a_living_daemons_socket_is_left_alone(path: Path, listener: Listener) -> None:
    """Whoever answers keeps the path."""
    inode = path.stat().st_ino
    with pytest.raises(LockedError):
        open_listener(path)
    assert path.stat().st_ino == inode


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_is_no_socket_is_never_removed(path: Path, kind: str) -> None:
    """A slip in --socket costs nobody a file."""
    path.parent.mkdir()
    precious = path.parent / "precious"
    precious.write_text("words")
    if kind == "file":
        path.write_text("words")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(precious)
    with pytest.raises(InvalidError, match="no socket"):
        open_listener(path)
    assert path.exists()
    assert precious.read_text() == "words"


def test_a_path_too_long_for_a_socket_is_refused_in_words(tmp_path: Path) -> None:
    """The error says how long it may be, and how to choose another."""
    with pytest.raises(InvalidError, match="107 are allowed") as caught:
        open_listener(tmp_path / ("x" * 108))
    assert "--socket" in caught.value.hint


def test_only_our_own_file_is_removed(path: Path, listener: Listener) -> None:
    """A daemon that stops late does not take the next one's socket away."""
    listener.socket.close()
    successor = open_listener(path)
    listener.remove()
    assert path.exists()
    successor.remove()
    successor.remove()
    assert not path.exists()
    successor.socket.close()


def _until_there(path: Path) -> None:
    while not path.exists():
        time.sleep(0.02)


@pytest.mark.slow
async def test_a_deleted_socket_file_is_made_again(path: Path) -> None:
    """A cleared folder does not leave a daemon that holds the store and can't be reached; old peers stay."""
    async with serving(path, {}):
        async with await Peer.connect(path) as before:
            shutil.rmtree(path.parent)
            await asyncio.to_thread(_until_there, path)
            async with await Peer.connect(path) as after:
                assert await before.call("hello") == await after.call("hello")
        assert (mode(path), mode(path.parent)) == (0o600, 0o700)


async def test_a_socket_of_systemd_outlives_the_daemon(path: Path, listener: Listener) -> None:
    """An adopted socket serves, and neither file nor queue is gone when the daemon stops."""
    server, stop = Server({}, server_settings(), version="0", max_notifications=1), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(server.serve(adopt_listener(os.dup(listener.socket.fileno())), stop))
        async with await Peer.connect(path) as peer:
            assert await peer.call("hello")
        stop.set()
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))


def test_a_descriptor_that_does_not_listen_is_refused() -> None:
    """A wrong socket unit is found at the start, not at the first client."""
    left, right = socket.socketpair()
    with left, right, pytest.raises(InvalidError, match="no listening"):
        adopt_listener(os.dup(left.fileno()))


def test_sockets_are_taken_as_systemd_hands_them_over(path: Path, listener: Listener) -> None:
    """A real process finds its socket at descriptor 3, and its children do not inherit it."""
    script = (
        "import os\n"
        "from daemon.listener import adopt_listener\n"
        "from daemon.systemd import take_descriptors\n"
        "os.environ['LISTEN_PID'] = str(os.getpid())\n"
        "(fd,) = take_descriptors(os.environ, os.getpid())\n"
        "print(fd, os.get_inheritable(fd), adopt_listener(fd).socket.getsockname())\n"
    )
    number = listener.socket.fileno()
    child = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "LISTEN_FDS": "1"},
        preexec_fn=lambda: os.dup2(number, 3),
        pass_fds=[3],
        capture_output=True,
        text=True,
        check=True,
    )
    assert child.stdout.startswith("3 False ")
    assert take_descriptors({}, os.getpid()) == []


def test_the_kernel_tells_who_is_at_the_other_end() -> None:
    """The peer's user id is the kernel's word, not the peer's."""
    left, right = socket.socketpair()
    with left, right:
        assert uid_of(left) == os.getuid()


def test_only_the_user_root_and_whom_the_operator_allowed_are_welcome() -> None:
    """Everybody else is not."""
    assert is_welcome(os.geteuid(), [])
    assert is_welcome(0, [])
    assert not is_welcome(NOBODY, [])
    assert is_welcome(NOBODY, [NOBODY])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("allowed", [[], [NOBODY]])
async def test_a_stranger_is_closed_even_where_the_file_mode_lets_him_in(
    path: Path, allowed: list[int]
) -> None:
    """With a socket open to all, the kernel's word still decides; an allowed user is served."""
    methods: dict[str, Method[object, object]] = {}
    async with serving(path, methods, allowed_uids=allowed), await Peer.connect(path) as peer:
        await asyncio.to_thread(path.parent.chmod, 0o755)
        await asyncio.to_thread(path.chmod, 0o666)
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", STRANGER, str(path.parent), str(NOBODY), stdout=asyncio.subprocess.PIPE
        )
        said, _ = await child.communicate()
        assert (b"memud/" in said) is bool(allowed)
        assert await peer.call("hello")
