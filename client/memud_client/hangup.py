"""Whether the other end of an idle socket has gone, asked without waiting and without taking anything."""

import socket


def has_hung_up(connected: socket.socket) -> bool:
    """True when nothing can be sent any more. The socket must not block."""
    try:
        return connected.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
