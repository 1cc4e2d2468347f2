"""The questions on what retrieval finds: what may stand in them, and what their figures mean."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz import fuzz
from scripts.lab.retrieval import RetrievalOutcome, figures

from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse, Source
from elysia_guard.evaluation import retrieval_set
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.retrieval_set import RetrievalCase, SetError

ROOT = Path(__file__).parents[2]
EVALUATION = ROOT / "data" / "evaluation"
KNOWLEDGE = ROOT / "data" / "knowledge"
FOLDERS = {"ADR": "decisions", "PCP": "principles", "POL": "policies"}
ALIKE = 90.0
SHIPPED = {
    name: retrieval_set.load(EVALUATION / file)
    for name, file in (("own", "retrieval.jsonl"), ("esa", "retrieval_esa.jsonl"))
}

Write = Callable[..., Path]


def line(**changes: Any) -> dict[str, Any]:
    return {
        "id": "RO-001",
        "query": "Which fallback do encrypted connections have?",
        "kind": "decision",
        "lang": "en",
        "split": "tuning",
        "source_lang": "en",
        "documents": ["ADR-0027"],
        "section": "Decision Outcome",
        **changes,
    }


def unanswered(**changes: Any) -> dict[str, Any]:
    plain = line(id="RO-002", query="Which tea do we drink?", kind="unanswered")
    return {
        key: value
        for key, value in (plain | changes).items()
        if key not in {"source_lang", "documents", "section"} - {*changes}
    }


def case(**changes: Any) -> RetrievalCase:
    return RetrievalCase.model_validate(line(**changes))


def response(*documents: str, reason: RefusalReason | None = None) -> RAGResponse:
    return RAGResponse(
        answer="",
        request_id="r",
        route="direct",
        lang="en",
        intent="open",
        retrieval_quality=RetrievalQuality.from_retrieval(0.9, ()),
        transparency=TransparencyStatement(statement=None, show_to_user=False),
        refused=reason is not None,
        refusal_reason=reason,
        sources=tuple(
            Source(n=n, doc_type="ADR", doc_id=item, title="", collection="", quote="")
            for n, item in enumerate(documents, start=1)
        ),
    )


def outcome(
    asked: RetrievalCase, *ranking: str, reply: RAGResponse | None = None, answer_ms: float = 10.0
) -> RetrievalOutcome:
    return RetrievalOutcome(
        case=asked,
        ranking=ranking,
        response=reply or response("ADR-0027"),
        search_ms=1.0,
        answer_ms=answer_ms,
    )


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(*records: dict[str, Any] | str) -> Path:
        path = tmp_path / "retrieval.jsonl"
        lines = [item if isinstance(item, str) else json.dumps(item) for item in records]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write_file


class TestTheQuestionsThatShip:
    @pytest.mark.parametrize("corpus", SHIPPED)
    def test_there_are_enough_of_them(self, corpus: str) -> None:
        """At least 80 that documents answer and 15 that none does, half of each held out."""
        cases = SHIPPED[corpus].cases
        assert sum(item.answerable for item in cases) >= 80
        assert sum(not item.answerable for item in cases) >= 15
        assert {item.lang for item in cases} == {"en", "nl", "de"}
        crossed = {"nl-en", "en-nl", "de-en", "de-nl"}
        assert crossed <= {item.pair for item in cases}

    @pytest.mark.parametrize("corpus", SHIPPED)
    def test_no_question_leaks_from_one_half_into_the_other(self, corpus: str) -> None:
        """A question that is all but the same in both halves would be learnt, not held out."""
        halves = [
            [item for item in SHIPPED[corpus].cases if item.split is split] for split in Split
        ]
        leaks = [
            (left.id, right.id)
            for left, right in product(*halves)
            if fuzz.ratio(left.query.lower(), right.query.lower()) >= ALIKE
        ]
        assert leaks == []

    def test_every_document_and_section_is_there(self) -> None:
        """And the document is in the language that is said."""
        wrong = []
        for item in SHIPPED["own"].cases:
            texts = [_text(document) for document in item.documents]
            if not all(texts):
                wrong.append(item.id)
            if item.answerable:
                headings = re.findall(r"^#+ +(.+?) *$", texts[0], re.MULTILINE)
                stands = item.section in {*headings, "(front matter)"}
                if not (stands and f"\nlang: {item.source_lang}\n" in texts[0]):
                    wrong.append(item.id)
        assert wrong == []


def _text(document: str) -> str:
    kind, number = document.split("-")
    files = list((KNOWLEDGE / FOLDERS[kind]).glob(f"{number}-*.md"))
    return files[0].read_text(encoding="utf-8") if files else ""


class TestTheFile:
    @pytest.mark.parametrize(
        ("record", "message"),
        [
            ("{", "1: is not JSON"),
            ("[]", "1: question: "),
            (line(document="ADR-0027"), "1: document: "),
            (line(id="12"), "1: id: "),
            (line(documents=["ADR-27"]), "1: documents.0: "),
            (line(documents=[]), "give documents, section and source_lang"),
            (line(section=None), "give documents, section and source_lang"),
            (line(kind="unanswered"), "kind is unanswered, so no document"),
            (unanswered(section="Context"), "kind is unanswered, so no document"),
            (line(lang="it"), "1: lang: "),
        ],
    )
    def test_a_line_that_is_no_question_is_named(
        self, write: Write, record: dict[str, Any] | str, message: str
    ) -> None:
        """With file, line and key."""
        with pytest.raises(SetError, match=r"retrieval\.jsonl") as caught:
            retrieval_set.load(write(record))
        assert message in str(caught.value)

    @pytest.mark.parametrize("second", [line(query="Why TLS?"), line(id="RO-002")])
    def test_nothing_stands_in_it_twice(self, write: Write, second: dict[str, Any]) -> None:
        """Neither an id nor a question; and a file that is not there is named."""
        path = write(line(), second)
        with pytest.raises(SetError, match="stands in line 1 already"):
            retrieval_set.load(path)
        with pytest.raises(SetError, match="cannot be read"):
            retrieval_set.load(path.with_name("none.jsonl"))


def some() -> list[RetrievalOutcome]:
    """One found and answered, one found late and refused, one missed, one with no answer."""
    nothing = RetrievalCase.model_validate(unanswered())
    return [
        outcome(case(), "ADR-0027", answer_ms=10.0),
        outcome(
            case(id="RO-003", lang="nl", query="Welke terugval is er?"),
            "ADR-0012",
            "ADR-0027",
            reply=response(reason=RefusalReason.LOW_CONFIDENCE),
            answer_ms=20.0,
        ),
        outcome(case(id="RO-004", query="Why?"), reply=response("ADR-0012"), answer_ms=30.0),
        outcome(nothing, "ADR-0012", reply=response("ADR-0012"), answer_ms=40.0),
    ]


class TestTheFigures:
    def test_count_what_is_found_and_what_is_said(self) -> None:
        """Rates are of the answerable questions; wrong answers of all."""
        assert figures(some(), k=1) == {
            "questions": 4,
            "answerable": 3,
            "recall": 0.3333,
            "documents_found": 0.3333,
            "mrr": 0.5,
            "nothing_found": 1,
            "right_answers": 1,
            "wrong_refusals": 1,
            "wrong_answers": 2,
            "answered_unanswerable": 1,
            "search_ms": {"p50": 1.0, "p95": 1.0},
            "answer_ms": {"p50": 20.0, "p95": 40.0},
        }
