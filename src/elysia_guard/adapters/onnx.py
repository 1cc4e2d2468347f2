"""ONNX models from a folder: as an embedder, such as e5, and as a judge that reads pairs.

The folder holds ``model.onnx`` and ``tokenizer.json``, as exports for sentence-transformers and
Transformers do; ``config.json`` names the outputs, where it is there. A judge is a cross-encoder,
or a model of natural language inference.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import ConfigError, SourceUnavailableError
from elysia_guard.ports import Vector

MODEL, TOKENIZER, CONFIG = "model.onnx", "tokenizer.json", "config.json"
BATCH = 32
MAX_TOKENS = 512


@dataclass(frozen=True, kw_only=True)
class OnnxFolder:
    """A model and a tokenizer that are loaded.

    ``digest`` begins the model's SHA-256, ``fixed`` is the number of tokens that it takes, where
    it was exported for texts of one length alone. ``names`` are the outputs by their names, in
    lower case; none where nothing names them.
    """

    session: Any
    tokenizer: Any
    digest: str
    fixed: int | None
    names: Mapping[str, int]

    @classmethod
    def load(cls, path: Path, *, section: str, key: str) -> OnnxFolder:
        """Load what is in a folder, which ``key`` of the settings names in a ``section``.

        Raises:
            ConfigError: the extra is not installed, or a file is missing or no model; the message
                names the way out.
        """
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as err:
            raise ConfigError(
                f"{section}.kind = 'onnx' needs {err.name}: pip install 'elysia-guard[onnx]'"
            ) from err
        model, words = (_file(path, name, key) for name in (MODEL, TOKENIZER))
        options = onnxruntime.SessionOptions()
        # More threads than one wait for each other on a machine that answers other questions too.
        options.intra_op_num_threads = 1
        try:
            session = onnxruntime.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"]
            )
            tokenizer = Tokenizer.from_file(str(words))
        except Exception as err:  # onnxruntime and tokenizers have no common error to name
            raise ConfigError(f"{key}: {path} holds no model that loads: {err}") from err
        return cls(
            session=session,
            tokenizer=tokenizer,
            digest=sha256(model.read_bytes()).hexdigest()[:12],
            fixed=_fixed_length(session),
            names=_names(path),
        )

    def pad_and_cut(self, max_tokens: int) -> None:
        """Bring all texts of a batch to one length: ``max_tokens``, or what the model takes."""
        # Some are exported for texts of one length alone, which then bounds what they are told.
        self.tokenizer.enable_truncation(min(max_tokens, self.fixed or max_tokens))
        self.tokenizer.enable_padding(length=self.fixed)

    def run(self, encoded: Sequence[Any]) -> NDArray[np.float64]:
        """Return the first output for texts that the tokenizer has encoded."""
        given = {
            "input_ids": [item.ids for item in encoded],
            "attention_mask": [item.attention_mask for item in encoded],
            "token_type_ids": [item.type_ids for item in encoded],
        }
        wanted = {item.name for item in self.session.get_inputs()}
        arrays = {
            name: np.array(rows, dtype=np.int64) for name, rows in given.items() if name in wanted
        }
        found: NDArray[np.float64] = np.asarray(self.session.run(None, arrays)[0], dtype=np.float64)
        return found


def _fixed_length(session: Any) -> int | None:
    shapes = [item.shape for item in session.get_inputs() if item.name == "input_ids"]
    lengths = [shape[-1] for shape in shapes if shape]
    return lengths[0] if lengths and isinstance(lengths[0], int) else None


def _file(path: Path, name: str, key: str) -> Path:
    found = path / name
    if not found.is_file():
        raise ConfigError(
            f"{key}: {path} holds no {name}; name the folder of an exported ONNX model"
        )
    return found


def _names(path: Path) -> dict[str, int]:
    """Return the outputs by name, as the model's own settings say; none where they do not."""
    try:
        names = json.loads((path / CONFIG).read_text(encoding="utf-8"))["id2label"]
        return {str(name).casefold(): int(number) for number, name in names.items()}
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return {}


class OnnxEmbedder:
    """Takes the mean of the vectors of a text's tokens, brought to length 1.

    Of a model whose first output is one vector a text, it takes that. The model runs in a thread.

    Args:
        folder: the model; it is asked once how long its vectors are.
        model_id: its name, with all that its vectors of passages depend on.
        question_prefix: stands before a question, as the model wants it.
        passage_prefix: stands before a passage.

    Raises:
        SourceUnavailableError: the model makes no vectors of texts.
    """

    def __init__(
        self, folder: OnnxFolder, *, model_id: str, question_prefix: str, passage_prefix: str
    ) -> None:
        self._folder = folder
        self.model_id = model_id
        self._question_prefix = question_prefix
        self._passage_prefix = passage_prefix
        self.dimension = len(self._encoded([""])[0])

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        section: str = "embedder",
        question_prefix: str = "",
        passage_prefix: str = "",
        max_tokens: int = MAX_TOKENS,
    ) -> OnnxEmbedder:
        """Load the model in a folder; longer texts are cut to ``max_tokens``.

        Raises:
            ConfigError: the extra is not installed, or a file is missing or no model; the message
                names ``section``.
            SourceUnavailableError: the model makes no vectors of texts.
        """
        folder = OnnxFolder.load(path, section=section, key=f"{section}.onnx.path")
        longest = min(max_tokens, folder.fixed or max_tokens)
        folder.pad_and_cut(longest)
        marks = [passage_prefix.strip(" :"), str(longest)]
        return cls(
            folder,
            model_id="+".join([f"{path.name}@onnx-{folder.digest}", *filter(None, marks)]),
            question_prefix=question_prefix,
            passage_prefix=passage_prefix,
        )

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed passages in order, in batches of 32; normalised to length 1."""
        marked = [f"{self._passage_prefix}{text}" for text in texts]
        vectors: list[Vector] = []
        for start in range(0, len(marked), BATCH):
            vectors += await asyncio.to_thread(self._encoded, marked[start : start + BATCH])
        return vectors

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        """Embed a question, which some models tell from a passage."""
        (vector,) = await asyncio.to_thread(self._encoded, [f"{self._question_prefix}{text}"])
        return vector

    def _encoded(self, texts: Sequence[str]) -> list[Vector]:
        encoded = self._folder.tokenizer.encode_batch(list(texts))
        try:
            made = self._folder.run(encoded)
        except Exception as err:  # noqa: BLE001  (onnxruntime has a class for each failure)
            raise _failed(f"failed ({type(err).__name__})") from None
        vectors = _pooled(made, np.array([item.attention_mask for item in encoded]))
        lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(lengths).all():  # noqa: PLR2004
            raise _failed("gave no vector for each text")
        return list((vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32))


def _pooled(made: NDArray[np.float64], mask: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean over the tokens that count; what has no tokens any more stays as it is."""
    if made.shape[:2] != mask.shape or made.ndim != 3:  # noqa: PLR2004  texts, tokens, dimensions
        return made
    summed: NDArray[np.float64] = (made * mask[..., None]).sum(axis=1)
    means: NDArray[np.float64] = summed / np.maximum(mask.sum(axis=1, keepdims=True), 1)
    return means


def _failed(how: str) -> SourceUnavailableError:
    return SourceUnavailableError(f"the ONNX embedder {how}", source="embeddings")
