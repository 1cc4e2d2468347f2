"""What is asked of a named document: a fact about itself, a side of it, the whole, or a matter.

What counts is not the word but what it is asked of. 'When was ADR-16 accepted' asks for a fact
about the document, 'until what date does ADR-16 allow TLS 1.2' for a matter that it speaks of. In
doubt it is a matter: the text is searched, and what it does not say is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.question import Aspect, Lang, Reference
from elysia_guard.domain.reading import Named
from elysia_guard.reading.asked_clauses import SIDES
from elysia_guard.reading.asked_words import Span
from elysia_guard.reading.asking import Asking
from elysia_guard.reading.matters import matter_of

MOST_BESIDE = 3
"""Words of content that a question for a fact may have: 'for a slide', who approved it."""


def asked_of(text: str, *, lang: Lang, spans: Sequence[Span]) -> tuple[Aspect, str]:
    """Return what a question asks of the documents that it names, and the matter, in its words.

    ``spans`` are where the documents stand in ``text``. A fact that is asked of the document has
    no matter: its status, date, owner or version. What is asked of an approval record beside who
    and when has one, so may a side of a document. Neither aspect nor matter: the whole is asked.

    >>> asked_of("When was ADR-16 accepted?", lang="en", spans=[(9, 15)])
    (<Aspect.DATE: 'date'>, '')
    >>> asked_of("How long does ADR-16 allow TLS 1.2?", lang="en", spans=[(14, 20)])
    (<Aspect.SUBSTANCE: 'substance'>, 'long allow TLS 1.2')
    """
    return _asked_of(Asking(text, lang, spans))


def named(
    text: str, *, lang: Lang, references: Sequence[Reference], spans: Sequence[Span]
) -> Named:
    """Read a question for the documents that it names at some spans.

    Where their approval is asked for, the references are those of the approval records.
    """
    asking = Asking(text, lang, spans)
    aspect, matter = _asked_of(asking)
    asked = tuple(
        replace(item, approval=item.approval or aspect is Aspect.APPROVAL) for item in references
    )
    dated = bool(matter) and _is_dated(asking)
    return Named(references=asked, aspect=aspect, matter=matter, dated=dated)


def _asked_of(asking: Asking) -> tuple[Aspect, str]:
    if asking.clauses.any(range(len(asking.clauses.words)), "record"):
        return Aspect.APPROVAL, matter_of(asking, Aspect.APPROVAL)
    if side := _side(asking):
        if side is Aspect.CONTEXT and asking.names_version:
            side = Aspect.APPROVAL  # why a version was withdrawn stands where it was judged
        return side, matter_of(asking, side)
    if fact := _fact(asking):
        return fact, ""
    aspect = Aspect.APPROVAL if _is_of_approval(asking) else Aspect.SUBSTANCE
    return aspect, matter_of(asking, aspect)


def _side(asking: Asking) -> Aspect | None:
    """The side of the document that is asked for."""
    has, here = asking.clauses.has, asking.here
    nouns = [at for at in here if has(at, *SIDES) and not asking.clauses.is_modified(at)]
    sides = (aspect for at in nouns for role, aspect in SIDES.items() if has(at, role))
    return next(sides, Aspect.CONTEXT if asking.clauses.any(here, "why") else None)


def _fact(asking: Asking) -> Aspect | None:
    """The fact about the document itself that is asked for."""
    found = _kind_of_fact(asking)
    if found is None or asking.is_of_matter:
        return None
    clauses, here = asking.clauses, asking.here
    if close := [at for at in here if at in asking.close]:
        return found if _is_beside_it(asking, found, close) else None
    doubtful = asking.content or asking.around or any(map(clauses.is_place, clauses.named))
    return None if doubtful or clauses.any(here, "point") else found


def _kind_of_fact(asking: Asking) -> Aspect | None:
    """Which fact the words of the clause ask for, whatever it is of."""
    clauses, here = asking.clauses, asking.here
    words = clauses.words
    mine = [at for at in asking.telling if at in here and not clauses.is_modified(at)]
    roles = set().union(*(words[at].roles for at in here))
    own = set().union(*(words[at].roles for at in mine))
    by = bool(roles & {"who", "somebody", "body", "by"}) or _ends_by(asking)
    approved = bool(own & {"approve", "approval"}) or clauses.any(asking.close, "approval")
    if "driver" in own:
        return Aspect.DRIVER
    if "owner" in own or ("own" in own and by) or ("whose" in roles and not approved):
        return Aspect.OWNER
    if "approval" in own or (approved and (by or "whose" in roles) and "date" not in roles):
        return Aspect.APPROVAL
    if roles & {"when", "date"}:
        return Aspect.DATE
    if "version" in own:
        return Aspect.VERSION
    if by:
        return None  # 'who objected to the first draft' asks for somebody
    return Aspect.STATUS if own & {"state", "status", "approve", "rely"} else None


def _ends_by(asking: Asking) -> bool:
    """'Approved? If so by': whoever did it is asked for."""
    clauses = asking.clauses
    places = range(len(clauses.words))
    return any(clauses.has(at, "agent") and not clauses.together(at + 1, at) for at in places)


def _is_beside_it(asking: Asking, fact: Aspect, close: Sequence[int]) -> bool:
    """Tell whether what else the clause says leaves it a question for a fact."""
    adjuncts = asking.adjuncts
    bare = len(asking.content) - len(adjuncts)
    if asking.content and asking.clauses.any(asking.here, "point"):
        return False  # 'until what date does it allow TLS 1.2'
    if fact is Aspect.DATE and asking.clauses.any(close, "approve"):
        return len(asking.content) <= MOST_BESIDE  # who approved it, and where
    if fact is Aspect.APPROVAL:
        return not bare and len(adjuncts) <= MOST_BESIDE
    if fact is Aspect.STATUS:
        return bare <= 1 and not _has_scope(asking)
    return bare <= 1 and len(adjuncts) <= MOST_BESIDE


def _has_scope(asking: Asking) -> bool:
    """Tell whether it asks for whom or what the document counts: 'does it apply to contractors'."""
    is_adjunct, words = asking.clauses.is_adjunct, asking.clauses.words
    meant = [at for at in asking.here if words[at].is_content and is_adjunct(at, "purpose")]
    return bool(meant) or any(not is_adjunct(at, "agent") for at in asking.adjuncts)


def _is_of_approval(asking: Asking) -> bool:
    """Tell whether more of the approval of the document is asked than who and when."""
    clauses = asking.clauses
    approves = [at for at in asking.close if clauses.has(at, "approve")]
    if any(clauses.has(at + 1, "of") for at in approves):
        return True  # 'I believe the approval of ADR-16 had something on it'
    matter = any(map(clauses.is_place, clauses.named)) or clauses.any(asking.here, "point")
    return bool(approves) and not asking.rivals and not matter and not asking.is_rule


def _is_dated(asking: Asking) -> bool:
    """Tell whether a day in the calendar is asked for: 'by what date', but not 'when'."""
    has, here = asking.clauses.has, asking.here
    if asking.clauses.any(here, "date"):
        return asking.clauses.any(here, "what")
    points = any(has(at, "point") and has(at + 1, "what", "when") for at in here)
    return points and asking.clauses.any(here, "when")
