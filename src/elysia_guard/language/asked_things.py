"""What a question asks for by a word of its own, and whether it asks how things stand today.

'Which manufacturer ...' asks for a manufacturer, 'what does it say about the salary of ...' for a
salary; 'how many ... by now' for a count that a document of an earlier day does not know.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from elysia_guard.language.answer_types import AnswerType, asked_for
from elysia_guard.language.coverage import QueryTerms
from elysia_guard.language.pack import either, words_of
from elysia_guard.language.phrases import spoken
from elysia_guard.language.text import words

OF_ITS_OWN = frozenset(AnswerType) - {AnswerType.NUMBER}
"""What is asked for by such a kind is told in other words than those of the question."""


def thing_asked(question: str, matter: str, terms: QueryTerms) -> int | None:
    """Return the place among the content words of the thing that a question names and asks for.

    ``matter`` is what is asked of a document. None where no noun is asked for, or one that is told
    in words of its own, as a date or a reason is.
    """
    if asked_for(question) & OF_ITS_OWN:
        return None
    behind = [words(question[found.end() :])[:1] for found in _naming().finditer(question)]
    first, *rest = words(matter) or [""]
    if first in words_of(lambda core: core.questions.about):
        behind.append([next((word for word in rest if word in terms.words), "")])
    named = [word for run in behind for word in run if word in terms.words]
    return terms.words.index(named[-1]) if named else None


@lru_cache(maxsize=1_000)
def is_of_today(text: str) -> bool:
    """Tell whether a text speaks of a time that is reckoned from the moment of speaking.

    >>> is_of_today("How many were replaced last year?"), is_of_today("How many in 2024?")
    (True, False)
    """
    return _deictic().search(text) is not None


@cache
def _naming() -> re.Pattern[str]:
    return re.compile(rf"\b{either(lambda core: core.questions.naming)}\b", re.IGNORECASE)


@cache
def _deictic() -> re.Pattern[str]:
    units = either(lambda core: core.time.units)
    said = either(lambda core: core.time.deictic).replace("{unit}", units)
    return re.compile(spoken(rf"\b{said}\b"), re.IGNORECASE)
