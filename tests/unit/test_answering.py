"""The extractive answer: the sources' own words, each tied to the source it was taken from."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import DECISION, KNOWLEDGE, World, cited, document, inquiry, verdict

from elysia_guard.domain.concept import LabelRole, TermMatch
from elysia_guard.domain.document import Approval, SectionRole
from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.reading import Definition
from elysia_guard.domain.response import Source
from elysia_guard.stages import answering, verification
from elysia_guard.testing.terminology import METER


def test_a_long_document_is_quoted_in_part() -> None:
    """The first sentence always, the rest until the answer is long enough."""
    text = "\n\n".join(f"{n} {'word ' * 150}end." for n in range(6))
    reply = World(passages=document(DECISION, 99, "Long", (SectionRole.SUBSTANCE, text))).ask(
        "What does ADR-99 decide?"
    )
    quoted = [line for line in reply.answer.splitlines() if line.startswith("> ")]
    assert quoted[0].startswith("> 0 word")
    assert sum(map(len, quoted)) <= answering.MAX_QUOTED_CHARS
    assert not reply.complete


BESIDE = "Cables are dug in at 60 cm."
FOUND = "A broken cable is repaired within four hours."
LAST = "Whoever digs asks first."


def field_work(*sentences: str) -> World:
    """The small world, and a decision of one paragraph."""
    rule = document(DECISION, 99, "Field work", (SectionRole.SUBSTANCE, " ".join(sentences)))
    return World(passages=(*KNOWLEDGE, *rule))


def test_a_paragraph_is_shown_whole_with_what_answers_in_bold() -> None:
    """Where all of it answers nothing is; nor where it is told because the document is named."""
    world = field_work(BESIDE, FOUND, LAST)
    reply = world.ask("How fast is a broken cable repaired?")
    assert f"> {BESIDE} **{FOUND}** {LAST} [source:1]" in reply.answer
    assert reply.sources[0].quote == f"{BESIDE} {FOUND} {LAST}"
    assert reply.validation
    assert reply.validation.sources_verified == reply.validation.sources_total == 1
    named = world.ask("What does ADR-99 decide?")
    refused = world.ask("Which colour has a cable on the moon of Jupiter?")
    assert refused.refused
    for each in (named, refused):
        assert f"> {BESIDE} {FOUND} {LAST}" in each.answer


def test_emphasis_of_a_source_is_left_as_it_is() -> None:
    """Nothing is put in bold between its asterisks."""
    bold = "A **broken cable** is repaired within four hours."
    reply = field_work(BESIDE, bold).ask("How fast is a broken cable repaired?")
    assert f"> {BESIDE} {bold} [source:1]" in reply.answer


def test_a1_who_approved_it_is_told_from_the_record() -> None:
    """A search for who approved something quotes the facts of the record, once."""
    said = Approval(section="Approval", decision="Accepted", approvers=("Ada Lovelace",))
    told = [
        replace(each, document=replace(each.document, approvals=(said,)))
        if each.document.approval
        else each
        for each in KNOWLEDGE
    ]
    reply = World(passages=told).ask("Who approved the domain language CIM?")
    assert cited(reply) == ["ADR-0012D"]
    assert reply.answer.count("Accepted") == reply.answer.count("Ada Lovelace") == 1


def test_a3_an_unstated_owner_is_not_answered_with_something_else() -> None:
    """Nothing is made up, and nothing is quoted that was not asked."""
    reply = World().ask("Who owns POL-3?")
    assert reply.refused
    assert "POL-0003 names no owner" in reply.answer
    assert ">" not in reply.answer


def test_a3_what_is_in_force_comes_first() -> None:
    """Passages of replaced or pending documents come after those in force; three are quoted."""
    statuses = ("superseded", "proposed", "accepted", "rejected")
    every = [
        item
        for number, status in enumerate(statuses, start=1)
        for item in document(
            DECISION, number, "Cables", (SectionRole.SUBSTANCE, "A cable is red."), status=status
        )
    ]
    reply = World(passages=every).ask("red cable")
    assert cited(reply)[0] == "ADR-0003"
    assert len(cited(reply)) == answering.MAX_DOCUMENTS
    assert reply.warnings


class TestVerification:
    SOURCE = Source(n=1, doc_type="ADR", doc_id="a", title="t", collection="c", quote="q")
    ORIGINS = (
        "Use  TLS\n1.3 always. mTLS, TLS_v2 or a_v2; _v2 with(TLS) within timeout, timed_out",
    )

    def check(self, *quoted: Quote) -> float:
        made = Draft(blocks=(Block(quotes=quoted),), sources=(self.SOURCE,), origins=self.ORIGINS)
        return verification.verify(made).confidence

    @pytest.mark.parametrize("text", ["Use TLS 1.3 always.", "TLS", "(TLS)", "TLS 1", "_v2"])
    def test_a_quote_that_stands_in_its_source_holds(self, text: str) -> None:
        """White space apart, at whatever place; what is no letter needs no gap."""
        assert self.check(Quote(text=text, source=1)) == 1.0

    @pytest.mark.parametrize(
        "text",
        [
            *("Use TLS 1.2 always.", "Use TLS 1.3 always!", "use TLS 1.3 always.", "Use  TLS13"),
            *("", "   ", "in time", "within time", "in timeout", "n", "_out"),
        ],
    )
    def test_one_altered_character_is_no_quote(self, text: str) -> None:
        """Not even a capital; nor is an empty one, or a part of a word."""
        assert self.check(Quote(text=text, source=1)) == 0.0

    @pytest.mark.parametrize("source", [0, 2, -1])
    def test_a_quote_of_no_source_does_not_hold(self, source: int) -> None:
        """Sources are numbered from 1."""
        assert self.check(Quote(text="Use TLS", source=source)) == 0.0

    def test_half_of_the_quotes_is_a_half(self) -> None:
        """Counted one by one; nothing quoted is nothing verified."""
        assert self.check(Quote(text="TLS", source=1), Quote(text="SSL", source=1)) == 0.5
        assert self.check() == 0.0


def test_a_concept_without_definition_quotes_its_labels() -> None:
    """They are what the vocabulary says of it, word for word."""
    match = TermMatch(
        concept=replace(METER, definitions=()), label=METER.preferred[0], role=LabelRole.PREFERRED
    )
    evidence = Evidence(matches=(match,), looked_at=("V",))
    asked = inquiry("x", evidence=evidence, asks=Definition(term="x"), verdict=verdict())
    made = answering.draft(asked, collection=lambda _: "V")
    quoted = [quote.text for block in made.blocks for quote in block.quotes]
    assert sorted(quoted) == sorted(text.value for text in METER.preferred)
    assert [source.doc_id for source in made.sources] == [METER.uri]
    assert verification.verify(made).confidence == 1.0
