"""Names of sessions, agents and events hold no secret."""

import pytest

from memory.redact import redact_name

_KEY = "sk-" + "a1B2" * 10


@pytest.mark.parametrize(
    "name",
    [
        "main",
        "agent:main:main",
        "agent:main:telegram:group:-1009",
        "openclaw:0f9d:1790000000000:user",
        "会话-七",
    ],
)
def test_an_ordinary_name_stays(name: str) -> None:
    """Hosts find their sessions again by it."""
    assert redact_name(name) == name


def test_a_secret_goes_and_the_name_stays_one_of_its_own() -> None:
    """The same again is the same; another secret makes another name; masking a masked one changes nothing."""
    other = _KEY.replace("a", "c")
    masked = redact_name(f"agent:main:{_KEY}")
    assert _KEY not in masked
    assert masked == redact_name(f"agent:main:{_KEY}") != redact_name(f"agent:main:{other}")
    assert redact_name(masked) == masked
