"""Lists that are told bit by bit: what is one list, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.lists import MAX_MEMBERS, grown, parsed, together


@pytest.mark.parametrize(
    ("old", "new", "longer"),
    [
        ("I like jazz", "I also like blues", "I like jazz and blues"),
        ("I like jazz and blues", "I like soul too", "I like jazz, blues and soul"),
        ("I'm allergic to nuts", "I'm also allergic to shellfish.", "I'm allergic to nuts and shellfish"),
        ("I don't like olives", "I also don't like beets", "I don't like olives or beets"),
        (
            "Shopping list: milk, eggs",
            "Please add bread to my shopping list",
            "Shopping list: milk, eggs and bread",
        ),
        ("Add bread to the shopping list", "Put jam on the shopping list", "Shopping list: bread and jam"),
        ("我喜欢爵士", "我还喜欢蓝调", "我喜欢爵士和蓝调"),
        ("我喜欢吃寿司", "我还喜欢吃拉面、饺子", "我喜欢吃寿司、拉面和饺子"),
        ("我对花生过敏", "我还对虾过敏", "我对花生和虾过敏"),
        ("我喜歡爵士", "我還喜歡藍調", "我喜歡爵士和藍調"),
        ("我喜欢爵士", "我還喜歡藍調", "我喜欢爵士和藍調"),
        ("购物清单：牛奶、鸡蛋", "把面包加到购物清单里", "购物清单：牛奶、鸡蛋和面包"),
        ("购物清单：牛奶", "购物清单再加面包和黄油", "购物清单：牛奶、面包和黄油"),
    ],
)
def test_a_list_grows_by_what_is_told_on(old: str, new: str, longer: str) -> None:
    """In the words and the script of the list; by a word that says there is more."""
    assert grown(old, new) == longer


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I like jazz", "I like blues"),
        ("I like jazz", "I also hate blues"),
        ("I like jazz", "My sister also likes blues"),
        ("I like hiking because it calms me", "I also like jazz"),
        ("I like jazz", "I also like it when the house is quiet"),
        ("Shopping list: milk", "Add socks to the packing list"),
        ("我喜欢爵士", "我喜欢蓝调"),
        ("我喜欢爵士", "我还讨厌蓝调"),
        ("我喜欢爵士", "我们还喜欢蓝调"),
        ("我喜欢爵士因为安静", "我还喜欢蓝调"),
        ("购物清单：牛奶", "把袜子加到行李清单里"),
    ],
)
def test_what_is_not_surely_one_list_stays_two(old: str, new: str) -> None:
    """No word of adding, another feeling, another person, another list, a reason."""
    assert grown(old, new) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I like jazz and blues", "I like blues"),
        ("我喜欢爵士和蓝调", "我喜歡藍調"),
        ("I like tea", "I also like Tea"),
    ],
)
def test_what_is_on_the_list_adds_nothing(old: str, new: str) -> None:
    """Whatever its case and script."""
    assert grown(old, new) == old


def test_a_list_has_an_end() -> None:
    """Beyond it what is added stands by itself."""
    full = "Shopping list: " + ", ".join(f"item{n}" for n in range(MAX_MEMBERS))
    assert parsed(full) is not None
    assert grown(full, "Add salt to the shopping list") is None


def test_a_list_is_told_anew_from_what_is_left() -> None:
    """Whichever of its tellings is gone."""
    told = ["I like jazz", "I also like blues", "I like soul too"]
    assert together(told) == "I like jazz, blues and soul"
    assert together([told[0], told[2]]) == "I like jazz and soul"
    assert together(told[1:]) == "I also like blues and soul"


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_are_read(old: str, new: str) -> None:
    """And what grows keeps all that the old one names."""
    longer = grown(old, new)
    known, whole = parsed(old), parsed(longer or "")
    assert longer is None or (known and whole and set(known.members) <= set(whole.members))
