"""Status and date where a list or a card tells them: where they matter, and once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import DECISION, World, document

from elysia_guard.domain.document import SectionRole
from elysia_guard.domain.response import RAGResponse, Source
from elysia_guard.edge.elysia.rendering import render

TEXT = (SectionRole.SUBSTANCE, "We write decisions down.")
REGISTER = (
    *document(DECISION, 1, "Write decisions", TEXT, date="2023-02-01"),
    *document(DECISION, 2, "Number them", TEXT, date="2024-03-01", status="proposed"),
    *document(DECISION, 3, "Forget them", TEXT, date="2025-04-01", status="superseded"),
    *document(DECISION, 4, "Keep them", TEXT, date="", status=""),
)


def entries(asked: str) -> list[str]:
    reply = World(passages=REGISTER).ask(asked)
    assert reply.intent == "list"
    lines = [line for line in reply.answer.split("\n") if line.startswith("- **")]
    return [line.rpartition(" [source")[0].partition("** ")[2] for line in lines]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (
            "List all decisions",
            ["Write decisions (accepted)", "Number them (proposed)", "Forget them (superseded)"],
        ),
        (
            "List the two newest decisions",
            ["Forget them (superseded, 2025-04-01)", "Number them (proposed, 2024-03-01)"],
        ),
        ("Which decisions were taken since 2025?", ["Forget them (superseded, 2025-04-01)"]),
        ("Welche Entscheidungen sind vorgeschlagen?", ["Number them"]),
        ("List all accepted decisions since 2020", ["Write decisions (2023-02-01)"]),
    ],
)
def test_an_entry_has_what_the_list_does_not_say_itself(asked: str, wanted: list[str]) -> None:
    """The date where the list is by date, the status where it is not of one status alone."""
    assert entries(asked)[: len(wanted)] == wanted


def test_what_a_document_does_not_say_is_not_told() -> None:
    assert entries("List all decisions")[-1] == "Keep them"


class TestCards:
    def card(self, **source: object) -> dict[str, str]:
        reply = World(passages=REGISTER).ask("What does ADR-0003 decide?")
        assert isinstance(reply, RAGResponse)
        made: Source = replace(reply.sources[0], **source)  # type: ignore[arg-type]
        shown = list(render(replace(reply, sources=(made,))))
        (found,) = [item for item in shown if getattr(item, "payload_type", "") == "document"]
        (card,) = found.objects
        assert isinstance(card, dict)
        return card

    def test_what_is_not_in_force_says_so_before_it_is_opened(self) -> None:
        assert self.card()["title"].endswith("Forget them (superseded)")

    def test_what_is_in_force_does_not(self) -> None:
        assert self.card(status="accepted")["title"].endswith("Forget them")

    def test_an_opened_card_has_both_once(self) -> None:
        content = self.card()["content"]
        assert content.count("(superseded, 2025-04-01)") == 1
        assert content.count("2025-04-01") == 1
