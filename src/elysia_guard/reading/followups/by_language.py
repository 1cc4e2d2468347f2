"""A list that was asked for, narrowed to the documents of one language: 'only those in Dutch'.

'In Dutch?' alone asks for the last answer in that language; what picks among the documents of a
list asks which of them are written in it.
"""

from __future__ import annotations

import re
from typing import Final

from elysia_guard.domain.question import Lang
from elysia_guard.language.catalogue import called
from elysia_guard.language.pack import langs
from elysia_guard.reading.followups.focus import TurnFocus
from elysia_guard.reading.followups.followup import Followup, Whole
from elysia_guard.reading.followups.narrowing import ListAsked
from elysia_guard.reading.followups.text import FollowUpText

_PICKS: Final = ("lists.only", "lists.which", "lists.many", "refers.selected", "refers.indefinite")
"""Roles of words that pick among what was listed: 'only', 'which', 'how many', 'ones', 'any'."""
_BESIDE: Final = ("again.speaks", *_PICKS)


def of_language(asked: Followup) -> Whole | None:
    """'Only those in Dutch', 'which are in English?', 'and the German ones?' after a list."""
    said, last = asked.said, asked.talk.last
    named = _named(said)
    if last is None or asked.own or len(named) != 1 or said.says("grammar.negates"):
        return None
    if _says_more(asked, named[0]) or not last.listing:
        return None
    text = _of_other_language(said, named[0], last)
    if not text and _picks(asked):
        listed = ListAsked.of(last, said)
        name = called(listed.lang, _lang(said, named[0]))
        text = listed.whole(listed.noun, clause=listed.pack.worded("in_language", language=name))
    return asked.whole(text, "it asks for those of the list in a language") if text else None


def _named(said: FollowUpText) -> list[int]:
    """The places of the names of languages."""
    return [at for at in range(len(said.words)) if _lang(said, at)]


def _lang(said: FollowUpText, at: int) -> Lang:
    """Return the language that a word names, also inflected ('de Nederlandse'); empty for none."""
    word = said.low[at]
    if said.words[at].own:
        return ""
    return next((lang for lang in langs() if any(map(word.startswith, _names(said, lang)))), "")


def _names(said: FollowUpText, lang: Lang) -> set[str]:
    return said.pack.words(f"again.languages.{lang}")


def _says_more(asked: Followup, named: int) -> bool:
    """Whether anything but a language, and that texts are written in it, is said."""
    pack, low = asked.pack, asked.said.low
    others = [word for at, word in enumerate(low) if at != named and pack.is_content(word)]
    return any(not any(pack.has(role, word) for role in _BESIDE) for word in others)


def _picks(asked: Followup) -> bool:
    """Whether a follow-up picks among several: 'those', 'of them', 'the ones', 'which', 'only'."""
    said, things = asked.said, asked.pack.phrases["refers.things"]
    return any(map(said.says, _PICKS)) or any((word,) in things for word in said.low)


def _of_other_language(said: FollowUpText, named: int, last: TurnFocus) -> str:
    """'And in English?' after a list of those in Dutch: the same list with the other language."""
    before = FollowUpText.of(last.question, last.lang)
    places = _named(before)
    if len(places) != 1 or last.lang != said.lang:
        return ""
    word = before.words[places[0]]
    name = called(last.lang, _lang(said, named))
    return re.sub(r"\s+", " ", f"{last.question[: word.start]}{name}{last.question[word.end :]}")
