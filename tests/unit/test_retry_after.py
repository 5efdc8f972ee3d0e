"""When a provider wants to be asked again."""

import pytest

from memory.llm.retry_after import retry_after_ms

NOW = 1_780_000_000  # 2026-05-28 20:26:40 UTC


@pytest.mark.parametrize(
    ("headers", "expected_ms"),
    [
        ({"retry-after": "17"}, 17_000),
        ({"retry-after": "0.5"}, 500),
        ({"retry-after": "0"}, 0),
        ({"retry-after": "Thu, 28 May 2026 20:27:00 GMT"}, 20_000),
        ({"retry-after": "Thu, 28 May 2026 22:27:00 +0200"}, 20_000),
        ({"retry-after": "Thu, 28 May 2026 20:27:00"}, 20_000),
        ({"retry-after-ms": "1500"}, 1_500),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1_500),
    ],
)
def test_each_form_is_read(headers: dict[str, str], expected_ms: int) -> None:
    """Seconds, milliseconds and dates."""
    assert retry_after_ms(headers, NOW) == expected_ms


@pytest.mark.parametrize("value", ["86400", "1e300", "Fri, 29 May 2026 20:26:40 GMT"])
def test_nobody_is_waited_for_longer_than_an_hour(value: str) -> None:
    """A day of silence at the word of a proxy would be our own outage."""
    assert retry_after_ms({"retry-after": value}, NOW) == 3_600_000


@pytest.mark.parametrize("value", ["-5", "Thu, 28 May 2026 20:00:00 GMT"])
def test_a_time_that_is_over_means_now(value: str) -> None:
    """Clocks differ."""
    assert retry_after_ms({"retry-after": value}, NOW) == 0


@pytest.mark.parametrize(
    "value",
    [
        "", "soon", "nan", "inf", "明天", "Thu, 99 Foo 2026 99:99:99 GMT",
        f"Thu, 28 May {'9' * 23} 20:27:00 GMT",
        f"Thu, 28 May 2026 20:27:{'9' * 23} GMT", f"Thu, 28 May 2026 20:27:00 +{'9' * 23}",
    ],
)  # fmt: skip
def test_what_can_not_be_read_counts_as_not_there(value: str) -> None:
    """The breaker's own waits serve then."""
    assert retry_after_ms({"retry-after": value, "retry-after-ms": value}, NOW) is None
