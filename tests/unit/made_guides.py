"""Guides as a test wants them, and what they may say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tests.unit.small_world import THRESHOLDS, World

from elysia_guard.domain.document import Document
from elysia_guard.domain.pointing import OfferedTool, Plan, PointedVerdict, Pointing, UnitOfSource
from elysia_guard.domain.question import Lang
from elysia_guard.ports.models import NO_DEFINITIONS
from elysia_guard.stages.guiding import Guidance

TLS = "Connections are encrypted with TLS 1.3."
CIM = "We use CIM as the domain language."
FALLBACK = "TLS 1.2 is a fallback."
ASKED = "How are connections encrypted?"
SURE = replace(THRESHOLDS, search_ceiling=0.95)
"""Limits by which a search may be asserted."""

Planner = Callable[[Sequence[Document]], Plan]
Pointer = Callable[[Sequence[UnitOfSource]], Pointing]


@dataclass(frozen=True, kw_only=True)
class AskedToPlan:
    """What a guide was told that plans."""

    question: str
    catalogue: Sequence[Document]
    talk: Sequence[str] = ()
    langs: Sequence[Lang] = ()


@dataclass(frozen=True, kw_only=True)
class AskedToPoint:
    """What a guide was told that points."""

    question: str
    units: Sequence[UnitOfSource]
    defined: Mapping[str, str]

    @property
    def documents(self) -> list[str]:
        """The names of the documents whose units were told, in their order."""
        return list(dict.fromkeys(each.passage.document.id for each in self.units))


def planning(*documents: str, searches: Sequence[str] = ()) -> Planner:
    """Plan to look in documents of these names, and to search for these wordings."""

    def planner(catalogue: Sequence[Document]) -> Plan:
        names = [each.id for each in catalogue]
        return Plan(
            searches=tuple(searches),
            documents=tuple(names.index(name) for name in documents if name in names),
        )

    return planner


def pointing(*words: str, verdict: PointedVerdict = PointedVerdict.ANSWERS) -> Pointer:
    """Point at the units that say some words, in the order of the words; at none, say no."""

    def pointer(units: Sequence[UnitOfSource]) -> Pointing:
        found = [n for said in words for n, each in enumerate(units, start=1) if said in each.text]
        return Pointing(verdict=verdict, units=tuple(found)) if found else says_no(units)

    return pointer


def says_no(_units: Sequence[UnitOfSource]) -> Pointing:
    """Say that no unit answers."""
    return Pointing(verdict=PointedVerdict.NO)


class Scripted:
    """A guide that says what a test wants, and remembers what it was told.

    Attributes:
        plan_with: what it plans, or how it fails to; nothing, unless a test says so.
        point_with: what it points at, or how it fails to.
    """

    def __init__(
        self,
        *,
        plan: Plan | Planner | Exception | None = None,
        point: Pointing | Pointer | Exception = says_no,
        model_id: str = "scripted@point+1",
    ) -> None:
        self.plan_with, self.point_with, self.model_id = plan or Plan(), point, model_id
        self.planned: list[AskedToPlan] = []
        self.pointed: list[AskedToPoint] = []

    @property
    def calls(self) -> int:
        """How often it was asked, for whatever."""
        return len(self.planned) + len(self.pointed)

    async def plan(
        self,
        question: str,
        catalogue: Sequence[Document],
        /,
        *,
        talk: Sequence[str] = (),
        langs: Sequence[Lang] = (),
        tools: Sequence[OfferedTool] = (),
        within_s: float | None = None,
    ) -> Plan:
        self.planned.append(
            AskedToPlan(question=question, catalogue=catalogue, talk=talk, langs=langs)
        )
        if isinstance(self.plan_with, Exception):
            raise self.plan_with
        return self.plan_with if isinstance(self.plan_with, Plan) else self.plan_with(catalogue)

    async def point(
        self,
        question: str,
        units: Sequence[UnitOfSource],
        /,
        *,
        defined: Mapping[str, str] = NO_DEFINITIONS,
        within_s: float | None = None,
    ) -> Pointing:
        self.pointed.append(AskedToPoint(question=question, units=units, defined=defined))
        if isinstance(self.point_with, Exception):
            raise self.point_with
        return self.point_with if isinstance(self.point_with, Pointing) else self.point_with(units)


def guided(guide: object, world: World | None = None, **settings: object) -> World:
    """Return a world, the small one unless another is given, in which this guide is asked."""
    world = world or World(thresholds=SURE)
    guidance = Guidance(guide=guide, clock=world.clock, **settings)  # type: ignore[arg-type]
    world.pipeline = replace(world.pipeline, guidance=guidance)
    return world
