"""The plugin gets into OpenClaw, and the gateway loads it."""

from tests.openclaw.stand import Stand


async def prove(stand: Stand) -> str:
    """Installed by our own command; the gateway names the plugin among those it has loaded."""
    await stand.memud("openclaw", "install", "--yes", "--heartbeat", "30m")
    took_s = await stand.gateway.start()
    loaded = next(line for line in stand.gateway.log.splitlines() if "http server listening" in line)
    assert "memud" in loaded, loaded
    return f"the gateway is ready after {took_s:.0f} s: {loaded.split('] ')[-1]}"
