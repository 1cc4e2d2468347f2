"""The terminology stage: every meaning of a term, and outages that never look like 'not there'."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from elysia_guard.domain.concept import Concept, TermMatch, Text
from elysia_guard.domain.errors import CircuitOpenError
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Comparison, Definition, Part, Search
from elysia_guard.stages import terminology
from elysia_guard.testing.terminology import (
    ASSET,
    CIM_DUMP,
    CONCEPTS,
    METER,
    REGULATED_ASSET,
    TRANSFORMER,
    Failure,
    FakeTerminology,
)


def about(term: str, uri: str = "") -> Definition:
    return Definition(term=term, uri=uri)


@pytest.fixture
def source() -> FakeTerminology:
    return FakeTerminology(CONCEPTS, name="skosmos")


async def test_a_term_brings_its_concept_and_its_neighbours(source: FakeTerminology) -> None:
    """With their labels in the asked language, and the relation they stand in."""
    evidence = await terminology.look_up(source, about("transformer"), "nl")
    assert [match.concept for match in evidence.matches] == [TRANSFORMER]
    assert [(item.relation, item.label) for item in evidence.related] == [
        ("broader", "bedrijfsmiddel"),
        ("related", "meter"),
    ]
    assert evidence.looked_at == ("skosmos",)


async def test_a_term_that_is_not_there_is_no_failure(source: FakeTerminology) -> None:
    """It was asked for, and nothing is missing."""
    evidence = await terminology.look_up(source, about("FooBarBaz"), "en")
    assert (evidence.matches, evidence.missing, evidence.fallbacks) == ((), (), ())
    assert source.asked == ["FooBarBaz"]


@pytest.mark.parametrize(
    ("failure", "in_time", "flag"),
    [
        (Failure.TIMEOUT, False, "skosmos_timeout"),
        (Failure.UNAVAILABLE, True, "skosmos_error"),
    ],
)
async def test_an_outage_is_missing_and_flagged(
    source: FakeTerminology, failure: Failure, in_time: bool, flag: str
) -> None:
    """IR0003's fallback flags; who could not be asked, and how it failed."""
    source.failure = failure
    evidence = await terminology.look_up(source, about("meter"), "en")
    (missing,) = evidence.missing
    assert (missing.source, missing.timeout) == ("skosmos", not in_time)
    assert evidence.fallbacks == (flag,)
    assert evidence.matches == ()


async def test_an_ambiguous_term_brings_all_meanings_and_no_neighbours(
    source: FakeTerminology,
) -> None:
    """The reader chooses first."""
    evidence = await terminology.look_up(source, about("asset"), "en")
    assert [match.concept for match in evidence.matches] == [ASSET, REGULATED_ASSET]
    assert evidence.related == ()


@pytest.mark.parametrize(
    ("term", "concept"),
    [
        ("asset (Terms of the law)", REGULATED_ASSET),
        ("asset (terms of the GRID)", ASSET),
        ("asset (law)", REGULATED_ASSET),
    ],
)
async def test_a_term_may_name_its_vocabulary(
    source: FakeTerminology, term: str, concept: object
) -> None:
    """As the question back proposes it, by title or id."""
    evidence = await terminology.look_up(source, about(term), "en")
    assert [match.concept for match in evidence.matches] == [concept]


@pytest.mark.parametrize(
    ("term", "lang"),
    [("transformer of a substation", "en"), ("trafo van een station", "nl")],
)
async def test_the_term_of_something_is_the_term(
    source: FakeTerminology, term: str, lang: Lang
) -> None:
    """Unless the whole is one; what neither is stays unknown."""
    evidence = await terminology.look_up(source, about(term), lang)
    assert [match.concept for match in evidence.matches] == [TRANSFORMER]
    whole = replace(METER, uri="urn:w", preferred=(Text(value=term, lang=lang),))
    both = FakeTerminology([*CONCEPTS, whole])
    assert (await terminology.look_up(both, about(term), lang)).matches[0].concept == whole
    assert not (await terminology.look_up(source, about("dream of a substation"), "en")).matches


async def test_a_vocabulary_that_has_no_such_term_finds_nothing(source: FakeTerminology) -> None:
    """Not the meaning of another vocabulary instead."""
    assert (await terminology.look_up(source, about("asset (Cookery)"), "en")).matches == ()


async def test_a_deprecated_term_brings_its_successors(source: FakeTerminology) -> None:
    """To go on to, in place of neighbours."""
    evidence = await terminology.look_up(source, about("CIM dump"), "en")
    assert evidence.matches[0].concept == CIM_DUMP
    assert [(item.uri, item.relation) for item in evidence.related] == [(METER.uri, "replaced_by")]


async def test_a_neighbour_that_the_vocabulary_does_not_know_is_left_out() -> None:
    """A dangling relation is not shown."""
    evidence = await terminology.look_up(FakeTerminology([TRANSFORMER]), about("transformer"), "en")
    assert evidence.matches
    assert evidence.related == ()


async def test_synonyms_of_one_meaning_are_used(source: FakeTerminology) -> None:
    """All names of the concept, the one of the text first."""
    ((group,), _) = await terminology.synonyms(source, "Wat kost een trafo?", "nl")
    assert group[0] == "trafo"
    assert "power transformer" in group


async def test_a_word_of_two_meanings_has_no_synonyms(source: FakeTerminology) -> None:
    """The wrong sense would count as an answer."""
    assert await terminology.synonyms(source, "What does an asset cost?", "en") == ((), ())


@pytest.mark.parametrize("failure", list(Failure))
async def test_without_the_vocabulary_there_are_no_synonyms(
    source: FakeTerminology, failure: Failure
) -> None:
    """A search goes on without them, and it is said which source was missing, and how."""
    source.failure = failure
    groups, (missing,) = await terminology.synonyms(source, "trafo", "nl")
    assert groups == ()
    assert missing.timeout is (failure is Failure.TIMEOUT)


async def test_a_meaning_that_was_chosen_stands_alone(source: FakeTerminology) -> None:
    """The others are told beside it; one that is no longer there is asked for again."""
    evidence = await terminology.look_up(source, about("asset", ASSET.uri), "en")
    assert [match.concept for match in evidence.matches] == [ASSET]
    assert [match.concept for match in evidence.others] == [REGULATED_ASSET]
    gone = await terminology.look_up(source, about("asset", "https://gone.example"), "en")
    assert (len(gone.matches), gone.others) == (2, ())


async def test_neighbours_that_take_too_long_are_left_out() -> None:
    """The definition is there: it is not lost with them, and the deadline holds."""

    class Endless(FakeTerminology):
        async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
            await asyncio.Event().wait()
            raise AssertionError

    source = Endless(CONCEPTS, name="skosmos")
    evidence = await terminology.look_up(source, about("transformer"), "en", within_s=0.01)
    assert [match.concept for match in evidence.matches] == [TRANSFORMER]
    assert (evidence.related, evidence.missing) == ((), ())


async def test_an_open_circuit_breaker_is_flagged(source: FakeTerminology) -> None:
    """OBS-05: the source was not even asked."""

    class Tired(FakeTerminology):
        async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
            raise CircuitOpenError("skosmos is left alone", source="skosmos")

    evidence = await terminology.look_up(Tired(), about("meter"), "en")
    assert evidence.missing[0].circuit_open
    assert evidence.fallbacks == ("skosmos_error", "circuit_open")


def maybe(term: str, topic: str = "") -> Search:
    return Search(term=term, topic=topic or term)


def part_of(asks: Search) -> Part:
    return Part(asks=asks, text=asks.topic, reason="a test says so")


def between(*terms: str) -> Comparison:
    return Comparison(terms=terms, topic=" versus ".join(terms))


def named(label: str, uri: str = "urn:c", **changes: object) -> Concept:
    return replace(METER, uri=uri, preferred=(Text(value=label, lang="en"),), **changes)


N_MINUS_1 = named("N-1")
STATE = named("substation automation", "urn:s", definitions=())


async def test_a_noun_that_says_what_sort_it_is_may_be_left_out() -> None:
    """In one look-up, told as such, and only where the rest is a label as a whole."""
    source = FakeTerminology([N_MINUS_1], name="skosmos")
    found = await terminology.look_up(source, about("N-1 rule"), "en")
    assert [match.concept for match in found.matches] == [N_MINUS_1]
    assert (found.written, source.asked) == ("N-1 rule", ["N-1"])
    assert not (await terminology.look_up(source, about("big N-1 rule"), "en")).matches


async def test_the_whole_term_comes_before_the_rest_of_it() -> None:
    """A vocabulary that has both has two concepts."""
    source = FakeTerminology([N_MINUS_1, named("N-1 rule", "urn:r")])
    found = await terminology.look_up(source, about("N-1 rule"), "en")
    assert [match.concept.uri for match in found.matches] == ["urn:r"]
    assert found.written == ""


async def test_what_remains_without_the_noun_must_mean_one_thing() -> None:
    """Of two meanings none is asked back: nobody wrote the term."""
    source = FakeTerminology([N_MINUS_1, named("N-1", "urn:r")])
    assert not (await terminology.look_up(source, about("N-1 rule"), "en")).matches


async def test_a_slip_brings_the_one_concept_that_it_must_mean() -> None:
    """As the vocabulary has it, with what was written; in one look-up that misses."""
    source = FakeTerminology(CONCEPTS, name="skosmos")
    found = await terminology.look_up(source, about("power transfomer"), "en", within_s=1.0)
    (match,) = found.matches
    assert (match.concept, match.label.value) == (TRANSFORMER, "power transformer")
    assert (found.written, source.asked) == ("power transfomer", ["power transfomer"])
    assert [item.relation for item in found.related] == ["broader", "related"]


@pytest.mark.parametrize(
    ("term", "concepts"),
    [
        pytest.param("power plant", CONCEPTS, id="another word"),
        pytest.param("vermogenstransfomator", CONCEPTS, id="a label of another language"),
        pytest.param("transfomer", [*CONCEPTS, named("transformer")], id="two meanings"),
        pytest.param(
            "transfomer",
            [TRANSFORMER, named("a transfomer", definitions=())],
            id="the vocabulary writes the word itself",
        ),
    ],
)
async def test_what_may_be_meant_otherwise_is_not_there(
    term: str, concepts: Sequence[Concept]
) -> None:
    """It is suggested, and not defined."""
    assert not (await terminology.look_up(FakeTerminology(concepts), about(term), "en")).matches


async def test_a_slip_is_looked_at_where_a_meaning_is_asked_alone() -> None:
    """What may be a subject is searched for."""
    source = FakeTerminology(CONCEPTS)
    assert not (await terminology.look_up(source, maybe("transfomer"), "en")).matches


@pytest.mark.parametrize("hanging", [True, False])
async def test_without_suggestions_a_slip_is_a_term_that_is_not_there(hanging: bool) -> None:
    """The vocabulary has said so."""

    class NoSuggestions(FakeTerminology):
        async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
            if hanging:
                await asyncio.Event().wait()
            raise CircuitOpenError("skosmos is left alone", source="skosmos")

    found = await terminology.look_up(
        NoSuggestions(CONCEPTS), about("transfomer"), "en", within_s=0.01
    )
    assert (found.matches, found.missing) == ((), ())


async def test_a_concept_that_is_suggested_and_gone_is_not_there() -> None:
    """What the labels beside a server know, the server must know too."""

    class Gone(FakeTerminology):
        async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
            return []

    found = await terminology.look_up(Gone(CONCEPTS), about("power transfomer"), "en")
    assert (found.matches, found.written) == ((), "")


async def test_terms_that_are_compared_come_both(source: FakeTerminology) -> None:
    """The first as the evidence, the other beside it."""
    found = await terminology.look_up(source, between("transformer", "meter"), "en")
    assert [match.concept for match in found.matches] == [TRANSFORMER]
    assert [(item.term, len(item.matches)) for item in found.compared] == [("meter", 1)]
    assert source.asked == ["transformer", "meter"]
    assert found.related == ()


@pytest.mark.parametrize("other", ["flux", "asset", "CIM dump", "substation automation"])
async def test_a_compared_term_that_cannot_be_defined_stands_beside_the_other(other: str) -> None:
    """Unknown, of two meanings, deprecated or without definition: the other one is shown."""
    source = FakeTerminology([*CONCEPTS, STATE])
    found = await terminology.look_up(source, between(other, "meter"), "en")
    assert [match.concept for match in found.matches] == [METER]
    assert [item.term for item in found.compared] == [other]


async def test_of_compared_terms_that_cannot_be_defined_nothing_is_found(
    source: FakeTerminology,
) -> None:
    """The documents may know the difference."""
    found = await terminology.look_up(source, between("flux", "asset"), "en")
    assert (found.matches, found.compared) == ((), ())


@pytest.mark.parametrize("term", ["N-1 rule", "meter of a house"])
async def test_an_outage_while_labels_are_compared_is_an_outage(
    source: FakeTerminology, term: str
) -> None:
    """Never 'not there'."""
    source.failure = Failure.TIMEOUT
    found = await terminology.look_up(source, about(term), "en")
    assert found.missing[0].timeout
