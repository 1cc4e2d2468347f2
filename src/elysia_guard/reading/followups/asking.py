"""A follow-up asked of what it refers to, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.reading.followups import wholes
from elysia_guard.reading.followups.coreference import mentions
from elysia_guard.reading.followups.focus import Antecedent
from elysia_guard.reading.followups.followup import Followup, Whole
from elysia_guard.reading.followups.mention import ReferringWords, Refers
from elysia_guard.reading.followups.text import FollowUpText


def of(asked: Followup, mention: ReferringWords, subjects: tuple[Antecedent, ...]) -> Whole:
    """Ask a follow-up of what one of its words refers to."""
    it = wholes.names(subjects, asked.lang)
    text = worded(asked, mention, it, subjects)
    return asked.whole(text, f"'{asked.worded(mention)}' is {it}", subjects, mention)


def worded(
    asked: Followup, mention: ReferringWords, it: str, subjects: tuple[Antecedent, ...] = ()
) -> str:
    """Word a follow-up with a name for what refers; without ``subjects`` the name is a wording."""
    said, rest = asked.said, _rest(asked.said, mention)
    content = [word for word in rest if asked.pack.is_content(word)]
    if subjects and (name := side(asked, subjects[0], content, mention)):
        return asked.pack.worded(name, it=it)
    if not content and not asks_more(asked, rest):
        term = bool(subjects) and subjects[0].reference is None
        return asked.pack.worded("meaning" if term else "say", it=it)
    if behind := _clause_behind(said, mention):
        inner = next(iter(mentions(behind)), None)
        return wholes.in_place(behind, inner, it) if inner else wholes.according(behind, it)
    if mention.refers in {Refers.PERSON, Refers.SUCH}:
        return wholes.according(said, it)
    return wholes.in_place(said, mention, it)


def side(
    asked: Followup,
    subject: Antecedent,
    content: Sequence[str],
    mention: ReferringWords | None = None,
) -> str:
    """Name the side of a document, or the relation of a term, that is asked for; empty else.

    A sentence in which a word refers to the document keeps its own words.
    """
    if subject.reference is None:
        return wholes.relation(asked.said, content, mention)
    return "" if mention and asked.said.has_verb else wholes.asked_word(asked.said, content)


def asks_more(asked: Followup, rest: Sequence[str]) -> bool:
    """Tell whether words without content ask for more than what something says: 'who', 'why'."""
    pack = asked.pack
    return any(
        (pack.has("grammar.verbs", word) or pack.has("grammar.asks", word))
        and not pack.has("grammar.fillers", word)
        for word in rest
    )


def noun_phrase(said: FollowUpText) -> str:
    """Return a fragment without its article, fillers behind it and closing punctuation."""
    pack, at, end = said.pack, phrase_start(said), len(said.words)
    while end > at + 1 and (
        pack.is_closed(said.low[end - 1]) or pack.has("grammar.fillers", said.low[end - 1])
    ):
        end -= 1
    return said.text[said.words[at].start : said.words[end - 1].end]


def phrase_start(said: FollowUpText) -> int:
    """Return where a phrase begins behind its article or preposition."""
    roles = (
        "refers.articles",
        "refers.indefinite",
        "refers.about",
        "refers.of",
        "grammar.function",
    )
    begins = (
        at
        for at, word in enumerate(said.low)
        if not any(said.pack.has(role, word) for role in roles)
    )
    return next(begins, len(said.words) - 1)


def _rest(said: FollowUpText, mention: ReferringWords) -> list[str]:
    """The words beside those that refer."""
    away = range(mention.first, mention.end)
    return [word for at, word in enumerate(said.low) if at not in away]


def _clause_behind(said: FollowUpText, mention: ReferringWords) -> FollowUpText | None:
    """Return what follows a clause that does no more than refer: 'the last one: how long ...'."""
    end = next(at for at in range(mention.end - 1, len(said.words)) if said.words[at].breaks)
    beside = [said.low[at] for at in range(end + 1) if not mention.first <= at < mention.end]
    if end + 1 >= len(said.words) or any(map(said.pack.is_content, beside)):
        return None
    if any(said.pack.has("grammar.asks", word) for word in beside):
        return None
    return said.after(end + 1)
