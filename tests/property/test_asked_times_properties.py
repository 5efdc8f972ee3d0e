"""Properties of the times that questions ask about: any text, any moment, any zone."""

from hypothesis import given
from hypothesis import strategies as st

from memory.dates.asked import asked_times, without_times

_ENGLISH = (
    "3 9 31 2024 1999 30th the of on in last next this every between and to from since before June May feb "
    "Monday weekend summer week month year yesterday ago days first , . ? -"
)
_CHINESE = "上 下 个 周 三 月 号 日 年 前 后 底 到 和 今天 去年 春节 几 每 半 第一周 二〇二五 了 要"
_PIECES = st.sampled_from([*_ENGLISH.split(" "), *_CHINESE.split(" ")])
_TEXTS = (
    st.lists(_PIECES, max_size=14).map(" ".join)
    | st.lists(_PIECES, max_size=14).map("".join)
    | st.text(max_size=60)
)
_ZONES = st.sampled_from(
    ["UTC", "Asia/Shanghai", "America/New_York", "Pacific/Apia", "America/Sao_Paulo", "", "x\0"]
)


@given(_TEXTS, st.integers(-(10**11), 10**12), _ZONES)
def test_times_are_in_order_and_not_empty(text: str, now: int, tz: str) -> None:
    """Never an error; each span ends after it starts; sorted, each once."""
    spans = asked_times(text, now, tz)
    assert all(span.start < span.end for span in spans)
    assert sorted(set(spans), key=lambda span: (span.start, span.end)) == list(spans)


@given(_TEXTS)
def test_what_remains_of_a_question_is_made_of_its_words(text: str) -> None:
    """Taking times out adds nothing, and a text that names none comes back as it was."""
    rest = without_times(text)
    assert len(rest) <= len(text)
    assert set("".join(rest.split())) <= set(text)
