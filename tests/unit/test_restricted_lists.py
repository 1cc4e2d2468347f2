"""Lists restricted by more than kind and topic, over the shipped knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from elysia_guard.guard import Guard
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring

KNOWLEDGE = Path(__file__).parents[2] / "data" / "knowledge"
DUTCH = ("PCP-0020", "PCP-0021", "PCP-0022", "PCP-0023", "PCP-0025")
OF_FLEXIBILITY = ("ADR-0020", "ADR-0022", "ADR-0023", "ADR-0025", "ADR-0034")
OF_CISO = ("POL-0002", "POL-0003", "POL-0004")


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    """The real pipeline over the shipped knowledge base; lists need no model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Wiring, "embedder", HashEmbedder())
        wiring = Wiring.load(index=tmp_path_factory.mktemp("lists") / "index.sqlite")
        run_anywhere(wiring.fill_index([KNOWLEDGE]))
        yield Guard(wiring=wiring)


@pytest.mark.parametrize(
    ("text", "found", "heading"),
    [
        (
            "Which principles are written in Dutch?",
            DUTCH,
            "There are 5 principles written in Dutch:",
        ),
        (
            "Laat alle principes zien die in het Nederlands zijn geschreven.",
            DUTCH,
            "Er zijn 5 principes in het Nederlands:",
        ),
        (
            "show me every policy owned by the CISO office",
            OF_CISO,
            "There are 3 policies owned by Chief Information Security Office:",
        ),
        (
            "welke besluiten zijn van de Flexibility Architecture Group",
            OF_FLEXIBILITY,
            "Er zijn 5 besluiten van Flexibility Architecture Group:",
        ),
        (
            "Welche Entscheidungen der Flexibility Architecture Group gibt es?",
            OF_FLEXIBILITY,
            "Es gibt 5 Entscheidungen im Besitz von Flexibility Architecture Group:",
        ),
        (
            "proposed decisions of the Flexibility Architecture Group since 2024",
            ("ADR-0025",),
            (
                "There is 1 decision with the status proposed, owned by Flexibility Architecture"
                " Group, since 2024:"
            ),
        ),
        (
            "Which principles are not in force at the moment?",
            ("PCP-0022", "PCP-0025"),
            "There are 2 principles without the status accepted:",
        ),
        (
            "Welche Entscheidungen wurden zwischen 2023 und 2024 ersetzt?",
            ("ADR-0006", "ADR-0027"),
            (
                "Es gibt 2 Entscheidungen mit dem Status superseded, von 2023 bis"
                " einschlie\u00dflich 2024:"
            ),
        ),
        (
            "Welke besluiten zijn voor februari 2023 genomen?",
            ("ADR-0001",),
            "Er is 1 besluit tot en met 2023-01:",
        ),
        (
            "Which decisions of the AI Governance Board were taken in 2026? It's for a colleague.",
            ("ADR-0031",),
            "There is 1 decision owned by AI Governance Board, from 2026:",
        ),
        (
            "List all Data Council policies about open data",
            ("POL-0007",),
            "There is 1 policy owned by Data Council, whose title or text mentions 'open data':",
        ),
        (
            "Toon alle besluiten over mutual TLS van de Security Architecture Group",
            ("ADR-0018",),
            "Er is 1 besluit van Security Architecture Group, met 'mutual TLS' in titel of tekst:",
        ),
        (
            "List all policies about passwords that are owned by the CISO office",
            ("POL-0003",),
            (
                "There is 1 policy owned by Chief Information Security Office, "
                "whose title or text mentions 'passwords':"
            ),
        ),
        (
            "Which approval records of the AI Governance Board exist?",
            ("ADR-0031D",),
            "There is 1 approval record owned by AI Governance Board:",
        ),
    ],
)
def test_a_list_says_by_what_it_is_restricted(
    shipped: Guard, text: str, found: tuple[str, ...], heading: str
) -> None:
    """How many there are and what they have in common, in the reader's language."""
    response = shipped.ask(text)
    assert tuple(source.doc_id for source in response.sources) == found
    assert response.answer.splitlines()[0] == heading


def test_approval_records_are_all_listed(shipped: Guard) -> None:
    """And nothing but them."""
    response = shipped.ask("show me every approval record we have for decisions")
    assert {source.doc_type for source in response.sources} == {"DAR"}
    files = list((KNOWLEDGE / "decisions").glob("*D-*.md"))
    assert len(response.sources) == len(files)


def test_decisions_and_their_records_are_listed_together(shipped: Guard) -> None:
    """Where both are named."""
    response = shipped.ask("List all decisions and their approval records")
    assert {source.doc_type for source in response.sources} == {"ADR", "DAR"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "List all policies written in German",
            "There are no policies written in German.",
        ),
        (
            "Toon alle afgewezen beleidsregels",
            (
                "Er zijn geen beleidsregels met de status rejected. De statussen die er zijn: "
                "accepted, proposed."
            ),
        ),
        (
            "Zeige alle Richtlinien seit 2030",
            "Es gibt keine Richtlinien seit 2030.",
        ),
        (
            "Which principles of the AI Governance Board are there?",
            "There are no principles owned by AI Governance Board.",
        ),
        (
            "Which policies are owned by the Marketing Department?",
            (
                "No document has an owner called 'the Marketing Department'. The owners are: "
                "AI Governance Board, CIM Working Group, Chief Information Security Office, "
                "Data Council, Procurement and Security Council."
            ),
        ),
        (
            "welke beleidsregels zijn eigendom van Marketing?",
            (
                "Geen document heeft 'Marketing' als eigenaar. De eigenaren zijn: "
                "AI Governance Board, CIM Working Group, Chief Information Security Office, "
                "Data Council, Procurement and Security Council."
            ),
        ),
    ],
)
def test_an_empty_list_is_refused_by_what_restricts_it(shipped: Guard, text: str, why: str) -> None:
    """Nothing stands in its place; an owner that there is not is named with those there are."""
    response = shipped.ask(text)
    assert response.refusal_reason == "no_results"
    assert response.sources == ()
    assert response.answer.splitlines()[2].endswith(why)
