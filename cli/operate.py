"""What an operator does: `queue` and `job`."""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Annotated, Any, Literal

import typer
from memud_client import Client

from cli.building import building
from cli.given import ago, given
from cli.moments import show as clock
from cli.options import AsOf, DryRun, Limit, Yes
from cli.status import show_jobs
from cli.terminal import Terminal, command

QueueAction = Annotated[
    Literal["list", "retry", "drop"], typer.Argument(metavar="[ACTION]", help="argument.queue")
]
QueueId = Annotated[str | None, typer.Argument(metavar="[ID]", help="argument.id")]
State = Annotated[
    Literal["queued", "leased", "done", "dead"] | None,
    typer.Option("--state", help="option.queue_state"),
]
JobAction = Annotated[Literal["list", "run"], typer.Argument(metavar="[ACTION]", help="argument.job")]
JobName = Annotated[
    Literal["monitor", "cleanup", "categories", "notes", "reindex", "backup"] | None,
    typer.Argument(metavar="[NAME]", help="argument.job_name"),
]
Backend = Annotated[Literal["exact", "vss", "faiss"] | None, typer.Option("--backend", help="option.backend")]


@command
def queue(
    terminal: Terminal,
    action: QueueAction = "list",
    queue_id: QueueId = None,
    state: State = None,
    limit: Limit = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """See what waits for its facts, try it again, or give it up."""
    with terminal.client() as client:
        if action == "list":
            options = given(state=state, limit=limit)
            terminal.answer(client.queue_list(**options, **terminal.scope()), _show_queue)
            return
        which = given(id=queue_id, state=state) or terminal.refuse("queue.which")
        if action == "retry":
            reply = client.queue_retry(**which, **terminal.scope())
            terminal.answer(reply, lambda terminal, _: _tell_count(terminal, "queue.retried", reply))
        elif dry_run:
            _show_what_would_go(terminal, client, queue_id, state)
        else:
            terminal.sure(terminal.say("queue.ask"), yes=yes)
            reply = client.queue_drop(**which, **terminal.scope())
            terminal.answer(reply, lambda terminal, _: _tell_count(terminal, "queue.dropped", reply))


@command
def job(
    terminal: Terminal,
    action: JobAction = "list",
    name: JobName = None,
    backend: Backend = None,
    as_of: AsOf = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """See the periodic jobs, or run one now."""
    # A job may take its time; the person who waits for it ends the wait.
    with terminal.client(timeout_s=None) as client:
        if action == "list":
            terminal.answer(client.health()["jobs"], show_jobs)
            return
        if name is None:
            terminal.refuse("job.unknown")
        if name == "cleanup" and not dry_run:
            terminal.sure(terminal.say("job.ask"), yes=yes)
        options = given(as_of=ago(terminal, as_of), dry_run=dry_run or None, backend=backend)
        with building(terminal) if backend and not dry_run else nullcontext():
            report = client.job_run(name, **options, **terminal.scope())
        terminal.answer(report, _show_report)


def _show_what_would_go(terminal: Terminal, client: Client, queue_id: str | None, state: str | None) -> None:
    """The wire has no dry run for a drop, so the list is looked through."""
    options = given(state=state, limit=1000)
    listed = client.queue_list(**options, **terminal.scope())["results"]
    doomed = [entry for entry in listed if entry["id"].startswith(queue_id or "")]
    terminal.answer({"results": doomed, "dry_run": True}, _show_doomed)


def _show_doomed(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    terminal.tell("queue.would", count=len(reply["results"]))
    _show_queue(terminal, reply)
    terminal.tell("dry")


def _show_queue(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    if not reply["results"]:
        terminal.tell("queue.empty")
        return
    rows = [
        (
            entry["id"],
            terminal.say.word("state", entry["state"]),
            str(entry["attempts"]),
            clock(entry["due_at"]),
            entry["resource_id"],
            terminal.say.heard(entry["reason"] or ""),
        )
        for entry in reply["results"]
    ]
    terminal.table(("id", "state", "tries", "due", "turn", "reason"), rows)


def _tell_count(terminal: Terminal, key: str, reply: Mapping[str, Any]) -> None:
    terminal.tell(key, count=len(reply["ids"]))


def _show_report(terminal: Terminal, report: Mapping[str, Any]) -> None:
    terminal.tell("dry" if report["dry_run"] else "job.done", job=terminal.say.word("job", report["job"]))
    for name, count in report["counts"].items():
        terminal.tell("job.count", name=terminal.say.word("count", name), count=count)
    for note in report["notes"]:
        terminal.show(f"  {terminal.say.heard(note)}")
