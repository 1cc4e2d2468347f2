"""Ways on: questions that would be answered, in the language of the one that was not."""

from __future__ import annotations

from tests.unit.small_world import DECISION, hit, index, inquiry, named, verdict

from elysia_guard.domain.concept import Concept, LabelRole, RelatedConcept, TermMatch, Text
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.domain.reading import Definition, Named
from elysia_guard.domain.refusal import Outcome, Suggestion, Verdict
from elysia_guard.stages import suggestions
from elysia_guard.testing.fake_index import FakeIndex
from elysia_guard.testing.terminology import (
    ASSET,
    CONCEPTS,
    METER,
    REGULATED_ASSET,
    Failure,
    FakeTerminology,
)

REFUSED = verdict(Outcome.REFUSE, confidence=0.0)


async def suggest(
    under_way: Inquiry,
    *,
    source: FakeTerminology | None = None,
    made_index: FakeIndex | None = None,
) -> tuple[Suggestion, ...]:
    return await suggestions.suggest(
        under_way,
        terminology=source or FakeTerminology(CONCEPTS),
        index=made_index or index(),
    )


def term(
    text: str, *, lang: Lang = "en", evidence: Evidence | None = None, judged: Verdict = REFUSED
):
    return inquiry(
        f"What is {text}?",
        lang=lang,
        asks=Definition(term=text),
        evidence=evidence or Evidence(looked_at=("V",)),
        verdict=judged,
    )


def entity(number: int, kind: DocumentKind | None = DECISION) -> Inquiry:
    reference = Reference(number=number, written=str(number), kind=kind)
    return inquiry("x", asks=Named(references=(reference,)), verdict=REFUSED)


def asked(found: tuple[Suggestion, ...]) -> list[str]:
    return [item.question for item in found]


async def test_a_misspelt_term_leads_to_the_nearest() -> None:
    """As a question for it."""
    found = await suggest(term("power transfomer"))
    assert asked(found)[0] == "What is power transformer?"


async def test_three_near_terms_are_enough() -> None:
    """The documents are then not asked for more."""
    near = [
        Concept(uri=f"urn:{n}", vocabulary="v", preferred=(Text(value=f"courier{n}", lang="en"),))
        for n in range(4)
    ]
    found = await suggest(term("courier"), source=FakeTerminology(near))
    assert asked(found) == [f"What is courier{n}?" for n in range(3)]


async def test_an_unknown_term_leads_to_documents_that_mention_it() -> None:
    """Marked as a mention, which is not a definition."""
    (found,) = await suggest(term("courier"))
    assert found.question == "What does ADR-0003 decide?"
    assert "a mention is not a definition" in found.label


async def test_a_deprecated_term_leads_to_its_successor() -> None:
    """Named as such."""
    related = (RelatedConcept(uri=METER.uri, label="meter", relation="replaced_by"),)
    found = await suggest(term("zzz", evidence=Evidence(related=related, looked_at=("V",))))
    assert asked(found)[0] == "What is meter?"
    assert "replaces" in found[0].label


async def test_a_vocabulary_that_is_down_is_not_asked_again() -> None:
    """Its deadline was used up; the lists remain."""
    missing = (SourceFailure(source="V", timeout=True),)
    source = FakeTerminology(CONCEPTS, failure=Failure.TIMEOUT)
    found = await suggest(
        term("zzz", evidence=Evidence(missing=missing, looked_at=("V",))), source=source
    )
    assert asked(found) == ["List all decisions", "List all principles", "List all policies"]


async def test_a_vocabulary_that_fails_meanwhile_costs_its_suggestions_only() -> None:
    """The refusal is given all the same."""
    source = FakeTerminology(CONCEPTS, failure=Failure.UNAVAILABLE)
    assert len(await suggest(term("power transfomer"), source=source)) == 3


async def test_an_index_that_is_down_costs_its_suggestions_only() -> None:
    """For a term, a number and a search alike: a refusal is never lost for want of advice."""
    down = index()
    down.down = True
    for under_way in (entity(50), inquiry("courier tapes", verdict=REFUSED)):
        assert await suggest(under_way, made_index=down) == ()
    assert asked(await suggest(term("power transfomer"), made_index=down))


async def test_c7_a_missing_number_leads_to_three_that_are_written_alike() -> None:
    """A missing document is answered with three of its kind whose numbers are nearly the same."""
    found = await suggest(entity(29))
    assert asked(found) == [
        "What does ADR-0028 decide?",
        "What does ADR-0027 decide?",
        "What does ADR-0034 decide?",
    ]
    assert all(item.label.startswith("Did you mean ADR-00") for item in found)
    # Figures that changed places are a slip, however far the numbers lie apart.
    assert "What does ADR-0003 decide?" in asked(await suggest(entity(30)))


async def test_a_missing_bare_number_leads_to_neighbours_of_any_kind() -> None:
    """Those whose numbers are written alike, decisions and principles."""
    found = asked(await suggest(entity(11, None)))
    assert set(found) == {
        "What does PCP-0010 say?",
        "What does ADR-0012 decide?",
        "What does PCP-0012 say?",
    }
    assert len(found) == 3


async def test_a_weak_search_leads_to_its_nearest_documents() -> None:
    """Each once, at most three."""
    hits = (
        hit("ADR-0012#0"),
        hit("ADR-0012#1"),
        hit("ADR-0027#0"),
        hit("PCP-0010#0"),
        hit("POL-0003#0"),
    )
    found = await suggest(inquiry("x", evidence=Evidence(hits=hits), verdict=REFUSED))
    assert asked(found) == [
        "What does ADR-0012 decide?",
        "What does ADR-0027 decide?",
        "What does PCP-0010 say?",
    ]
    assert found[0].label == "Did you mean ADR-0012 (Use CIM as the domain language)?"


async def test_with_nothing_near_the_lists_remain() -> None:
    """In the language of the question; also where it holds no words to search for."""
    for text in ("zzz", "wat is de"):
        found = await suggest(inquiry(text, lang="nl", verdict=REFUSED))
        assert asked(found) == ["Toon alle besluiten", "Toon alle principes", "Toon al het beleid"]


async def test_a_question_back_offers_every_meaning_with_its_vocabulary() -> None:
    """Each can be asked as it stands."""
    matches = tuple(
        TermMatch(concept=concept, label=concept.preferred[0], role=LabelRole.PREFERRED)
        for concept in (ASSET, REGULATED_ASSET)
    )
    found = await suggest(
        term(
            "asset",
            evidence=Evidence(matches=matches, looked_at=("V",)),
            judged=verdict(Outcome.CLARIFY),
        )
    )
    assert asked(found) == [
        "What is asset (Terms of the grid)?",
        "What is regulated asset (Terms of the law)?",
    ]


async def test_a_question_back_offers_every_document_of_a_number() -> None:
    """With its kind."""
    evidence = Evidence(undecided=(named("ADR-0012"), named("PCP-0012")), looked_at=("d",))
    found = await suggest(inquiry("12", evidence=evidence, verdict=verdict(Outcome.CLARIFY)))
    assert asked(found) == ["What does ADR-0012 decide?", "What does PCP-0012 say?"]
