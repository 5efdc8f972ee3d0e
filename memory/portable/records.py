"""The records of an export. What comes in is checked as strictly as anything else from outside."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from memory.model import Kind, MemoryType, Modality, Origin, Role

_PLAIN = r"\A[^\x00-\x1f\x7f]*\Z"
Id = Annotated[str, Meta(min_length=3, max_length=64, pattern=r"\A[a-z]+-[A-Za-z0-9]+\Z")]
Name = Annotated[str, Meta(min_length=1, max_length=256, pattern=_PLAIN)]
Key = Annotated[str, Meta(min_length=1, max_length=600, pattern=_PLAIN)]
Word = Annotated[str, Meta(min_length=1, max_length=64, pattern=_PLAIN)]
Words = Annotated[str, Meta(min_length=1, max_length=65_536, pattern=r"\A[^\x00]*\Z")]
Moment = Annotated[int, Meta(ge=0, le=2**40)]
Place = Annotated[int, Meta(ge=0, le=2**31)]


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """One line of an export."""


class CategoryRecord(Record, frozen=True, kw_only=True, tag="category"):
    """A category of facts; its summary is written anew."""

    name: Name
    made_by: Literal["person", "everyday", "model", "facts"]
    everyday: Word | None = None


class TurnRecord(Record, frozen=True, kw_only=True, tag="turn"):
    """What somebody said."""

    id: Id
    key: Key
    agent_id: Name | None
    session_id: Name | None
    role: Role
    sender: Name | None
    content: Any
    modality: Modality
    timestamp: Moment
    tz: Word
    origin: Origin
    private: bool


class SourceRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A turn that states a fact."""

    resource_id: Id
    key: Key
    span: tuple[Place, Place] | None
    stated_at: Moment


class VersionRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another wording of a fact."""

    memory: Words
    replaced_at: Moment
    cause: Literal["edited", "restated"]
    resource_id: Id | None


class ItemRecord(Record, frozen=True, kw_only=True, tag="item"):
    """A fact with its sources and wordings. `said_in`: the turn whose words it has; none: a person's own."""

    id: Id
    agent_id: Name | None
    session_id: Name | None
    said_in: Id | None
    kind: Kind
    memory_type: MemoryType
    memory: Words
    importance: Annotated[float, Meta(ge=0, le=1)]
    half_life_days: Annotated[int, Meta(ge=1, le=36_500)] | None
    created_at: Moment
    updated_at: Moment
    stated_at: Moment
    reinforced: Annotated[int, Meta(ge=0, le=20)]
    valid_from: Moment | None
    valid_until: Annotated[int, Meta(ge=-(2**40), le=2**40)] | None
    superseded_by: Id | None
    superseded_at: Moment | None
    pinned: bool
    private: bool
    trust: Literal["user", "edited", "assistant", "import"]
    filed: Literal["waiting", "loose", "lone", "filed", "chosen"]
    categories: Annotated[list[Name], Meta(max_length=64)]
    sources: Annotated[list[SourceRecord], Meta(max_length=10_000)]
    versions: Annotated[list[VersionRecord], Meta(max_length=10_000)]


class LinkRecord(Record, frozen=True, kw_only=True, tag="link"):
    """How two facts stand to one another; from the newer to the older."""

    from_id: Id
    to_id: Id
    relation: Literal["supersedes", "maybe", "related"]
    rule: Word
    created_at: Moment


AnyRecord = CategoryRecord | TurnRecord | ItemRecord | LinkRecord


def read(raw: Any) -> AnyRecord:
    """A record that came in. Raises msgspec.ValidationError, which says what is wrong with it."""
    return msgspec.convert(raw, type=AnyRecord)  # type: ignore[no-any-return]
