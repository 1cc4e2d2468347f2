"""A second embedder: its ranking beside the others, what an index keeps of it, what it may cost."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from tests.unit.model_server import LoopbackModels
from tests.unit.served_world import QUESTION, ServedWorld, write_world

from elysia_guard import config
from elysia_guard.adapters.centred import Centred
from elysia_guard.adapters.index_store import ModelSpace, space_of
from elysia_guard.adapters.ingest import Beside, IngestReport, ingest
from elysia_guard.adapters.sqlite_index import SqliteIndex, writing
from elysia_guard.adapters.sqlite_index.store import SqliteStore
from elysia_guard.domain.document import DocumentKind, Filters, Hit, Passage
from elysia_guard.domain.errors import ConfigError, PassageIndexError
from elysia_guard.domain.question import Question
from elysia_guard.domain.reading import Search
from elysia_guard.domain.response import RAGResponse
from elysia_guard.guard import Guard
from elysia_guard.ports import Embedder, SecondVector, Vector
from elysia_guard.running import run_anywhere
from elysia_guard.stages import retrieval
from elysia_guard.stages.retrieval import Models
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder
from elysia_guard.testing.index_contract import sample_passages

FIRST_ALONE = ("first_embedder_only",)
LENGTH = 8


class Pointing:
    """A second model that sees one thing alone: whether a text holds a word."""

    model_id = "pointing@1"
    dimension = LENGTH

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [self._vector(self.word in text.lower()) for text in texts]

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        self.asked.append(text)
        return self._vector(True)

    @staticmethod
    def _vector(points: bool) -> Vector:
        return np.eye(LENGTH)[0 if points else 1].tolist()


def build(path: Path, passages: Sequence[Passage], second: Embedder | None) -> Path:
    first = HashEmbedder()
    space = space_of(second)
    with writing(path, model_id="hash@1", dimension=64, second=space) as writer:
        for document, group in groupby(passages, key=lambda passage: passage.document):
            held = list(group)
            texts = [passage.text for passage in held]
            writer.put(
                document,
                held,
                asyncio.run(first.embed(texts)),
                second=[(each,) for each in asyncio.run(second.embed(texts))] if second else (),
            )
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return build(tmp_path / "index.sqlite", sample_passages(), Pointing("hydrants"))


def search(path: Path, query: str, second: SecondVector | None) -> list[Hit]:
    vector = asyncio.run(HashEmbedder().embed([query]))[0]
    with closing(SqliteIndex.open(path)) as index:
        work = index.search(query, vector, filters=Filters(), limit=9, second=second)
        return list(asyncio.run(work))


def second(dimension: int = LENGTH) -> SecondVector:
    return SecondVector(vector=np.eye(dimension)[0].tolist(), lang="en")


class TestSearch:
    QUERY = "Which domain language do we use?"

    def test_what_only_the_second_finds_is_among_the_best(self, path: Path) -> None:
        """With distances that are those of the first, as the gates want them."""
        crowd = [
            replace(passage, id=f"{document.id}#000", document=document, text=f"{self.QUERY} {n}.")
            for passage in sample_passages()[:1]
            for n in range(100, 110)
            for document in [replace(passage.document, id=f"ADR-{n:04d}", number=n)]
        ]
        build(path, crowd, Pointing("hydrants"))
        alone = {hit.passage.document.id for hit in search(path, self.QUERY, None)}
        both = search(path, self.QUERY, second())
        found = next(hit for hit in both if "hydrants" in hit.passage.text.lower())
        assert found.passage.document.id not in alone
        asked, held = asyncio.run(HashEmbedder().embed([self.QUERY, found.passage.text]))
        assert found.distance == pytest.approx(1.0 - float(np.dot(asked, held)), abs=1e-4)

    def test_without_its_vector_the_first_ranks_as_it_does_alone(
        self, path: Path, tmp_path: Path
    ) -> None:
        """In an index of two models as in an index of one."""
        other = build(tmp_path / "one.sqlite", sample_passages(), None)
        assert search(path, self.QUERY, None) == search(other, self.QUERY, None)

    def test_words_alone_ask_for_no_second(self, path: Path) -> None:
        """A second model ranks beside a first, never in its place."""
        with closing(SqliteIndex.open(path)) as index:
            query = "domain language"
            alone = asyncio.run(index.search(query, None, filters=Filters()))
            both = asyncio.run(index.search(query, None, filters=Filters(), second=second()))
        assert list(alone) == list(both)

    def test_a_vector_of_another_length_is_an_error(self, path: Path) -> None:
        """It is of another model."""
        with pytest.raises(PassageIndexError, match="embed with pointing@1"):
            search(path, self.QUERY, second(LENGTH + 1))

    def test_an_index_of_one_model_takes_no_second_vector(self, tmp_path: Path) -> None:
        """An error, not a search without it."""
        one = build(tmp_path / "one.sqlite", sample_passages(), None)
        with pytest.raises(PassageIndexError, match="built without a second model"):
            search(one, self.QUERY, second())
        fake = asyncio.run(FakeIndex.build(sample_passages(), HashEmbedder()))
        with pytest.raises(PassageIndexError, match="one model alone"):
            asyncio.run(fake.search("x", None, filters=Filters(), second=second()))


class TestSentences:
    """A second model tells the sentences of a passage apart too."""

    TEXT = (
        "Every pipe of the old network is drained before the first night of frost in winter. "
        "All hydrants along the new road are painted red again in the spring of every year."
    )

    def found(self, tmp_path: Path, asked: SecondVector | None) -> Hit:
        folder, index = tmp_path / "kb", tmp_path / "index.sqlite"
        folder.mkdir()
        for number, said in ((1, self.TEXT), (2, "Lamps are green.")):
            text = f"---\nidentifier: ADR-000{number}\n---\n# Water\n\n{said}\n"
            (folder / f"000{number}-a.md").write_text(text, encoding="utf-8")
        beside = Beside(second=Pointing("hydrants"))
        asyncio.run(ingest([folder], index, HashEmbedder(), beside=beside))
        return next(hit for hit in search(index, "water", asked) if hit.passage.text == self.TEXT)

    def test_each_has_its_own_distance(self, tmp_path: Path) -> None:
        pipes, hydrants = self.found(tmp_path, second()).second_distances
        assert hydrants < pipes

    def test_without_its_vector_nothing_is_told_of_it(self, tmp_path: Path) -> None:
        hit = self.found(tmp_path, None)
        assert (hit.second_distance, hit.second_distances) == (None, ())

    def test_what_they_share_in_a_language_counts_for_nothing(self) -> None:
        """And how long a vector is, which packing does not keep."""
        shared = np.eye(4)[0] * 9
        texts = np.array([shared + np.eye(4)[1], shared + np.eye(4)[2]], dtype=np.float32)
        texts /= np.linalg.norm(texts, axis=1, keepdims=True)
        known = Centred(np.repeat(texts, 50, axis=0), ["nl"] * 100)
        near, far = known.distances_of(texts * 40, "nl", texts[0].tolist(), "nl")
        assert (near, far) == (pytest.approx(0.0, abs=1e-4), pytest.approx(2.0, abs=1e-4))


class TestFile:
    def test_an_index_without_the_second_model_is_refused(self, tmp_path: Path) -> None:
        """With both ways out; so is one that was built with another."""
        space = ModelSpace(model_id="pointing@1", dimension=LENGTH)
        one = build(tmp_path / "one.sqlite", sample_passages(), None)
        with pytest.raises(PassageIndexError, match=r"no second model, not with pointing@1; run"):
            SqliteIndex.open(one, second=space)
        other = build(tmp_path / "two.sqlite", sample_passages(), Pointing("x"))
        with pytest.raises(PassageIndexError, match="take 'second_embedder' out"):
            SqliteIndex.open(other, second=ModelSpace(model_id="pointing@2", dimension=LENGTH))
        SqliteIndex.open(other, second=space).close()

    def test_without_a_second_model_its_vectors_are_left_alone(self, path: Path) -> None:
        """Whoever switches it off need not ingest again to go on."""
        SqliteIndex.open(path, model_id="hash@1", dimension=64).close()

    def test_a_vector_of_the_wrong_length_is_not_stored(self, path: Path) -> None:
        """Nor is a document without one, where the index holds them."""
        passages = sample_passages()[:1]
        space = ModelSpace(model_id="pointing@1", dimension=LENGTH)
        vector = [[1.0] + [0.0] * 63]
        right = [0.0] * LENGTH
        for others in ([[[1.0]]], [[right, [1.0]]], ()):
            with (
                pytest.raises(PassageIndexError, match=f"not {LENGTH}"),
                writing(path, model_id="hash@1", dimension=64, second=space) as writer,
            ):
                writer.put(passages[0].document, passages, vector, second=others)

    def test_a_lost_vector_is_damage(self, path: Path) -> None:
        """The next ingest writes the document anew."""
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE passages SET second = x'' WHERE id LIKE 'DOC-0000%'")
        assert asyncio.run(SqliteStore(path).damage()).documents == {"DOC-0000"}


class TestIngest:
    def run(self, folder: Path, index: Path, model: Embedder | None) -> IngestReport:
        return asyncio.run(ingest([folder], index, HashEmbedder(), beside=Beside(second=model)))

    def test_switching_it_on_embeds_everything_anew(self, tmp_path: Path) -> None:
        """And says why; after that nothing is embedded twice."""
        folder, index = self.folder(tmp_path), tmp_path / "index.sqlite"
        assert self.run(folder, index, None).rebuilt == ""
        report = self.run(folder, index, Pointing("hydrants"))
        assert report.rebuilt == "the second model was none, and is pointing@1"
        assert self.run(folder, index, Pointing("hydrants")).unchanged == ("ADR-0001",)
        SqliteIndex.open(index, second=space_of(Pointing(""))).close()

    def test_switching_it_off_does_no_harm(self, tmp_path: Path) -> None:
        """Its vectors stay until a document changes; then the index is of one model, and whole."""
        folder, index = self.folder(tmp_path), tmp_path / "index.sqlite"
        self.run(folder, index, Pointing("hydrants"))
        assert self.run(folder, index, None).unchanged == ("ADR-0001",)
        SqliteIndex.open(index, second=space_of(Pointing(""))).close()
        (folder / "0002-b.md").write_text("---\nidentifier: ADR-0002\n---\n# B\n\nPipes.\n")
        assert self.run(folder, index, None).added == ("ADR-0002",)
        with closing(SqliteIndex.open(index, model_id="hash@1", dimension=64)) as held:
            assert asyncio.run(held.info()).documents == 2
        with pytest.raises(PassageIndexError, match="no second model"):
            SqliteIndex.open(index, second=space_of(Pointing("")))

    @staticmethod
    def folder(root: Path) -> Path:
        folder = root / "decisions"
        folder.mkdir()
        (folder / "0001-a.md").write_text("---\nidentifier: ADR-0001\n---\n# A\n\nHydrants.\n")
        return folder


class TestCentred:
    def vectors(self) -> tuple[np.ndarray, list[str]]:
        """Eighty passages a language: the language weighs more than the matter does."""
        matters = np.random.default_rng(1).normal(size=(80, 96))
        middles = {"en": np.full(96, 2.0), "nl": np.full(96, -2.0)}
        made = [matters[n] + middles[lang] for lang in middles for n in range(80)]
        unit = np.array(made) / np.linalg.norm(made, axis=1, keepdims=True)
        return unit.astype(np.float32), [lang for lang in middles for _ in range(80)]

    def test_the_matter_counts_and_not_the_language(self) -> None:
        """The two passages of a matter are nearest, whichever language asks."""
        vectors, langs = self.vectors()
        centred = Centred(vectors, langs)
        for row in (3, 87):
            near = np.argsort(centred.distances(vectors[row], langs[row]))[:2]
            assert set(near.tolist()) == {row % 80, row % 80 + 80}
        plain = np.argsort(-(vectors @ vectors[3]))[:2]
        assert 83 not in plain

    def test_a_language_of_no_passage_has_the_middle_of_all(self) -> None:
        """Distances stay from 0 to 2."""
        vectors, langs = self.vectors()
        distances = Centred(vectors, langs).distances(vectors[0], "fr")
        assert distances.argmin() == 0
        assert distances.min() >= 0
        assert distances.max() <= 2

    def test_one_passage_or_none(self) -> None:
        """What is its own middle is neither near nor far."""
        one = np.eye(4, dtype=np.float32)[:1]
        assert Centred(one, ["en"]).distances(one[0], "en").shape == (1,)
        assert Centred(one[:0], []).distances(one[0], "en").shape == (0,)


class TestRetrieval:
    async def search(self, path: Path, first: HashEmbedder, other: HashEmbedder | Pointing):
        asked = Question(text="domain language", lang="en", request_id="x")
        with closing(SqliteIndex.open(path)) as index:
            models = Models(first=first, second=other)
            return await retrieval.search(index, models, asked, Search(topic=asked.text), ())

    async def test_both_models_are_asked(self, path: Path) -> None:
        """What the second finds is there, and no fallback is in force."""
        evidence = await self.search(path, HashEmbedder(), Pointing("hydrants"))
        assert any("hydrants" in hit.passage.text.lower() for hit in evidence.hits)
        assert evidence.fallbacks == ()

    async def test_while_the_second_is_away_the_first_ranks_alone(self, path: Path) -> None:
        """As without a second, and told."""
        down = HashEmbedder()
        down.down = True
        evidence = await self.search(path, HashEmbedder(), down)
        assert evidence.fallbacks == FIRST_ALONE
        assert evidence.missing == ()
        assert all(hit.distance is not None for hit in evidence.hits)

    async def test_while_the_first_is_away_words_rank_alone(self, path: Path) -> None:
        """No likeness but the first's is calibrated."""
        down = HashEmbedder()
        down.down = True
        evidence = await self.search(path, down, Pointing("hydrants"))
        assert evidence.fallbacks == ("bm25_only",)
        assert all(hit.distance is None for hit in evidence.hits)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ServedWorld]:
    with LoopbackModels() as models:
        made = ServedWorld(tmp_path, models)
        yield made
        made.wiring.close()


def with_second(world: ServedWorld, model: Embedder) -> Guard:
    """The world, its index filled again with a second model."""
    world.wiring.__dict__["second_embedder"] = model
    run_anywhere(world.wiring.fill_index())
    return Guard(wiring=world.wiring)


class TestReply:
    async def test_a_second_model_that_is_away_is_told(self, world: ServedWorld) -> None:
        """The confidence is the first model's, and stays what it was."""
        model = HashEmbedder(model_id="other@1", dimension=32)
        guard = with_second(world, model)
        before = await guard.aask(QUESTION)
        assert before.retrieval_quality.fallback_reasons == ()
        model.down = True
        reply = await guard.aask(QUESTION)
        assert self.told(reply) == FIRST_ALONE
        assert reply.retrieval_quality.confidence_score == before.retrieval_quality.confidence_score
        assert reply.answer == before.answer

    @staticmethod
    def told(reply: RAGResponse) -> tuple[str, ...]:
        assert not reply.retrieval_quality.degraded
        assert reply.transparency.show_to_user
        assert "simplified search" in str(reply.transparency.statement)
        return reply.retrieval_quality.fallback_reasons


class TestConfiguration:
    def load(self, tmp_path: Path, **environ: str) -> config.Config:
        with LoopbackModels() as models:
            file = write_world(tmp_path, models)
        names = {f"ELYSIA_GUARD_{key}": value for key, value in environ.items()}
        return config.load(file, environ=names)

    def test_it_is_off_by_default(self, tmp_path: Path) -> None:
        """Installed or not."""
        assert self.load(tmp_path).second_embedder is None

    def test_a_weaviate_cannot_hold_its_vectors(self, tmp_path: Path) -> None:
        """An error at the start that says so."""
        with pytest.raises(ConfigError, match=r"'second_embedder' needs index\.kind 'sqlite'"):
            self.load(
                tmp_path,
                SECOND_EMBEDDER__KIND="e5",
                INDEX__KIND="weaviate",
                INDEX__WEAVIATE__URL="http://127.0.0.1:8080",
            )

    def test_the_deadline_is_configurable(self, tmp_path: Path) -> None:
        """In milliseconds."""
        made = self.load(tmp_path, SECOND_EMBEDDER__TIMEOUT_MS="80")
        assert made.second_embedder is not None
        assert made.second_embedder.timeout_ms == 80
