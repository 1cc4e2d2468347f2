"""Which relation of which term a question asks for."""

from __future__ import annotations

import pytest
from tests.unit.marked import marked

from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Relation
from elysia_guard.reading.relations import relation


@pytest.mark.parametrize(
    ("lang", "asks", "asked"),
    [
        ("en", "broader", "under which concept does [[islanding|T]] fall"),
        ("en", "broader", "where does [[prosumer|T]] sit in our taxonomy?"),
        ("en", "broader", "what category does [[busbar|T]] belong to in the glossary"),
        ("en", "narrower", "which terms fall under [[flexibility|T]]?"),
        ("en", "narrower", "What types of [[transformer|T]] does the vocabulary know?"),
        ("en", "narrower", "give me all sub-concepts of [[grid state|T]] please"),
        ("en", "related", "terms connected with [[metering point|T]], please"),
        ("en", "synonyms", "how else can I say [[load shedding|T]]"),
        ("en", "synonyms", "does [[DSO|T]] go by any other name?"),
        ("nl", "broader", "onder welk ruimer begrip hangt [[redispatch|T]]"),
        ("nl", "broader", "waar hangt [[energiehub|T]] eigenlijk in het vocabulaire"),
        ("nl", "narrower", "in welke soorten splitst de woordenlijst een [[transformator|T]] op?"),
        ("nl", "related", "met welke begrippen hangt [[zero trust|T]] samen"),
        ("nl", "synonyms", "heeft [[afregelen|T]] nog een andere naam?"),
        ("de", "broader", "worunter hängt der [[Leistungsschalter|T]] in der Begriffshierarchie"),
        ("de", "narrower", "Welche Arten von [[Schalter|T]] gibt es im Vokabular?"),
        ("de", "related", "verwandte Begriffe zu [[Blindleistung|T]]"),
        ("de", "synonyms", "andere Wörter für [[Lastabwurf|T]]"),
        ("de", "synonyms", "wie nennt man ein [[Umspannwerk|T]] sonst noch so"),
        ("fr", "narrower", "quels termes se trouvent sous [[flexibilité|T]] dans le vocabulaire ?"),
        ("fr", "synonyms", "[[délestage|T]], on peut le dire comment autrement ?"),
        ("fr", "broader", "terme plus large que [[redispatch|T]]"),
    ],
)
def test_which_relation_of_which_term(lang: Lang, asks: str, asked: str) -> None:
    """What stands beside the term decides, and on which side of 'under' it stands."""
    text, spans = marked(asked)
    assert relation(text, lang=lang, spans=spans) == (Relation(asks), spans[0].text)


@pytest.mark.parametrize(
    ("lang", "asks", "asked"),
    [
        ("en", "synonyms", "synonyms of flumox"),
        ("nl", "narrower", "welke begrippen vallen onder flumox"),
        ("de", "synonyms", "Synonyme für Flumox"),
    ],
)
def test_a_term_that_nobody_knows_is_named_too(lang: Lang, asks: str, asked: str) -> None:
    """So that it can be said that it is none."""
    found = relation(asked, lang=lang)
    assert found is not None
    assert (found[0], found[1].casefold()) == (Relation(asks), "flumox")


@pytest.mark.parametrize(
    ("lang", "asked"),
    [
        ("en", "what does [[least privilege|T]] mean"),
        ("en", "which decisions fall under [[congestion management|T]]"),
        ("en", "what types of [[transformer|T]] may we buy according to [[ADR-0012|D]]"),
        ("en", "does a wider rollout of the [[smart meter|T]] need approval"),
        ("en", "which documents are related to [[redispatch|T]]?"),
        ("en", "under which conditions does [[load shedding|T]] start"),
        ("en", "They say the [[BRP|T]] pays. Tell me what kind of party that is."),
        ("en", "Is a [[disconnector|T]] just another name for a [[circuit breaker|T]]?"),
        ("nl", "wat verstaan wij onder een [[energiehub|T]]"),
        ("nl", "onder welke voorwaarden mag [[redispatch|T]] worden ingezet"),
        ("de", "unter welchen Umständen ist [[Lastabwurf|T]] erlaubt"),
    ],
)
def test_what_only_sounds_like_a_relation_is_none(lang: Lang, asked: str) -> None:
    """The words are said of documents, of a matter, or of two terms."""
    text, spans = marked(asked)
    assert relation(text, lang=lang, spans=spans) is None
