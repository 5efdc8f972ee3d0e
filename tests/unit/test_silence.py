"""The veto: courtesies and scraps stay silent, real questions never do."""

import pytest

from memory.scoring.silence import asks_about_oneself, is_silent_prompt

SILENT = [
    "how am I doing?",
    "can you help me?",
    "我来了",
    "我知道了吗",
    "hi",
    "hello there",
    "Hey! How are you?",
    "good morning",
    "Good morning, have a great day!",
    "thanks",
    "thank you so much",
    "thanks for the reply",
    "Thanks a lot for your help!",
    "thx, that works",
    "ok",
    "ok great, thanks",
    "Okay, got it.",
    "sounds good to me",
    "yes please",
    "no, try again",
    "lol that's funny",
    "hahaha",
    "hmm",
    "cool",
    "perfect, thank you very much for the detailed explanation",
    "I appreciate your patience",
    "see you tomorrow",
    "bye for now",
    "good night",
    "no problem",
    "makes sense, thanks",
    "what's up?",
    "nice to meet you",
    "that's great to hear",
    "stop",
    "continue",
    "👍",
    "!!!",
    "早上好",
    "哈哈哈",
    "哈哈哈哈哈哈哈哈",
    "好的收到谢谢",
    "好的，收到，谢谢！",
    "谢谢你的回复",
    "非常感谢您的耐心解答",
    "嗯嗯好的",
    "你好呀",
    "大家早上好呀",
    "晚安，明天见",
    "辛苦了辛苦了",
    "没问题，我知道了",
    "明白了，谢谢老师",
    "不客气不客气",
    "太好了太好了谢谢",
    "好的好的，没问题没问题",
    "ok 好的谢谢",
    "在吗",
    "你好，在吗？",
    "祝你今天心情愉快",
    "好久不见你好吗",
    "不好意思打扰了",
    "新年快乐！祝您一切顺利",
    "再见啦下次见",
    "可以的可以的继续",
    "收到收到，辛苦大家了",
    "哈喽哈喽",
    "对不起对不起",
    "厉害厉害，真棒",
    "继续",
    "好",
]

SPEAKING = [
    "where do I live?",
    "who is my doctor?",
    "what's my name?",
    "do I smoke?",
    "我喝什么茶？",
    "我是谁？",
    "我住哪？",
    "我几岁",
    "谁是我老板",
    "what should I offer the user to drink?",
    "what tea do I like?",
    "what is my wife's name?",
    "where does my sister live?",
    "when is my dentist appointment?",
    "who is my doctor in Berlin?",
    "NVDA price target",
    "which airline do I prefer?",
    "remind me what we decided about Postgres",
    "thanks! what did I say about the budget?",
    "good morning, what is on my calendar today?",
    "hi, who is my dentist?",
    "ok, book the usual hotel in Lisbon",
    "what time is my flight tomorrow?",
    "how was the interview with Anna?",
    "what is my work address?",
    "Did I tell you about my knee surgery?",
    "where did we have dinner on Friday?",
    "which database did the team choose?",
    "yes, use the blue logo instead",
    "Sorry, I meant the Tokyo office",
    "what's the status of project Falcon?",
    "what's up with the Jenkins build?",
    "how is my training plan going?",
    "my daughter's birthday",
    "what do I usually eat for breakfast?",
    "should I take my umbrella or my raincoat?",
    "what's the wifi password?",
    "did the landlord answer?",
    "what are my allergies and medications?",
    "I prefer tea over coffee",
    "have a look at the Berlin contract",
    "NVDA现在多少钱",
    "我喜欢什么茶？",
    "我对什么东西过敏",
    "我女儿叫什么名字",
    "帮我订上次那家酒店",
    "明天下午的会议几点开始",
    "谢谢，那我的体检是哪天？",
    "早上好，今天有什么安排",
    "上次说的预算是多少",
    "我的护照什么时候到期",
    "用我习惯的方式写周报",
    "你还记得我老婆的生日吗",
    "好的，那就订周五去上海的票",
    "我们决定用哪个数据库",
    "房东的电话号码是多少",
    "可以帮我查一下合同的截止日期吗",
    "iPhone的密码是什么",
    "给我推荐一家不辣的餐厅",
    "我在哪家公司上班",
    "我住在哪个城市呢",
    "孩子几点放学来着",
    "牙医预约在哪天",
    "Postgres的端口是多少",
    "老板喜欢喝什么咖啡",
    "我养的猫叫什么",
    "健身房的年卡几号到期",
    "你知道我对花生过敏吗",
    "周末和谁去爬山",
    "コーヒーが好きですか",
    "커피를 좋아하세요?",
    "Где живёт моя сестра?",
]


@pytest.mark.parametrize("prompt", SILENT)
def test_courtesies_and_scraps_stay_silent(prompt: str) -> None:
    """No memory helps to answer them."""
    assert is_silent_prompt(prompt) is not None


@pytest.mark.parametrize("prompt", SPEAKING)
def test_real_questions_are_never_vetoed(prompt: str) -> None:
    """However short or polite, a question about something is left to the gate."""
    assert is_silent_prompt(prompt) is None


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        ("", "empty"),
        ("  \n\t ", "empty"),
        ("?!… 👍🎉", "empty"),
        ("\x00\u200b", "empty"),
        ("thanks for the reply", "courtesy"),
        ("哈哈哈哈哈哈哈哈", "courtesy"),
        ("ok 好的谢谢", "courtesy"),
        ("continue", "too_short"),
        ("喝什么茶？", "too_short"),
        ("用Python", "too_short"),
    ],
)
def test_the_reason_is_named(prompt: str, reason: str) -> None:
    """`explain` and the log can say why nothing was recalled."""
    assert is_silent_prompt(prompt) == reason


@pytest.mark.parametrize(
    ("prompt", "silent"),
    [
        ("我喜欢喝什", True),  # five characters
        ("我喜欢喝什么", False),
        ("Lisbon", True),
        ("Lisbon trip", False),
        ("NVDA多少", True),  # a word and two characters
        ("NVDA多少钱", False),
        ("Lisbon, Lisbon, Lisbon!", True),  # one word, said three times
        ("コーヒー", True),
        ("コーヒーが好き", False),
    ],
)
def test_two_words_or_six_characters_are_enough(prompt: str, silent: bool) -> None:
    """A word weighs as much as three characters, so mixed prompts are counted fairly."""
    assert (is_silent_prompt(prompt) is not None) is silent


def test_full_width_and_capitals_do_not_hide_a_courtesy() -> None:
    """Folding comes first."""
    assert is_silent_prompt("ＴＨＡＮＫＳ A LOT FOR YOUR HELP！") == "courtesy"


def test_a_courtesy_before_a_question_does_not_silence_it() -> None:
    """Only a prompt of nothing but courtesies is one."""
    assert is_silent_prompt("Thank you so much! Which hotel did I like in Porto?") is None
    assert is_silent_prompt("好的谢谢！那我上次住的酒店叫什么") is None


def test_a_long_prompt_is_left_to_the_gate() -> None:
    """A pasted document costs no time here."""
    assert is_silent_prompt("thanks " * 60) == "courtesy"
    assert is_silent_prompt("thanks " * 20_000) is None


@pytest.mark.parametrize(
    "prompt",
    [
        "Well played!",
        "Fair enough, no rush",
        "You are a genius",
        "Ta, all good",
        "原来如此，长知识了",
        "给力，真是救星",
        "笑死",
    ],
)
def test_praise_and_small_talk_mean_nothing_to_look_for(prompt: str) -> None:
    """They are answers to what was just said."""
    assert is_silent_prompt(prompt) == "courtesy"


@pytest.mark.parametrize(
    "prompt", ["Who is the star of that film?", "What is fair to ask for my old car?", "救护车怎么叫"]
)
def test_the_same_words_in_a_question_are_no_courtesy(prompt: str) -> None:
    """A question is never small talk."""
    assert is_silent_prompt(prompt) != "courtesy"


@pytest.mark.parametrize(
    "text", ["我" * 200_000, "what the server says " * 10_000, "今天下雨，明天也下雨。" * 20_000]
)
def test_a_pasted_book_is_read_once(text: str) -> None:
    """No pattern tries every pair of its words: that would take hours, and everybody would wait."""
    assert not asks_about_oneself(text)


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("where do I live", True),
        ("I wonder where it is", False),
        ("我喝什么茶", True),
        ("什么茶是我喝的", True),
        ("什么茶好喝", False),
        ("幾點了，我", False),
    ],
)
def test_the_order_of_the_words_counts_as_before(text: str, is_asked: bool) -> None:
    """In English the first person follows the question word."""
    assert asks_about_oneself(text) is is_asked


@pytest.mark.parametrize("prompt", ["Where do I work?", "What is my job?", "Who is my best friend?"])
def test_a_question_for_a_place_or_a_person_of_mine_is_no_scrap(prompt: str) -> None:
    """Its words are those of small talk, and it means something all the same."""
    assert is_silent_prompt(prompt) is None
