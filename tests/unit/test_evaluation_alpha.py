"""Other weights of the rankings: proposed only where questions left out gain by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from tests.unit.small_world import World

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.domain.evidence import SourceFailure
from elysia_guard.domain.search_weights import SearchWeights, WeightsByKind
from elysia_guard.evaluation import alpha_record, alpha_report
from elysia_guard.evaluation.alpha_record import Searched
from elysia_guard.evaluation.alpha_sweep import Drawn, Figures, Sweep, Swept
from elysia_guard.evaluation.tuning_questions import Question
from elysia_guard.testing.index_contract import sample_passages

DECISION, PRINCIPLE = DocumentKind.DECISION, DocumentKind.PRINCIPLE
DOCUMENTS = {item.document.id: item.document for item in sample_passages()}
DRAWN = Drawn(folds=5, seed=1)
NOW = SearchWeights()


@dataclass(frozen=True)
class Found:
    """Rankings that put the document that answers first where the weights please, else second."""

    pleased: bool
    above: float = 0.65

    def by(self, weights: WeightsByKind, _limit: int) -> Sequence[tuple[Document, float]]:
        first, second = DOCUMENTS["ADR-0012"], DOCUMENTS["ADR-0027"]
        if (weights[DECISION].alpha > self.above) is self.pleased:
            return [(first, 2.0), (second, 1.0)]
        return [(second, 2.0), (first, 1.0)]


def searched(number: int, found: Found, *, record_counts: float = 1.0) -> Searched:
    question = Question(id=f"GS-{number:03d}", query="?", expected=frozenset({"ADR-0012"}))
    return Searched(
        question=question,
        kinds=frozenset({DECISION}),
        rankings=found,
        record_counts=record_counts,
    )


def swept(*pleased: bool) -> Swept:
    """Sweep questions of which some gain by more meaning, and the others lose."""
    questions = [searched(number, Found(each)) for number, each in enumerate(pleased)]
    sweep = Sweep(questions, {DECISION: NOW}, DRAWN)
    return sweep.collection("ADR_Ollama", DECISION)


def test_what_questions_left_out_gain_by_is_proposed() -> None:
    """Of equals, the value nearest to the one in force."""
    found = swept(*[True] * 40)
    assert found.proposed == replace(NOW, alpha=0.7)
    assert (found.gain, found.low, found.high, found.changed) == (0.5, 0.5, 0.5, 40)


def test_what_is_within_noise_is_flat() -> None:
    """Three questions more gain than lose: that happens by chance."""
    found = swept(*[True] * 13, *[False] * 10)
    assert found.best.alpha == 0.7
    assert found.apparent > 0
    assert found.flat
    assert found.proposed == NOW


def test_what_no_question_tells_apart_stays() -> None:
    found = swept()
    assert found.flat
    assert found.best == found.proposed == NOW
    assert found.along[0].own == Figures(questions=0, at_1=0.0, at_5=0.0, mrr=0.0)


def test_a_seed_gives_the_same_interval_again() -> None:
    again = [swept(*[True] * 13, *[False] * 10) for _ in range(2)]
    assert (again[0].low, again[0].high) == (again[1].low, again[1].high)


def test_what_is_taken_is_in_force_for_the_next() -> None:
    sweep = Sweep([searched(1, Found(pleased=True))], {DECISION: NOW}, DRAWN)
    assert sweep.figures().at_1 == 0.0
    sweep.take(DECISION, SearchWeights(alpha=0.9))
    assert sweep.figures() == Figures(questions=1, at_1=1.0, at_5=1.0, mrr=1.0)


def test_a_collection_counts_the_questions_that_it_answers() -> None:
    questions = [searched(1, Found(pleased=True)), searched(2, Found(pleased=True))]
    questions[1] = replace(questions[1], kinds=frozenset({PRINCIPLE}))
    sweep = Sweep(questions, {DECISION: NOW, PRINCIPLE: NOW}, DRAWN)
    found = sweep.collection("ADR_Ollama", DECISION)
    assert {item.own.questions for item in found.along} == {1}
    assert {item.every.questions for item in found.along} == {2}


def test_the_passage_of_an_approval_record_counts_less_where_approval_is_not_asked_for() -> None:
    record = replace(DOCUMENTS["ADR-0027"], approval=True)

    class Records:
        def by(self, _weights: WeightsByKind, _limit: int) -> Sequence[tuple[Document, float]]:
            return [(record, 1.1), (DOCUMENTS["ADR-0012"], 1.0)]

    asked = replace(searched(1, Found(pleased=True)), rankings=Records())
    assert replace(asked, record_counts=1.25).place({}) == 2
    assert replace(asked, record_counts=0.8).place({}) == 1


class Rankings:
    """An index whose searches are ranked as nothing matters here."""

    async def legs(self, *_args: object, **_options: object) -> Found:
        return Found(pleased=True)


ASKED = (
    Question(
        id="GS-1",
        query="Which options were there for a domain language?",
        expected=frozenset({"ADR-0012"}),
    ),
    Question(id="GS-2", query="What does ADR-0012 decide?", expected=frozenset({"ADR-0012"})),
    Question(id="GS-3", query="Who feeds the walrus?", expected=frozenset()),
    Question(id="GS-4", query="?!", expected=frozenset({"ADR-0012"})),
    Question(id="GS-5", query="What is a zorgplicht?", expected=frozenset({"urn:none"})),
)


async def test_only_questions_that_documents_answer_and_that_go_to_a_search_are_kept() -> None:
    told: list[tuple[int, int]] = []
    found = await alpha_record.record(
        World().pipeline, Rankings(), ASKED, progress=lambda at, of: told.append((at, of))
    )
    assert [(item.question.id, item.kinds) for item in found] == [("GS-1", {DECISION})]
    assert told[-1] == (len(ASKED), len(ASKED))


async def test_nothing_is_tuned_on_part_of_the_evidence(monkeypatch) -> None:
    pipeline = World().pipeline
    gather = type(pipeline).gather

    async def gathered(self, inquiry) -> None:
        await gather(self, inquiry)
        failure = SourceFailure.of(SourceUnavailableError("down", source="index"))
        inquiry.evidence = replace(inquiry.evidence, missing=(failure,))

    monkeypatch.setattr(type(pipeline), "gather", gathered)
    with pytest.raises(SourceUnavailableError, match="could not be asked for GS-1"):
        await alpha_record.record(pipeline, Rankings(), ASKED[:1])


def report(*pleased: bool) -> alpha_report.Report:
    questions = [searched(number, Found(each)) for number, each in enumerate(pleased)]
    sweep = Sweep(questions, {DECISION: NOW}, DRAWN)
    before = sweep.figures()
    found = sweep.collection("ADR_Ollama", DECISION)
    sweep.take(DECISION, found.proposed)
    return alpha_report.build(
        [found],
        DRAWN,
        asked={"golden": len(pleased)},
        before=before,
        after=sweep.figures(),
        unnamed=["Document_Ollama"],
    )


def test_the_report_names_what_it_would_change() -> None:
    made = report(*[True] * 40)
    assert made["changed"]
    assert made["sections"][0]["values"] == {"alpha": 0.7}
    text = alpha_report.render(made)
    assert "40 golden questions" in text
    assert "5 folds, seed 1" in text
    assert "Proposed: alpha 0.50 → 0.70." in text
    assert "Proposal: recall@1 0.000 → 1.000, recall@5 1.000, MRR 0.500 → 1.000." in text
    assert "no section for it: Document_Ollama" in text


def test_the_picture_has_a_bar_for_each_alpha_and_marks_the_one_in_force() -> None:
    lines = alpha_report.render(report(*[True] * 40)).splitlines()
    bars = {line.split()[0]: line for line in lines if "|" in line}
    assert len(bars) == 11
    assert bars["0.5"].endswith("0.500 <- in force")
    assert bars["0.5"].count("#") * 2 == bars["0.7"].count("#")


def test_what_is_flat_is_told_and_changes_nothing() -> None:
    made = report(*[True] * 13, *[False] * 10)
    assert not made["changed"]
    assert made["sections"][0]["values"] == {}
    text = alpha_report.render(made)
    assert "flat: nothing to gain" in text
    assert text.endswith("Proposal: leave everything as it is.")
