"""What a list holds, in the reader's words: 'principles written in Dutch, since 2024'."""

from __future__ import annotations

from collections.abc import Sequence

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Intent, Lang
from elysia_guard.language.catalogue import say


def listed(intent: Intent, owners: Sequence[str], lang: Lang, *, count: int) -> str:
    """Name the documents of a list by their kind and by what they are restricted to."""
    noun = "record" if intent.scope.approval else _noun(intent.kinds)
    name = say(lang, f"list.{noun}_one" if count == 1 else f"list.{noun}_many")
    restrictions = ", ".join(_restrictions(intent, owners, lang))
    return f"{name} {restrictions}" if restrictions else name


def _noun(kinds: Sequence[DocumentKind]) -> str:
    return kinds[0].value if len(kinds) == 1 else DocumentKind.DOCUMENT.value


def _restrictions(intent: Intent, owners: Sequence[str], lang: Lang) -> list[str]:
    scope = intent.scope
    found = []
    if scope.lang:
        found.append(say(lang, "list.lang", language=say(lang, f"language.{scope.lang}")))
    if scope.statuses:
        found.append(say(lang, "list.status", statuses=_either(scope.statuses, lang)))
    if scope.denied:
        found.append(say(lang, "list.denied", statuses=_either(scope.denied, lang)))
    if owners:
        found.append(say(lang, "list.owner", owners=_either(owners, lang)))
    if scope.since or scope.until:
        found.append(_period(scope.since, scope.until, lang))
    if topic := intent.topic_beside(owners):
        found.append(say(lang, "list.topic", topic=topic))
    return found


def _period(since: str, until: str, lang: Lang) -> str:
    if since == until:
        return say(lang, "list.period", since=since)
    if since and until:
        return say(lang, "list.between", since=since, until=until)
    return say(lang, "list.since", since=since) if since else say(lang, "list.until", until=until)


def _either(names: Sequence[str], lang: Lang) -> str:
    """'deprecated', 'deprecated or rejected'."""
    *others, last = names
    return say(lang, "list.or", first=", ".join(others), last=last) if others else last
