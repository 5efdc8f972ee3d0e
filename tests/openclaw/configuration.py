"""The person's `openclaw.json` before memud comes: one agent, our model, no look at the internet."""

from pathlib import Path
from typing import Any

from tests.openclaw.provider import CONTEXT_WINDOW, MODEL, OUTPUT_LIMIT

TOKEN = "of-the-stand"  # noqa: S105  # a gateway on loopback that lives for minutes


def configuration(folder: Path, model_url: str, port: int) -> dict[str, Any]:
    """What a person has who never heard of memud."""
    return {
        "gateway": {
            "mode": "local",
            "bind": "loopback",
            "port": port,
            "auth": {"mode": "token", "token": TOKEN},
        },
        "update": {"checkOnStart": False},
        "telemetry": {"enabled": False},
        "logging": {"file": str(folder / "openclaw.log")},
        "agents": {
            "defaults": {
                "workspace": str(folder / "workspace"),
                "skipBootstrap": True,
                "model": {"primary": f"stub/{MODEL}"},
                "heartbeat": {"every": "0m", "target": "none"},
            }
        },
        "models": {
            "mode": "replace",
            "catalogRefresh": {"enabled": False},
            "providers": {"stub": _provider(model_url)},
        },
        "tools": {"toolSearch": False},
    }


def _provider(url: str) -> dict[str, Any]:
    free = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    model = {
        "id": MODEL,
        "name": "Stub",
        "reasoning": False,
        "input": ["text"],
        "cost": free,
        "contextWindow": CONTEXT_WINDOW,
        "maxTokens": OUTPUT_LIMIT,
    }
    return {"baseUrl": f"{url}/v1", "apiKey": "local", "api": "openai-completions", "models": [model]}
