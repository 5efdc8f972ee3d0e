"""Without access to the conversation the plugin is deaf, and health says so."""

from typing import Any

from tests.openclaw.stand import Stand, seen

_REPORT_LIMIT_S = 90.0


async def prove(stand: Stand) -> str:
    """The setting goes, the gateway starts: health is an error that names it, and `install` puts it right."""
    stand.gateway.stop()
    stand.change_config(_without_access)
    await stand.gateway.start()
    reason = await seen(lambda: _reason(stand), "an error of health", _REPORT_LIMIT_S)
    assert "allowConversationAccess" in stand.gateway.log, "the gateway's log does not tell"
    told = await stand.memud("openclaw", "install", "--yes")
    assert "allowConversationAccess" in told, told
    return f"health: {reason}"


def _without_access(config: dict[str, Any]) -> None:
    del config["plugins"]["entries"]["memud"]["hooks"]["allowConversationAccess"]


def _reason(stand: Stand) -> str | None:
    with stand.client() as client:
        health = client.health()
    found = [reason for reason in health["reasons"] if "allowConversationAccess" in reason]
    return found[0] if found and health["status"] == "error" else None
