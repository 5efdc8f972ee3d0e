"""Every method of the wire, and the other names it answers to."""

from typing import Any

from daemon.protocol import (
    agents,
    capture,
    connection,
    items,
    notes,
    operations,
    portable,
    proactive,
    recall,
    recall_log,
    session,
    state,
    turns,
)
from daemon.protocol.signature import Signature
from memory.model import Report

HELLO = Signature("hello", connection.HelloParams, connection.HelloResult, "Negotiate; may bind a user.")
CANCEL = Signature("cancel", connection.CancelParams, connection.CancelResult, "Give up a request in flight.")
SUBSCRIBE = Signature(
    "subscribe", connection.SubscribeParams, connection.SubscribeResult, "Be told what happens."
)
CAPTURE = Signature("capture", capture.CaptureParams, capture.CaptureResult, "Keep what happened.")
RECALL = Signature(
    "recall", recall.RecallParams, recall.RecallResult, "What matters for the next prompt.", True
)
SEARCH = Signature("search", recall.SearchParams, recall.SearchResult, "The best matches, asked for.", True)
EXPLAIN = Signature("explain", recall.ExplainParams, recall.Explanation, "Why a memory is recalled or not.")
RECALL_LOG = Signature(
    "recall.log",
    recall_log.RecallLogParams,
    recall_log.RecallLogResult,
    "What was asked, what came back, and what became of it; a group is shown none.",
)
ADD = Signature("add", items.AddParams, items.AddResult, "Remember a statement.")
LIST = Signature("list", items.ListParams, items.ListResult, "The facts, by page.")
GET = Signature("get", items.GetParams, items.ItemResult, "One fact.")
HISTORY = Signature("history", items.GetParams, items.HistoryResult, "A fact's versions and sources.")
UPDATE = Signature("update", items.UpdateParams, items.ItemResult, "Correct a fact.")
FORGET = Signature(
    "forget",
    items.ForgetParams,
    items.ForgetResult,
    "Purge a fact or turn, its sources and what came of them.",
)
RESTORE = Signature("restore", items.RestoreParams, items.ItemResult, "Undo supersession or cleanup.")
PIN = Signature("pin", items.PinParams, items.ItemResult, "Keep a fact from fading.")
PROACTIVE_LIST = Signature(
    "proactive.list", proactive.ProactiveListParams, proactive.ProactiveResult, "The predictions."
)
PROACTIVE_NEXT = Signature(
    "proactive.next", proactive.ProactiveNextParams, proactive.ProactiveResult, "What to bring up now."
)
PROACTIVE_RESOLVE = Signature(
    "proactive.resolve",
    proactive.ProactiveResolveParams,
    proactive.ProactiveItemResult,
    "What became of a prediction.",
)
PROACTIVE_STATS = Signature(
    "proactive.stats",
    proactive.ProactiveStatsParams,
    proactive.ProactiveStatsResult,
    "How good the predictions were, and what is throttled.",
)
SESSION_COMPACT = Signature(
    "session.compact", session.CompactParams, session.CompactResult, "Sum up a session before it is cut."
)
SESSION_RESUME = Signature(
    "session.resume", session.ResumeParams, session.ResumeResult, "What a restarted agent needs."
)
CATEGORIES_LIST = Signature(
    "categories.list", state.CategoriesParams, state.CategoriesResult, "The groups of facts."
)
RESOURCES_GET = Signature(
    "resources.get", turns.ResourceParams, turns.ResourceResult, "One turn, as it was said."
)
STATS = Signature("stats", state.StatsParams, state.StatsResult, "The store, counted.")
HEALTH = Signature("health", state.HealthParams, state.HealthResult, "Whether the daemon does its work.")
METRICS = Signature("metrics", state.MetricsParams, state.MetricsResult, "Counters and gauges.")
QUEUE_LIST = Signature(
    "queue.list", operations.QueueListParams, operations.QueueListResult, "Turns that wait for extraction."
)
QUEUE_RETRY = Signature(
    "queue.retry", operations.QueueChangeParams, operations.QueueChangeResult, "Try turns again, now."
)
QUEUE_DROP = Signature(
    "queue.drop",
    operations.QueueChangeParams,
    operations.QueueChangeResult,
    "Give up extraction; turns stay.",
)
AGENT_REPORT = Signature(
    "agent.report", agents.AgentReportParams, agents.AgentReportResult, "How the plugin in an agent fares."
)
NOTES_TAKE = Signature(
    "notes.take", notes.NotesTakeParams, notes.NotesTakeResult, "Put the facts in step with a file of notes."
)
NOTES_LIST = Signature(
    "notes.list", notes.NotesListParams, notes.NotesListResult, "The files that are kept in step."
)
NOTES_FORGET = Signature(
    "notes.forget",
    notes.NotesForgetParams,
    notes.NotesForgetResult,
    "Keep a file in step no longer; its facts stay.",
)
EXPORT = Signature(
    "export", portable.ExportParams, portable.ExportResult, "A user's memory as records, by page."
)
IMPORT = Signature(
    "import", portable.ImportParams, portable.ImportResult, "Take the records of an export back."
)
JOB_RUN = Signature("job.run", operations.JobRunParams, Report, "Run a job now.")

SIGNATURES: tuple[Signature[Any, Any], ...] = (
    HELLO,
    CAPTURE,
    RECALL,
    SEARCH,
    RECALL_LOG,
    ADD,
    LIST,
    GET,
    HISTORY,
    UPDATE,
    FORGET,
    RESTORE,
    PIN,
    EXPLAIN,
    PROACTIVE_LIST,
    PROACTIVE_NEXT,
    PROACTIVE_RESOLVE,
    PROACTIVE_STATS,
    SUBSCRIBE,
    SESSION_COMPACT,
    SESSION_RESUME,
    CATEGORIES_LIST,
    RESOURCES_GET,
    STATS,
    HEALTH,
    METRICS,
    QUEUE_LIST,
    QUEUE_RETRY,
    QUEUE_DROP,
    AGENT_REPORT,
    NOTES_TAKE,
    NOTES_LIST,
    NOTES_FORGET,
    EXPORT,
    IMPORT,
    JOB_RUN,
    CANCEL,
)

METHOD_ALIASES = {
    "memorize": "capture",
    "retain": "capture",
    "retrieve": "recall",
    "remember": "add",
    "store": "add",
    "delete": "forget",
    "get_all": "list",
    "$/cancel": "cancel",
}

PARAM_ALIASES = {"top_k": "limit", "run_id": "session_id"}
