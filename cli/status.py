"""`memud status`: a few calm lines about how the daemon is."""

from collections.abc import Mapping
from typing import Any

from cli.moments import show as clock
from cli.terminal import Terminal, command

_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


@command
def status(terminal: Terminal) -> None:
    """Show health and counts."""
    with terminal.client() as client:
        reply = {"health": client.health(), "stats": client.stats()}
    terminal.answer(reply, _show)


def show_jobs(terminal: Terminal, jobs: Mapping[str, Mapping[str, Any]]) -> None:
    """A line for each job that is planned or went wrong; others run only on request."""
    planned = {name: job for name, job in jobs.items() if job["next_run"] or job["last_error"]}
    for name, job in sorted(planned.items()):
        line = terminal.say("status.job", name=terminal.say.word("job", name), next=clock(job["next_run"]))
        if job["last_error"]:
            line += terminal.say("status.job.error", error=terminal.say.heard(job["last_error"]))
        terminal.show(line)


def progress(embedder: Mapping[str, Any]) -> dict[str, Any]:
    """How far a change of the model, or of the index, has come."""
    done, total = embedder["done"], embedder["total"]
    return {"done": done, "total": total, "percent": f"{done / max(1, total):.0%}"}


def size(count: float) -> str:
    """Bytes as a person reads them."""
    for unit in _UNITS[:-1]:
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.0f} {_UNITS[-1]}"


def _show(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    health, stats = reply["health"], reply["stats"]
    uptime = terminal.say.span(health["uptime_s"])
    terminal.tell(f"status.{health['status']}", version=health["version"], uptime=uptime)
    for reason in health["reasons"]:
        terminal.tell("status.reason", reason=terminal.say.heard(reason))
    terminal.tell("status.store", **{name: stats[name] for name in ("items", "resources", "proactive")})
    terminal.show(_queue(terminal, health["queue"]))
    terminal.show(_embedder(terminal, health["embedder"]))
    terminal.show(_extractor(terminal, health["extractor"]))
    terminal.show(_index(terminal, health["index"]))
    terminal.tell("status.db", bytes=size(health["db"]["bytes"]), wal=size(health["db"]["wal_bytes"]))
    _show_budget(terminal, health["budget"])
    show_jobs(terminal, health["jobs"])
    for agent in health.get("agents", ()):
        _show_agent(terminal, agent)
    for note in stats.get("notes", []):
        terminal.tell("status.note", note=terminal.say.heard(note))


def _show_agent(terminal: Terminal, agent: Mapping[str, Any]) -> None:
    captures = agent["captures"] if agent["captures"] is not None else 0
    terminal.tell("status.agent", name=agent["name"], turns=agent["turns"], captures=captures)
    if agent["spooled"]:
        terminal.tell("status.agent.spooled", spooled=agent["spooled"])
    for note in agent["notes"]:
        terminal.tell("status.note", note=terminal.say.heard(note))


def _queue(terminal: Terminal, queue: Mapping[str, Any]) -> str:
    line = terminal.say("status.queue", **{name: queue[name] for name in ("queued", "leased", "dead")})
    if queue["queued"]:
        line += terminal.say("status.oldest", age=terminal.say.span(queue["oldest_age_s"]))
    return line


def _embedder(terminal: Terminal, embedder: Mapping[str, Any]) -> str:
    line = terminal.say("status.embedder", name=embedder["name"], mode=_mode(terminal, embedder["mode"]))
    if embedder["mode"] == "changing":
        line += terminal.say("status.changing", **progress(embedder))
        if any(one["mode"] == "ok" for one in embedder["older"]):
            line += terminal.say("status.older")
    elif embedder["pending"]:
        line += terminal.say("status.pending", pending=embedder["pending"])
    return line


def _index(terminal: Terminal, index: Mapping[str, Any]) -> str:
    sizes = {"size": f"{index['size']:,}", "bytes": size(index.get("bytes", 0))}
    line = terminal.say("status.index", backend=index["backend"], **sizes)
    if index.get("recall") is not None:
        line += terminal.say("status.index.recall", percent=f"{index['recall']:.1%}")
    if far := index.get("building"):
        line += terminal.say("status.index.building", backend=far["backend"], **progress(far))
    return line


def _extractor(terminal: Terminal, extractor: Mapping[str, Any]) -> str:
    name = terminal.say.word("extractor", extractor["name"])
    return terminal.say("status.extractor", name=name, mode=_mode(terminal, extractor["mode"]))


def _mode(terminal: Terminal, mode: str) -> str:
    """A word, or why a part can't help."""
    is_word = mode in ("ok", "off", "changing")
    return terminal.say.word("mode", mode) if is_word else terminal.say.heard(mode)


def _show_budget(terminal: Terminal, budget: Mapping[str, Any]) -> None:
    if budget["used"]:
        used, limit = f"{budget['used']:,}", budget["limit"]
        if limit is None:
            terminal.tell("status.budget.open", used=used)
        else:
            terminal.tell("status.budget", used=used, limit=f"{limit:,}")
