"""Which open questions a turn settles: "we're going with Postgres", 续租了, or the answer itself."""

from collections.abc import Iterable, Iterator, Set

import apsw

from memory.extract.clauses import sentences
from memory.extract.own import is_own
from memory.model import MemoryType, Modality, ProactiveItem, Resource, Role
from memory.proactive import ledger
from memory.proactive.detectors.open_question import OpenQuestionDetector
from memory.proactive.following.meant import telling_share
from memory.proactive.undecided.matter import Sort, decides, matters, telling
from memory.proactive.undecided.reply import answers, reports_choice
from memory.store import items, resources

_ENOUGH = 0.5  # of the fewer words
_LOOKED_BACK = 6


def answered(connection: apsw.Connection, turn: Resource) -> list[ProactiveItem]:
    """The user's open questions that are decided or answered by this turn.

    A choice is the user's own: an assistant's advice decides nothing, only its report that it was made. What
    asks for a fact is settled by the reply that follows at once, or by a later one about the same words.
    """
    said = turn.turn
    if said.modality is not Modality.CHAT or said.role not in (Role.USER, Role.ASSISTANT):
        return []
    open_now = _open_items(connection, turn)
    if not open_now:
        return []
    settle = _by_user if is_own(turn.turn) else _by_reply
    return list(settle(connection, turn, open_now))


def _open_items(connection: apsw.Connection, turn: Resource) -> list[ProactiveItem]:
    said = turn.turn
    near = ledger.near(connection, said.scope.user_id, OpenQuestionDetector.name, said.timestamp, 0)
    return [
        item
        for item in near
        if item.state.is_live and all(one.resource_id != turn.id for one in item.evidence)
    ]


def _by_user(
    connection: apsw.Connection, turn: Resource, open_now: Iterable[ProactiveItem]
) -> Iterator[ProactiveItem]:
    text = turn.turn.text.replace("’", "'")
    told = [telling(sentence.text) for sentence in sentences(text) if decides(sentence)]
    if not any(True for _ in matters(text)):
        stated = (fact.item for fact in items.stated_in(connection, turn.id))
        told += [telling(item.memory) for item in stated if item.memory_type is MemoryType.DECISION]
    for item in open_now:
        if any(_share(words, item) >= _ENOUGH for words in told):
            yield item


def _by_reply(
    connection: apsw.Connection, turn: Resource, open_now: Iterable[ProactiveItem]
) -> Iterator[ProactiveItem]:
    text = turn.turn.text
    before = _before(connection, turn)
    for item in open_now:
        share = _share(telling(text), item)
        is_reply = before is not None and item.evidence[-1].resource_id == before.id
        if _sort(connection, item) is Sort.CHOICE:
            if reports_choice(text) and share >= _ENOUGH:
                yield item
        elif answers(text) and (is_reply or share >= _ENOUGH):
            yield item


def _before(connection: apsw.Connection, turn: Resource) -> Resource | None:
    around = resources.recent(connection, turn.turn.scope, _LOOKED_BACK, turn.turn.timestamp)
    earlier = [other for other in around if other.key < turn.key]
    return earlier[-1] if earlier else None


def _sort(connection: apsw.Connection, item: ProactiveItem) -> Sort:
    """What would settle it, by the words that left it open; what was asked wants an answer."""
    first = resources.by_id(connection, item.user_id, item.evidence[0].resource_id)
    topic = set(item.topic.split())
    found = matters(first.turn.text) if first else ()
    return next((matter.sort for matter in found if matter.terms == topic), Sort.FACT)


def _share(said: Set[str], item: ProactiveItem) -> float:
    return telling_share(said, set(item.topic.split()))
