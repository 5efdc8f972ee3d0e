"""Puts the extractor together that the settings ask for: a model within its budget, or rules."""

from config.settings import Settings
from memory.extract.funding import Funding, Paid, Unpaid
from memory.extract.kept import KeptAnswers
from memory.extract.llm import LlmExtractor
from memory.extract.rules import RulesExtractor
from memory.llm.metered import MeteredModel
from memory.ports import Batching


def choose_funding(settings: Settings, model: MeteredModel | None, answers: KeptAnswers) -> Funding:
    """Rules without a model; with one, what happens on a spent budget is `budget.then`."""
    rules = RulesExtractor(settings.extract.max_facts)
    if model is None:
        return Unpaid(rules)
    batching = Batching(settings.extract.batch_turns, settings.extract.quiet_s)
    extractor = LlmExtractor(model, answers, batching, settings.extract.max_facts)
    return Paid(extractor, model, rules if settings.budget.then == "rules" else None)
