"""The plugin gets into OpenClaw, and the gateway loads it."""

from typing import Any

from tests.openclaw.stand import Stand
from tests.openclaw.wire import connected


async def prove(stand: Stand) -> str:
    """Installed by our own command; the gateway names the plugin among those it has loaded."""
    await stand.memud("openclaw", "install", "--yes", "--heartbeat", "30m")
    took_s = await stand.gateway.start()
    status = await _status(stand)
    assert not status["problems"], status["problems"]
    loaded = next(line for line in stand.gateway.log.splitlines() if "http server listening" in line)
    assert "memud" in loaded, loaded
    assert "memud" in await stand.openclaw("memud", "status")
    hooks = len(status["hooks"])
    return f"the gateway is ready after {took_s:.0f} s: {loaded.split('] ')[-1]}; {hooks} hooks, no problem"


async def _status(stand: Stand) -> dict[str, Any]:
    async with connected(stand.gateway.port) as wire:
        return dict(await wire.request("memud.status", {}))
