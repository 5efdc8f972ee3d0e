"""`agent.report`: a plugin tells how it fares."""

from collections.abc import Iterable
from typing import Any

from daemon.agents import Agents
from daemon.method import Context, Method
from daemon.protocol.agents import AgentReportParams, AgentReportResult
from daemon.protocol.table import AGENT_REPORT


class AgentHandler:
    """Takes the reports in."""

    def __init__(self, agents: Agents) -> None:
        self._agents = agents

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [Method(AGENT_REPORT, self.report)]

    async def report(self, params: AgentReportParams, context: Context) -> AgentReportResult:
        """Keep it for `health`."""
        return AgentReportResult(reasons=tuple(self._agents.note(params)))
