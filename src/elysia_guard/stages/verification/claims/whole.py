"""A sentence that is its source's, completed by what its words are told with there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from elysia_guard.domain.claim import Claim, Support, Told
from elysia_guard.domain.question import Lang
from elysia_guard.language.coverage import query_terms
from elysia_guard.language.verbatim import found_in
from elysia_guard.stages.verification.claims.context import Context, context_of, is_of_document

Used = Sequence[tuple[int, str]]
"""Parts of sources that say a sentence, in its order, each with the number of its source."""
_MARKER = re.compile(r"\A\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+")
_ENDS = tuple(".!?:;")


def completed(claim: Claim, used: Used, told: Sequence[Told], *, longest: int) -> Claim | None:
    """Return a sentence with what it is told with; None where it cannot be told so.

    What a part of it belongs to stands directly before that part, as it does in the source: in the
    sentence itself, or put before all of it. The words that are put to it are words that it rests
    on. A heading that narrows it stands in front, unless it has the words of it.

    Args:
        claim: the sentence.
        used: what says it.
        told: the sources.
        longest: characters; what would be longer is told not at all.
    """
    contexts = [_context_of(each, told) for each in used]
    if not used or not all(_is_held(at, used, contexts) for at in range(len(used))):
        return None
    if len({number for number, _ in used}) > 1 and any(_is_bound(each, told) for each in used):
        return None
    first, last = contexts[0], contexts[-1]
    before, behind = first.before if first else (), last.behind if last else ()
    body = " ".join([*_put(before), claim.text, *_put(behind)])
    number, part = used[0]
    text = f"{_heading(body, told[number - 1]) or _name(part, claim, told[number - 1])}{body}"
    if len(text) > longest:
        return None
    more = [*((used[0][0], part) for part in before), *((used[-1][0], part) for part in behind)]
    return replace(claim, text=text, supports=(*claim.supports, *_unnamed(more, claim)))


def informed(claim: Claim, found: Used, told: Sequence[Told]) -> Claim:
    """Return a sentence that rests on what its words are told with as well; it says the same."""
    contexts = [(number, _context_of((number, part), told)) for number, part in found]
    around = [
        (number, part) for number, each in contexts if each for part in (*each.before, *each.behind)
    ]
    return replace(claim, supports=(*claim.supports, *_unnamed(around, claim)))


def _context_of(used: tuple[int, str], told: Sequence[Told]) -> Context | None:
    number, part = used
    source = told[number - 1]
    return context_of(part, source.text, source.lang)


def _is_held(at: int, used: Used, contexts: Sequence[Context | None]) -> bool:
    """Whether what a part belongs to stands beside it, where other parts stand beside it."""
    context, (number, _) = contexts[at], used[at]
    if context is None:
        return False
    prior = contexts[at - 1]
    # Items of one list are both under what introduces it, which stands in front of the first.
    listed = prior is not None and used[at - 1][0] == number and prior.before == context.before
    before = at == 0 or not context.before or listed or used[at - 1] == (number, context.before[-1])
    ends = at == len(used) - 1
    return before and (ends or not context.behind or used[at + 1] == (number, context.behind[0]))


def _is_bound(used: tuple[int, str], told: Sequence[Told]) -> bool:
    """Whether a part is told under a heading or a name, which says nothing of other sources."""
    source = told[used[0] - 1]
    return bool(source.heading) or is_of_document(used[1], source.lang)


def _put(parts: Sequence[str]) -> Iterator[str]:
    """Parts of a source as they stand in a sentence: without markers, a row as its cells."""
    for part in parts:
        bare = _MARKER.sub("", part).strip()
        cells = [cell.strip() for cell in bare.strip("|").split("|")]
        text = " | ".join(filter(None, cells)) if bare.startswith("|") else bare
        yield text if text.endswith(_ENDS) else f"{text}:"


def _heading(text: str, source: Told) -> str:
    """The heading that narrows a sentence, where the sentence does not say it."""
    lang: Lang = source.lang
    is_said = not source.heading or query_terms(source.heading, lang).coverage(text, lang) >= 1.0
    return "" if is_said else f"{source.heading}: "


def _name(part: str, claim: Claim, source: Told) -> str:
    """The name of a document that its own sentence points at: 'This decision replaces ...'."""
    name = next(iter((*source.identifiers, source.title)), "")
    is_said = not name or name.casefold() in claim.text.casefold()
    return "" if is_said or not is_of_document(part, source.lang) else f"{name}: "


def _unnamed(parts: Used, claim: Claim) -> Iterator[Support]:
    """What a sentence does not name yet of what it rests on."""
    for number, part in dict.fromkeys(parts):
        named = [each.words for each in claim.supports if each.source == number]
        if not found_in(part, named):
            yield Support(source=number, words=part)
