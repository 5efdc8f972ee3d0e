"""Which calls a stub server spoils, and how."""

import random
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain, repeat


class Fault(StrEnum):
    """Everything that providers were seen to do wrong; first what may pass, then what a person has to set
    right, then what fails for this prompt, then answers that are not what was asked for.
    """

    RATE_LIMIT_SECONDS = "429 with Retry-After in seconds"
    RATE_LIMIT_DATE = "429 with Retry-After as a date"
    RATE_LIMIT_MS = "429 with retry-after-ms"
    RATE_LIMIT = "429 without a time"
    SERVER_ERROR = "500"
    OVERLOADED = "529 or 503"
    PAGE = "502 with a page of HTML"
    HANG = "no answer"
    RESET = "connection reset"
    CUT_BODY = "the body ends too early"
    NOT_JSON = "200 with a page of HTML"
    OTHER_FORM = "200 with JSON of another kind"

    KEY_REFUSED = "401"
    FORBIDDEN = "403"
    UNPAID = "no credit"
    UNKNOWN_MODEL = "404"
    BAD_SETTING = "400 for a setting"

    TOO_LONG = "400 for a prompt too long"
    TOO_LARGE = "413"
    REJECTED = "400 for the prompt"
    REFUSAL = "refused by the model"
    CUT_AT_LIMIT = "cut at the limit of tokens"
    EMPTY = "an answer without text"

    CUT_JSON = "a JSON text that ends too early"
    WRONG_SCHEMA = "JSON that does not fit the schema"


PASSING = tuple(Fault)[:12]
FOR_A_PERSON = tuple(Fault)[12:17]
OF_THE_PROMPT = tuple(Fault)[17:23]
OF_THE_ANSWER = tuple(Fault)[23:]


def always(fault: Fault | None) -> Iterator[Fault | None]:
    """The same for every call."""
    return repeat(fault)


def first(faults: Iterable[Fault | None]) -> Iterator[Fault | None]:
    """These for the first calls, none after them."""
    return chain(faults, repeat(None))


def mixed(faults: Sequence[Fault], rate: float, seed: int) -> Iterator[Fault | None]:
    """One of the faults in a share of the calls; the same ones for the same seed."""
    dice = random.Random(seed)  # noqa: S311 - not for secrets
    while True:
        yield dice.choice(faults) if dice.random() < rate else None
