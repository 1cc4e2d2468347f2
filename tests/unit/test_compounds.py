"""Compounds that no passage holds are looked for by their parts."""

from __future__ import annotations

import pytest
from tests.unit.small_world import DECISION, document

from elysia_guard.domain.document import SectionRole
from elysia_guard.domain.question import Question
from elysia_guard.domain.reading import Search
from elysia_guard.language.coverage import NAMED, query_terms
from elysia_guard.language.glossary import halves, named, names
from elysia_guard.running import run_anywhere as run
from elysia_guard.stages.retrieval import search
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder


def test_short_pieces_are_no_parts() -> None:
    """Three letters stand in too many words."""
    assert all(min(map(len, half)) >= 4 for half in halves("gegevensbeheerder", "nl"))


def test_parts_are_named_in_the_other_languages() -> None:
    """What the glossary calls both parts stands beside them; else they stand alone."""
    assert "data owner" in names(("gegevens", "eigenaar"), "nl")
    assert names(("vraag", "respons"), "nl")[0] == "vraag respons"


def test_a_search_finds_a_compound_by_its_parts() -> None:
    """The parts count as the word where all of them stand, in any language."""
    passages = document(
        DECISION, 1, "Access", (SectionRole.SUBSTANCE, "The access policy is kept by the office.")
    )
    index = run(FakeIndex.build(passages, HashEmbedder()))
    question = Question(text="Wat staat er in het toegangsbeleid?", lang="nl", request_id="t")
    evidence = run(search(index, HashEmbedder(), question, Search(topic="toegangsbeleid"), ()))
    assert evidence.hits[0].lexical
    terms = query_terms("toegangsbeleid", "nl", evidence.synonyms)
    assert terms.coverage_by(evidence.hits[0].passage) == 1.0
    known = run(search(index, HashEmbedder(), question, Search(topic="access policy"), ()))
    assert known.synonyms == ()


def test_a_word_is_covered_by_its_name_in_another_language() -> None:
    """The glossary says what a word is called; that covers it nearly as well as the word itself."""
    assert ("customer", "en") in named("klant", "nl")
    terms = query_terms("klant", "nl")
    assert terms.coverage("The customer decides.", "en") == pytest.approx(NAMED)
    assert terms.coverage("De klant beslist.", "nl") == 1.0
    assert query_terms("customer", "en").coverage("De klant beslist.", "nl") == pytest.approx(NAMED)
