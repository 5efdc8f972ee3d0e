"""The extractor without a model: durable facts of the user's own words, found by rules."""

import asyncio
import re
from collections.abc import Sequence

from memory.dates import absolute, end_of_day
from memory.extract.claims import Claim, claims
from memory.extract.own import is_own
from memory.extract.ranges import IMPORTANCE_RANGES
from memory.extract.salience import importance
from memory.model import TYPE_DEFAULTS, Fact, Item, Kind, MemoryType, Resource, Turn
from memory.ports import Batching, Proposal


class RulesExtractor:
    """Keeps preferences, corrections, decisions, personal facts and appointments; turns keep the rest.

    A few milliseconds a turn, in another thread. Precision comes before recall: what it does not understand
    it does not keep. Of one turn the `max_facts` weightiest are kept.
    """

    name = "rules"
    batching = Batching()

    def __init__(self, max_facts: int = 5) -> None:
        self._max_facts = max_facts

    async def extract(self, turns: Sequence[Resource], known: Sequence[Item]) -> Sequence[Proposal]:
        """The durable facts of each turn, in order; none unless a user wrote it. Never raises."""
        own = [resource for resource in turns if is_own(resource.turn)]
        # The first date of a language loads its library, which takes a fifth of a second.
        found = await asyncio.to_thread(lambda: [self._facts(resource.turn) for resource in own])
        return [
            Proposal(resource.id, fact) for resource, facts in zip(own, found, strict=True) for fact in facts
        ]

    def _facts(self, turn: Turn) -> list[Fact]:
        found = [_fact(claim, turn) for claim in claims(_told(turn), turn.timestamp, turn.tz)]
        best = sorted(range(len(found)), key=lambda i: -found[i].importance)[: self._max_facts]
        return [found[i] for i in sorted(best)]


def _told(turn: Turn) -> str:
    """The turn's text at the same length, without the speaker's own name before a colon at its start."""
    if turn.sender is None:
        return turn.text
    named = rf"\s*{re.escape(turn.sender)}\s*[:：]"
    # Spaces would make the line look like code.
    return re.sub(rf"\A{named}", lambda match: "\n" * len(match[0]), turn.text)


def _fact(claim: Claim, turn: Turn) -> Fact:
    """The claim in the user's own words; relative dates get the absolute one, except in what comes again."""
    memory_type = claim.cue.memory_type
    clause = claim.clause
    words = claim.told_in(turn.text)
    is_habit = memory_type is MemoryType.PREFERENCE or claim.cue.is_lasting or claim.cue.is_regular
    return Fact(
        text=words if is_habit else absolute(words, turn.timestamp, turn.tz),
        kind=Kind.EPISODIC if claim.date else Kind.SEMANTIC,
        memory_type=memory_type,
        importance=importance(words, *IMPORTANCE_RANGES[memory_type]),
        half_life_days=None if claim.cue.is_lasting else TYPE_DEFAULTS[memory_type].half_life_days,
        span=(clause.start, clause.end),
        valid_until=end_of_day(claim.date.until - 1, turn.tz) if claim.date else None,
    )
