"""What lasts of a person who is named: a birthday, a diet, a home, a job. "Anna is late" is none of it."""

from memory.extract.english_words import KIN
from memory.extract.lexicon import one_of, words

_NO_NAME = one_of("""
    this that these those it there here everyone everybody nobody someone somebody anyone something everything
    nothing what who which he she they we you i the my our your his her their its one all some most many no
    each every another today tomorrow tonight now \\w+day january february march april may june july august
    september october november december python java javascript rust docker git linux windows chrome firefox
    node react kubernetes excel word google apple slack zoom notion bitcoin battery laptop phone car server
    engine wifi internet computer monitor printer bulb heating boiler plant plants project conversation chat
    lunch dinner breakfast meeting standup training practice class school launch delivery
""")
NAME = rf"(?:(?:Dr|Mrs?|Ms|Prof)\.?\s+)?(?!{_NO_NAME}\b)(?-i:[A-Z][a-zà-ÿ]+(?:[-\s][A-Z][a-zà-ÿ]+)?)"
_OWNED = one_of(
    "birthday allergies job address phone_number number e-?mail hometown surname wife husband partner name"
)
_DIET = one_of("""
    vegetarian vegan pescatarian teetotal coeliac celiac diabetic asthmatic epileptic deaf blind dyslexic
    colou?r-?blind left-handed lactose[-_]intolerant gluten[-_](?:free|intolerant) allergic_to
""")
_WORK = one_of("""
    dentist doctor nurse teacher lawyer engineer designer developer programmer plumber carpenter electrician
    chef cook baker pharmacist vet architect accountant journalist translator pilot midwife therapist
    musician photographer gardener surgeon paramedic farmer judge
""")
NAMED_ENGLISH = words(
    rf"^{NAME}(?:['’]s?\s+\w+)?['’]s?\s+(?:new\s+|home\s+)?(?:{_OWNED}|favou?rite\s+(?!thing)\w+)\s+(?:is|are)\s+"
    r"(?!this|that|so\b|late|lost|gone|here|there|coming|boring|hard|great|nice|annoying|mad|tired|sick\b|at\s|out\b|not\b)",
    rf"^{NAME}\s+is\s+(?:an?\s+)?(?:strict\s+|also\s+|severely\s+|type\s+\w+\s+)?{_DIET}\b",
    rf"^{NAME}\s+lives\s+(?:in|at|on|near)\s+(?!my\b|our\b|fear|peace|hope)\w+",
    rf"^{NAME}\s+works\s+(?:at|for|in|as\s+an?)\s+(?!home\b|me\b|us\b|you\b|all\b|now\b|the\s+moment\b|any)\w+(?!.*\b(?:today|tomorrow|this\s+week)\b)",
    rf"^{NAME}\s+is\s+an?\s+(?:\w+\s+)?{_WORK}\b(?!['’])",
    rf"^(?:{NAME}|(?:my|our)\s+\w+(?:\s+{NAME})?(?<!phone)(?<!laptop)(?<!battery)(?<!car)(?<!computer))\s+"
    r"(?:died|passed\s+away)(?!\s+(?:laughing|again|on\s+me))\b",
    rf"^(?:{NAME}|(?:my|our)\s+{KIN}(?:\s+{NAME})?)(?:['’]s|\s+has)?\s+(?:just\s+|recently\s+)?"
    rf"(?:(?:moved|relocated)\s+to|started\s+(?:working\s+)?(?:at|for|with)|joined)\s+(?!{_NO_NAME}\b)(?-i:[A-Z])\w+",
    r"\b(?:my|our)\s+\w+['’]s\s+(?:all[- ]time\s+)?favou?rite\s+(?!thing)\w+.*"
    r"\b(?:is|are)\s+(?!this|that\b)\w+",
)

_NO_HAN_NAME = one_of("""
    马上 马路 林子 田里 石头 石油 江边 江南 金属 金毛 黄色 黄金 黄油 何时 何必 胡同 夏天 张开 许多 余下 陆地
    陆续 程序 程度 曾经 高铁 叶子 姜茶 姜汤 陈皮 杨梅 苏打 白天 钟头 汪汪 戴着 杜绝
    周[一二三四五六日末围边年期到]
""")
_SURNAME = (
    rf"(?!{_NO_HAN_NAME})[李王张刘陈杨赵黄吴周徐孙胡朱林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁"
    r"魏薛叶阎余潘杜戴夏钟汪田姜范石姚谭廖邹熊金陆]"
)
_NAME_HAN = rf"(?:[小老阿]{_SURNAME}|{_SURNAME}(?:[一-鿿]{{1,2}}?|医生|老师|总|姐|哥|阿姨|叔叔))"
_WORK_HAN = one_of("""
    牙医 医生 护士 老师 教师 律师 工程师 程序员 设计师 会计 厨师 司机 记者 翻译
    木匠 电工 兽医 药剂师 摄影师 警察
""")
NAMED_CHINESE = words(
    rf"^{_NAME_HAN}(?:的{one_of('老婆 老公 女儿 儿子 妈妈 爸爸 孩子')})?"
    r"的?(?:生日|老家|电话|手机号|邮箱|地址)(?:是|在)(?!多少|哪|什么|不是)",
    rf"^{_NAME_HAN}(?:是)?(?:吃素|吃全素|素食(?:者|主义者)?|不吃[肉辣猪牛羊海]|对[^，。]{{1,12}}过敏|乳糖不耐|有?糖尿病)",
    rf"^{_NAME_HAN}(?:现在|目前|一直)?(?:家)?住在?(?!院|哪|不|手|嘴)[^，。]{{2,}}",
    rf"^{_NAME_HAN}(?:最近|刚刚?|已经)?(?:搬到|搬去|搬回)了?(?!哪|什么|这|那)[^，。]{{2,}}",
    rf"^{_NAME_HAN}(?:现在|目前)?在(?!哪|这|那)[^，。]{{2,12}}(?:工作|上班|当[^，。]{{2,}}|做[^，。]{{2,}})$",
    rf"^{_NAME_HAN}是(?:一?[名个位])?[^，。]{{0,6}}{_WORK_HAN}$",
    r"^[一-鿿A-Za-z]{1,6}?(?:昨天|前天|今天|今早|昨晚|上周|上个?月|已经|刚刚?)*(?:去世|过世|离世)了$",
)
