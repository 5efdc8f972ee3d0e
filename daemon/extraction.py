"""Puts the extractor together that the settings ask for: a model within its budget, or rules."""

from config.settings import Settings
from memory.extract.kept import KeptAnswers
from memory.extract.ladder import LadderExtractor
from memory.extract.llm import LlmExtractor
from memory.extract.rules import RulesExtractor
from memory.ports import Batching, Extractor, LanguageModel


def choose_extractor(settings: Settings, model: LanguageModel | None, answers: KeptAnswers) -> Extractor:
    """Rules without a model; with one, what happens on a spent budget is `budget.then`."""
    rules = RulesExtractor(settings.extract.max_facts)
    if model is None:
        return rules
    batching = Batching(settings.extract.batch_turns, settings.extract.quiet_s)
    extractor = LlmExtractor(model, answers, batching, settings.extract.max_facts)
    return extractor if settings.budget.then == "wait" else LadderExtractor(extractor, rules)
