"""What people say around a question: a preamble, politeness or 'part 2' at its end, fillers."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from elysia_guard.domain.question import Lang
from elysia_guard.language.pack import either, pack
from elysia_guard.language.phrases import compiled
from elysia_guard.language.spelling import near
from elysia_guard.language.stems import is_stop_word

_CLOSING = " ?!.,;:\u2026"
_STOP = r"(?=[\s,!.;:?\u2013\u2014-]|$)"
_PAUSE = r"\s*[,!.;:\u2013\u2014-]*\s*"
_WORD = re.compile(r"\b[^\W\d_]+\b")
_SHORTEST_SLIP, _SHORTEST_CHANGED = 2, 5
"""Letters of a word that may have two of them in the wrong order, or one that is wrong."""
_MENDED = 3
"""So many words from the start may be mended: what follows may be a name."""


class _Around(NamedTuple):
    before: re.Pattern[str]
    telling: re.Pattern[str]
    after: re.Pattern[str]
    fillers: re.Pattern[str]


@cache
def _around(lang: Lang) -> _Around:
    core = pack(lang).core
    said = core.preamble
    greeting = "|".join(said.greetings)
    first = "|".join(said.before)
    return _Around(
        before=compiled(
            rf"(({greeting})( [\w-]+){{0,2}}?\s*[,!.;:\u2013-]+\s*"
            rf"|({greeting}|{first}){_STOP}{_PAUSE})"
        ),
        telling=compiled(rf"({'|'.join(said.telling)}){_STOP}{_PAUSE}"),
        after=compiled(
            rf"[\s,;.!?\u2013\u2014-]+({'|'.join(said.after)})[{re.escape(_CLOSING)}]*$"
        ),
        # As they are written: 'us' is not the US.
        fillers=re.compile(rf"(?<=\s)(?:{'|'.join(core.questions.fillers)})\b(?![\w'\u2019-])"),
    )


def without_preamble(text: str, lang: Lang) -> str:
    """Return a question without greetings and the like, in its language; something is left.

    >>> without_preamble("Hi, sorry, may I keep a password?", "en")
    'may I keep a password?'
    """
    return _without_start(text.strip(), _around(lang).before)


def _without_start(text: str, *said: re.Pattern[str]) -> str:
    while match := next((found for each in said if (found := each.match(text))), None):
        if not _says(text[match.end() :]):
            break
        text = text[match.end() :]
    return text


@lru_cache(maxsize=1_000)
def bare_question(text: str, lang: Lang) -> str:
    """Return the question itself: nothing around it, nor that it is asked to be told; no end mark.

    >>> bare_question("Hi, could you please tell me what islanding means, thanks!", "en")
    'what islanding means'
    """
    around = _around(lang)
    after = around.after
    text = _without_start(text.strip(), around.before, around.telling).rstrip(_CLOSING)
    while (match := after.search(text)) and _says(text[: match.start()]):
        text = text[: match.start()].rstrip(_CLOSING)
    return text


def without_fillers(text: str, lang: Lang) -> str:
    """Return a question without the words that say nothing wherever they stand.

    >>> without_fillers("what exactly is a feeder", "en")
    'what is a feeder'
    """
    bare = _around(lang).fillers.sub(" ", text)
    return " ".join(bare.split()).replace(" ,", ",")


def mended(text: str, lang: Lang) -> str:
    """Return a question with the words that it begins with spelt right.

    Only words that forms are made of are mended to, and no word that is one.

    >>> mended("whta does VPP stand for", "en"), mended("what si a bay", "en")
    ('what does VPP stand for', 'what is a bay')
    """
    found = list(_WORD.finditer(text))[:_MENDED]
    shouted = text.isupper()
    for match in reversed(found):
        if match[0].isupper() and not shouted:
            continue  # 'SAIDI' is not 'said'
        if right := _mended(match[0].casefold(), lang):
            text = f"{text[: match.start()]}{right}{text[match.end() :]}"
    return text


@lru_cache(maxsize=5_000)
def _mended(word: str, lang: Lang) -> str:
    if len(word) < _SHORTEST_SLIP or word in _function_words(lang) or is_stop_word(word, lang):
        return ""
    alike = near(word, list(_function_words(lang)), 1)
    turned = [each for each in alike if sorted(each) == sorted(word)]
    changed = [each for each in alike if min(len(each), len(word)) >= _SHORTEST_CHANGED]
    found = turned or changed
    return found[0] if len(found) == 1 else ""


@cache
def _function_words(lang: Lang) -> frozenset[str]:
    """The words that its forms and questions are made of."""
    asking, forms = pack(lang).core.questions, pack(lang).forms
    written = " ".join((*forms.definition.said, *forms.definition.asked, *forms.named.whole))
    listed = (*asking.words, *asking.verbs, *asking.imperatives, *pack(lang).core.words.definite)
    return frozenset((*listed, *(word.casefold() for word in _WORD.findall(written))))


def _says(text: str) -> bool:
    return any(char.isalnum() or char >= "\ue000" for char in text)


def without_portion(text: str) -> tuple[str, int]:
    """Return a question without 'part 2' at its end, and the number of that part; 1 without any.

    >>> without_portion("What does ADR-0015 say, part 2?")
    ('What does ADR-0015 say?', 2)
    """
    found = _portion().search(text)
    part = int(found["part"]) if found else 1
    return (f"{text[: found.start()]}?", part) if found and part > 1 else (text, 1)


@cache
def _portion() -> re.Pattern[str]:
    words = either(lambda core: core.questions.portions)
    return compiled(rf",? ({words}) (?P<part>[0-9]{{1,3}})[ ?.!]*\Z")
