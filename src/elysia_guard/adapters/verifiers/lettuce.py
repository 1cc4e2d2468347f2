"""LettuceDetect from a folder as a second opinion: it marks the tokens that no source supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from elysia_guard.domain.errors import ConfigError

_NEEDED = "config.json"


class Detector(Protocol):
    """What is used of ``lettucedetect.models.inference.HallucinationDetector``."""

    def predict(
        self,
        context: list[str],
        answer: str,
        question: str | None = None,
        output_format: str = "tokens",
    ) -> list[dict[str, Any]]:
        """Return a row for each token of the answer: ``token``, ``pred`` and ``prob``.

        ``prob`` is the chance, 0 to 1, that no source supports it, and ``pred`` 1 where so.
        """


class LettuceVerifier:
    """Takes the token that is likeliest unsupported: the chance is that it is supported after all.

    One wrong figure makes a sentence wrong, however well supported its other words are.
    """

    def __init__(self, detector: Detector, *, model_id: str) -> None:
        """Take a detector that is loaded; see ``load``."""
        self._detector = detector
        self._model_id = model_id

    @classmethod
    def load(cls, path: Path, *, lang: str = "en") -> LettuceVerifier:
        """Load a token classifier from a folder; nothing is fetched from a model hub.

        Args:
            path: the folder of the model, with ``config.json``.
            lang: the language whose prompt the model was trained with, as LettuceDetect names it.

        Raises:
            ConfigError: the extra is not installed, or the folder holds no model that loads; the
                message names the way out.
        """
        if not (path / _NEEDED).is_file():
            raise ConfigError(
                f"verifier.path: {path} holds no {_NEEDED}; name the folder of a model of "
                "LettuceDetect"
            )
        try:
            from lettucedetect.models.inference import HallucinationDetector
        except ImportError as err:
            raise ConfigError(
                f"verifier.kind = 'lettucedetect' needs {err.name}: "
                "pip install 'elysia-guard[lettucedetect]'"
            ) from err
        try:
            detector: Detector = HallucinationDetector(
                method="transformer", model_path=str(path), lang=lang, local_files_only=True
            )
        except Exception as err:  # its libraries have no common error to name
            raise ConfigError(f"verifier.path: {path} holds no model that loads: {err}") from err
        return cls(detector, model_id=f"{path.name}@lettuce-{_digest(path)}+{lang}")

    @property
    def model_id(self) -> str:
        """The folder's name, the digest of what it holds, and the language of the prompt."""
        return self._model_id

    def chances(self, pairs: Sequence[tuple[str, str]], /) -> Sequence[float]:
        """Read the pairs one by one; see ``adapters.verifiers.local.PairModel``."""
        return [self._chance(sentence, words) for sentence, words in pairs]

    def _chance(self, sentence: str, words: str) -> float:
        rows = self._detector.predict(context=[words], answer=sentence, output_format="tokens")
        doubts = [float(row["prob"]) for row in _of_sentence(rows, sentence)]
        # Of no token nothing was said.
        return 1.0 - max(doubts) if doubts else 0.0


def _of_sentence(rows: Sequence[Mapping[str, Any]], sentence: str) -> Sequence[Mapping[str, Any]]:
    """Leave out the token that closes an answer, which models mark as they like."""
    closes = bool(rows) and str(rows[-1]["token"]).strip() not in sentence
    return rows[:-1] if closes else rows


def _digest(path: Path) -> str:
    found = sha256()
    for file in sorted(each for each in path.iterdir() if each.is_file()):
        found.update(file.name.encode("utf-8", "surrogatepass") + b"\0")
        with file.open("rb") as held:
            while block := held.read(1 << 20):
                found.update(block)
    return found.hexdigest()[:12]
