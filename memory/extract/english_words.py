"""The words that the English rules are made of: who speaks, kin, places, illnesses, what one does."""

from memory.extract.lexicon import one_of

SPEAKER = r"(?<!if )(?<!do )(?<!did )(?<!should )(?<!can )(?<!could )(?<!like )\b(?:i|we)\b"
# A sentence of its own, not "the things I love"
SAYS_I = (
    r"(?:^|\b(?:and|but|because|since|so|also|still|though|although|honestly|personally)\s+|"
    rf"^(?:for|in|on|when|at|during|as)\b[^,]{{1,30}}?\s){SPEAKER}"
)
AM = rf"{SPEAKER}(?:'m|’m|\s+am|'re|’re|\s+are)"
HAVE = rf"{SPEAKER}(?:'ve|’ve|\s+have)"
DONT = r"(?:don't|don’t|do\s+not|never|can't|can’t|cannot|no\s+longer)"
PLEASE = r"^(?:please\s+|pls\s+|just\s+)*"
CAPITAL = r"(?-i:[A-Z]\w+)"

ADVERB = rf"""(?:\s+{
    one_of('''
    really just also usually generally always much strongly absolutely still now personally mostly currently
    actually both so only definitely originally normally truly simply very pretty all
''')
})*"""
SOMEONE = one_of("you your them him her his their its yours theirs")
_NOTHING_NAMED = one_of("""
    it this that these those how what where way idea thought sound look looks one ones option version draft
    answer result paragraph plan life being everything nothing seeing know see hear say ask new
""")
# What is liked must stand in the words; "I love it" and "I like the first one" lie in the conversation.
VAGUE = (
    rf"(?!\s+(?:{SOMEONE}|(?:(?:the|my|our|all|to|a|an|first|second|last|other)\s+)*{_NOTHING_NAMED}|"
    r"when\s+(?:this|that|it)|all\s+the|the\s+(?!sea\b|ocean\b|mountains\b|beach\b|outdoors\b|piano\b|"
    r"smell\b|taste\b|cold\b|heat\b|countryside\b|city\b|window\b|aisle\b|morning\b|evening\b))\b|\s*$)"
)
KIN = one_of("""
    wife husband partner girlfriend boyfriend fiance fiancé fiancee mom mum mother dad father parents?
    sisters? brothers? sons? daughters? kids? children baby grandmother grandma grandpa grandfather aunt
    uncle cousins? niece nephew boss manager landlord landlady doctor dentist therapist lawyer accountant
    roommates? flatmates? dog cat pet puppy kitten horse mother-in-law father-in-law in-laws
""")
IS = one_of("""
    is are was were works? lives? has teaches studies study speaks? plays? goes loves? likes? prefers?
    hates? turns? turned stays? runs? just_turned just_started eats? drinks?
""")
PLACE = one_of("""
    bakery shop store office café cafe restaurant practice studio school gym bar salon clinic kindergarten
    library pool workshop pharmacy market museum garage
""")
SYSTEM = one_of("""
    servers? website site backend frontend database app api project product repo blog stack cluster router nas
    services? pipeline deployment cms intranet newsletter firewall
""")
OWN = one_of("""
    email e-mail phone number address birthday birth_?date anniversary time_?zone car bike laptop job
    company school office shift pronouns hobby hobbies hometown native_language budget blood_type surname
    nickname shoe_size wifi visa passport lease contract fiscal_year day_off title major salary commute flat
    best_?seller speciality supplier apartment house
""")
ILLNESS = one_of("""
    (?:(?:mild|bad|severe|chronic|slight)_)?asthma eczema (?:type_\\w+_)?diabetes epilepsy adhd autism
    migraines arthritis hay_fever dyslexia celiac(?:_disease)? coeliac(?:_disease)?
    (?:an?_)?(?:\\w+_)?allerg(?:y|ies)
""")
BEING = one_of("""
    diabetic asthmatic epileptic autistic dyslexic deaf blind colou?r-?blind colou?r_blind left-handed
""")
STATE = one_of("""
    married divorced single engaged pregnant retired self-employed freelanc\\w+ muslim jewish hindu buddhist
    christian catholic unemployed responsible_for in_charge_of
""")
NO_ROLE = one_of("""
    bit little tad lot moment sec loss mess wreck fool idiot genius failure second few step big hundred
    couple while huge nervous total victim mix part bunch believer sucker bigger beginner fan
    zombie robot machine potato banana teapot ghost wizard ninja hero legend star queen king pirate vampire
    snail sloth magnet hour minute user guest saint angel monster nightmare disaster joke jerk moron clown
    pain piece shell shadow fish turtle duck spaceship unicorn
""")
# Said in anger or for fun rather than as a taste, where nothing more is said of them.
GRUMBLED = one_of("""
    computers? technology software bugs? errors? printers? builds? waiting people life work everything myself
    queues traffic turtles (?:mon|tues|wednes|thurs|fri|satur|sun)days?
""")
# Whom one plays, but is not.
STORIED = one_of("""
    batman superman spider-?man iron_man hulk groot santa(?:_claus)? napoleon jesus god zeus yoda
    gandalf darth_vader cinderella shakespeare einstein james_bond robin_hood dracula frankenstein
    sherlock(?:_holmes)? shrek pikachu elvis cleopatra
""")
PASSING = one_of("""
    today tonight again right_now at_the_moment this_(?:morning|afternoon|evening|week)
""")
DO = one_of("""
    use keep answer reply respond write speak talk give show call address include put format sign stick add
    avoid provide report confirm highlight explain cite quote tailor start end prefer convert round spell
    mention list sort begin present offer suggest
""")
STOP = one_of(
    "using adding putting writing calling ending starting giving sending_me asking_me suggesting including"
)
HABIT = one_of(
    "eat drink smoke use wear watch buy drive fly cook do_(?!it|that|this|anything|well|so|much|"
    "the) take_calls take_sugar take_milk digest tolerate"
)
LIST = r"(?:shopping|grocery|packing|reading|watch|wish|guest|gift)\s+list"
LISTED = rf"(?:please\s+)?(?:also\s+)?(?:add|put)\s+\w.*?\s(?:to|on|onto)\s+(?:my|our|the)\s+{LIST}\b"
LIKE = one_of("""
    prefer like love enjoy adore hate dislike detest loathe can't_stand can’t_stand cannot_stand avoid
""")
ONE_OFF = one_of("""
    give get have see think mean say hear wonder end run_into had got want need ask asked know do did am was
    were will seem feel forget try find be been
""")

FEELING = one_of(
    "feeling thinking having struggling wondering trying getting doing seeing looking being going"
)

WRITING = one_of("""
    answers repl(?:y|ies) responses e-?mails messages summar(?:y|ies) reports? emojis?
    bullet_(?:lists?|points) tables? jargon prices? numbers letters texts invoices quotes minutes notes tone
    comments lists smileys small_talk
""")
OUGHT = r"(?:should|must|needs?\s+to|have\s+to|has\s+to|ought\s+to)"
SHAPED = (
    r"(?:always\s+)?(?:be\s+(?:in\s+(?-i:[A-Z])|an?\s+(?:table|list)|short|brief|formal|informal|friendly|polite|plain|"
    r"under\s|at\s+most|no\s+(?:longer|more)|written|kept|without|concise|simple)|have\s+no\b|fit\s+on\b)"
)
# "write to suppliers in Portuguese" is asked for once and for all; "write to Ana in Portuguese" is not.
STANDING = (
    r"(?:write|reply|talk|speak|answer)\s+(?:e-?mails\s+)?to\s+(?:my\s+|our\s+|all\s+|the\s+|any\s+)*"
    r"(?:\w+s|staff|people)\s+(?:only\s+|always\s+)?in\s+(?-i:[A-Z])\w+"
)
