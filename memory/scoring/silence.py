"""Prompts that no memory can help with: greetings, thanks, and words too few to mean anything."""

import re

from memory.terms import cjk_runs, content_terms, is_cjk, plain_words

MIN_CJK_CHARACTERS = 6
MIN_WORDS = 2
MAX_CHARACTERS = 500  # nobody greets at greater length, and a pasted document is not worth the look
_CHARACTERS_PER_WORD = MIN_CJK_CHARACTERS // MIN_WORDS


def _word_list(block: str) -> frozenset[str]:
    return frozenset(block.split())


def _any_of(block: str) -> re.Pattern[str]:
    return re.compile("|".join(sorted(block.split(), key=len, reverse=True)))


_PHRASES = re.compile(
    r"\b(good (morning|afternoon|evening|night|day)"
    r"|(have|enjoy) (a|your) (good|great|nice|lovely)( rest of (the|your))?"
    r"|how (are|is|have) (you|u|it|things|everything)( been| going| doing)?"
    r"|how s (it|things|everything|life)( going)?|what s up|whats up"
    r"|nice to (meet|see|hear from) you|long time no see|see you|talk to you|take care"
    r"|(sounds|looks|works|reads) (good|great|fine|perfect|right|nice)( (to|for) me)?"
    r"|(makes|made) sense|got it|i see|no (problem|worries)|never ?mind"
    r"|good (job|work|idea|one|point|call)|(well|nicely) (done|said|put|played)|go ahead|way to go"
    r"|fair enough|all (good|set|clear|right)|same here|me too|of course|for sure|you bet"
    r"|no rush|take your time"
    r"|(you|u) (re|are) (a|an|the) (star|legend|genius|lifesaver|hero|champ|angel|best|wizard|saint|rockstar)"
    r"|my (bad|pleasure|apologies|friend))\b"
)
_COURTESIES = _word_list(
    """
    hi hello hey heya hiya howdy greetings gm gn welcome bye goodbye cya cheers thanks thank thanx thx ty ta
    tysm
    appreciate appreciated grateful ok okay okey okie k kk yes yep yeah yup nope nah sure alright cool great
    awesome amazing perfect excellent wonderful brilliant fantastic lovely sweet wow lol lmao rofl hm oh ah
    aha
    ooh yay congrats congratulations sorry understood noted roger gotcha agreed exactly absolutely
    definitely
    """
)
_COMPANIONS = _word_list(
    """
    a an the and or of in on at to for from with by as it is are was were be been do did have had i im ive
    ill
    you your u we us me this that these those there here will would can could but if not no dont just very
    really too so much many more again now then all everyone everybody folks guys team friend buddy mate sir
    madam bot assistant well good better best nice fine right day today tonight weekend lot lots ton bunch
    million help helping helpful reply replying response responding answer answering explanation explaining
    info information advice quick fast kind kindness patience support effort work job clarification
    clarifying
    update suggestion suggestions feedback get know understand glad happy hope doing about later soon
    tomorrow
    everything nothing s t d m ll ve re one continue go ahead please try funny hilarious morning evening
    night
    appreciation time detailed clear works hear
    lifesaver legend genius star hero champ angel rockstar saint wizard magic saved save helped made day
    impressive impressed smart clever done ready
    """
)
_LAUGHTER = re.compile(r"(a?(ha|he|hi|ho)+h?|l+o+l+|h+m+|o+h+|a+h+|y+e+s+|o+k+)")

_ZH_COURTESIES = _any_of(
    """
    早上好 上午好 中午好 下午好 晚上好 大家好 早安 午安 晚安 你好 您好 妳好 哈喽 哈啰 哈囉 嗨 嘿 喂 早
    谢谢 謝謝 谢了 谢啦 多谢 多謝 感谢 感謝 感恩 谢 辛苦 麻烦 麻煩 不客气 不客氣 不用谢 没关系 沒關係 没事
    收到 好的 好 可以 行 嗯 恩 哦 噢 喔 哎 唉 哇 呵 嘻 哈 啊 是的 是 对的 对 對 没错 沒錯 不错 不錯 知道
    明白
    了解 瞭解 懂 理解 清楚 没问题 沒問題 同意 当然 確實 确实 棒 厉害 厲害 牛 完美 优秀 加油 恭喜 祝贺 抱歉
    对不起 對不起 不好意思 再见 再見 拜拜 拜 回见 回头见 明天见 下次见 晚点聊 改天聊 先这样 就这样 继续 繼續
    原来如此 原来这样 长知识 学到 受教 受益 赞 给力 靠谱 贴心 绝了 太强 真行 笑死 笑 哭了 呜 嘿嘿 稍等
    等等 晚点见
    回聊 先撤 撤了 溜了 睡了 不急 随意 都行 没毛病 有道理 言之有理 客气 见外 久等 破费 费心 有心 用心 劳驾
    在吗 在嗎 在不在 在么 吃了吗 新年快乐 节日快乐 周末愉快 周末快乐 好久不见 祝你 祝您 有劳
    """
)
_ZH_COMPANIONS = _any_of(
    """
    的 了 吗 嗎 呢 吧 呀 么 嘛 哟 咯 呐 滴 哒 嘞 诶 欸 啦 你 您 我 们 們 咱 都 也 就 还 還 又 再 太 真 很
    非常 多 这 這 那
    个 個 么 给 給 为 為 大家 各位 朋友 老师 老師 亲 亲爱 小助手 助手 回复 回覆 回答 解答 帮助 幫助 帮忙
    幫忙 帮
    支持 耐心 详细 詳細 及时 及時 建议 建議 分享 解释 解釋 提醒 今天 今晚 明天 一天 一下 一切 心情 愉快 快乐
    顺利
    大忙 救命 救星 恩人 省心 省事 时间 效率 下次 下回 改天 死 强 高效 专业 暖心 收获 满满 辛苦
    先 去 睡 忙 聊 到 完 过 過 不 没 沒 必 用 要 得 说 說 见 見 打扰 打擾
    """
)


_ASKING_WORDS = "what|which|who|whom|whose|where|when|how|why|do|did|am|was|have|is|are|can"
_ASKING = frozenset(_ASKING_WORDS.split("|"))
_POINTED = frozenset(("where", "when", "who", "which", "my", "our"))  # "where do I work?" means something
_ASKED = re.compile(rf"\b(?:{_ASKING_WORDS})\b")
_SELF = re.compile(r"\b(?:i|my|me|mine|we|our|us)\b")
_ZH_SELF = re.compile(r"[我咱俺]")
_ZH_ASKED_AFTER = re.compile(r"什么|什麼|啥|谁|誰|哪|几|幾|多少|怎么|怎麼|吗|嗎|呢|没有|沒有|[?？]")
_ZH_ASKED_BEFORE = re.compile(r"什么|什麼|啥|谁|誰|哪|几|多少")


def is_silent_prompt(text: str) -> str | None:
    """Why recall stays silent for this prompt: `empty`, `courtesy` or `too_short`; None when it may speak.

    A courtesy is made of greetings, thanks, acknowledgements and their companions alone, up to
    MAX_CHARACTERS.
    Too short is under two content words, or under six CJK characters; in mixed text a word weighs as
    much as three characters, so that "NVDA现在多少钱" is long enough. A question about oneself ("where do I
    live?", "我喝什么茶？") is never too short: that is what a memory is asked.
    """
    if len(text) > MAX_CHARACTERS:
        return None
    words = plain_words(text)
    cjk = "".join(cjk_runs(text))
    if not words and not cjk:
        return "empty"
    if _is_courtesy(words, cjk):
        return "courtesy"
    is_hollow = not cjk and (_COMPANIONS | _ASKING).issuperset(words) and _POINTED.isdisjoint(words)
    if asks_about_oneself(text) and not is_hollow:
        return None
    content_words = sum(not is_cjk(term) for term in content_terms(text))
    size = len(cjk) + _CHARACTERS_PER_WORD * content_words
    return "too_short" if size < MIN_CJK_CHARACTERS else None


def says_nothing(text: str) -> bool:
    """Whether a text is empty or a courtesy, so that nothing in it is worth a memory."""
    if len(text) > MAX_CHARACTERS:
        return False
    words, cjk = plain_words(text), "".join(cjk_runs(text))
    return not (words or cjk) or _is_courtesy(words, cjk)


def asks_about_oneself(text: str) -> bool:
    """Whether a question word and the first person stand together: "where do I live?", "我喝什么茶？"."""
    folded = text.lower()
    return (
        follows(_ASKED, _SELF, folded)
        or follows(_ZH_SELF, _ZH_ASKED_AFTER, folded)
        or follows(_ZH_ASKED_BEFORE, _ZH_SELF, folded)
    )


def follows(first: re.Pattern[str], then: re.Pattern[str], text: str) -> bool:
    """Whether one stands somewhere behind the other. `first.*then` would try every pair: hours for a book."""
    found = first.search(text)
    return found is not None and then.search(text, found.end()) is not None


def _is_courtesy(words: list[str], cjk: str) -> bool:
    """Whether nothing is left when courtesies and then their companions are taken out, in both languages."""
    spoken, phrases = _PHRASES.subn(" ", " ".join(words))
    rest = [word for word in spoken.split() if not _is_english_courtesy(word)]
    cjk_rest, cjk_courtesies = _ZH_COURTESIES.subn("", cjk)
    found = phrases + cjk_courtesies + len(spoken.split()) - len(rest)
    return found > 0 and _COMPANIONS.issuperset(rest) and not _ZH_COMPANIONS.sub("", cjk_rest)


def _is_english_courtesy(word: str) -> bool:
    return word in _COURTESIES or _LAUGHTER.fullmatch(word) is not None
