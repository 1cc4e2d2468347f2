"""What others tell of labelled sentences, and how long code takes, as figures that can be held."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from elysia_guard.domain.calibration import VerifierCalibration
from elysia_guard.domain.claim import Proof, Proved
from elysia_guard.evaluation import claims_peers, claims_table, claims_timing
from elysia_guard.evaluation.claims import ClaimCase, ClaimOutcome, Label, caught, limit_of
from elysia_guard.evaluation.claims_peers import Peer
from elysia_guard.ports import by_form_alone, no_chances

KINDS = {
    "a": (Label.SUPPORTED, "date_format"),
    "b": (Label.SUPPORTED, "paraphrase"),
    "c": (Label.CONTRADICTED, "number"),
    "d": (Label.UNSUPPORTED, "invented_detail"),
}
PROOFS = dict(zip(KINDS, (Proof.OPEN, Proof.HOLDS, Proof.FAILS, Proof.OPEN), strict=True))


def case(name: str, *, source: str = "", at: int = 0) -> ClaimCase:
    label, kind = KINDS[name]
    return ClaimCase(
        id=f"en-{100 + at + ord(name)}",
        source_id=source or f"en-{name}",
        lang_source="en",
        lang_sentence="en",
        source="Keys are rotated every twelve months.",
        sentence=f"Keys {name} are rotated every year.",
        label=label,
        kind=kind,
    )


CASES = [case(name) for name in KINDS]
OUTCOMES = [
    ClaimOutcome(case=each, proved=Proved(claim=each.claim(), proof=proof))
    for each, proof in zip(CASES, PROOFS.values(), strict=True)
]


def row(peer: Peer) -> dict[str, str]:
    (cells,) = claims_peers.rows(CASES, [peer])
    return dict(zip(claims_peers.HEADER, cells, strict=True))


def test_all_are_held_to_the_limit_that_keeps_most_supported() -> None:
    """Of two supported both are kept; what lies below the lower one is caught."""
    found = row(Peer(name="x", scores=[0.6, 0.9, 0.5, 0.7], ms=1.25))
    assert found["who tells"] == "x"
    assert found["AUC"] == "0.75"
    assert found["AUC, contradicted"] == "1.00"
    assert found["supported kept"] == "1.000"
    assert found["others caught"] == "0.500"
    assert found["contradicted caught"] == "1.000"
    assert found["reformatted dates flagged"] == "0 of 1"
    assert found["ms a sentence"] in {"1.2", "1.3"}


def test_who_is_not_installed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "grounded", None)
    found = row(claims_peers.by_grounded_check(CASES))
    assert found["who tells"] == "grounded-check"
    assert found["AUC"] == "not installed"


def test_code_catches_what_fails() -> None:
    """A tie is half an order; what is open may be ordered by somebody else."""
    code = row(claims_peers.by_code(OUTCOMES))
    assert (code["AUC"], code["AUC, contradicted"]) == ("0.88", "1.00")
    assert code["others caught"] == "0.500"
    assert code["reformatted dates flagged"] == "0 of 1"
    other = Peer(name="a model", scores=[0.9, 0.1, 1.0, 0.2])
    both = row(claims_peers.by_code_then(OUTCOMES, other))
    assert both["who tells"] == "code, and of what is open a model"
    assert both["AUC"] == "1.00"


def test_an_opinion_is_asked_about_all_of_a_source() -> None:
    asked: list[tuple[str, str]] = []

    class Opinion:
        model_id = "m"

        async def __call__(
            self, pairs: Sequence[tuple[str, str]], /, *, lang: str
        ) -> Sequence[float]:
            asked.extend(pairs)
            return [0.5 for _ in pairs]

    peer = asyncio.run(claims_peers.by_opinion("it", Opinion(), CASES))
    assert asked == [(each.sentence, each.source) for each in CASES]
    assert (peer.name, list(peer.scores)) == ("it", [0.5] * 4)
    assert peer.ms is not None


def test_grounded_check_says_yes_or_no_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its own interface: details found, and a score for the words of a sentence."""

    def verify(claims: Sequence[str], sources: Sequence[Any]) -> Any:
        assert sources[0].raw == CASES[0].source
        good = " a " in claims[0] or " b " in claims[0]
        words = SimpleNamespace(score=0.4)
        return SimpleNamespace(rate=float(good), heuristic=[words] * good, passed=not good)

    made = SimpleNamespace(
        Kind=SimpleNamespace(QUOTE="q", NUMBER="n", CITATION="c", ENTITY="e", SENTENCE="s"),
        Source=lambda path, raw: SimpleNamespace(path=path, raw=raw),
        extract=lambda text, kinds: [text],
        verify=verify,
        __version__="9",
    )
    monkeypatch.setitem(sys.modules, "grounded", made)
    peer = claims_peers.by_grounded_check(CASES)
    assert list(peer.scores) == [1.4, 1.4, 0.0, 0.0]
    assert row(peer)["reformatted dates flagged"] == "1 of 1"
    assert row(peer)["who tells"] == "grounded-check 9"


def test_a_limit_keeps_its_share() -> None:
    assert limit_of([0.1, 0.2, 0.3, 0.4], kept=0.75) == 0.2
    assert limit_of([], kept=0.85) == 0.0
    assert caught([], [1.0], kept=0.85) == 0.0


class TestTiming:
    def test_no_two_of_a_group_are_of_one_source(self) -> None:
        """What is left over is not measured."""
        many = [case("a", source=f"en-{at % 6}", at=at) for at in range(14)]
        found = claims_timing.groups(many)
        assert [len(group) for group in found] == [5, 5]
        assert all(len({each.source_id for each in group}) == 5 for group in found)

    def test_pauses_are_told_apart(self) -> None:
        """By a clock that each look moves on by a second; no collection leaves one behind."""
        ticks = iter(range(10_000))
        many = [case("a", source=f"en-{at}", at=at) for at in range(5)]
        before = list(gc.callbacks)

        async def alike(words: Sequence[str], others: Sequence[str]) -> Any:
            gc.collect()
            return await by_form_alone(words, others)

        found = asyncio.run(
            claims_timing.timed(
                many, alike=alike, chances=no_chances, now=lambda: float(next(ticks))
            )
        )
        assert gc.callbacks == before
        assert found.groups == 1
        assert found.longest >= 5_000
        assert found.p95 == found.p50
        assert found.p95_without < found.p95
        assert "over 1 groups" in found.told

    def test_of_nothing_it_tells_nothing(self) -> None:
        found = asyncio.run(claims_timing.timed([], alike=by_form_alone, chances=no_chances))
        assert (found.groups, found.p95) == (0, 0.0)


def test_a_label_that_its_sentences_give_away_is_named() -> None:
    """Beside the figure of the control; where all are in balance nothing is."""
    told = claims_table.markdown(OUTCOMES, {Label.PARTLY: 0.81, Label.SUPPORTED: 0.6})
    assert "Above 0.60, and so not in balance: partly." in told
    assert "not in balance" not in claims_table.markdown(OUTCOMES, {Label.PARTLY: 0.6})


def test_what_a_verifier_is_worth_is_told_as_the_thresholds_hold_it() -> None:
    """It can be copied: read as YAML it is the calibration again, a limit of none too."""
    for limit in (0.42, None):
        found = VerifierCalibration(
            model="m@onnx: 'a'", sentences=3, supported_from=limit, kept=0.5, shown=0.01
        )
        above, _, told = claims_table.calibrated(found).partition("\n")
        assert above == "for thresholds.yaml, sources left out:"
        assert VerifierCalibration(**yaml.safe_load(told)["verifier"]) == found
