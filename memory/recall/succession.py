"""What took another's place answers what that one answered, in whichever words it was said.

"Where do I live?" fits "I live in Berlin", which holds no longer; "we moved to Munich" is the answer.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from memory.recall.scored import Scored


def inherited(scored: Sequence[Scored]) -> list[Scored]:
    """The candidates, each with the better numbers of its own and of what it replaced; best `fused` first.

    A turn of several statements fits a question by one of them, and nobody knows by which: its facts speak
    for themselves.
    """
    hidden = [one for one in scored if one.candidate.excluded and len(_heirs(one)) == 1]
    heirs = {one.candidate.id: heir for one in hidden for heir in _heirs(one)}
    best: dict[str, Scored] = {}
    for one in hidden:
        heir = _last_heir(one.candidate.id, heirs)
        if heir not in best or one.score > best[heir].score:
            best[heir] = one
    lifted = [_at_least(one, best.get(one.candidate.id)) for one in scored]
    return sorted(lifted, key=lambda one: (-one.fused, one.candidate.key))


def _heirs(one: Scored) -> set[str]:
    return {replacement.by for replacement in one.candidate.replacements}


def _last_heir(replaced: str, heirs: Mapping[str, str]) -> str:
    """Who holds now, along a chain of replacements."""
    seen = {replaced}
    current = heirs[replaced]
    while current in heirs and current not in seen:
        seen.add(current)
        current = heirs[current]
    return current


def _at_least(one: Scored, other: Scored | None) -> Scored:
    if other is None:
        return one
    return replace(
        one,
        fused=max(one.fused, other.fused),
        relevance=max(one.relevance, other.relevance),
        score=max(one.score, other.score),
        standing=max(one.standing, other.standing),
    )
