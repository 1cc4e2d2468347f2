"""What is asked is read and told alike on both routes, with a model configured and without."""

from __future__ import annotations

import asyncio

import pytest
from tests.host.scripted import ScriptedLM, load_as_models
from tests.tables import table

from elysia_guard import Conversation, Guard, RAGResponse
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

TALK = (
    "How do stations prove who they are?",
    "Remind me what ADR 27 settles",
    "what does ADR-32 say about the salary",
    "In ADR-0006, what are the names of the 14 columns in the nightly file layout version 2.1?",
    "List all principles",
    "only those in Dutch",
    "and in English?",
)


def through_tree(wiring: Wiring, settings: Settings) -> list[RAGResponse]:
    tree = GuardedTree(wiring=wiring, settings=settings)
    said = []
    for turn in TALK:
        tree(turn)
        assert tree.last_response is not None
        said.append(tree.last_response)
    return said


async def directly(wiring: Wiring) -> list[RAGResponse]:
    guard, talk = Guard(wiring=wiring), Conversation()
    return [await guard.aask(turn, conversation=talk) for turn in TALK]


@pytest.mark.parametrize("model", [False, True], ids=["no model", "a model"])
def test_both_routes_read_and_tell_alike(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch, model_settings: Settings, model: bool
) -> None:
    """'They' is no follow-up, 'settles' no matter, 'in Dutch' narrows, names are told or none."""
    lm = ScriptedLM("I think so.")
    load_as_models(monkeypatch, lm)
    direct = asyncio.run(directly(wiring))
    tree = through_tree(wiring, model_settings if model else Settings())
    for one, other in zip(direct, tree, strict=True):
        assert (one.outcome, one.sources) == (other.outcome, other.sources)
    they, settles, salary, names, every, dutch, english = direct
    assert they.outcome != "clarified"
    assert {source.doc_id for source in settles.sources} == {"ADR-0027"}
    assert salary.refused
    assert names.refused
    assert len(dutch.sources) + len(english.sources) == len(every.sources)
    assert 0 < len(dutch.sources) < len(every.sources)


@pytest.mark.parametrize("question", [row["asked"] for row in table("not_asserted")])
def test_what_asks_beyond_what_was_read_is_not_asserted(wiring: Wiring, question: str) -> None:
    """A sentence, a document, a fact or a term fits, and something else is asked of it."""
    assert Guard(wiring=wiring).ask(question).outcome is not ReplyOutcome.ASSERTED


@pytest.mark.parametrize(
    ("question", "section", "number"),
    [
        ("Which options were considered for encryption?", "Considered Options", "ADR-0015"),
        ("What was the context for encryption?", "Context and Problem Statement", "ADR-0015"),
        ("drawbacks of Kafka", "Consequences", "ADR-0005"),
        ("Wat zijn de nadelen van Kafka?", "Consequences", "ADR-0005"),
        ("Was sind die Nachteile von Kafka?", "Consequences", "ADR-0005"),
        ("Quels sont les inconvénients de Kafka ?", "Consequences", "ADR-0005"),
    ],
)
def test_the_side_that_is_asked_of_a_matter_is_shown(
    wiring: Wiring, question: str, section: str, number: str
) -> None:
    """Of a document that its matter names, the section, and no definition of the matter."""
    told = Guard(wiring=wiring).ask(question)
    assert told.outcome is ReplyOutcome.HEDGED
    assert told.sources[0].doc_id == number
    assert told.sources[0].section.endswith(section)
    assert not any("Outcome" in source.section.rpartition(" > ")[2] for source in told.sources)


def test_a_side_of_what_no_section_speaks_of_is_refused(wiring: Wiring) -> None:
    """The nearest document has a context, of something else."""
    assert Guard(wiring=wiring).ask("What is the reason for smart meters?").refused


def test_a_successor_is_told_beside_a_status(wiring: Wiring) -> None:
    """'Superseded' alone leaves the reader with a decision that is no longer in force."""
    for question in ("What is the status of ADR-27?", "Which decision replaced ADR-27?"):
        told = Guard(wiring=wiring).ask(question)
        assert told.outcome is ReplyOutcome.ASSERTED
        assert "ADR-0028" in told.answer
