"""Documents or terms that a question holds against each other, and such as it only names."""

from __future__ import annotations

import pytest
from tests.unit.marked import marked

from elysia_guard.domain.question import Lang
from elysia_guard.reading.comparisons import Side, compared


def sides(written: str, lang: Lang) -> tuple[Side, ...]:
    text, spans = marked(written)
    return compared(text, lang=lang, spans=spans)


@pytest.mark.parametrize(
    ("lang", "asked", "expected"),
    [
        ("en", "compare 20 and 25", ["20", "25"]),
        ("en", "[[ADR 10|D]] vs 17, what changed", ["ADR 10", "17"]),
        ("en", "compare [[ADR-1|D]], [[ADR-2|D]] and [[ADR-3|D]]", ["ADR-1", "ADR-2", "ADR-3"]),
        ("en", "does [[POL-3|D]] contradict [[ADR-17|D]]?", ["POL-3", "ADR-17"]),
        (
            "en",
            "how does [[redispatch|T]] differ from [[curtailment|T]]?",
            ["redispatch", "curtailment"],
        ),
        ("en", "I keep mixing up [[RPO|T]] and [[RTO|T]], help", ["RPO", "RTO"]),
        ("nl", "hoe verhouden 12 en 13 zich", ["12", "13"]),
        ("nl", "[[TSO|T]] of [[DSO|T]], wie is wie?", ["TSO", "DSO"]),
        ("nl", "bijten [[ADR 4|D]] en [[POL 2|D]] elkaar?", ["ADR 4", "POL 2"]),
        (
            "de",
            "[[Wirkleistung|T]] oder [[Blindleistung|T]], was ist was",
            ["Wirkleistung", "Blindleistung"],
        ),
        (
            "fr",
            "quelle est la différence entre [[îlotage|T]] et [[redispatch|T]] ?",
            ["îlotage", "redispatch"],
        ),
    ],
)
def test_what_is_compared(lang: Lang, asked: str, expected: list[str]) -> None:
    """The sides are named in their order, also one that nothing knows."""
    assert [side.text for side in sides(asked, lang)] == expected


@pytest.mark.parametrize(
    ("lang", "asked"),
    [
        ("en", "who owns [[ADR-12|D]] and [[ADR-13|D]]?"),
        ("en", "which decisions are about [[TLS|T]] and [[OAuth|T]]"),
        ("en", "do [[smart meters|T]] behave differently during [[islanding|T]]"),
        ("en", "what does [[ADR-12|D]] say about [[redispatch|T]] versus normal operation"),
        ("en", "is 30 days or 60 days the limit for keeping logs"),
        ("en", "is the comparison of actual and expected execution up to the operator"),
        ("en", "what is the difference in price between vendors"),
        ("en", "So [[RAG|T]] and [[embedding|T]] we know. But the overlap was too small a what?"),
        ("nl", "is een [[gateway|T]] in het [[station|T]] iets anders dan een [[api-gateway|T]]?"),
        ("nl", "wie keurde [[ADR 12|D]] en [[ADR 13|D]] goed"),
        ("de", "gegen wen richtet sich [[POL-3|D]]"),
    ],
)
def test_what_is_named_together_is_not_yet_compared(lang: Lang, asked: str) -> None:
    """It takes two of a kind, and words that compare these."""
    assert sides(asked, lang) == ()


def test_a_bare_number_is_a_document_and_a_known_one_keeps_its_span() -> None:
    """The pipeline asks of which kind a bare number is."""
    found, number = sides("[[ADR 10|D]] vs 17, what changed", "en")
    assert found.span is not None
    assert found.is_document
    assert (number.span, number.number, number.is_document) == (None, 17, True)
    assert not any(side.is_document for side in sides("[[A|T]] versus [[B|T]]", "en"))
