"""What kind of thing a question asks for, and the gate that wants one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import THRESHOLDS, World, hit, inquiry

from elysia_guard.domain.document import Hit
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.profiles import PROFILES, ProfileName
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds


def judged(text: str, *hits: str | Hit, thresholds: Thresholds = THRESHOLDS) -> Verdict:
    found = tuple(hit(item) if isinstance(item, str) else item for item in hits)
    asked = inquiry(text, evidence=Evidence(hits=found, looked_at=("decision",)))
    replace(World().pipeline, thresholds=thresholds).judge(asked)
    return asked.decided()


def saying(id_: str, text: str) -> Hit:
    found = hit(id_)
    return replace(found, passage=replace(found.passage, text=text))


class TestGate:
    def test_a_sum_is_not_answered_by_a_document_without_one(self) -> None:
        """However near it is: the last gate, with a reason of its own."""
        verdict = judged("What does the CIM domain language cost?", "ADR-0012#2")
        assert (verdict.outcome, verdict.reason) == (Outcome.REFUSE, RefusalReason.NOT_RELEVANT)
        assert verdict.details == {"variant": "money"}
        failed = verdict.readings[-1]
        assert (failed.gate, failed.passed) == ("answer_type", False)
        assert (failed.value, failed.threshold) == ("none", "money")

    def test_a_sum_elsewhere_in_the_document_will_do(self) -> None:
        """It may stand in another of the passages found."""
        priced = saying("ADR-0012#3", "The CIM domain language cost 240,000 euro.")
        verdict = judged("What does the CIM domain language cost?", "ADR-0012#2", priced)
        assert verdict.outcome is Outcome.ANSWER

    def test_who_approved_is_answered_by_an_approval_record(self) -> None:
        """The decision itself does not say it."""
        asked = "Who approved the CIM domain language?"
        assert judged(asked, "ADR-0012#2").details == {"variant": "approval"}
        text = hit("ADR-0012D#0").passage.text
        record = saying("ADR-0012D#0", f"{text} CIM domain language")
        assert judged(asked, record).outcome is Outcome.ANSWER

    def test_a_question_for_anything_else_has_no_such_gate(self) -> None:
        """Nothing is read where nothing is wanted."""
        verdict = judged("Is CIM the domain language?", "ADR-0012#2")
        assert "answer_type" not in {item.gate for item in verdict.readings}

    def test_a_profile_of_a_document_that_knows_no_such_gate_has_none(self) -> None:
        """The default has it alone."""
        with_it = [name for name, profile in PROFILES.items() if profile.answer_type]
        assert with_it == [ProfileName.DEFAULT]
        limits = THRESHOLDS.under(PROFILES[ProfileName.AINSTEIN])
        verdict = judged("What does the CIM language cost?", "ADR-0012#2", thresholds=limits)
        assert "answer_type" not in {item.gate for item in verdict.readings}

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (
                "What does the CIM domain language cost?",
                "what is asked for: a sum of money",
            ),
            ("Was kostet die CIM domain language?", "ein Geldbetrag"),
        ],
    )
    def test_the_refusal_says_what_is_wanting(self, text: str, said: str) -> None:
        """In the reader's language."""
        response = World().ask(text)
        assert response.refusal_reason is RefusalReason.NOT_RELEVANT
        assert said in response.answer
