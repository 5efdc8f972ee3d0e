"""The English rules: how people say what they like, decide, correct and are."""

from memory.extract.english_words import (
    ADVERB,
    AM,
    BEING,
    CAPITAL,
    DO,
    DONT,
    FEELING,
    GRUMBLED,
    HABIT,
    HAVE,
    ILLNESS,
    IS,
    KIN,
    LIKE,
    LIST,
    LISTED,
    NO_ROLE,
    ONE_OFF,
    OUGHT,
    OWN,
    PASSING,
    PLACE,
    PLEASE,
    SAYS_I,
    SHAPED,
    SOMEONE,
    SPEAKER,
    STANDING,
    STATE,
    STOP,
    STORIED,
    SYSTEM,
    VAGUE,
    WRITING,
)
from memory.extract.lexicon import Cue, Lexicon, one_of, words
from memory.extract.persons import NAMED_ENGLISH
from memory.model import MemoryType

_INSTRUCTIONS = words(
    rf"{PLEASE}(?:always|never|don't\s+ever|do\s+not\s+ever)\s+{DO}\b(?!\s+up)",
    rf"{PLEASE}(?:always|never)\s+\w+.*\bwhen(?:ever)?\s+i\s+(?:ask|talk|write|mention|say)\b",
    rf"{PLEASE}(?:from\s+(?:now|here)\s+on|going\s+forward|in\s+(?:the\s+)?future)\b,?\s+{PLEASE[1:]}"
    rf"(?:always\s+|never\s+|don't\s+|do\s+not\s+|only\s+)?{DO}\b",
    rf"{PLEASE}(?:only\s+|don't\s+|do\s+not\s+)?{DO}\b.*\b(?:from\s+(?:now|here)\s+on|going\s+forward|"
    rf"always|"
    r"every\s+time|(?:anything|everything|whatever)\s+you\b.*\bfor\s+me)\b",
    rf"{PLEASE}(?:don't|do\s+not|stop)\s+(?:calling\s+me|call\s+me)\b|{PLEASE}stop\s+{STOP}\b",
    rf"{PLEASE}call\s+me\s+(?!back|when|if|at|on|in|later|tomorrow|now|a\b|an\b)\w+",
    rf"{PLEASE}(?:answer|reply\s+to|write\s+to|talk\s+to|speak\s+to)\s+me\s+in\s+{CAPITAL}",
    r"^when(?:ever)?\s+you\s+\w+.*\b(?:for|to|with)\s+me\b,?\s+\w+",
    rf"{PLEASE}(?:whenever|every\s+time|each\s+time)\s+i\s+\w+.*\b{DO}\b",
    rf"{SPEAKER}\s+want\s+(?:all\s+)?my\s+\w+\s+(?:as|in|to\s+be|without|with)\b",
    rf"{SPEAKER}\s+(?:never\s+want|(?:don't|don’t|do\s+not)\s+(?:ever\s+)?want)\s+(?:to\s+(?:see|get|read)\s+)?"
    rf"(?!{SOMEONE}\b|this|that|it\b)(?:\w+\s+){{0,3}}{WRITING}\b",
    rf"{SPEAKER}(?:\s+want|'d\s+like|’d\s+like|\s+would\s+like)\s+(?:(?:your|my|the)\s+)?(?:all|only|short\w*|brief|concise|long\w*|"
    rf"detailed|plain|formal)\s+(?:my\s+|your\s+|the\s+)?{WRITING}\b(?=.{{8,}})",
    rf"{SPEAKER}(?:\s+want|'d\s+like|’d\s+like|\s+would\s+like)\s+(?:\w+\s+)?{WRITING}\s+(?:no\s+longer|under|at\s+most|in\s+{CAPITAL}|without|with\s+no)\b",
    rf"^(?:all\s+|my\s+|our\s+|your\s+)*(?:\w+\s+)?{WRITING}\b[^,?]{{0,30}}\s{OUGHT}\s+{SHAPED}",
    rf"^(?:the|my|our|your)\s+(?:daily|weekly|monthly|quarterly)\s+\w+\s+{OUGHT}\s+{SHAPED}",
    rf"{PLEASE}keep\s+(?:(?:the|my|all|your|any|our)\s+)?(?:\w+\s+){{0,2}}{WRITING}\s+(?:\w+\s+){{0,3}}?(?:under|below|short|brief|"
    r"formal|informal|friendly|polite|simple|to\s+(?:a\s+)?(?:max|at\s+most|one|two|three|five|\d))",
    rf"{PLEASE}{STANDING}|{PLEASE}(?:always\s+)?(?:address|call|greet)\s+(?:my|our|all)\s+\w+s\s+(?:by|as|with)\b",
    rf"{PLEASE}{DO}\b.*\byou\s+(?:write|send|give|make|draft)\b.*\b(?:for|to)\s+me\b",
    rf"{PLEASE}(?:only\s+|don't\s+|do\s+not\s+)?{DO}\b.*\bwhen(?:ever)?\s+you\b.*\b(?:me|my)\b",
    rf"{PLEASE}(?:don't|don’t|do\s+not|never|avoid)\s+(?:use|using|include|put|add)\s+(?:any\s+)?(?:exclamation\s+marks?|emojis?|"
    r"markdown|jargon|bullet\s+points|headings|abbreviations|slang|smileys|em\s+dashes)\b",
    r"^(?:\w+\s+){0,2}(?:meetings|calls|deliveries|orders|payments|reviews|invoices|e-?mails)\s+(?:always|never|only)\s+\w+",
    rf"{PLEASE}(?:always|never|don't|do\s+not)\s+send\s+me\s+(?:\w+\s+){{1,3}}(?:as|in|with|without|any\s?more|before|after|longer)\b",
    r"^no\s+(?:phone\s+|video\s+|more\s+)?(?:calls|meetings|e-?mails|messages|notifications|appointments|visitors|alarms)\s+"
    r"(?:before|after|between|on\s+\w+days?\b|on\s+\w+day\s+(?:morning|afternoon|evening)s|during|at\s+(?:night|weekends))",
)
_LIKINGS = words(
    rf"{SAYS_I}{ADVERB}\s+{LIKE}\b{VAGUE}",
    rf"{SAYS_I}{ADVERB}\s+(?:don't|do\s+not)\s+(?:really\s+|particularly\s+)?(?:like|enjoy|love)\b{VAGUE}",
    rf"{SAYS_I}{ADVERB}\s+(?:hate|love|like)\s+it\s+when\s+(?!this|that|it|you)\w+|{SPEAKER}(?:'d|"
    rf"\s+would)\s+(?:much\s+)?rather\b.*\bthan\b",
    rf"{AM}(?:\s+not)?{ADVERB}\s+(?:a\s+(?:big\s+|huge\s+)?fan\s+of|into|fond\s+of|keen\s+on|crazy\s+about|"
    rf"afraid\s+of|scared\s+of|sensitive\s+to)\b{VAGUE}",
    rf"{AM}(?:\s+not)?{ADVERB}\s+(?:more\s+of\s+)?an?\s+(?:\w+\s+)?"
    r"(?:person|owl|early\s+bird|lover|drinker|eater)\b",
    r"\b(?:my|our)\s+(?:all[- ]time\s+)?favou?rites?\s+\w+.*\b(?:is|are)\b(?!\s+(?:this|that|it)\b)",
    rf"{SPEAKER}\s+{DONT}\s+(?:ever\s+)?{HABIT}\b{VAGUE}(?!\s+(?:time|a\s+clue|any\s+idea|enough|a\s+lot|"
    rf"any)\b)",
    rf"{SPEAKER}\s+(?:usually|normally|always|typically|generally|only|mostly|tend\s+to|rarely|hardly\s+ever|"
    rf"seldom)\s+"
    rf"(?!{ONE_OFF}\b|\w+ed\b|thought|knew)\w+",
    rf"{SAYS_I}\s+never\s+(?!{ONE_OFF}\b|\w+ed\b|heard|saw|said|thought|knew|mind|understood|agreed|"
    rf"found|told)\w+{VAGUE}",
    rf"{SPEAKER}\s+{HABIT}\b.*\b(?:every\s+(?:single\s+)?\w+|most\s+days|daily|black|without|with\s+no)\b",
    rf"{SPEAKER}\s+(?:sleep|work|focus|concentrate|think)\s+(?:badly|poorly|best|better|worse)\b",
    rf"{SPEAKER}\s+(?:can't|can’t|cannot)\s+have\b{VAGUE}",
    rf"{SPEAKER}\s+get\s+(?:sea|car|air|motion)[- ]?sick\w*\b",
    rf"^{SPEAKER}{ADVERB}\s+(?:drink|take|have)\s+(?:my\s+)?(?:\w+\s+)?(?:milk(?:\s+\w+)?(?:\s+in\b.*)?$|(?:coffee|tea|cereal|porridge)\s+(?:with|black)\b)",
    rf"{SPEAKER}\s+take\s+my\s+\w+\s+(?:with|without|black|white)\b|\bmy\s+go-to\s+\w+.*\bis\b",
    rf"{AM}\s+(?:terrified|frightened)\s+of\b{VAGUE}|{SPEAKER}\s+find\s+\w+\s+.*\b(?:than|too)\b",
    rf"{SPEAKER}\s+(?:cycle|walk|bike|run|swim|commute|jog|row)\b.*\b(?:every\s+(?:single\s+)?\w+|most\s+days|daily|to\s+work)\b",
    rf"{SAYS_I}(?:'ve|’ve|\s+have)?\s+(?:just\s+|recently\s+)?started\s+(?:drinking|eating|using|taking|wearing|cycling|walking|running|"
    rf"swimming|cooking|smoking|buying|listening\s+to)\b{VAGUE}",
    rf"{SPEAKER}\s+{DONT}\s+{HABIT}\b.*\bany\s?more\b",
    rf"{SPEAKER}\s+(?:use|play|sing)\s+(?:an?|in\s+an?|on|with)?\s*\w+.*\b(?:phone|tablet|every\s+\w+|on\s+\w+days)\b",
    rf"^{SPEAKER}{ADVERB}\s+(?:get\s+up|wake\s+up|go\s+to\s+bed|start\s+work|finish\s+work)\s+at\b",
    rf"^{SPEAKER}\s+take\s+(?:\w+\s+)?(?:sugar|milk|cream|honey|lemon)\s+in\b",
    rf"^{SPEAKER}\s+(?:don't|don’t|do\s+not|never)\s+(?:read|check|answer|take|open|work|schedule|do|eat|drink)\b.*\b(?:after|before|on|during|at)\s+"
    r"(?:\w+days?|weekends|night|noon|\w+\s+at\s+night|\d|one|two|five|six|seven|eight|nine|ten|eleven|lunch|meals|holidays)",
    rf"^{SPEAKER}{ADVERB}\s+(?:take|get|catch)\s+the\s+(?:bus|train|tram|metro|subway|tube|ferry)\s+(?:to|home|every)\b",
    rf"^{SPEAKER}\s+{DONT}\s+(?!know|see|want|care|understand|think|feel|remember|have|need)\w+\b.*\bany\s?more\s*$",
    rf"^{SPEAKER}\s+(?:don't|don’t|do\s+not)\s+(?:drink|smoke|drive|cook|swim)\s*$",
    r"\bas\s+a\s+rule\b|\bany\s+day\s+for\s+me\b",
)
_DIETS = words(
    rf"{AM}(?:\s+not)?{ADVERB}\s+(?:\w+\s+)?(?:allergic|intolerant|vegetarian|vegan|pescatarian|"
    r"gluten[- ]free|teetotal)\b(?!.*\?)",
)
_CONTRAST = (
    r"(?=.*(?:\bnot\s+(?:\w+$|\w+\s+\w+$|(?-i:[A-Z]|\d))|\bi\s+(?:said|mean|meant|live|work|have|am|use|"
    r"was)\b|"
    r"\bi'm\b|\bit's\s+(?-i:[A-Z]|\d|spelled|called|in|on)|\b(?:my|our)\s+(?:\w+\s+){1,3}(?:is|are|"
    r"lives?|works?|"
    r"starts?|was|has|lands?|leaves?)\b|\bwe\s+(?:use|have|live|are|meet)\b|\balways\s+mean\b))"
)
_WRONG = r"(?:wrong|incorrect|mistaken|not\s+right|not\s+correct|not\s+true)"
_CORRECTIONS = words(
    rf"^(?:wait,?\s+)?(?:no|nope|nah)[,.!]?\s+(?!thanks?\b|thank\b|doubt\b|i'm\s+(?:fine|good|ok)|"
    rf"not\s+(?:that|this)\b|"
    r"(?:that|this|it)(?:'s|\s+is)\s+not\s+\w+$)"
    rf"{_CONTRAST}(?:\w+\W+){{3,}}",
    rf"\b(?:that's|that\s+is|this\s+is|you're|you\s+are|you\s+(?:got|have|had)\s+(?:it|that|me)|it's|"
    rf"i\s+was)\s+"
    rf"(?:all\s+|just\s+)?{_WRONG}\b[^,:;]{{0,12}}[,:;–-]\s*{_CONTRAST}",
    r"\bi\s+was\s+wrong\b[^,:;]{0,14}[,:;–-]\s*(?:the|my|our|it's|we)\b",
    r"^(?:actually|in\s+fact|well\s+actually)\b,?\s+(?:it's|it\s+is|i|i'm|i've|my|we|we're|"
    r"our)\b(?!\s+(?:think|want|"
    r"need|would|wonder|guess|just|don't\s+(?:know|need|want|care)|have\s+(?:a\s+question|to)|could|can|"
    r"should|did|"
    r"was\s+(?:going|wondering)|got|fixed|fine|ok|okay|good|working|better|nice|changed|like|love|feel|"
    r"hope|saw|"
    r"pretty|really|quite|so|very|great|a\s+good)\b)",
    r"^correction\b.{6,}|\byou\s+mixed\s+(?:them|it|that|those)\s+up\b.*\bis\b",
    rf"{SPEAKER}\s+(?:misspoke|mistyped|mis-?said|meant\s+(?!to\b|it\b|that\b|well\b|no\b)\w+)",
    r"^(?:it's|it\s+is|i\s+said|we\s+said|turns\s+out\s+it's)\s+[\w' ]{1,40}(?:,\s*not\s+|"
    r"\s+not\s+(?=\d|(?-i:[A-Z])))"
    r"(?!sure|only|that|working|yet|bad|so|too|quite|a\s+bug|just)\w+",
    r"^not\s+(?!bad|only|sure|really|yet|that|this|much|so|just|now|to\b)[\w' ]{1,30}\bbut\s+\w+",
)
_DECISIONS = words(
    rf"{SAYS_I}(?:'ve|’ve|\s+have)?\s+(?:just\s+|recently\s+)?switched\s+(?:over\s+)?to\s+(?!the\b|it\b|this\b|that\b|another\b|an?\b|{CAPITAL})\w+",
    rf"{SPEAKER}(?:'ve|\s+have)?(?:\s+(?:finally|just|now|both|all))?\s+(?:decided|agreed|settled\s+on|chose|"
    rf"chosen|"
    r"opted|picked|resolved|gave\s+up\s+on|went\s+back\s+to)\b"
    r"(?!\s+(?:it|them|this|up|out|yet|that\s*$)\b|\s+to\s+(?:write|include|ask)\b)(?!.*\byet\b)",
    r"^let's\s+(?:go\s+with|stick\s+(?:with|to)|use|settle\s+on|stay\s+with)\s+"
    r"(?!(?:it|this|that|these|those)\b|the\s+(?:first|second|third|last|other|same)\b)\w+",
    rf"{AM}{ADVERB}\s+(?:going\s+with|sticking\s+(?:with|to)|switching\s+(?:from|to|over)|staying\s+with|"
    r"keeping\s+(?:the|our|my)|taking\s+the\s+(?:job|offer|position|role|flat|apartment)|dropping)\s*"
    r"(?!(?:it|this|that)\b)\w*",
    rf"{SPEAKER}(?:'ll|’ll|\s+will)\s+(?:go|stick|stay)\s+with\s+(?!(?:it|this|that|you|them|him|her)\b)\w+",
    rf"{SPEAKER}\s+ended\s+up\s+(?:choosing|going\s+with|picking|buying)\b(?!\s+(?:it|that)\b)",
    r"^(?:the|our|my)\s+(?:team|family|board|committee|company|group|department|boss|class|club|office)\s+(?:has\s+|have\s+)?"
    r"(?:(?:agreed|decided|settled|opted)\s+(?:on|to|that|for)|(?:chose|chosen|picked|selected)(?!\s+(?:it|this|that)\b))\b",
    r"\b(?:going\s+forward|from\s+here\s+on),?\s+(?:we|i)\b(?!'d|\s+(?:would|could|want|hope))",
    r"\b(?:final\s+decision|decision\s+made|made\s+up\s+(?:my|our)\s+minds?)\b",
    rf"{SPEAKER}(?:'ll|\s+will|'m\s+going\s+to|'re\s+going\s+to|\s+am\s+going\s+to)\s+(?:only\s+|always\s+|"
    rf"just\s+)?"
    r"\w+.*\b(?:from\s+now\s+on|for\s+good|going\s+forward)\b",
    r"\bfrom\s+now\s+on,?\s+(?:i|we|it's)\b",
    rf"{SPEAKER}\s+(?!want|hope|wish|need|think)\w+.*\b(?:from\s+now\s+on|from\s+today\s+on)\s*$",
    r"^(?:from|as\s+of|starting)\s+(?!now\b|here\b|that\b)[\w ]{2,24}?,?\s+(?:(?:on|onwards?),?\s+)?"
    r"(?:the|my|our|i|we)\s+(?:\w+\s+){1,4}(?:on\s+\w+days?|at\s+\w+|from\s+home|closed)\b",
    rf"{SPEAKER}(?:'re|'m|\s+are|\s+am|'ll|\s+will)?\s+(?:go|going|take|taking|stay|staying|buy|buying|pick|"
    r"picking|use|using)\b"
    r".*\b(?:after\s+all|instead(?:\s+of\s+\w.*)?)\s*$",
)
_LASTING = words(
    r"\bmy\s+(?:full\s+|first\s+|last\s+|real\s+)?(?:name|birthday|birth\s?date|surname|mother\s+tongue|"
    r"native\s+language|blood\s+type|hometown)(?:'s|\s+is|\s+was)\b(?!\s+(?:in|on|not|missing|wrong|misspelt|misspelled|there|twice)\b)",
    rf"^i(?:'m|’m|\s+am)\s+(?!OK|Okay|Sorry|Done|Back|Here)(?-i:[A-Z][a-zà-ÿ]+)(?:\s+{CAPITAL}){{0,2}}$",
    rf"{AM}\s+(?:called\s+{CAPITAL}|originally\s+from|from\s+{CAPITAL})",
    rf"{SPEAKER}\s+(?:was|were)\s+born\b|{SPEAKER}\s+(?:grew\s+up|come\s+from)\b",
    rf"{HAVE}\s+{ILLNESS}\b|{AM}\s+(?:a\s+(?:bit\s+)?|slightly\s+|partly\s+|half\s+)?{BEING}\b",
    rf"\b(?:my|our)\s+{KIN}(?:'s)?\s+(?:full\s+)?(?:name|birthday)\b.*\b(?:is|are)\b|\b(?:my|"
    rf"our)\s+{KIN}\s+is\s+called\b",
    r"\bour\s+anniversary\s+is\b",
)
_PERSONAL = words(
    rf"{SPEAKER}{ADVERB}\s+(?:live|reside|work|teach|study|volunteer|coach)\s+(?:in|at|as|for|with|near|from|"
    rf"abroad|"
    r"remotely|nights|part[- ]time|full[- ]time|alone|\w+\s+(?:in|at|to))\b(?!\s+(?:it|this|that|fear|"
    r"peace)\b)",
    rf"{SPEAKER}\s+no\s+longer\s+(?!know|think|see|care|believe|get|mean|feel|remember|understand|find)\w+\b{VAGUE}",
    rf"{SPEAKER}\s+work\s+(?:\w+|\d+)\s+(?:days|hours|shifts|nights)\s+(?:a|per|every)\b",
    rf"{SPEAKER}(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:(?:changed|switched)\s+(?:jobs?|employers?|schools?|careers?)|got\s+a\s+new\s+job)\b",
    rf"{SAYS_I}(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:moved|switched)\b(?=\s*$|\s+to\s+(?:an?\s+)?{CAPITAL}|\s+to\s+an?\s+\w+)",
    r"\b(?:my|our)\s+(?:\w+\s+){1,3}(?:has\s+|was\s+|is\s+|got\s+)?(?:now\s+|been\s+)?(?:moved|changed|switched)\s+"
    r"(?:from\s+\w+\s+)?to\s+\w+days?\b",
    rf"\b(?:my|our)\s+(?:\w+\s+)?{KIN}\s+(?:isn't|isn’t|is\s+not)\s+called\b",
    r"^\w+days\s+(?:and\s+\w+days\s+)?are\s+(?:for|my|our|reserved|off)\b",
    rf"^(?:my|our)\s+(?:\w+\s+)?{PLACE}\s+(?:is\s+(?:in|on|at|near|called)|has)\b",
    rf"^(?:my|our)\s+(?:\w+\s+){{0,2}}{SYSTEM}\s+(?:(?:now|all|both|currently)\s+)?"
    r"(?:runs?\s+(?:on\s+|in\s+)?|uses?\s+|(?:is|are)\s+(?:written|built|hosted|deployed|based)\s+(?:in|on|with|by)\s+)"
    r"(?!out\b|into\b|fine\b|again\b|slow)\w+",
    rf"{SPEAKER}(?:'ve|’ve|\s+have|\s+was|\s+were)?\s+(?:just\s+|recently\s+|been\s+|got\s+)*diagnosed\s+(?:with|as)\b",
    rf"{HAVE}\s+been\s+(?:an?|the)\s+(?!bit\b|lot\b|mess\b|pain\b|day\b|week\b)(?:[\w-]+\s+){{0,3}}\w+\s+(?:since|for\s+(?:\w+\s+)?(?:years|months|decades))\b",
    rf"^{SPEAKER}{ADVERB}\s+(?:play|sing|act|dance|row|paint|box|climb|fence|sail|ski|surf|volunteer|coach)\b(?:\s+the)?(?:\s+\w+)?\s+"
    r"(?:in|with|at|for)\s+(?:an?|the|my|our)\s+(?!moment\b|background\b)\w+",
    rf"^(?:{SPEAKER}|(?:my|our|the)\s+(?:\w+\s+)?{KIN}|they)(?:'ve|’ve|\s+have|\s+has)?\s+(?:just\s+)?(?:raised|lowered|increased|cut|put)\s+"
    r"(?:my|our)\s+(?:\w+\s+)?\w+\s+(?:up\s+|down\s+)?(?:from\s+\S+\s+)?to\s+\S*\d",
    r"^(?:my|our)\s+(?:\w+\s+)?(?:rent|salary|pay|wage|fee|mortgage|premium|limit|quota|price)s?\s+(?:has\s+|have\s+|just\s+)*"
    r"(?:went|gone|rose|risen|goes|fell|dropped|increased|was\s+\w+ed|is)\s+(?:up\s+|down\s+)?(?:from\s+\S+\s+)?(?:to\s+)?\S*\d",
    rf"{SPEAKER}(?:'ve|’ve|\s+have)?\s+(?:just\s+|recently\s+|now\s+)?(?:switched|moved|migrated|changed|replaced|swapped|ported)\s+"
    r"(?:the|our|my|all(?:\s+our|\s+my)?)\s+(?:\w+\s+){1,3}?(?:(?:from\s+(?:\w+\s+){1,3})?(?:to|over\s+to)|with|by|for)\s+(?!it\b|this\b|that\b|the\s+(?:left|right|top|end)\b)\w+",
    rf"{SPEAKER}\s+(?:just\s+|finally\s+)?(?:ran|finished|completed|did|swam|cycled|climbed|won|passed|published|sold|gave|played|"
    r"wrote|shipped|released|launched)\s+(?:my|our)\s+(?:very\s+)?first\b",
    rf"^{SPEAKER}\s+(?:run|own|manage|lead)\s+(?:the|our|my)\s+(?:\w+\s+)?{PLACE}\b",
    rf"^{SPEAKER}\s+(?:all\s+|mostly\s+|both\s+)*use\s+{CAPITAL}\s+(?:at\s+work|for\s+(?:everything|notes|all\s+\w+|our\s+\w+$)|at\s+home)\b",
    rf"{SPEAKER}{ADVERB}\s+(?:study|teach)\s+(?!it|this|that)\w+|{SPEAKER}\s+(?:own|drive|run|manage|"
    rf"lead)\s+(?:an?|two|my\s+own)\s",
    rf"{SPEAKER}{ADVERB}\s+(?:speak|play)\s+(?:mostly\s+)?(?:some\s+|fluent\s+|the\s+)?(?:piano|guitar|"
    rf"tennis|football|chess|"
    rf"violin|{CAPITAL})|{HAVE}\s+(?:worked\s+(?:as|at|for|in)|been\s+(?:with|at|"
    rf"in)\b.*\bsince\s+\d{{4}})\b",
    rf"{HAVE}(?:\s+got)?\s+(?:an?|one|two|three|four|five|six|\d+|twin)\s+(?:[\w-]+\s+){{0,2}}(?:kids?|"
    rf"children|sons?|employees|staff|apprentices|tenants|"
    r"daughters?|brothers?|sisters?|siblings?|dogs?|cats?|pets?|rabbits?|parrots?|hamsters?|horses?|twins|degree|phd|car|house|boat|garden|flat|"
    r"apartment|cabin|motorbike)\b",
    rf"{SPEAKER}\s+got\s+my\s+(?:driving\s+|driver's\s+)?(?:licen[cs]e|degree|diploma|citizenship|visa|"
    rf"green\s+card|phd)\b",
    rf"\bmy\s+{KIN}\s+and\s+i\s+(?:have|are|live|own|run|met)\b|{AM}\s+on\s+(?:night|day|early|"
    rf"late)\s+shifts?\b",
    rf"{AM}\s+the\s+\w+\s+(?:of|at|for)\s+(?:a|an|my|our|the)\s+(?!day\b|moment\b|problem\b)\w+",
    rf"{SPEAKER}\s+had\s+(?:\w+\s+)?(?:surgery|a\s+stroke|a\s+heart\s+attack|a\s+baby|a\s+transplant)\b",
    rf"{HAVE}\s+.*\b(?:called|named)\s+{CAPITAL}",
    rf"{AM}{ADVERB}\s+an?\s+(?!{NO_ROLE}\b)(?:\w+[- ]){{0,3}}\w+",
    rf"{AM}\s+\d{{1,2}}(?:\s+years?\s+old|\s+now|$)|{SPEAKER}\s+turned\s+\d{{1,2}}\b|{AM}\s+{STATE}\b",
    rf"\b(?:my|our)\s+(?:\w+\s+)?{KIN}(?:\s+{CAPITAL})?(?:'s\s+\w+)?{ADVERB}\s+{IS}\b(?!\s+(?:like|"
    rf"our|the\s+best|so)\b)",
    rf"(?:^|\b(?:and|that|but|because)\s+)(?:my|our)\s+(?:\w+\s+)?{OWN}\b.*\b(?:is|are|isn't|starts?|"
    rf"ends?|closes?|opens?|runs?|has|expires?)\b"
    r"(?!\s+(?:lost|stolen|dead|due|gone|missing|down|full|off|out|not\s+working|to\s+be|dirty|ready|(?!evening|morning)\w+ing)\b)",
    rf"^{SPEAKER}\s+rent\s+(?:an?|the|my|our)\b|^{SPEAKER}\s+do\b.{{3,40}}\bfor\s+a\s+living\b|^there\s+are\s+\w+\s+of\s+us\b",
    rf"^{SPEAKER}(?:'ve|\s+have)?\s+(?:just\s+)?moved\s+out\b",
    rf"\b(?:my|our)\s+(?:\w+\s+)?{KIN}\s+(?:has\s+)?(?:just\s+)?started\s+(?:school|university|college|kindergarten|work|an?\s+new)\b",
    rf"\b(?:my|our)\s+(?:\w+\s+)?{KIN}['’]s\s+(?:an?\s+\w+|\d|allergic)",
    rf"{SPEAKER}(?:\s+have|'ve)?\s+got\s+(?:married|divorced|engaged|promoted|laid\s+off|fired)\b",
    rf"{SPEAKER}(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:moved\s+(?:back\s+)?(?:to|from|in\s+with)|quit\s+(?:my|"
    rf"smoking|drinking)|"
    r"left\s+(?:my\s+job|the\s+company)|started\s+(?:working\s+)?(?:at|with|for)\s+(?!the\b|home\b|a\b)(?-i:[A-Z])\w+|"
    r"relocated\s+to|retired|graduated|adopted\s+(?:an?|two|our)|gave\s+birth|"
    r"started\s+(?:a\s+new|my\s+(?:own|new))|joined\s+(?:the|a|an)|"
    r"(?:bought|sold)\s+(?:a|an|the|our|my)\s+(?:\w+\s+)?(?:house|flat|apartment|car|dog|boat|van|bike|"
    r"piano|guitar|"
    rf"{CAPITAL}))\b",
    r"\b(?:that's|which\s+is)\s+(?:our|my)\s+(?:standing\s+)?(?:rule|policy|custom|tradition)\b",
)
_REGULAR = words(
    r"^(?:(?:my|our|the)\s+(?:\w+\s+){0,2}|(?:i|we)\s+(?:have\s+|just\s+)?(?:moved|switched)\s+(?:my|our|the)\s+(?:\w+\s+){0,2})"
    r"(?:class|lessons?|course|stand-?up|training|practice|yoga|choir|rehearsal|shift|day\s+off)\s+"
    r"(?:(?:has\s+|was\s+|is\s+|got\s+)?(?:now\s+|been\s+)?(?:moved|changed|switched)\s+)?from\s+\w+days?\s+to\s+\w+days?\b",
    rf"^{SPEAKER}\s+(?:have|hold|do)\s+(?!to\b|fun\b|no\b|a\s+question|it\b|this\b|that\b|trouble\b|problems?\b|(?:an?\s+)?(?:bad\s+)?\w*(?:ache|pain)s?\b)(?:[\w-]+\s+){{1,4}}"
    r"(?:every|each)\s+(?:day|week|weekday|workday|month|morning|evening|\w+day)\b",
    rf"{AM}\s+seeing\s+(?:an?|my)\s+(?:\w+\s+)?(?:therapist|psychologist|psychiatrist|counsell?or|physio\w*|osteopath|tutor)\b"
    r"(?!.*\b(?:today|tomorrow|tonight|this|next)\b)",
    rf"^{SPEAKER}\s+(?:close|are\s+closed)\s+(?:in|on|at|every)\b",
    rf"^(?:the|my|our)\s+(?:\w+\s+)?{PLACE}{ADVERB}\s+(?:opens|closes|is\s+(?:open|closed))\b.*"
    r"\b(?:every\s+\w*day|on\s+\w+days|daily|at\s+(?:\w+))\b",
    rf"^{SPEAKER}\s+open\s+(?:the\s+)?(?:my\s+)?(?:\w+\s+)?at\b|^{SPEAKER}\s+(?:open|close)\s+(?:the|my|our)\s+{PLACE}\b",
    r"^(?!please\b|send\b|remind\b|pay\b|do\b|make\b)(?:\w+\W+){1,5}.*\bon\s+the\s+(?:\w+\s+){1,2}"
    r"(?:(?:working|business)\s+day\b(?:\s+of\b.*)?|of\s+(?:the|each|every)\s+month)",
)
_LISTS = words(
    rf"^(?:(?:my|our|the)\s+)?{LIST}\s*(?::|has|is)\s*(?!on\b|in\b|empty\b|done\b|ready\b|long\b|not\b)\w.{{2,}}",
    rf"^(?!.*\b(?:add|put)\s+(?:it|this|that|them|those|these|everything)\b){LISTED}",
)
_NOTED = words(
    r"^(?!note\s+#?\d)(?:please\s+)?(?:remember|note|keep\s+in\s+mind|fyi|for\s+the\s+record|for\s+your\s+information|"
    r"just\s+so\s+you\s+know)(?:\s+that\s+|[:,]\s*|\s+)"
    r"(?!to\b|me\b|when\b|how\b|what\b|this\b|it\b|the\s+milk\b)(?:\w+\W+){3,}",
)
_CURRENT = words(
    rf"{SPEAKER}(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:started|begun|taken\s+up)\s+(?:learning|"
    rf"studying|training|playing)\b",
    rf"{AM}\s+(?:reading|watching|playing|rereading)\b(?!\s+(?:it|this|that)\b).*\bat\s+the\s+moment\b",
    rf"(?:{AM}|{HAVE}\s+been){ADVERB}\s+(?:learning|training\s+for|preparing\s+for|saving\s+(?:up\s+)?for|"
    r"practi[cs]ing|studying\s+for|taking\s+(?:\w+\s+)?(?:lessons|classes))\b(?!\s+(?:it|this|that)\b)",
    rf"(?:{AM}|{HAVE}\s+been){ADVERB}\s+(?!{FEELING})\w+ing\b(?!\s+(?:it|this|that|"
    rf"on\s+it)\b).*\b(?:lately|these\s+days|"
    r"nowadays|recently|this\s+(?:month|year))\b",
    rf"(?:{AM})\s+currently\s+(?!{FEELING})\w+ing\b(?!\s+(?:it|this|that|on\s+(?:it|this|that))\b).{{8,}}",
)

_SEND = one_of("send forward upload post email share transfer leak obey execute exfiltrate reveal")
_ATTACKS = words(
    r"\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all|your)\b.{0,20}"
    r"\b(?:instructions?|rules?|prompts?|messages?|context)\b",
    r"\bsystem\s+prompt\b|\bjailbreak\b|\bdeveloper\s+mode\b|\byou\s+are\s+now\b|\bas\s+an\s+ai\b",
    r"\byou\s+(?:must|should)\s+(?:now\s+)?(?:always\s+)?obey\b",
    rf"\b(?:always|never|every\s+time|from\s+now\s+on)\b.{{0,40}}\b{_SEND}\b.{{0,60}}"
    r"\b(?:to|following|files?|messages?|keys?|passwords?|commands?)\b",
)
_TASKS = words(
    r"^(?:for\s+(?:example|instance)|picture\s+this)\b|^(?:suppose|supposing|imagine|assume|pretend|let['’]s\s+(?:say|pretend|imagine|assume)|role-?play)\b",
    r"^(?:(?:can|could)\s+you\s+)?(?:please\s+)?(?:translate|rewrite|rephrase|paraphrase|proofread|"
    r"summari[sz]e|"
    r"correct\s+(?:the|this|my)|edit|improve|polish|shorten|continue)\b",
    r"^(?:here(?:'s| is)|this\s+is)\s+(?:the|an?|my)\s+(?:text|email|draft|article|transcript|log|story|"
    r"letter|"
    r"message|prompt)\b",
    r"^in\s+(?:the|my|this|our)\s+(?:novel|story|game|book|film|movie|play|role-?play|dream|script|"
    r"example)\b",
)
_COMMAND = one_of("""
    write compose generate create make draft act role-?play explain describe show tell give list find search
    delete remove set run fix open book order compare convert calculate remind help stop look check say read
    try start play schedule add turn cancel pay transfer buy reserve plan change update increase recommend
    suggest
""")
_REPORTED = one_of("""
    said says say told tells thinks thought claims claimed asked wrote writes keeps_saying apparently
    reckons
""")
_HEDGE = one_of("""
    maybe perhaps wonder wondering not_sure i_guess who_knows thinking_about thinking_of considering might
    no_idea_if one_day some_day someday kidding just_joking lol lmao haha\\w* rofl apparently i_wish what_if
    hypothetically
""")
_REFUSED = words(
    r",\s*i\s+(?:think|guess|suppose|believe)\s*$",
    r"^(?:what|how|why|when|who|which|where|can|could|do|does|did|is|are|should|will|would|am|"
    r"have\s+you|has|shall|"
    r"may|might)\b(?=[^,]*$)",
    r"\b(?:if|suppose|supposing|imagine|assuming|pretend)\b.{0,12}\b(?:i|we|you|my|our)\b|^say\s+(?:i|i'm|we|my)\b",
    r"\bsaid\s+(?:no|nobody)\s?(?:one)?\b|[😂🤣😆😜😝]",
    r"\b(?:love|like|enjoy|hate|dislike)\b.*\s(?:like|in|on|of|for|with)\s+(?:this|that|these|those)\b",
    rf"\b(?:love|like|hate|detest|can't\s+stand)\s+(?:{GRUMBLED}\s*$|waiting\b|when\b)",
    rf"\b(?:love|like|hate|detest)\b.*\b{PASSING}$",
    r"^as\s+an?\s+(?:user|customer|visitor|admin|shopper)\b",  # a story of somebody's backlog
    rf"\b{_HEDGE}\b|\bi\s+(?:could|would)\s+(?!rather)",
    r"\b(?:he|she|they|someone|somebody|people|friend|guy|everyone|(?:my|his|her|our|"
    r"the)\s+\w+(?:\s+\w+)?)\s+"
    rf"{_REPORTED}\b",
    rf"^(?:he|she|they|you)\b(?!.*\b(?:my|our|not|is)\b)|^(?!{STANDING})(?!{LISTED}){_COMMAND}\b"
    r"(?!.*\b(?:from\s+(?:now|here)\s+on|always|every\s+time|adding|using|calling|putting)\b)(?=[^,]*$)",
)
# Over within the hour: nobody wants to hear of it next week.
_BODILY = one_of("""
    get_up stand_(?:up|still|straight) sit_down lie_down wake_up go_to_bed go_to_sleep go_home
    go_out sleep eat rest nap leave wait stop breathe
    (?:take|have|get|grab|order|skip|make)_(?:an?_|some_|my_)?(?:lunch|dinner|breakfast|coffee|
    tea|pizza|food|snack|break|nap|shower|bath|walk)
""")
_CHATTER = words(
    rf"^i(?:'m|’m|\s+am)\s+(?:the\s+)?{STORIED}\W*$",
    rf"^(?:my|our)\s+\w+\s+(?:is|are|was)\s+(?:an?\s+)?(?:\w+\s+){{1,3}}{PASSING}$",
    rf"^(?:{AM}\s+(?:\w+\s+)?(?:vegan|vegetarian|teetotal)|{SPEAKER}\s+only\s+\w+.*)\s+{PASSING}$",
    rf"^(?:my|our)\s+(?:\w+\s+){{1,3}}(?:is|are)\s+(?:such\s+)?(?:an?\s+)?(?:\w+\s+)?{NO_ROLE}\b",
    r"\b(?:moved|switched|changed)\s+(?:\w+\s+){0,3}?(?:files?|folders?|functions?|lines?|rows?|columns?|buttons?|images?|cursor|tabs?|"
    r"windows?|steps?|branch(?:es)?|variables?)\b|\b(?:moved|switched)\s+(?:\w+\s+)?to\s+the\s+(?:next|other|last|previous)\b",
    rf"\b(?:decided|agreed|can't|can’t|cannot|going)\s+(?:not\s+)?(?:to\s+)?{_BODILY}(?:\s+(?:now|early|late|today|tonight|"
    r"any\s?more|straight|still))*\W*$",
    r"\ballergic\s+to\s+(?:\w+days?|mornings?|work|people|bullshit|nonsense|stupid\w*|drama|fun|exercise)\b",
    r"\bmy\s+\w+(?:\s+\w+)?\s+(?:is|are)\s+(?:at\s+\d+\s*(?:%|percent)|on\s+(?:the|my|its)\s+(?:list|way|table|phone|line|sofa|couch|bed)\s*$|asleep|awake|"
    r"(?:sleeping|barking|crying|ringing|charging|loading|dying|coming|calling|waiting)\b)",
    r"\b(?:always|usually|never|only|use|do|mess|get|break|forget)\s+(?:\w+\s+)?(?:it|this|that)\s+(?:up|wrong|every\s+time|again)\b",
    r"\blive\s+for\s+(?:moments|days|this|these|that|the\s+weekend)\b",
    r"^(?:thanks|thank\s+you|ok(?:ay)?|cool|great|nice|sure|hi|hello|hey|yes|yeah|no(?!\s+(?:more|longer)\b)|please|sorry|lol|"
    r"well|anyway|"
    r"by\s+the\s+way|btw|so|one\s+sec|be\s+right\s+back|talk\s+later|got\s+it|never\s+mind|"
    r"good\s+(?:morning|evening|night|idea))\b.{0,20}$",
    rf"^(?:can|could|would|will)\s+you\b|^(?:please\s+)?(?!{STANDING}){_COMMAND}\b"
    r"(?!.*\b(?:from\s+(?:now|here)\s+on|always|every\s+time|adding|using|calling|putting)\b)",
    r"\b(?:so|very|really|too|bit|totally)\s+(?:tired|bored|hungry|sleepy|hot|cold|busy|annoyed|"
    r"stressed|exhausted|sad|"
    r"happy|sick)\b",
    r"\b(?:tired|bored|hungry|sleepy|busy|annoyed|exhausted|sick|late)\s+(?:today|right\s+now|tonight|"
    r"this\s+\w+)\b",
    r"\b(?:broken|failing|crash\w*|stuck|froze\w*|error|errors|exception|bug|bugs|compile|404|timeout|"
    r"tests?\s+(?:pass|fail)\w*|stack\s*trace)\b",
)
_LEAD = words(
    rf"^(?:(?:no|nope|nah|actually|honestly|sorry|wait|hmm+|well|ok(?:ay)?|so|and|but|also|hi|hey|hello|"
    rf"yes|yeah|oh|btw|"
    r"by\s+the\s+way|anyway|fyi|so\s+before\s+we\s+start|please\s+note|note(?!\s+#?\d)|remember|please\s+remember|"
    rf"keep\s+in\s+mind|just\s+so\s+you\s+know|for\s+the\s+record|correction|(?:and\s+)?one\s+(?:more|last)\s+thing|that's\s+{_WRONG}|"
    r"you\s+got\s+(?:it|that)\s+wrong|i\s+misspoke|final\s+decision|because|"
    r"(?:especially\s+)?since(?!\s+(?:\w+day|last|this|the|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|spring|summer|autumn|fall|winter|\d))|"
    rf"you're\s+{_WRONG}|i\s+was\s+wrong\s+earlier|plus|then|"
    rf"turns\s+out)\b(?:\s+that\b)?[\s,.:;!–-]*)+(?=\w)",
)
_EVENT = one_of("""
    fly flying flight train travel\\w* trip leav\\w+ mov(?:e|ing)_(?:in|to|out|house|into)
    start\\w*_(?:my|at|a|the) appointment interview meeting_with exam surgery operation wedding party dinner
    lunch concert conference vacation holiday visit\\w* presentation defen[cs]e check-?up marathon
    graduation getting_married arriv\\w+ host\\w+ off_work workshop reunion funeral seeing_my
    going_to_(?-i:[A-Z]) deadline operated departs? takes_off
""")

ENGLISH = Lexicon(
    sentence_cues=(
        Cue(MemoryType.CORRECTION, _CORRECTIONS),
        Cue(
            MemoryType.DECISION,
            words(
                r"^decision\s*[:,–-].{6,}",
                r"^(?:(?:(?:i|we)(?:'ve|\s+have)?\s+)?changed\s+(?:my|our)\s+minds?|scratch\s+that|change\s+of\s+plans?|on\s+second\s+thoughts?|new\s+plan)\b\s*[:,.–-]+\s*"
                r"(?:let's|we|i|i'm|we're|i'll|we'll|the|my|our)\b.{4,}",
            ),
        ),
        Cue(MemoryType.PREFERENCE, _INSTRUCTIONS),
        Cue(MemoryType.GENERAL, _LISTS),
    ),
    part_cues=(
        Cue(MemoryType.PREFERENCE, _INSTRUCTIONS),
        Cue(MemoryType.DECISION, _DECISIONS),
        Cue(MemoryType.PREFERENCE, _DIETS, is_lasting=True),
        Cue(MemoryType.PREFERENCE, _LIKINGS),
        Cue(MemoryType.GENERAL, _LASTING, is_lasting=True),
        Cue(MemoryType.GENERAL, _REGULAR, is_regular=True),
        Cue(MemoryType.OBSERVATION, _CURRENT),
        Cue(MemoryType.GENERAL, _PERSONAL),
        Cue(MemoryType.GENERAL, NAMED_ENGLISH),
    ),
    last_cues=(Cue(MemoryType.GENERAL, _NOTED),),
    attack=_ATTACKS,
    task=_TASKS,
    refused=_REFUSED,
    chatter=_CHATTER,
    question=words(
        r"^(?:what|how|why|when|who|which|where|can|could|do|does|did|is|are|should|would|"
        r"any\s+(?:ideas?|tips)|"
        r"but\s+(?:how|what|can|i'm\s+(?:wondering|not\s+sure|unsure)))\b"
    ),
    lead=_LEAD,
    frame=words(r"^(?:for|when|whenever|on|in|at|as|after|before|during|with|while)\b"),
    event=words(
        rf"\b(?:i|we|i'm|we're|i'll|we'll|my|our)\b.*\b{_EVENT}\b",
        r"^(?:meeting|dinner|lunch|appointment|interview|dentist|exam|flight|call)\s+(?:with|at|on|to|in)\b",
        rf"(?:{AM}\s+(?:in|away|off|out\s+of|back|on)|{SPEAKER}\s+(?:see|meet)\s+(?:the|my|dr)|"
        rf"{HAVE}\s+tickets)\b",
        r"^(?:the\s+|our\s+|my\s+|new\s+)*(?:go-?live|launch|kick-?off|release|roll-?out|cut-?over|opening|handover|inauguration)"
        r"(?:\s+(?:date|day))?\s*(?:\s(?:is|was|has\s+been|got|stays|moved|now|planned|set|fixed|scheduled|to|for|on|at|:)|:)\s",
        r"\b(?:i|we)\s+(?:set|fixed|planned|moved|pushed|put|plan|agreed\s+on|want|go)\b.{0,24}\b(?:go-?live|live|launch|kick-?off|roll-?out|cut-?over|release)\b",
        r"^(?:the|my|our)\s+(?:[\w-]+\s+){1,3}goes\s+live\b",
        r"^(?:the|my|our)\s+(?:[\w-]+\s+){0,4}?(?:contract|lease|visa|passport|warranty|subscription|insurance|licen[cs]e|trial|permit)\b"
        r".*\b(?:ends?|expires?|runs\s+(?:out|until)|is\s+(?:up|valid\s+(?:until|till|through)))\b",
        r"^(?:the|my|our)\s+(?:train|flight|bus|ferry|plane|coach|ship)\b(?:\s+\w+){0,4}?\s+(?:leaves|departs|goes|takes\s+off|is)\b",
        r"^(?:the|my|our)\s+(?:[\w-]+\s+){0,2}(?:exam|wedding|surgery|operation|funeral|graduation|hearing|recital|viewing)\s+(?:is|takes\s+place)\b",
        rf"\bmy\s+(?:\w+\s+)?{KIN}\s+turns\s+\d+\b",
        r"^(?:the|my|our)\s+\w+(?:\s+\w+)?\s+(?:comes?|is\s+coming|arrives?|is\s+visiting|starts?)\b",
        r"\bi\s+moved\s+my\s+(?:appointment|flight|meeting|interview|exam)\b",
    ),
    no_event=words(
        r"\b(?:remind|need|have\s+to|must|should|can\s+you|could\s+you|please|want|don't\s+(?:know|"
        r"forget)|hop(?:e|ing)|"
        r"looking\s+for|schedule|book|reserve|make\s+sure|add|set\s+up|weather|let\s+me|can\s+do|"
        r"i\s+think|worried|"
        r"appreciate|find|under\s+\$?\d+|how\s+can|last\s+(?:night|week|month|year)|yesterday)\b",
    ),
    subject=words(
        rf"^(?:i|we)(?=['’\s])|^(?:my|our)\s+(?:\w+\s+)?{KIN}\b(?:\s+{CAPITAL})?(?!['’]s|\s+and\b)",
        rf"^(?:my|our)\s+(?:\w+\s+)?(?:{OWN}|{PLACE})\b(?!['’]s|\s+and\b)",
    ),
    predicate=words(
        r"^(?:(he|she|it|they)\b)?\s*(?:(?:also|now|currently|only|still|just|mostly|both|really)\s+)*"
        rf"(?:['’]s|am|{IS}|live|work|teach|speak|play|go|eats?|drinks?|have|runs?|owns?|drives?|comes?)\b"
        r"(?!\s+(?:it|this|that|them|him|her|me|you|out|up)\b)"
    ),
    apart=words(r"^(?:i|we)\|(?:he|she|it|they)\b"),
    turn=words(r"\b(?:changed|moved|quit|sold|switched|left|new\s+job|no\s+longer|used\s+to)\b"),
    joint=words(r"\s+(?:and|but)\s+"),
    taken_back=words(
        r"^(?:(?:i'm|i’m|i\s+am|i\s+was|only|just|no|haha|lol)[,\s]+)*(?:kidding|joking|j/?k|teasing|messing\s+with\s+you)\b.{0,16}$",
        r"^(?:not\s+really|not!|psych|that\s+was\s+a\s+joke|it\s+was\s+a\s+joke|forget\s+(?:that|what\s+i\s+said))$",
    ),
    tag=words(r",\s*(?:right|correct|is(?:n't|n’t)\s+(?:it|that)\b.*|huh)\s*$"),
)
