"""Whole questions, worded plainly, and the questions of before with something else in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from elysia_guard.domain.question import Aspect, Lang
from elysia_guard.reading.followups.focus import Antecedent, TurnFocus
from elysia_guard.reading.followups.mention import ReferringWords, Refers
from elysia_guard.reading.followups.text import EDGES, FollowUpText, tidy
from elysia_guard.reading.followups.words import FollowupWords, followup_words

_ASPECTS: Final = {
    Aspect.APPROVAL: "approval",
    Aspect.STATUS: "status",
    Aspect.DATE: "date",
    Aspect.OWNER: "owner",
    Aspect.DRIVER: "owner",
    Aspect.VERSION: "version",
    Aspect.CONSEQUENCES: "consequences",
    Aspect.ALTERNATIVES: "alternatives",
    Aspect.CONTEXT: "context",
}
_RELATIONS: Final = ("broader", "narrower", "related", "synonyms")
_FIRST: Final = ("date", "version", "approval", "why")
"""What is asked where several words say so: 'approved when' asks for a date."""


def names(subjects: Sequence[Antecedent], lang: Lang) -> str:
    """Return the names of documents or terms as one part of a sentence."""
    *before, last = [item.name for item in subjects]
    joined = followup_words(lang).worded("and")
    return f"{', '.join(before)} {joined} {last}" if before else last


def asked_word(said: FollowUpText, content: Sequence[str]) -> str:
    """Return which side of a document is asked for where nothing else is said; empty for none."""
    if said.says("grammar.negates"):
        return ""
    found = [said.pack.member("asked", word) for word in content]
    found += [said.pack.member("asked", word) for word in said.low if word not in content]
    if not any(found) or not all(said.pack.member("asked", word) for word in content):
        return ""
    return next((name for name in _FIRST if name in found), next(filter(None, found)))


def relation(
    said: FollowUpText, content: Sequence[str], mention: ReferringWords | None = None
) -> str:
    """Return which relation of a term is asked for where nothing else is said; empty for none.

    'What falls under it?' asks for narrower terms, 'what does it fall under?' for the broader one.
    """
    pack = said.pack
    if mention and _is_under(said, mention):
        content = [word for word in content if not pack.has("relations.falls", word)]
        return "" if content else "narrower"
    told = [word for word in content if not pack.member("relations", word)]
    if told or said.says("refers.same"):
        return ""
    found = (
        name for word in said.low for name in _RELATIONS if pack.has(f"relations.{name}", word)
    )
    return next(found, "")


def _is_under(said: FollowUpText, mention: ReferringWords) -> bool:
    """Tell whether something is said to be under what a word refers to."""
    before = said.low[mention.first - 1] if mention.first else ""
    return any(
        said.pack.has("relations.under", word) for word in (mention.preposition, before) if word
    )


def about(pack: FollowupWords, it: str, content: str) -> str:
    """Ask what a document says about a matter."""
    return pack.worded("matter", it=it, matter=content) if content else pack.worded("say", it=it)


def according(said: FollowUpText, it: str) -> str:
    """Ask a question of a document: 'why not RACI, according to ADR-0002?'."""
    return said.pack.worded("according", text=said.text.rstrip(EDGES), it=it)


def in_place(said: FollowUpText, mention: ReferringWords, it: str) -> str:
    """Put a name in the place of the words that refer."""
    words, text = said.words, said.text
    start, end = words[mention.first].start, words[mention.end - 1].end
    if mention.refers in {Refers.POSSESSIVE, Refers.POSSESSIVES}:
        it = said.pack.worded("possessive", it=it)
    elif mention.preposition:
        it = f"{mention.preposition} {it}"
    elif mention.refers is Refers.PAIR and said.pack.has("refers.of", said.low[mention.first]):
        it = f"{said.low[mention.first]} {it}"
    before, behind = text[:start].removesuffix("-"), text[end:]
    return tidy(f"{before} {it}{' ' if behind[:1].isalnum() else ''}{behind}")


def again(turn: TurnFocus, subjects: Sequence[Antecedent], lang: Lang) -> str:
    """Ask of something else what a turn asked: its words, or its side, with the new name."""
    pack, it = followup_words(lang), names(subjects, lang)
    if subjects[0].reference is None:
        return pack.worded("meaning", it=it)
    if turn.documents:
        if side := _ASPECTS.get(turn.aspect):
            return pack.worded(side, it=it)
        return about(pack, it, turn.matter if turn.lang == lang else "")
    return pack.worded("say", it=it)
