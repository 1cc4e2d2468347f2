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

SHORT = 8
"""Characters below which the model only guesses: 'TLS' is in no language."""
NEAR = 0.75
"""The share of the likeliest language's chance from which the default is as likely."""
UNDECIDED_BELOW = 0.5
"""The share of all chances below which even the likeliest language is a guess."""
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
    statistical model settles the rest, among the languages that may be. Where it cannot tell, the
    default stands, if it is one of them, or else the first.
    """
    counts = function_word_counts(text)
    most = max(counts.values())
    likely = [lang for lang, count in counts.items() if count == most]
    if len(likely) == 1:
        return likely[0]
    otherwise = default if default in likely or not most else likely[0]
    if len(strip_references(text)) < SHORT:
        return otherwise
    chances = {lang: chance for lang, chance in _identifier().rank(text) if lang in likely}
    best, chance = max(chances.items(), key=lambda item: item[1], default=(otherwise, 0.0))
    guess = chance < UNDECIDED_BELOW * sum(chances.values())
    if guess or chances.get(otherwise, 0.0) >= NEAR * chance:
        return otherwise
    return str(best)
