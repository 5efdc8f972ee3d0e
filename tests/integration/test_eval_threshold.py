"""`memud eval threshold`: thresholds compared by real daemons, on sets and on one's own log."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from memud_client import Client

from cli.app import main
from evaluation.store import Question, Said, Store, single
from evaluation.thresholds.comparison import compare, unrelated_prompts
from evaluation.thresholds.log import NEEDED
from tests.daemons import DaemonProcess
from tests.tiny_sets import write_all

pytestmark = pytest.mark.slow

THINGS = (
    "ladder", "drill", "kayak", "tent", "violin", "telescope", "sewing machine", "bicycle pump",
    "chess set", "slide projector", "typewriter", "rice cooker", "waffle iron", "fishing rod", "sleeping bag",
    "toolbox", "hammock", "globe", "accordion", "microscope", "easel", "sledge", "paddle", "barometer",
    "compass", "lantern", "thermos", "loom", "anvil", "harpoon", "parasol", "snow shovel",
)  # fmt: skip
PLACES = (
    "attic", "cellar", "garage", "pantry", "wardrobe", "corridor", "greenhouse", "barn", "boathouse", "shed",
    "library", "balcony", "kitchen", "hayloft", "workshop", "stable", "closet", "veranda", "vestibule",
    "courtyard", "chapel", "laundry", "studio", "nursery", "parlour", "scullery", "cloakroom", "gazebo",
    "outhouse", "bunker", "carport", "tower",
)  # fmt: skip


def told(thing: str, place: str) -> str:
    """What the user said once."""
    return f"My {thing} is stored in the {place}."


def asking(thing: str) -> str:
    """The prompt."""
    return f"Where is my {thing} stored?"


def a_store() -> Store:
    """Ten things and where they are."""
    pairs = list(zip(THINGS, PLACES, strict=True))[:10]
    turns = [
        Said(f"k{place}", "user", told(*pair), 1_780_000_000 + place, "s") for place, pair in enumerate(pairs)
    ]
    questions = [Question(asking(thing), single([f"k{place}"])) for place, (thing, _) in enumerate(pairs)]
    return Store("mine", "en", turns, questions)


def test_a_higher_threshold_as_setting_gives_less_of_the_same_store() -> None:
    """The store is filled once, and each daemon has its own gate; unrelated prompts get silence."""
    settings = {"MEMUD_EMBED__PROVIDER": "none"}
    chosen = {"mine": [a_store()]}
    rows = list(
        compare(chosen, unrelated_prompts(5), (0.5, 0.99), settings, lambda _step, _done, _total: None)
    )
    low, high = rows
    assert (low.of, low.threshold, high.threshold) == ("mine", 0.5, 0.99)
    assert (low.recall, low.prompts, low.unrelated) == (1.0, 10, 5)
    assert low.precision is not None
    assert low.items > high.items
    assert high.recall < 1.0
    assert low.tokens > high.tokens
    assert high.false_alarms == 0


def converse(client: Client, count: int) -> None:
    """Prompts of which every second one is answered by what was recalled; the monitor judges them all."""
    pairs = list(zip(THINGS, PLACES, strict=True))[:count]
    for pair in pairs:
        client.add(told(*pair), infer=False)
    for number, (thing, place) in enumerate(pairs):
        client.recall(asking(thing), session_id="s")
        answer = f"It is in the {place}." if number % 2 == 0 else "I have no idea, sorry."
        client.capture(
            [{"role": "user", "content": asking(thing)}, {"role": "assistant", "content": answer}],
            session_id="s",
        )
    client.capture([{"role": "user", "content": "That will do."}], session_id="s")
    client.job_run("monitor")


def eval_log(daemon: DaemonProcess, *options: str) -> list[str]:
    """The command line."""
    return ["eval", "threshold", "--from-log", "--socket", str(daemon.socket_path), *options]


def report_of(daemon: DaemonProcess, capsys: pytest.CaptureFixture[str], *options: str) -> Any:
    """What it says to a program."""
    capsys.readouterr()
    assert main(eval_log(daemon, *options, "--json")) == 0
    return json.loads(capsys.readouterr().out)


def test_one_s_own_prompts_are_asked_again_and_judged_by_what_became_of_them(
    daemon: DaemonProcess, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the conversation to the recommendation; asking again is not logged."""
    converse(client, NEEDED + 2)
    before = client.recall_log()["results"]
    outcomes = [given["outcome"] for one in before for given in one["results"]]
    assert {"used", "unused"} <= set(outcomes)
    report = report_of(daemon, capsys, "--thresholds", ".3,.7,.99", "--plot", str(tmp_path / "log.svg"))
    assert client.recall_log()["results"] == before
    low, middle, high = report["rows"]
    assert (low["prompts"], low["answered"]) == (NEEDED + 2, 1.0)
    assert 0 < low["used"] < low["known"] <= low["memories"]
    assert low["used"] >= middle["used"] >= high["used"]
    assert low["memories"] > high["memories"]
    assert low["tokens"] > high["tokens"]
    recommended = report["recommendation"]
    assert (recommended["why"], recommended["threshold"] in (0.3, 0.7, 0.99)) == ("keeps_used", True)
    assert recommended["reason"].startswith(f"Take {recommended['threshold']:.2f}")
    assert (tmp_path / "log.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_a_forgotten_memory_counts_as_not_wanted(
    daemon: DaemonProcess, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its score of then, as its words are gone."""
    converse(client, 3)
    item_id = client.recall_log()["results"][0]["results"][0]["id"]
    client.forget(item_id)
    row = report_of(daemon, capsys, "--thresholds", ".1")["rows"][0]
    assert row["unwanted"] >= 1
    assert row["prompts"] == 3


def test_from_a_short_log_nothing_is_recommended(
    daemon: DaemonProcess,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In the reader's language, with how many prompts are needed."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    converse(client, 2)
    assert main(eval_log(daemon)) == 0
    shown = capsys.readouterr().out
    assert [line.split()[0] for line in shown.splitlines()[:4]] == ["阈值", "0.70", "0.75", "0.80"]
    assert "暂无建议" in shown
    assert str(NEEDED) in shown


def test_an_empty_log_is_no_fault(daemon: DaemonProcess, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody who has just begun gets the reason, not a traceback."""
    report = report_of(daemon, capsys)
    assert (report["rows"], report["recommendation"]["why"]) == ([], "too_few")


@pytest.mark.parametrize(
    "options",
    [
        ["locomo", "--from-log"],
        ["locomo", "--thresholds", ".7"],
        ["threshold", "--thresholds", "high"],
        ["threshold", "--plot", "curve.pdf"],
        ["threshold", "--baseline", "dense"],
        ["threshold", "--data", "no-such-folder"],
    ],
)
def test_what_can_not_be_meant_is_a_fault_of_usage(
    options: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 64 with a sentence, before anything is started."""
    assert main(["eval", *options]) == 64
    assert capsys.readouterr().err


def test_a_picture_that_can_not_be_written_is_refused_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder stands in its place; and one that can be is not begun by the check."""
    data, taken, free = write_all(tmp_path / "data"), tmp_path / "a.png", tmp_path / "b.png"
    taken.mkdir()
    command = ["eval", "threshold", "--words-only", "--data"]
    assert main([*command, str(data), "--plot", str(taken)]) == 64
    assert f"the picture can't be written to {taken}" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "none"), "--plot", str(free)]) == 64
    assert not free.exists()


def test_without_a_daemon_the_log_can_not_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 69, as with every command that needs one."""
    assert main(["eval", "threshold", "--from-log", "--socket", str(tmp_path / "none")]) == 69
    assert capsys.readouterr().err
