"""Which sentences answer best: a weighted sum of what is measured of each, best first.

Measured is how near a sentence is, what it covers, and where it stands. The weights are a
conditional logistic model of which of all sentences at hand is one that answers, fitted on
questions whose answering sentence is known (`docs/internals/tried.md`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from operator import attrgetter, mul
from typing import Final, NamedTuple

from elysia_guard.domain.calibration import saturate
from elysia_guard.domain.document import Hit, Passage, SectionRole
from elysia_guard.domain.question import OF_ASPECT, Aspect
from elysia_guard.language.answer_types import AnswerType, holds
from elysia_guard.language.coverage import QueryTerms, SentenceDegrees
from elysia_guard.language.sentences import is_item, laid_out, spans
from elysia_guard.language.sides import Side, side_told

NEARNESS: Final = ("nearness", "beside", "passage_nearness")
"""The measures of what was compared with a question by meaning; 0 where nothing was."""
ROLES: Final = {
    "substance": (SectionRole.SUBSTANCE,),
    "background": (SectionRole.CONTEXT,),
    "options": (SectionRole.OPTIONS,),
    "rationale": (SectionRole.RATIONALE, SectionRole.DRIVERS),
    "consequences": (SectionRole.CONSEQUENCES, SectionRole.IMPLICATIONS),
}
"""The parts of a document that a sentence may stand in, by the measure that is then 1."""
NAMES: Final = (
    *("context", "own", "passage", "heading", "focus"),
    *NEARNESS,
    "lexical",
    *ROLES,
    *("aspect", "holds", "lacks", "length", "long", "labelled"),
)
"""The measures, in the order of ``MeasuredSentence.values``."""
FITTED: Final = files("elysia_guard.stages.answering") / "sentence_weights.json"

LONG = 45
"""Words; a sentence beyond that says much beside what is asked."""
_LABEL = re.compile(r"[^:]{1,38}: ")
_SMOOTHED = 3
"""Words that every sentence counts as longer, so that the shortest do not win by length alone."""


class SimilaritySpread(NamedTuple):
    """Mean and deviation of the similarities of all sentences that a search has compared."""

    mean: float
    deviation: float

    def of(self, distance: float | None) -> float:
        """How many deviations what is so far away lies above the mean; 0 where that is unknown."""
        return 0.0 if distance is None else (1.0 - distance - self.mean) / self.deviation


@dataclass(frozen=True, kw_only=True, slots=True)
class Sought:
    """What the sentences are held against: words, kinds of things, the aspect, the similarities."""

    terms: QueryTerms
    things: frozenset[AnswerType]
    aspect: Aspect
    spread: SimilaritySpread | None


class SentenceWeights(NamedTuple):
    """What each measure counts, in the order of ``NAMES``.

    ``compared`` is for where sentences were compared by meaning, the other where words
    alone tell.
    """

    compared: tuple[float, ...]
    words_alone: tuple[float, ...]


class MeasuredSentence(NamedTuple):
    """A sentence with its measures, and the short line that introduces it as an item of a list.

    ``score`` are its log-odds against the others of its search.
    """

    hit: Hit
    place: int
    text: str
    lead: str
    values: tuple[float, ...]
    score: float

    @property
    def passage(self) -> Passage:
        """Where it stands."""
        return self.hit.passage

    @property
    def side(self) -> Side | None:
        """Whether it is marked as speaking for or against its matter."""
        return side_told(self.text, self.lead, self.passage.section.rpartition(" > ")[2])

    @property
    def covers(self) -> bool:
        """Whether it shares a content word with the question, or a word that means alike."""
        return self.values[NAMES.index("focus")] > 0


class _Shape(NamedTuple):
    """What a sentence is by itself: what it costs to tell is paid once a passage."""

    text: str
    span: int
    lead: int | None
    words: int
    traits: tuple[float, ...]


def spread(hits: Sequence[Hit]) -> SimilaritySpread | None:
    """Tell how the similarities of some hits' sentences lie; None where none is known."""
    far = [
        item
        for hit in hits
        if hit.distance is not None
        for item in hit.sentence_distances or (hit.distance,)
    ]
    if not far:
        return None
    mean = math.fsum(far) / len(far)
    deviation = math.sqrt(math.fsum((item - mean) ** 2 for item in far) / len(far))
    return SimilaritySpread(1.0 - mean, deviation or 1.0)


def ranked(hits: Iterable[Hit], sought: Sought) -> list[MeasuredSentence]:
    """Return the sentences of some hits, the best first; ties keep the order of the hits."""
    found = (item for hit in hits for item in measured(hit, sought))
    return sorted(found, key=attrgetter("score"), reverse=True)


@cache
def fitted() -> SentenceWeights:
    """Read the weights that ship with the guard."""
    read = json.loads(FITTED.read_text(encoding="utf-8"))
    each = ([read[name].get(measure, 0.0) for measure in NAMES] for name in SentenceWeights._fields)
    return SentenceWeights(*map(tuple, each))


def measured(hit: Hit, sought: Sought) -> Iterator[MeasuredSentence]:
    """Measure the sentences of a passage; questions that a document asks itself are none."""
    passage, terms = hit.passage, sought.terms
    shapes, weights = _shapes(passage), fitted().compared if sought.spread else fitted().words_alone
    degrees = terms.degrees_by(passage)
    near = _nearness(shapes, hit, sought.spread)
    here = (
        terms.share(degrees.covered),
        terms.coverage(passage.section.rpartition(" > ")[2], passage.document.lang),
        sought.spread.of(hit.nearest) if sought.spread else 0.0,
        saturate(hit.lexical or 0.0),
        *(float(passage.role in roles) for roles in ROLES.values()),
        float(passage.role in OF_ASPECT.get(sought.aspect, ())),
    )
    for place, shape in enumerate(shapes):
        if not shape.text.endswith("?"):
            values = _values(place, shape, degrees, near, here, sought)
            lead = "" if shape.lead is None else shapes[shape.lead].text
            score = sum(map(mul, weights, values))
            yield MeasuredSentence(hit, place, shape.text, lead, values, score)


def _values(
    place: int,
    shape: _Shape,
    degrees: SentenceDegrees,
    near: Sequence[float],
    here: Sequence[float],
    sought: Sought,
) -> tuple[float, ...]:
    terms, things = sought.terms, sought.things
    own = degrees.sentences[place]
    lead = own if shape.lead is None else degrees.sentences[shape.lead]
    context = terms.share([max(each) for each in zip(own, lead, degrees.above, strict=True)])
    whole, heading, passage_near, *rest = here
    held = any(holds(shape.text, thing) for thing in things)
    return (
        context,
        context - terms.share(degrees.above),
        whole,
        heading,
        terms.share(own) * terms.weight / math.sqrt(shape.words + _SMOOTHED),
        near[place],
        max((*near[max(place - 1, 0) : place], *near[place + 1 : place + 2]), default=0.0),
        passage_near,
        *rest,
        float(held),
        float(bool(things) and not held),
        *shape.traits,
    )


def _nearness(shapes: Sequence[_Shape], hit: Hit, found: SimilaritySpread | None) -> list[float]:
    """How near each sentence is, in deviations; that of its passage where it was not compared."""
    if found is None or hit.distance is None:
        return [0.0] * len(shapes)
    each = hit.sentence_distances
    if not shapes or len(each) != shapes[-1].span + 1:
        return [found.of(hit.distance)] * len(shapes)
    return [found.of(each[shape.span]) for shape in shapes]


@lru_cache(maxsize=4_000)
def _shapes(passage: Passage) -> tuple[_Shape, ...]:
    found = laid_out(passage.text, passage.document.lang)
    places = chain.from_iterable(
        [at] * (span.stop - span.start)
        for at, span in enumerate(spans([unit.text for unit in found]))
    )
    shapes: list[_Shape] = []
    for (text, _, lead), span in zip(found, places, strict=True):
        count = len(text.split()) - is_item(text)
        traits = (math.log(count + 1), float(count > LONG), float(bool(_LABEL.match(text))))
        shapes.append(_Shape(text, span, lead, count, traits))
    return tuple(shapes)
