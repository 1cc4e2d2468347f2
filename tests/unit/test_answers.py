"""What is asked of a small world, and what comes out: ``tests/data/answered.jsonl``."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import cases
from tests.unit.small_world import DECISION, KNOWLEDGE, POLICY, World, cited, document

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import DocumentKind, Passage, SectionRole
from elysia_guard.domain.response import RAGResponse
from elysia_guard.testing.terminology import CONCEPTS, FakeTerminology, ScriptedFailure


def rule(number: int, title: str, text: str, kind: DocumentKind = DECISION, **said: str):  # type: ignore[no-untyped-def]
    """A document of one section."""
    return document(kind, number, title, (SectionRole.SUBSTANCE, text), **said)  # type: ignore[arg-type]


WORLDS: dict[str, tuple[Passage, ...]] = {
    "small": KNOWLEDGE,
    "dates": (
        *rule(1, "First rule", "First.", date="2024-05-01"),
        *rule(2, "Second rule", "Second.", date="2025-01-15"),
        *rule(3, "Third rule", "Third.", date="2025-01-15"),
        *rule(4, "Fourth rule", "Fourth.", date="2023-12-31"),
        *rule(5, "Fifth rule", "Fifth.", date=""),
        *rule(1, "Open data", "Open.", POLICY, date="2026-01-01"),
    ),
    "owners": (
        *rule(61, "T", "Said of the data council.", owner="Data Council"),
        *rule(62, "T", "Said of security.", owner="Security Group"),
        *rule(63, "T", "Said by the data council.", owner=""),
    ),
    "topics": (
        *rule(41, "Scan", "It ends in quarantine."),
        *rule(42, "Quarantine files", "They wait too."),
        *rule(43, "Quarantine devices", "They wait."),
        *rule(44, "Prices", "It costs EUR 40,000 a year."),
        *rule(45, "Protocols", "The old protocol is allowed until 31 March 2026."),
        *rule(46, "Tools", "The old tool is allowed. Work began on 1 May 2024."),
    ),
}
AWAY = {"timeout": ScriptedFailure.TIMEOUT, "error": ScriptedFailure.UNAVAILABLE}


def world_of(row: dict[str, Any]) -> World:
    """The world of a row, without what it says is away."""
    away = row.get("without")
    vocabulary = FakeTerminology(CONCEPTS, name="skosmos", failure=AWAY.get(away or ""))
    world = World(passages=WORLDS[row.get("world", "small")], terminology=vocabulary)
    world.embedder.down = away == "embedder"  # type: ignore[attr-defined]
    world.index.down = away == "index"  # type: ignore[attr-defined]
    return world


def talk(world: World, row: dict[str, Any]) -> RAGResponse:
    """Ask what a row asks, one after the other; returns the last reply."""
    said, asked = Conversation(), row["asked"]
    kind = DocumentKind(row["kind"]) if "kind" in row else None
    turns = [asked] if isinstance(asked, str) else asked
    return [world.ask(each, kind, said) for each in turns][-1]


def seen(reply: RAGResponse) -> dict[str, object]:
    quality = reply.retrieval_quality
    lines = [line[1:].strip() for line in reply.answer.splitlines() if line.startswith("> ")]
    return {
        "outcome": reply.outcome,
        "reason": reply.refusal_reason,
        "lang": reply.lang,
        "cited": [id_.rpartition("/")[2] for id_ in cited(reply)],
        "quotes": [line.partition(" [source:")[0] for line in lines],
        "mentions": [item.doc_id for item in reply.mentions],
        "ways_on": [item.question for item in reply.suggestions],
        "warnings": [item.type for item in reply.warnings],
        "flags": list(quality.fallback_reasons),
        "confidence": quality.confidence_score,
    }


@pytest.mark.parametrize("row", cases("answered"))
def test_each_row_is_answered_as_it_says(row: dict[str, Any]) -> None:
    """Its outcome, and what of the rest it names; what is verified, and what is refused cites."""
    reply = talk(world_of(row), row)
    found = seen(reply)
    assert {name: found[name] for name in row["is"]} == row["is"]
    assert [words for words in row.get("says", ()) if words not in reply.answer] == []
    assert [words for words in row.get("silent", ()) if words in reply.answer] == []
    assert not (reply.refused and reply.sources)
    assert reply.suggestions or not reply.refused or row.get("without") == "index"
    if reply.sources:
        assert reply.validation
        assert reply.validation.confidence == 1.0


def test_a_relative_without_definition_is_named_and_a_deprecated_one_left_out() -> None:
    """The label is then what is quoted."""

    def concept(name: str, **values: object) -> Concept:
        preferred = (Text(value=name, lang="en"),)
        return Concept(uri=f"urn:{name}", vocabulary="test", preferred=preferred, **values)  # type: ignore[arg-type]

    rim = concept("rim", definitions=(Text(value="The outer part.", lang="en"),))
    wheel = concept("wheel", narrower=("urn:spoke", "urn:rim", "urn:old", "urn:unknown"))
    every = [wheel, concept("spoke"), rim, concept("old", deprecated=True)]
    reply = World(terminology=FakeTerminology(every)).ask("which terms fall under wheel?")
    assert [source.quote for source in reply.sources] == ["spoke", "The outer part."]
    assert "old" not in reply.answer.split("Narrower terms of 'wheel':")[1].split("\n\n")[1]
