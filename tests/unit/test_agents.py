"""What plugins report of themselves, and what health makes of it."""

import pytest

from cli.heard import HEALTH
from daemon.agents import Agents
from daemon.protocol.agents import AgentReportParams, Problem
from memory.testing import FrozenClock

PROBLEMS: tuple[Problem, ...] = (
    "no_access",
    "no_injection",
    "not_owner",
    "hooks_missing",
    "deaf",
    "no_capture",
)


def report(**changes: object) -> AgentReportParams:
    """A plugin to which nothing is wrong, but for `changes`."""
    usual: dict[str, object] = {"name": "openclaw", "turns": 9, "recalls": 9, "captures": 9}
    return AgentReportParams(**{**usual, **changes})  # type: ignore[arg-type]


def test_a_plugin_that_works_is_seen_and_gives_no_reason(clock: FrozenClock) -> None:
    """Its counts stand in health."""
    agents = Agents(clock)
    assert not agents.note(report())
    (agent,) = agents.present()
    assert (agent.name, agent.turns, agent.reasons, agent.notes) == ("openclaw", 9, (), ())


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_problem_has_its_words_in_both_languages(problem: Problem, clock: FrozenClock) -> None:
    """A code alone helps nobody, and the command line knows each sentence in Chinese."""
    (reason,) = Agents(clock).note(report(problems=(problem,)))
    assert any(pattern.replace("{name}", "openclaw") == reason for pattern in HEALTH)


def test_recalls_without_a_capture_are_an_error_whatever_the_plugin_says(clock: FrozenClock) -> None:
    """A plugin whose capture is dead may not know it."""
    agents = Agents(clock)
    assert not agents.note(report(recalls=4, captures=0))
    (reason,) = agents.note(report(recalls=5, captures=0))
    assert "nothing is captured" in reason


def test_who_wants_nothing_captured_has_no_fault(clock: FrozenClock) -> None:
    """Capture can be switched off."""
    assert not Agents(clock).note(report(recalls=99, captures=None))


def test_two_gateways_are_told_apart(clock: FrozenClock) -> None:
    """One that works does not hide one that is deaf; a restart makes no third."""
    agents = Agents(clock)
    agents.note(report(instance="home", turns=3))
    agents.note(report(instance="work", problems=("no_access",)))
    agents.note(report(instance="home", turns=1))
    home, work = agents.present()
    assert [(one.name, one.instance, one.turns) for one in (home, work)] == [
        ("openclaw (home)", "home", 1),
        ("openclaw (work)", "work", 9),
    ]
    assert not home.reasons
    assert work.reasons[0].startswith("openclaw (work) does not let memud see")


def test_one_gateway_needs_no_instance_in_its_name(clock: FrozenClock) -> None:
    """Also when another has fallen silent."""
    agents = Agents(clock)
    agents.note(report(instance="work"))
    clock.turn(301)
    agents.note(report(instance="home"))
    assert [one.name for one in agents.present()] == ["openclaw"]


def test_of_many_the_ones_that_reported_last_are_kept(clock: FrozenClock) -> None:
    """A name that nobody bounds fills no memory."""
    agents = Agents(clock)
    for number in range(40):
        agents.note(report(instance=f"{number:02}"))
    assert [one.instance for one in agents.present()] == [f"{number:02}" for number in range(8, 40)]


def test_reminders_that_wait_are_a_note_and_no_fault(clock: FrozenClock) -> None:
    """Who switched the heartbeat off meant it."""
    agents = Agents(clock)
    agents.note(report(reminders="next-turn"))
    (agent,) = agents.present()
    assert not agent.reasons
    assert any(pattern.replace("{name}", "openclaw") == agent.notes[0] for pattern in HEALTH)


def test_a_plugin_that_fell_silent_is_forgotten(clock: FrozenClock) -> None:
    """A gateway that was stopped for the night is no fault of the daemon's."""
    agents = Agents(clock)
    agents.note(report(problems=("no_access",)))
    clock.turn(301)
    assert not agents.present()


def test_a_new_report_stands_for_the_old_one(clock: FrozenClock) -> None:
    """What was mended is no longer told."""
    agents = Agents(clock)
    agents.note(report(problems=("no_access",)))
    agents.note(report())
    (agent,) = agents.present()
    assert not agent.reasons


def test_not_more_than_some_plugins_are_kept(clock: FrozenClock) -> None:
    """A peer that makes up names fills no memory."""
    agents = Agents(clock)
    for number in range(100):
        agents.note(report(name=f"a{number}"))
    assert len(agents.present()) <= 32
