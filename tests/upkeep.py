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


def upkeep(database: Database, embedder: Embedder, settings: Settings, clock: Clock) -> Upkeep:
    """The embedder gives vectors; the relevance is fitted by words alone, and asks no model."""
    index, offsets = ExactIndex(embedder.dimension), Offsets("")
    finder = Finder(index, settings.recall.candidates)
    scorer = Scorer(settings.recall, finder, index, lambda: None, offsets)
    asker = Asker(database, None, clock, lambda: True, settings.recall.candidates)
    recalibration = Recalibration(database, asker, scorer, offsets)
    recalibrate = Recalibrate(database, recalibration, offsets, clock, lambda: False)
    return Upkeep(Reindex(database, embedder, index), recalibrate)
