"""Judges, asked whether passages answer: a rerank server, an ONNX model.

A rerank server is any with a ``/rerank``: Cohere, Jina, vLLM, Infinity, and Text Embeddings
Inference. No message of theirs holds what a model or its server wrote.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from elysia_guard.adapters.http import ModelServerWire, renamed
from elysia_guard.adapters.models import Remembered
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import SourceTimeoutError, SourceUnavailableError
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import Lang
from elysia_guard.ports import Judge
from elysia_guard.resilience.breaker import SourceIsWell

SOURCE = "judge"
NAME = "the judge's rerank server"
PATH = "/rerank"
MAX_BYTES = 1_000_000
MAX_CHARS = 4_000
MOST = 1e9
"""Beyond it no score is one."""
Form = Literal["documents", "texts"]
"""What the passages are called: ``texts`` by Text Embeddings Inference, ``documents`` elsewhere."""
Scores = Literal["probability", "logit"]


class JudgeError(SourceUnavailableError):
    """A judge could not be asked, or said nothing of use."""

    def __init__(self, message: str) -> None:
        super().__init__(message, source=SOURCE)


class NoJudgementError(JudgeError, SourceIsWell):
    """The judge is well, but nothing came of this call: it turned it down, or wrote nonsense."""


def late(seconds: float) -> SourceTimeoutError:
    """Make the error for a judge that takes too long."""
    return SourceTimeoutError(f"the judge did not answer within {seconds:g} s", source=SOURCE)


of_judge = partial(renamed, NoJudgementError, JudgeError)
"""Turns errors of the wire to a model server into those of a judge."""


class CachedJudge:
    """Asks a judge once about the same question and the same passages; threads may share it.

    A passage is the same while its id and its text are. What failed is not kept.

    Args:
        judge: is asked what is not known.
        at_most: callings that are remembered, the last used ones.
    """

    def __init__(self, judge: Judge, *, at_most: int = 1_000) -> None:
        self._judge = judge
        self._said: Remembered[Sequence[Judgement]] = Remembered(at_most)

    @property
    def model_id(self) -> str:
        return self._judge.model_id

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Sequence[Judgement]:
        """Return what was said before, or else what the judge says now."""
        shown = [(item.id, item.in_context) for item in passages]
        asked = (self.model_id, lang, question, shown)
        return await self._said.once(asked, lambda: self._judge(question, passages, lang=lang))


class RerankJudge:
    """Takes the score of a passage as the chance that it answers; it denies nothing.

    Belongs to the event loop in which it is first used.

    Args:
        url: the server's address, with or without ``/rerank``.
        model: its name there; may be empty where the server has one.
        api_key: where the server wants one.
        form: how the server is spoken to.
        scores: what its scores are.
        max_chars: of each passage, so much is sent.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        *,
        api_key: str = "",
        form: Form = "documents",
        scores: Scores = "probability",
        max_chars: int = MAX_CHARS,
    ) -> None:
        self._model = model
        self._form = form
        self._scores = scores
        self._max_chars = max_chars
        address = url.rstrip("/").removesuffix(PATH)
        self._wire = ModelServerWire(address, name=NAME, api_key=api_key, section="judge")

    @property
    def model_id(self) -> str:
        """The model, and what is taken of its scores."""
        return f"{self._model or 'default'}@rerank+{self._scores}"

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Sequence[Judgement]:
        """Ask the server; see ``ports.Judge``."""
        texts = [item.in_context[: self._max_chars] for item in passages]
        with of_judge():
            answer = await self._wire.post(PATH, self._body(question, texts), max_bytes=MAX_BYTES)
        return [Judgement(chance=self._chance(n)) for n in _scores(answer, len(texts))]

    def _body(self, question: str, texts: Sequence[str]) -> dict[str, object]:
        named = {"model": self._model} if self._model else {}
        if self._form == "texts":
            raw = self._scores == "logit"
            return {**named, "query": question, "texts": list(texts), "raw_scores": raw}
        return {
            **named,
            "query": question,
            "documents": list(texts),
            "top_n": len(texts),
            "return_documents": False,
        }

    def _chance(self, score: float) -> float:
        if self._scores == "logit":
            return 1.0 / (1.0 + math.exp(-max(-60.0, min(score, 60.0))))
        if not 0.0 <= score <= 1.0:
            raise NoJudgementError(
                f"{NAME} sent a score that is no probability; set judge.scores: logit"
            )
        return score

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()


def _scores(answer: object, count: int) -> list[float]:
    """Return the score of each text, in their order, however the server orders them."""
    rows = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
    if not isinstance(rows, list) or len(rows) != count:
        raise NoJudgementError(f"{NAME} did not send one score for each passage")
    found = dict(map(_row, rows))
    if set(found) != set(range(count)):
        raise NoJudgementError(f"{NAME} did not send one score for each passage")
    return [found[n] for n in range(count)]


def _row(row: Any) -> tuple[int, float]:
    match row:
        case {"index": int(at), "relevance_score": int() | float() as score}:
            pass
        case {"index": int(at), "score": int() | float() as score}:
            pass
        case _:
            raise NoJudgementError(f"{NAME} sent a score of another form")
    # A whole number may be larger than any float.
    if isinstance(score, bool) or not abs(score) < MOST:
        raise NoJudgementError(f"{NAME} sent a score that is no number")
    return at, float(score)
