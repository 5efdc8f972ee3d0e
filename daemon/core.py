"""What nearly every part of the daemon is built on: opened first, closed last."""

import asyncio
import secrets
from collections.abc import Mapping, MutableMapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

from config.settings import Settings
from daemon.bulletin import Bulletin
from daemon.extraction import choose_funding
from daemon.generations import open_generations
from daemon.indexes import open_index, read_choice
from daemon.leases import recover_leases, release_leases
from daemon.local_zone import local_zone
from daemon.metrics import Metrics
from daemon.older import Providers
from daemon.paths import Paths
from daemon.providers import Reach, open_model
from daemon.warmth import Warmth
from jobs.construction import Construction
from jobs.rebuild import Rebuild
from jobs.reindex import Reindex
from memory.budget import Budget
from memory.database import Database
from memory.dates.moment import zone_of
from memory.embed.meter import Meter
from memory.errors import UnavailableError
from memory.extract.funding import Funding
from memory.extract.kept import KeptAnswers
from memory.ids import NewId, id_maker
from memory.knowledge.filing import Filer
from memory.knowledge.learning import Learning
from memory.knowledge.settle import Settler
from memory.llm.breaker import Breaker
from memory.llm.guarded import GuardedModel
from memory.llm.metered import MeteredModel
from memory.ports import Clock, Embedder, LanguageModel
from memory.recall.asking import Asker
from memory.recall.finding import Finder
from memory.recall.offsets import Offsets
from memory.recall.scored import Scorer
from memory.recall.warm import Warm
from memory.tally import Tally
from memory.vectors.backends import Backends
from memory.vectors.generations import Generations


@dataclass(frozen=True, slots=True)
class Core:
    """What nearly every part is built on."""

    settings: Settings
    clock: Clock
    new_id: NewId
    local_zone: str  # of those who name none
    database: Database
    budget: Budget
    tally: Tally
    learning: Learning
    funding: Funding
    filer: Filer
    embedder_fault: str  # why there is no embedder; "" when none was wished
    breakers: Mapping[str, Breaker]  # of the embedders beyond this machine, by name
    model: GuardedModel | None
    metered: LanguageModel | None  # the same within the budget; what is asked is asked through it
    model_fault: UnavailableError | None  # why there is no model though one was wished
    warmth: Warmth
    reindex: Reindex
    rebuild: Rebuild
    asker: Asker
    scorer: Scorer
    offsets: Offsets
    warm: Warm
    bulletin: Bulletin
    metrics: Metrics
    finish: asyncio.Event  # set once the workers shall come to their end


async def open_core(
    settings: Settings,
    where: Paths,
    env: MutableMapping[str, str],
    clock: Clock,
    stack: AsyncExitStack,
    providers: Providers | None,
) -> Core:
    """Open the store and what lies beyond it; each part registers its own undoing on the stack.

    Raises LockedError, SchemaError.
    """
    new_id = id_maker(secrets.token_bytes)
    database = Database.open(where.database, settings.store)
    stack.callback(database.close)
    zone = local_zone()
    budget, tally = Budget(settings.budget, zone_of(zone)), Tally()
    stack.push_async_callback(release_leases, database, budget, clock)
    reach = Reach(env, clock, settings.llm.timeout_s, Meter(budget, database, tally, clock).around)
    providers = providers or Providers.within(reach)
    generations, fault = await open_generations(database, settings.embed, providers, stack)
    embedder = generations.current.embedder if generations.current else None
    model, model_fault = open_model(settings, env, clock, stack)
    await recover_leases(database, budget, settings.capture.max_crashes, clock)
    metered = MeteredModel(model, budget, database, clock) if model else None
    funding = choose_funding(settings, metered, KeptAnswers(database, clock, new_id))
    filer = Filer(new_id)
    learning = Learning(embedder, funding.extractor, Settler(generations, new_id, filer), generations)
    warmth, bulletin, warm = Warmth(database, generations, clock), Bulletin(), Warm()
    backends = Backends(where.database.with_name("index"), providers.backends)
    rebuild = await _open_rebuild(database, generations, backends, settings, bulletin)
    stack.push_async_callback(asyncio.to_thread, generations.close)
    offsets, candidates = await _open_offsets(database, embedder), settings.recall.candidates
    return Core(
        settings=settings,
        clock=clock,
        new_id=new_id,
        local_zone=zone,
        database=database,
        budget=budget,
        tally=tally,
        learning=learning,
        funding=funding,
        filer=filer,
        embedder_fault=fault,
        breakers=reach.breakers,
        model=model,
        metered=metered,
        model_fault=model_fault,
        warmth=warmth,
        reindex=Reindex(database, generations, clock, bulletin.ring),
        rebuild=rebuild,
        asker=Asker(database, generations, clock, lambda: warmth.is_warm, candidates, warm.vector),
        scorer=Scorer(settings.recall, Finder(candidates), offsets),
        offsets=offsets,
        warm=warm,
        bulletin=bulletin,
        metrics=Metrics(),
        finish=asyncio.Event(),
    )


async def _open_offsets(database: Database, embedder: Embedder | None) -> Offsets:
    """What chance gives in each user's store, as it was measured last."""
    offsets = Offsets(embedder.name if embedder else "")
    await database.read(offsets.load)
    return offsets


async def _open_rebuild(
    database: Database, generations: Generations, backends: Backends, settings: Settings, bulletin: Bulletin
) -> Rebuild:
    """Puts the index to begin with in place of the model in use; what can change it later."""
    choice, fault = await read_choice(database, settings.index.backend), None
    if generations.current is not None:
        opened = await open_index(backends, choice, generations.current.embedder)
        generations.current.index, fault = opened.index, opened.fault
    construction = Construction(database, generations, backends, bulletin.ring)
    return Rebuild(database, generations, construction, choice, fault, bulletin.ring)
