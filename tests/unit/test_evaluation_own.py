"""Questions of one's own: the file, the figures by category, and what words alone still show."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scripts.lab import corpus
from scripts.lab.corpus import AskedReply, OwnQuestion
from tests import prepared
from tests.unit.evaluation_samples import built, response
from tests.unit.small_world import World

from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse, TraceStep
from elysia_guard.evaluation import degraded
from elysia_guard.evaluation.degraded import without_embedder
from elysia_guard.evaluation.regression import IncomparableError
from elysia_guard.evaluation.retrieval_set import SetError

ROOT = Path(__file__).resolve().parents[2]
PATH, SENTENCE = "decisions/ADR-0012.md", "Keys rotate every year."
REFUSED = response(reason=RefusalReason.LOW_CONFIDENCE, intent="open")


def written(tmp_path: Path, *rows: dict[str, Any] | str) -> Path:
    path = tmp_path / "questions.jsonl"
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def answerable(**changes: Any) -> OwnQuestion:
    given = {"query": "How often?", "documents": [PATH], "answer": [SENTENCE], "id": "1"}
    return OwnQuestion.model_validate(given | changes)


def asked(
    reply: RAGResponse, question: OwnQuestion | None = None, *found: str, lessened: bool = False
) -> AskedReply:
    return AskedReply(
        question=question or answerable(),
        response=reply,
        found=found,
        lessened=lessened,
        elapsed_ms=10.0,
    )


def said(path: str, text: str = SENTENCE, confidence: float = 0.7) -> RAGResponse:
    reply = response("ADR-0012", intent="open", confidence=confidence)
    (source,) = reply.sources
    sources = (replace(source, location=path),)
    return replace(reply, sources=sources, answer=f"> {text} [source:1]")


class TestTheFile:
    @pytest.mark.parametrize(
        ("row", "said"),
        [
            ("{", "jsonl:1: is not JSON"),
            ("[]", "jsonl:1: question: "),
            ({"documents": ["a.md"]}, "jsonl:1: query: "),
            ({"query": "Q?", "answer": ["A."]}, "jsonl:1: question: .*documents: name those"),
            ("", "holds no question"),
        ],
    )
    def test_what_is_no_question_is_named(
        self, tmp_path: Path, row: dict[str, Any] | str, said: str
    ) -> None:
        with pytest.raises(SetError, match=said):
            corpus.load(written(tmp_path, row))


class TestTheFigures:
    def test_are_those_of_the_three_outcomes(self) -> None:
        near = answerable(answer=[], near_miss=True)
        found = corpus.figures(
            [
                asked(said(PATH, confidence=0.95), None, PATH),
                asked(said("other.md", "No.", confidence=0.95), None, "other.md", PATH),
                asked(said(PATH), None, *("other.md",) * 5, PATH),
                asked(REFUSED),
                asked(said(PATH), near),
                asked(said(PATH, confidence=0.95), near),
                asked(REFUSED, near),
            ]
        )
        assert (found["answerable"], found["near_misses"]) == (4, 3)
        assert (found["recall@1"], found["recall@5"]) == (0.25, 0.5)
        assert (found["shown"], found["shown_share"]) == (2, 0.5)
        assert (found["asserted"], found["asserted_right"]) == (3, 1)
        assert found["asserted_precision"] == 0.3333
        assert (found["hedged"], found["hedged_right"]) == (2, 1)
        assert (found["asserted_shown"], found["hedged_shown"]) == (1, 1)
        assert (found["near_misses_asserted"], found["near_misses_hedged"]) == (1, 1)


class TestWithoutTheEmbedder:
    async def test_every_reply_of_a_search_says_so(self) -> None:
        """Each reply, a refusal too, tells a person that lesser means were used."""
        world = World()
        pipeline = without_embedder(world.pipeline)
        questions = [
            answerable(id=str(n), query=query)
            for n, query in enumerate(
                ("When are the measurements of trains deleted?", "Who feeds the walrus?", "?!")
            )
        ]
        found, not_asked = await corpus.ask_all(pipeline, questions)
        assert [item.lessened for item in found] == [True, True]
        assert not any(item.silent for item in found)
        assert degraded.count_silent(item.response for item in found) == 0
        assert [item.query for item in not_asked] == ["?!"]

    def test_a_reply_that_hides_it_is_silent(self) -> None:
        assert asked(REFUSED, lessened=True).silent
        assert not asked(REFUSED).silent
        searched = replace(
            REFUSED,
            request_id="q",
            trace=(TraceStep(stage="retrieval", note="", elapsed_ms=1.0),),
        )
        assert degraded.count_silent([searched, searched]) == 2
        quality = RetrievalQuality.from_retrieval(0.5, ("bm25_only",))
        told = replace(
            searched,
            retrieval_quality=quality,
            transparency=TransparencyStatement.from_quality(quality),
        )
        assert degraded.count_silent([told]) == 0

    @pytest.mark.parametrize(
        ("without", "silent", "passed"),
        [(0.6, 0, False), (0.61, 0, True), (0.61, 1, False), (0.9, 0, True)],
    )
    def test_a_third_less_or_a_silent_reply_is_too_much(
        self, without: float, silent: int, passed: bool
    ) -> None:
        found = degraded.beside(0.9, without, silent)
        assert found["passed"] is passed
        assert (f"{silent} replies do not say so" in degraded.told(found)) is bool(silent)

    def test_two_runs_are_held_against_each_other_on_the_same_questions_alone(self) -> None:
        with_it, without = built(), built()
        without["metrics"]["silent_replies"] = 1
        without["metrics"]["certainty"]["shown_share"] /= 2
        found = degraded.runs_beside(without, with_it)
        assert (found["fall"], found["silent"], found["passed"]) == (0.5, 1, False)
        without["setting"]["split"] = "tuning"
        with pytest.raises(IncomparableError, match="the splits of the two runs differ"):
            degraded.runs_beside(without, with_it)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return prepared.run(["corpus", *arguments], module="scripts.lab", folder=ROOT)


def test_the_script_measures_a_folder_with_and_without_the_embedder(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    text = "# Keys\n\nKeys of the walrus house rotate every year. Lamps are green.\n"
    (folder / "keys.md").write_text(text, encoding="utf-8")
    sentence = "Keys of the walrus house rotate every year."
    row = {
        "query": "How often do the keys of the walrus house rotate?",
        "documents": ["keys.md"],
        "answer": [sentence],
    }
    questions = written(tmp_path, row, {"query": "Who pays for the walrus house?"})
    figures = tmp_path / "figures.json"
    done = run(
        "--documents",
        folder,
        "--questions",
        questions,
        "--without-embedder",
        "--misses",
        "--json",
        figures,
    )
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert found["figures"]["all"]["answerable"] == 1
    assert found["figures"]["all"]["recall@1"] == 1.0
    assert found["without_embedder"]["silent"] == 0
    assert "every reply says so" in done.stdout
