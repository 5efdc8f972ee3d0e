"""What a rule may say of two facts."""

from collections.abc import Callable
from typing import Literal

from memory.knowledge.comparison import Comparison

Verdict = Literal["supersede", "maybe", "related", "new"]
Rule = Callable[[Comparison], Verdict | None]
