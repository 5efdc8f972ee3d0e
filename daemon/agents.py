"""The plugins that sit in agents, as they last reported; forgotten when they fall silent."""

from collections.abc import Sequence
from typing import Final

from daemon.protocol.agents import AgentHealth, AgentReportParams, Problem
from memory.ports import Clock

_SILENT_S: Final = 300
_ENOUGH_RECALLS: Final = 5  # so many recalls without one capture are no chance
_MOST: Final = 32

_WORDS: Final[dict[Problem, str]] = {
    "no_access": "{name} does not let memud see conversations: nothing is recalled or remembered; "
    "run `memud openclaw install`, or set hooks.allowConversationAccess for the plugin",
    "no_injection": "{name} does not let memud add to prompts: nothing is recalled; "
    "allow hooks.allowPromptInjection for the plugin",
    "not_owner": "another plugin owns the memory of {name}: run `memud openclaw install`",
    "hooks_missing": "{name} lacks hooks that the plugin needs: update the plugin",
    "deaf": "messages come to {name} and no turn reaches memud: restart its gateway",
    "no_capture": "{name} asks for memories and nothing is captured: nothing new is remembered",
}
_WAITING: Final = (
    "{name}'s reminders wait for the next message: its heartbeat is off, or may answer in a group"
)


class Agents:
    """What plugins told of themselves, the latest of each name."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._reports: dict[str, tuple[AgentReportParams, int]] = {}

    def note(self, report: AgentReportParams) -> Sequence[str]:
        """Keep a report; what is wrong by it."""
        if len(self._reports) >= _MOST and report.name not in self._reports:
            self._reports.pop(next(iter(self._reports)))
        self._reports[report.name] = report, self._clock.now()
        return _reasons(report)

    def present(self) -> tuple[AgentHealth, ...]:
        """Those who reported lately. Who is silent may be switched off: that is no fault."""
        now = self._clock.now()
        return tuple(
            _health(report, at)
            for _, (report, at) in sorted(self._reports.items())
            if abs(now - at) <= _SILENT_S
        )


def _health(report: AgentReportParams, reported_at: int) -> AgentHealth:
    notes = [_WAITING.format(name=report.name)] if report.reminders == "next-turn" else []
    return AgentHealth(
        name=report.name,
        version=report.version,
        reminders=report.reminders,
        turns=report.turns,
        recalls=report.recalls,
        captures=report.captures,
        spooled=report.spooled,
        reported_at=reported_at,
        reasons=tuple(_reasons(report)),
        notes=tuple(notes),
    )


def _reasons(report: AgentReportParams) -> Sequence[str]:
    """By what the plugin says, and by its own counts, whatever it makes of them."""
    problems = dict.fromkeys(report.problems)
    if report.recalls >= _ENOUGH_RECALLS and report.captures == 0:
        problems["no_capture"] = None
    return [_WORDS[problem].format(name=report.name) for problem in problems]
