"""The section ``writer`` of ``guard.yaml``: who writes answers, and how they are made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from elysia_guard.config.base import KeyVariable, Section, Share

WriterKind = Literal["none", "language_model"]
VerifierKind = Literal["none", "language_model", "onnx", "lettucedetect"]
WrittenIn = Literal["question", "sources"]


class WriterSection(Section):
    """A model that writes answers, of which a reader sees what is proved.

    ``language_model`` is any server of OpenAI's chat completions at ``url``; with neither ``url``
    nor ``model`` that of ``llm``, and where that names none, the model of Elysia's settings, on a
    tree that has one. ``api_key_env`` names the variable that holds the key. ``mode`` is how
    answers are made where a question does not say; ``by_difficulty`` is the one of the others that
    the question is hard enough for. ``deadline_seconds`` is for all calls of an
    answer in mode ``auto``, ``thinking_seconds`` in mode ``thinking``. ``max_chars`` bounds what is
    told of all sources, ``source_max_chars`` of each. ``supported_from`` is the chance from which a
    second opinion shows a sentence that code cannot prove. ``language`` is what the model writes
    in: that of the ``sources``, word for word near them, which code can prove, or that of the
    ``question``; where it is not named, the ``question``'s with a ``verifier`` and else the
    ``sources``'.
    """

    kind: WriterKind = "none"
    url: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""
    model: str = ""
    api_key_env: KeyVariable = ""
    mode: Literal["instant", "auto", "thinking", "by_difficulty"] = "auto"
    deadline_seconds: Annotated[float, Field(gt=0, le=60)] = 8.0
    thinking_seconds: Annotated[float, Field(gt=0, le=120)] = 25.0
    max_chars: Annotated[int, Field(ge=500, le=100_000)] = 7_000
    source_max_chars: Annotated[int, Field(ge=200, le=100_000)] = 3_000
    supported_from: Share = 0.8
    language: WrittenIn | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if bool(self.url) != bool(self.model):
            raise ValueError("a server needs url and model; with neither, 'llm' or Elysia's is it")
        return self


class VerifierSection(Section):
    """A second opinion on sentences that code cannot prove, which only then may be shown.

    ``language_model`` is another server of OpenAI's chat completions, or another model of the same
    one: a writer does not vouch for itself. ``api_key_env`` names the variable that holds the key.
    ``onnx`` and ``lettucedetect`` are a folder with a model at ``path``. ``label`` is the output of
    an ONNX model that means support, by number or name (by default the one that it calls so
    itself), ``pair`` which of the two texts comes first, ``max_tokens`` what it reads at once.
    ``prompt_lang`` is the language of the prompt that a model of LettuceDetect was trained with.
    ``deadline_seconds`` is for all sentences of a draft together.
    """

    kind: VerifierKind = "none"
    url: Annotated[str, Field(pattern=r"^(https?://\S+)?$")] = ""
    model: str = ""
    path: Path | None = None
    api_key_env: KeyVariable = ""
    deadline_seconds: Annotated[float, Field(gt=0, le=60)] = 4.0
    label: Annotated[str, Field(coerce_numbers_to_str=True)] = ""
    pair: Literal["source_first", "sentence_first"] = "source_first"
    max_tokens: Annotated[int, Field(ge=16, le=8_192)] = 512
    prompt_lang: Annotated[str, Field(pattern=r"^[a-z]{2}$")] = "en"

    @model_validator(mode="after")
    def _complete(self) -> Self:
        wanted = {"language_model": ("url", "model"), "onnx": ("path",), "lettucedetect": ("path",)}
        missing = [name for name in wanted.get(self.kind, ()) if not getattr(self, name)]
        if missing:
            needed = " and ".join(wanted[self.kind])
            raise ValueError(f"kind '{self.kind}' needs {needed}")
        return self
