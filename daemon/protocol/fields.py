"""The bounds of single values on the wire, each with one name."""

from typing import Annotated

from msgspec import Meta

NO_CONTROL = r"\A[^\x00-\x1f\x7f]*\Z"
NO_NUL = r"\A[^\x00]*\Z"
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

Name = Annotated[str, Meta(min_length=1, max_length=256, pattern=NO_CONTROL)]
"""A user, agent, session or sender as the agent calls it."""

Key = Annotated[str, Meta(min_length=1, max_length=512, pattern=NO_CONTROL)]
"""An event's key, chosen by the client."""

Id = Annotated[str, Meta(min_length=1, max_length=64, pattern=NO_CONTROL)]
"""The id of a memory, turn, prediction or queue entry, or a short prefix of it."""

Word = Annotated[str, Meta(min_length=1, max_length=64, pattern=NO_CONTROL)]
"""A short word, such as a time zone or a detector's name."""

Text = Annotated[str, Meta(max_length=65_536, pattern=NO_NUL)]
"""Words of people."""

Statement = Annotated[str, Meta(min_length=1, max_length=65_536, pattern=NO_NUL)]
"""Words of people that say something."""

Cursor = Annotated[str, Meta(min_length=1, max_length=512, pattern=NO_CONTROL)]
"""Where the next page starts; opaque."""

Seconds = Annotated[int, Meta(ge=INT64_MIN, le=INT64_MAX)]
"""A moment in Unix seconds, UTC."""

Ratio = Annotated[float, Meta(ge=0, le=1)]
"""A share or a score."""

Limit = Annotated[int, Meta(ge=1, le=1000)]
"""How many results at most."""

Tokens = Annotated[int, Meta(ge=0, le=2**40)]
"""A number of model tokens."""

Milliseconds = Annotated[int, Meta(ge=1, le=86_400_000)]
"""A span of time."""

Days = Annotated[int, Meta(ge=1, le=36_500)]
"""A span of time in days."""
