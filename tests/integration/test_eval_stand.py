"""The daemon that is measured: settled before it is asked."""

from memud_client import Client

from evaluation.ingest import fill
from evaluation.stand import Stand
from evaluation.store import Said, Store

BIRDS = ("cormorant", "gannet", "puffin", "razorbill", "fulmar", "kittiwake", "guillemot", "shearwater")
DEEDS = ("fledged late", "left the skerry", "nested on the ledge", "dived below the reef", "lost a feather")
TASKS = (
    "写一封请假邮件",
    "翻译这段英文文章",
    "检查这段代码的错误",
    "解释机器学习",
    "写一首春天的诗",
    "订上海的高铁票",
    "听一首轻松的音乐",
    "介绍附近好吃的餐厅",
)
DAYS = ("明天早上七点", "今天晚上", "天气好的时候", "下雨的时候", "到了机场以后")


def a_store(name: str, texts: list[str]) -> Store:
    """One session, large enough to be fitted."""
    return Store(
        name, "en", [Said(f"{n}", "user", text, 1_780_000_000 + n, "s") for n, text in enumerate(texts)]
    )


def test_a_settled_daemon_is_not_moved_by_the_monitor(client: Client) -> None:
    """Each store is fitted in its own language; a tick while the questions are asked finds nothing to do."""
    steps: list[tuple[str, int, int]] = []
    stand = Stand(client, lambda *step: steps.append(step))
    stores = [
        a_store("birds", [f"{bird} {n} {deed}" for n in range(3) for bird in BIRDS for deed in DEEDS]),
        a_store("tasks", [f"我{day}要{task}，第{n}次" for n in range(3) for task in TASKS for day in DAYS]),
    ]
    fill(stand, stores)
    stand.fit([store.name for store in stores])
    ticks = [client.job_run("monitor")["counts"]["recalibrated"] for _ in range(4)]
    assert ticks == [0, 0, 0, 0]
    assert steps[-2:] == [("fit", 1, 2), ("fit", 2, 2)]
