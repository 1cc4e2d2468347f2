"""From which chance on a second opinion may show a sentence, chosen and counted apart."""

from __future__ import annotations

from elysia_guard.domain.claim import Proof, Proved
from elysia_guard.evaluation import verifier_fit
from elysia_guard.evaluation.claims import ClaimCase, ClaimOutcome, Label
from elysia_guard.evaluation.verifier_fit import Weighed


def weighed(at: int, chance: float, *, label: Label, proof: Proof = Proof.OPEN) -> Weighed:
    case = ClaimCase(
        id=f"en-{at:04}",
        source_id=f"en-s{at % 20}",
        lang_source="en",
        lang_sentence="en",
        source="Keys are rotated.",
        sentence="Keys are rotated.",
        label=label,
        kind="paraphrase",
    )
    return Weighed(
        outcome=ClaimOutcome(case=case, proved=Proved(claim=case.claim(), proof=proof)),
        chance=chance,
    )


def some(good: float, bad: float) -> list[Weighed]:
    """A hundred of each, with the same chance each."""
    return [
        weighed(at, bad if at >= 100 else good, label=Label(("supported", "partly")[at >= 100]))
        for at in range(200)
    ]


def test_the_lowest_limit_that_shows_few_enough_is_chosen() -> None:
    found = verifier_fit.fit("m", some(0.9, 0.3))
    assert (found.model, found.sentences) == ("m", 200)
    assert found.supported_from == 0.31
    assert (found.kept, found.shown) == (1.0, 0.0)


def test_an_opinion_that_tells_nothing_is_not_asked() -> None:
    """Whether it says yes to all, or puts the others above."""
    for good, bad in ((1.0, 1.0), (0.3, 0.9)):
        found = verifier_fit.fit("m", some(good, bad))
        assert found.supported_from is None
        assert (found.kept, found.shown) == (0.0, 0.0)


def test_what_code_has_settled_stays_so() -> None:
    fails = [weighed(at, 1.0, label=Label.SUPPORTED, proof=Proof.FAILS) for at in range(100)]
    holds = [weighed(at, 0.0, label=Label.SUPPORTED, proof=Proof.HOLDS) for at in range(100)]
    bad = [weighed(at, 0.0, label=Label.PARTLY) for at in range(100)]
    found = verifier_fit.fit("m", [*fails, *holds, *bad])
    assert found.supported_from is None
    assert found.kept == 0.5
