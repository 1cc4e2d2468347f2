"""An evaluation from its settings to its report: the golden set asked of the wired guard.

Every question is also put to the same store without the guard, in the same run: that is the
control that the guard's own time is held against, whatever machine it runs on.
"""

from __future__ import annotations

import asyncio
import hashlib
import platform
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from elysia_guard import __version__
from elysia_guard.adapters.skos.rdf import files_of
from elysia_guard.config import Config
from elysia_guard.direct import Guard
from elysia_guard.domain.document import DocumentKind, Filters, doc_type
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.evaluation import (
    degraded,
    golden,
    probing,
    report,
    scoring,
    side_by_side,
)
from elysia_guard.evaluation.golden import Case, Split
from elysia_guard.evaluation.probing import matters, misses
from elysia_guard.evaluation.runner import WARM_UP, Asker, Run, run
from elysia_guard.evaluation.scoring import Score
from elysia_guard.ports import Clock
from elysia_guard.wiring import Wiring
from elysia_guard.wiring.models import lacks_model

ALL = "all"
"""Both halves of the golden set."""
AWAY = {
    "without embedder": degraded.without_embedder,
    "without models": degraded.without_models,
}
FOUND = 12
"""How many passages the plain search is asked for."""


Own = Callable[[Wiring, Sequence[Score]], dict[str, Any]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What is evaluated, and how.

    ``without`` names a part that is taken away, a key of ``AWAY``; ``bare`` runs a profile that
    wants a model by its gates alone where none is configured, and looks at nothing but replies.
    ``own`` counts the program's own sentences in the replies.
    """

    settings: Config
    golden: Path
    split: str = ALL
    route: str = "tree"
    without: str | None = None
    concurrency: int = 1
    shown: bool = True
    bare: bool = False
    own: Own | None = None


class DirectRoute:
    """The direct route over some parts, asked like the tree."""

    def __init__(self, wiring: Wiring) -> None:
        self._guard = Guard(wiring=wiring)

    async def ask(self, query: str, /, *, request_id: str | None) -> RAGResponse:
        """Answer one question without Elysia."""
        return await self._guard.aask(query, request_id=request_id)


def plain_search(wiring: Wiring) -> Callable[[str], Awaitable[object]]:
    """Return what asks the store for a question without the guard: the embedding and the search."""

    async def search(query: str) -> object:
        vector = await wiring.embedder.embed_question(query)
        return await wiring.index.search(query, vector, filters=Filters(), limit=FOUND)

    return search


def beside_each_other(plan: Plan, profiles: Sequence[ProfileName]) -> report.Report:
    """Evaluate profiles one after the other, and put them into one table."""
    return side_by_side.build(
        {
            name: asyncio.run(
                evaluate(
                    replace(
                        plan,
                        settings=plan.settings.model_copy(update={"profile": name}),
                        bare=True,
                    )
                )
            )
            for name in profiles
        }
    )


async def evaluate(plan: Plan) -> report.Report:
    """Ask the questions and put the report together.

    Raises:
        GuardError: the golden set, the configuration or a part of the guard cannot be had.
    """
    questions = golden.load(plan.golden)
    cases = questions.select(None if plan.split == ALL else Split(plan.split))
    with closing(wiring_of(plan)) as wiring:
        scores, not_run = scoring.score_all(await asked(cases, wiring, plan))
        setting = await _setting(wiring, plan)
        probed = None if plan.bare else await _probed(wiring, cases, scores, plan)
    return report.build(scores, not_run, questions, setting, probed=probed)


async def asked(
    cases: Sequence[Case], wiring: Wiring, plan: Plan, *, clock: Clock = time.perf_counter
) -> list[Run]:
    """Ask the questions, each of the guard and then of the store alone."""
    under = f" under {plan.settings.profile}" if plan.bare else ""
    title = f"Asking {len(cases)} questions{under}"
    with Progress(title, total=len(cases)) if plan.shown else nullcontext() as bar:
        asker, control = _asker(plan.route, wiring), plain_search(wiring)
        await asker.ask(WARM_UP, request_id="eval-warm-up")
        await control(WARM_UP)
        return await run(
            cases,
            asker,
            control=control,
            concurrency=plan.concurrency,
            clock=clock,
            progress=bar.show if bar else None,
        )


async def _probed(
    wiring: Wiring, cases: Sequence[Case], scores: Sequence[Score], plan: Plan
) -> report.Probed:
    found = await probing.searches(wiring.pipeline, cases)
    return report.Probed(
        effects=probing.effects(found, wiring.pipeline.collections),
        misses=await misses(wiring.pipeline, scores),
        matters=await matters(wiring.pipeline, scores),
        own=plan.own(wiring, scores) if plan.own else {},
        silent=degraded.count_silent(item.response for item in scores) if plan.without else None,
    )


async def _setting(wiring: Wiring, plan: Plan) -> report.Setting:
    info = await wiring.index.info()
    documents = await wiring.index.documents(Filters(approval=None))
    return report.Setting(
        timestamp=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        config_hash=_digest([plan.settings.thresholds.read_bytes()]),
        split=plan.split,
        route=plan.route,
        version=__version__,
        python=platform.python_version(),
        model_id=f"none ({plan.without})" if plan.without else info.model_id,
        documents=info.documents,
        passages=info.passages,
        index_hash=_digest(sorted(f"{item.id} {item.sha256}\n".encode() for item in documents)),
        vocabulary_hash=_digest(
            path.read_bytes() for path in files_of(wiring.config.terminology.files)
        ),
        store=wiring.config.index.kind,
        concurrency=plan.concurrency,
        collections=_collections(wiring.config),
        limits=report.limits(wiring.pipeline.thresholds),
        profile=wiring.config.policy.label,
    )


def _digest(contents: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for content in contents:
        found.update(content)
    return found.hexdigest()


def wiring_of(plan: Plan) -> Wiring:
    """Put the guard together as it is evaluated; an index that is not there is built."""
    # The timeouts that questions simulate are no news.
    simulated = {"test_triggers": True, "log_level": "ERROR"}
    wiring = Wiring(plan.settings.model_copy(update=simulated))
    wiring.ensure_index()
    if plan.bare and lacks_model(plan.settings):
        # Beside the others: by its gates alone, as the others are, with quotes.
        wiring.pipeline = wiring.unwritten
    if plan.without:
        wiring.pipeline = AWAY[plan.without](wiring.pipeline)
    return wiring


def _asker(route: str, wiring: Wiring) -> Asker:
    if route == "direct":
        return DirectRoute(wiring)
    from elysia_guard.edge.elysia import TreeAsker

    return TreeAsker(wiring)


def _collections(config: Config) -> dict[str, str]:
    """The collection of each document type; approval records stand beside their decisions."""
    names = {doc_type(kind, approval=False): name for kind, name in config.collections.items()}
    names["DAR"] = config.collections[DocumentKind.DECISION]
    names["Vocabulary"] = config.vocabulary_collection
    return names
