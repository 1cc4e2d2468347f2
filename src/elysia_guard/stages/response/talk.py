"""What is said to small talk: fixed texts that claim nothing, and name only what there is."""

from __future__ import annotations

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.domain.refusal import Examples
from elysia_guard.language.catalogue import say


def offer(examples: Examples, lang: Lang) -> str:
    """Say what can be asked about."""
    kinds = [say(lang, f"talk.a_{kind.value}") for kind in examples.kinds]
    *others, last = ([say(lang, "talk.a_term")] if examples.term else []) + kinds or [""]
    if not last:
        return say(lang, "talk.offer_any")
    things = say(lang, "list.or", first=", ".join(others), last=last) if others else last
    return say(lang, "talk.offer", things=things)


def help_text(examples: Examples, lang: Lang) -> str:
    """List what can be asked, each with an example that would be answered."""
    lines = [say(lang, "talk.help_open")]
    if listed := [kind for kind in examples.kinds if kind.is_numbered]:
        asked = say(lang, f"suggest.list_{listed[-1].value}")
        lines.insert(0, say(lang, "talk.help_list", question=asked))
    if examples.document and examples.named:
        lines.insert(0, say(lang, "talk.help_document", question=_about(examples.document, lang)))
    if examples.term:
        asked = say(lang, "suggest.define", term=examples.term)
        lines.insert(0, say(lang, "talk.help_term", question=asked))
    return "\n\n".join((say(lang, "talk.help"), "\n".join(f"- {line}" for line in lines)))


def _about(document: Document, lang: Lang) -> str:
    verb = "decision" if document.kind.like == DocumentKind.DECISION else "document"
    return say(lang, f"suggest.{verb}", name=document.name)
