"""An ONNX model and its tokenizer from a folder, as a judge and a verifier run them.

The folder holds ``model.onnx`` and ``tokenizer.json``, as exports for sentence-transformers and
Transformers do; ``config.json`` names the outputs, where it is there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elysia_guard.domain.errors import ConfigError

MODEL, TOKENIZER, CONFIG = "model.onnx", "tokenizer.json", "config.json"


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
    def load(cls, path: Path, *, section: str) -> OnnxFolder:
        """Load what is in a folder; ``section`` of the settings names it.

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
        model, words = (_file(path, name, section) for name in (MODEL, TOKENIZER))
        options = onnxruntime.SessionOptions()
        # More threads than one wait for each other on a machine that answers other questions too.
        options.intra_op_num_threads = 1
        try:
            session = onnxruntime.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"]
            )
            tokenizer = Tokenizer.from_file(str(words))
        except Exception as err:  # onnxruntime and tokenizers have no common error to name
            raise ConfigError(f"{section}.path: {path} holds no model that loads: {err}") from err
        return cls(
            session=session,
            tokenizer=tokenizer,
            digest=sha256(model.read_bytes()).hexdigest()[:12],
            fixed=_fixed_length(session),
            names=_names(path),
        )

    def run(self, given: Mapping[str, Sequence[Sequence[int]]]) -> NDArray[np.float64]:
        """Return the first output for rows of ids, of those inputs that the model takes."""
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


def _file(path: Path, name: str, section: str) -> Path:
    found = path / name
    if not found.is_file():
        raise ConfigError(
            f"{section}.path: {path} holds no {name}; name the folder of an exported ONNX model"
        )
    return found


def _names(path: Path) -> dict[str, int]:
    """Return the outputs by name, as the model's own settings say; none where they do not."""
    try:
        names = json.loads((path / CONFIG).read_text(encoding="utf-8"))["id2label"]
        return {str(name).casefold(): int(number) for number, name in names.items()}
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return {}
