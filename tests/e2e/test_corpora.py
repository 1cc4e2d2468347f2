"""The guard over a real corpus and a real vocabulary, with the bundled embedder.

The right document of each question was determined by reading the corpus, before any was asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tables import cases

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.ingest import IngestReport, ingest
from elysia_guard.direct import Guard
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.running import run_anywhere
from elysia_guard.wiring import Wiring

SHARED = Path(__file__).resolve().parents[3] / "shared"
CORPUS = SHARED / "corpus" / "esa"
VOCABULARY = SHARED / "vocabulary"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (CORPUS.is_dir() and VOCABULARY.is_dir()), reason="the shared corpora are not here"
    ),
]

Ask = Callable[[str], RAGResponse]
SUBSTANCE = cases("esa", "substance")
ASTRAY = pytest.mark.xfail(
    strict=True, reason="to the bundled model, 'vindbaar' is the same as 'kenbaar' of others"
)
"""A question that is answered from other documents; once it is mended, this fails."""
KNOWN = [each for each in cases("esa") if each.values[0]["about"] != "substance"]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, IngestReport]:
    """Ingest the corpus once."""
    path = tmp_path_factory.mktemp("esa") / "index.sqlite"
    return path, run_anywhere(ingest([CORPUS], path, BundledEmbedder()))


@pytest.fixture(scope="session")
def ask(built: tuple[Path, IngestReport]) -> Ask:
    """Ask on the direct route; a question is answered once however often it is asked."""
    guard = Guard(wiring=Wiring.load(index=built[0], vocabulary=VOCABULARY))
    return guard.ask


def cited(response: RAGResponse) -> list[str]:
    """The documents that are cited, as 'ADR-0012' or 'PCP-0010D', each once, in order."""
    shown = []
    for source in response.sources:
        number = Path(source.location).name.partition("-")[0]
        prefix = "ADR" if "decisions" in source.location else "PCP"
        shown.append(f"{prefix}-{number}")
    return list(dict.fromkeys(shown))


def test_the_corpus_is_read_whole(built: tuple[Path, IngestReport], ask: Ask) -> None:
    """18 decisions, 31 principles and an approval record of each; no template, no index page."""
    documents = run_anywhere(
        Guard(wiring=Wiring.load(index=built[0], vocabulary=VOCABULARY)).pipeline.index.info()
    )
    assert Counter(documents.by_type) == {"ADR": 18, "Principle": 31, "DAR": 49}
    assert built[1].documents == 98
    skipped = {Path(item.path).name for item in built[1].skipped}
    assert {
        "adr-template.md",
        "adr-decision-template.md",
        "principle-template.md",
        "index.md",
    } <= skipped


@pytest.mark.parametrize("row", KNOWN)
def test_what_is_known_is_answered_and_what_is_not_refused(ask: Ask, row: dict[str, Any]) -> None:
    """By identity, in every written form, from the vocabulary; in the language of the question."""
    response = ask(row["asked"])
    assert row.get("says", "") in response.answer
    assert cited(response) == row.get("cited", cited(response))
    assert response.refusal_reason == row.get("reason", response.refusal_reason)
    assert response.lang == row.get("lang", response.lang)
    assert response.refused is ("reason" in row or row.get("refused", False))
    assert response.suggestions or not response.refused


def test_a_bare_number_of_two_documents_asks_back(ask: Ask) -> None:
    """Decision 10 or principle 10?"""
    response = ask("10")
    assert not response.refused
    assert response.refusal_reason is RefusalReason.TERMINOLOGY_AMBIGUOUS
    assert len(response.suggestions) == 2
    for way_on in response.suggestions:
        assert ask(way_on.question).sources


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(*each.values, id=each.id, marks=ASTRAY if "vindbaar" in str(each.id) else ())
        for each in SUBSTANCE
    ],
)
def test_a_question_of_substance_is_answered_rightly_or_refused(
    ask: Ask, row: dict[str, str]
) -> None:
    """Another document beside the right one may be quoted; never another in its place."""
    response = ask(row["asked"])
    assert response.refused or row["document"] in cited(response), cited(response)


def test_most_questions_of_substance_are_answered(ask: Ask) -> None:
    """A guard that refuses everything is right and useless: three in four get their document."""
    every = [param.values[0] for param in SUBSTANCE]
    wrong = [row["asked"] for row in every if row["document"] not in cited(ask(row["asked"]))]
    assert len(wrong) <= 0.25 * len(every), wrong


@pytest.mark.parametrize(
    "asked",
    [
        "What should the short title of an ADR template be?",
        "Describe the context and problem statement of a decision",
        "List all decisions",
        "About ADRs: what do decision records document?",
        *(param.values[0]["asked"] for param in SUBSTANCE),
    ],
)
def test_templates_and_index_pages_are_never_cited(ask: Ask, asked: str) -> None:
    """They decide nothing."""
    for source in ask(asked).sources:
        assert "template" not in source.location
        assert not source.location.endswith("index.md")
