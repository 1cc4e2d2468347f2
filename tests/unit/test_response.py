"""The response: what a person reads, and the record beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.small_world import DECISION, World, hit, inquiry, named, verdict

from elysia_guard.domain.concept import Concept, LabelRole, TermMatch
from elysia_guard.domain.draft import Block, Draft, HeldDraft, Quote
from elysia_guard.domain.evidence import Evidence, SourceFailure
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.domain.reading import Asks, Listing, SmallTalk
from elysia_guard.domain.refusal import (
    NOT_ASKED,
    Examples,
    GateReading,
    Outcome,
    RefusalReason,
    Suggestion,
    Verdict,
)
from elysia_guard.domain.response import Source, Validation
from elysia_guard.language.catalogue import catalogue
from elysia_guard.language.pack import langs
from elysia_guard.stages import response
from elysia_guard.testing.terminology import ASSET

GOLDEN = Path(__file__).parents[1] / "golden" / "replies.txt"
VALID = Validation(sources_verified=1, sources_total=1, confidence=1.0)
WAY_ON = Suggestion(question="List all decisions", label="")


def golden() -> list[tuple[str, str]]:
    parts = GOLDEN.read_text(encoding="utf-8").split("=== ")[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2].rstrip("\n")) for part in parts]


@pytest.mark.parametrize(("asked", "reply"), golden(), ids=[asked for asked, _ in golden()])
def test_a_reply_reads_as_it_was_written_down(asked: str, reply: str) -> None:
    """Written by hand in tests/golden/replies.txt; a change of wording is made there first."""
    assert World().ask(asked).answer == reply


def drafted(*ids: str, lead: str = "") -> Draft:
    sources = tuple(
        Source(n=n, doc_type="ADR", doc_id=id_, title=id_, collection="c", quote="q")
        for n, id_ in enumerate(ids, start=1)
    )
    quotes = tuple(
        Quote(text=f"Says {source.n}.", source=source.n, lead=lead) for source in sources
    )
    return Draft(blocks=(Block(heading="H", quotes=quotes),), sources=sources, origins=ids)


def held(draft: Draft) -> HeldDraft:
    return HeldDraft(draft=draft, validation=VALID)


class TestWarnings:
    def warned(
        self,
        evidence: Evidence,
        draft: Draft,
        lang: Lang = "en",
        asks: Asks | None = None,
    ) -> list[tuple[str, str]]:
        asked = inquiry("x", asks=asks, evidence=evidence, verdict=verdict(), lang=lang)
        reply = response.answered(asked, held(draft))
        for warning in reply.warnings:
            assert f"\u26a0 {warning.message}" in reply.answer
        return [(warning.type, warning.message) for warning in reply.warnings]

    @pytest.mark.parametrize(
        ("id_", "status"), [("ADR-0028", "proposed"), ("ADR-0034", "rejected")]
    )
    def test_one_that_is_not_in_force_says_so(self, id_: str, status: str) -> None:
        """Whether it was named or found by a search."""
        for evidence in (Evidence(documents=(named(id_),)), Evidence(hits=(hit(f"{id_}#0"),))):
            ((type_, message),) = self.warned(evidence, drafted(id_))
            assert type_ == "NOT_IN_FORCE"
            assert status in message

    def test_several_that_are_not_in_force_are_told_once(self) -> None:
        """In one line, above the words of the first of them."""
        found = Evidence(documents=(named("ADR-0028"), named("ADR-0034")))
        asked = inquiry("x", evidence=found, verdict=verdict())
        reply = response.answered(asked, held(drafted("ADR-0028", "ADR-0034")))
        told = " ".join(warning.message for warning in reply.warnings)
        assert len(reply.warnings) == 2
        assert reply.answer.startswith(f"\u26a0 {told}\n\nH")
        assert reply.answer.count("\u26a0") == 1

    def test_what_is_not_cited_is_not_warned_of(self) -> None:
        """A superseded document among the hits that no sentence was taken from."""
        evidence = Evidence(hits=(hit("ADR-0003#0"), hit("ADR-0012#2")))
        assert self.warned(evidence, drafted("ADR-0012")) == []

    def test_a_list_shows_its_status_in_place_of_warnings(self) -> None:
        """Each line carries it already."""
        evidence = Evidence(documents=(named("ADR-0003"),))
        listed = drafted("ADR-0003", lead="**ADR-0003** ")
        assert self.warned(evidence, listed, asks=Listing(kinds=(DECISION,))) == []

    def test_an_absent_reference_beside_an_existing_one_is_told(self) -> None:
        """By its identity, or as it was written."""
        evidence = Evidence(
            documents=(named("ADR-0012"),),
            absent=(
                Reference(number=50, written="besluit 50", kind=DECISION),
                Reference(number=99, written="99"),
            ),
        )
        warnings = self.warned(evidence, drafted("ADR-0012"), lang="nl")
        assert [type_ for type_, _ in warnings] == ["ENTITY_NOT_FOUND"] * 2
        assert warnings[0][1].startswith("ADR-0050 bestaat niet")
        assert warnings[1][1].startswith("99 bestaat niet")


class TestAnswered:
    def test_the_record_carries_sources_validation_and_quality(self) -> None:
        """Everything that IR0003, ADR-004 and ADR-0031 name."""
        reply = response.answered(inquiry("x", verdict=verdict()), held(drafted("ADR-0012")))
        assert not reply.refused
        assert reply.refusal_reason is None
        assert [source.n for source in reply.sources] == [1]
        assert reply.validation == VALID
        assert reply.retrieval_quality.confidence_score == 0.9
        assert not reply.transparency.show_to_user

    def test_a_degraded_answer_is_shown_as_such(self) -> None:
        """Confidence x 0.8, once, and a note to the reader."""
        evidence = Evidence(fallbacks=("bm25_only",))
        reply = response.answered(
            inquiry("x", evidence=evidence, verdict=verdict()), held(drafted("ADR-0012"))
        )
        assert reply.retrieval_quality.confidence_score == 0.72
        assert reply.transparency.show_to_user

    def test_every_quote_names_its_source(self) -> None:
        """Also where a block has no heading."""
        draft = Draft(
            blocks=(Block(quotes=(Quote(text="A.\nB.", source=1),)),), sources=(), origins=()
        )
        reply = response.answered(inquiry("x", verdict=verdict()), held(draft))
        assert reply.answer == "> A.\n> B. [source:1]"


class TestRefused:
    def refuse(self, judged: Verdict, lang: Lang = "en", evidence: Evidence | None = None) -> str:
        under_way = inquiry("x", lang=lang, verdict=judged, evidence=evidence)
        reply = response.refused(under_way, (WAY_ON,))
        assert reply.refused
        assert reply.sources == ()
        assert not reply.transparency.show_to_user
        return reply.answer

    @pytest.mark.parametrize("lang", langs())
    @pytest.mark.parametrize(
        "reason", [item for item in RefusalReason if item != "terminology_ambiguous"]
    )
    def test_every_reason_can_be_given_in_every_language(
        self, reason: RefusalReason, lang: Lang
    ) -> None:
        """Why, what was looked at (if anything), what to try; no message is left unfilled."""
        told = f"write '{reason}' under [refusal] in language/packs/{lang}/messages.toml"
        assert f"refusal.{reason}" in catalogue(lang), told
        read = GateReading(
            gate="g", passed=False, value=0.4321, threshold=0.6, source="s", reason=reason
        )
        text = self.refuse(
            verdict(Outcome.REFUSE, reason=reason, readings=(read,), subject="SUBJECT"), lang
        )
        assert "{" not in text
        assert "List all decisions" in text
        assert len(text.split("\n\n")) == (3 if reason in NOT_ASKED else 4)

    def test_measures_are_for_the_trace_and_no_words_of_a_refusal(self) -> None:
        """What a person reads claims no figure that the sources do not bear out."""
        read = GateReading(
            gate="confidence",
            passed=False,
            value=0.4321,
            threshold=0.6,
            source="s",
            reason=RefusalReason.LOW_CONFIDENCE,
        )
        text = self.refuse(
            verdict(Outcome.REFUSE, reason=RefusalReason.LOW_CONFIDENCE, readings=(read,))
        )
        assert "too weak a basis for an answer." in text
        assert "0.43" not in text

    @pytest.mark.parametrize(
        ("reason", "variant", "said"),
        [
            (RefusalReason.NO_RESULTS, "list", "There are no"),
            (RefusalReason.NO_RESULTS, "owner", "No document has an owner"),
            (RefusalReason.INDEX_ERROR, "", "cannot be searched at the moment"),
            (RefusalReason.INDEX_TIMEOUT, "", "did not end in time"),
            (RefusalReason.LOW_COVERAGE, "entity", "does not speak of what you ask"),
            (RefusalReason.TERMINOLOGY_NOT_FOUND, "synonyms", "names no other word for it"),
        ],
    )
    def test_a_variant_says_it_more_exactly(
        self, reason: RefusalReason, variant: str, said: str
    ) -> None:
        """One reason for programs, the right sentence for people."""
        judged = verdict(Outcome.REFUSE, reason=reason, details={"variant": variant}, subject="S")
        assert said in self.refuse(judged)

    def test_sources_are_named_as_a_reader_knows_them(self) -> None:
        """Kinds are translated, other sources keep their names; nothing looked at, no line."""
        refused = verdict(Outcome.REFUSE, reason=RefusalReason.NO_RESULTS)
        evidence = Evidence(looked_at=("decision", "tickets"))
        assert "besluiten, tickets" in self.refuse(refused, "nl", evidence)
        assert "Looked at" not in self.refuse(refused, "en", Evidence())

    @pytest.mark.parametrize("name", ["vocabulary", "kind", "talk.help", "{name}"])
    def test_a_vocabulary_may_have_any_name(self, name: str) -> None:
        """Also one that is a word of ours: a folder 'vocabulary' names its vocabulary so."""
        refused = verdict(Outcome.REFUSE, reason=RefusalReason.TERMINOLOGY_NOT_FOUND)
        assert f"vocabulary {name}" in self.refuse(refused, "en", Evidence(looked_at=(name,)))

    def test_a_message_of_its_own_stands_alone(self) -> None:
        """A bad question is told what is bad about it, without advice for another."""
        judged = verdict(Outcome.REFUSE, details={"message": "The question is empty."})
        assert self.refuse(judged) == "The question is empty."

    def test_an_outage_is_flagged_in_the_record(self) -> None:
        """IR0003: OBS-02."""
        evidence = Evidence(
            looked_at=("skosmos",),
            missing=(SourceFailure(source="skosmos", timeout=True),),
            fallbacks=("skosmos_timeout",),
        )
        under_way = inquiry("x", verdict=verdict(Outcome.REFUSE), evidence=evidence)
        reply = response.refused(under_way, ())
        assert reply.retrieval_quality.fallback_reasons == ("skosmos_timeout",)


class TestClarifiedAndConversed:
    def test_a_number_is_asked_back_with_its_documents(self) -> None:
        """Each by name and title; a question back is no refusal."""
        evidence = Evidence(undecided=(named("ADR-0012"), named("PCP-0012")))
        under_way = inquiry("12", evidence=evidence, verdict=verdict(Outcome.CLARIFY, subject="12"))
        reply = response.clarified(under_way, (WAY_ON,))
        assert "1. **ADR-0012**: Use CIM as the domain language" in reply.answer
        assert "2. **PCP-0012**: Eigenaarschap van gegevens" in reply.answer
        assert not reply.refused
        assert reply.suggestions == (WAY_ON,)

    def test_a_meaning_without_definition_is_a_choice_too(self) -> None:
        """It is listed by its label, vocabulary and URI."""
        bare = Concept(uri="urn:x", vocabulary="v", preferred=ASSET.preferred)
        matches = tuple(
            TermMatch(concept=concept, label=ASSET.preferred[0], role=LabelRole.PREFERRED)
            for concept in (ASSET, bare)
        )
        evidence = Evidence(matches=matches, looked_at=("V",))
        asked = inquiry("asset", evidence=evidence, verdict=verdict(Outcome.CLARIFY))
        assert "2. **asset** (v) <urn:x>" in response.clarified(asked, (WAY_ON,)).answer

    @pytest.mark.parametrize("lang", langs())
    @pytest.mark.parametrize("name", ["greeting", "thanks", "farewell", "help", "identity", "mood"])
    def test_small_talk_claims_nothing(self, name: str, lang: Lang) -> None:
        """A fixed text, without a source."""
        asks = SmallTalk(about=name)
        under_way = inquiry("hi", asks=asks, lang=lang, verdict=verdict(Outcome.CONVERSE))
        examples = Examples.of([named("ADR-0012")], term="transformer")
        reply = response.conversed(under_way, examples)
        assert reply.answer
        assert (reply.refused, reply.sources) == (False, ())
        assert ("ADR-0012" in reply.answer) == (name == "help")
