"""The English rules: how people say what they like, decide, correct and are."""

from memory.extract.lexicon import Cue, Lexicon, words
from memory.model import MemoryType

_I = r"(?<!if )(?<!do )(?<!did )(?<!should )(?<!can )(?<!could )\b(?:i|we)\b"
_AM = rf"{_I}(?:'m|\s+am|'re|\s+are)"
_HAVE = rf"{_I}(?:'ve|\s+have)"
_ADVERB = (
    r"(?:\s+(?:really|just|also|usually|generally|always|much|strongly|absolutely|still|now|personally|mostly|"
    r"currently|actually|both|so|only|definitely|originally|normally|truly|simply|very|pretty))*"
)
_VAGUE = (  # what is meant lies in the conversation, not in the words
    r"(?!\s+(?:it|this|that|these|those|you|your|them|him|her|its|how|what|where|when\s+(?:this|that|it)|the\s+way|"
    r"to\s+(?:know|see|hear|ask|have)|(?:the|my|our)\s+(?:\w+\s+)?(?:one|ones|option|version|idea|draft|answer|"
    r"result|paragraph|plan|sound|look|new)|my\s+life|being|everything|nothing|seeing)\b|\s*$)"
)
_KIN = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|mom|mum|mother|dad|father|parents?|sisters?|brothers?|"
    r"sons?|daughters?|kids?|children|baby|grandm\w+|grandpa|grandfather|aunt|uncle|cousins?|niece|nephew|boss|"
    r"manager|landlord|landlady|doctor|dentist|therapist|lawyer|accountant|neighbou?rs?|roommates?|flatmates?|"
    r"colleagues?|team|dog|cat|pet|puppy|kitten|horse)"
)
_OWN = (
    r"(?:email|e-mail|phone|number|address|birthday|birth\s?date|anniversary|time\s?zone|car|bike|laptop|job|company|"
    r"school|office|shift|pronouns|hobb(?:y|ies)|hometown|native\s+language|mother\s+tongue|budget|blood\s+type|"
    r"surname|nickname|shoe\s+size|wifi|fiscal\s+year|day\s+off|title|major|salary|commute|flat|apartment|house)"
)
_ILLNESS = (
    r"(?:asthma|diabetes|epilepsy|adhd|autism|migraines|arthritis|hay\s+fever|dyslexia|c(?:o)?eliac\w*|"
    r"(?:an?\s+)?(?:\w+\s+)?allerg(?:y|ies))"
)
_COUNT = r"(?:an?|one|two|three|four|five|six|\d+|twin)"
_INSTRUCTED = r"(?:please\s+|pls\s+)?"
_DO = r"(?:use|keep|answer|reply|respond|write|speak|talk|give|show|call|address|include|put|format|sign|stick|be|add|avoid)"

_INSTRUCTIONS = words(
    rf"^{_INSTRUCTED}(?:always|never|don't\s+ever|do\s+not\s+ever)\s+\w+",
    rf"^{_INSTRUCTED}(?:from\s+now\s+on|going\s+forward|in\s+(?:the\s+)?future)\b,?\s+{_INSTRUCTED}(?:always\s+|never\s+|"
    rf"don't\s+|do\s+not\s+|only\s+)?{_DO}\b",
    rf"^{_INSTRUCTED}(?:only\s+|don't\s+|do\s+not\s+)?{_DO}\b.*\b(?:from\s+now\s+on|going\s+forward|always|every\s+time)\b",
    rf"^{_INSTRUCTED}don't\s+call\s+me\b",
    rf"^{_INSTRUCTED}(?:just\s+)?call\s+me\s+(?!back|when|if|at|on|in|later|tomorrow|now)\w+",
    rf"^{_INSTRUCTED}(?:whenever|every\s+time|each\s+time)\s+i\s+\w+.*\b{_DO}\b",
)
_LIKINGS = words(
    rf"{_I}{_ADVERB}\s+(?:prefer|like|love|enjoy|adore|hate|dislike|detest|loathe|can't\s+stand|cannot\s+stand|avoid)\b{_VAGUE}",
    rf"{_I}{_ADVERB}\s+(?:don't|do\s+not|doesn't)\s+(?:really\s+|particularly\s+)?(?:like|enjoy|love)\b{_VAGUE}",
    rf"{_I}(?:'d|\s+would)\s+(?:much\s+)?rather\b.*\bthan\b",
    rf"{_AM}(?:\s+not)?{_ADVERB}\s+(?:a\s+(?:big\s+|huge\s+)?fan\s+of|into|fond\s+of|keen\s+on|crazy\s+about|afraid\s+of|"
    rf"scared\s+of|sensitive\s+to)\b{_VAGUE}",
    rf"{_AM}(?:\s+not)?{_ADVERB}\s+(?:more\s+of\s+)?an?\s+(?:\w+\s+)?(?:person|owl|early\s+bird|lover|drinker|eater)\b",
    r"\b(?:my|our)\s+(?:all[- ]time\s+)?favou?rites?\b.*\b(?:is|are|was|has)\b",
    rf"{_I}\s+(?:don't|do\s+not|never|can't|cannot|no\s+longer)\s+(?:ever\s+)?(?:eat|drink|smoke|use|wear|watch|buy|drive|"
    rf"fly|cook|do\s+(?!that|it|this))\b{_VAGUE}",
    rf"{_I}\s+(?:usually|normally|always|typically|generally|only|mostly|tend\s+to|rarely|hardly\s+ever|seldom)\s+"
    r"(?!get\b|have\b|see\b|think\b|mean\b|say\b|hear\b|wonder\b|end\b|run\s+into|had\b|got\b|want|need|asked?\b|know)\w+",
    rf"{_I}\s+never\s+(?!got|heard|saw|said|asked|thought|knew|mind|understood|received|had|agreed|decided|did|get|know|"
    rf"mind|tried|found|been|seen|told|meant|wanted)\w+{_VAGUE}",
)
_DIETS = words(
    rf"{_AM}(?:\s+not)?{_ADVERB}\s+(?:\w+\s+)?(?:allergic|intolerant|vegetarian|vegan|pescatarian|gluten[- ]free|teetotal)\b",
)
_CORRECTIONS = words(
    r"^(?:no|nope|nah)[,.!]?\s+(?!thanks?\b|thank\b|problem|worr|need\b|idea|way\b|one\b|more\b|matter|doubt|wonder|"
    r"rush|clue|big\b|luck|not\s+(?:that|this)\b)(?=.*\b(?:i|my|we|our|it's|he|she|not)\b).{8,}",
    r"\b(?:that's|that\s+is|this\s+is|you're|you\s+are|you\s+(?:got|have|had)\s+(?:it|that|me)|it's)\s+(?:all\s+|just\s+)?"
    r"(?:wrong|incorrect|mistaken|not\s+(?:right|correct|true))\b.*[,:;–-].*\b(?:i|my|we|our)\b",
    r"^(?:actually|in\s+fact|well\s+actually)\b,?\s+(?:it's|it\s+is|i|i'm|i've|my|we|we're|our)\b(?!\s+(?:think|want|need|"
    r"would|wonder|guess|just|don't\s+(?:know|need|want|care)|have\s+(?:a\s+question|to)|was\s+(?:going|wondering)|could|can|"
    r"should|did|got|fixed|fine|ok|okay|good|working|better|nice|changed|like|love|feel|hope|saw)\b)",
    r"^correction\b.{6,}",
    rf"{_I}\s+(?:misspoke|mistyped|mis-?said|meant\s+(?!to\b|it\b|that\b|well\b|no\b)\w+|(?:was|got\s+it)\s+wrong\b.*[,:])",
    r"^(?:it's|it\s+is|i\s+said|we\s+said)\s+[\w' ]{1,40},?\s+not\s+(?!sure|only|that|working|yet|bad|so|too|quite|a\s+bug)\w+",
    r"^not\s+(?!bad|only|sure|really|yet|that|this|much|so|just|now|to\b)[\w' ]{1,30}\bbut\s+\w+",
)
_DECISIONS = words(
    rf"(?<!they )(?<!he )(?<!she ){_I}(?:'ve|\s+have)?(?:\s+(?:finally|just|now|both|all))?\s+(?:decided|agreed|settled\s+on|"
    r"chose|chosen|opted|picked|resolved)\b(?!\s+(?:it|that\s+one|this|yet)\b)(?!.*\byet\b)",
    r"^(?:ok(?:ay)?,?\s+|so\s+|then\s+|alright,?\s+)?let's\s+(?:go\s+with|stick\s+(?:with|to)|use|settle\s+on|stay\s+with)\s+"
    r"(?!(?:it|this|that|these|those)\b|the\s+(?:first|second|third|last|other|same)\b)\w+",
    rf"{_AM}{_ADVERB}\s+(?:going\s+with|sticking\s+(?:with|to)|switching\s+(?:from|to|over)|staying\s+with|taking\s+the|dropping)\s+"
    r"(?!(?:it|this|that)\b)\w+",
    r"\b(?:final\s+decision|decision\s+made)\b",
    r"^decision\b.{6,}",
    r"\b(?:made\s+up\s+my\s+mind|made\s+up\s+our\s+minds)\b",
    rf"{_I}(?:'ll|\s+will|'m\s+going\s+to|'re\s+going\s+to|\s+am\s+going\s+to)\s+(?:only\s+|always\s+|just\s+)?\w+.*\b(?:from\s+now\s+on|"
    r"for\s+good|going\s+forward)\b",
    r"\bfrom\s+now\s+on,?\s+(?:i|we|it's)\b",
)
_LASTING = words(
    r"\bmy\s+(?:full\s+|first\s+|last\s+|real\s+)?(?:name|birthday|birth\s?date|surname|mother\s+tongue|native\s+language|"
    r"blood\s+type|hometown)(?:'s|\s+is|\s+was)\b",
    rf"{_AM}\s+(?:called\s+\w+|originally\s+from|from\s+(?!the\s+(?:future|company|team)|here|there|home)\w+)",
    rf"{_I}\s+(?:was|were)\s+born\b|{_I}\s+(?:grew\s+up|come\s+from)\b",
    rf"{_HAVE}\s+{_ILLNESS}\b|{_AM}\s+(?:a\s+)?(?:diabetic|asthmatic|epileptic|autistic|dyslexic|deaf|blind|colou?r-?blind|"
    r"left-handed)\b",
    rf"\b(?:my|our)\s+{_KIN}(?:'s)?\s+(?:full\s+)?(?:name|birthday)\b.*\b(?:is|are)\b|\b(?:my|our)\s+{_KIN}(?:'s\s+name)?\s+is\s+called\b",
)
_PERSONAL = words(
    rf"{_I}{_ADVERB}\s+(?:live|reside|work|teach|study|volunteer|coach)\s+(?:in|at|as|for|with|near|on|from|\w+\s+(?:in|at|to)|"
    r"abroad|remotely|nights|part[- ]time|full[- ]time|alone)\b(?!\s+(?:it|this|that|fear|peace)\b)",
    rf"{_I}{_ADVERB}\s+(?:study|teach)\s+(?!it|this|that)\w+|{_I}\s+(?:own|drive|speak|play|run|manage|lead)\s+(?:an?\s|the\s|two\s|"
    r"my\s+own|[A-Z]\w+|fluent|some|piano|guitar|tennis|football|chess)",
    rf"{_HAVE}(?:\s+got)?\s+{_COUNT}\s+(?:\w+\s+){{0,2}}(?:kids?|children|sons?|daughters?|brothers?|sisters?|siblings?|dogs?|cats?|"
    r"pets?|twins|degree|phd|car|house|boat|garden|flat|apartment|cabin|motorbike)\b",
    rf"{_HAVE}\s+.*\b(?:called|named)\s+[A-Z]",
    rf"{_AM}{_ADVERB}\s+an?\s+(?!bit|little|tad|lot|moment|sec|loss|mess|wreck|fool|idiot|genius|failure|second|few|step|big|"
    r"hundred|couple|while|huge|nervous|total)(?:\w+[- ]){0,3}\w+",
    rf"{_AM}\s+\d{{1,2}}(?:\s+years?\s+old|\s+now|$)|{_I}\s+turned\s+\d{{1,2}}\b",
    rf"{_AM}\s+(?:married|divorced|single|engaged|pregnant|retired|self-employed|freelanc\w+|muslim|jewish|hindu|buddhist|christian|"
    r"catholic|unemployed|responsible\s+for|in\s+charge\s+of)\b",
    rf"\b(?:my|our)\s+{_KIN}(?:\s+[A-Z]\w+)?(?:'s\s+\w+)?{_ADVERB}\s+(?:is|are|was|works?|lives?|has|have|teaches|stud(?:y|ies)|speaks?|"
    r"plays?|goes|loves?|likes?|prefers?|hates?|turns?|doesn't|runs?|just\s+started)\b",
    rf"\b(?:my|our)\s+(?:\w+\s+)?{_OWN}\b.*\b(?:is|are|isn't|starts?|ends?|closes?|opens?|runs?|has)\b",
    rf"{_I}\s+(?:got|have\s+got|'ve\s+got)\s+(?:married|divorced|engaged|promoted|laid\s+off|fired)\b",
    rf"{_I}(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:moved\s+(?:to|from|in\s+with)|quit\s+(?:my|smoking|drinking)|left\s+(?:my\s+job|the\s+company)|"
    r"retired|graduated|adopted|gave\s+birth|started\s+(?:a\s+new|my\s+(?:own|new))|joined|bought\s+(?:a|an|the|our|my)\s+(?:\w+\s+)?"
    r"(?:house|flat|apartment|car|dog|boat|van|bike|piano|guitar))\b",
    r"^(?:please\s+)?(?:remember|note|keep\s+in\s+mind|fyi|for\s+the\s+record|for\s+your\s+information|just\s+so\s+you\s+know|"
    r"don't\s+forget)(?:\s+that\s+|[:,]\s*|\s+)(?!to\b|me\b|when\b|how\b|what\b|that\?|this\b|it\b|the\s+milk\b)(?:\w+\W+){3,}",
)
_CURRENT = words(
    rf"(?:{_AM}|{_HAVE}\s+been){_ADVERB}\s+(?:learning|training\s+for|preparing\s+for|saving\s+(?:up\s+)?for|practi[cs]ing|studying\s+for|"
    r"taking\s+(?:\w+\s+)?(?:lessons|classes))\b(?!\s+(?:it|this|that)\b)",
    rf"(?:{_AM}|{_HAVE}\s+been){_ADVERB}\s+\w+ing\b(?!\s+(?:it|this|that|on\s+it)\b).*\b(?:lately|these\s+days|nowadays|recently|"
    r"this\s+(?:month|year))\b",
    rf"(?:{_AM})\s+currently\s+\w+ing\b(?!\s+(?:it|this|that|on\s+(?:it|this|that))\b).{{8,}}",
)

ENGLISH = Lexicon(
    sentence_cues=(
        Cue(MemoryType.CORRECTION, _CORRECTIONS),
        Cue(MemoryType.PREFERENCE, _INSTRUCTIONS),
    ),
    part_cues=(
        Cue(MemoryType.PREFERENCE, _INSTRUCTIONS),
        Cue(MemoryType.DECISION, _DECISIONS),
        Cue(MemoryType.PREFERENCE, _DIETS, is_lasting=True),
        Cue(MemoryType.PREFERENCE, _LIKINGS),
        Cue(MemoryType.GENERAL, _LASTING, is_lasting=True),
        Cue(MemoryType.OBSERVATION, _CURRENT),
        Cue(MemoryType.GENERAL, _PERSONAL),
    ),
    attack=words(
        r"\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all|your)\b.{0,20}\b(?:instructions?|"
        r"rules?|prompts?|messages?|context)\b",
        r"\bsystem\s+prompt\b|\bjailbreak\b|\bdeveloper\s+mode\b|\byou\s+are\s+now\b|\byou\s+must\s+(?:now\s+)?(?:always\s+)?obey\b",
        r"\b(?:always|never|every\s+time|from\s+now\s+on)\b.{0,40}\b(?:send|forward|upload|post|email|share|transfer|leak|obey|execute|"
        r"exfiltrate|reveal)\b.{0,60}\b(?:to|following|files?|messages?|keys?|passwords?|commands?)\b",
    ),
    task=words(
        r"^(?:(?:can|could)\s+you\s+)?(?:please\s+)?(?:translate|rewrite|rephrase|paraphrase|proofread|summari[sz]e|correct\s+(?:the|this|my)|"
        r"edit|improve|polish|shorten|continue)\b",
        r"^(?:here(?:'s| is)|this\s+is)\s+(?:the|an?|my)\s+(?:text|email|draft|article|transcript|log|story|letter|message|prompt)\b",
    ),
    refused=words(
        r"^(?:what|how|why|when|who|which|where|can|could|do|does|did|is|are|should|will|would|am|have\s+you|has|shall|may|might)\b"
        r"(?!.*\bi\s+(?:prefer|hate)\b)",
        r"\b(?:if|suppose|supposing|imagine|assuming|pretend|what\s+if|hypothetically)\b.{0,12}\b(?:i|we|you)\b|\bi\s+wish\b",
        r"\b(?:maybe|perhaps|wonder|not\s+sure|i\s+guess|who\s+knows|thinking\s+(?:about|of)|considering|might|i\s+(?:could|would)\s+|"
        r"no\s+idea\s+if|one\s+day|someday|kidding|just\s+joking|lol|lmao|haha\w*|rofl)\b",
        r"\b(?:he|she|they|someone|somebody|people|friend|guy|everyone|(?:my|his|her|our|the)\s+\w+(?:\s+\w+)?)\s+(?:said|says|told|tells|"
        r"thinks|thought|claims|claimed|asked|wrote|writes|keeps\s+saying)\b",
        r"^(?:he|she|they|it|you|the\s+\w+)\b(?!.*\b(?:actually\s+my|not)\b)",
        r"^(?:write|compose|generate|create|make\s+up|draft|act\s+as|role-?play|explain|describe|show|tell|give|list|find|search|delete|"
        r"remove|set|run|fix|open|book|order|compare|convert|calculate|remind|help|stop|look|check|say|read|try|start)\b"
        r"(?!.*\b(?:from\s+now\s+on|always|every\s+time)\b)",
    ),
    chatter=words(
        r"^(?:thanks|thank\s+you|ok(?:ay)?|cool|great|nice|sure|hi|hello|hey|yes|yeah|no|please|sorry|lol|well|anyway|by\s+the\s+way|btw|so|"
        r"one\s+sec|be\s+right\s+back|talk\s+later|got\s+it|good\s+(?:morning|evening|night|idea))\b.{0,20}$",
        r"^(?:can|could|would|will)\s+you\b|^(?:please\s+)?(?:remind|book|find|show|tell|give|send|check|help|look|fix|write|make)\b",
        r"\b(?:so|very|really|too|bit|totally)\s+(?:tired|bored|hungry|sleepy|hot|cold|busy|annoyed|stressed|exhausted|sad|happy|sick)\b",
        r"\b(?:tired|bored|hungry|sleepy|busy|annoyed|exhausted|sick|late)\s+(?:today|right\s+now|tonight|this\s+\w+)\b",
        r"\b(?:broken|failing|crash\w*|stuck|froze\w*|error|errors|exception|bug|bugs|compile|tests?\s+(?:pass|fail)\w*|404|stack\s*trace)\b",
    ),
    question=words(
        r"^(?:what|how|why|when|who|which|where|can|could|do|does|did|is|are|should|would|any\s+(?:ideas?|tips))\b"
    ),
    lead=words(
        r"^(?:(?:no|nope|nah|actually|sorry|wait|hmm+|well|ok(?:ay)?|so|and|but|also|hi|hey|hello|yes|yeah|oh|btw|by\s+the\s+way|anyway|"
        r"fyi|please\s+note|note|remember|please\s+remember|keep\s+in\s+mind|just\s+so\s+you\s+know|for\s+the\s+record|correction|"
        r"that's\s+(?:wrong|not\s+right|incorrect|not\s+true)|you\s+got\s+(?:it|that)\s+wrong|i\s+misspoke|final\s+decision|because|"
        r"i\s+was\s+wrong\s+earlier|plus|then)\b(?:\s+that\b)?[\s,.:;!–-]*)+(?=\w)",
    ),
    frame=words(r"^(?:for|when|whenever|on|in|at|as|after|before|during|with|while)\b"),
    event=words(
        r"\b(?:i|we|i'm|we're|i'll|we'll|my|our)\b.*\b(?:fly|flying|flight|train|travel\w*|trip|leav\w+|mov(?:e|ing)\s+(?:in|to|out|house)|start\w*\s+"
        r"(?:my|at|a|the)\s|appointment|interview|meeting\s+with|exam|surgery|operation|wedding|party|dinner|lunch|concert|conference|"
        r"vacation|holiday|visit\w*|presentation|defen[cs]e|check-?up|marathon|graduation|anniversary|deadline|due\s+date|"
        r"getting\s+married|arriv\w+|host\w+|hiking\s+with|meet\w*\s+[A-Z]|see(?:ing)?\s+(?:dr|the\s+dentist|my)|off\s+work|going\s+to\s+[A-Z])",
        r"^(?:meeting|dinner|lunch|appointment|interview|dentist|exam|flight|call)\s+(?:with|at|on|to|in)\b",
    ),
    no_event=words(
        r"\b(?:remind|need\s+to|have\s+to|must|should|can\s+you|could\s+you|please|want\s+to|don't\s+(?:know|forget)|hope|book\s+me|weather|"
        r"let\s+me|can\s+do)\b",
    ),
)
