"""Masks secrets before anything is stored, logged, embedded or sent to a model."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memory.redact.named import find_named, is_secret_value, kind_of_name
from memory.redact.shapes import Secret, find_by_shape
from memory.redact.spoken import find_spoken

_MASK = re.compile(r"\[redacted:[a-z_]{1,40}\]")

# A mask can free a secret that was glued to another; real texts need one look, hostile ones end here.
_MAX_LOOKS = 8


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without secrets, and the names of those that were masked, in their order."""

    text: str
    found: tuple[str, ...]


def redact(text: str) -> Redacted:
    """Every known kind of secret becomes `[redacted:NAME]`, all of it; other words stay as they are.

    Idempotent, and linear in the text's length. It can't see a secret that is split over two
    texts or list parts, nor a passphrase of plain words that nothing announces.
    """
    found: list[str] = []
    for _ in range(_MAX_LOOKS):
        secrets = list(_secrets(text))
        if not secrets:
            break
        found += [secret.name for secret in secrets]
        text = _masked(text, secrets)
    return Redacted(text, tuple(found))


def redact_json(value: Any) -> Any:
    """JSON content of the same shape with every secret masked, in keys too.

    Under a secret's name (`{"password": ...}`) the whole text or number is masked, also in a list.
    Keys that become equal by masking collapse into one.
    """
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, list):
        return [redact_json(part) for part in value]
    if isinstance(value, dict):
        return {_masked_key(key): _masked_field(key, part) for key, part in value.items()}
    return value


def _masked_key(key: Any) -> Any:
    return redact(key).text if isinstance(key, str) else key


def _masked_field(key: Any, value: Any) -> Any:
    kind = kind_of_name(key) if isinstance(key, str) else None
    if kind is None or isinstance(value, dict):
        return redact_json(value)
    if isinstance(value, list):
        return [_masked_field(key, part) for part in value]
    return f"[redacted:{kind}]" if _is_secret_leaf(key, value) else redact_json(value)


def _is_secret_leaf(key: str, value: Any) -> bool:
    """A text that holds a mask was judged before."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    text = str(value)
    return _MASK.search(text) is None and is_secret_value(key, text)


def _secrets(text: str) -> Iterator[Secret]:
    """The secrets of a text in order, overlaps joined, those that are masked already left out."""
    candidates = [*find_by_shape(text), *find_named(text), *find_spoken(text)]
    if not candidates:
        return
    masks = [Secret("", *mask.span()) for mask in _MASK.finditer(text)]
    place = {secret: i for i, secret in reversed(list(enumerate(candidates)))}
    for cluster in _clusters([*masks, *candidates]):
        found = [secret for secret in cluster if secret.name]
        start, end = cluster[0].start, max(secret.end for secret in cluster)
        if found and re.search(r"\w", _MASK.sub("", text[start:end])):
            yield Secret(min(found, key=place.__getitem__).name, start, end)


def _clusters(secrets: list[Secret]) -> Iterator[list[Secret]]:
    """Groups of secrets that overlap."""
    cluster: list[Secret] = []
    end = 0
    for secret in sorted(secrets, key=lambda secret: (secret.start, secret.end)):
        if cluster and secret.start >= end:
            yield cluster
            cluster = []
        cluster.append(secret)
        end = max(end, secret.end)
    if cluster:
        yield cluster


def _masked(text: str, secrets: list[Secret]) -> str:
    kept: list[str] = []
    end = 0
    for secret in secrets:
        kept += [text[end : secret.start], f"[redacted:{secret.name}]"]
        end = secret.end
    return "".join([*kept, text[end:]])
