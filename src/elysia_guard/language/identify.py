"""Which of the languages that there are a question is in."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import langs
from elysia_guard.language.references import strip_references
from elysia_guard.language.stems import function_word_counts

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

UNDECIDED_BELOW = 0.5
SHORT = 8
"""Characters below which the model only guesses: 'TLS' is in no language."""
DEFAULT_LANG: Lang = "en"


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import (  # not every question needs it
        MODEL_FILE,
        LanguageIdentifier,
    )

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    trained = frozenset(identifier.labels)
    identifier.set_languages([lang for lang in langs() if lang in trained])
    return identifier


def identify(text: str, *, default: Lang = DEFAULT_LANG) -> Lang:
    """Name the language of a question: by its function words, else by py3langid, else the default.

    Short questions are mostly function words ('Wat is ...'), which decide without doubt; the
    statistical model settles the rest, and below a probability of 0.5 the default stands.
    """
    counts = function_word_counts(text)
    first, second, *_ = [*sorted(counts.values(), reverse=True), 0, 0]
    if first > second:
        return next(lang for lang, count in counts.items() if count == first)
    if len(strip_references(text)) < SHORT:
        return default
    lang, probability = _identifier().classify(text)
    if probability < UNDECIDED_BELOW or lang not in counts:
        return default
    return str(lang)
