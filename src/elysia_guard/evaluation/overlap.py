"""How alike two passage indexes answer the same searches: over one golden set, with one model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elysia_guard.domain.document import Filters, Hit
from elysia_guard.evaluation.golden import Case
from elysia_guard.ports import Embedder, PassageIndex

LIMIT = 10
SHOWN = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """What two indexes found for one question."""

    case_id: str
    left: tuple[Hit, ...]
    right: tuple[Hit, ...]

    @property
    def shared(self) -> set[str]:
        """The passages that both found."""
        return _ids(self.left) & _ids(self.right)

    @property
    def overlap(self) -> float:
        """The share of passages that both found; 1 where neither found any."""
        most = max(len(self.left), len(self.right))
        return len(self.shared) / most if most else 1.0

    @property
    def same_first(self) -> bool:
        """Whether the same passage comes first."""
        return [hit.passage.id for hit in self.left[:1]] == [
            hit.passage.id for hit in self.right[:1]
        ]

    @property
    def same_order(self) -> bool:
        """Whether both found the same, in the same order."""
        return [hit.passage.id for hit in self.left] == [hit.passage.id for hit in self.right]

    @property
    def distance_error(self) -> float:
        """The greatest difference of two distances to one passage; one that is missing counts 2."""
        return max((_apart(a.distance, b.distance, 2.0) for a, b in self._pairs), default=0.0)

    @property
    def lexical_error(self) -> float:
        """The greatest difference of two scores of one passage."""
        return max((_apart(a.lexical, b.lexical, 0.0) for a, b in self._pairs), default=0.0)

    @property
    def _pairs(self) -> list[tuple[Hit, Hit]]:
        right = {hit.passage.id: hit for hit in self.right}
        return [(hit, right[hit.passage.id]) for hit in self.left if hit.passage.id in right]


async def compare(
    cases: Sequence[Case], left: PassageIndex, right: PassageIndex, embedder: Embedder
) -> list[Comparison]:
    """Search both for each question, by the same words and the same vector."""
    found = []
    for case in cases:
        vector = await embedder.embed_question(case.query)
        hits = [
            tuple(await index.search(case.query, vector, filters=Filters(), limit=LIMIT))
            for index in (left, right)
        ]
        found.append(Comparison(case_id=case.id, left=hits[0], right=hits[1]))
    return found


def render(found: Sequence[Comparison], *, left: str, right: str) -> str:
    """Say in how far they agree, and where they agree least."""
    count = len(found)
    lines = [
        f"{left} and {right}: the {LIMIT} best passages of {count} questions",
        f"overlap            {_mean([each.overlap for each in found]):.4f}",
        f"same first         {_mean([each.same_first for each in found]):.4f}",
        f"same order         {_mean([each.same_order for each in found]):.4f}",
        f"distances differ   {_most([each.distance_error for each in found])} at most",
        f"BM25 differs       {_most([each.lexical_error for each in found])} at most",
    ]
    worst = sorted((each for each in found if each.overlap < 1), key=lambda each: each.overlap)
    if worst:
        named = ", ".join(f"{each.case_id} {each.overlap:.2f}" for each in worst[:SHOWN])
        lines.append(f"least alike        {named}")
    return "\n".join(lines)


def _ids(hits: Sequence[Hit]) -> set[str]:
    return {hit.passage.id for hit in hits}


def _apart(a: float | None, b: float | None, missing: float) -> float:
    if a is None or b is None:
        return 0.0 if a is b else max(missing, a or 0.0, b or 0.0)
    return abs(a - b)


def _most(values: Sequence[float]) -> str:
    return f"{max(values, default=0.0):.1e}"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0
