"""Numbers as what they count."""

import pytest

from memory.knowledge.quantities import quantities, with_digits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the plan costs $1,200 a year", [("money", "1200")]),
        ("rent is 1.5k euros", [("money", "1500")]),
        ("会员涨到30块一个月", [("money", "30")]),
        ("装修预算20万", [("number", "200000")]),
        ("十二亿三千万元", [("money", "1230000000")]),
        ("电脑预算六千", [("number", "6000")]),
        ("三百五", [("number", "350")]),
        ("三百零五", [("number", "305")]),
        ("房租三千五一个月", [("number", "3500")]),
        ("物业费每平两块八", [("money", "2.8")]),
        ("食堂吃饭不要钱", [("money", "0")]),
        ("parking is free", [("money", "0")]),
        ("i am free on monday", []),
        ("twenty-five thousand three hundred", [("number", "25300")]),
        ("a hundred and six euros", [("money", "106")]),
        ("a three-bedroom house", []),
        ("march 14", [("date", "3 14")]),
        ("the 3rd of may", [("date", "5 3")]),
        ("2026-05-03", [("date", "5 3 2026")]),
        ("三月八号", [("date", "3 8")]),
        ("at 9:30", [("time", "9:30")]),
        ("tuesday 3pm", [("time", "15:00")]),
        ("周三下午三点", [("time", "15:00")]),
        ("晨会改成九点半", [("time", "9:30")]),
        ("two kids, 84 kilos", [("unit:kid", "2"), ("unit:kg", "84")]),
        ("swims twice a week", [("unit:time", "2")]),
        ("一天抽半包烟", [("unit:包", "0.5")]),
        ("团队有9个人", [("unit:people", "9")]),
        ("call 0151 2345678", [("phone", "01512345678")]),
        ("write to jo@example.com", [("email", "jo@example.com")]),
        ("12 % off", [("percent", "12")]),
        ("一点也不,一个,第一", []),
        ("周三和星期一", []),
    ],
)
def test_a_number_is_read_with_what_it_counts(text: str, expected: list[tuple[str, str]]) -> None:
    """The same amount reads the same in digits, words and Chinese numerals."""
    assert [(found.kind, found.value) for found in quantities(with_digits(text))] == expected


def test_a_number_longer_than_any_amount_stays_as_written() -> None:
    """Ids of any length are compared as text, not as a rounded number."""
    first, second = quantities("9" * 400 + "1"), quantities("9" * 400 + "2")
    assert first[0].value != second[0].value
