"""Whether a question asks what a term means, and nothing of documents (IR0003, Gap A)."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.question import Lang, Question, Reference
from elysia_guard.domain.reading import Definition, Search
from elysia_guard.language.catalogue import say
from elysia_guard.language.identify import identify
from elysia_guard.language.kinds import kinds_named
from elysia_guard.language.preamble import without_preamble
from elysia_guard.language.references import find_references
from elysia_guard.language.text import clean, normalise, words
from elysia_guard.reading.listings import listing
from elysia_guard.reading.relations import relation
from elysia_guard.reading.spans import Span
from elysia_guard.reading.templates import by_template


def is_terminology_query(question: str, *, titles: Sequence[str] = ()) -> tuple[bool, str | None]:
    """Tell whether a question asks what a term means or how it stands to others, and which term.

    The term is in lower case.

    The exclusions come first: a number, a title or the word for a kind of documents beside the term
    makes it a question about documents, as a list does. The vocabulary is not asked.

    Args:
        question: in any language that is known.
        titles: of documents, as far as they are known.

    >>> is_terminology_query("What is CIMXML?"), is_terminology_query("What is CIMXML in ADR-13?")
    ((True, 'cimxml'), (False, None))
    """
    lang = identify(clean(question))
    text = without_preamble(clean(question), lang)
    form = by_template(Question(text=text, lang=lang, request_id=""), ())
    asks = form.asks if form else None
    term = asks.term if isinstance(asks, Definition | Search) else ""
    related = None if term else relation(text, lang=lang)
    # 'synonyms of our decisions' are of no term, as nobody knows here what terms there are.
    known, term = ([term], term) if related is None else ([], related[1])
    titled = any(normalise(title) in normalise(_beside(text, known)) for title in titles)
    if not term or titled or names_documents(text, lang, known) or listing(text, lang=lang):
        return False, None
    return True, normalise(term)


def names_documents(
    text: str,
    lang: Lang,
    terms: Sequence[str],
    spans: Sequence[Span] = (),
    *,
    one_too: bool = True,
) -> bool:
    """Tell whether a question names documents beside its terms: by number, title or kind.

    Args:
        text: one question.
        lang: its language.
        terms: as they are written in it.
        spans: the terms and documents that stand in it.
        one_too: whether 'document' names them as 'documents' does: 'CIM is in every document, what
            is it?' asks for a term.
    """
    beside = _beside(text, terms)
    meant = (
        each for span in spans if beside[span.start : span.end].strip() for each in span.candidates
    )
    kinds = {
        say(lang, "list.document_many"),
        *([say(lang, "list.document_one")] if one_too else ()),
    }
    return (
        any(isinstance(each, Reference) for each in meant)
        or bool(find_references(beside) or kinds_named(beside))
        or not kinds.isdisjoint(words(beside))
    )


def _beside(text: str, terms: Sequence[str]) -> str:
    """What stands beside terms, all in its place."""
    for term in terms:
        text = text.replace(term, " " * len(term)) if term else text
    return text
