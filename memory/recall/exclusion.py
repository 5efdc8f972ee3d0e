"""Why a fact or turn can't be a result, however well it fits."""

import math

from memory.model import Layer
from memory.recall.candidate import Candidate
from memory.recall.query import Query
from memory.recall.remainder import still_answers
from memory.scoring.silence import says_nothing
from memory.store.category_names import fold
from memory.turns import says_the_same

_COURTESY_CHARS = 40


def exclusion(candidate: Candidate, query: Query, now: int) -> str | None:
    """Why a row can't be a result; the first reason that holds."""
    if _is_echo(candidate, query):
        return "the prompt itself"
    if candidate.superseded_by and _is_hidden(candidate, query):
        return f"superseded by {candidate.superseded_by}"
    if candidate.valid_until is not None and candidate.valid_until < now and not query.include_superseded:
        return "no longer valid"
    if candidate.layer is Layer.RESOURCE and _is_courtesy(candidate.text):
        return "a courtesy"
    if query.kinds and candidate.kind not in query.kinds:
        return f"kind {candidate.kind} was not asked for"
    if query.categories and set(map(fold, query.categories)).isdisjoint(map(fold, candidate.categories)):
        return "in no category that was asked for"
    return _outside(candidate, query)


def is_in_prompt(candidate: Candidate, query: Query) -> bool:
    """Whether it is a turn that the model reads anyway: it would only take another memory's place."""
    since = query.in_prompt_since
    is_here = candidate.layer is Layer.RESOURCE and candidate.source.session_id == query.scope.session_id
    return since is not None and is_here and candidate.stated_at >= since


def _outside(candidate: Candidate, query: Query) -> str | None:
    """How a row misses the time asked for; where its turns are gone, it may have been said again between."""
    if query.since is None and query.until is None:
        return None
    since = -math.inf if query.since is None else query.since
    until = math.inf if query.until is None else query.until
    if candidate.stated_at < since:
        return "said before the time asked for"
    if candidate.created_at > until:
        return "said after the time asked for"
    if candidate.sources and not any(since <= source.timestamp <= until for source in candidate.sources):
        return "not said in the time asked for"
    return None


def _is_echo(candidate: Candidate, query: Query) -> bool:
    """Whether it is the prompt's own turn: an agent may capture a prompt before it asks."""
    is_here = candidate.layer is Layer.RESOURCE and candidate.source.session_id == query.scope.session_id
    return is_here and not query.is_search and says_the_same(candidate.text, query.text)


def _is_courtesy(text: str) -> bool:
    return len(text) <= _COURTESY_CHARS and says_nothing(text)


def _is_hidden(candidate: Candidate, query: Query) -> bool:
    """Whether a replaced statement has nothing to add: its successor speaks of all that is asked."""
    if query.include_superseded or (query.is_search and candidate.layer is Layer.RESOURCE):
        return False
    return not still_answers(query.text, candidate.text, candidate.replacements)
