"""Which sentences are shown: what is measured of each, and in what order they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.small_world import COLLECTIONS, DECISION, document, inquiry, question, verdict

from elysia_guard.domain.document import DocumentKind, Hit, Passage, SectionRole
from elysia_guard.domain.draft import Draft
from elysia_guard.domain.evidence import Evidence
from elysia_guard.domain.question import Aspect
from elysia_guard.domain.refusal import Outcome
from elysia_guard.stages import answering, verification
from elysia_guard.stages.answering.measures import (
    NAMES,
    NEARNESS,
    Sought,
    fitted,
    measured,
    ranked,
    spread,
)
from elysia_guard.stages.answering.wanted import MAX_TOLD, Wanted

S = SectionRole
LONG_ONE = (
    "The gateway of a station is replaced when its certificate can no longer be renewed in it."
)
LONG_TWO = (
    "Whoever maintains a cable tells the control room before the work on it begins at the site."
)


def passages(*sections: tuple[SectionRole, str], number: int = 40) -> list[Passage]:
    return document(DECISION, number, "Stations", *sections)


def hits(found: Sequence[Passage], **values: object) -> list[Hit]:
    return [Hit(passage=item, score=1.0, **values) for item in found]  # type: ignore[arg-type]


def sought(text: str, found: Sequence[Hit], aspect: Aspect = Aspect.SUBSTANCE) -> Sought:
    return Wanted.of(text, question(text), Evidence(hits=tuple(found)), aspect)


def measures(text: str, *found: Hit, aspect: Aspect = Aspect.SUBSTANCE) -> list[dict[str, float]]:
    held = sought(text, found, aspect)
    return [
        dict(zip(NAMES, item.values, strict=True)) for hit in found for item in measured(hit, held)
    ]


def draft(text: str, found: Sequence[Hit]) -> Draft:
    judged = verdict(support=tuple(found))
    under_way = inquiry(text, evidence=Evidence(hits=tuple(found)), verdict=judged)
    return answering.draft(under_way, collection=_collection)


def mentions(text: str, found: Sequence[Hit]) -> list[str]:
    judged = verdict(Outcome.REFUSE, mentioned=tuple(found))
    under_way = inquiry(text, evidence=Evidence(hits=tuple(found)), verdict=judged)
    made = answering.mentions(under_way, collection=_collection)
    assert verification.verify(made).confidence in {0.0, 1.0}
    return [quote.text for block in made.blocks for quote in block.quotes]


def _collection(kind: DocumentKind | None) -> str:
    return COLLECTIONS[kind] if kind else "Vocabulary_Ollama"


PLAIN = Aspect.SUBSTANCE
PROS = "Pros:\n- Cheap.\n\nCons:\n- Long."
MEASURED = (
    # The share of the question that a sentence has itself, and with title and headings.
    ("stations cable", S.SUBSTANCE, "A cable ends. So be it.", PLAIN, "own", [0.5, 0.0]),
    ("stations cable", S.SUBSTANCE, "A cable ends. So be it.", PLAIN, "context", [1.0, 0.5]),
    # An item is read with the line that introduces its list.
    ("cons", S.OPTIONS, PROS, PLAIN, "context", [0.0, 0.0, 1.0, 1.0]),
    ("cable", S.CONSEQUENCES, LONG_TWO, Aspect.CONSEQUENCES, "aspect", [1.0]),
    ("How long do cables last?", S.SUBSTANCE, "It is seven years. Cables.", PLAIN, "holds", [1, 0]),
    ("How long do cables last?", S.SUBSTANCE, "It is seven years. Cables.", PLAIN, "lacks", [0, 1]),
    # A question that a document asks is no answer, and not measured.
    ("cables", S.SUBSTANCE, "Which cables? Cables are red.", PLAIN, "lacks", [0.0]),
)


class TestMeasures:
    @pytest.mark.parametrize(("asked", "role", "text", "aspect", "name", "told"), MEASURED)
    def test_a_sentence_is_measured(
        self, asked: str, role: SectionRole, text: str, aspect: Aspect, name: str, told: list[float]
    ) -> None:
        found = measures(asked, *hits(passages((role, text))), aspect=aspect)
        assert [item[name] for item in found] == told

    def test_the_nearest_sentence_is_told_from_its_neighbours(self) -> None:
        """By its own distance, in deviations; beside it a sentence knows how near it is."""
        (found,) = hits(
            passages((S.SUBSTANCE, f"{LONG_ONE} {LONG_TWO}")),
            distance=0.5,
            sentence_distance=0.2,
            sentence_distances=(0.2, 0.8),
        )
        first, second = measures("cable", found)
        assert first["nearness"] == pytest.approx(1.0)
        assert second["nearness"] == pytest.approx(-1.0)
        assert second["beside"] == pytest.approx(1.0)
        assert first["passage_nearness"] == second["passage_nearness"] == pytest.approx(1.0)

    @pytest.mark.parametrize("distances", [(), (0.1, 0.2, 0.3)], ids=["untold", "of another cut"])
    def test_where_sentences_are_not_told_apart_the_passage_stands_for_them(
        self, distances: tuple[float, ...]
    ) -> None:
        """An index that cannot say, or has cut them elsewhere, misleads nobody."""
        near, far = hits(passages((S.SUBSTANCE, f"{LONG_ONE} {LONG_TWO}"), (S.CONTEXT, LONG_ONE)))
        near = replace(near, distance=0.3, sentence_distances=distances)
        first, second, _ = measures("cable", near, replace(far, distance=0.9))
        assert first["nearness"] == second["nearness"]

    def test_without_a_vector_nothing_is_near(self) -> None:
        """All measures of nearness are 0, and the words' own weights hold."""
        found = hits(passages((S.SUBSTANCE, f"{LONG_ONE} {LONG_TWO}")))
        assert spread(found) is None
        assert all(item[name] == 0.0 for item in measures("cable", *found) for name in NEARNESS)


class TestRanking:
    def test_the_weights_name_measures(self) -> None:
        """Each weight has its measure, and without vectors nearness counts nothing."""
        assert {len(each) for each in fitted()} == {len(NAMES)}
        assert any(fitted().compared)
        assert all(fitted().words_alone[NAMES.index(name)] == 0.0 for name in NEARNESS)

    def test_the_nearer_of_two_that_share_the_same_words_comes_first(self) -> None:
        """Meaning decides where words cannot."""
        text = f"{LONG_TWO.replace('cable', 'gateway')} {LONG_ONE}"
        for near in (0, 1):
            distances = (0.2, 0.8) if near == 0 else (0.8, 0.2)
            found = hits(passages((S.SUBSTANCE, text)), distance=0.5, sentence_distances=distances)
            best = ranked(found, sought("gateway", found))[0]
            assert best.place == near

    def test_what_a_document_decides_comes_before_its_context(self) -> None:
        """Of two that say the same."""
        found = hits(passages((S.CONTEXT, LONG_TWO), (S.SUBSTANCE, LONG_TWO)))
        best = ranked(found, sought("cable", found))[0]
        assert best.hit.passage.role == S.SUBSTANCE


class TestShown:
    def test_a_document_is_not_all_that_is_told(self) -> None:
        """However much one says, the others that support the answer have a sentence each."""
        much = " ".join(f"A cable of kind {n} is a cable." for n in range(9))
        found = [
            *hits(passages((S.SUBSTANCE, much))),
            *hits(passages((S.SUBSTANCE, "One cable is laid in sand."), number=41)),
        ]
        made = draft("cable", found)
        counts = [len(block.quotes) for block in made.blocks]
        assert len(counts) == 2
        assert sum(counts) <= MAX_TOLD
        assert min(counts) >= 1

    def test_an_item_stands_under_what_introduces_it(self) -> None:
        """Where that is short, once for all items of the list."""
        items = ("- in sand, by a cable crew", "- one metre deep, as a cable")
        text = "\n".join(("The cable is laid as follows:", *items))
        made = draft("cable sand deep", hits(passages((S.SUBSTANCE, text))))
        assert [quote.text for quote in made.blocks[0].quotes] == [
            "The cable is laid as follows:",
            *items,
        ]

    def test_three_sentences_are_mentioned_wherever_they_stand(self) -> None:
        """The nearest ones: two may be of one document."""
        found = [
            *hits(
                passages((S.SUBSTANCE, "A red cable burns.\n\nA red cable melts.\n\nAir is cold."))
            ),
            *hits(passages((S.CONTEXT, "Somebody saw a cable.\n\nSomebody went home."), number=41)),
        ]
        shown = mentions("red cable", found)
        assert len(shown) == 3
        assert {"A red cable burns.", "A red cable melts."} <= set(shown)

    def test_what_shares_nothing_is_not_mentioned(self) -> None:
        """Where nothing was compared by meaning, a sentence shares a word at least."""
        found = hits(passages((S.SUBSTANCE, "A red cable burns.\n\nAir is cold.")))
        assert mentions("cable", found) == ["A red cable burns."]
        assert mentions("hydrogen", found) == []
        assert mentions("is it", found) == []
