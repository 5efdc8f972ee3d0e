"""Whether OpenClaw may start a turn by itself, and whether anybody gets its reply; as the plugin judges."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from cli.openclaw.configuration import Value
from cli.openclaw.edits import at

_DEFAULTS = ("agents", "defaults", "heartbeat")
EVERY = (*_DEFAULTS, "every")
_EVERY_DEFAULT = "30m"
_TIME = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|[smhd]))*(?:\d+(?:\.\d+)?)?", re.IGNORECASE)
_EVERYBODY = re.compile(r"(?:.*:)?\*")
FIRST_AGENT = "main"


class Reminders(StrEnum):
    """What becomes of a reminder that is due."""

    OFF = "off"  # no heartbeat: it waits for the next message
    LAST = "last"  # a group may hear the reply: so it does here
    UNSENT = "unsent"  # a turn by itself whose reply nobody gets, and with the next message
    ON = "on"  # a turn by itself


def reminders(value: Value, agent: str | None = None) -> Reminders:
    """How it is for an agent, by default the one that a person talks to first."""
    agent = agent or _first(value)
    if not _is_on(value, agent):
        return Reminders.OFF
    target = _setting(value, agent, "target")
    if target == "last":
        return Reminders.LAST
    is_sent = _knows_owner(value) if target in (None, "owner") else target != "none"
    return Reminders.ON if is_sent else Reminders.UNSENT


def _is_on(value: Value, agent: str) -> bool:
    """OpenClaw's wakes come without its cron."""
    every = _setting(value, agent, "every")
    every = _EVERY_DEFAULT if every is None else every
    is_time = (
        isinstance(every, str) and bool(_TIME.fullmatch(every.strip())) and bool(re.search("[1-9]", every))
    )
    return is_time and _has_one(value, agent)


def _has_one(value: Value, agent: str) -> bool:
    """Agents that set one of their own have one; else the agent the defaults name, all, or the only one."""
    agents = _agents(value)
    own = [name for name, one in agents if _is_set(at(one, ("heartbeat",)))]
    if own:
        return agent in own
    defaults = at(value, _DEFAULTS)
    has_defaults = _is_set(defaults)
    system = None if has_defaults else at(value, ("agents", "defaults", "systemAgent", "agentId"))
    if named := at(defaults, ("agentId",)) or system:
        return bool(named == agent)
    return has_defaults or len(agents) <= 1 or agent == _first_listed(value)


def _is_set(one: Any) -> bool:
    """As JavaScript takes it: an empty object is something."""
    return isinstance(one, dict) or bool(one)


def _first(value: Value) -> str:
    agents = _agents(value)
    only = agents[0][0] if len(agents) == 1 else None
    return only or _first_listed(value) or FIRST_AGENT


def _first_listed(value: Value) -> str | None:
    """Of agents in a list the one that is marked, or the first; named agents have no first one."""
    listed = at(value, ("agents", "list"))
    listed = listed if isinstance(listed, list) else []
    marked = [one for one in listed if at(one, ("default",)) is True]
    return next((str(at(one, ("id",))) for one in (*marked, *listed)), None)


def _knows_owner(value: Value) -> bool:
    """Without a target OpenClaw writes to its owner, if it knows one on some channel."""
    channels = at(value, ("channels",))
    channels = channels if isinstance(channels, dict) else {}
    used = [one for name, one in channels.items() if name != "defaults"]
    owners = at(value, ("commands", "ownerAllowFrom"))
    return bool(used) and (_is_concrete(owners) or any(_allows(channel) for channel in used))


def _allows(channel: Any) -> bool:
    accounts = at(channel, ("accounts",))
    places = [channel, at(channel, ("dm",)), *(accounts.values() if isinstance(accounts, dict) else ())]
    return any(_is_concrete(at(place, ("allowFrom",))) for place in places)


def _is_concrete(names: Any) -> bool:
    """Whether it names somebody, and not only everybody."""
    listed = [str(name).strip() for name in names] if isinstance(names, list) else []
    return any(name and not _EVERYBODY.fullmatch(name) for name in listed)


def _setting(value: Value, agent: str, name: str) -> Any:
    own = next((one for known, one in _agents(value) if known == agent), None)
    found = at(own, ("heartbeat", name))
    return at(value, (*_DEFAULTS, name)) if found is None else found


def _agents(value: Value) -> list[tuple[str, Any]]:
    """The agents with their settings; older configurations list them, newer ones name them."""
    listed, named = at(value, ("agents", "list")), at(value, ("agents", "entries"))
    old: Iterable[Any] = listed if isinstance(listed, list) else ()
    new = named.items() if isinstance(named, dict) else ()
    return [*((str(at(one, ("id",))), one) for one in old), *new]
