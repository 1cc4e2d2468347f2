"""What a draft cites, numbered as it is cited, and quotes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from elysia_guard.domain.concept import Concept, RelatedConcept
from elysia_guard.domain.document import Document, DocumentKind, Hit, Passage
from elysia_guard.domain.draft import Cited, Quote
from elysia_guard.domain.question import (
    Lang,
)
from elysia_guard.domain.response import Source
from elysia_guard.language.sentences import units
from elysia_guard.language.states import State

CollectionOf = Callable[[DocumentKind | None], str]

MAX_QUOTED_CHARS = 1_200


@dataclass(kw_only=True)
class Sources:
    """Numbers sources as they are cited, one number a document section or concept."""

    collection: CollectionOf
    lang: Lang
    sources: list[Source] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    cited: list[Cited] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def cite(self, passage: Passage, quote: str, hit: Hit | None = None) -> int:
        """Return the number of a passage, adding it as a source at its first quote."""
        return self._cite(passage.id, passage, quote, hit)

    def cite_words(self, passage: Passage, quote: str, hit: Hit | None = None) -> int:
        """Return the number of some words of a passage: other words of it are another source."""
        return self._cite(f"{passage.id}\n{quote}", passage, quote, hit)

    def _cite(self, key: str, passage: Passage, quote: str, hit: Hit | None) -> int:
        if key not in self.numbers:
            document = passage.document
            self.numbers[key] = self._add(
                passage.text,
                Cited(of=document, altered=passage.altered),
                doc_type=document.doc_type,
                doc_id=document.id,
                title=document.title,
                collection=self.collection(document.kind),
                quote=quote,
                section=passage.section,
                location=document.path,
                status=document.status,
                date=document.date,
                lang=document.lang,
                distance=hit.distance if hit else None,
                lexical=hit.lexical if hit else None,
            )
        return self.numbers[key]

    def cite_document(self, document: Document) -> int:
        """Return the number of a document cited for what its metadata say."""
        return self._add(
            document.stated,
            Cited(of=document, stated=True),
            doc_type=document.doc_type,
            doc_id=document.id,
            title=document.title,
            collection=self.collection(document.kind),
            quote=document.title,
            section="",
            location=document.path,
            status=document.status,
            date=document.date,
            lang=document.lang,
        )

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

    def _add(self, origin: str, cited: Cited, **values: object) -> int:
        number = len(self.sources) + 1
        self.sources.append(Source(n=number, **values))  # type: ignore[arg-type]
        self.origins.append(origin)
        self.cited.append(cited)
        return number


def units_of(passage: Passage) -> tuple[str, ...]:
    """The sentences of a passage, by the rules of its language."""
    return units(passage.text, passage.document.lang)


def quotes_of(
    chosen: Sequence[tuple[Passage, str]],
    sources: Sources,
    hits: Mapping[str, Hit] | None = None,
    *,
    times: int = 1,
) -> tuple[Quote, ...]:
    """Turn units into quotes until the answer is long enough; the first is always kept."""
    quotes: list[Quote] = []
    length = 0
    for passage, unit in chosen:
        if quotes and length + len(unit) > times * MAX_QUOTED_CHARS:
            break
        hit = (hits or {}).get(passage.id)
        quotes.append(Quote(text=unit, source=sources.cite(passage, unit, hit)))
        length += len(unit)
    return tuple(quotes)


def heading(document: Document) -> str:
    """The line above what a document says: its name, title, status and date."""
    name = f"{document.identifier}: " if document.identifier else ""
    state = ", ".join(item for item in (document.status, document.date) if item)
    return f"**{name}{document.title}**" + (f" ({state})" if state else "")
