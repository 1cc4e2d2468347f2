"""The caveat of a hedged reply, so that it cannot be read over."""

from __future__ import annotations

from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse, ReplyOutcome
from elysia_guard.language.catalogue import say


def emphasised(reply: RAGResponse) -> str:
    """Return the answer with its caveat in bold behind the mark of what is hedged.

    In a question of several parts each that is hedged has its own; any other reply is as it was.
    """
    return marked(reply.answer, reply.lang)


def marked(text: str, lang: Lang) -> str:
    """Return what an answer says, or begins with, with its caveat as in ``emphasised``."""
    caveat = say(lang, "transparency.hedged")
    return text.replace(caveat, _bold(caveat))


def hedge(reply: RAGResponse) -> str:
    """Return the caveat of a hedged reply in its language, in bold; empty of any other reply."""
    if reply.outcome is not ReplyOutcome.HEDGED:
        return ""
    return _bold(say(reply.lang, "transparency.hedged"))


def _bold(caveat: str) -> str:
    return f"**{ReplyOutcome.HEDGED.mark} {caveat}**"
