"""What kind of thing a question asks for, and the gate that wants one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import COLLECTIONS, THRESHOLDS, World, hit, inquiry

from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.profiles import PROFILES, ProfileName
from elysia_guard.domain.refusal import Outcome, RefusalReason, Verdict
from elysia_guard.domain.thresholds import Thresholds
from elysia_guard.language.answer_types import AnswerType, asked_for, holds
from elysia_guard.stages import gates

MONEY, APPROVAL, DURATION, NUMBER, DATE, REASON = AnswerType


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("What does the gateway cost per year?", {MONEY}),
        ("What do we pay for support?", {MONEY}),
        ("Which budget goes with the decision?", {MONEY}),
        ("How much money did the trial cost?", {MONEY, NUMBER}),
        ("Wat kost de gateway?", {MONEY}),
        ("Hoe hoog is de boete?", {MONEY, NUMBER}),
        ("Was kostet das Gateway im Jahr?", {MONEY}),
        ("Wie hoch ist das Budget?", {MONEY, NUMBER}),
        ("Who approved the decision on TLS?", {APPROVAL}),
        ("who signed off on the OAuth decision", {APPROVAL}),
        ("Wie heeft het besluit over TLS goedgekeurd?", {APPROVAL}),
        ("wie keurde het oude besluit goed", {APPROVAL}),
        ("Wer hat damals die Entscheidung genehmigt?", {APPROVAL}),
        ("Why are invoices kept?", {REASON}),
        ("Waarom bewaren we facturen?", {REASON}),
        ("Weshalb bewahren wir Rechnungen auf?", {REASON}),
        ("Pourquoi garder les factures ?", {REASON}),
        ("How long are invoices kept?", {DURATION}),
        ("Hoe lang bewaren we facturen?", {DURATION}),
        ("Wie lange bewahren wir Rechnungen auf?", {DURATION}),
        ("How many days does a supplier have?", {DURATION, NUMBER}),
        ("What is the minimum portfolio?", {NUMBER}),
        ("Hoeveel stations zijn er?", {NUMBER}),
        ("When do the nightly files stop?", {DATE}),
        ("Vanaf welke datum geldt het?", {DATE}),
        ("Bis wann gilt das?", {DATE}),
        ("What is decided about encryption?", set()),
        ("Which costs did the decision weigh against each other?", set()),
        ("Who approves an exemption?", set()),
        ("Why was the price of a connection no argument?", {REASON}),
    ],
)
def test_a_question_says_what_would_be_an_answer(text: str, things: set[AnswerType]) -> None:
    """In three languages; a word alone ('costs', 'approves') asks for nothing."""
    assert asked_for(text) == things


@pytest.mark.parametrize(
    ("text", "thing", "held"),
    [
        ("The trial cost 240,000 euro.", MONEY, True),
        ("A licence is \u20ac 12 a month.", MONEY, True),
        ("Het kost 1,5 miljoen euro.", MONEY, True),
        ("EUR 300 per connection", MONEY, True),
        ("The cost per value must fall by 80 per cent.", MONEY, False),
        ("Invoices are kept for seven years.", DURATION, True),
        ("binnen vijf werkdagen", DURATION, True),
        ("binnen vijf hele dagen", DURATION, True),
        ("It is renewed each year.", DURATION, True),
        ("Invoices are kept.", DURATION, False),
        ("at least 100 kW", NUMBER, True),
        ("a few of them", NUMBER, False),
        ("The files stop after 31 March 2026.", DATE, True),
        ("am 3 M\u00e4rz", DATE, True),
        ("The files stop soon.", DATE, False),
        ("Approved by Ada Lovelace.", APPROVAL, False),
    ],
)
def test_a_sentence_holds_it_or_not(text: str, thing: AnswerType, held: bool) -> None:
    """An approval is told by its record, not by a sentence."""
    assert holds(text, thing) is held


def judged(text: str, *ids: str, thresholds: Thresholds = THRESHOLDS) -> Verdict:
    evidence = Evidence(hits=tuple(hit(item) for item in ids), looked_at=("decision",))
    asked = inquiry(text, evidence=evidence)
    return gates.judge(asked, thresholds=thresholds, collections=COLLECTIONS)


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
        near, other = hit("ADR-0012#2"), hit("ADR-0012#3")
        priced = replace(other, passage=replace(other.passage, text="It cost 240,000 euro."))
        evidence = Evidence(hits=(near, priced), looked_at=("decision",))
        asked = inquiry("What does the CIM domain language cost?", evidence=evidence)
        verdict = gates.judge(asked, thresholds=THRESHOLDS, collections=COLLECTIONS)
        assert verdict.outcome is Outcome.ANSWER
        assert verdict.readings[-1].value == "money"

    def test_who_approved_is_answered_by_an_approval_record(self) -> None:
        """The decision itself does not say it."""
        asked = "Who approved the CIM domain language?"
        assert judged(asked, "ADR-0012#2").details == {"variant": "approval"}
        record = hit("ADR-0012D#0")
        text = f"{record.passage.text} CIM domain language"
        record = replace(record, passage=replace(record.passage, text=text))
        evidence = Evidence(hits=(record,), looked_at=("decision",))
        verdict = gates.judge(
            inquiry(asked, evidence=evidence), thresholds=THRESHOLDS, collections=COLLECTIONS
        )
        assert verdict.outcome is Outcome.ANSWER

    def test_a_question_for_anything_else_has_no_such_gate(self) -> None:
        """Nothing is read where nothing is wanted."""
        verdict = judged("How many years of CIM domain language?", "ADR-0012#2")
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
            ("What does the CIM domain language cost?", "no sum of money"),
            ("Was kostet die CIM domain language?", "Betrag"),
        ],
    )
    def test_the_refusal_says_what_is_wanting(self, text: str, said: str) -> None:
        """In the reader's language."""
        response = World().ask(text)
        assert response.refusal_reason is RefusalReason.NOT_RELEVANT
        assert said in response.answer
