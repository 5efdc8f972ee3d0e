"""What an extractor that reads the known facts says of a new one: it is heard, and does not decide."""

from dataclasses import dataclass

from memory.ports import Proposal


@dataclass(frozen=True, slots=True)
class Opinion:
    """The id of the fact that the new one says again, and of those that it ends."""

    repeats: str | None = None
    replaces: tuple[str, ...] = ()


NONE = Opinion()


def opinion(proposal: Proposal, known: frozenset[str]) -> Opinion:
    """What a proposal says of the known facts; other ids mean nothing."""
    return Opinion(
        proposal.repeats if proposal.repeats in known else None,
        tuple(dict.fromkeys(one for one in proposal.replaces if one in known)),
    )
