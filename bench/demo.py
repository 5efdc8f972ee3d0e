"""`make demo`: all of memud on a real-looking conversation, or on your own FILE; every promise is checked."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from memud_client import Client
from memud_client.errors import MemudError

from bench.scenes import crash, shared, story
from bench.scenes.child import Child, StartError
from bench.scenes.conversation import Conversation, PlantedSecrets, read
from bench.scenes.say import Say
from bench.scenes.screen import Screen
from bench.scenes.stage import Stage
from bench.scenes.third_time import third_time

SHIPPED = Path(__file__).with_name("conversation.jsonl")


def main() -> int:
    """0 if every promise held, 1 if one broke, 64 if the conversation can't be used."""
    path = _arguments().conversation
    screen, planted = Screen.of_this_terminal(), PlantedSecrets()
    begun = time.monotonic()
    try:
        conversation = read(path, planted, now=int(time.time()))  # noqa: TID251 - undated events happen now
    except OSError as error:
        why = screen.heard(error.strerror or str(error))
        screen.warn(Say(f"{path}: {why.en}", f"{path}：{why.zh}"))
        return 64
    if not conversation.lines:
        _refuse(screen, path, conversation)
        return 64
    try:
        _on_stage(screen, conversation, planted if path == SHIPPED else None)
    except StartError as error:
        screen.check(Say("the daemon runs", "守护进程能运行"), False, str(error))
    except MemudError as error:
        screen.check(Say("the daemon answers", "守护进程有回应"), False, f"{error} {error.hint}")
    return 0 if screen.verdict(time.monotonic() - begun) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--conversation", type=Path, default=SHIPPED, metavar="FILE", help="one JSON event a line"
    )
    return parser.parse_args()


def _refuse(screen: Screen, path: Path, conversation: Conversation) -> None:
    for number, reason in conversation.bad:
        screen.warn(Say(f"line {number}: {reason.en}", f"第 {number} 行：{reason.zh}"))
    screen.warn(Say(f"{path}: no usable event", f"{path}：没有可用的事件"))


def _on_stage(screen: Screen, conversation: Conversation, planted: PlantedSecrets | None) -> None:
    with tempfile.TemporaryDirectory(prefix="memud-demo-") as folder:
        child = Child(Path(folder))
        try:
            with Client(child.socket_path) as client:
                stage = Stage(child, client, conversation)
                _play_any(screen, stage) if planted is None else _play_shipped(screen, stage, planted)
        finally:
            child.stop()


def _play_shipped(screen: Screen, stage: Stage, planted: PlantedSecrets) -> None:
    shared.start(screen, stage)
    replayed = shared.replay(screen, stage)
    shared.digest(screen, stage)
    shared.resend(screen, stage, replayed)
    story.compaction(screen, stage, replayed)
    story.kept(screen, stage, planted)
    story.recall(screen, stage)
    shared.silence(screen, stage, story.UNRELATED, allowed=0)
    story.foresight(screen, stage)
    third_time(screen, stage)
    crash.survive(screen, stage, [prompt.query for prompt in story.PROMPTS])


def _play_any(screen: Screen, stage: Stage) -> None:
    shared.start(screen, stage)
    replayed = shared.replay(screen, stage)
    shared.digest(screen, stage)
    shared.resend(screen, stage, replayed)
    shared.knows(screen, stage)
    shared.own_words(screen, stage, replayed)
    shared.silence(screen, stage, shared.unrelated_prompts(stage), allowed=1)
    shared.foresight(screen, stage)
    crash.survive(screen, stage, crash.prompts_of(stage))


if __name__ == "__main__":
    sys.exit(main())
