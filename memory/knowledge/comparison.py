"""How two parsed facts lie beside each other: what they share, what was put in whose place."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import TypeVar

from memory.knowledge.features import SELF, THIRD, Parsed

Key = TypeVar("Key")
_Values = Mapping[str, frozenset[str]]

_HAN_NAME = re.compile(
    "[老小阿张王李赵刘陈杨黄吴周徐孙马朱胡林郭何高罗郑梁谢宋唐许邓冯韩曹曾彭蔡潘田董袁于余叶蒋杜苏魏程吕丁任卢姚沈钟姜崔谭"
    "陆范汪廖石金贾韦夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常]"
)
MAX_ALIGNED_TOKENS = 60
_FAMILIES = {  # kinds of value that can be held against one another, and what each is made of
    "amount": {"number": "amount", "money": "amount"},
    "when": {"date": "month day", "month": "month", "day": "day"},
}
MIN_CLAIM_LIKENESS = 0.5


@dataclass(frozen=True, slots=True)
class Replaced:
    """One place where the old text has other tokens than the new one."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    followed_by: str  # the equal token after it, "" at an end
    is_last: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """A new fact beside an old one. Shares and overlaps lie in 0..1."""

    new: Parsed
    old: Parsed
    shared: frozenset[str]
    overlap: float  # shared content over the smaller content
    equal_share: float  # equal tokens over the shorter text
    replaced: tuple[Replaced, ...]
    changed: frozenset[str]  # kinds of value that both name, differently
    opposed: frozenset[int]  # antonym groups that they stand on different sides of
    apart: bool  # whether a word tells them apart as two things: left knee, right knee
    slots: frozenset[str]
    inverted: float  # share of the common words' pairs that stand the other way round

    @property
    def polarity_differs(self) -> bool:
        """Whether one of them says no where the other says yes."""
        return self.new.is_negated != self.old.is_negated

    @property
    def turns_round(self) -> bool:
        """Whether a clause of one says no to much the same as a clause of the other says yes to."""
        return any(
            new.is_negated != old.is_negated and _likeness(new.content, old.content) >= MIN_CLAIM_LIKENESS
            for new in self.new.claims
            for old in self.old.claims
        )

    @property
    def denies_a_claim(self) -> bool:
        """Whether a clause of one says no to something that a clause of the other says yes to."""
        return any(
            new.is_negated != old.is_negated and not new.content.isdisjoint(old.content)
            for new in self.new.claims
            for old in self.old.claims
        )

    @property
    def names_old(self) -> bool:
        """Whether the new fact itself names what it gives up, and the old one says just that."""
        old_values = {f"{kind}={value}" for kind, values in self.old.values.items() for value in values}
        return not (self.new.dropped - self.old.dropped).isdisjoint(self.old.content | old_values)

    @property
    def shares_frame(self) -> bool:
        """Whether they have more in common than the value that is given up."""
        return bool(self.slots or self.shared - self.new.dropped or self.shared_names or self.restates_old)

    @property
    def restates_old(self) -> bool:
        """Whether the new fact says all of the old one in giving it up: 我不是每周三打羽毛球，是每周四."""
        said = {f"{kind}={value}" for kind, values in self.old.values.items() for value in values}
        given = self.new.dropped & (self.old.content | said)
        return self.old.content <= self.new.content and len(given) >= 2

    @property
    def owner_differs(self) -> bool:
        """Whether they are about different people. "My girlfriend is Anna" and "Anna left" are about one."""
        owners = {self.new.owner or SELF, self.old.owner or SELF}
        if len(owners) == 1 or self.is_owner_unclear:
            return False
        return not (self.shared_names and "" in (self.new.owner, self.old.owner))

    @property
    def is_owner_unclear(self) -> bool:
        """Whether one says "she" where the other names a relative."""
        owners = {self.new.owner or SELF, self.old.owner or SELF}
        return len(owners) > 1 and THIRD in owners and SELF not in owners

    @property
    def shared_names(self) -> frozenset[str]:
        """Proper names of either that stand in both."""
        return (self.new.names | self.old.names) & self.shared

    @property
    def subject_differs(self) -> bool:
        """Whether each is about something that the other does not mention: Pro plan, Team plan."""
        new, old = self.new.subject & self.new.frame, self.old.subject & self.old.frame
        return bool(new - self.old.content and old - self.new.content)

    @property
    def is_qualified(self) -> bool:
        """Whether one subject is narrower: phone, work phone."""
        new, old = self.new.subject & self.new.frame, self.old.subject & self.old.frame
        return bool(new and old and new != old and (new < old or old < new))

    @property
    def names_another_kind(self) -> bool:
        """Whether one names a kind that the other does not: "work phone", "flight back"."""
        return self.new.qualifiers != self.old.qualifiers

    @property
    def likeness(self) -> float:
        """Shared content over all content, 0..1."""
        return _likeness(self.new.content, self.old.content)

    @property
    def has_two_remainders(self) -> bool:
        """Whether each says something that the other does not: a value in place of a value."""
        return bool(self.new.content - self.old.content and self.old.content - self.new.content)

    @property
    def qualifier_differs(self) -> bool:
        """Whether other words stand before the same head: grocery budget, gift budget."""
        return any(
            part.followed_by in self.shared
            and part.followed_by not in self.new.side_words & self.old.side_words
            and not self.old.content.isdisjoint(part.old)
            and not self.new.content.isdisjoint(part.new)
            for part in self.replaced
        )

    @property
    def replaces_name(self) -> bool:
        """Whether each has a proper name that the other does not mention."""
        return bool(self.new.names - self.old.content and self.old.names - self.new.content)

    @property
    def has_one_frame(self) -> bool:
        """Whether both say it of the same: one has words that the other lacks, but not each, and no name."""
        new, old = self.new.frame - self.old.frame, self.old.frame - self.new.frame
        if not (new | old).isdisjoint(self.new.names | self.old.names):
            return False
        return not (new and old) or self.tells_of_one_thing

    @property
    def tells_of_one_thing(self) -> bool:
        """Whether both name a known thing ("we give the cleaner 28"), and one of them no other."""
        common = self.new.known & self.old.known & self.new.frame & self.old.frame
        others = self.new.known - self.old.content, self.old.known - self.new.content
        return bool(common) and not all(others)

    @property
    def is_about_another_name(self) -> bool:
        """Whether nothing but a person's name differs: "my boss is Ingrid" / "Henrik is my boss"."""
        new, old = (Counter(one.words) for one in (self.new, self.old))
        rests = (new - old, old - new)
        are_names = all(
            rest.total() == 1 and (word in one.capitals or _HAN_NAME.match(word) is not None)
            for rest, one in zip(rests, (self.new, self.old), strict=True)
            for word in rest
        )
        return all(rests) and are_names and not self.apart

    @property
    def has_alien_subject(self) -> bool:
        """Whether the new fact is told of a thing that the old one does not name."""
        return bool((self.new.subject & self.new.frame) - self.old.content - self.old.frame)

    @property
    def common_thing(self) -> bool:
        """Whether both speak of a thing that one of them tells as known: "the wedding", 家长会."""
        return self.tells_again_of(self.new.known | self.old.known | self.new.subject | self.old.subject)

    def tells_again_of(self, things: frozenset[str]) -> bool:
        """Whether one of these is in both."""
        return not (self.new.frame & self.old.frame).isdisjoint(things)

    @property
    def adds_only(self) -> bool:
        """Whether the new one says all that the old one says, and contradicts none of it."""
        return self.old.content <= self.new.content - self.new.dropped and not (
            self.changed or self.opposed or self.polarity_differs
        )


def compare(new: Parsed, old: Parsed) -> Comparison:
    """The two texts, aligned. Texts over MAX_ALIGNED_TOKENS are aligned up to there."""
    shared = new.content & old.content
    smaller = min(len(new.content), len(old.content)) or 1
    equal_share, replaced = _aligned(old.tokens[:MAX_ALIGNED_TOKENS], new.tokens[:MAX_ALIGNED_TOKENS])
    return Comparison(
        new=new,
        old=old,
        shared=shared,
        overlap=len(shared) / smaller,
        equal_share=equal_share,
        replaced=replaced,
        changed=_changed(new, old) | _changed_family(new.values, old.values),
        opposed=_differing(new.sides, old.sides),
        apart=bool(_differing(new.apart, old.apart)),
        slots=frozenset(new.slots.keys() & old.slots.keys()),
        inverted=_inverted(old.words, new.words),
    )


def _changed(new: Parsed, old: Parsed) -> frozenset[str]:
    """Kinds of which each states a value that the other does not: one more is no change."""
    common = new.values.keys() & old.values.keys()
    held = {kind: {one for one in new.values[kind] if f"{kind}={one}" not in new.dropped} for kind in common}
    return frozenset(
        kind for kind in common if held[kind] - old.values[kind] and old.values[kind] - held[kind]
    )


def _differing(new: Mapping[Key, object], old: Mapping[Key, object]) -> frozenset[Key]:
    return frozenset(key for key in new.keys() & old.keys() if new[key] != old[key])


def _changed_family(new: _Values, old: _Values) -> frozenset[str]:
    """Values of one kind in two forms: 3200 and 3500 euros, May and June 2."""
    return frozenset(
        family
        for family, kinds in _FAMILIES.items()
        if not (new.keys() & old.keys() & set(kinds))
        and (one := _parts(new, kinds))
        and (other := _parts(old, kinds))
        and any(one[part] != other[part] for part in one.keys() & other.keys())
    )


def _parts(values: _Values, kinds: Mapping[str, str]) -> dict[str, str]:
    """What a family's only value is made of: amount; month, day."""
    found = [(kinds[kind], value) for kind, several in values.items() if kind in kinds for value in several]
    if len(found) != 1:
        return {}
    names, value = found[0]
    return dict(zip(names.split(), value.split(), strict=False))


def _likeness(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / (len(first | second) or 1)


def _aligned(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[float, tuple[Replaced, ...]]:
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    equal = sum(end - start for tag, start, end, _, _ in codes if tag == "equal")
    return equal / (min(len(old), len(new)) or 1), tuple(_replacements(codes, old, new))


def _replacements(
    codes: Sequence[tuple[str, int, int, int, int]], old: tuple[str, ...], new: tuple[str, ...]
) -> Iterator[Replaced]:
    for tag, old_start, old_end, new_start, new_end in codes:
        if tag == "replace":
            following = old[old_end] if old_end < len(old) else ""
            is_last = old_end == len(old) or new_end == len(new)
            yield Replaced(old[old_start:old_end], new[new_start:new_end], following, is_last)


def _inverted(old: tuple[str, ...], new: tuple[str, ...]) -> float:
    """Pairs of common words in the other order; 0 with fewer than two in common."""
    places = {word: place for place, word in enumerate(new)}
    common = [places[word] for word in dict.fromkeys(old) if word in places]
    pairs = list(combinations(common, 2))
    return sum(first > second for first, second in pairs) / len(pairs) if pairs else 0.0
