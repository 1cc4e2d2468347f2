"""A concept as a page: what it means, what it is called, and the concepts around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.question import Lang
from elysia_guard.edge import linking
from elysia_guard.edge.views.page import rendered
from elysia_guard.language.catalogue import called, say

MOST_RELATED = 100
"""Of one kind and one concept: a scheme's top concept has thousands, a server is asked for each."""
_RELATIONS = ("broader", "narrower", "related", "replaced_by")


def neighbours(concept: Concept) -> tuple[str, ...]:
    """Return the URIs of the concepts that one names, each once and no more than are shown."""
    every = (uri for name in _RELATIONS for uri in getattr(concept, name)[:MOST_RELATED])
    return tuple(dict.fromkeys(every))


def page(concept: Concept, around: Sequence[Concept], *, lang: Lang) -> str:
    """Return a concept as HTML; ``around`` are those that it names, as far as they are known."""
    known = {item.uri: item for item in around}
    definition = concept.definition(lang)
    return rendered(
        "concept.html",
        lang=lang,
        title=concept.label(lang),
        concept=concept,
        definition=definition,
        others=[item for item in concept.definitions if item is not definition],
        vocabulary=concept.vocabulary_title or concept.vocabulary,
        names=list(_names(concept, lang)),
        notes=list(_texts(concept, lang)),
        relations=[
            (key, list(_related(concept, key, known, lang)), _beyond(concept, key))
            for key in _RELATIONS
        ],
        outside=concept.uri if urlsplit(concept.uri).scheme in {"http", "https"} else "",
        language=lambda tag: called(lang, tag) if tag else "",
    )


def _names(concept: Concept, lang: Lang) -> Iterator[Text]:
    """Yield all that it is called but its label here, the words of the asked language first."""
    label = concept.label(lang)
    every = (*concept.preferred, *concept.alternative)
    others = dict.fromkeys(text for text in every if text.value != label)
    yield from sorted(others, key=lambda text: text.lang not in {None, lang})


def _texts(concept: Concept, lang: Lang) -> Iterator[tuple[str, Text]]:
    for key, texts in (
        ("note", concept.scope_notes),
        ("note", concept.descriptions),
        ("example", concept.examples),
    ):
        yield from ((say(lang, f"page.{key}"), text) for text in texts)


def _beyond(concept: Concept, key: str) -> int:
    """How many more there are than are shown."""
    return max(0, len(getattr(concept, key)) - MOST_RELATED)


def _related(
    concept: Concept, key: str, known: Mapping[str, Concept], lang: Lang
) -> Iterator[Mapping[str, str]]:
    """Yield what another is called, and its page; none where it is not in the vocabulary."""
    for uri in getattr(concept, key)[:MOST_RELATED]:
        other = known.get(uri)
        link = linking.concept(uri, lang=lang) if other else ""
        yield {"label": other.label(lang) if other else uri, "link": link}
