"""Which turns a person wrote themselves, and which of the facts drawn from them are not worth keeping."""

from memory.extract.chinese import CHINESE
from memory.extract.clauses import Clause, sentences
from memory.extract.english import ENGLISH
from memory.extract.foreign import blanked, is_prompt
from memory.model import Modality, Origin, Role, Turn
from memory.simplified import simplified

_SMALL_TALK_CHARS = 20  # a longer question or request may tell something in passing


def is_own(turn: Turn) -> bool:
    """Whether a person wrote it in a chat; only such words become facts."""
    is_chat = turn.role is Role.USER and turn.modality is Modality.CHAT
    return is_chat and turn.origin in (Origin.USER, Origin.IMPORT)


def is_told(turn: Turn) -> bool:
    """Whether it is a person's own and may tell something: no thanks, no agent's prompt, no attack on one."""
    text = turn.text.strip()
    if not text or not is_own(turn) or is_hostile(text):
        return False
    return len(text) > _SMALL_TALK_CHARS or not is_passing(text)


def is_hostile(text: str) -> bool:
    """Whether it is addressed to a model, to make it another one or drop its rules."""
    said = blanked(simplified(text))
    return is_prompt(text) or any(lexicon.attack.search(said) for lexicon in (ENGLISH, CHINESE))


def is_passing(text: str) -> bool:
    """Whether all of it is questions, chatter, or over within the hour."""
    found = list(sentences(simplified(text)))
    return bool(found) and all(map(_is_idle, found))


def is_others(text: str, span: tuple[int, int]) -> bool:
    """Whether what stands there is mostly code, a quotation, a letter or another's words."""
    start, end = span
    said = "".join(text[start:end].split())
    own = "".join(blanked(simplified(text))[start:end].split())
    return 2 * len(own) < len(said)


def _is_idle(sentence: Clause) -> bool:
    lexicon = CHINESE if sentence.is_chinese else ENGLISH
    is_question = sentence.is_question or bool(lexicon.question.search(sentence.text))
    return is_question or bool(lexicon.chatter.search(sentence.text))
