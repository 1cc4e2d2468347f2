"""Tuning: judging again is what asking again would be, and only what holds is proposed."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from tests.unit.small_world import LIMITS, World

from elysia_guard.config import ThresholdsFile
from elysia_guard.domain.calibration import Calibration
from elysia_guard.domain.errors import ConfigError, SourceUnavailableError
from elysia_guard.domain.evidence import SourceFailure
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.evaluation import thresholds_file, tuning, tuning_record, tuning_report
from elysia_guard.evaluation.tuning import Direction, Fold, Goal, Proposal
from elysia_guard.evaluation.tuning_judge import (
    DEFAULT,
    NOTHING,
    OutcomeCounts,
    Point,
    PointJudge,
    SectionLimits,
    in_force,
)
from elysia_guard.evaluation.tuning_record import (
    RecordedQuestion,
)
from elysia_guard.stages import verification

HALF_SURE = Calibration(intercept=-2.0, similarity=2.0, coverage=2.0, lexical=1.0)
OTHER = Calibration(intercept=-1.0, similarity=4.0, coverage=0.5, lexical=0.2)
OTHERS = ((DEFAULT, OTHER), ("ADR_Ollama", OTHER))
BASE = Thresholds(
    default=replace(LIMITS, calibration=HALF_SURE, source="default"),
    collections={"ADR_Ollama": replace(LIMITS, calibration=HALF_SURE)},
)


def question(number: int, query: str, *expected: str) -> RecordedQuestion:
    return RecordedQuestion(id=f"GS-{number:03d}", query=query, expected=frozenset(expected))


QUESTIONS = (
    question(1, "Which options were there for a domain language?", "ADR-0012"),
    question(2, "When are the measurements of trains deleted?", "POL-0003"),
    question(3, "How are connections encrypted?", "ADR-0027"),
    question(4, "Who feeds the walrus?"),
    question(5, "What does ADR-0012 decide?", "ADR-0012"),
    question(6, "What is CIM?"),
    question(7, "How are replicas kept?", "PCP-0010"),
    question(8, "?!", "POL-0003"),
    question(9, "Tell me what is what about it all"),
    question(10, "Wie versleutelt verbindingen met TLS?", "ADR-0027"),
    question(11, "Hello!"),
    question(12, "Are tapes of readings carried on a blockchain by trains?", "ADR-0003"),
    question(13, "What is a zorgplicht?", "urn:none"),
)


async def recorded(world: World, questions: tuple[RecordedQuestion, ...] = QUESTIONS) -> PointJudge:
    return PointJudge(world.pipeline, await tuning_record.record(world.pipeline, questions))


@pytest.fixture
async def judge() -> PointJudge:
    return await recorded(World(thresholds=BASE))


def points(start: Point) -> list[Point]:
    """Points all around: each value alone, and all of them together."""
    alone = [replace(start, min_confidence=value) for value in (0.0, 0.3, 0.5, 0.7, 1.0)]
    alone += [
        tuning.with_limits(start, item)
        for limits in start.limits
        for item in (
            replace(limits, distance_threshold=0.6),
            replace(limits, distance_threshold=1.5),
            replace(limits, min_query_coverage=0.0),
            replace(limits, min_query_coverage=0.9),
        )
    ]
    wide = [replace(item, min_query_coverage=0.2) for item in start.limits]
    return [
        start,
        *alone,
        replace(start, models=OTHERS),
        Point(min_confidence=0.4, limits=tuple(wide), models=OTHERS),
    ]


async def test_judging_again_is_what_asking_again_would_be(judge: PointJudge) -> None:
    """Every question, at every point, gets the reply that the pipeline gives at its thresholds."""
    seen = set()
    for point in points(judge.start):
        again = await recorded_replies(World(thresholds=point.thresholds(BASE)))
        assert [dataclasses.astuple(item) for item in judge.replies(point)] == again
        seen.add(tuple(again))
    assert len(seen) > 4


async def recorded_replies(world: World) -> list[tuple[object, ...]]:
    """Ask every question as a person would, and count what comes."""
    found = []
    for item in QUESTIONS:
        try:
            inquiry = world.begin(item.query)
        except Exception:  # noqa: BLE001  what cannot be asked is not answered
            found.append((False, False, bool(item.expected), frozenset()))
            continue
        reply = await world.pipeline.answer(inquiry)
        cited = {source.doc_id for source in reply.sources}
        if reply.refusal_reason is not None:
            found.append((False, False, bool(item.expected), frozenset()))
        else:
            collections = frozenset(source.collection for source in reply.sources)
            found.append((True, not cited & item.expected, False, collections))
    return found


async def test_evidence_that_is_degraded_is_judged_with_its_penalty() -> None:
    """A vocabulary that was down lowers the confidence, as it does when somebody asks."""
    world = World(thresholds=BASE)
    judge = await recorded(world, QUESTIONS[:1])
    search = judge.asked[0].search
    assert search
    search.inquiry.evidence = replace(search.inquiry.evidence, fallbacks=("skosmos_timeout",))
    worse = PointJudge(world.pipeline, judge.asked)
    low = replace(judge.start, min_confidence=0.45)
    assert judge.counts(low).wrong_refusals == 0
    best = max(
        sample.similarity * 2 + sample.coverage * 2 + sample.lexical - 2
        for _, sample in search.passages
        if sample.positive
    )
    confidence = 1 / (1 + np.exp(-best))
    between = replace(judge.start, min_confidence=float(confidence) - 0.01)
    assert judge.counts(between).wrong_refusals < worse.counts(between).wrong_refusals


async def test_an_answer_that_is_not_verified_is_a_refusal(
    judge: PointJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubted = verification.verify
    monkeypatch.setattr(
        verification, "verify", lambda draft: replace(doubted(draft), confidence=0.5)
    )
    assert judge.searched(judge.start).answers == 0


@pytest.mark.parametrize("down", ["index", "embedder"])
async def test_nothing_is_tuned_on_part_of_the_evidence(
    down: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(thresholds=BASE)
    gather = type(world.pipeline).gather

    async def gathered(self: object, inquiry: object) -> None:
        await gather(self, inquiry)  # type: ignore[arg-type]
        changed = (
            {"missing": (SourceFailure(source="index", timeout=True),)}
            if down == "index"
            else {"fallbacks": ("bm25_only",)}
        )
        inquiry.evidence = replace(inquiry.evidence, **changed)  # type: ignore[attr-defined]

    monkeypatch.setattr(type(world.pipeline), "gather", gathered)
    with pytest.raises(SourceUnavailableError, match=f"the {down} could not be asked for GS-001"):
        await recorded(world)


async def test_without_a_search_there_is_nothing_to_tune() -> None:
    judge = await recorded(World(thresholds=BASE), QUESTIONS[4:6])
    assert judge.start.limits == ()
    assert judge.by_section(judge.start) == {}
    assert judge.samples == []
    proposal = tuning.cross_validated(judge, Goal(start=judge.start), BASE, folds=2)
    assert not proposal.changed
    assert proposal.reasons[0].startswith("no other values do better")


async def test_a_refusal_counts_where_the_answer_is_and_an_answer_where_it_was_taken_from(
    judge: PointJudge,
) -> None:
    """Collections without limits of their own count under the default ones."""
    assert [item.section for item in judge.start.limits] == [DEFAULT, "ADR_Ollama"]
    strict = judge.by_section(replace(judge.start, min_confidence=1.0))
    assert strict["ADR_Ollama"].wrong_refusals == strict["ADR_Ollama"].answerable > 0
    assert strict[DEFAULT].wrong_refusals == strict[DEFAULT].answerable > 0
    assert strict[DEFAULT].answers == strict["ADR_Ollama"].answers == 0
    wide = replace(judge.start, min_confidence=0.0)
    for limits in wide.limits:
        wide = tuning.with_limits(
            wide, replace(limits, distance_threshold=2.0, min_query_coverage=0.0)
        )
    loose = judge.by_section(wide)
    assert sum(item.wrong_answers for item in loose.values()) > 0
    assert all(item.wrong_refusals == 0 for item in loose.values())


def counts(
    wrong: int = 0, refused: int = 0, *, answers: int = 100, answerable: int = 120
) -> OutcomeCounts:
    return OutcomeCounts(
        questions=150,
        answerable=answerable,
        answers=answers,
        wrong_answers=wrong,
        wrong_refusals=refused,
    )


def a_point(confidence: float = 0.6, distance: float = 0.9, coverage: float = 0.5) -> Point:
    limits = SectionLimits(
        section="ADR_Ollama", distance_threshold=distance, min_query_coverage=coverage
    )
    start = in_force(BASE, frozenset({"ADR_Ollama"}))
    return replace(start, min_confidence=confidence, limits=(limits,))


def test_within_the_allowed_share_the_fewest_refusals_win_and_beyond_it_the_fewest_wrong() -> None:
    goal = Goal(start=a_point(), max_wrong=0.01)
    assert goal.rank(counts(1, 10)) < goal.rank(counts(0, 11))
    assert goal.rank(counts(0, 10)) < goal.rank(counts(1, 10))
    assert goal.rank(counts(0, 90)) < goal.rank(counts(2, 1))
    assert goal.rank(counts(2, 30)) < goal.rank(counts(3, 1))
    assert goal.rank(NOTHING) == (0, 0, 0)


async def test_the_best_point_is_found_in_two_limits_at_once() -> None:
    """Values that refuse too much are loosened, each where it has to be."""
    tight = Thresholds(
        default=replace(BASE.default, distance_threshold=0.6, min_query_coverage=0.8),
        min_confidence=0.9,
    )
    judge = await recorded(World(thresholds=tight))
    now = judge.counts(judge.start)
    found = tuning.best(judge, Goal(start=judge.start, max_wrong=0.2), None)
    then = judge.counts(found)
    assert then.wrong_refusals < now.wrong_refusals
    assert then.wrong_share <= 0.2
    assert found.min_confidence < 0.9
    assert found.models == judge.start.models
    among = np.zeros(len(judge.asked), dtype=bool)
    assert tuning.best(judge, Goal(start=judge.start), None, among) == judge.start


@pytest.mark.parametrize(("left_out", "changed"), [(counts(0, 8), True), (counts(0, 12), False)])
async def test_only_what_holds_on_questions_left_out_is_proposed(
    judge: PointJudge, monkeypatch: pytest.MonkeyPatch, left_out: OutcomeCounts, changed: bool
) -> None:
    found = replace(judge.start, min_confidence=0.3)
    monkeypatch.setattr(tuning, "best", lambda *_: found)
    monkeypatch.setattr(
        judge,
        "counts",
        lambda point, among=None: (
            (left_out if point == found else counts(0, 10))
            if among is None or among[0]
            else NOTHING
        ),
    )
    proposal = tuning.cross_validated(judge, Goal(start=judge.start), BASE, folds=2)
    assert proposal.changed is changed
    assert proposal.best == found
    assert proposal.left_out == left_out
    assert len(proposal.folds) == 2
    (reason,) = proposal.reasons
    assert "0 wrong answers (0.0% of the answers) and 10 wrong refusals" in reason
    assert ("min_confidence 0.30" in reason) is not changed


@pytest.mark.parametrize(
    ("counted", "way"),
    [
        (counts(1, 12), Direction.STAY),
        (counts(0, 13), Direction.LOWER),
        (counts(2, 0), Direction.RAISE),
        (counts(2, 50), Direction.RAISE),
    ],
)
def test_adr_004_lowers_over_ten_per_cent_and_raises_over_one(
    counted: OutcomeCounts, way: Direction
) -> None:
    """Where both rates are too high it raises: wrong answers are what the decision is against."""
    assert tuning.direction(counted) is way


@pytest.mark.parametrize(
    ("counted", "moved", "said"),
    [
        (counts(0, 60), (0.55, 0.95, 0.45), "lowered one step"),
        (counts(9, 0), (0.65, 0.85, 0.55), "raised one step"),
        (counts(0, 1), (0.6, 0.9, 0.5), "stays"),
    ],
)
async def test_adr_004_moves_every_limit_one_step(
    judge: PointJudge,
    monkeypatch: pytest.MonkeyPatch,
    counted: OutcomeCounts,
    moved: tuple[float, float, float],
    said: str,
) -> None:
    """A lower threshold of likeness is a wider distance."""
    monkeypatch.setattr(judge, "searched", lambda _: counted)
    monkeypatch.setattr(
        judge, "by_section", lambda _: {item.section: counted for item in judge.start.limits}
    )
    proposal = tuning.adr_004(judge)
    assert proposal.point.min_confidence == moved[0]
    for limits in proposal.point.limits:
        assert (limits.distance_threshold, limits.min_query_coverage) == moved[1:]
    assert len(proposal.reasons) == 3
    assert all(said in reason for reason in proposal.reasons)


def splits(path: Path) -> list[str]:
    """The half of each line, and nothing else of it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["split"] for line in lines]


def test_only_the_tuning_halves_are_read() -> None:
    folder = Path(__file__).parents[2] / "data" / "evaluation"
    for read, name in (
        (tuning_record.from_golden, "golden_queries.jsonl"),
        (tuning_record.from_retrieval, "retrieval.jsonl"),
    ):
        found = read(folder / name)
        of_half = splits(folder / name)
        assert len(found.asked) == of_half.count("tuning") < len(of_half)
        assert any(item.expected for item in found.asked)
        assert not all(item.expected for item in found.asked)
    assert all(item.learnt_from for item in found.asked)


async def proposals(judge: PointJudge) -> dict[str, Proposal]:
    start = judge.start
    found = replace(start, min_confidence=0.42)
    refit = replace(found, models=OTHERS)
    folds = (Fold(point=found, counts=counts(1, 2), in_force=counts(2, 1)),)
    base = Proposal(rule="cross-validated", start=start, point=found, best=found, reasons=("so",))
    return {
        "changed": replace(base, folds=folds),
        "refitted": replace(base, point=refit, best=refit, folds=folds),
        "kept": replace(base, point=start, folds=folds),
        "same": replace(base, point=start, best=start, folds=folds),
        "adr-004": replace(base, rule="adr-004", reasons=("<b>so</b>",)),
    }


@pytest.mark.parametrize("name", ["changed", "refitted", "kept", "same", "adr-004"])
async def test_what_was_found_is_told_in_the_terminal(judge: PointJudge, name: str) -> None:
    proposal = (await proposals(judge))[name]
    report = tuning_report.build(judge, proposal, asked={"golden": 13}, max_wrong=0.01)
    json.dumps(report)
    text = tuning_report.render(report)
    assert "13 golden questions" in text
    assert f"0.60{' ' * 10}" in text
    assert "  in force\n" in text
    assert ("leave everything as it is" in text) is not proposal.changed
    assert ("fitted anew" in text) is (name == "refitted")
    assert ("Chosen without each fold" in text) is bool(proposal.folds)
    shown = tuning_report.called(report)
    assert (shown in text) is (name != "same")


def test_what_differs_is_named() -> None:
    start = a_point()
    assert tuning.differences(start, start) == []
    other = replace(a_point(0.7, 0.8, 0.45), models=OTHERS)
    assert tuning.differences(start, other) == [
        "min_confidence 0.70",
        "ADR_Ollama.distance_threshold 0.80",
        "ADR_Ollama.min_query_coverage 0.45",
        "the models fitted anew",
    ]


TEXT = """\
# Limits.

collections:
  ADR_Ollama:
    distance_threshold: 0.95      # cosine
    calibration: {intercept: -4.0, similarity: 3.0, coverage: 4.0, lexical: 2.0}
  Policy_Ollama: {}
  Memo_Ollama:
    min_query_coverage: 0.30

default:
  distance_threshold: 0.90
  min_query_coverage: 0.45
  calibration: {intercept: -4.1, similarity: 4.0, coverage: 3.8, lexical: 2.6}

confidence:
  min_confidence: 0.60            # below it: refuse
"""
SECTIONS = frozenset({DEFAULT, "ADR_Ollama", "Memo_Ollama"})
NEW = Calibration(intercept=-1.0, similarity=2.0, coverage=3.0, lexical=4.0)


def point_of(text: str) -> Point:
    return in_force(ThresholdsFile.model_validate(yaml.safe_load(text)).thresholds(), SECTIONS)


START = point_of(TEXT)


def applied(point: Point) -> str:
    sections = thresholds_file.sections(TEXT, START, point)
    return thresholds_file.changed(
        TEXT, sections, Path("t.yaml"), check=ThresholdsFile.model_validate
    )


def moved(section: str, **values: float) -> Point:
    limits = next(item for item in START.limits if item.section == section)
    return tuning.with_limits(START, replace(limits, **values))  # type: ignore[arg-type]


def refit(**own: Calibration) -> Point:
    sections = tuple((name, own.get(name, NEW)) for name, _ in START.models)
    return replace(START, models=sections)


@pytest.mark.parametrize(
    "point",
    [
        replace(START, min_confidence=0.7),
        moved("ADR_Ollama", distance_threshold=0.8),
        moved("ADR_Ollama", min_query_coverage=0.2),
        moved("Memo_Ollama", min_query_coverage=0.5),
        moved(DEFAULT, distance_threshold=0.7, min_query_coverage=0.4),
        refit(),
        refit(ADR_Ollama=replace(NEW, intercept=-9.0)),
        refit(Memo_Ollama=replace(NEW, intercept=-9.0)),
        replace(refit(), min_confidence=0.8, limits=moved(DEFAULT, distance_threshold=1.0).limits),
    ],
)
def test_what_is_written_reads_as_the_point(point: Point) -> None:
    """Also where a collection inherits the default value that changes."""
    text = applied(point)
    assert point_of(text) == point
    assert text.startswith("# Limits.\n")
    assert text.count("#") == TEXT.count("#")


def test_values_that_cannot_be_used_are_not_written() -> None:
    point = replace(START, min_confidence=7.0)
    with pytest.raises(ConfigError, match=r"t\.yaml: the new values are not usable"):
        applied(point)


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    """Through a link too; the file behind it keeps its mode, and nothing is left beside it."""
    file, link = tmp_path / "thresholds.yaml", tmp_path / "link.yaml"
    file.write_text(TEXT, encoding="utf-8")
    file.chmod(0o640)
    link.symlink_to(file)
    thresholds_file.write(link, old=thresholds_file.read(link), new="new\n")
    assert file.read_text(encoding="utf-8") == "new\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert {item.name for item in tmp_path.iterdir()} == {"thresholds.yaml", "link.yaml"}


def test_what_cannot_be_read_or_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.yaml: cannot be read"):
        thresholds_file.read(tmp_path / "gone.yaml")
    with pytest.raises(ConfigError, match=r"no section collections\.Memo"):
        thresholds_file.updated(TEXT, {("collections", "Memo"): {"a": 2}})
