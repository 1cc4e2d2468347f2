"""Why there is no answer, in the reader's words, and which ways on there are."""

from __future__ import annotations

from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.own_kinds import in_house
from elysia_guard.domain.reading import Definition, Search
from elysia_guard.domain.refusal import NOT_ASKED, RefusalReason, Suggestion
from elysia_guard.domain.scope import VocabularyUse
from elysia_guard.language.catalogue import called, has, say
from elysia_guard.language.lists import way_on
from elysia_guard.language.text import clean

MOST_NAMED, LONGEST_NAME = 12, 60
"""Of collections that are none of ours, as the caller wrote them."""


def why(inquiry: Inquiry) -> str:
    """Say why not, and where a term was asked for in vain, that nothing could define it."""
    verdict, evidence, question = inquiry.decided(), inquiry.evidence, inquiry.question
    reason = verdict.reason or RefusalReason.NO_RESULTS
    variant = verdict.details.get("variant", "")
    key, thing = _key(f"refusal.{reason}", variant)
    into = inquiry.asks.into if isinstance(inquiry.asks, Definition) else ""
    failed = next((item for item in verdict.readings if not item.passed), None)
    text = told(
        key,
        inquiry,
        subject=verdict.subject,
        thing=say(question.lang, thing) if thing else "",
        source=evidence.looked_at[0] if evidence.looked_at else "",
        language=called(question.lang, into) if into else "",
        value=failed.value if failed else "",
        threshold=failed.threshold if failed else "",
    )
    if isinstance(inquiry.asks, Search) and (term := inquiry.asks.meaning_of):
        key = f"refusal.undefined_{question.scope.vocabulary}"
        return f"{say(question.lang, key, term=term)} {text}"
    return text


def _key(reason: str, variant: str) -> tuple[str, str]:
    """Name the message that says a reason best, and what of the question was not found."""
    if has(f"{reason}_{variant}"):
        return f"{reason}_{variant}", ""
    thing = f"thing.{variant.removeprefix('entity_')}"
    if not has(thing):
        return reason, ""
    return f"{reason}_{'entity' if variant.startswith('entity_') else 'near'}", thing


def told(key: str, inquiry: Inquiry, **values: object) -> str:
    """Say something of what there is; to a question that may not reach all, only of what it may.

    'It does not exist' would be false of what lies outside, 'it lies outside' would reveal it.
    """
    lang, scope = inquiry.question.lang, inquiry.question.scope
    if has(f"{key}_none") and scope.vocabulary is VocabularyUse.NONE:
        return say(lang, f"{key}_none", **values)
    if has(f"{key}_scoped") and scope.is_restricted:
        return say(lang, f"{key}_scoped", collections=collections(inquiry), **values)
    return say(lang, key, **values)


def collections(inquiry: Inquiry) -> str:
    """Name what a restricted question may reach; where that is nothing, what was asked for."""
    lang, scope = inquiry.question.lang, inquiry.question.scope
    named = [say(lang, f"list.{kind}_many") for kind in scope.kinds or ()]
    if scope.defines:
        named.append(say(lang, "kind.terms"))
    told = named or [clean(name)[:LONGEST_NAME] for name in scope.asked[:MOST_NAMED]]
    return ", ".join(told) or say(lang, "kind.nothing")


def looked_at(inquiry: Inquiry) -> str:
    """Name the sources that were asked: kinds of documents in the reader's language, or by name."""
    lang, terms = inquiry.question.lang, isinstance(inquiry.asks, Definition)
    named = {kind.value: say(lang, f"list.{kind}_many") for kind in in_house().every}
    return ", ".join(
        named.get(name) or (say(lang, "kind.vocabulary", name=name) if terms else name)
        for name in inquiry.evidence.looked_at
        if name
    )


def ways_on(inquiry: Inquiry, suggestions: tuple[Suggestion, ...]) -> list[str]:
    """List what can be asked instead, and what to do where that does not help."""
    lang = inquiry.question.lang
    # Numbered, so that the next message may pick one by its place.
    lines = [way_on(place, item, lang) for place, item in enumerate(suggestions, start=1)]
    return [*lines, *(f"- {line}" for line in _otherwise(inquiry))]


def _otherwise(inquiry: Inquiry) -> list[str]:
    """Ask what an unknown term means to the reader; else propose other words, or to come back."""
    lang, verdict, evidence = inquiry.question.lang, inquiry.decided(), inquiry.evidence
    if verdict.reason in NOT_ASKED:
        return [say(lang, "suggest.later")]
    unknown = verdict.reason is RefusalReason.TERMINOLOGY_NOT_FOUND
    if not unknown or verdict.details.get("variant") or not inquiry.question.scope.defines:
        return [say(lang, "suggest.rephrase")]
    named = {"term": verdict.subject, "source": evidence.looked_at[0] if evidence.looked_at else ""}
    return [say(lang, f"suggest.{key}", **named) for key in ("clarify", "propose")]
