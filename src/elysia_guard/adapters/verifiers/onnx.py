"""An ONNX model from a folder as a second opinion: of natural language inference, or a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from elysia_guard.adapters.onnx_folder import CONFIG, OnnxFolder
from elysia_guard.domain.errors import ConfigError

Order = Literal["source_first", "sentence_first"]
SUPPORTING = ("entailment", "supported", "supports")
OPPOSING = ("contradiction", "contradicted", "refuted", "refutes")
"""What models call the output that means 'the words say it', and the one for the contrary."""
MAX_TOKENS, OVERLAP = 512, 32
WINDOWS = 16
"""Windows that are run at once."""
_LARGEST = 60.0


@dataclass(frozen=True, kw_only=True)
class _Outputs:
    """Which output supports, and which opposes; of a model with one output it is the score."""

    supporting: int
    opposing: int | None


class OnnxVerifier:
    """Takes the share of the output that means support as the chance that words say a sentence.

    Of several outputs the shares are those of a softmax; of one, the logistic function is the
    chance. Words that are longer than the model reads are read in windows that overlap: the best
    one counts, less what any of them says against the sentence. A sentence that leaves no room for
    the words cannot be read, and has no chance.
    """

    def __init__(
        self, folder: OnnxFolder, *, model_id: str, outputs: _Outputs, order: Order
    ) -> None:
        """Take a model that is loaded; see ``load``."""
        self._folder = folder
        self._model_id = model_id
        self._outputs = outputs
        self._order = order

    @classmethod
    def load(
        cls,
        path: Path,
        *,
        label: str = "",
        order: Order = "source_first",
        max_tokens: int = MAX_TOKENS,
    ) -> OnnxVerifier:
        """Load the model in a folder, and have it read one pair.

        Args:
            path: the folder, with ``model.onnx``, ``tokenizer.json`` and ``config.json``.
            label: the output that means support, by number or name; by default the one that the
                model itself calls so.
            order: which of the two texts comes first.
            max_tokens: of a sentence and the words beside it, where the model takes so many.

        Raises:
            ConfigError: the extra is not installed, a file is missing or no model, the model cannot
                read a pair, or no output is known to mean support; the message names the way out.
        """
        folder = OnnxFolder.load(path, section="verifier")
        most = min(max_tokens, folder.fixed or max_tokens)
        strategy = "only_first" if order == "source_first" else "only_second"
        folder.tokenizer.enable_truncation(most, stride=min(OVERLAP, most // 4), strategy=strategy)
        folder.tokenizer.no_padding()
        outputs = _Outputs(supporting=0, opposing=None)
        made = cls(folder, model_id="", outputs=outputs, order=order)
        try:
            (row,) = made._rows(made._windows(("a", "a")))
        except Exception as err:  # onnxruntime and tokenizers have no common error to name
            raise ConfigError(
                f"verifier.path: the model in {path} cannot read a pair: {type(err).__name__}"
            ) from err
        outputs = _outputs(label, folder, len(row))
        name = f"{path.name}@onnx-{folder.digest}+{outputs.supporting}+{order}+{most}"
        return cls(folder, model_id=name, outputs=outputs, order=order)

    @property
    def model_id(self) -> str:
        """The folder's name, the model's digest, and how it is asked."""
        return self._model_id

    def chances(self, pairs: Sequence[tuple[str, str]], /) -> Sequence[float]:
        """Read all pairs; see ``adapters.verifiers.local.PairModel``."""
        windows = [self._windows(pair) for pair in pairs]
        rows = self._rows([each for group in windows for each in group])
        found, at = [], 0
        for group in windows:
            found.append(self._chance(rows[at : at + len(group)]) if group else 0.0)
            at += len(group)
        return found

    def _windows(self, pair: tuple[str, str]) -> list[Any]:
        sentence, words = pair
        texts = (words, sentence) if self._order == "source_first" else (sentence, words)
        try:
            first = self._folder.tokenizer.encode(*texts)
        except Exception:  # noqa: BLE001  (the tokenizer raises nothing more special)
            return []
        return [first, *first.overflowing]

    def _rows(self, windows: Sequence[Any]) -> NDArray[np.float64]:
        """Run the model over all windows, as many at once as is good for it; a row for each."""
        found = []
        for start in range(0, len(windows), WINDOWS):
            some = windows[start : start + WINDOWS]
            length = self._folder.fixed or max(len(item.ids) for item in some)
            given = {
                "input_ids": [_padded(item.ids, length) for item in some],
                "attention_mask": [_padded(item.attention_mask, length) for item in some],
                "token_type_ids": [_padded(item.type_ids, length) for item in some],
            }
            found.append(self._folder.run(given).reshape(len(some), -1))
        return np.concatenate(found) if found else np.zeros((0, 1))

    def _chance(self, rows: NDArray[np.float64]) -> float:
        if rows.shape[1] == 1:
            return float((1.0 / (1.0 + np.exp(-np.clip(rows, -_LARGEST, _LARGEST)))).max())
        shares = np.exp(rows - rows.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        for_it, against = self._outputs.supporting, self._outputs.opposing
        most = 1.0 if against is None else 1.0 - float(shares[:, against].max())
        return min(float(shares[:, for_it].max()), most)


def _padded(ids: Sequence[int], length: int) -> list[int]:
    return [*ids, *([0] * (length - len(ids)))]


def _outputs(label: str, folder: OnnxFolder, count: int) -> _Outputs:
    opposing = next((at for name, at in folder.names.items() if name in OPPOSING), None)
    named = ", ".join(folder.names) or f"none, for {CONFIG} names none"
    told = f"the model has {count} output(s), named: {named}"
    if label.isdecimal():
        supporting: int | None = int(label)
    elif label:
        supporting = folder.names.get(label.casefold())
    elif count == 1:
        supporting = 0
    else:
        supporting = next((at for name, at in folder.names.items() if name in SUPPORTING), None)
    if supporting is None and not label:
        raise ConfigError(f"verifier.label: name the output that means support; {told}")
    if supporting is None or not 0 <= supporting < count:
        raise ConfigError(f"verifier.label is '{label}'; {told}")
    if opposing is not None and not (opposing < count and opposing != supporting):
        opposing = None
    return _Outputs(supporting=supporting, opposing=opposing)
