"""Records of the domain as the wire shows them."""

from daemon.protocol.turns import SaidTurn
from memory.model import Resource


def said(resource: Resource) -> SaidTurn:
    """A turn in plain words."""
    turn = resource.turn
    return SaidTurn(
        id=resource.id,
        key=turn.event_key,
        session_id=turn.scope.session_id,
        role=turn.role,
        sender=turn.sender,
        text=turn.text,
        timestamp=turn.timestamp,
    )
