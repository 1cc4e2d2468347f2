"""The labelled sentences: how they are read, what is counted, and what they alone tell."""

import json
from pathlib import Path

import pytest

from elysia_guard.domain.claim import Proof, Proved
from elysia_guard.evaluation import claims, claims_table
from elysia_guard.evaluation.claims import ClaimCase, ClaimOutcome, ClaimSetError, Label
from elysia_guard.evaluation.claims_control import words_alone
from elysia_guard.evaluation.golden import Split
from elysia_guard.ports import by_form_alone, no_chances


def case(number: int, label: Label = Label.SUPPORTED, **more: str) -> ClaimCase:
    given = {
        "source_id": f"en-s{number % 10}", "lang_source": "en", "lang_sentence": "en",
        "source": "Backups are kept for two years.", "sentence": "Backups are kept for 24 months.",
        "kind": "unit_conversion",
    }  # fmt: skip
    return ClaimCase.model_validate({"id": f"en-{number:04d}", "label": label, **given, **more})


def outcome(number: int, proof: Proof, label: Label) -> ClaimOutcome:
    of = case(number, label)
    return ClaimOutcome(case=of, proved=Proved(claim=of.claim(), proof=proof))


def written(folder: Path, *cases: ClaimCase) -> Path:
    lines = [each.model_dump_json() for each in cases]
    (folder / "tuning.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_the_sentences_of_a_half_are_read(tmp_path: Path) -> None:
    assert claims.load(written(tmp_path, case(1), case(2)), [Split.TUNING]) == [case(1), case(2)]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "tuning.jsonl:1"),
        (json.dumps({"id": "en-0001"}), "tuning.jsonl:1"),
        (json.dumps({**case(1).model_dump(), "more": 1}), "more"),
    ],
)
def test_a_line_that_is_no_such_sentence_is_named(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "tuning.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(ClaimSetError, match=told):
        claims.load(tmp_path, [Split.TUNING])


def test_a_half_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ClaimSetError, match="held_out"):
        claims.load(tmp_path, [Split.HELD_OUT])


def test_an_id_stands_once(tmp_path: Path) -> None:
    with pytest.raises(ClaimSetError, match="en-0001"):
        claims.load(written(tmp_path, case(1), case(1)), [Split.TUNING])


async def test_a_sentence_is_judged_as_one_that_a_model_wrote() -> None:
    found = await claims.judge(case(1), alike=by_form_alone, chances=no_chances)
    assert found.shown
    assert found.shown_with_opinion


def test_a_source_and_its_twin_are_left_out_together() -> None:
    assert case(1, source_id="en-s04").group == case(2, source_id="en-s04b").group


def test_rates_count_each_outcome() -> None:
    found = claims.rates(
        [outcome(1, Proof.HOLDS, Label.SUPPORTED), outcome(2, Proof.FAILS, Label.SUPPORTED)]
    )
    assert (found.count, found.holds, found.open, found.fails) == (2, 0.5, 0.0, 0.5)
    assert claims.rates([]).count == 0


def test_the_second_opinion_decides_what_is_open_and_is_right_in_95_of_100() -> None:
    for label, share in ((Label.SUPPORTED, 0.95), (Label.CONTRADICTED, 0.05)):
        found = [outcome(number, Proof.OPEN, label) for number in range(1, 1001)]
        assert claims.rates(found).with_opinion == pytest.approx(share, abs=0.02)


def test_a_sentence_that_fails_is_never_shown() -> None:
    found = [outcome(number, Proof.FAILS, Label.SUPPORTED) for number in range(1, 101)]
    assert claims.rates(found).with_opinion == 0.0


def test_told_apart() -> None:
    good, bad = outcome(1, Proof.HOLDS, Label.SUPPORTED), outcome(2, Proof.OPEN, Label.PARTLY)
    assert claims.told_apart([good, bad]) == 1.0
    assert claims.told_apart([good]) == 0.5


def test_the_words_of_a_sentence_tell_where_they_go_with_a_label() -> None:
    """A set whose sentences give the label away is seen through; one in pairs is not."""
    giving_away = [
        case(n, label, sentence="never said" if label is Label.CONTRADICTED else "kept here")
        for n, label in enumerate([Label.SUPPORTED, Label.CONTRADICTED] * 20)
    ]
    paired = [
        case(n, label, sentence=f"sentence {n // 2}")
        for n, label in enumerate([Label.SUPPORTED, Label.CONTRADICTED] * 20)
    ]
    assert words_alone(giving_away)[Label.CONTRADICTED] > 0.9
    assert words_alone(paired)[Label.CONTRADICTED] < 0.6


def test_one_source_is_nothing_to_leave_out() -> None:
    assert words_alone([case(1, source_id="en-s1")])[Label.SUPPORTED] == 0.5


def test_the_tables_say_every_label_kind_and_language() -> None:
    of = case(3, kind="negation")
    alone = ClaimOutcome(case=of, proved=Proved(claim=of.claim(), proof=Proof.HOLDS))
    found = [outcome(1, Proof.HOLDS, Label.SUPPORTED), outcome(2, Proof.OPEN, Label.PARTLY), alone]
    text = claims_table.markdown(found, dict.fromkeys(Label, 0.5))
    assert "| supported | 2 | 1.000 | 0.000 | 0.000 | 1.000 |" in text
    assert "| unit_conversion | 1 | 1.000" in text
    assert "| negation | 1 | 1.000 | 0.000 | 0.000 | 0 |  |  |  |" in text
    assert "| en, en |" in text


def test_caught_is_the_share_below_the_limit_that_keeps_the_good() -> None:
    assert claims.caught([0.5, 0.9, 0.9, 0.9], [0.1, 0.6, 0.95, 0.2], kept=0.75) == 0.75
    assert claims.caught([], [0.1], kept=0.85) == 0.0
