"""The terminology stage: every meaning of a term, and outages that never look like 'not there'."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from elysia_guard.domain.concept import Concept, TermMatch, Text
from elysia_guard.domain.errors import CircuitOpenError
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Comparison, Definition, Search
from elysia_guard.stages import terminology
from elysia_guard.testing.terminology import (
    ASSET,
    CONCEPTS,
    METER,
    REGULATED_ASSET,
    TRANSFORMER,
    FakeTerminology,
    ScriptedFailure,
)


@pytest.fixture
def source() -> FakeTerminology:
    return FakeTerminology(CONCEPTS, name="skosmos")


async def look_up(
    source: FakeTerminology, term: str, uri: str = "", lang: Lang = "en", within_s: float = 1.0
) -> Evidence:
    asked = Definition(term=term, uri=uri)
    return await terminology.look_up(source, asked, lang, within_s=within_s)


def concepts(evidence: Evidence) -> list[Concept]:
    return [match.concept for match in evidence.matches]


def named(label: str, uri: str = "urn:c", **changes: object) -> Concept:
    return replace(METER, uri=uri, preferred=(Text(value=label, lang="en"),), **changes)  # type: ignore[arg-type]


async def test_a_term_that_is_not_there_is_no_failure(source: FakeTerminology) -> None:
    """It was asked for, and nothing is missing."""
    evidence = await look_up(source, "FooBarBaz")
    assert (evidence.matches, evidence.missing, evidence.fallbacks) == ((), (), ())
    assert (source.asked, evidence.looked_at) == (["FooBarBaz"], ("skosmos",))


async def test_an_open_circuit_breaker_is_flagged() -> None:
    """OBS-05: the source was not even asked."""

    class Tired(FakeTerminology):
        async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
            raise CircuitOpenError("skosmos is left alone", source="skosmos")

    evidence = await look_up(Tired(), "meter")
    assert evidence.missing[0].circuit_open
    assert evidence.fallbacks == ("skosmos_error", "circuit_open")


@pytest.mark.parametrize("term", ["meter", "N-1 rule", "meter of a house"])
async def test_an_outage_is_missing(source: FakeTerminology, term: str) -> None:
    """Never 'not there', also while labels are compared."""
    source.failure = ScriptedFailure.TIMEOUT
    (missing,) = (await look_up(source, term)).missing
    assert (missing.source, missing.timeout) == ("skosmos", True)


async def test_a_meaning_that_was_chosen_stands_alone(source: FakeTerminology) -> None:
    """The others are told beside it; one that is no longer there is asked for again."""
    evidence = await look_up(source, "asset", ASSET.uri)
    assert concepts(evidence) == [ASSET]
    assert [match.concept for match in evidence.others] == [REGULATED_ASSET]
    gone = await look_up(source, "asset", "https://gone.example")
    assert (concepts(gone), gone.others) == ([ASSET, REGULATED_ASSET], ())


async def test_neighbours_that_take_too_long_are_left_out() -> None:
    """The definition is there: it is not lost with them, and the deadline holds."""

    class Endless(FakeTerminology):
        async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
            await asyncio.Event().wait()
            raise AssertionError

    evidence = await look_up(Endless(CONCEPTS), "transformer", within_s=0.01)
    assert concepts(evidence) == [TRANSFORMER]
    assert (evidence.related, evidence.missing) == ((), ())


async def test_synonyms_of_one_meaning_are_used(source: FakeTerminology) -> None:
    """All names, the one of the text first; of two meanings none: the wrong would count."""
    ((group,), _) = await terminology.synonyms(source, "Wat kost een trafo?", "nl")
    assert group[0] == "trafo"
    assert "power transformer" in group
    assert await terminology.synonyms(source, "What does an asset cost?", "en") == ((), ())


@pytest.mark.parametrize(
    ("labels", "term", "found"),
    [
        (["N-1"], "N-1 rule", "N-1"),
        (["N-1"], "big N-1 rule", ""),
        (["N-1", "N-1 rule"], "N-1 rule", "N-1 rule"),
        (["N-1", "N-1"], "N-1 rule", ""),
        (["transformer of a substation", "transformer"], "transformer of a substation", "trans"),
    ],
)
async def test_a_noun_that_says_what_sort_it_is_may_be_left_out(
    labels: list[str], term: str, found: str
) -> None:
    """In one look-up, told as such; where the rest is a label as a whole, and means one thing."""
    source = FakeTerminology([named(label, f"urn:{n}") for n, label in enumerate(labels)])
    evidence = await look_up(source, term)
    assert [each.preferred[0].value[: len(found)] for each in concepts(evidence)] == (
        [found] if found else []
    )
    assert bool(evidence.written) is (bool(found) and term not in labels)


async def test_a_slip_brings_the_one_concept_that_it_must_mean(source: FakeTerminology) -> None:
    """As the vocabulary has it, with what was written, in one look-up that misses."""
    found = await look_up(source, "power transfomer")
    (match,) = found.matches
    assert (match.concept, match.label.value) == (TRANSFORMER, "power transformer")
    assert (found.written, source.asked) == ("power transfomer", ["power transfomer"])
    assert [item.relation for item in found.related] == ["broader", "related"]
    asked = Search(term="transfomer", topic="transfomer")  # what may be a subject
    assert not (await terminology.look_up(source, asked, "en")).matches


@pytest.mark.parametrize("beside", [named("transformer"), named("a transfomer", definitions=())])
async def test_what_may_be_meant_otherwise_is_not_there(beside: Concept) -> None:
    """Of two meanings, or where the vocabulary writes the word itself, it is suggested only."""
    assert not (await look_up(FakeTerminology([TRANSFORMER, beside]), "transfomer")).matches


@pytest.mark.parametrize("how", ["hangs", "fails", "knows it no more"])
async def test_without_suggestions_a_slip_is_a_term_that_is_not_there(how: str) -> None:
    """The vocabulary has said so."""

    class NoSuggestions(FakeTerminology):
        async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
            if how == "hangs":
                await asyncio.Event().wait()
            if how == "fails":
                raise CircuitOpenError("skosmos is left alone", source="skosmos")
            return await super().suggest(term, lang=lang, limit=limit)

        async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
            return []

    found = await look_up(NoSuggestions(CONCEPTS), "power transfomer", within_s=0.01)
    assert (found.matches, found.missing, found.written) == ((), (), "")


@pytest.mark.parametrize(
    ("terms", "found", "beside"),
    [
        (("transformer", "meter"), [TRANSFORMER], ["meter"]),
        (("flux", "meter"), [METER], ["flux"]),
        (("asset", "meter"), [METER], ["asset"]),
        (("CIM dump", "meter"), [METER], ["CIM dump"]),
        (("substation automation", "meter"), [METER], ["substation automation"]),
        (("flux", "asset"), [], []),
    ],
)
async def test_terms_that_are_compared_come_both(
    terms: tuple[str, str], found: list[Concept], beside: list[str]
) -> None:
    """One that cannot be defined stands beside the other; of two the documents may know more."""
    source = FakeTerminology([*CONCEPTS, named("substation automation", "urn:s", definitions=())])
    asked = Comparison(terms=terms, topic=" versus ".join(terms))
    evidence = await terminology.look_up(source, asked, "en")
    assert concepts(evidence) == found
    assert [item.term for item in evidence.compared] == beside
    assert (source.asked, evidence.related) == (list(terms), ())
