"""Secrets are masked whole; ordinary words stay."""

import json

import pytest

from memory.envelope import clean
from memory.redact import redact, redact_json

# Secrets are put together here, so that no line of this file looks like one.
MIX = "aB3dE5gH7jK9mN1pQ4sT6vX8zC2wR0yU" * 4
LOWER = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6" * 4
UPPER = "ABCD2345EFGH67IJKLMN2345OPQR67ST" * 2
KEY_LINES = "\n".join(["MIIE" + MIX[:60]] * 3 + ["Qw5/" + MIX[:20] + "=="])


def luhn(body: str) -> str:
    """The card number that begins with `body`, with its check digit."""
    doubled = sum(sum(divmod(int(digit) * 2, 10)) for digit in body[::-2])
    plain = sum(int(digit) for digit in body[-2::-2])
    return body + str(-(doubled + plain) % 10)


def chinese_id(body: str) -> str:
    """The identity number that begins with these 17 digits, with its check character."""
    return body + "10X98765432"[sum(int(d) * (2 ** (17 - i) % 11) for i, d in enumerate(body)) % 11]


def pem(kind: str) -> str:
    """A private key of a kind, whole."""
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{KEY_LINES}\n-----END {kind}PRIVATE KEY-----"


def shaped() -> list[tuple[str, str, str]]:
    """Secrets with a shape of their own: (name, secret, sentence around it)."""
    return [
        ("openai_key", "sk-" + "a" * 40, "my key {} please keep"),
        ("openai_key", "sk-proj-" + MIX[:60] + "_-" + MIX[:20], "用这个 {} 就行"),
        ("openai_key", "sk-" + LOWER[:32], "deepseek的密钥是{}，别外传"),
        ("openai_key", "sk-svcacct-" + MIX[:40], "({})"),
        ("anthropic_key", "sk-ant-" + "api03-" + MIX[:80] + "AA", "ANTHROPIC_API_KEY={}"),
        ("openrouter_key", "sk-or-" + "v1-" + LOWER[:64], "router {}"),
        ("aws_access_key", "AKIA" + UPPER[:16], "id {} of prod"),
        ("aws_access_key", "ASIA" + UPPER[4:20], "临时凭证{}"),
        ("aws_secret_key", MIX[:38] + "/+", "aws_secret_access_key = {}"),
        ("aws_secret_key", MIX[10:50], "the AWS secret for prod: {}"),
        ("github_token", "ghp_" + MIX[:36], "push with {}"),
        ("github_token", "gho_" + MIX[:36], "oauth {}."),
        ("github_token", "github_pat_" + MIX[:22] + "_" + MIX[:59], "fine grained: {}"),
        ("gitlab_token", "glpat-" + MIX[:20], "gitlab {}"),
        ("slack_token", "xoxb-" + "123456789012-" + MIX[:24], "slack bot {}"),
        ("slack_token", "xoxp-" + "123456789012-" + LOWER[:32], "slack user {}"),
        ("slack_token", "xapp-" + "1-A012-" + LOWER[:40], "socket mode {}"),
        ("slack_webhook", "https://hooks.slack.com/" + "services/T0AB/B0CD/" + MIX[:24], "post to {}"),
        (
            "discord_webhook",
            "https://discord.com/api/" + "webhooks/123456789012345678/" + MIX[:68],
            "hook {}",
        ),
        ("discord_token", "M" + MIX[:23] + "." + MIX[:6] + "." + MIX[:30], "discord bot {}"),
        ("telegram_token", "1234567890:" + "AA" + MIX[:33], "botfather gave me {}"),
        ("telegram_token", "bot987654321:" + "AA" + MIX[:33], "https://api.telegram.org/{}/getMe"),
        ("feishu_webhook", "https://open.feishu.cn/" + "open-apis/bot/v2/hook/" + LOWER[:32], "飞书 {}"),
        ("google_api_key", "AIza" + MIX[:35], "maps {}"),
        ("google_oauth", "GOCSPX-" + MIX[:28], "client {}"),
        ("google_oauth", "ya29." + MIX[:60], "access {}"),
        ("stripe_key", "sk_" + "live_" + MIX[:24], "stripe {}"),
        ("stripe_key", "rk_" + "test_" + MIX[:24], "restricted {}"),
        ("stripe_key", "whsec_" + MIX[:32], "endpoint {}"),
        ("twilio_key", "SK" + LOWER[:32], "twilio {}"),
        ("sendgrid_key", "SG." + MIX[:22] + "." + MIX[:43], "mail {}"),
        ("npm_token", "npm_" + MIX[:36], "publish {}"),
        ("pypi_token", "pypi-" + "AgEIcHlwaS5vcmc" + MIX[:70], "upload {}"),
        ("huggingface_token", "hf_" + MIX[:34], "hub {}"),
        ("groq_key", "gsk_" + MIX[:52], "groq {}"),
        ("alibaba_key", "LTAI" + MIX[:20], "阿里云 {}"),
        ("jwt", "eyJ" + MIX[:20] + ".eyJ" + MIX[:40] + "." + MIX[:43], "cookie {};"),
        ("private_key", pem("RSA "), "here:\n{}\nthanks"),
        ("private_key", pem("OPENSSH "), "ssh\n{}"),
        ("private_key", pem(""), "{}"),
        ("url_password", "p@ss:" + "w0rd!", "postgres://app:{}@db.example.com:5432/app"),
        ("url_password", MIX[:12], "git clone https://me:{}@git.example.com/x.git"),
        ("bearer_token", MIX[:40], "send Bearer {} with it"),
        ("credit_card", luhn("411111111111111"), "card {} exp 12/30"),
        ("credit_card", luhn("37828224631000"), "amex {}"),
        ("chinese_id", chinese_id("11010119900307451"), "我的证件 {} 请记下"),
    ]


def told() -> list[tuple[str, str, str]]:
    """Secrets that a name or a sentence gives away: (name, secret, sentence around it)."""
    word = "sun" + "flower"
    return [
        ("password", word, "password={}"),
        ("password", word + ",x", "DB_PASSWORD={}"),
        ("password", "Tr0ub4" + "dor&3", "Password: {}"),
        ("password", "a b " + word, 'password = "{}"'),
        ("password", word + "1", '{{"password": "{}", "user": "bob"}}'),
        ("password", word + "1", '{{\\"password\\": \\"{}\\"}}'),
        ("api_key", MIX[:24], "api_key: {}"),
        ("api_key", MIX[:24], "X-Api-Key: {}"),
        ("api_key", MIX[:24], "apiKey='{}'"),
        ("authorization", MIX[:15], "Authorization: Bearer {}"),
        ("authorization", "dXNlcjpw" + "YXNz", "Authorization: Basic {}"),
        ("token", MIX[:12], "export FOO_TOKEN={}"),
        ("secret", MIX[:20], "client_secret={}&grant_type=x"),
        ("password", word, "the wifi password is {}"),
        ("password", word, "The WiFi password for the guest room is {}."),
        ("password", "Blue" + "Whale!", "my password's {} by the way"),
        ("password", word + "7", "I changed my email password to {}, ok?"),
        ("code", "4821", "my pin is {}"),
        ("code", "4821", "The PIN for the blue card is {}."),
        ("code", "482 913", "your verification code is {}"),
        ("code", "77" + "31#"[:2], "the door code is {}"),
        ("card_code", "913", "CVV: {}"),
        ("card_number", "1234 5678 9012 3456", "my card number is {}"),
        ("social_security", "078-05-1121", "my SSN is {}"),
        ("password", "abc" + "123!x", "我家wifi密码是 {}"),
        ("password", "abc" + "123", "密码：{}，别告诉别人"),
        ("password", "abc" + "def", "服务器密码是{}。"),
        ("password", "xyz" + "789", "我把密码改成了{}"),
        ("password", "xyz" + "789", "密码{}"),
        ("password", "芝麻" + "开门", "口令：{}"),
        ("password", "天王" + "盖地虎", "密码是“{}”"),
        ("code", "123456", "验证码 {}"),
        ("code", "654321", "【某某】您的验证码是{}，五分钟内有效"),
        ("code", "8899", "取款PIN码是{}"),
        ("card_number", "6222 0212 3456 7890 123", "银行卡号 {}"),
        ("card_number", "6222021234567890123", "我的银行卡号是{}，开户行在杭州"),
        ("seed_phrase", " ".join(["apple", "river", "stone"] * 4), "my seed phrase: {}"),
    ]


BENIGN = """my password manager is 1Password
the token budget is 800
order number 4111
the password is wrong
the password is required
I forgot my password again
please reset the password for Anna
the password is too short
my wifi password is stored in the vault
password: see the vault
we discussed passwordless login today
max_tokens=800 and temperature=0.2
the next token is sampled from the softmax
a secret ingredient is cinnamon
the secret of good tea is fresh water
my secret: I bake at night
the key to success is patience
primary_key=user_id
commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it
uuid 123e4567-e89b-12d3-a456-426614174000
event key: 123e4567-e89b-12d3-a456-426614174000
sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
md5 d41d8cd98f00b204e9800998ecf8427e
call me at +1 415 555 0132
my phone is 13812345678
the flat costs 1,250,000 USD
it was 19.99 at the shop
meeting at 14:30 on 2026-03-08
the timestamp was 1772960400000
see https://example.com:8080/path?email=bob@example.com
write to bob@example.com about it
pip install sk-learn-contrib-imbalanced-learn
the skeleton key museum opens at nine
pin the message to the channel
solder pin 13 to ground
the zip code is 94103
error code 404 again
use promo code SUMMER26
the HTTP status code is 503
Authorization is handled by the gateway
a bearer of bad news
git@github.com:example/project.git
Basic income is a political idea
I run on port 8080
version 2026.9.6 came out
Bring me the API key tomorrow
password = os.environ["DB_PASSWORD"]
api_key = get_key()
token: string
api_key: ${API_KEY}
PWD=/home/alex/project
GITHUB_TOKEN_FILE=/run/secrets/github
my cat is called Pin
密码学很有意思
密码管理器我用的是1Password
密码是什么来着？
密码不能少于8位
密码8位以上才行
密码是用来保护账号的
密码为空会报错
密码是MD5加密的
密码：请联系管理员
我忘记密码了，怎么办
验证码收不到
验证码2024年改版过
订单号 20260308123456
我的电话是13812345678
价格是1999元
身份证丢了要补办
银行卡尾号 1234
这个令牌环网络是老技术
口令这个词怎么翻译
会议改到下午三点
我早上九点前不接电话，有事发微信。
快递单号 SF1234567890123
QQ群 123456789
他的工号是 10086
token 的预算是 800
明天 10:30 去机场""".splitlines()


@pytest.mark.parametrize("place", range(len(shaped() + told())))
def test_a_planted_secret_is_masked_whole(place: int) -> None:
    """Nothing of a secret is left, its kind is named, and the words around it stay."""
    name, secret, sentence = (shaped() + told())[place]
    masked = redact(sentence.format(secret))
    assert secret not in masked.text
    assert masked.text == sentence.format(f"[redacted:{name}]")
    assert masked.found == (name,)


@pytest.mark.parametrize(
    "planted",
    [
        luhn("4" + "1" * 14),
        chinese_id("11010119900307123"),
        "aws " + "1234567890" * 4,
        "bearer " + "1234567890" * 2,
        "12345678:" + "1" * 35,
        "AccountKey=" + "1" * 24,
        "https://me:" + "1" * 13 + "@example.com",
    ],
)
def test_a_secret_of_digits_alone_is_masked(planted: str) -> None:
    """Where the only long runs are numbers fewer shapes are looked for, and these among them."""
    assert redact(f"1731000000000 then {planted}").found


@pytest.mark.parametrize(
    "sentence",
    [
        "MY PASSWORD IS {}", "my pw is {}", "PWD: {}", "the Api Key is {}", "Auth Token: {}",
        "the client secret is {}", "my Pin is 4821", "OTP 482199", "the combination is 4821",
        "door Code 4821", "CVV 482", "CVC: 482", "Card Number 1234 5678 9012", "SSN 123-45-6789",
        "Social Security 123-45-6789", "recovery Words are {words}", "my Passphrase is {words}",
    ],
)  # fmt: skip
def test_what_announces_a_secret_is_heard_in_any_case(sentence: str) -> None:
    """Plain sentences are passed over fast; none of those that name a secret is."""
    words = " ".join(["amber", "cedar", "delta", "ember"] * 3)
    assert redact(sentence.format(MIX[:12], words=words)).found


def test_enough_kinds_of_secrets_are_planted() -> None:
    """The corpus holds at least 60 secrets of at least 25 kinds."""
    planted = shaped() + told()
    assert len(planted) >= 60
    assert len({name for name, _, _ in planted}) >= 25


def test_a_text_full_of_secrets_keeps_none() -> None:
    """All planted secrets in one text are masked, one after the other."""
    planted = shaped() + told()
    masked = redact("\n\n".join(sentence.format(secret) for _, secret, sentence in planted)).text
    assert [secret for _, secret, _ in planted if secret in masked] == []


@pytest.mark.parametrize("sentence", BENIGN)
def test_an_ordinary_sentence_stays_as_it_is(sentence: str) -> None:
    """Talk about passwords, numbers, hashes and prices is no secret."""
    assert redact(sentence).text == sentence


def test_the_host_of_an_url_with_a_password_stays() -> None:
    """Only the password of an URL goes."""
    masked = redact("redis://cache:" + MIX[:9] + "@cache.example.com:6379/0").text
    assert masked == "redis://cache:[redacted:url_password]@cache.example.com:6379/0"


@pytest.mark.parametrize("kept_lines", [1, 2, 3])
def test_a_private_key_cut_off_at_its_end_is_masked(kept_lines: int) -> None:
    """What came of a truncated key is masked; words below it stay."""
    head = "\n".join(pem("EC ").splitlines()[: kept_lines + 1])
    assert (
        redact(f"key:\n{head}\n\nis that all right?").text == "key:\n[redacted:private_key]is that all right?"
    )


def test_a_private_key_cut_off_at_its_beginning_is_masked() -> None:
    """The last lines of a key with its END mark are masked; the words above stay."""
    tail = "\n".join(pem("").splitlines()[2:])
    assert redact(f"rest of it:\n{tail}\nbye").text == "rest of it:\n[redacted:private_key]\nbye"


def test_a_service_account_file_loses_its_key() -> None:
    """The escaped private key in a JSON file is masked, the rest of the file stays readable."""
    account = {"type": "service_account", "project_id": "demo", "private_key": pem("") + "\n"}
    masked = json.loads(redact(json.dumps(account)).text)
    assert masked["project_id"] == "demo"
    assert masked["private_key"].strip() == "[redacted:private_key]"


def test_names_are_given_in_the_order_of_the_text() -> None:
    """`found` follows the text, so that a log can say what was masked."""
    text = f"npm_{MIX[:36]} and then the wifi password is {'sun' + 'flower'}"
    assert redact(text).found == ("npm_token", "password")


def test_a_masked_text_is_left_alone() -> None:
    """Masks are no secrets."""
    text = "password=[redacted:password] and the pin is [redacted:code]"
    assert redact(text) == type(redact(""))(text, ())


def test_masks_survive_cleaning() -> None:
    """Clean, mask, clean again: the text that is hashed and the text that is stored are one."""
    for _, secret, sentence in shaped() + told():
        masked = redact(clean(sentence.format(secret))).text
        assert redact(clean(masked)).text == clean(masked) == masked


def test_json_keeps_its_shape() -> None:
    """Lists, objects, numbers, truths and nulls stay; secrets in strings, keys and under names go."""
    value = {
        "type": "text",
        "password": "sun" + "flower",
        "pin": 4821,
        "apiKey": None,
        "tokens_used": 800,
        "ok": True,
        "parts": [{"text": "my key " + "sk-" + "a" * 40}, 1.5],
        "client_secret": ["q" * 8, "y" * 8],
        "ghp_" + MIX[:36]: "x",
    }
    assert redact_json(value) == {
        "type": "text",
        "password": "[redacted:password]",
        "pin": "[redacted:pin]",
        "apiKey": None,
        "tokens_used": 800,
        "ok": True,
        "parts": [{"text": "my key [redacted:openai_key]"}, 1.5],
        "client_secret": ["[redacted:secret]", "[redacted:secret]"],
        "[redacted:github_token]": "x",
    }


def test_json_without_secrets_comes_back_equal() -> None:
    """A message's parts are not touched without need."""
    value = [{"type": "text", "text": "今天喝茶"}, {"key": "k1", "token": "word", "n": 3}]
    assert redact_json(value) == value
    assert redact_json(None) is None


@pytest.mark.parametrize(
    "piece",
    [
        "1 ",
        "eyJ",
        "sk-a ",
        "a://a:",
        "a://a:a@",
        "password=",
        "password is ",
        "the password for ",
        'password="',
        "password='x ",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----\n",
        "A" * 64 + "\n",
        "-----BEGIN PRIVATE KEY-----\n" + "A" * 64 + "\n",
        "密码是",
        "验证码",
        "seed phrase is ",
        "change my x ",
        "\\",
        "[redacted:x]",
        "ghp_" + "a" * 36 + "AKIA" + "A" * 16,
        "\n",
    ],
)
def test_half_a_megabyte_of_hostile_text_comes_to_an_end(piece: str) -> None:
    """No pattern backtracks into the night: the suite's time limit is the judge."""
    text = piece * (500_000 // len(piece))
    assert isinstance(redact(text).text, str)
