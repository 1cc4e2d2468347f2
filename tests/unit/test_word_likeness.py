"""Words of like meaning, by the bundled model."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.word_likeness import WordVectors
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.language.coverage import query_terms
from elysia_guard.ports import Vector, by_form_alone


class Counted(BundledEmbedder):
    """The bundled model, which tells what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.asked += texts
        return await super().embed(texts)


@pytest.fixture(scope="module")
def alike() -> WordVectors:
    return WordVectors(BundledEmbedder())


@pytest.mark.parametrize(
    ("word", "same", "other"),
    [
        ("invoice", "factuur", "hydrogen"),
        ("Datenbank", "database", "customer"),
        ("laptop", "computers", "invoice"),
        ("verlopen", "expired", "station"),
    ],
)
async def test_a_word_is_nearer_to_one_of_its_meaning(
    alike: WordVectors, word: str, same: str, other: str
) -> None:
    """Also across languages; an unrelated word is not named at all."""
    found = await alike([word], [same, other])
    assert found[word].get(other, 0.0) < 0.2 < found[word][same] <= 1.0


async def test_nothing_is_like_nothing(alike: WordVectors) -> None:
    """A question without content words, or no passages, needs no model."""
    assert await alike([], ["broker"]) == {}
    assert await alike(["broker"], []) == {}
    assert await by_form_alone(["broker"], ["broker"]) == {}


async def test_a_word_is_embedded_once() -> None:
    """What was seen before is remembered, also when a word is named twice."""
    model = Counted()
    alike = WordVectors(model)
    first = await alike(["broker"], ["topic", "queue", "topic"])
    assert model.asked == ["broker", "topic", "queue"]
    assert await alike(["broker"], ["topic", "queue", "topic"]) == first
    assert model.asked == ["broker", "topic", "queue"]


async def test_only_so_many_words_are_remembered() -> None:
    """Beyond the limit the memory begins anew, with the words that are asked about."""
    model = Counted()
    alike = WordVectors(model, remembered=2)
    first = await alike(["broker"], ["topic"])
    await alike(["queue"], ["topic"])
    assert model.asked == ["broker", "topic", "queue"]
    assert await alike(["broker"], ["topic"]) == first
    assert model.asked == ["broker", "topic", "queue", "broker"]


def _passage(text: str, lang: str = "en") -> Passage:
    document = Document(
        id="POL-0001",
        kind=DocumentKind.POLICY,
        title="Retention of records",
        path="a.md",
        sha256="",
        lang=lang,
    )
    return Passage(id="a#0", document=document, section="Periods", text=text, position=0)


async def test_the_best_sentence_covers_with_words_of_like_meaning(alike: WordVectors) -> None:
    """Words of one sentence count together; words that lie in two sentences do not."""
    near = _passage("Invoices are kept for seven years. Ladders are checked.")
    far = _passage("Invoices are sent by post. Ladders are kept for seven years.")
    likeness = await alike(["facturen", "bewaren"], ["invoices", "kept", "sent", "post", "ladders"])
    terms = query_terms("facturen bewaren", "nl", likeness=likeness)
    assert set(terms.words) == {"facturen", "bewaren"}
    assert terms.coverage_by(near) > terms.coverage_by(far) > 0.0
    unlike = query_terms("facturen bewaren", "nl")
    assert unlike.coverage_by(near) == 0.0
