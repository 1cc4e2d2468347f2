"""What the sets of questions are about and who answers them: corpora, and the direct route."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from elysia_guard import Guard, RAGResponse
from elysia_guard.pipeline import Pipeline
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ROOT / "data" / "evaluation"
GOLDEN = QUESTIONS / "golden_queries.jsonl"
VOCABULARY = ROOT / "data" / "vocabulary" / "vennet.ttl"
"""Of both: without it, terms would not be known over another corpus."""
Asked = TypeVar("Asked")


class Corpus(NamedTuple):
    """Documents, and the vocabulary that is asked beside them."""

    documents: Path
    vocabulary: Path


CORPORA: Mapping[str, Corpus] = {
    "demo": Corpus(ROOT / "data" / "knowledge", VOCABULARY),
    "esa": Corpus(ROOT.parent / "shared" / "corpus" / "esa", VOCABULARY),
}


class Direct:
    """The direct route over some parts, asked like the tree."""

    def __init__(self, wiring: Wiring) -> None:
        self._guard = Guard(wiring=wiring)

    async def ask(self, query: str, /, *, request_id: str | None) -> RAGResponse:
        """Answer one question without Elysia."""
        return await self._guard.aask(query, request_id=request_id)


def corpus_option(text: str) -> tuple[str, Corpus]:
    """Read ``NAME=FOLDER,VOCABULARY`` from the command line.

    Raises:
        ArgumentTypeError: it is not of that form.
    """
    name, _, places = text.partition("=")
    documents, _, vocabulary = places.partition(",")
    if not (name and documents and vocabulary):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FOLDER,VOCABULARY")
    return name, Corpus(Path(documents), Path(vocabulary))


async def over_each(
    asked: Collection[Asked], corpus_of: Callable[[Asked], str], corpora: Mapping[str, Corpus]
) -> AsyncIterator[tuple[Pipeline, Sequence[Asked]]]:
    """Yield a pipeline over each corpus, with what is asked of it; say what has no documents."""
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted({corpus_of(item) for item in asked}):
            own = [item for item in asked if corpus_of(item) == name]
            corpus = corpora.get(name)
            if corpus is None or not corpus.documents.is_dir():
                print(f"{name}: {len(own)} not asked, no documents", file=sys.stderr)
                continue
            wiring = Wiring.load(
                index=Path(folder) / f"{name}.sqlite", vocabulary=corpus.vocabulary
            )
            try:
                await wiring.fill_index([corpus.documents])
                yield wiring.pipeline, own
            finally:
                wiring.close()
