"""Ways on: questions that would be answered, in the language of the one that was not."""

from __future__ import annotations

from tests.unit.small_world import DECISION, World, index, inquiry, verdict

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.question import Reference
from elysia_guard.domain.reading import Definition, Named
from elysia_guard.domain.refusal import Outcome, Suggestion
from elysia_guard.stages import suggestions
from elysia_guard.testing.fake_index import FakeIndex
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology, ScriptedFailure

REFUSED = verdict(Outcome.REFUSE, confidence=0.0)


async def suggest(
    under_way: Inquiry,
    *,
    source: FakeTerminology | None = None,
    made_index: FakeIndex | None = None,
) -> tuple[Suggestion, ...]:
    source = source or FakeTerminology(CONCEPTS)
    return await suggestions.suggest(under_way, terminology=source, index=made_index or index())


def term(text: str) -> Inquiry:
    asks, evidence = Definition(term=text), Evidence(looked_at=("V",))
    return inquiry(f"What is {text}?", asks=asks, evidence=evidence, verdict=REFUSED)


def asked(found: tuple[Suggestion, ...]) -> list[str]:
    return [item.question for item in found]


async def test_a_misspelt_term_leads_to_the_nearest() -> None:
    """As a question for it; where the vocabulary fails meanwhile, to lists."""
    found = await suggest(term("power transfomer"))
    assert asked(found)[0] == "What is power transformer?"
    source = FakeTerminology(CONCEPTS, failure=ScriptedFailure.UNAVAILABLE)
    assert len(await suggest(term("power transfomer"), source=source)) == 3


async def test_three_near_terms_are_enough() -> None:
    """The documents are then not asked for more."""
    near = [
        Concept(uri=f"urn:{n}", vocabulary="v", preferred=(Text(value=f"courier{n}", lang="en"),))
        for n in range(4)
    ]
    found = await suggest(term("courier"), source=FakeTerminology(near))
    assert asked(found) == [f"What is courier{n}?" for n in range(3)]


async def test_an_index_that_is_down_costs_its_suggestions_only() -> None:
    """For a term, a number and a search alike: a refusal is never lost for want of advice."""
    down = index()
    down.down = True
    number = Named(references=(Reference(number=50, written="50", kind=DECISION),))
    for under_way in (
        inquiry("x", asks=number, verdict=REFUSED),
        inquiry("courier tapes", verdict=REFUSED),
    ):
        assert await suggest(under_way, made_index=down) == ()
    assert asked(await suggest(term("power transfomer"), made_index=down))


def test_c7_a_missing_number_leads_to_three_that_are_written_alike() -> None:
    """A missing document is answered with three of its kind whose numbers are nearly the same."""
    found = World().ask("What does ADR-0029 decide?").suggestions
    assert asked(found) == [f"What does ADR-00{n} decide?" for n in (28, 27, 34)]
    assert all(item.label.startswith("Did you mean ADR-00") for item in found)
    # Figures that changed places are a slip, however far the numbers lie apart.
    assert "What does ADR-0003 decide?" in asked(World().ask("ADR-0030").suggestions)


def test_a_weak_search_leads_to_its_nearest_documents() -> None:
    """Each once, at most three."""
    found = World().ask("How do we bake bread of CIM?").suggestions
    assert len(set(asked(found))) == len(found) == 3
    assert found[0].label == "Did you mean ADR-0012 (Use CIM as the domain language)?"


async def test_with_nothing_near_the_lists_remain() -> None:
    """In the language of the question; also where it holds no words to search for."""
    for text in ("zzz", "wat is de"):
        found = await suggest(inquiry(text, lang="nl", verdict=REFUSED))
        assert asked(found) == [
            f"Toon alle {kind}" for kind in ("besluiten", "principes", "beleidsregels")
        ]
