"""What becomes of a due reminder, by OpenClaw's configuration."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.openclaw.heartbeat import reminders

_CASES = Path(__file__).parents[2] / "plugins" / "openclaw" / "tests" / "heartbeats.json"


@pytest.mark.parametrize(
    "case", json.loads(_CASES.read_text(encoding="utf-8")), ids=lambda case: case["name"]
)
def test_the_command_line_judges_as_the_plugin_does(case: dict[str, Any]) -> None:
    """Both are held to one list of configurations."""
    assert reminders(case["config"]) == case["becomes"]


def test_another_agent_can_be_asked_for() -> None:
    """Each agent may have a heartbeat of its own."""
    value = {"agents": {"entries": {"main": {}, "ops": {"heartbeat": {"target": "telegram"}}}}}
    assert (reminders(value), reminders(value, "ops")) == ("off", "on")
