"""Examples and fields of the requirement documents that no other test holds."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.unit.small_world import COLLECTIONS, THRESHOLDS, World, cited, hit, inquiry

from elysia_guard.config import home, load_thresholds
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.events import ContextsRejected
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.profiles import PROFILES, ProfileName
from elysia_guard.domain.refusal import Outcome, RefusalReason
from elysia_guard.observability.logs import log_events
from elysia_guard.stages import gates


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("Was ist ein Knowledge Graph?", id="knowledge-graph"),
        pytest.param("Erkl\u00e4re mir das Konzept von RAG", id="rag"),
    ],
)
def test_neither_example_is_answered(query: str) -> None:
    """TD-080's questions, of which no source says anything, under each profile that has a gate."""
    for profile in (item for item in PROFILES.values() if item.distance):
        reply = World(thresholds=THRESHOLDS.under(profile)).ask(query)
        assert (reply.refused, reply.sources, reply.lang) == (True, (), "de")
        assert "Ich kann das aus den Quellen" in reply.answer


def test_the_score_of_what_was_turned_away_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    """TD-080: a line of its own has the score that was too low, and its limit; an answer has none.

    As the shipped profile logs it, at its level INFO.
    """
    guard = THRESHOLDS.under(PROFILES[ProfileName.RELEVANCE_GUARD])
    world = World(thresholds=guard)
    reply = world.ask("Which walrus keeps the tide tables of the northern coast?")
    assert reply.refusal_reason is RefusalReason.NOT_RELEVANT
    observe = log_events(level="INFO")
    for event in world.events:
        observe(event)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (line,) = [each for each in lines if each["event"] == "contexts_rejected"]
    assert (line["component"], line["gate"], line["level"]) == ("gates", "distance", "INFO")
    assert line["score"] > line["limit"] == guard.default.distance_threshold == 0.6
    assert line["refusal_reason"] == "not_relevant"
    world.events.clear()
    assert not world.ask("What does ADR-12 decide?").refused
    assert not [event for event in world.events if isinstance(event, ContextsRejected)]


def test_a_refusal_has_the_fields_of_adr_004() -> None:
    """answer, no sources, refused, and a reason that a program can compare."""
    told = json.loads(json.dumps(World().ask("What does ADR-0050 decide?").to_dict()))
    assert told["refused"] is True
    assert told["refusal_reason"] == "entity_not_found"
    assert told["sources"] == []
    assert "ADR-0050 does not exist" in told["answer"]
    answered = World().ask("What does ADR-12 decide?").to_dict()
    assert (answered["refused"], answered["refusal_reason"]) == (False, None)


def test_sources_say_what_kind_they_are() -> None:
    """A decision, its approval record, a principle, a policy and a term are told apart."""
    world = World()
    kinds = {
        query: [(source.doc_type, source.collection) for source in world.ask(query).sources][:1]
        for query in (
            "What does ADR-12 decide?",
            "Who approved ADR-12?",
            "What does PCP-10 say?",
            "What does POL-3 say?",
            "What is a transformer?",
        )
    }
    adr, pcp, pol = (
        COLLECTIONS[kind]
        for kind in (DocumentKind.DECISION, DocumentKind.PRINCIPLE, DocumentKind.POLICY)
    )
    assert list(kinds.values()) == [
        [("ADR", adr)],
        [("DAR", adr)],
        [("Principle", pcp)],
        [("Policy", pol)],
        [("Vocabulary", "Vocabulary_Ollama")],
    ]
    assert cited(world.ask("Who approved ADR-12?")) == ["ADR-0012D"]


def test_a_score_of_fusion_is_no_confidence() -> None:
    """IR0001: however high a search ranks a passage, the confidence is that of its measures."""

    def confidence(score: float) -> float:
        evidence = Evidence(hits=(hit("ADR-0027#1", score=score),), looked_at=("decision",))
        asked = inquiry("How are connections encrypted?", evidence=evidence)
        return gates.judge(asked, thresholds=THRESHOLDS, collections=COLLECTIONS).confidence

    assert confidence(0.001) == confidence(1.0) == confidence(99.0) > 0.6


def test_a_governed_term_is_what_is_surest() -> None:
    """IR0001: a match in the vocabulary has the highest confidence that there is."""
    shipped = load_thresholds(home() / "config" / "thresholds.yaml")
    assert 1 >= shipped.skos_match >= shipped.entity_match > shipped.search_ceiling
    assert World().ask("What is a transformer?").retrieval_quality.confidence_score == (
        THRESHOLDS.skos_match
    )


@pytest.mark.parametrize(("likeness", "outcome"), [(0.56, Outcome.ANSWER), (0.54, Outcome.REFUSE)])
def test_the_limit_of_relevance_can_be_set(likeness: float, outcome: Outcome) -> None:
    """TD-080: 0.4 is where the profile begins; with `profile_limits: measured` the file sets it."""
    of_the_file = replace(THRESHOLDS.default, distance_threshold=1 - 0.55)
    guard = PROFILES[ProfileName.RELEVANCE_GUARD].measured
    limits = replace(THRESHOLDS, default=of_the_file, min_confidence=0.99).under(guard)
    ids = ("ADR-0012#0", "ADR-0012#1", "ADR-0012#2")
    hits = tuple(hit(id_, distance=1 - likeness) for id_ in ids)
    asked = inquiry("CIM domain language", evidence=Evidence(hits=hits, looked_at=("decision",)))
    verdict = gates.judge(asked, thresholds=limits, collections=COLLECTIONS)
    assert verdict.outcome is outcome
