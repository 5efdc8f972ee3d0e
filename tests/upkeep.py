"""What the monitor keeps recall sharp with, wired as the daemon wires it where it has no embedder."""

from config.settings import Settings
from jobs.monitor import Upkeep
from jobs.recalibrate import Recalibrate
from jobs.reindex import Reindex
from memory.database import Database
from memory.ports import Clock, Embedder
from memory.recall.asking import Asker
from memory.recall.finding import Finder
from memory.recall.offsets import Offsets
from memory.recall.recalibration import Recalibration
from memory.recall.scored import Scorer
from memory.vectors.exact import ExactIndex
from memory.vectors.generations import Generation, Generations


def upkeep(database: Database, embedder: Embedder, settings: Settings, clock: Clock) -> Upkeep:
    """The embedder gives vectors; the relevance is fitted by words alone, and asks no model."""
    generations, offsets = Generations(Generation(embedder, ExactIndex(embedder.dimension))), Offsets("")
    scorer = Scorer(settings.recall, Finder(settings.recall.candidates), offsets)
    asker = Asker(database, Generations(None), clock, lambda: True, settings.recall.candidates)
    recalibration = Recalibration(database, asker, scorer, offsets)
    recalibrate = Recalibrate(database, recalibration, offsets, clock, lambda: False)
    return Upkeep(Reindex(database, generations, clock), recalibrate)
