"""Whether somebody doubts a decision, or means to decide anew; in English and Chinese."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from memory.extract.clauses import Clause, sentences
from memory.proactive.commitments.chinese_cues import CHINESE
from memory.proactive.commitments.chinese_cues import FICTION as FICTION_CHINESE
from memory.proactive.commitments.english_cues import ENGLISH, FICTION
from memory.terms import content_terms

_MAX_SENTENCES = 60
_MAX_SENTENCE_CHARS = 300


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_CHANGES = (
    r"(?:switch\w*|replac\w*|drop\w*|scrap\w*|revers\w*|undo\w*|leav\w*|cancel\w*|swap\w*|return\w*|exchang\w*|postpon\w*|delay\w*|push\w*"
    r"|revisit\w*|review\w*|redo\w*|mov\w*\s+(?:to|away)|go\w*\s+back)"
)
_ENGLISH: Final = _compiled(
    r"\b(?:second\s+thoughts?|cold\s+feet|reconsider\w*|rethink\w*|re-?evaluat\w*|reopen\w*|backtrack\w*|tempted|wavering)\b"
    r"|\b(?:chang\w+|change\s+of)\s+(?:(?:my|our|their|his|her|your)\s+)?(?:minds?|hearts?)\b"
    r"|\b(?:not|no\s+longer)\s+(?:so\s+|that\s+|really\s+|quite\s+)?(?:sure|certain|convinced|happy|sold)\b"
    r"|\b(?:doubt|doubts|doubting|regret|regretting|regrets)\b|\bup\s+(?:for|in)\s+(?:discussion|debate|the\s+air)\b|\b(?:vote|voting|ballot)\b"
    r"|\balternatives?\s+to\b|\binstead\s+of\b|\brather\s+than\b|\b(?:would|might|could|may)\s+be\s+(?:\w+\s+)?(?:enough|better|cheaper|simpler|easier|wiser)\b"
    rf"|\b(?:want|wants|like|likes|thinking|talk|plans?|planning|considering|propos\w+|suggest\w*|argu\w+|push\w*|ask\w*)\b.{{0,24}}\b{_CHANGES}\b"
    rf"|\b(?:may|might|could|maybe|perhaps|should\s+(?:we|i))\b.{{0,24}}\b(?:{_CHANGES}|change|go\s+with|return|use)\b"
    r"|\b(?:may|might|could)\s+have\s+to\s+(?:be|go|move|use)\b|\bbetter\s+than\b|\bless\s+(?:and\s+less\s+)?(?:appealing|attractive|sure|keen)\b"
    r"|\boverkill\b|\btoo\s+(?:expensive|slow|big|small|heavy|complicated|far|loud|risky)\b|\b(?:hates?|dislikes?|question|questions|questioned|complains?)\b"
    r"|\b(?:was|were)\s+(?:a\s+mistake|wrong|too\s+hasty|the\s+wrong)\b|\bpicked\s+the\s+wrong\b|\bleaning\s+towards?\b"
    r"|\b(?:decide|discuss|debate|negotiate)\s+(?:it\s+|that\s+|this\s+)?(?:again|anew|once\s+more|afresh)\b|\bwonder\w*\s+(?:if|whether)\b"
)
_CHINESE: Final = re.compile(
    r"重新(?:考虑|讨论|评估|选|想|定|谈|招标)|再(?:考虑|想想|讨论|商量|谈谈?|议|拍板|投一?次?票|定|比比|看看)|动摇|后悔|犹豫|反悔|改主意|变卦|打退堂鼓|推翻|松动"
    r"|又(?:觉得|想|有点|开始|在看)|嫌|想(?:换|改|退|转)|没意思|质疑|开会(?:再)?定|要换(?:成|掉)|打算(?:换|退|改)|(?:提议|建议|主张|提出|考虑|要求)[^，。]{0,14}(?:换|改|别|不用|取消|用|推迟|提前|延期)|投票|表决"
    r"|(?:更|比较)(?:划算|合适|便宜|好|省|靠谱)|不如|要不(?:还是)?(?:换|改|用)|是不是(?:选|定|买|决定)错|没那么(?:确定|想|喜欢)|不太(?:确定|想)|心动|不一定了"
    r"|(?:可能|也许|说不定|怕是)[^，。]{0,8}(?:换|改|取消|退|不)|(?:倾向|偏向)(?:于)?"
)
_FINAL: Final = _compiled(
    r"\b(?:stay|stays|stick|sticks|sticking|staying|keep|keeping|stuck)\s+(?:with|to|it)\b|\b(?:that's|it's|is)\s+final\b"
    r"|\b(?:still|definitely)\s+(?:going|happy|sure)\b|\bno\s+(?:second\s+thoughts|regrets|doubts?)\b|\bglad\b"
    r"|\b(?:don't|do\s+not|never|didn't|without)\s+(?:a\s+)?(?:regret|doubt)\b|\b(?:his|her|their)\s+own\b"
    rf"|不再改|不改了|最后还是|最终还是|还是决定|没(?:有)?后悔|不后悔|不动摇|不会(?:换|改)|定死|[他她]们?自己|{FICTION_CHINESE}|{FICTION}"
)


def doubts(text: str) -> Iterator[Clause]:
    """The sentences that doubt something that was decided, or say that it will be decided anew."""
    for sentence in islice(sentences(text.replace("’", "'")), _MAX_SENTENCES):
        cues, pattern = (CHINESE, _CHINESE) if sentence.is_chinese else (ENGLISH, _ENGLISH)
        if cues.task.search(sentence.text):
            return  # what follows is material to work on
        if len(sentence.text) > _MAX_SENTENCE_CHARS or _FINAL.search(sentence.text):
            continue
        if pattern.search(sentence.text):
            yield sentence


def telling(words: str) -> frozenset[str]:
    """The words that tell one decision from another."""
    return frozenset(content_terms(_EMPTY.sub(" ", words)))


_EMPTY: Final = re.compile(
    r"\b(?:decid\w*|decision\w*|settl\w*|chos\w*|choos\w*|agre\w*|going|use|using|used|buy\w*|bought|plan\w*|sure|think\w*|want\w*|need\w*|new|old"
    r"|good|better|now|week|month|year|day|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
    r"|\((?:19|20|21)\d\d[-/\d :]*\)|（(?:19|20|21)\d\d[-/\d :]*）"
    r"|决定|选定?了?|敲定|定了|说好|商量|准备|打算|以后|我们|咱们|觉得|考虑|今天|明天|下周|这个|那个",
    re.IGNORECASE,
)
