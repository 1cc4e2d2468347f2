"""What every terminology source keeps, whatever stands behind it.

Run it over your own source: subclass ``TerminologyContract`` in a test module and give it a
fixture ``source`` that serves the vocabulary ``testing.terminology.TURTLE``. The tests are
coroutines; pytest-asyncio runs them (``asyncio_mode = "auto"``).
"""

from __future__ import annotations

from typing import ClassVar

from elysia_guard.domain.concept import Label
from elysia_guard.ports import TerminologySource
from elysia_guard.testing.terminology import (
    ASSET,
    CIM_DUMP,
    CONCEPTS,
    METER,
    NETVLAK,
    REGULATED_ASSET,
    TRANSFORMER,
)


class TerminologyContract:
    """The contract of ``ports.TerminologySource``; switch off what a source cannot do."""

    finds_hidden_labels: ClassVar[bool] = True
    finds_deprecated_concepts: ClassVar[bool] = True
    suggests: ClassVar[bool] = True
    knows_synonyms: ClassVar[bool] = True
    """Also tells whether it has labels at hand."""

    async def test_the_source_has_a_name_for_the_reader(self, source: TerminologySource) -> None:
        """A refusal can say what was looked at."""
        assert source.name.strip()

    async def test_a_term_finds_its_concept_with_all_it_says(
        self, source: TerminologySource
    ) -> None:
        """A concept arrives whole: labels, definitions word for word, notes, relations."""
        (match,) = await source.lookup("power transformer", lang="en")
        assert match.concept == TRANSFORMER
        assert (match.label.value, match.role) == ("power transformer", "prefLabel")

    async def test_case_and_blanks_do_not_matter(self, source: TerminologySource) -> None:
        """'  POWER   Transformer ' names the power transformer."""
        (match,) = await source.lookup("  POWER   Transformer ", lang="en")
        assert match.concept.uri == TRANSFORMER.uri

    async def test_a_synonym_finds_the_concept(self, source: TerminologySource) -> None:
        """A match through an altLabel says that it is one."""
        (match,) = await source.lookup("trafo", lang="nl")
        assert (match.concept.uri, match.role) == (TRANSFORMER.uri, "altLabel")

    async def test_a_label_of_another_language_finds_the_concept(
        self, source: TerminologySource
    ) -> None:
        """'What is a netvlak?' is an English question about a Dutch label."""
        (match,) = await source.lookup("netvlak", lang="en")
        assert match.concept == NETVLAK

    async def test_a_term_of_two_concepts_is_ambiguous(self, source: TerminologySource) -> None:
        """A prefLabel does not hide another concept's altLabel; the order is stable."""
        matches = await source.lookup("asset", lang="en")
        assert [match.concept for match in matches] == [ASSET, REGULATED_ASSET]
        assert [match.role for match in matches] == ["prefLabel", "altLabel"]

    async def test_a_term_that_is_not_there_finds_nothing(self, source: TerminologySource) -> None:
        """Not there is an empty answer; a part of a label is not the label."""
        assert list(await source.lookup("flux capacitor", lang="en")) == []
        assert list(await source.lookup("power", lang="en")) == []

    async def test_a_hidden_label_finds_the_concept(self, source: TerminologySource) -> None:
        """A misspelling that the vocabulary foresees finds its concept."""
        if self.finds_hidden_labels:
            (match,) = await source.lookup("tranformer", lang="en")
            assert (match.concept.uri, match.role) == (TRANSFORMER.uri, "hiddenLabel")

    async def test_a_name_wins_over_a_hidden_label(self, source: TerminologySource) -> None:
        """'meter' is the name of one concept and a hidden label of another."""
        (match,) = await source.lookup("meter", lang="en")
        assert match.concept == METER

    async def test_a_deprecated_concept_says_so(self, source: TerminologySource) -> None:
        """'There, but deprecated' is not 'not there'."""
        if self.finds_deprecated_concepts:
            (match,) = await source.lookup("CIM dump", lang="en")
            assert match.concept == CIM_DUMP

    async def test_concepts_come_by_uri_in_the_order_asked(self, source: TerminologySource) -> None:
        """Unknown URIs are left out."""
        uris = [METER.uri, "https://vocab.vennet.example/grid/unknown", ASSET.uri]
        assert list(await source.concepts(uris)) == [METER, ASSET]

    async def test_every_concept_can_be_fetched(self, source: TerminologySource) -> None:
        """What the vocabulary says of each concept arrives as it was written."""
        assert tuple(await source.concepts([concept.uri for concept in CONCEPTS])) == CONCEPTS

    async def test_a_near_miss_is_suggested(self, source: TerminologySource) -> None:
        """A misspelt term leads on; each concept once, at most as many as asked for."""
        if self.suggests:
            near = await source.suggest("power transfomer", lang="en", limit=1)
            assert [concept.uri for concept in near] == [TRANSFORMER.uri]

    async def test_nothing_near_is_not_suggested(self, source: TerminologySource) -> None:
        """A made-up term gets no made-up advice, and a deprecated concept is none."""
        assert list(await source.suggest("FooBarBaz", lang="en")) == []
        assert CIM_DUMP not in await source.suggest("CIM dumps", lang="en")

    async def test_synonyms_of_the_terms_in_a_text(self, source: TerminologySource) -> None:
        """Each group is all names of one concept, the one in the text first."""
        if self.knows_synonyms:
            groups = await source.synonyms("Wat kost een trafo?", lang="nl")
            names = ["power transformer", "vermogenstransformator", "transformer"]
            assert [tuple(group) for group in groups] == [("trafo", *names)]

    async def test_a_text_without_terms_has_no_synonyms(self, source: TerminologySource) -> None:
        """Deprecated concepts lend no synonyms."""
        assert list(await source.synonyms("What about the CIM dump of today?", lang="en")) == []

    async def test_labels_are_those_at_hand(self, source: TerminologySource) -> None:
        """Every label of every concept, deprecated ones too; kept, and not made anew."""
        labels = await source.labels()
        wanted = {label for concept in CONCEPTS for label in Label.of(concept)}
        assert set(labels.all) == (wanted if self.knows_synonyms else set())
        assert bool(labels.version) is self.knows_synonyms
        assert await source.labels() == labels
        if self.knows_synonyms:
            assert await source.labels() is labels
