"""Who is at the other end of a Unix socket, as the kernel knows it."""

import os
import socket
import struct
import sys
from asyncio.trsock import TransportSocket
from collections.abc import Collection
from pathlib import Path

_ROOT = 0


def uid_of(connected: socket.socket | TransportSocket) -> int | None:
    """The peer's user id; None where the system can't tell, and the socket's mode alone guards it."""
    if sys.platform == "linux":
        credentials = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return int(struct.unpack("3i", credentials)[1])
    if sys.platform == "darwin":
        # LOCAL_PEERCRED (1) at SOL_LOCAL (0): struct xucred starts with version and uid.
        return int(struct.unpack("2I", connected.getsockopt(0, 1, 76)[:8])[1])
    return None


def is_welcome(uid: int | None, allowed: Collection[int]) -> bool:
    """The daemon's own user, root, and whom the operator allowed."""
    return uid is None or uid in {os.geteuid(), _ROOT, *allowed}


def may_be_read_for(path: Path, uid: int | None, own_uid: int) -> bool:
    """Whether the daemon may read a file in a peer's name: who is neither it nor root gets only his own."""
    if uid in (None, _ROOT, own_uid):
        return True
    try:
        return path.lstat().st_uid == uid
    except OSError:
        return False
