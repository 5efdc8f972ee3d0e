"""What is said of other programs beside memud."""

from typing import Any

from bench.peers.telling import told


def one(name: str, **figures: Any) -> dict[str, Any]:
    """A peer's figures."""
    nothing = {
        "how": "in process",
        "packages": [],
        "has_vectors": True,
        "run": "today",
        "skipped": "",
        "load": 1.0,
    }
    return nothing | {"name": name, "time": {}, "probe": {}, "kill": {}} | figures


def asked(cpu_ms: float, size: str) -> dict[str, Any]:
    """Questions at one size."""
    return {"sizes": {size: {"cpu_p50_ms": cpu_ms, "asked": 50, "found": 49}}}


def test_a_dearer_program_is_told_with_how_many_times_as_much() -> None:
    """The ratio of the same run."""
    figures = {
        "memud": one("memud", time=asked(10, "10000")),
        "memu_cli": one("memu-cli", time=asked(5000, "10000")),
    }
    shown = told(figures)
    assert (
        "At 10,000 notes a question costs memud 10 ms of CPU, memu-cli 5.0 s: **500 times as much**" in shown
    )
    assert "| memu-cli | – | – | 5.0 s (500×) | 49 of 50 |" in shown


def test_a_cheaper_program_is_told_too() -> None:
    """What falls short is said as plainly."""
    figures = {
        "memud": one("memud", time=asked(12, "10000")),
        "control": one("control", time=asked(3, "10000")),
    }
    assert "memud takes 4.0 times as much" in told(figures)


def test_figures_of_different_runs_make_no_ratio() -> None:
    """The machine was another one, an hour ago."""
    figures = {
        "memud": one("memud", time=asked(10, "10000")),
        "memu_cli": one("memu-cli", run="yesterday", time=asked(5000, "10000")),
    }
    shown = told(figures)
    assert "times as much" not in shown
    assert "| memu-cli | – | – | 5.0 s | 49 of 50 |" in shown
    assert "run of yesterday" in shown


def test_a_program_that_was_asked_with_less_says_with_how_much() -> None:
    """Under the smallest size of the others, and without a ratio."""
    assert "| x | 28 ms at 300 | – | – | 49 of 50 |" in told({"x": one("x", time=asked(28, "300"))})


def test_a_program_that_was_skipped_says_why() -> None:
    """And stands in no table."""
    shown = told({"memud": one("memud"), "palaia": one("palaia", skipped="there is no Python 3.11")})
    assert "**palaia**: in process; run of today, load 1.0. Not all of it: there is no Python 3.11" in shown
    assert "| palaia |" not in shown


def test_a_store_that_can_not_be_read_after_a_kill_has_lost_all() -> None:
    """Not an empty cell."""
    kill = {"acked": 36, "kills": 1, "opens_again": False, "error": "no such index"}
    assert "| x | 36 | – | all: it can't be read | no |" in told({"x": one("x", kill=kill)})
