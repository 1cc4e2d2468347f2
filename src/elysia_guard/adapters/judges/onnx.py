"""An ONNX model from a folder as a judge: a cross-encoder, or one of natural language inference."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from elysia_guard.adapters.judges.errors import JudgeError
from elysia_guard.adapters.onnx_folder import CONFIG, OnnxFolder
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.judgement import Judgement
from elysia_guard.domain.question import Lang

Pair = Literal["question_first", "passage_first"]
MAX_TOKENS = 512
_LARGEST = 60.0


class OnnxJudge:
    """Takes what the model says of a pair as the chance that the passage answers.

    One output is a score: its logistic function is the chance, and it says neither yes nor no. Of
    several, ``label`` is the one that means 'answers': its share (softmax) is the chance, and the
    another one being the largest is a no. The model runs in a thread, all passages in one batch.
    """

    def __init__(self, folder: OnnxFolder, *, model_id: str, label: int = 0, pair: Pair) -> None:
        """Take a model that is loaded; see ``load``."""
        self._folder = folder
        self._model_id = model_id
        self._label = label
        self._pair = pair

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        label: str = "0",
        pair: Pair = "question_first",
        max_tokens: int = MAX_TOKENS,
    ) -> OnnxJudge:
        """Load the model in a folder.

        Raises:
            ConfigError: the extra is not installed, a file is missing or no model, or there is no
                such label; the message names the way out.
        """
        folder = OnnxFolder.load(path, section="judge")
        number = _number(label, folder)
        # Some are exported for texts of one length alone, which then bounds what they are told.
        folder.tokenizer.enable_truncation(min(max_tokens, folder.fixed or max_tokens))
        folder.tokenizer.enable_padding(length=folder.fixed)
        name = f"{path.name}@onnx-{folder.digest}+{number}+{pair}"
        return cls(folder, model_id=name, label=number, pair=pair)

    @property
    def model_id(self) -> str:
        """The folder's name, the model's digest, and how it is asked."""
        return self._model_id

    async def __call__(
        self, question: str, passages: Sequence[Passage], /, *, lang: Lang
    ) -> Sequence[Judgement]:
        """Ask the model; see ``ports.Judge``."""
        return await asyncio.to_thread(self._judged, question, [p.in_context for p in passages])

    def _judged(self, question: str, texts: Sequence[str]) -> list[Judgement]:
        if not texts:
            return []
        asked_first = self._pair == "question_first"
        pairs = [(question, text) if asked_first else (text, question) for text in texts]
        encoded = self._folder.tokenizer.encode_batch(pairs)
        given = {
            "input_ids": [item.ids for item in encoded],
            "attention_mask": [item.attention_mask for item in encoded],
            "token_type_ids": [item.type_ids for item in encoded],
        }
        try:
            logits = self._folder.run(given)
        except Exception as err:  # noqa: BLE001  (onnxruntime has a class for each failure)
            raise JudgeError(f"the ONNX judge failed ({type(err).__name__})") from None
        return [self._judgement(row) for row in _rows(logits, len(texts), self._label)]

    def _judgement(self, row: NDArray[np.float64]) -> Judgement:
        if len(row) == 1:
            score = float(np.clip(row[0], -_LARGEST, _LARGEST))
            return Judgement(chance=1.0 / (1.0 + float(np.exp(-score))))
        shares = np.exp(row - row.max())
        shares /= shares.sum()
        chance = min(float(shares[self._label]), 1.0)
        # It names no sentence, so a yes is no more than a score; another output is a no.
        return Judgement(chance=chance, answers=None if row.argmax() == self._label else False)


def _rows(logits: NDArray[np.float64], count: int, label: int) -> NDArray[np.float64]:
    rows = logits.reshape(count, -1) if logits.size and logits.size % count == 0 else logits
    if rows.ndim != 2 or len(rows) != count or not np.isfinite(rows).all():  # noqa: PLR2004
        raise JudgeError("the ONNX judge gave no score for each passage")
    if rows.shape[1] > 1 and label >= rows.shape[1]:
        raise JudgeError(f"the ONNX judge has {rows.shape[1]} outputs, and judge.label is {label}")
    return rows


def _number(label: str, folder: OnnxFolder) -> int:
    """Return the number of an output; a name is looked up in the model's own settings."""
    if label.isdecimal():
        return int(label)
    if label.casefold() not in folder.names:
        named = ", ".join(folder.names) or f"none, for {CONFIG} names none"
        raise ConfigError(f"judge.label is '{label}'; the model's outputs are: {named}")
    return folder.names[label.casefold()]
