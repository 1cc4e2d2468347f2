"""A thesaurus of one's own, as it is: hardly a definition, several languages, and no documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from scripts.lab.oracle import Library, Truth, sentences

from elysia_guard import Conversation, Guard
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.cli.main import cli

THESAURUS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix : <https://garden.example/> .
:scheme a skos:ConceptScheme ; dct:title "Garden"@en ; skos:hasTopConcept :tool .
:tool a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Garden tool"@en, "Gartengerät"@de ;
  skos:definition "What a garden is worked with."@en ;
  skos:narrower :spade, :rake, :hoe, :fork, :shears, :saw, :sieve, :hose, :barrow, :trowel .
:spade a skos:Concept ; skos:inScheme :scheme ; skos:broader :tool ; skos:related :rake ;
  skos:prefLabel "Spade"@en, "Spaten"@de, "Spade"@nl, "Bêche"@fr ;
  skos:altLabel "Digging iron"@en, "Grabscheit"@de, "GDI (Garden Digging Iron)"@en ;
  skos:scopeNote "For digging, not for shovelling."@en ;
  skos:exactMatch <https://other.example/spade> ; skos:closeMatch <https://other.example/shovel> .
:rake a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Rake"@en, "Rechen"@de ;
  dct:description "It gathers leaves."@en .
:hoe a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Hoe"@en, "Hacke"@de .
:fork a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Fork (tool)"@en .
:shears a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Shears"@en .
:saw a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Pruning saw"@en .
:sieve a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Sieve"@en .
:hose a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Hose"@en .
:barrow a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Wheelbarrow"@en .
:trowel a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Trowel"@en .
:bed1 a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Bed"@en ; skos:broader :tool .
:bed2 a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Bed"@en ; skos:altLabel "Plot"@en .
"""


OTHER = "https://other.example/"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as 'init --vocabulary' leaves it."""
    made = tmp_path_factory.mktemp("garden")
    (made / "garden.ttl").write_text(THESAURUS, encoding="utf-8")
    asked = ["init", str(made / "house"), "--vocabulary", str(made / "garden.ttl")]
    done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 0, done.output
    return made


@pytest.fixture(scope="module")
def guard(folder: Path) -> Iterator[Guard]:
    made = Guard(config=folder / "house" / "config" / "guard.yaml")
    yield made
    made.wiring.close()


def test_no_sample_documents_come_along(folder: Path, guard: Guard) -> None:
    """Only settings are written, and no list of documents is proposed."""
    files = [path for path in (folder / "house").rglob("*") if path.is_file()]
    assert [path.name for path in files] == ["guard.yaml"]
    assert not re.search(r"decision|document|index", guard.ask("What is a flurb?").answer)
    assert "documents" not in guard.ask("help").answer


def test_a_term_without_a_definition_answers_with_all_that_is_said_of_it(guard: Guard) -> None:
    """Labels in all languages, other names, note, neighbours and links; that is no meaning."""
    reply = guard.ask("What is a spade?")
    assert (reply.outcome, reply.refused) == ("hedged", False)
    assert reply.answer.count("no definition") == 1
    told = reply.answer.splitlines()
    for line in (
        "- English: Spade",
        "- German: Spaten",
        "- French: Bêche",
        "Note: For digging, not for shovelling.",
        "Also called: Digging iron, GDI (Garden Digging Iron)",
        "Also called, in German: Grabscheit",
        "Broader: Garden tool",
        "Related: Rake",
        f"In other vocabularies: exactMatch {OTHER}spade, closeMatch {OTHER}shovel",
    ):
        assert line in told
    assert {source.doc_id for source in reply.sources} == {"https://garden.example/spade"}


def test_a_description_is_quoted_and_is_no_definition(guard: Guard) -> None:
    """What the vocabulary says of a term, word for word, under the line that says so."""
    answer = guard.ask("What is a rake?").answer
    assert answer.index("no definition") < answer.index("> It gathers leaves.")


def test_what_is_left_out_of_a_row_is_counted(guard: Guard) -> None:
    """Of eleven narrower terms eight are named beside a definition; the others are not hidden."""
    answer = guard.ask("What is a garden tool?").answer
    (row,) = [line for line in answer.splitlines() if line.startswith("Narrower: ")]
    named, left = re.fullmatch(r"Narrower: (.*) \u2026 \(\+(\d+)\)", row).groups()  # type: ignore[union-attr]
    assert len(named.split(", ")) + int(left) == 11


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What is the German word for spade?", ["Spaten", "Grabscheit"]),
        ("What is the German for a rake?", ["Rechen"]),
        ("How do you say Spaten in French?", ["Bêche"]),
        ("Spade in Dutch?", ["Spade"]),
        ("What is Rechen called in English?", ["Rake"]),
        ("Translate hoe into German", ["Hacke"]),
        ("Wie heißt Spaten auf Englisch?", ["Spade", "Digging iron"]),
        ("Was ist das englische Wort für Rechen?", ["Rake"]),
        ("Hoe zeg je spade in het Duits?", ["Spaten"]),
        ("Wat is het Franse woord voor spade?", ["Bêche"]),
        ("Comment dit-on bêche en allemand ?", ["Spaten"]),
        ("Quel est le mot anglais pour bêche ?", ["Spade"]),
        ("What is broader than a spade?", ["Garden tool"]),
        ("Which terms are narrower than garden tool?", ["Spade", "Trowel", "Bed"]),
        ("What is related to spade?", ["Rake"]),
        ("Was ist mit Spaten verwandt?", ["Rechen"]),
        ("Welche Begriffe sind enger als Gartengerät?", ["Spaten", "Rechen", "Hacke"]),
        ("Wat is breder dan spade?", ["Garden tool"]),
        ("Quel terme est plus large que bêche ?", ["Garden tool"]),
        ("What is another word for spade?", ["Digging iron"]),
        ("What is a digging iron?", ["'Digging iron' is another name of 'Spade'.", "Spaten"]),
        ("What is GDI?", ["is another name of 'Spade'", "Spaten"]),
        ("What is a fork?", ["Fork (tool)"]),
        ("Is a digging iron the same as a spade?", ["names of one and the same concept", "Spaten"]),
        ("Is Grabscheit another word for spade?", ["names of one and the same concept"]),
        ("Is a rake the same as a spade?", ["two concepts", "Rechen", "Spaten"]),
        ("Bedeuten Spaten und Grabscheit dasselbe?", ["ein und desselben Begriffs"]),
        ("Is een spade hetzelfde als een rechen?", ["twee begrippen"]),
        ("What is the difference between a rake and a spade?", ["Rechen", "Spaten"]),
        ("What is a wheelbarow?", ["Wheelbarrow"]),
    ],
)
def test_what_is_asked_of_a_term_is_told(
    guard: Guard, folder: Path, asked: str, told: list[str]
) -> None:
    """In any language of the packs, as far as the vocabulary has it; and nothing false is said."""
    reply = guard.ask(asked)
    assert not reply.refused, reply.answer
    for words in told:
        assert words in reply.answer
    assert_true(reply, asked, folder)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("What is a flurb?", "'flurb' is not a term"),
        ("What is the German word for flurb?", "'flurb' is not a term"),
        ("Which terms are narrower than flurb?", "'flurb' is not a term"),
        ("What is the French word for rake?", "no word for it in French"),
        ("Hoe heet rake in het Frans?", "geen woord ervoor in het Frans"),
        ("What is narrower than a spade?", "names no narrower terms"),
    ],
)
def test_what_the_vocabulary_does_not_have_is_refused(
    guard: Guard, folder: Path, asked: str, why: str
) -> None:
    """With the reason of the vocabulary, and never with the question itself for a way on."""
    reply = guard.ask(asked)
    assert reply.refusal_reason == "terminology_not_found"
    assert why in reply.answer
    assert_true(reply, asked, folder)
    for way in reply.suggestions:
        assert way.question.casefold() != asked.casefold()
        assert not guard.ask(way.question).refused


def test_of_two_terms_of_one_name_each_way_on_leads_further(guard: Guard) -> None:
    """Though they bear one label in one vocabulary: none asks the same again."""
    reply = guard.ask("What is a bed?")
    assert reply.outcome == "clarified"
    ended = [guard.ask(way.question) for way in reply.suggestions]
    assert [each.outcome for each in ended] == ["hedged", "hedged"]
    assert len({each.sources[0].doc_id for each in ended}) == 2


def test_a_translation_is_asked_back_and_picked(guard: Guard) -> None:
    """Which of two is meant, and then what that one is called: it is not forgotten."""
    talk = Conversation()
    assert guard.ask("What is bed in German?", conversation=talk).outcome == "clarified"
    assert "no word for it in German" in guard.ask("the second", conversation=talk).answer


def test_a_check_tells_equal_findings_once(folder: Path) -> None:
    """With how many there are of them."""
    asked = ["vocab", "check", str(folder / "garden.ttl"), "--examples", "50"]
    lines = CliRunner().invoke(cli, asked).output.splitlines()
    told = [line.strip().split("  ")[0] for line in lines]
    assert told.count("Bed (2 times)") == 1
    assert "Bed" not in told


def assert_true(reply: RAGResponse, asked: str, folder: Path) -> None:
    """Hold every line against the file."""
    library = Library([], [folder / "garden.ttl"])
    judged = sentences(reply, asked, library)
    assert [item for item in judged if item.truth in {Truth.FALSE, Truth.UNKNOWN}] == []
