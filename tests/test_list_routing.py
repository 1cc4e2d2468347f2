"""A reference to a document is never taken for a list, nor a list for a reference (IR0003)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.small_world import read

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import IntentKind
from elysia_guard.guard import Guard
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring

KNOWLEDGE = Path(__file__).parents[1] / "data" / "knowledge"

REFERENCES = {
    "ADR-0012": "ADR-0012",
    "ADR.12": "ADR-0012",
    "adr 12": "ADR-0012",
    "What does ADR-0012 decide?": "ADR-0012",
    "Define the encryption requirements in ADR-0015": "ADR-0015",
    "Show ADR-0012": "ADR-0012",
    "Give me ADR 31": "ADR-0031",
    "List the consequences of ADR-0012": "ADR-0012",
    "List the options considered in ADR-0012": "ADR-0012",
    "Show all requirements of ADR-0015": "ADR-0015",
    "What are all the drivers of ADR-0021?": "ADR-0021D",
    "Which options does ADR-0012 list?": "ADR-0012",
    "Noem de gevolgen van besluit 12": "ADR-0012",
    "Geef een overzicht van ADR-0012": "ADR-0012",
    "Welche Folgen hat ADR-0012?": "ADR-0012",
    "Who approved ADR-0012?": "ADR-0012D",
    "PCP-0010": "PCP-0010",
    "principle 10": "PCP-0010",
    "List the implications of PCP-0010": "PCP-0010",
    "policy 1": "POL-0001",
    "What does policy 1 say?": "POL-0001",
}
LISTS = {
    "List all ADRs": "ADR",
    "List all ADRs about authentication": "ADR",
    "List ADRs about security": "ADR",
    "Show me every decision": "ADR",
    "Which ADRs are there?": "ADR",
    "Welke besluiten zijn er?": "ADR",
    "Toon alle ADR's": "ADR",
    "Welche Entscheidungen gibt es?": "ADR",
    "List all principles": "PCP",
    "Welke principes hebben we?": "PCP",
    "List all policies": "POL",
}


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    """The real pipeline over the shipped knowledge base; references and lists need no model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Wiring, "embedder", HashEmbedder())
        wiring = Wiring.load(index=tmp_path_factory.mktemp("routing") / "index.sqlite")
        run_anywhere(wiring.fill_index([KNOWLEDGE]))
        yield Guard(wiring=wiring)


@pytest.mark.parametrize("text", REFERENCES)
def test_a_reference_is_not_routed_to_a_list(text: str) -> None:
    """Also where it is asked with the words of a list."""
    assert read(text).kind is IntentKind.ENTITY


@pytest.mark.parametrize(("text", "document"), REFERENCES.items())
def test_a_reference_is_answered_from_its_document(
    shipped: Guard, text: str, document: str
) -> None:
    """From the one that was named, and no other."""
    response = shipped.ask(text)
    assert not response.refused, response.answer
    assert {source.doc_id for source in response.sources} == {document}


@pytest.mark.parametrize("text", LISTS)
def test_a_list_is_routed_to_a_list(text: str) -> None:
    """In three languages, with and without a topic."""
    assert read(text).kind is IntentKind.LIST


@pytest.mark.parametrize(("text", "prefix"), LISTS.items())
def test_a_list_holds_its_kind_alone(shipped: Guard, text: str, prefix: str) -> None:
    """No approval record, no document of another kind."""
    response = shipped.ask(text)
    assert not response.refused, response.answer
    ids = [source.doc_id for source in response.sources]
    assert {id_.partition("-")[0] for id_ in ids} == {prefix}
    assert not [id_ for id_ in ids if id_.endswith("D")]


@pytest.mark.parametrize("number", [0, 50, 9999])
def test_a_reference_to_nothing_is_no_list(shipped: Guard, number: int) -> None:
    """A document that is not there is refused by name, and no list is given in its place."""
    response = shipped.ask(f"List the consequences of ADR-{number:04d}")
    assert response.refusal_reason == "entity_not_found"
    assert response.sources == ()


def test_the_caller_may_name_the_kind(shipped: Guard) -> None:
    """A list of one kind is asked for by argument too."""
    response = shipped.ask("List all of them", kind=DocumentKind.POLICY)
    assert {source.doc_type for source in response.sources} <= {"Policy"}


OF_SECURITY = tuple(f"ADR-{number:04d}" for number in (15, 16, 17, 18, 19, 27, 28))
DUTCH_PRINCIPLES = tuple(f"PCP-{number:04d}" for number in (20, 21, 22, 23, 25))
ALL_POLICIES = tuple(f"POL-{number:04d}" for number in range(1, 9))
OF_COUNCIL = ("PCP-0011", "PCP-0016", "PCP-0021", "PCP-0024")
RECORDS_OF_2024 = ("ADR-0015D", "ADR-0016D", "ADR-0017D")
REJECTED, SUPERSEDED, ABOUT_TLS = ("ADR-0034",), ("ADR-0006", "ADR-0027"), ("ADR-0016", "ADR-0018")
ASKED_FREELY = {
    # no imperative in front
    "Would you fetch the approval records from 2024?": RECORDS_OF_2024,
    "Kun je de goedkeuringsverslagen uit 2024 opzoeken?": RECORDS_OF_2024,
    "Are any decisions rejected? List them.": REJECTED,
    "Zijn er afgewezen besluiten? Som ze op.": REJECTED,
    "Haben wir Prinzipien auf Niederl\u00e4ndisch? Welche?": DUTCH_PRINCIPLES,
    "Out of all principles, which are deprecated?": ("PCP-0022",),
    "decisions in Dutch - list them please": ("ADR-0030",),
    "F\u00fcr die Revision suche ich die Genehmigungsvermerke aus 2024": RECORDS_OF_2024,
    "Could you be so good as to list all policies?": ALL_POLICIES,
    "lijst van principes die verouderd zijn": ("PCP-0022",),
    "every decision that was later replaced by a newer one": SUPERSEDED,
    "Hoeveel principes heeft de Data Council onder zijn beheer?": OF_COUNCIL,
    # what stands around it
    "We are being audited next week. Which decisions were rejected?": REJECTED,
    "welke besluiten zijn afgewezen? mijn manager vraagt erom": REJECTED,
    "F\u00fcr meine Kollegin: welche Entscheidungen wurden abgelehnt?": REJECTED,
    "How many policies are there altogether, and what are they called?": ALL_POLICIES,
    "Ik ben nieuw bij inkoop. Welke beleidsregels hebben we allemaal?": ALL_POLICIES,
    "Wie viele Richtlinien haben wir eigentlich, und wie hei\u00dfen sie?": ALL_POLICIES,
    "I would like all policies of Vennet, please": ALL_POLICIES,
    # status, owner, date and title in everyday words
    "decisions that were turned down or replaced": (*SUPERSEDED, *REJECTED),
    "welke besluiten zijn verworpen of inmiddels vervangen?": (*SUPERSEDED, *REJECTED),
    "Welche Entscheidungen wurden abgelehnt oder sind inzwischen ersetzt?": (
        *SUPERSEDED,
        *REJECTED,
    ),
    "decisions of the Security Architecture Group, in any status": OF_SECURITY,
    "alle besluiten waarvoor de Security Architecture Group verantwoordelijk is": OF_SECURITY,
    "Entscheidungen, f\u00fcr die die Security Architecture Group zust\u00e4ndig ist": OF_SECURITY,
    "principles under the responsibility of the Data Council": OF_COUNCIL,
    "Welche Richtlinien sind auf 2024 datiert?": ("POL-0006",),
    "Which decisions mention TLS in their title?": ABOUT_TLS,
    "Entscheidungen mit dem Wort TLS im Titel": ABOUT_TLS,
    "policies with open in the title": ("POL-0007",),
}


@pytest.mark.parametrize(("text", "found"), ASKED_FREELY.items())
def test_a_list_is_exact_however_it_is_asked_for(
    shipped: Guard, text: str, found: tuple[str, ...]
) -> None:
    """No document too many and none too few."""
    response = shipped.ask(text)
    assert sorted(source.doc_id for source in response.sources) == sorted(found), response.answer
