"""`session.compact`, `session.resume`: a conversation outlives its context window and its agent."""

from collections.abc import Iterable
from typing import Any

from config.settings import CompactionSettings
from daemon.handlers.views import said
from daemon.method import Context, Method
from daemon.protocol.session import CompactParams, CompactResult, ResumeParams, ResumeResult
from daemon.protocol.table import SESSION_COMPACT, SESSION_RESUME
from jobs.compaction import Compactor
from memory.database import Database
from memory.ports import Clock
from memory.proactive import ledger
from memory.redact import redact
from memory.session import Sessions
from memory.store import resources


class SessionHandler:
    """Summaries before the cut, and what a restarted agent needs."""

    def __init__(
        self,
        database: Database,
        compactor: Compactor,
        sessions: Sessions,
        settings: CompactionSettings,
        clock: Clock,
    ) -> None:
        self._database = database
        self._compactor = compactor
        self._sessions = sessions
        self._settings = settings
        self._clock = clock

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [Method(SESSION_COMPACT, self.compact), Method(SESSION_RESUME, self.resume)]

    async def compact(self, params: CompactParams, context: Context) -> CompactResult:
        """The session in short; the same for a second call in one cycle."""
        ratio = params.context.ratio if params.context else None
        summary = await self._compactor.compact(context.scope, redact(params.reason).text, ratio)
        return CompactResult(summary=summary.text, item_ids=summary.item_ids, cycle=summary.cycle)

    async def resume(self, params: ResumeParams, context: Context) -> ResumeResult:
        """Last turns, last summary, open predictions."""
        limit = params.limit or self._settings.resume_turns
        now = self._clock.now()
        turns, summary, items = await self._database.read(
            lambda c: (
                resources.recent(c, context.scope, limit),
                self._sessions.latest_summary(c, context.scope),
                ledger.waiting(c, context.scope, now),
            )
        )
        return ResumeResult(
            turns=tuple(said(turn) for turn in turns), summary=summary, proactive=tuple(items)
        )
