"""Deeds that somebody else may want of the user: money sent, secrets given away, protection switched off."""

import re

from memory.simplified import simplified

_MONEY = (
    r"(?:money|cash|funds?|bitcoins?|btc|crypto\w*|eth|usdt|gift\s*cards?|iban|payments?|deposit|fees?|ransom"
    r"|[$€£¥]\s?\d|\d[\d.,]*\s?(?:k\b|[$€£¥]|euros?|eur|dollars?|usd|pounds?|gbp|yuan|rmb|cny|bucks))"
)
_CONFIDED = (
    r"(?:password|passphrase|passcode|pin|otp|(?:verification|security|recovery|backup|login)\s+codes?|cvv|cvc"
    r"|seed\s+(?:phrase|words)|private\s+keys?|api\s+keys?|tokens?|credentials?|card\s+(?:number|details))"
)
_GUARD = r"(?:firewall|anti-?virus|2fa|two-factor|mfa|backups?|alarm\s+system|defender|updates?)"
_ENGLISH = re.compile(
    rf"\b(?:send|transfer|wire|remit|donate|deposit|pay|buy|move|invest)\w*\b.{{0,60}}?(?<![\w]){_MONEY}"
    rf"|\b(?:send|share|give|tell|enter|type|post|forward|paste|confirm|read\s+out)\w*\b.{{0,60}}?\b{_CONFIDED}\b"
    rf"|\b(?:disable|turn\s+off|switch\s+off|uninstall|delete|remove|deactivate)\b.{{0,40}}?\b{_GUARD}\b",
    re.IGNORECASE | re.DOTALL,
)
_CHINESE = re.compile(
    r"(?:转账|汇款|打款|打钱|转钱|汇钱|充值|(?:转|汇|打|付|支付|缴|寄)[^，。]{0,12}?(?:\d|[一二两三四五六七八九十百千万]+)(?:[百千万亿])*(?:元|块|美元|欧元|人民币)?"
    r"|(?:转|汇|打)[^，。]{0,12}(?:钱|款|比特币|账户|账号|卡)|(?:买|购买)[^，。]{0,8}(?:比特币|加密货币|礼品卡|点卡))"
    r"|(?:发|给|告诉|填|输入|提供|报|转发|交出)[^，。]{0,16}(?:密码|验证码|助记词|私钥|口令|银行卡号|身份证号|密钥)"
    r"|(?:密码|验证码|助记词|私钥|口令|银行卡号|身份证号|密钥)[^，。]{0,10}(?:发|给|告诉|交)"
    r"|(?:关闭|关掉|停用|禁用|卸载|删除|删掉)[^，。]{0,10}(?:防火墙|杀毒|两步验证|双重验证|备份|安全软件)"
)


def is_grave(text: str) -> bool:
    """Whether it is about one of them; from anybody but the user that is not to be handed on."""
    plain = simplified(text)
    return bool(_ENGLISH.search(plain) or _CHINESE.search(plain))
