"""The questions that limits are tuned on, asked once: what their judgement needs is kept.

They are the tuning halves of our sets, and never the others. A question that goes to a search keeps
its passages, measured as the gates do, to be learnt from and to be judged again under other limits.
No limit that is tuned decides the others (terms, named documents, lists), so they keep the reply
they got.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from elysia_guard.domain.calibration import NONE, Signals, covered_matter, rank, saturate
from elysia_guard.domain.document import DocumentKind, Hit
from elysia_guard.domain.errors import QuestionError, SourceUnavailableError
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.reading import topic_of
from elysia_guard.domain.response import Source
from elysia_guard.evaluation import golden, retrieval_set
from elysia_guard.evaluation.golden import Category, Split
from elysia_guard.evaluation.runner import Progress
from elysia_guard.evaluation.scoring import SEARCHED
from elysia_guard.language.coverage import asked_of
from elysia_guard.pipeline import Pipeline
from elysia_guard.stages.gates.signals import signals

RETRIEVAL = frozenset(
    {
        Category.NON_TERMINOLOGY_DEFINE,
        Category.ADR_RETRIEVAL,
        Category.PRINCIPLE_RETRIEVAL,
        Category.POLICY_RETRIEVAL,
        Category.SEMANTIC_SEARCH,
        Category.CROSS_COLLECTION,
    }
)
"""The categories whose questions may be answered by a search."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedQuestion:
    """A question, and the documents or concepts of which any one answers; none if nothing does.

    ``learnt_from`` says whether the confidence model may learn from the passages it finds.
    ``quote`` holds the sentences that answer, where they are named; ``about`` the documents that it
    is asked of, whether they answer or not, where that is known.
    """

    id: str
    query: str
    expected: frozenset[str]
    learnt_from: bool = True
    quote: str = ""
    about: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Questions:
    """The tuning half of one set: its name, its questions, and the git blob hash of its file."""

    name: str
    asked: tuple[RecordedQuestion, ...]
    blob_hash: str


def from_golden(path: Path) -> Questions:
    """Read the tuning half of a golden set.

    Raises:
        GoldenSetError: it cannot be used.
    """
    found = golden.load(path)
    asked = tuple(
        RecordedQuestion(
            id=case.id,
            query=case.query,
            expected=frozenset(case.expected.doc_ids),
            learnt_from=case.category in RETRIEVAL,
            quote=case.expected.quote or "",
        )
        for case in found.select(Split.TUNING)
    )
    return Questions(name="golden", asked=asked, blob_hash=found.blob_hash)


def from_retrieval(path: Path) -> Questions:
    """Read the tuning half of a set of retrieval questions.

    Raises:
        SetError: it cannot be used.
    """
    found = retrieval_set.load(path)
    asked = tuple(
        RecordedQuestion(id=case.id, query=case.query, expected=frozenset(case.documents))
        for case in found.cases
        if case.split is Split.TUNING
    )
    return Questions(name="retrieval", asked=asked, blob_hash=found.blob_hash)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A passage found for a question, with its measures; ``lexical`` is saturated."""

    case_id: str
    collection: str
    similarity: float
    coverage: float
    lexical: float
    positive: bool
    matter: float = 0.0
    signals: Signals = NONE
    order: float | None = None
    """What it is ordered by among those of its question; by its chance where nothing is said."""

    @property
    def inputs(self) -> tuple[float, ...]:
        """What the confidence model looks at, in the order of its coefficients."""
        return *self.by_words, self.similarity

    @property
    def by_words(self) -> tuple[float, ...]:
        """The same without what a vector is needed for."""
        return self.coverage, self.lexical, self.matter, *self.signals.values


Measured = Sequence[tuple[Hit, Sample]]
Measure = Callable[[RecordedQuestion, Inquiry, Mapping[DocumentKind, str]], Measured]
"""Takes the measures of each passage that a search found for a question."""


async def samples(
    pipeline: Pipeline, questions: Sequence[RecordedQuestion], *, measure: Measure | None = None
) -> list[Sample]:
    """Search for every question that is learnt from; measure what was found as the gates do."""
    found: list[Sample] = []
    for question in questions:
        if not question.learnt_from:
            continue
        inquiry = await pipeline.begin(
            question.query, request_id=f"fit-{question.id}", route="direct"
        )
        if inquiry.asks.kind not in SEARCHED:
            continue
        await pipeline.gather(inquiry)
        if not inquiry.evidence.matches:
            passages = (measure or measured)(question, inquiry, pipeline.collections)
            found.extend(sample for _, sample in passages)
    return found


def measured(
    question: RecordedQuestion, inquiry: Inquiry, collections: Mapping[DocumentKind, str]
) -> list[tuple[Hit, Sample]]:
    """Measure each passage found as the gates do; one without a true distance passes none."""
    return [
        (hit, _alike(sample, hit, 1.0 - hit.nearest))
        for hit, sample in by_words(question, inquiry, collections)
        if hit.nearest is not None
    ]


def _alike(sample: Sample, hit: Hit, similarity: float) -> Sample:
    order = rank(similarity=similarity, coverage=sample.coverage, lexical=hit.lexical or 0.0)
    return replace(sample, similarity=similarity, order=order)


def by_words(
    question: RecordedQuestion, inquiry: Inquiry, collections: Mapping[DocumentKind, str]
) -> list[tuple[Hit, Sample]]:
    """Measure each passage found as the gates do, except for the likeness of its meaning."""
    evidence, asked = inquiry.evidence, inquiry.question
    terms = asked_of(evidence, topic_of(inquiry.asks) or asked.text, asked.lang)
    if not terms.words:
        return []
    known = signals(terms, evidence.hits, asked.text)
    found = []
    for hit in evidence.hits:
        coverage, document = terms.coverage_by(hit.passage), hit.passage.document
        sample = Sample(
            case_id=question.id,
            collection=collections.get(document.kind, ""),
            similarity=0.0,
            coverage=coverage,
            lexical=saturate(hit.lexical or 0.0),
            matter=covered_matter(coverage, terms.weight),
            signals=known[document.id],
            order=rank(similarity=0.0, coverage=coverage, lexical=hit.lexical or 0.0),
            positive=document.id in question.expected,
        )
        found.append((hit, sample))
    return found


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedSearch:
    """What a search found for a question, each passage as the gates measure it."""

    inquiry: Inquiry
    passages: tuple[tuple[Hit, Sample], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedReply:
    """What became of a question, as scoring counts it; a question back is a refusal.

    ``cited`` are the collections that the answer cites.
    """

    answered: bool = False
    wrong_answer: bool = False
    wrong_refusal: bool = False
    cited: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedSearch:
    """A question that was asked.

    ``answering`` are the collections of the documents that answer. ``reply`` is what became of it;
    where a search was made, the refusal that stands unless a passage passes the gates.
    """

    question: RecordedQuestion
    answering: frozenset[str]
    reply: RecordedReply
    search: RecordedSearch | None = None

    def replied(self, sources: Sequence[Source]) -> RecordedReply:
        """Return the reply of an answer that cites these."""
        right = any(source.doc_id in self.question.expected for source in sources)
        cited = frozenset(source.collection for source in sources)
        return RecordedReply(answered=True, wrong_answer=not right, cited=cited)


async def record(
    pipeline: Pipeline, questions: Sequence[RecordedQuestion], *, progress: Progress | None = None
) -> tuple[AskedSearch, ...]:
    """Ask every question once through the direct route.

    Raises:
        SourceUnavailableError: the index or the embedder was down: nothing can be tuned on that.
    """
    found = []
    for done, question in enumerate(questions, start=1):
        found.append(await _ask(pipeline, question))
        if progress:
            progress(done, len(questions))
    return tuple(found)


async def _ask(pipeline: Pipeline, question: RecordedQuestion) -> AskedSearch:
    refused = AskedSearch(
        question=question,
        answering=frozenset(collection_of(pipeline, item) for item in question.expected),
        reply=RecordedReply(wrong_refusal=bool(question.expected)),
    )
    try:
        inquiry = await pipeline.begin(
            question.query, request_id=f"tune-{question.id}", route="direct"
        )
    except QuestionError:
        return refused
    if inquiry.verdict is None:
        await pipeline.gather(inquiry)
        _require_sources(question, inquiry)
        if inquiry.asks.kind in SEARCHED and not inquiry.evidence.matches:
            passages = measured(question, inquiry, pipeline.collections)
            return replace(
                refused, search=RecordedSearch(inquiry=inquiry, passages=tuple(passages))
            )
        pipeline.judge(inquiry)
    response = await pipeline.conclude(inquiry)
    if response.refusal_reason is not None:
        return refused
    return replace(refused, reply=refused.replied(response.sources))


def _require_sources(question: RecordedQuestion, inquiry: Inquiry) -> None:
    for name, down in (
        ("index", any(item.source == "index" for item in inquiry.evidence.missing)),
        ("embedder", "bm25_only" in inquiry.evidence.fallbacks),
    ):
        if down:
            raise SourceUnavailableError(
                f"the {name} could not be asked for {question.id}; nothing is tuned on part of the"
                " evidence, so try again once it is back",
                source=name,
            )


def collection_of(pipeline: Pipeline, id_: str) -> str:
    """Name the collection of a document by its id, or the vocabulary for a concept."""
    kinds = {kind.prefix: kind for kind in STANDING_KINDS}
    kind = kinds.get(id_.partition("-")[0])
    return pipeline.collections.get(kind, "") if kind else pipeline.vocabulary_collection
