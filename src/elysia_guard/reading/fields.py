"""What is asked of a named document: a fact about itself, a side of it, the whole, or a matter.

What counts is not the word but what it is asked of. 'When was ADR-16 accepted' asks for a fact
about the document, 'until what date does ADR-16 allow TLS 1.2' for a matter that it speaks of. In
doubt it is a matter: the text is searched, and what it does not say is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from elysia_guard.domain.question import STATED, Aspect, Lang, Reference
from elysia_guard.domain.reading import Named
from elysia_guard.reading.asked_about import FACTS, SIDES, STATES, Asking, asking_of
from elysia_guard.reading.asked_beyond import asks_another, asks_beyond
from elysia_guard.reading.asked_words import Span
from elysia_guard.reading.matters import does_unknown, matter_beside, matter_of

MOST_BESIDE = 3
"""Words of content that a question for a fact may have: 'for a slide', who approved it."""


def named(
    text: str, *, lang: Lang, references: Sequence[Reference], spans: Sequence[Span]
) -> Named:
    """Read a question for the documents that it names at some spans.

    A fact that is asked of the document has no matter: its status, date, owner or version. What
    is asked of an approval record beside who and when has one, so may a side of a document, in the
    words of the question. Neither aspect nor matter: the whole is asked. Where the approval is
    asked for, the references are those of the approval records.

    >>> read = named("When was ADR-16 accepted?", lang="en", references=[], spans=[(9, 15)])
    >>> read.aspect
    <Aspect.DATE: 'date'>
    >>> named("How long does it allow TLS?", lang="en", references=[], spans=[(14, 16)]).matter
    'allow TLS'
    """
    asking = asking_of(text, lang, tuple(spans))
    aspect, is_fact = _aspect(asking)
    matter = "" if is_fact else matter_of(asking, aspect)
    asked = tuple(
        replace(item, approval=item.approval or aspect is Aspect.APPROVAL) for item in references
    )
    dated = bool(matter) and _is_dated(asking)
    more = aspect in STATED and bool(asking.content or asking.around)
    beside = not matter and (more or does_unknown(asking) or asks_beyond(asking, aspect))
    return Named(
        references=asked,
        aspect=aspect,
        matter=matter,
        dated=dated,
        beside=beside,
        another=not matter and asks_another(asking),
    )


def side_sought(text: str, lang: Lang) -> tuple[Aspect, str]:
    """Return which side a question asks for of documents that it does not name, and of what matter.

    Where it asks for none, or of nothing, no matter.

    >>> side_sought("What are the drawbacks of an event broker?", "en")
    (<Aspect.CONSEQUENCES: 'consequences'>, 'event broker')
    """
    asking = asking_of(text, lang)
    if not asking.any(asking.all, *SIDES):
        return Aspect.SUBSTANCE, ""
    nouns = (at for at in asking.here if asking.is_of_matter(at))
    sides = (SIDES[role] for at in nouns for role in SIDES if asking.has(at, role))
    side = next(sides, None)
    return (side, matter_beside(asking, side)) if side else (Aspect.SUBSTANCE, "")


def aspect_sought(text: str, lang: Lang) -> Aspect:
    """Return what of documents a question asks for that names none."""
    return _aspect(asking_of(text, lang))[0]


def _aspect(asking: Asking) -> tuple[Aspect, bool]:
    """What is asked for, and whether it is a fact about the document itself."""
    if asking.any(asking.all, "record"):
        return Aspect.APPROVAL, False
    if side := _side(asking):
        if side is Aspect.CONTEXT and (asking.names_version or _names_approval(asking)):
            side = Aspect.APPROVAL  # why a version was withdrawn stands where it was judged
        return side, False
    if fact := _fact(asking):
        return fact, True
    return Aspect.APPROVAL if _is_of_approval(asking) else Aspect.SUBSTANCE, False


def _side(asking: Asking) -> Aspect | None:
    """The side of the document that is asked for."""
    has, here = asking.has, asking.here
    nouns = [at for at in here if has(at, *SIDES) and not asking.is_modified(at)]
    sides = (aspect for at in nouns for role, aspect in SIDES.items() if has(at, role))
    return next(sides, Aspect.CONTEXT if asking.any(here, "why") else None)


def _fact(asking: Asking) -> Aspect | None:
    """The fact about the document itself that is asked for."""
    found = _kind_of_fact(asking)
    if found is None or _is_of_matter(asking):
        return None
    if found is Aspect.STATUS and (asking.is_doing or _is_between(asking)):
        return None
    if close := [at for at in asking.here if at in asking.close]:
        return found if _is_beside_it(asking, found, close) else None
    doubtful = asking.content or asking.around or any(map(asking.is_place, asking.named))
    return None if doubtful or asking.any(asking.here, "point") else found


def _is_between(asking: Asking) -> bool:
    """'Does ADR-3 replace ADR-6?' asks for no status; 'was it replaced by ADR-6?' does."""
    between = range(min(asking.named, default=0), max(asking.named, default=0))
    return asking.any(between, "rely", "happen", "end") and not asking.any(between, "agent")


def _is_of_matter(asking: Asking) -> bool:
    """Tell whether what is asked for is said of something else than the document, or a rule."""
    here = asking.here
    mine = [at for at in asking.telling if at in here]
    nouns = [at for at in here if asking.has(at, *FACTS)]
    if any(asking.has(at, "what", "possessive") and asking.is_content(at + 1, at) for at in here):
        return True  # 'which naming pattern', 'when is its next review'
    modified = asking.is_modified
    return any(map(modified, nouns)) or all(map(modified, mine)) or asking.is_rule


def _kind_of_fact(asking: Asking) -> Aspect | None:
    """Which fact the words of the clause ask for, whatever it is of."""
    words, here = asking.words, asking.here
    mine = [at for at in asking.telling if at in here and not asking.is_modified(at)]
    roles = set().union(*(words[at].roles for at in here))
    own = set().union(*(words[at].roles for at in mine))
    by = bool(roles & {"who", "somebody", "body", "by"})
    approved = bool(own & {"approve", "approval"}) or asking.any(asking.close, "approval")
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
    return Aspect.STATUS if own & {*STATES, "status", "approve", "rely"} else None


def _is_beside_it(asking: Asking, fact: Aspect, close: Sequence[int]) -> bool:
    """Tell whether what else the clause says leaves it a question for a fact."""
    if asking.content and asking.any(asking.here, "point"):
        return False  # 'until what date does it allow TLS 1.2'
    if fact is Aspect.DATE and asking.any(close, "approve"):
        return len(asking.content) <= MOST_BESIDE  # who approved it, and where
    adjuncts = [at for at in asking.content if asking.is_adjunct(at)]
    bare = len(asking.content) - len(adjuncts)
    if fact is Aspect.STATUS:
        # 'Does it apply to contractors' asks for a matter, 'the approval of it' is more.
        return bare <= 1 and not adjuncts and not _names_approval(asking)
    return bare <= (fact is Aspect.VERSION) and len(adjuncts) <= MOST_BESIDE


def _names_approval(asking: Asking) -> bool:
    """'May he send it back? I believe the approval of ADR-16 had something on it': it is named."""
    return any(asking.has(at, "approve") and asking.has(at + 1, "of") for at in asking.close)


def _is_of_approval(asking: Asking) -> bool:
    """Tell whether more of the approval of the document is asked than who and when."""
    approving = any(at in asking.here for at in asking.close if asking.has(at, "approve"))
    approves = approving or _names_approval(asking)
    matter = any(map(asking.is_place, asking.named)) or asking.any(asking.here, "point")
    return approves and not matter and not asking.is_rule


def _is_dated(asking: Asking) -> bool:
    """Tell whether a day in the calendar is asked for: 'by what date', but not 'when'."""
    has, here = asking.has, asking.here
    if asking.any(here, "date"):
        return asking.any(here, "what")
    points = any(has(at, "point") and has(at + 1, "what", "when") for at in here)
    return points and asking.any(here, "when")
