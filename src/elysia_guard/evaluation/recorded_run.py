"""Ask the recorded questions with and without a model, and keep what came of each sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from zlib import crc32

from elysia_guard.domain.claim import Manuscript
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Comparison, Named
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.evaluation import quotes
from elysia_guard.evaluation.golden import Case
from elysia_guard.evaluation.recorded import Language
from elysia_guard.evaluation.recorded_facts import Fact
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.writing import Desk, Opening, Prover

SEED = 15
RIGHT_IN_HUNDRED = 95


class Way(StrEnum):
    """How the questions are answered."""

    INSTANT = "quotes alone"
    CODE = "written, code alone"
    OPINION = "written, with a second opinion"


LANGUAGES: dict[Way, Language] = {Way.CODE: "sources", Way.OPINION: "question"}
"""What a writer is asked to write in by default: code alone proves little of a translation."""


class Group(StrEnum):
    """What kind of answer a question wants."""

    COMPARISON = "comparisons, and of several named"
    PARTS = "two-part questions"
    OVERVIEW = "overviews (several documents)"
    ONE = "of one document"


@dataclass(frozen=True, kw_only=True)
class ScriptedOpinion:
    """A second opinion on sentences that are all right: a yes in 95 of 100, by its seed."""

    seed: int = SEED
    model_id: str = "scripted opinion"

    async def __call__(self, pairs: Sequence[tuple[str, str]], /, *, lang: Lang) -> Sequence[float]:
        """Return 1 or 0 for each pair."""
        drawn = (crc32(f"{self.seed} {text}".encode()) % 100 for text, _ in pairs)
        return [float(each < RIGHT_IN_HUNDRED) for each in drawn]


@dataclass(frozen=True, kw_only=True)
class WatchedDesk(Desk):
    """A desk that keeps what was written and proved."""

    seen: list[Manuscript] = field(default_factory=list)

    async def written(
        self,
        inquiry: Inquiry,
        prove: Prover,
        *,
        mode: Mode,
        ends: float,
        twice: bool = False,
        opening: Opening | None = None,
    ) -> Manuscript:
        """Have an answer written and proved, and keep it; see ``Desk.written``."""
        found = await super().written(
            inquiry, prove, mode=mode, ends=ends, twice=twice, opening=opening
        )
        self.seen.append(found)
        return found


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """A question, its response on one way, and what was written for it, where a model was asked."""

    case: Case
    group: Group
    response: RAGResponse
    manuscripts: tuple[Manuscript, ...] = ()
    facts: Sequence[Fact] = ()

    @property
    def cited(self) -> frozenset[str]:
        """The expected documents that the answer cites."""
        named = {source.doc_id for source in self.response.sources}
        return frozenset(named & set(self.case.expected.doc_ids))

    @property
    def told(self) -> int:
        """How many of the facts that answer it states."""
        return sum(each.is_stated(self.response) for each in self.facts)

    @property
    def share(self) -> float:
        """The share, 0 to 1, of the expected documents that it cites."""
        return len(self.cited) / len(self.case.expected.doc_ids)

    @property
    def asserted(self) -> bool:
        """Whether it is said without a hedge."""
        return self.response.outcome is ReplyOutcome.ASSERTED

    @property
    def written(self) -> bool:
        """Whether it is in a model's words."""
        return self.response.mode is not Mode.INSTANT and bool(self.response.written_by)

    @property
    def stated(self) -> bool | None:
        """Whether it holds, or rests on, the sentence that answers; None where none is named."""
        quote = self.case.expected.quote
        if not quote:
            return None
        said = (self.response.answer, *(source.quote for source in self.response.sources))
        return any(quotes.holds(text, quote) for text in said)


def desk_for(desk: Desk, way: Way) -> WatchedDesk:
    """Seat the writer of a desk anew: watched, and with the second opinion of the way."""
    opinion = ScriptedOpinion() if way is Way.OPINION else None
    return WatchedDesk(
        writer=desk.writer,
        verifier=opinion,
        deadline_s=desk.deadline_s,
        max_chars=desk.max_chars,
        supported_from=desk.supported_from,
        clock=desk.clock,
    )


async def ask(
    pipeline: Pipeline,
    cases: Sequence[Case],
    way: Way,
    facts: Mapping[str, Sequence[Fact]] = MappingProxyType({}),
    *,
    mode: Mode = Mode.AUTO,
) -> list[Answered]:
    """Ask all questions on one way, on the direct route; nothing is kept from one to the next.

    ``mode`` is that in which a model writes.
    """
    desk = desk_for(pipeline.desk, way) if pipeline.desk and way is not Way.INSTANT else None
    asked = replace(pipeline, desk=desk, verifier=None, memory=None)
    found = [await _answered(asked, case, desk, mode) for case in cases]
    return [replace(each, facts=facts.get(each.case.id, ())) for each in found]


async def _answered(
    pipeline: Pipeline, case: Case, desk: WatchedDesk | None, mode: Mode
) -> Answered:
    if desk:
        desk.seen.clear()
    inquiry = await pipeline.begin(
        case.query,
        request_id=f"recorded-{case.id}",
        route="direct",
        mode=mode if desk else Mode.INSTANT,
    )
    response = await pipeline.answer(inquiry)
    return Answered(
        case=case,
        group=group_of(case, inquiry),
        response=response,
        manuscripts=tuple(desk.seen) if desk else (),
    )


def group_of(case: Case, inquiry: Inquiry) -> Group:
    """Say what kind of answer a question wants, as it was read and by what answers it."""
    if inquiry.further:
        return Group.PARTS
    asks = inquiry.asks
    if isinstance(asks, Comparison) or (isinstance(asks, Named) and len(asks.references) > 1):
        return Group.COMPARISON
    return Group.OVERVIEW if len(case.expected.doc_ids) > 1 else Group.ONE
