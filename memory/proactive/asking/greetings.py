"""Greetings, partings, praise and company: what people say to an assistant without being after anything."""

import re

_MAX_CHARS = 60
_NO_WORD = re.compile(r"[^\w\s'’]+|_")

_ENGLISH = re.compile(
    r"(?:(?:hi|hey|hello|ok(?:ay)?|and|so|well|oh|alright|right|thanks|a|very|there|all|everyone|again|then|now|today)\s+)*"
    r"(?:(?:(?:good|lovely|top\s+of\s+the)\s+)?(?:morning|afternoon|evening|night|day|weekend)"
    r"|happy\s+\w+(?:\s+(?:year|day|birthday))?|merry\s+\w+"
    r"|(?:see|talk|speak|chat|catch)\s+(?:(?:to|with|ya|you)\s+)*(?:ya|you|later|soon|tomorrow|then|around|again)"
    r"|(?:until|till)\s+(?:tomorrow|later|then|next\s+time)|bye(?:\s+(?:bye|now|for\s+now))?"
    r"|sleep\s+(?:well|tight)|sweet\s+dreams|nighty\s+night|rest\s+well|rise\s+and\s+shine"
    r"|(?:i['’]?m|i\s+am)\s+(?:back|here|off|home|awake|up|done|away|out)(?:\s+(?:now|again))?|back\s+again|it['’]?s\s+me"
    r"|(?:off|going|heading)\s+(?:to\s+(?:bed|sleep|work|lunch)|home|out)"
    r"|(?:(?:that['’]?s|that\s+is)\s+(?:all|it)|done)(?:\s+for\s+(?:today|now|tonight))?|calling\s+it\s+a\s+day"
    r"|(?:gotta|(?:i\s+)?(?:have|need|got)\s+to)\s+(?:go|run)|be\s+right\s+back"
    r"|(?:just\s+)?(?:a|one)\s+(?:sec|second|moment|minute)|(?:hold|hang)\s+on"
    r"|welcome\s+back|long\s+time(?:\s+no\s+see)?|(?:did\s+you\s+)?miss(?:ed)?\s+(?:me|you)"
    r"|(?:is\s+)?any(?:one|body)\s+(?:there|here|home|awake)|(?:are\s+)?you\s+(?:there|here|up|awake|around|alive|online|listening)"
    r"|how\s+(?:are|is|was|were)\s+(?:you|things|everything|life|it)(?:\s+(?:doing|going|today|now|all))*|how\s+do\s+you\s+(?:do|feel)"
    r"|how\s+(?:is|was)\s+your\s+(?:day|night|week|weekend|evening|morning)(?:\s+going)?|how\s+did\s+you\s+sleep"
    r"|(?:pleased|nice|good|great|lovely)\s+to\s+(?:meet|see|hear|talk|chat)(?:\s+\w+){0,3}"
    r"|(?:(?:that|this|it)\s+)?(?:really\s+)?help(?:s|ed)(?:\s+(?:a\s+lot|me|so\s+much|already))*"
    r"|that\s+was\s+(?:\w+\s+)?(?:helpful|useful|great|kind|nice|quick|fast|good|perfect)|(?:just|exactly)\s+what\s+i\s+(?:needed|wanted)"
    r"|you(?:['’]re|\s+are)?\s+(?:(?:so|too|very|really|the)\s+)?(?:kind|sweet|helpful|great|nice|smart|funny|good|best|rock|rule)"
    r"|love\s+(?:it|this|that|you)|(?:great|good|nice|cool|awesome)\s+(?:stuff|one|job|work|call|point|answer)|well\s+done"
    r"|laters|toodles|toodle\s*oo|g['’]?night|night\s+night|mornin['’]?|(?:all\s+)?(?:ready|set)|(?:i['’]?m|we['’]?re)\s+(?:ready|good|fine|set|okay)"
    r"|good\s+to\s+(?:be\s+back|know)|(?:what\s+a|long|rough|busy)\s+(?:day|week|night|morning)|finally\s+home|cool\s+beans|right(?:o|y)?"
    r"|splendid|marvell?ous|legend|champion|life\s*saver|smashing|grand|neat|(?:spot|bang)\s+on|thumbs\s+up|works\s+for\s+me|fine\s+(?:by|with)\s+me"
    r"|good\s+enough|(?:maybe|perhaps)\s+later|okey\s+dok(?:ey|e)|copy\s+that|good\s+luck|safe\s+travels|bless\s+you|take\s+it\s+easy|signing\s+off"
    r"|bonjour|hola|ciao|servus|moin|guten\s+\w+|so\s+long|farewell|cheerio|(?:it['’]?s\s+)?\w+day\s+(?:again|already|finally)"
    r"|let['’]?s\s+(?:go|start|begin|do\s+(?:it|this)|get\s+(?:going|started))|much\s+obliged|thanks\s+(?:loads|heaps|tons|a\s+\w+|for\s+\w+(?:\s+\w+)?)"
    r"|sounds\s+like\s+a\s+plan|(?:totally|indeed|absolutely|exactly|definitely|interesting|super|phew|ugh|meh|yay|hooray|whoops|okie)"
    r"|how['’]?s\s+(?:it|life|things|everything|your\s+\w+)(?:\s+(?:going|been|doing|today))*|what['’]?s\s+(?:up|new|good|happening|cooking)"
    r"|(?:all|everything|you)\s+(?:good|ok|okay|fine|well|alright)|i\s+appreciate\s+(?:it|that|you)|it\s+worked|that\s+(?:works|worked|does\s+it|['’]?ll\s+do)"
    r"|sure\s+thing|don['’]?t\s+mention\s+it|(?:thank\s+you|thanks)(?:\s+(?:kindly|again|so\s+much))?"
    r"|enjoy(?:\s+(?:your|the)\s+\w+)?|have\s+an?\s+(?:good|great|nice|lovely|wonderful|safe)\s+\w+|hope\s+(?:you|you['’]re|all|everything)(?:\s+\w+){0,3})"
    r"(?:\s+(?:all|everyone|there|friend|mate|buddy|again|now|today|then|too|man|please|folks|team))*",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?:[我你您好嗯哦啊嘿嗨哈那又刚先再]|那个|今天|朋友|大家|各位)*"
    r"(?:最近(?:怎么样|好吗|忙吗|如何)|(?:回头|下次|改天|一会儿?|待会儿?|晚点|明天|后天|晚上)(?:再)?[聊见说]|[早晚](?:上)?[好安]|[上下中]午好"
    r"|(?:回来|来|起床|起来|到家|下班|睡醒|忙完|上线)[了啦]|(?:要|该)?(?:去)?(?:睡|忙|走|下|吃饭|洗澡|上班|开会|休息)(?:觉)?(?:去)?[了啦]"
    r"|就?到这(?:儿|里)?|就?这样|(?:么)+哒?|打扰(?:你|您)?[了啦]|在?干(?:嘛|啥|什么)|有人(?:在)?[吗么]|在不在|想[我你](?:了)?[没吗]?"
    r"|帮(?:了)?我?(?:大|个)忙[了啦]|没(?:别的|有|事|什么)?(?:事)?[了啦]|(?:周|星期|礼拜)[一二三四五六日天末](?:好|快乐|愉快)"
    r"|(?:节日|生日|新年|春节|中秋|国庆|元旦|端午|元宵|情人节|圣诞节?)(?:快乐|愉快|好)|新的一天|是我|睡得(?:好|怎么样)"
    r"|(?:过得|心情)?(?:怎么样|好吗|如何)|[好累忙困饿]不?[吗不没]|(?:做个)?好梦|辛苦(?:你|您)?[了啦]|比心|爱[你您了]"
    r"|[真太好很可](?:是)?(?:棒|好|厉害|贴心|靠谱|聪明|可爱|牛)[了啦]?|吃(?:饭)?了[吗没]|好久不见|晚安|再见|拜拜|加油)"
    r"[了呀啊哦呢吧啦哈吗呗嘛你您亲～]*"
)


def is_greeting(text: str) -> bool:
    """Whether a short turn is made of such phrases alone, several in a row too."""
    words = " ".join(_NO_WORD.sub(" . ", text.replace("-", " ")).split())
    if len(words) > _MAX_CHARS:
        return False
    pieces = [piece.strip() for piece in words.split(".") if piece.strip()]
    return bool(pieces) and all(_ENGLISH.fullmatch(one) or _CHINESE.fullmatch(one) for one in pieces)
