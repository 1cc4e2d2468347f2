"""Documents told from others by what they say: 'the TLS one', 'die over toegang'."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Reference
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import stems
from elysia_guard.reading.followups.focus import Antecedent, Talk
from elysia_guard.reading.followups.mention import Mention
from elysia_guard.reading.followups.text import Said


def found(
    said: Said, mention: Mention, talk: Talk, documents: Sequence[Document]
) -> tuple[Antecedent, ...]:
    """Return the one document whose title says what a text describes, of those spoken of first.

    None where several do, or none.
    """
    telling = [
        word
        for word in said.low[mention.first : mention.end]
        if said.pack.is_content(word) and not said.pack.has("refers.selected", word)
    ]
    spoken = {item.key for item in talk.all_documents()}
    kinds = {item.kind for item in talk.all_documents()} | set(talk.last.kinds if talk.last else ())
    known = [each for each in documents if each.number is not None and not each.approval]
    near = [each for each in known if antecedent(each).key in spoken]
    alike = [each for each in known if each.kind in kinds]
    for among in (near, alike):
        fitting = [each for each in among if telling and _tells(each, telling)]
        if len(fitting) == 1:
            return (antecedent(fitting[0]),)
        if fitting:
            return ()
    return ()


def antecedent(document: Document) -> Antecedent:
    """Name a document that has a number."""
    return Antecedent.of(
        Reference(
            number=document.number or 0,
            written=document.name,
            kind=document.kind,
            approval=document.approval,
        )
    )


def document_of(item: Antecedent, documents: Iterable[Document]) -> Document | None:
    """Return the document that is spoken of."""
    return next(
        (
            each
            for each in documents
            if each.number is not None and antecedent(each).key == item.key
        ),
        None,
    )


def owner_of(document: Document) -> str:
    """Return who owns a document, or else drove its last approval; empty where neither is said."""
    return document.owner or next((each.driver for each in document.approvals if each.driver), "")


def matter(said: Said, mention: Mention) -> str:
    """Return what a text says that tells the document."""
    places = [at for at in range(mention.first, mention.end) if said.pack.is_content(said.low[at])]
    return said.text[said.words[places[0]].start : said.words[places[-1]].end]


def _tells(document: Document, telling: Sequence[str]) -> bool:
    """Tell whether every word stands in a title, in some form of it."""
    titled = {stem for lang in langs() for stem in stems(document.title, lang)}
    return all(any(titled & stems(word, lang) for lang in langs()) for word in telling)
