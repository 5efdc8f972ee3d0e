"""Every call of the protocol, defined once: both clients send what these functions build."""

from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from memud_client import types
from memud_client.wire import Request, with_keys

Reply = dict[str, Any]
PROTOCOL = 1


def hello(client: str = "memud-client", **options: Unpack[types.HelloOptions]) -> Request[types.HelloReply]:
    """Negotiate version and limits; with `user_id` the connection can't leave that user."""
    return Request("hello", {"protocol": PROTOCOL, "client": client, **options}, scoped=False)


def capture(
    events: Iterable[types.Event | Mapping[str, Any]], **options: Unpack[types.CaptureOptions]
) -> Request[types.CaptureReply]:
    """Hand over what happened; what is accepted is on the disk when this returns.

    An event without a key is given a random one. So a capture whose answer was lost is sent again
    and finds its events stored: each is a duplicate then, never a second memory. Give keys of your
    own where the same event may come again from a later call.
    """
    return Request("capture", {"events": with_keys(events), **options})


def recall(query: str, **options: Unpack[types.RecallOptions]) -> Request[types.RecallReply]:
    """The few memories that matter for the next prompt, and the block to put before it."""
    return Request("recall", {"query": query, **options})


def search(query: str, **options: Unpack[types.SearchOptions]) -> Request[types.SearchReply]:
    """What the store has on a question, without a threshold, in the order of `recall`."""
    return Request("search", {"query": query, **options})


def recall_log(**options: Unpack[types.RecallLogOptions]) -> Request[types.RecallLogReply]:
    """A page of what was asked before, what came back, and what became of it; newest first."""
    return Request("recall.log", dict(options))


def add(memory: str, **options: Unpack[types.AddOptions]) -> Request[types.AddReply]:
    """State a fact outright; it is stored, reinforces a known one or supersedes an older one."""
    return Request("add", {"memory": memory, **options})


def list_items(**options: Unpack[types.ListOptions]) -> Request[types.ListReply]:
    """A page of facts, live ones unless `include_superseded`."""
    return Request("list", dict(options))


def get(memory_id: str, **scope: Unpack[types.ReadScope]) -> Request[types.ItemReply]:
    """One fact by its id or a short prefix of it. Raises NotFoundError."""
    return Request("get", {"id": memory_id, **scope})


def history(memory_id: str, **scope: Unpack[types.ReadScope]) -> Request[types.HistoryReply]:
    """A fact's versions and the words it came from."""
    return Request("history", {"id": memory_id, **scope})


def update(memory_id: str, **fields: Unpack[types.UpdateOptions]) -> Request[types.ItemReply]:
    """Correct a fact; what it said before stays in its history."""
    return Request("update", {"id": memory_id, **fields})


def forget(memory_id: str, **options: Unpack[types.ForgetOptions]) -> Request[types.ForgetReply]:
    """Purge a fact or turn and what was derived from it alone; it does not return by replay or import."""
    return Request("forget", {"id": memory_id, **options})


def restore(memory_id: str, **scope: Unpack[types.Scope]) -> Request[types.ItemReply]:
    """Undo a supersession or a clean-up. What was forgotten stays forgotten."""
    return Request("restore", {"id": memory_id, **scope})


def pin(memory_id: str, pinned: bool = True, **scope: Unpack[types.Scope]) -> Request[types.ItemReply]:
    """Keep a fact from fading; `pinned=False` lets it fade again."""
    return Request("pin", {"id": memory_id, "pinned": pinned, **scope})


def explain(
    query: str, memory_id: str, **options: Unpack[types.ExplainOptions]
) -> Request[types.Explanation]:
    """Every factor of one memory's score for a query, and why it was or was not recalled."""
    return Request("explain", {"query": query, "id": memory_id, **options})


def proactive_list(**options: Unpack[types.ProactiveListOptions]) -> Request[types.ProactiveReply]:
    """What the ledger of predictions holds; marks nothing."""
    return Request("proactive.list", dict(options))


def proactive_next(**options: Unpack[types.ProactiveNextOptions]) -> Request[types.ProactiveReply]:
    """What to bring up now; each is marked as delivered."""
    return Request("proactive.next", dict(options))


def proactive_resolve(
    proactive_id: str, outcome: types.Outcome, **options: Unpack[types.ResolveOptions]
) -> Request[types.ProactiveItemReply]:
    """Say what became of a prediction: used, dismissed, or snoozed `until` a time."""
    return Request("proactive.resolve", {"id": proactive_id, "outcome": outcome, **options})


def proactive_stats(**options: Unpack[types.ProactiveStatsOptions]) -> Request[types.ProactiveStats]:
    """How good the predictions were: precision, Brier score, reliability, and what is throttled."""
    return Request("proactive.stats", dict(options))


def subscribe(topics: Iterable[types.Topic], **options: Unpack[types.SubscribeOptions]) -> Request[Reply]:
    """Ask for notifications after `cursor`, or from now on."""
    return Request("subscribe", {"topics": list(topics), **options})


def session_compact(
    session_id: str, reason: str = "manual", **options: Unpack[types.CompactOptions]
) -> Request[types.CompactReply]:
    """Summarise a session before its context is cut; once for each compaction cycle."""
    return Request("session.compact", {"session_id": session_id, "reason": reason, **options})


def session_resume(session_id: str, **options: Unpack[types.ResumeOptions]) -> Request[types.ResumeReply]:
    """What a restarted agent needs: last turns, summary, open predictions."""
    return Request("session.resume", {"session_id": session_id, **options})


def categories_list(**scope: Unpack[types.ReadScope]) -> Request[Reply]:
    """The categories with their summaries."""
    return Request("categories.list", dict(scope))


def resources_get(resource_id: str, **scope: Unpack[types.ReadScope]) -> Request[Reply]:
    """One turn, in the words as they were said."""
    return Request("resources.get", {"id": resource_id, **scope})


def stats(**scope: Unpack[types.Scope]) -> Request[Reply]:
    """Counts of the store, or of one user's part of it."""
    return Request("stats", dict(scope))


def health(**scope: Unpack[types.Scope]) -> Request[Reply]:
    """Whether all parts work, and what is wrong if not."""
    return Request("health", dict(scope), scoped=False)


def metrics(**scope: Unpack[types.Scope]) -> Request[Reply]:
    """Counters and gauges for a monitoring system."""
    return Request("metrics", dict(scope), scoped=False)


def queue_list(**options: Unpack[types.QueueListOptions]) -> Request[types.QueueReply]:
    """Captured turns whose facts are not stored yet; of every user, unless one is named."""
    return Request("queue.list", dict(options), scoped=False)


def queue_retry(**which: Unpack[types.QueueChangeOptions]) -> Request[types.QueueChange]:
    """Try turns again, now."""
    return Request("queue.retry", dict(which), scoped=False)


def queue_drop(**which: Unpack[types.QueueChangeOptions]) -> Request[types.QueueChange]:
    """Give turns up: their words stay, no facts are drawn from them."""
    return Request("queue.drop", dict(which), scoped=False)


def agent_report(name: str, **state: Unpack[types.AgentState]) -> Request[types.AgentReply]:
    """How the plugin in an agent fares; `health` tells it on for five minutes."""
    return Request("agent.report", {"name": name, **state}, scoped=False)


def notes_take(path: str, text: str, **options: Unpack[types.NotesOptions]) -> Request[types.NotesReply]:
    """Put the facts in step with a file of notes, such as MEMORY.md; the same file again changes nothing."""
    return Request("notes.take", {"path": path, "text": text, **options})


def notes_list(**scope: Unpack[types.Scope]) -> Request[types.WatchedNotesReply]:
    """The files that the daemon keeps in step."""
    return Request("notes.list", dict(scope))


def notes_forget(path: str, **scope: Unpack[types.Scope]) -> Request[types.ForgottenNotes]:
    """Keep a file in step no longer; its facts stay."""
    return Request("notes.forget", {"path": path, **scope})


def export_records(**options: Unpack[types.ExportOptions]) -> Request[types.ExportReply]:
    """A page of a user's whole memory; `import_records` makes the same memory of it."""
    return Request("export", dict(options))


def import_records(
    records: Iterable[Mapping[str, Any]], **scope: Unpack[types.Scope]
) -> Request[types.ImportReply]:
    """Take records of an export back; what is known stays as it is."""
    return Request("import", {"records": list(records), **scope})


def job_run(name: str, **options: Unpack[types.JobOptions]) -> Request[types.Report]:
    """Run a job now (`monitor`, `cleanup`, `reindex`, `backup`) and wait for its report."""
    return Request("job.run", {"name": name, **options}, scoped=False)
