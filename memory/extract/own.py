"""Which turns a person wrote themselves, and which of the facts drawn from them are not worth keeping."""

from memory.extract.chinese import CHINESE
from memory.extract.clauses import sentences
from memory.extract.english import ENGLISH
from memory.extract.foreign import blanked, is_prompt
from memory.model import Modality, Origin, Role, Turn
from memory.simplified import simplified


def is_own(turn: Turn) -> bool:
    """Whether a person wrote it in a chat; only such words become facts."""
    is_chat = turn.role is Role.USER and turn.modality is Modality.CHAT
    return is_chat and turn.origin in (Origin.USER, Origin.IMPORT)


def is_told(turn: Turn) -> bool:
    """Whether it is a person's own and tells something: neither an agent's prompt nor an attack on one."""
    return is_own(turn) and bool(turn.text.strip()) and not is_hostile(turn.text)


def is_hostile(text: str) -> bool:
    """Whether it is addressed to a model, to make it another one or drop its rules."""
    said = blanked(simplified(text))
    return is_prompt(text) or any(lexicon.attack.search(said) for lexicon in (ENGLISH, CHINESE))


def is_passing(text: str) -> bool:
    """Whether it is a question, chatter, or over within the hour."""
    for sentence in sentences(simplified(text)):
        lexicon = CHINESE if sentence.is_chinese else ENGLISH
        if sentence.is_question or lexicon.question.search(sentence.text):
            return True
        if lexicon.chatter.search(sentence.text):
            return True
    return False
