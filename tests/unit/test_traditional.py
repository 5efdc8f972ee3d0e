"""Traditional Chinese is understood as simplified Chinese is."""

import pytest

from memory.knowledge.duplicates import is_duplicate
from memory.knowledge.updates import relation
from memory.simplified import simplified


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我的月薪是八千元", "我的月薪漲到一萬元了"),
        ("我的電話是5550134", "我的電話換成5550188了"),
        ("我開一輛藍色的車", "我換了一輛紅色的車"),
        ("會議在週三下午三點", "會議改到週四下午三點了"),
        ("我女兒上小學一年級", "我女兒上小學二年級了"),
        ("我們用Slack", "我們換成飛書了"),
        ("我是護士", "我是老師"),
        ("我老闆是王芳", "我老闆換成李明了"),
        ("我最喜歡的顏色是紅色", "我最喜歡的顏色是藍色"),
        ("我对花生过敏", "我對花生不過敏了"),
        ("我的月薪是八千元", "我的月薪涨到一万元了"),
    ],
)
def test_an_update_ends_what_it_replaces_in_either_script(old: str, new: str) -> None:
    """Also across: who changes the keyboard changes no fact."""
    assert relation(new, old, cosine=None, embedder="").verdict == "supersede"


@pytest.mark.parametrize(
    ("old", "new"),
    [("我養了一隻貓", "我養了兩隻貓"), ("我弟弟住在臺北", "我妹妹搬到高雄了"), ("我去過臺灣", "我去過韓國")],
)
def test_what_stands_side_by_side_does_so_in_either_script(old: str, new: str) -> None:
    """One more, somebody else, and what happened once."""
    assert relation(new, old, cosine=None, embedder="").verdict in ("new", "related")


def test_the_same_in_the_other_script_is_a_repetition() -> None:
    """Whatever the vectors say; another word is none."""
    assert is_duplicate("我對花生過敏", "我对花生过敏", None, "")
    assert not is_duplicate("我對花生過敏", "我对花粉过敏", None, "")


def test_characters_keep_their_places() -> None:
    """One for one; what is simplified already, or no Chinese, stays."""
    assert simplified("這裡的Café：萬歲") == "这里的Café：万岁"
    assert simplified("这里看着") == "这里看着"
    assert simplified("看著妳瞭解") == "看着你了解"
