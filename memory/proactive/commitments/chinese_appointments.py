"""What is ahead of Chinese speakers and binds: appointments, bookings, moved meetings, duties."""

import re

from memory.proactive.commitments.cues import Cue, Pledge

_VISIT = "(?:面试|笔试|考试|复诊|复查|体检|产检|看牙|拔牙|手术|答辩|面签|签约|交房|验房|开庭|家长会)"
_EVENT = (
    r"(?:面试|笔试|考试|复诊|复查|体检|产检|看牙|拔牙|牙医|手术|门诊|抽血|家长会|评审会?|答辩|汇报|培训"
    r"|聚会|聚餐|饭局|约会|彩排|排练|年会|婚礼|面签|签约|交房|验房|看房|收房|开庭|电话会议?|视频会议?|值班|会议|预约)"
)
_WEEKLY = (
    "组会|例会|周会|晨会|早会"  # "例会 is on Monday" is how it always is; "有例会" and "moved" are this one
)
_OURS = r"(?:我们?|咱们?|俺|公司|部门|项目|学校|班里|孩子|娃|宝宝|家里|线上|线下|科目[一二三四])"
_KIN = (
    r"(?:[小老阿][一-鿿]|我?(?:姐|哥|弟|妹|妈|爸|爷|奶|老公|老婆|媳妇|女友|男友|同事|朋友|室友"
    r"|表|堂|舅|姑|叔|婶))"
)
_OPENING = r"^(?:那|对了|另外|还有)?[，,]?"
_OTHERS = "我你他她它的"
_WITH = r"(?:(?:跟|和|与|同)[^，。]{1,8}?)"
_DONE = r"(?:好了?|上了?|到了?|了)"
_END = r"(?:吧|啊|哈|哦|呢|啦|了)?$"
_NEVER = re.compile(r"(?!)")


def _own(pledge: Pledge, pattern: str, *, is_timed: bool = False, is_limited: bool = False) -> Cue:
    return Cue(
        pledge,
        re.compile(pattern, re.IGNORECASE),
        _NEVER,
        is_bound=True,
        is_timed=is_timed,
        is_limited=is_limited,
        tells_all=True,
        is_told=True,
    )


APPOINTMENTS = (
    _own(
        Pledge.PROMISE,
        rf"{_OPENING}{_OURS}?(?:还|也|又)?(?:有|安排了)(?:个|一?[场节次个])?[^，。{_OTHERS}]{{0,6}}?(?:{_EVENT}|{_WEEKLY})(?!吗|么|的(?!时候))",
    ),
    _own(
        Pledge.PROMISE,
        rf"{_OPENING}我们?(?:还|也|又)?有(?:个|一?[场节次个])?[^，。{_OTHERS}]{{0,6}}?(?:[会课局约]|比赛|讲座|分享){_END}",
    ),
    _own(
        Pledge.PROMISE,
        rf"{_OPENING}{_OURS}?(?!{_KIN})[^，。是在想{_OTHERS}]{{0,3}}?{_EVENT}{_END}",
        is_timed=True,
    ),
    _own(Pledge.PROMISE, rf"{_OPENING}(?!{_KIN})[^，。是在想{_OTHERS}]{{0,3}}?{_VISIT}{_END}"),
    _own(
        Pledge.PROMISE,
        rf"{_OPENING}(?:我们?|咱们?)?{_WITH}?(?:已经|刚刚?|都|也|又|提前)*(?:(?:约|订|预[约订定]){_DONE}(?!吗|么)"
        rf"|挂{_DONE}[^，。]{{0,10}}号|(?:买|抢|定){_DONE}[^，。]{{0,12}}(?:票|位|座|餐|酒店|蛋糕|包间)|报了?[^，。]{{0,8}}(?:班|名|课)了?$)",
    ),
    Cue(
        Pledge.PROMISE,
        re.compile(
            rf"^[^，。{_OTHERS}]{{0,6}}(?:票|位子|座位|号)(?:也|都)?(?:已经)?(?:买|订|抢|挂|约){_DONE}"
        ),
        _NEVER,
        tells_all=True,
    ),
    _own(
        Pledge.PROMISE,
        rf"^[^，。{_OTHERS}]{{0,4}}(?:{_EVENT}|见面)(?:时间)?(?:预约|约|安排|定|排|订)(?:在|到)",
    ),
    _own(
        Pledge.PROMISE,
        rf"^[^，。{_OTHERS}]{{0,6}}(?:{_EVENT}|{_WEEKLY}|[会课])(?:时间)?被?(?:改|挪|推迟|延期|提前|调|换|改签)(?:到|成)",
    ),
    _own(Pledge.PROMISE, rf"{_OPENING}(?:我们?)?{_WITH}有个?约{_END}"),
    _own(Pledge.PROMISE, rf"{_OPENING}(?:我们?|咱们?)?{_WITH}[^，。]{{0,6}}见{_END}", is_timed=True),
    _own(
        Pledge.PROMISE,
        rf"{_OPENING}(?:我们?|咱们?)?[^，。{_OTHERS}]{{0,8}}(?:见面|碰头|碰面|集合|会合){_END}",
        is_timed=True,
    ),
    _own(
        Pledge.PROMISE,
        rf"{_OPENING}(?:我们?|咱们?)?(?:坐|赶|乘|是)?的(?:火车|高铁|飞机|航班|动车|班车){_END}",
        is_timed=True,
    ),
    _own(
        Pledge.PROMISE,
        rf"{_OPENING}(?:这次|又)?(?:是|归)?我们?(?:值班|值日|当班|带班|监考|主持|做分享|上台){_END}",
    ),
    _own(Pledge.PROMISE, r"^[^，。他她你]{0,8}还(?:给)?(?:他|她|人家|[老小][一-鿿])(?:钱|吧|啊)?$"),
    _own(Pledge.PROMISE, r"^我(?:跟|和|向|给|对)[^，。]{1,8}?(?:承诺|保证|答应|许诺|约定|说定|说好|讲好)"),
    _own(
        Pledge.DEADLINE,
        r"^[^，。你他她]{1,10}过期(?!的|了|食)|最后期限|截稿|报名(?:结束|关闭)|^[^，。你他她]{0,6}(?:还款|缴费|扣款|交稿|交租)日?$",
    ),
    Cue(
        Pledge.DEADLINE,
        re.compile(
            r"^(?:要)?(?:(?:交|缴|付|退)(?!通|流|谈|往|代|换|给我|友|际)|还(?=书|款|钱|贷|卡|花呗|信用卡))[^，。我你他她]{1,8}$"
        ),
        _NEVER,
        is_bound=True,
        is_firm=True,
        tells_all=True,
    ),
    _own(
        Pledge.PROMISE,
        r"^(?:我们?|咱们?)?(?:一定|争取|尽量|力争|赶在|赶紧|尽快|先|务必|在)*(?![^，。]*(?:给我|告诉我))(?:把[^，。]{1,12}?)?"
        r"(?:搞定|[弄做写改看背办填剪画][好完]|完成(?!的)|提交(?!的)|上交|(?:交|处理|整理|复习|准备)[好完上给]|[发寄]给)",
        is_limited=True,
    ),
)
