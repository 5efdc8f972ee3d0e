"""How people commit themselves in Chinese. The patterns see a clause whose dates were taken out."""

import re

from memory.proactive.commitments.chinese_appointments import APPOINTMENTS
from memory.proactive.commitments.cues import Cue, Cues, Pledge

_I = r"(?:我们?|咱们?|俺)"
_ADVERBS = r"(?:还|也|就|又|再|先|都|一定|顺便|肯定|真的?|确实|马上|另外|自己|应该)*"
_MEANS_TO = (
    r"(?:要(?!不要|是|么|怎|求|说)|得(?!了|到|很|说|承认)|必须|务必|需要|打算|准备|计划|答应过?了?|保证|承诺过?|应该|该(?!不该)|记得"
    r"|会(?!在|很|是|有|说|不|觉|想|后|议|因))"
)
_DOES = (
    r"(?:去|把|给|交|发(?!现|生|觉|烧)|寄|付|取|回(?:复|电|信|个)|打(?:电话|给|卡|款)|帮|提交|续"
    r"|洗|带(?!着)|买|接|送|订|约|拿|搬|修|打扫|收拾|负责|补)"
)
PERSON = (
    r"(?:你|他|她|它|他们|她们|人家|大家|我?(?:妈妈?|爸爸?|爷爷|奶奶|老婆|老公|媳妇|女儿|儿子|哥哥?|姐姐?|弟弟?|妹妹?|老师|老板|领导|经理"
    r"|同事|同学|朋友|室友|房东|客户|医生|系统|手机|日历|闹钟|app)|[小老阿][一-鿿])"
)
FICTION = r"书里|小说|电影里|[剧片]里|游戏里|故事里|剧本|台词|动画|历史上|古代|传说"
_OPENING = "^(?:那|对了|但是?|不过|所以|然后|因为)?"
_NEVER = re.compile(r"(?!)")
_REMINDERS = re.compile(
    r"提醒(?:一下|下)?(?:我们?|咱们?)(?:一下|一声)?(?![的了过])|别(?:让|叫)我忘[了记]?|叫醒我"
    r"|(?:到点|到时候?|届时|准时)提醒(?:一下|一声)?$|(?:通知|告诉|跟)我(?:说)?(?:一声|该(?!不该)|记得)|给我提个?醒|给我(?:发|留|写)(?:一?[条个])?(?:消息|短信|微信|信息|提醒)|(?:加|放|记|写|添)(?:到|进|入|在)(?:我的?)?(?:待办|日程|日历|备忘录?)"
    r"|[叫喊]我(?:一声|一下)?(?=起床|起来|出门|去|来|吃|喝|看|接|开会|下楼|下班|$)|[叫喊]我(?:一声|一下)"
    r"|(?:设置?|定|订|建|加|记)(?:一?个)?的?(?:提醒|闹钟|闹铃|日程|行程|待办)|(?:提醒|闹钟|闹铃)(?:设|定)(?:在|到|一下)|(?:待办|日程|提醒事项)(?=[:：])"
    r"|^(?:的时候|时|到了?)?(?:[跟给和]我)?[说吱]一声"
    r"|^(?:记得|千万|麻烦你?|请|你|帮忙|到时候?|到点|再|待会儿?|等会儿?|一会儿?|能不能|可不可以|可以|能|要)*"
    r"(?:叫|喊|催|通知|提醒)(?:下|一下)?我(?![们的了过小老哥姐叔爸妈做是为])"
)
_KEEP_IN_MIND = re.compile(r"^(?:那|对了|帮我|麻烦)*(?:记得|别忘了?|记着|不要忘了?|千万别忘了?)(?!吗|没)")
_NOTE = re.compile(
    r"^(?:那|对了|请|麻烦你?|你)*(?:帮我)?(?:记一?下来?|记(?:一?个事|着|住)|备忘(?:一下)?|盯一?[下着](?!我))(?!吗|没|了)|^备忘录?(?=[:：])"
)
_AT_THE_END = re.compile(r"^(?:千万|一定)?(?:别|不要)忘(?:了|记)?(?:啊|哦|呀)?$")
_KEPT_FROM = re.compile(r"别(?:让|叫)我(?:错过|睡过头?|迟到|(?=[吃喝抽碰睡玩熬]))")
_ARRANGED = re.compile(
    r"^(?:我们?)?(?:已经)?(?:跟|和|与)[^，。]{1,8}?(?:说好|约好|讲好|约定|说定|定好)了?(?=$|[，,])"
)
_AGREED = re.compile(r"^(?:我们?)?(?:已经|都)?(?:说好|约好|讲好|答应好?)了?(?=[一-鿿])(?!的|吗)")
_OWED = re.compile(r"^我?欠[^，。]{1,10}(?:还|给|请)")
_NOTED_DOWN = re.compile(  # 明天上午十点给老板交方案
    r"^(?:给|跟|向)(?![我咱你他她它])[^，。]{1,8}?(?:(?=交|发|寄|送|还|汇报|报告)|(?=打(?:个|一个)?电话)|(?=回(?:电|信|复|话)))"
)
_HELD_TO_IT = re.compile(r"(?:监督|督促|盯着|催着?|盯紧)(?:一下)?我")
_OBLIGED_TO_BE = re.compile(
    rf"{_OPENING}我们?{_ADVERBS}(?:必须|得(?!了|很)|要(?!不要|是|么|怎|求)|需要)(?:亲自)?(?:在场|到场|出席|在家)"
)
_OBJECT_FIRST = re.compile(  # 电费我明天一定交
    rf"^(?!{PERSON}|这|那)[^，。我你他她它说讲问想]{{1,10}}我们?(?:还|也|都|就|真的)*(?:一定|保证|肯定|必须|务必|得(?!了|到|很)"
    r"|要(?!不要|是|么|怎|求)|会(?!在|很|是|有|说|不|觉|想|后|议)|来(?!不|了)|负责|带(?!着)|买|洗|拿|去)"
)
_MY_TURN = re.compile(r"(?:轮到|归|该)我(?!们?的|了$)|我负责")
_TOLD_THEM = re.compile(r"^我(?:跟|和|向)[^，。]{1,6}?说(?:好|过)?(?=交|给|还|发|去|来|办|搬|付|把)")
_GIVEN_BACK = re.compile(r"^(?=还(?:给)?(?:他|她|人家|老[一-鿿]|小[一-鿿]))")
_BRINGS = re.compile(
    r"^(?![^，。]*给我)(?=把(?![这那它])[^，。]{1,10}?(?:送|交|还|寄|发(?:给|过去|出去)|拿|取|搬|洗|修|做完|写完|付|办))"
)
_TO_HAND_IN = re.compile(  # 图书馆的书12号要还
    r"^[^，。我你他她它]{1,10}?(?:要|得|该)(?:还|交|缴|付|退|提交|上交|续费|年检|还款|结清|归还|上报|腾|清空|填|签|办|弄完|做完|写完|寄)(?!不|吗|么|是)"
)
_REFUSED_REMINDER = re.compile(
    rf"(?:不用|不要|(?<!分)别|无需|不必|甭|没有?|怎么|如何|谢谢你?|多谢|感谢)[^，。；]{{0,4}}$|(?:谢谢|感谢|多谢).*$|{PERSON}(?:们)?(?:跟我|对我)?(?:说|讲|告诉我|写道?)[：:，,“\"]*$|^(?!你$)(?:刚才|刚刚)?{PERSON}(?:刚才|刚刚|已经|上次|总|老|也|又|都)*$"
)

CHINESE = Cues(
    of_user=(
        Cue(Pledge.REMINDER, _REMINDERS, _REFUSED_REMINDER),
        Cue(Pledge.REMINDER, _KEPT_FROM, _NEVER, tells_all=True),
        Cue(Pledge.REMINDER, _AT_THE_END, _NEVER, tells_all=True),
        Cue(Pledge.REMINDER, _KEEP_IN_MIND, _NEVER, is_bound=True),
        Cue(Pledge.REMINDER, _NOTE, _NEVER),
        Cue(
            Pledge.DEADLINE,
            re.compile(r"截止|到期|过期(?!的|了)|ddl|deadline|最后一天|死线", re.IGNORECASE),
            re.compile(rf"^{PERSON}"),
            is_bound=True,
        ),
        Cue(
            Pledge.PROMISE,
            re.compile(rf"(?:{_OPENING}|让|(?<=说)){_I}{_ADVERBS}{_MEANS_TO}"),
            re.compile(rf"{PERSON}(?:跟我)?说$"),
            is_bound=True,
        ),
        Cue(
            Pledge.PROMISE,
            re.compile(rf"(?:{_OPENING}|让){_I}{_ADVERBS}(?={_DOES})"),
            _NEVER,
            is_bound=True,
            is_firm=True,
        ),
        Cue(
            Pledge.PROMISE,
            re.compile(
                rf"^(?:{PERSON}|导师|甲方|公司|学校|单位|物业|银行|社区|HR|boss|leader|[A-Z][a-z]{{1,10}})(?:那边)?(?:(?:让|叫|要|催)我们?|(?:让|叫|要求|催)(?:大家)?(?=把|交|提交|带|填|付|改|写|做|弄|发|寄|去))"
            ),
            _NEVER,
            is_bound=True,
        ),
        Cue(Pledge.PROMISE, _ARRANGED, _NEVER),
        Cue(Pledge.PROMISE, _HELD_TO_IT, _NEVER, tells_all=True),
        Cue(Pledge.PROMISE, _OBLIGED_TO_BE, _NEVER, tells_all=True),
        Cue(Pledge.PROMISE, _OBJECT_FIRST, _NEVER, is_bound=True, is_firm=True, tells_all=True),
        Cue(
            Pledge.PROMISE,
            re.compile(
                rf"^(?:最[晚迟])?{_ADVERBS}(?:要(?!不要|是|么|怎|求|下雨|命)|得(?!了|到)|必须|务必|需要)"
            ),
            _NEVER,
            is_bound=True,
            is_firm=True,
        ),
        Cue(
            Pledge.DEADLINE,
            re.compile(
                rf"^(?!{PERSON})[^，。]{{1,10}}?(?:必须|务必|一定[要得]|得|要)(?!不要|是|么|怎|求|了|到)"
            ),
            re.compile(r"[我你他她]"),
            is_bound=True,
            is_limited=True,
        ),
        Cue(Pledge.DEADLINE, _TO_HAND_IN, _NEVER, is_bound=True, is_firm=True),
        Cue(Pledge.PROMISE, _AGREED, _NEVER, is_bound=True),
        Cue(Pledge.PROMISE, _MY_TURN, _NEVER, is_bound=True),
        Cue(Pledge.PROMISE, _TOLD_THEM, _NEVER, is_bound=True),
        Cue(Pledge.PROMISE, _GIVEN_BACK, _NEVER, is_bound=True, tells_all=True),
        Cue(Pledge.PROMISE, _BRINGS, _NEVER, is_bound=True, is_firm=True),
        Cue(Pledge.PROMISE, _OWED, _NEVER, is_bound=True, tells_all=True),
        Cue(Pledge.PROMISE, _NOTED_DOWN, _NEVER, is_bound=True, is_firm=True, tells_all=True),
        *APPOINTMENTS,
    ),
    of_assistant=(
        Cue(
            Pledge.ASSISTANT,
            re.compile(
                rf"^(?:那|好的?|没问题)?我{_ADVERBS}(?:会(?!在|很|是|有|说|不)|将|来|去|帮[你您]|给[你您]|把"
                r"|(?=(?:再|先)?(?:看|查|发|整理|跟进|提醒[你您]|通知[你您]|告诉[你您])))"
            ),
            _NEVER,
            is_bound=True,
        ),
        Cue(
            Pledge.ASSISTANT,
            re.compile(
                r"我(?:会|再|到时候?)*(?=(?:提前[^，。]{1,6})?(?:提醒|叫|喊|通知|告诉|联系|回复)[你您])"
            ),
            re.compile(r"要不要|让|可以|需要"),
        ),
        Cue(
            Pledge.ASSISTANT,
            re.compile(r"[^，。我你您]{1,8}会(?:发|给|交|送|寄)(?:到|给)?[你您]"),
            _NEVER,
            is_bound=True,
            tells_all=True,
        ),
        Cue(Pledge.ASSISTANT, re.compile(r"^把[^，。]{1,12}?(?:发给|交给|给)[你您]"), _NEVER, is_bound=True),
        Cue(
            Pledge.ASSISTANT,
            re.compile(
                r"^(?:好的?|没问题|收到|行)?我?(?:已经?)?(?:(?:帮|为|给)[你您])?(?:设好|设置?|定好?|建好?|添加|记下?|安排|创建)了?的?(?:提醒|闹钟|日程|待办)了?"
            ),
            _NEVER,
        ),
        Cue(
            Pledge.ASSISTANT,
            re.compile(
                r"^(?:会|将|到时候?|准时|再)*(?=(?:提醒|通知|叫|告诉|回复|答复|发给|交给|汇报给)[你您])"
            ),
            _NEVER,
            is_bound=True,
        ),
    ),
    task=re.compile(
        r"^(?!我)(?:请|麻烦|你|帮我|帮忙|能不能)*(?:把|将)?[^，。：:]{0,12}(?:翻译|翻成|译为|改写|润色|校对|改成|译成|仿写|续写|扩写|缩写|纠错|造句|起草)"
        r"|^(?:请|麻烦|你|帮我|帮忙)*(?:写|拟|编|画|解释|总结|分析|生成)"
    ),
    refused=re.compile(
        r"如果|假如|要是|听说|据说|(?<![帮给替跟和])邻居|隔壁|网上说|[一-鿿]不了|无法|万一|的话|愿意|可能|也许|或许|大概|说不定|不用|不必|不想|没法|每[天周月年晚早]|不一定|以前|应该[会没]|没(?:答应|同意)|拒绝|梦[见到]|本来|原本"
        rf"|{FICTION}"
        r"|的(?:不)?是(?:我|他|她|别人)|出差|旅游|旅行|度假|[去到].{0,4}玩|上班|(?<!孩子)(?<!娃)(?<!儿子)(?<!女儿)上学|放假|休息|(?:他|她|人家|据)说.{0,3}(?:他|她|会)"
    ),
    question=re.compile(
        r"[吗呢么]\s*$|什么|怎么|怎样|多少|哪|谁|几点|是不是|能不能|有没有|要不要|可不可以|好不好|会不会|为啥|如何"
    ),
    request=re.compile(r"能不能|能否|可不可以|可以|能|麻烦|请|帮|好吗|行吗|好不好|行不行"),
    weary=re.compile(r"烦|别(?:再|老|总)?提醒|不(?:用|要|必|需要)(?:再|老|总)?提醒|谢谢|多谢|感谢"),
    lead=re.compile(r"^(?:[\s，,。：:、；;]+|了|一下|一声|提醒我|我|的时候|时(?!间)|就|在)+"),
    trail=re.compile(
        r"(?:提前[一-鿿\d]{1,5}|[\s，,。：:、；;]+|在|于|之前|前|记得|帮我|请|麻烦你?|到时候)+$"
    ),
)
