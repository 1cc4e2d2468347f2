"""The extractive answer: the sources' own words, each tied to the source it was taken from."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.small_world import COLLECTIONS, DECISION, document, hit, inquiry, named, verdict

from elysia_guard.domain.concept import Concept, LabelRole, RelatedConcept, TermMatch, Text
from elysia_guard.domain.document import Approval, DocumentKind, Hit, SectionRole
from elysia_guard.domain.draft import Block, Draft, Quote
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Aspect, Lang, Reference
from elysia_guard.domain.reading import Asks, Definition, Listing, Named
from elysia_guard.domain.refusal import Verdict
from elysia_guard.domain.response import Source
from elysia_guard.stages import answering, verification
from elysia_guard.testing.terminology import METER, NETVLAK, TRANSFORMER

NAMED = Reference(number=12, written="ADR.12", kind=DECISION)


def collection(kind: DocumentKind | None) -> str:
    return COLLECTIONS[kind] if kind else "Vocabulary_Ollama"


def draft(
    text: str,
    evidence: Evidence,
    *,
    asks: Asks | None = None,
    lang: Lang = "en",
    judged: Verdict | None = None,
) -> Draft:
    under_way = inquiry(text, evidence=evidence, asks=asks, lang=lang, verdict=judged or verdict())
    made = answering.draft(under_way, collection=collection)
    checked = verification.verify(made)
    assert checked.sources_verified == checked.sources_total, "a draft quotes word for word"
    return made


def quotes(made: Draft) -> list[str]:
    return [quote.text for block in made.blocks for quote in block.quotes]


class TestConcept:
    def define(self, concept: Concept, lang: Lang = "en", **values: object) -> Draft:
        match = TermMatch(concept=concept, label=concept.preferred[0], role=LabelRole.PREFERRED)
        evidence = Evidence(matches=(match,), looked_at=("V",), **values)  # type: ignore[arg-type]
        return draft("What is x?", evidence, asks=Definition(term="x"), lang=lang)

    def test_a_definition_is_quoted_word_for_word(self) -> None:
        """With its line break and quotation marks, and the concept as its source."""
        made = self.define(TRANSFORMER)
        assert quotes(made) == [TRANSFORMER.definitions[0].value]
        (source,) = made.sources
        assert (source.doc_type, source.doc_id) == ("Vocabulary", TRANSFORMER.uri)
        assert (source.collection, source.location) == ("Vocabulary_Ollama", TRANSFORMER.uri)
        assert source.quote == TRANSFORMER.definitions[0].value

    def test_a_dutch_reader_gets_the_dutch_definition(self) -> None:
        """Label, synonyms and definition in the language of the question."""
        made = self.define(TRANSFORMER, "nl")
        assert quotes(made) == ["Machine die spanningen omzet."]
        assert made.blocks[0].heading == "**vermogenstransformator**"
        notes = "\n".join(made.blocks[0].notes)
        assert "trafo" in notes
        assert "in another language" not in notes

    def test_a_definition_in_another_language_says_so(self) -> None:
        """It is quoted as it stands, not translated."""
        dutch = replace(METER, definitions=(Text(value="Toestel dat meet.", lang="nl"),))
        made = self.define(dutch)
        assert quotes(made) == ["Toestel dat meet."]
        assert any("(nl)" in note for note in made.blocks[0].notes)

    def test_an_untagged_definition_is_in_no_other_language(self) -> None:
        """Without a tag nothing is claimed."""
        made = self.define(NETVLAK, "nl")
        assert quotes(made) == ["Deel van het net met \u00e9\u00e9n spanning."]
        assert not any("andere taal" in note for note in made.blocks[0].notes)

    def test_what_the_vocabulary_says_around_it_is_noted(self) -> None:
        """Scope note, synonyms, neighbours by relation, and where it comes from."""
        related = (
            RelatedConcept(uri="urn:a", label="asset", relation="broader"),
            RelatedConcept(uri="urn:m", label="meter", relation="related"),
        )
        notes = "\n".join(self.define(TRANSFORMER, related=related).blocks[0].notes)
        assert "Not for instrument transformers." in notes
        assert "transformer" in notes
        assert "Broader: asset" in notes
        assert "Related: meter" in notes
        assert "Narrower" not in notes
        assert f"Terms of the grid, {TRANSFORMER.uri}" in notes

    def test_a_concept_without_definition_quotes_nothing(self) -> None:
        """There is nothing to quote, and verification will refuse it."""
        bare = Concept(uri="urn:x", vocabulary="v", preferred=METER.preferred)
        made = self.define(bare)
        assert (quotes(made), made.sources) == ([], ())


class TestList:
    def test_each_document_is_one_line_with_its_source(self) -> None:
        """Identifier, title and status; as many sources as documents, in order."""
        listed = Evidence(documents=(named("ADR-0003"), named("ADR-0012")), looked_at=("d",))
        made = draft("List ADRs", listed, asks=Listing(kinds=()))
        assert quotes(made) == ["Carry readings by courier", "Use CIM as the domain language"]
        (block,) = made.blocks
        assert block.heading == "There are 2 documents:"
        assert "ADR-0003" in block.quotes[0].lead
        assert "superseded" in block.quotes[0].tail
        assert [source.doc_id for source in made.sources] == ["ADR-0003", "ADR-0012"]

    def test_one_document_is_one(self) -> None:
        """In the singular; without identifier and status there is nothing beside the title."""
        notes = document(DocumentKind.DOCUMENT, None, "Notes", (SectionRole.OTHER, "x"), status="")
        listed = Evidence(documents=(notes[0].document,), looked_at=("d",))
        made = draft("List", listed, asks=Listing(kinds=()))
        assert made.blocks[0].heading == "There is 1 document:"
        assert (made.blocks[0].quotes[0].lead, made.blocks[0].quotes[0].tail) == ("", "")


class TestNamedDocument:
    def entity(
        self, id_: str = "ADR-0012", aspect: Aspect = Aspect.SUBSTANCE, topic: str = ""
    ) -> Draft:
        hits = []
        for position in range(9):
            try:
                hits.append(hit(f"{id_}#{position}"))
            except StopIteration:
                break
        evidence = Evidence(hits=tuple(hits), documents=(named(id_),), looked_at=("d",))
        asks = Named(references=(NAMED,), aspect=aspect, matter=topic)
        return draft("What does it say?", evidence, asks=asks)

    def test_its_substance_is_what_it_decides(self) -> None:
        """The outcome, not the options that were turned down."""
        made = self.entity()
        assert quotes(made) == [
            "We use CIM as the domain language.",
            "Other models are mapped to CIM.",
        ]
        assert "ADR-0012: Use CIM as the domain language" in made.blocks[0].heading
        assert "accepted, 2026-01-01" in made.blocks[0].heading

    @pytest.mark.parametrize(
        ("aspect", "quoted"),
        [
            (Aspect.CONSEQUENCES, "Mapping legacy models costs effort."),
            (Aspect.ALTERNATIVES, "The options were CIM and a homegrown model."),
            (Aspect.CONTEXT, "Every department spoke a dialect of its own."),
        ],
    )
    def test_the_part_that_is_asked_for_is_quoted(self, aspect: Aspect, quoted: str) -> None:
        """And nothing else."""
        assert quotes(self.entity(aspect=aspect)) == [quoted]

    @pytest.mark.parametrize(
        ("aspect", "stated", "lead"),
        [
            (Aspect.STATUS, "accepted", "Status: "),
            (Aspect.DATE, "2026-01-01", "Date: "),
            (Aspect.OWNER, "The board", "Owner: "),
        ],
    )
    def test_what_its_metadata_state_is_answered_from_them(
        self, aspect: Aspect, stated: str, lead: str
    ) -> None:
        """Status, date and owner stand in no sentence."""
        (block,) = self.entity(aspect=aspect).blocks
        assert [(quote.lead, quote.text) for quote in block.quotes] == [(lead, stated)]

    def test_a3_an_unstated_owner_is_not_answered_with_something_else(self) -> None:
        """Nothing is made up, and nothing is quoted that was not asked."""
        made = self.entity("POL-0003", Aspect.OWNER)
        assert quotes(made) == []
        assert made.blocks[0].notes == ("POL-0003 names no owner.",)

    def test_a_record_answers_with_its_approval(self) -> None:
        """Who approved it."""
        assert "Approved by Ada Lovelace." in quotes(self.entity("ADR-0012D", Aspect.APPROVAL))

    def test_what_is_asked_of_it_is_quoted_where_it_stands(self) -> None:
        """'mapping' of ADR.12: what speaks of it, also outside the substance."""
        assert quotes(self.entity(topic="mapped models")) == [
            "Other models are mapped to CIM.",
            "Mapping legacy models costs effort.",
        ]
        assert quotes(self.entity(topic="dialect")) == [
            "Every department spoke a dialect of its own."
        ]

    def test_a_document_without_the_part_is_quoted_as_it_is(self) -> None:
        """A principle without options: all it says."""
        assert quotes(self.entity("PCP-0010", Aspect.ALTERNATIVES)) == [
            "Replicas converge; temporary divergence is tolerated.",
            "Consumers handle stale replicas.",
        ]

    def test_a_long_document_is_quoted_in_part(self) -> None:
        """The first sentence always, the rest until the answer is long enough."""
        sentence = "word " * 150 + "end."
        text = "\n\n".join(f"{n} {sentence}" for n in range(6))
        (long,) = document(DECISION, 99, "Long", (SectionRole.SUBSTANCE, text))
        evidence = Evidence(
            hits=(Hit(passage=long, score=1.0),), documents=(long.document,), looked_at=("d",)
        )
        made = draft("x", evidence, asks=Named(references=(NAMED,)))
        assert quotes(made)[0].startswith("0 word")
        assert sum(map(len, quotes(made))) <= answering.MAX_QUOTED_CHARS


class TestSearch:
    def answer(self, text: str, *hits: Hit, support: tuple[Hit, ...] | None = None) -> Draft:
        evidence = Evidence(hits=hits, looked_at=("d",))
        judged = verdict(support=hits if support is None else support)
        return draft(text, evidence, judged=judged)

    def test_the_sentence_that_answers_is_quoted(self) -> None:
        """Not its neighbours; the source carries the measures of its hit."""
        made = self.answer("Which fallback for TLS?", hit("ADR-0027#1", distance=0.25, lexical=4.0))
        assert "TLS 1.2 is a fallback." in quotes(made)
        (source,) = made.sources
        assert (source.doc_id, source.distance, source.lexical) == ("ADR-0027", 0.25, 4.0)
        assert source.collection == "ADR_Ollama"

    def test_a_question_that_a_document_asks_itself_is_no_answer(self) -> None:
        """'Why would connections be protected?' is the question, not the answer."""
        made = self.answer("Why protect connections?", hit("ADR-0027#0"), hit("ADR-0027#1"))
        assert not any(text.endswith("?") for text in quotes(made))

    def test_only_supporting_documents_are_quoted(self) -> None:
        """A document that no gate let through is not heard."""
        made = self.answer(
            "models CIM", hit("ADR-0012#2"), hit("ADR-0034#0"), support=(hit("ADR-0012#2"),)
        )
        assert {source.doc_id for source in made.sources} == {"ADR-0012"}

    def test_at_most_three_documents_are_quoted_the_surest_first(self) -> None:
        """Each under its own heading; a proposal comes after what is in force."""
        hits = [hit(id_) for id_ in ("ADR-0028#0", "ADR-0012#2", "ADR-0027#1", "ADR-0034#0")]
        made = self.answer("flexible CIM connections blockchain", *hits)
        assert len(made.blocks) <= answering.MAX_DOCUMENTS
        assert [block.heading.split(":")[0] for block in made.blocks] == [
            "**ADR-0012",
            "**ADR-0027",
            "**ADR-0028",
        ]

    def test_a_document_that_says_nothing_near_is_not_quoted(self) -> None:
        """It may pass the gates, and has no sentence that counts beside the best one."""
        made = self.answer("flexible CIM", hit("ADR-0028#0"), hit("ADR-0012#0"))
        assert [source.doc_id for source in made.sources] == ["ADR-0028"]

    def test_a1_who_approved_it_is_told_from_the_record(self) -> None:
        """A search for who approved something quotes the facts of the record, once."""
        said = Approval(section="Approval", decision="Accepted", approvers=("Ada Lovelace",))
        found = hit("ADR-0012D#0")
        record = replace(found.passage.document, approvals=(said,))
        found = replace(found, passage=replace(found.passage, document=record))
        made = self.answer("Who approved CIM?", found)
        assert quotes(made) == ["Accepted", "Ada Lovelace"]
        assert [source.doc_id for source in made.sources] == ["ADR-0012D"]

    def test_a3_what_is_in_force_comes_first(self) -> None:
        """Passages of replaced or pending documents come after those in force, however near."""
        hits = [hit("ADR-0003#0"), hit("ADR-0028#0"), hit("ADR-0012#2")]
        made = self.answer("courier flexible CIM", *hits)
        quoted = [source.doc_id for source in made.sources]
        assert quoted[0] == "ADR-0012"
        assert set(quoted) == {"ADR-0003", "ADR-0012", "ADR-0028"}

    def test_where_no_words_can_be_compared_what_it_states_is_quoted(self) -> None:
        """A Dutch principle answers an English question with its first sentences."""
        made = self.answer("ownership of data", hit("PCP-0012#0"))
        assert quotes(made) == ["Gegevens hebben precies \u00e9\u00e9n eigenaar."]

    def test_a_passage_is_one_source_however_often_it_is_quoted(self) -> None:
        """Two sentences of one section share a number."""
        made = self.answer("models mapped domain language CIM", hit("ADR-0012#2"))
        assert len(quotes(made)) == 2
        assert [source.n for source in made.sources] == [1]


class TestVerification:
    SOURCE = Source(n=1, doc_type="ADR", doc_id="a", title="t", collection="c", quote="q")

    def check(self, *quoted: Quote, origins: tuple[str, ...] = ("Use  TLS\n1.3 always.",)) -> float:
        made = Draft(blocks=(Block(quotes=quoted),), sources=(self.SOURCE,), origins=origins)
        return verification.verify(made).confidence

    def test_a_quote_that_stands_in_its_source_holds(self) -> None:
        """White space apart."""
        assert self.check(Quote(text="Use TLS 1.3 always.", source=1)) == 1.0

    @pytest.mark.parametrize(
        "text", ["Use TLS 1.2 always.", "Use TLS 1.3 always!", "use TLS 1.3 always.", "Use  TLS13"]
    )
    def test_one_altered_character_is_no_quote(self, text: str) -> None:
        """Not even a capital."""
        assert self.check(Quote(text=text, source=1)) == 0.0

    @pytest.mark.parametrize("text", ["TLS", "(TLS)", "TLS 1", "_v2"])
    def test_the_word_may_stand_behind_another_that_holds_it(self, text: str) -> None:
        """Every place is looked at; what is no letter needs no gap."""
        origins = ("mTLS, TLS_v2 or a_v2; _v2 with(TLS) and (TLS) alone: TLS 1.",)
        assert self.check(Quote(text=text, source=1), origins=origins) == 1.0

    @pytest.mark.parametrize("source", [0, 2, -1])
    def test_a_quote_of_no_source_does_not_hold(self, source: int) -> None:
        """Sources are numbered from 1."""
        assert self.check(Quote(text="Use TLS", source=source)) == 0.0

    def test_half_of_the_quotes_is_a_half(self) -> None:
        """Counted one by one."""
        assert self.check(Quote(text="TLS", source=1), Quote(text="SSL", source=1)) == 0.5

    def test_nothing_quoted_is_nothing_verified(self) -> None:
        """An empty answer is not a verified one."""
        assert self.check() == 0.0

    @pytest.mark.parametrize("text", ["", "   "])
    def test_an_empty_quote_does_not_hold(self, text: str) -> None:
        """It says nothing, so it is supported by nothing."""
        assert self.check(Quote(text=text, source=1)) == 0.0

    @pytest.mark.parametrize("text", ["in time", "within time", "in timeout", "n", "_out"])
    def test_a_part_of_a_word_is_no_quote(self, text: str) -> None:
        """'in time' does not stand in 'within timeout'."""
        origins = ("within timeout, timed_out",)
        assert self.check(Quote(text=text, source=1), origins=origins) == 0.0
