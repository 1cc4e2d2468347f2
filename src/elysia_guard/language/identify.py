"""Which of the three languages a question is in."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from elysia_guard.domain.question import LANGS, Lang
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
    identifier.set_languages(list(LANGS))
    return identifier


def identify(text: str, *, default: Lang = DEFAULT_LANG) -> Lang:
    """Name the language of a question: by its function words, else by py3langid, else the default.

    Short questions are mostly function words ('Wat is ...'), which decide without doubt; the
    statistical model settles the rest, and below a probability of 0.5 the default stands.
    """
    counts = function_word_counts(text)
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    if ranked[0][1] > ranked[1][1]:
        return ranked[0][0]
    if len(strip_references(text)) < SHORT:
        return default
    lang, probability = _identifier().classify(text)
    if probability < UNDECIDED_BELOW or lang not in LANGS:
        return default
    return cast(Lang, lang)
