"""What the words of a document say of whether it answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

import pytest
from scripts.lab.fit_calibration import from_register

from elysia_guard.domain.calibration import Signals
from elysia_guard.domain.document import Document, DocumentKind, Hit, Passage, SectionRole
from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Lang
from elysia_guard.language.coverage import asked_of, query_terms
from elysia_guard.stages.gates.signals import signals


def hit(text: str, *, lang: str = "en", role: str = "", title: str = "Meters") -> Hit:
    document = Document(
        id=title, kind=DocumentKind.DECISION, title=title, path="a.md", sha256="", lang=lang
    )
    passage = Passage(id=title, document=document, section="", text=text, position=0, role=role)
    return Hit(passage=passage, score=1.0)


def measured(question: str, *hits: Hit, lang: Lang = "en") -> Signals:
    return signals(query_terms(question, lang), hits, question)[hits[0].passage.document.id]


class TestHeld:
    @pytest.mark.parametrize(
        ("question", "text", "lang", "held"),
        [
            ("How many gateways are there?", "There are 140 gas gateways.", "en", True),
            ("How many gateways are there?", "Gateways were bought in 2019.", "en", False),
            ("Hoeveel gateways zijn er?", "Er zijn circa twaalf oude gateways.", "nl", True),
            ("Wie viele Anbieter gibt es?", "Anbieter melden sich 2 Tage vorher.", "de", False),
            ("Combien de compteurs y a-t-il ?", "Il y a 300 compteurs.", "fr", True),
            ("How long are readings kept?", "Readings are kept for seven years.", "en", True),
            ("How long are readings kept?", "Readings are kept in the archive.", "en", False),
            ("Why are readings kept?", "Readings are kept because the law asks it.", "en", True),
            ("Why are readings kept?", "Readings are kept in the archive.", "en", False),
            ("Who keeps readings?", "Readings are kept in the archive.", "en", True),
        ],
    )
    def test_what_is_asked_for_stands_in_the_sentences(
        self, question: str, text: str, lang: Lang, *, held: bool
    ) -> None:
        """A number of the very things counted, a period, a cause; nothing where any answers."""
        assert measured(question, hit(text, lang=lang), lang=lang).held == float(held)

    def test_a_part_that_gives_reasons_needs_no_word_for_them(self) -> None:
        said = hit("Readings are kept in the archive.", role=SectionRole.RATIONALE)
        assert measured("Why are readings kept?", said).held == 1.0


class TestCovered:
    def test_a_document_is_all_that_was_found_of_it(self) -> None:
        """Its best sentence covers less than its passages together."""
        found = measured("encrypted meter backups", hit("Meters are read. Backups are encrypted."))
        assert found.document == pytest.approx(1.0)
        assert found.sentence == pytest.approx(2 / 3)

    def test_numbers_and_identifiers_agree(self) -> None:
        text = "The gateway lets 600 requests through, by OAuth."
        assert measured("Why 600 and not 1,000 requests?", hit(text)).figures == 0.5
        assert measured("Does OAuth or mTLS apply?", hit(text)).names == 0.5
        plain = measured("Which requests apply?", hit(text))
        assert (plain.figures, plain.names) == (1.0, 1.0)


class TestAsked:
    """What a question asks is worked out once for all who ask it of the same evidence."""

    def test_evidence_that_knows_other_words_gives_others(self) -> None:
        """Though it was found for the same words."""
        one = Evidence(likeness={"meter": {"gauge": 0.6}}, rarity={"meter": 0.5})
        other = Evidence(likeness={"meter": {"gauge": 0.2}}, rarity={"meter": 0.5})
        found = [
            asked_of(each, "the meter", "en").coverage("a gauge", "en") for each in (one, other)
        ]
        assert found == [pytest.approx(0.6), pytest.approx(0.2)]

    def test_without_weights_every_word_counts_the_same(self) -> None:
        evidence = Evidence(rarity={"meter": 0.5, "box": 1.0})
        weighed = asked_of(evidence, "meter box", "en").weights
        alike = asked_of(evidence, "meter box", "en", weighted=False).weights
        assert (weighed, alike) == ((0.5, 1.0), (1.0, 1.0))


class TestRegister:
    ROW: ClassVar = {
        "id": "1",
        "corpus": "x",
        "query": "q",
        "documents": ["d/a.md"],
        "near_miss": False,
    }

    def read(self, path: Path, *rows: object) -> tuple[tuple[str, frozenset[str]], ...]:
        path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        found = from_register(path, {"a.md": "DOC-1"}, corpus="x")
        return tuple((item.id, item.expected) for item in found.asked)

    def test_documents_are_named_by_their_paths(self, tmp_path: Path) -> None:
        other = {**self.ROW, "id": "2", "corpus": "y"}
        near = {**self.ROW, "id": "3", "near_miss": True}
        assert self.read(tmp_path / "q.jsonl", self.ROW, other, near) == (
            ("1", frozenset({"DOC-1"})),
            ("3", frozenset()),
        )

    def test_what_is_no_question_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(GuardError, match="query"):
            self.read(tmp_path / "q.jsonl", {"id": "1", "corpus": "x"})
