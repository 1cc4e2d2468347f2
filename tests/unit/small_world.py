"""A few documents, a small vocabulary, and a pipeline over working fakes, for unit tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tests.tables import table

from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.context import RequestContext
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, DocumentKind, Hit, Passage, SectionRole
from elysia_guard.domain.events import Event
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Lang, Question
from elysia_guard.domain.reading import Asks, Definition, Part, Search
from elysia_guard.domain.refusal import Outcome, Verdict
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import EVERYTHING, CollectionScope
from elysia_guard.domain.thresholds import Limits, Thresholds
from elysia_guard.language.identify import identify
from elysia_guard.pipeline import Pipeline
from elysia_guard.ports import Embedder, IntentModel, PassageIndex, TerminologySource
from elysia_guard.reading.by_mention import by_mention
from elysia_guard.reading.forms import read_form
from elysia_guard.running import run_anywhere
from elysia_guard.testing.clock import FakeClock
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology

DECISION, PRINCIPLE, POLICY = DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY
COLLECTIONS: Mapping[DocumentKind, str] = {
    DECISION: "ADR_Ollama",
    PRINCIPLE: "Principle_Ollama",
    POLICY: "Policy_Ollama",
    DocumentKind.DOCUMENT: "Document_Ollama",
}
SURE = Calibration(intercept=5.0, similarity=0.0, coverage=0.0, lexical=0.0)
"""A calibration that is always confident: the other gates decide."""
LIMITS = Limits(
    distance_threshold=0.9,
    min_query_coverage=0.5,
    calibration=SURE,
    source="collections.ADR_Ollama",
)
THRESHOLDS = Thresholds(default=LIMITS)


def document(
    kind: DocumentKind,
    number: int | None,
    title: str,
    *sections: tuple[SectionRole, str],
    approval: bool = False,
    status: str = "accepted",
    lang: str = "en",
    superseded_by: str = "",
    date: str = "2026-01-01",
    owner: str = "The board",
) -> list[Passage]:
    """Make a document of some sections, each one passage."""
    id_ = f"{kind.prefix}-{number or 0:04d}{'D' if approval else ''}"
    made = Document(
        id=id_,
        kind=kind,
        number=number,
        approval=approval,
        title=title,
        status=status,
        lang=lang,
        path=f"{kind.value}s/{id_}.md",
        sha256="0" * 64,
        identifier="" if number is None else id_,
        date=date,
        owner=owner,
        superseded_by=superseded_by,
    )
    return [
        Passage(
            id=f"{id_}#{position}",
            document=made,
            section=role.value.title(),
            text=text,
            position=position,
            role=role,
        )
        for position, (role, text) in enumerate(sections)
    ]


S = SectionRole
KNOWLEDGE: tuple[Passage, ...] = tuple(
    passage
    for row in table("small_world")
    for passage in document(
        DocumentKind(row.pop("kind")),
        row.pop("number"),
        row.pop("title"),
        *((S(role), text) for role, text in row.pop("sections")),
        **row,
    )
)


def passage(id_: str) -> Passage:
    """Return one passage of the knowledge base: 'ADR-0012#2'."""
    return next(item for item in KNOWLEDGE if item.id == id_)


def named(id_: str) -> Document:
    """Return one document of the knowledge base."""
    return passage(f"{id_}#0").document


def elsewhere(title: str, text: str) -> Passage:
    """Return a passage that no index of ours holds."""
    document = Document(id=title, kind=DocumentKind.DOCUMENT, title=title, path="query", sha256="")
    return Passage(id=f"{title}#0", document=document, section="", text=text, position=0)


def hit(
    id_: str, *, distance: float | None = 0.3, lexical: float | None = 5.0, score: float = 1.0
) -> Hit:
    """Make a hit of one passage."""
    return Hit(passage=passage(id_), score=score, distance=distance, lexical=lexical)


def question(text: str, lang: Lang = "en", kind: DocumentKind | None = None) -> Question:
    """Make a question."""
    scope = CollectionScope.of_kind(kind) if kind else EVERYTHING
    return Question(text=text, lang=lang, request_id="req-1", scope=scope)


def read(text: str, lang: Lang | None = None, kind: DocumentKind | None = None) -> Asks:
    """Read what a question asks by its form alone, in the language that it seems to be in."""
    asked = question(text, lang or identify(text), kind)
    return (by_mention(asked, ()) or read_form(asked)).asks


def term_of(asks: Asks) -> str | None:
    """The term that is looked up, if any."""
    return asks.term or None if isinstance(asks, Definition | Search) else None


def inquiry(
    text: str,
    *,
    asks: Asks | None = None,
    lang: Lang = "en",
    evidence: Evidence | None = None,
    verdict: Verdict | None = None,
) -> Inquiry:
    """Make an inquiry that stands where a test wants it."""
    return Inquiry(
        question=question(text, lang),
        part=Part(asks=asks or Search(topic=text), text=text, reason="a test says so"),
        context=RequestContext(request_id="req-1", route="direct", clock=lambda: 0.0),
        evidence=evidence or Evidence(looked_at=("decision",)),
        verdict=verdict,
    )


def verdict(outcome: Outcome = Outcome.ANSWER, **values: object) -> Verdict:
    """Make a verdict."""
    return Verdict(**{"outcome": outcome, "confidence": 0.9, **values})  # type: ignore[arg-type]


def index(
    passages: Sequence[Passage] = KNOWLEDGE, embedder: HashEmbedder | None = None
) -> FakeIndex:
    """Index passages in memory."""
    return run_anywhere(FakeIndex.build(passages, embedder or HashEmbedder()))


class World:
    """A pipeline over fakes, with handles on each: turn one off and ask."""

    def __init__(
        self,
        *,
        passages: Sequence[Passage] = KNOWLEDGE,
        thresholds: Thresholds = THRESHOLDS,
        terminology: TerminologySource | None = None,
        embedder: Embedder | None = None,
        made_index: PassageIndex | None = None,
    ) -> None:
        self.clock = FakeClock()
        self.events: list[Event] = []
        self.embedder = embedder or HashEmbedder()
        self.index = made_index or index(passages)
        self.terminology = terminology or FakeTerminology(CONCEPTS, name="Test")
        self.pipeline = Pipeline(
            terminology=self.terminology,
            index=self.index,
            embedder=self.embedder,
            thresholds=thresholds,
            collections=COLLECTIONS,
            vocabulary_collection="Vocabulary_Ollama",
            clock=self.clock,
            observe=self.events.append,
        )

    def hear(self, intents: IntentModel) -> None:
        """Ask a model what is asked where no form says so."""
        self.pipeline = replace(self.pipeline, intents=intents)

    def begin(
        self,
        text: str,
        kind: DocumentKind | None = None,
        conversation: Conversation | None = None,
    ) -> Inquiry:
        """Read a question."""
        return run_anywhere(
            self.pipeline.begin(
                text,
                request_id="req-1",
                route="direct",
                scope=CollectionScope.of_kind(kind) if kind else EVERYTHING,
                conversation=conversation,
            )
        )

    def ask(
        self,
        text: str,
        kind: DocumentKind | None = None,
        conversation: Conversation | None = None,
    ) -> RAGResponse:
        """Ask a question and wait for the response."""
        return self.reply(self.begin(text, kind, conversation))

    def reply(self, inquiry: Inquiry) -> RAGResponse:
        """Wait for the response to a question that was read."""
        return run_anywhere(self.pipeline.answer(inquiry))


def cited(response: RAGResponse) -> list[str]:
    """The documents that a response cites, in order, each once."""
    return list(dict.fromkeys(source.doc_id for source in response.sources))
