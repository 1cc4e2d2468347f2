"""The section ``judge`` of ``guard.yaml``: who is asked whether passages answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from elysia_guard.config.base import KeyVariable, Section

JudgeKind = Literal["none", "language_model", "rerank", "onnx"]


class JudgeSection(Section):
    """A model that is asked, beside the gates, whether the first passages answer.

    ``language_model`` is any server of OpenAI's chat completions at ``url``, or, with neither
    ``url`` nor ``model``, the model of Elysia's settings, on a tree that has one. ``rerank`` is any
    server with a ``/rerank``, ``onnx`` a folder with a model and its tokenizer at ``path``.
    ``api_key_env`` names the variable that holds the key. ``passages`` are shown, each cut to
    ``max_chars``. ``deadline_seconds`` is for a whole call: a reader waits for it. ``form`` and
    ``scores`` are the rerank server's, ``label`` the output of an ONNX model that means 'answers',
    by its number or name, and ``pair`` which of the two texts comes first.
    """

    kind: JudgeKind = "none"
    url: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""
    model: str = ""
    path: Path | None = None
    api_key_env: KeyVariable = ""
    deadline_seconds: Annotated[float, Field(gt=0, le=60)] = 3.0
    passages: Annotated[int, Field(ge=1, le=15)] = 8
    max_chars: Annotated[int, Field(ge=200, le=100_000)] = 4_000
    max_concurrency: Annotated[int, Field(ge=1, le=1_000)] = 4
    cache_max_size: Annotated[int, Field(ge=1)] = 1_000
    form: Literal["documents", "texts"] = "documents"
    scores: Literal["probability", "logit"] = "probability"
    label: Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)] = "0"
    pair: Literal["question_first", "passage_first"] = "question_first"
    max_tokens: Annotated[int, Field(ge=16, le=8_192)] = 512

    @property
    def is_elysias(self) -> bool:
        """Whether the language model of Elysia's settings judges: there is no server of its own."""
        return self.kind == "language_model" and not (self.url or self.model)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        wanted = {"language_model": ("url", "model"), "rerank": ("url",), "onnx": ("path",)}
        missing = [name for name in wanted.get(self.kind, ()) if not getattr(self, name)]
        missing = [] if self.is_elysias else missing
        if missing:
            raise ValueError(f"kind '{self.kind}' needs {' and '.join(missing)}")
        return self
