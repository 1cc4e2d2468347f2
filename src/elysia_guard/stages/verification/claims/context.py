"""What a part of a source is to be told with, so that it says alone what it says there.

An item is told under what introduces its list, a row under the head of its table, what points back
with the sentence before it, and a sentence with the next one, if that takes something of it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from elysia_guard.domain.question import Lang
from elysia_guard.language.by_kinds import kept_by_kinds
from elysia_guard.language.claim_words import claim_words
from elysia_guard.language.kinds import names, numbered
from elysia_guard.stages.verification.claims.laid_out import Form, Part, laid_out
from elysia_guard.stages.verification.claims.said import read
from elysia_guard.stages.verification.claims.spoken import spoken

MOST_AROUND = 3
"""So many parts are told before one, and behind it; what needs more is not told alone."""
_CLOSING = ".!?\u2026"
_BESIDE = "*_`\"'\u201d\u00bb)] "
POINTS, BACK, AGAINST, AHEAD = "points", "back", "against", "ahead"


@dataclass(frozen=True, slots=True)
class Context:
    """What is told with a part: parts of the same source, in their order."""

    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()


@kept_by_kinds(maxsize=4_000)
def context_of(part: str, text: str, lang: Lang) -> Context | None:
    """Return what a part of a source is told with; None where it is told with nothing.

    That is where the document does not say it itself, where what it points back at is not in the
    source, and where it stands there several times, under one thing and another.
    """
    parts = laid_out(text, lang)
    found = {_context(at, parts, lang) for at, each in enumerate(parts) if each.text == part}
    return found.pop() if len(found) == 1 else None


def _context(at: int, parts: Sequence[Part], lang: Lang) -> Context | None:
    if parts[at].cited or parts[at].text.rstrip(_BESIDE).endswith("?"):
        return None
    before = _before(at, parts, lang)
    behind = _behind(at, parts, lang)
    if before is None or behind is None:
        return None
    return Context(tuple(parts[n].text for n in before), tuple(parts[n].text for n in behind))


def _before(at: int, parts: Sequence[Part], lang: Lang) -> list[int] | None:
    """The places of what stands before a part and belongs to it; None where that is not there."""
    found: list[int] = []
    while True:
        above = _above(at, parts, lang)
        if above is None:
            return found
        if above < 0 or parts[above].cited or len(found) == MOST_AROUND:
            return None
        found.insert(0, above)
        at = above


def _above(at: int, parts: Sequence[Part], lang: Lang) -> int | None:
    """The place of what a part belongs to; None where it stands by itself, -1 where it is away."""
    part = parts[at]
    begins = at == 0 or parts[at - 1].block != part.block
    if points_back(part.text, lang) and not is_of_document(part.text, lang):
        # What an item or a row points at is said by its list, unless it is in the item itself.
        if begins and part.form is not Form.PROSE:
            introduced = _introduction(at, parts, lang)
            return -1 if introduced is None else introduced
        is_said = at > 0 and parts[at - 1].form is part.form
        return at - 1 if is_said and not _asks(parts[at - 1]) else -1
    if not begins:
        return None
    if part.form is Form.PROSE:
        return at - 1 if at and _leads(parts[at - 1], lang) else None
    return _introduction(at, parts, lang)


def _introduction(at: int, parts: Sequence[Part], lang: Lang) -> int | None:
    """The place of what introduces the list, or heads the table, of a part; else None."""
    part = parts[at]
    for n in range(at - 1, -1, -1):
        other = parts[n]
        if part.form is Form.ROW:
            if other.form is not Form.ROW:
                return n + 1 if n + 1 < at else None
        elif other.form is not Form.ITEM:
            return n if other.form is Form.PROSE and _introduces(other, lang) else None
        elif other.indent < part.indent:
            return _first_of(n, parts)
    return 0 if part.form is Form.ROW and at else None


def _first_of(at: int, parts: Sequence[Part]) -> int:
    return next(n for n, each in enumerate(parts) if each.block == parts[at].block)


def _introduces(part: Part, lang: Lang) -> bool:
    """Whether a part stands before a list as what it is a list of."""
    bare = part.text.rstrip(_BESIDE)
    return not bare.endswith(tuple(_CLOSING)) or _leads(part, lang)


def _leads(part: Part, lang: Lang) -> bool:
    """Whether what a part says goes on in what follows: 'We reject the following.', 'Tests:'."""
    own = spoken(part.text, lang)[0]
    bare = part.text.rstrip(_BESIDE)
    return bare.endswith(":") or bool(claim_words(own).ties[AHEAD].search(part.text))


def _behind(at: int, parts: Sequence[Part], lang: Lang) -> list[int] | None:
    """The places of what follows and takes something of a part back; None where that is long."""
    found: list[int] = []
    while at + 1 < len(parts):
        part, after = parts[at], parts[at + 1]
        follows = after.block == part.block or (part.form is after.form is Form.PROSE)
        if not follows or after.cited or not takes_back(after.text, lang):
            break
        if len(found) == MOST_AROUND:
            return None
        found.append(at + 1)
        at += 1
    return found


def _asks(part: Part) -> bool:
    return part.text.rstrip(_BESIDE).endswith("?")


@lru_cache(maxsize=8_000)
def points_back(text: str, lang: Lang) -> bool:
    """Tell whether a sentence points at the one before it, or takes something of it back."""
    opening, own = _opening(text, lang)
    if text.rstrip(_BESIDE).endswith(":"):
        # 'We do not do this:' points at what follows; 'They are:' does not.
        opening = " ".join(opening.lstrip("*_ ").split()[:1])
    ties = claim_words(own).ties
    return any(ties[name].search(opening) for name in (POINTS, BACK)) or _opposes(text, lang)


@kept_by_kinds(maxsize=8_000)
def is_of_document(text: str, lang: Lang) -> bool:
    """Tell whether a sentence points at its own document: 'This decision replaces ...'."""
    opening, own = _opening(text, lang)
    first, *_ = (*text[len(opening) :].split(), "")
    points = claim_words(own).ties[POINTS].search(opening)
    return bool(points) and any(first.casefold() in names(kind) for kind in numbered())


@lru_cache(maxsize=8_000)
def takes_back(text: str, lang: Lang) -> bool:
    """Tell whether a sentence takes back something of the one before it: 'However, ...'."""
    if _opposes(text, lang):
        return True
    opening, own = _opening(text, lang)
    words = claim_words(own)
    return bool(words.ties[POINTS].search(opening) and words.denies.search(text))


def _opposes(text: str, lang: Lang) -> bool:
    own = spoken(text, lang)[0]
    return bool(claim_words(own).ties[AGAINST].match(text.lstrip("*_ ")))


def _opening(text: str, lang: Lang) -> tuple[str, Lang]:
    """What stands before the first word of content of a sentence, and the language it is in."""
    own = spoken(text, lang)[0]
    said = read(text, own)
    first = next((word for word in said.words if word.is_content), None)
    return text[: first.start] if first else text, own
