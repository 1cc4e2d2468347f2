"""What a draft cites, numbered as it is cited, and quotes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from elysia_guard.domain.concept import Concept, RelatedConcept
from elysia_guard.domain.document import Document, DocumentKind, Hit, Passage
from elysia_guard.domain.draft import Cited
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import Source
from elysia_guard.language.states import State

CollectionOf = Callable[[DocumentKind | None], str]


@dataclass(kw_only=True)
class CitedSources:
    """Numbers sources as they are cited, one number a document section or concept."""

    collection: CollectionOf
    lang: Lang
    sources: list[Source] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    cited: list[Cited] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def cite(self, passage: Passage, quote: str, hit: Hit | None = None) -> int:
        """Return the number of a passage, adding it as a source at its first quote."""
        if passage.id not in self.numbers:
            self.numbers[passage.id] = self._add_document(
                passage.text,
                Cited(of=passage.document, altered=passage.altered),
                passage.document,
                quote=quote.strip(),
                section=passage.section,
                distance=hit.distance if hit else None,
                lexical=hit.lexical if hit else None,
            )
        return self.numbers[passage.id]

    def cite_document(self, document: Document) -> int:
        """Return the number of a document cited for what its metadata say."""
        cited = Cited(of=document, stated=True)
        return self._add_document(document.stated, cited, document, quote=document.title)

    def cite_concept(
        self, concept: Concept, quote: str, lang: Lang, related: Sequence[RelatedConcept] = ()
    ) -> int:
        """Return the number of a concept; ``related`` are those that are named beside it."""
        return self._add(
            concept.stated,
            Cited(of=concept),
            doc_type="Vocabulary",
            doc_id=concept.uri,
            title=concept.label(lang),
            collection=self.collection(None),
            quote=quote,
            section=concept.vocabulary_title or concept.vocabulary,
            location=concept.uri,
            status=str(State.DEPRECATED) if concept.deprecated else "",
            lang=lang,
            related=tuple(related),
        )

    def _add_document(self, origin: str, cited: Cited, document: Document, **values: object) -> int:
        return self._add(
            origin,
            cited,
            doc_type=document.doc_type,
            doc_id=document.id,
            title=document.title,
            collection=self.collection(document.kind),
            location=document.path,
            status=document.status,
            date=document.date,
            lang=document.lang,
            **values,
        )

    def _add(self, origin: str, cited: Cited, **values: object) -> int:
        number = len(self.sources) + 1
        self.sources.append(Source(n=number, **values))  # type: ignore[arg-type]
        self.origins.append(origin)
        self.cited.append(cited)
        return number


def heading(document: Document) -> str:
    """The line above what a document says: its name, title, status and date."""
    state = ", ".join(item for item in (document.status, document.date) if item)
    return f"**{document.heading}**" + (f" ({state})" if state else "")
