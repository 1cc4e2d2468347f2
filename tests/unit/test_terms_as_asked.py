"""From the question to the definition: the shipped vocabulary, and how an answer tells it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.unit.small_world import inquiry, question, read, verdict

from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.domain.concept import Concept, LabelRole, TermMatch
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.evidence import Definitions, Evidence, Sense
from elysia_guard.domain.question import Lang
from elysia_guard.domain.reading import Comparison, Definition, Search
from elysia_guard.language.pack import langs
from elysia_guard.reading.forms import read_form
from elysia_guard.reading.spans import Spotter
from elysia_guard.stages import answering, terminology, verification
from elysia_guard.testing.terminology import ASSET, CIM_DUMP, METER, REGULATED_ASSET, TRANSFORMER

VOCABULARY = Path(__file__).parents[2] / "data" / "vocabulary" / "vennet.ttl"
AT_ONCE_S = 2.0
LONG = 9
"""Letters of a word that is surely no other word without one of them."""
URI = "https://vocab.vennet.example/"


@pytest.fixture(scope="module")
def source() -> SkosFile:
    return SkosFile.load([VOCABULARY])


async def found(source: SkosFile, query: str, lang: Lang) -> Definitions:
    spans = Spotter.of((await source.labels()).all, ()).spot(query, lang)
    asks = read_form(question(query, lang), spans).asks
    assert isinstance(asks, Definition | Comparison | Search)
    return await terminology.look_up(source, asks, lang)


@pytest.mark.parametrize(
    ("query", "lang", "uris"),
    [
        ("Everyone says TSO, what's that?", "en", ["grid/transmission-system-operator"]),
        ("What is a prompt injecton attack?", "en", ["it/prompt-injection"]),
        ("Wat is een middenspaningsruimte?", "nl", ["grid/distribution-substation"]),
        ("What do we mean by hallucinations when models talk?", "en", ["it/hallucination"]),
        ("I see an mRID on every object. What is it?", "en", ["grid/mrid"]),
        ("He drew a busbar thing for me. Definition please", "en", ["grid/busbar"]),
        ("What is a disconector?", "en", ["grid/disconnector"]),
        ("BESS: what is that for a layman, please", "en", ["grid/battery-storage"]),
        ("busbar?? heard it on site, what is it to us", "en", ["grid/busbar"]),
        ("Could anyone at the desk tell me what feeders are", "en", ["grid/feeder"]),
        ("abbreviation SAIDI", "en", ["grid/saidi"]),
        (
            "The fitter pointed at it and called it the P1 port. Meaning of the word?",
            "en",
            ["grid/p1-port"],
        ),
        ("Sammelschiene: einfach erkl\u00e4rt, bitte", "de", ["grid/busbar"]),
        (
            "K\u00f6nnte mir jemand aus dem Betrieb sagen, was Redispatch ist?",
            "de",
            ["grid/redispatch"],
        ),
        ("What does droop control mean?", "en", []),
        ("'open by default' - what do they mean by it towards suppliers?", "en", []),
        ("Explanation of the word gridlock", "en", []),
        ("What is the attack rule?", "en", []),
        ("What is a macrogrid?", "en", []),
        ("What does N-2 criterion mean?", "en", []),
    ],
)
async def test_what_is_asked_finds_its_concept(
    source: SkosFile, query: str, lang: Lang, uris: Sequence[str]
) -> None:
    """Inflected, with a slip, with a noun too many, or mentioned before it is asked for."""
    evidence = await found(source, query, lang)
    senses = [evidence.matches, *(sense.matches for sense in evidence.compared)]
    concepts = [match.concept.uri for matches in senses for match in matches]
    assert concepts == [URI + uri for uri in uris]


async def test_one_slip_in_each_long_label_never_brings_another_concept(source: SkosFile) -> None:
    """The concept itself or nothing: each label, with its fifth letter left out."""
    labels = [(item, label) for item in read_concepts([VOCABULARY]) for label in item.preferred]
    mended = 0
    for concept, label in labels:
        first, *others = label.value.split()
        if len(first) >= LONG and first.isalpha():
            slip = " ".join([first[:4] + first[5:], *others])
            lang = next(known for known in langs() if known == label.lang)
            evidence = await terminology.look_up(source, Definition(term=slip), lang)
            assert {item.concept.uri for item in evidence.matches} <= {concept.uri}, slip
            mended += len(evidence.matches)
    assert mended > len(labels) / 4


def match(concept: Concept) -> TermMatch:
    return TermMatch(concept=concept, label=concept.preferred[0], role=LabelRole.PREFERRED)


def drafted(evidence: Evidence) -> Draft:
    under_way = inquiry("What is it?", evidence=evidence, verdict=verdict())
    made = answering.draft(under_way, collection=lambda _: "Vocabulary_Ollama")
    checked = verification.verify(made)
    assert checked.sources_verified == checked.sources_total
    return made


def test_another_label_than_the_one_written_is_told_first() -> None:
    """Before the definition, so that nobody takes it for that of another word."""
    made = drafted(Definitions(matches=(match(METER),), looked_at=("V",), written="metre"))
    first, second = made.blocks
    assert first.notes == ("You wrote 'metre'; the vocabulary has 'meter'.",)
    assert second.heading == "**meter**"
    assert len(made.sources) == 1


def test_compared_terms_are_quoted_each_with_its_source() -> None:
    """Word for word, side by side."""
    other = Sense(term="transformer", matches=(match(TRANSFORMER),))
    made = drafted(Definitions(matches=(match(METER),), looked_at=("V",), compared=(other,)))
    assert [quote.text for block in made.blocks for quote in block.quotes] == [
        METER.definitions[0].value,
        TRANSFORMER.definitions[0].value,
    ]
    assert [item.doc_id for item in made.sources] == [METER.uri, TRANSFORMER.uri]


@pytest.mark.parametrize(
    ("concepts", "said"),
    [
        ((), "'x' is not a term of the vocabulary V"),
        ((ASSET, REGULATED_ASSET), "'x' means more than one thing in the vocabulary V"),
        ((CIM_DUMP,), "'x' is a deprecated term of the vocabulary V"),
    ],
)
def test_why_a_compared_term_is_not_defined_is_told(concepts: Sequence[Concept], said: str) -> None:
    """By name, beside the definition of the other."""
    other = Sense(term="x", matches=tuple(map(match, concepts)))
    made = drafted(Definitions(matches=(match(METER),), looked_at=("V",), compared=(other,)))
    (note,) = made.blocks[-1].notes
    assert note.startswith(said)
    assert len(made.sources) == 1


@pytest.mark.parametrize(
    "piece",
    [
        "could somebody ",
        "my boss asked me to ",
        "i need for a definition of ",
        "explanation of the term ",
        "what does x mean regarding ",
        "in plain words ",
        "even kurz mal ",
        "X? please, ",
        "'a' b in the ",
    ],
)
def test_a_question_of_any_make_is_read_at_once(piece: str) -> None:
    """However often its wrappings are repeated, up to the longest question that is let in."""
    started = time.process_time()
    read((piece * 2_000)[:2_000])
    assert time.process_time() - started < AT_ONCE_S
