"""The plugins that sit in agents, as they last reported; forgotten when they fall silent."""

from collections.abc import Sequence
from typing import Final

from daemon.protocol.agents import AgentHealth, AgentReportParams, Problem
from memory.ports import Clock

_SILENT_S: Final = 300
_ENOUGH_RECALLS: Final = 5  # so many recalls without one capture are no chance
_MOST: Final = 32
_Key = tuple[str, str | None]

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
    "{name}'s reminders wait for the next message: its heartbeat is off, may answer in a group, "
    "or has nobody to write to"
)


class Agents:
    """What plugins told of themselves, the latest of each name and instance."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._reports: dict[_Key, tuple[AgentReportParams, int]] = {}

    def note(self, report: AgentReportParams) -> Sequence[str]:
        """Keep a report; what is wrong by it."""
        key = report.name, report.instance
        self._reports.pop(key, None)  # the newest stand last
        if len(self._reports) >= _MOST:
            self._reports.pop(next(iter(self._reports)))
        self._reports[key] = report, self._clock.now()
        return _reasons(report, self._called(report))

    def present(self) -> tuple[AgentHealth, ...]:
        """Those who reported lately. Who is silent may be switched off: that is no fault."""
        lately = sorted(self._lately(), key=lambda one: (one[0].name, one[0].instance or ""))
        return tuple(_health(report, self._called(report), at) for report, at in lately)

    def _lately(self) -> list[tuple[AgentReportParams, int]]:
        now = self._clock.now()
        return [(report, at) for report, at in self._reports.values() if abs(now - at) <= _SILENT_S]

    def _called(self, report: AgentReportParams) -> str:
        """The name; with the instance where another of that name reports too."""
        namesakes = [other for other, _ in self._lately() if other.name == report.name]
        is_alone = len(namesakes) < 2 or report.instance is None
        return report.name if is_alone else f"{report.name} ({report.instance})"


def _health(report: AgentReportParams, name: str, reported_at: int) -> AgentHealth:
    notes = [_WAITING.format(name=name)] if report.reminders == "next-turn" else []
    return AgentHealth(
        name=name,
        instance=report.instance,
        version=report.version,
        reminders=report.reminders,
        turns=report.turns,
        recalls=report.recalls,
        captures=report.captures,
        spooled=report.spooled,
        reported_at=reported_at,
        reasons=tuple(_reasons(report, name)),
        notes=tuple(notes),
    )


def _reasons(report: AgentReportParams, name: str) -> Sequence[str]:
    """By what the plugin says, and by its own counts, whatever it makes of them."""
    problems = dict.fromkeys(report.problems)
    if report.recalls >= _ENOUGH_RECALLS and report.captures == 0:
        problems["no_capture"] = None
    return [_WORDS[problem].format(name=name) for problem in problems]
