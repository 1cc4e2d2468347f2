"""Words of like meaning, by the bundled model, and the file in which they are kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.ingest import Beside, ingest
from elysia_guard.adapters.word_likeness import WordFile, WordVectors
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.language.coverage import query_terms
from elysia_guard.ports import Vector
from elysia_guard.testing.fake_index import HashEmbedder


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


MODEL = "toy@1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite.words"


def learnt(path: Path, words: Sequence[str] = ("broker", "topic")) -> WordFile:
    file = WordFile(path, model_id=MODEL)
    file.add({word: word.encode() for word in words})
    return file


def test_what_was_learnt_is_read_again(path: Path) -> None:
    """Also by another who opens it; a word is kept once."""
    file = learnt(path)
    file.add({"broker": b"other", "queue": b"queue"})
    again = WordFile(path, model_id=MODEL)
    assert again.read(["broker", "queue", "unknown"]) == {"broker": b"broker", "queue": b"queue"}
    assert again.missing(["queue", "unknown", "unknown"]) == ["unknown"]
    assert len(again.first(2)) == 2
    assert not again.is_new
    again.close()
    assert again.read(["topic"]) == {"topic": b"topic"}


def test_a_file_that_is_not_there_holds_nothing(path: Path) -> None:
    """And reading does not make one."""
    file = WordFile(path, model_id=MODEL)
    assert (file.read(["broker"]), file.first(3)) == ({}, {})
    assert file.missing(["broker", "broker"]) == ["broker"]
    assert file.is_new
    assert not path.exists()


def test_vectors_of_another_model_are_not_read_and_go(path: Path) -> None:
    """They mean something else."""
    learnt(path)
    other = WordFile(path, model_id="toy@2")
    assert other.is_new
    assert other.read(["broker"]) == {}
    other.add({"queue": b"queue"})
    assert WordFile(path, model_id=MODEL).is_new
    assert other.first(9) == {"queue": b"queue"}


@pytest.mark.parametrize("damage", [b"no database at all" * 100, b""])
def test_a_damaged_file_holds_nothing(path: Path, damage: bytes) -> None:
    """The words are then embedded as they are met; writing says that it cannot be written."""
    path.write_bytes(damage)
    file = WordFile(path, model_id=MODEL)
    assert file.is_new
    assert file.read(["broker"]) == {}
    if damage:
        with pytest.raises(OSError, match=r"index\.sqlite\.words cannot be written"):
            file.add({"broker": b"broker"})


async def test_learnt_words_are_not_embedded_again(path: Path) -> None:
    """And are as alike as those that were not learnt."""
    model = Counted()
    file = WordFile(path, model_id=model.model_id)
    alone = await WordVectors(model)(["broker"], ["topic", "queue"])
    model.asked.clear()
    await WordVectors(model, file=file).learn(["broker", "topic", "broker"])
    assert model.asked == ["broker", "topic"]
    again = WordVectors(model, file=file)
    assert again.has_learnt
    assert await again(["broker"], ["topic", "queue"]) == alone
    assert model.asked == ["broker", "topic", "queue"]


class TestIngest:
    async def test_an_ingest_learns_the_words_of_what_changed(self, tmp_path: Path) -> None:
        """Of everything, if none were learnt before."""
        folder = tmp_path / "docs"
        folder.mkdir()
        (folder / "one.md").write_text("# Brokers\n\nTopics are kept for a week.\n")
        model = Counted()
        file = WordFile(tmp_path / "words", model_id=model.model_id)
        beside = Beside(words=WordVectors(model, file=file))
        index = tmp_path / "index.sqlite"
        await ingest([folder], index, HashEmbedder())
        await ingest([folder], index, HashEmbedder(), beside=beside)
        assert not file.missing(["brokers", "topics", "kept", "week"])
        model.asked.clear()
        (folder / "two.md").write_text("# Queues\n\nTopics are read in order.\n")
        await ingest([folder], index, HashEmbedder(), beside=beside, dry_run=True)
        assert model.asked == []
        await ingest([folder], index, HashEmbedder(), beside=beside)
        assert set(model.asked) == {"queues", "read", "order"}

    async def test_words_that_cannot_be_kept_are_no_failure(self, tmp_path: Path) -> None:
        """The index is complete all the same."""
        folder = tmp_path / "docs"
        folder.mkdir()
        (folder / "one.md").write_text("# Brokers\n\nTopics are kept for a week.\n")
        model = Counted()
        file = WordFile(tmp_path / "missing" / "words", model_id=model.model_id)
        words = WordVectors(model, file=file)
        report = await ingest(
            [folder], tmp_path / "index.sqlite", HashEmbedder(), beside=Beside(words=words)
        )
        assert report.documents == 1
