"""Whole units of documents as quotes: what passages say from end to end, or some of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from elysia_guard.domain.document import Hit, Passage
from elysia_guard.domain.draft import Quote
from elysia_guard.language.sentences import (
    Unit,
    announces,
    ends_in_list,
    is_item,
    laid_out,
    leads,
    paragraphs,
    whole,
)
from elysia_guard.stages.answering.citing import CitedSources

MAX_QUOTED_CHARS = 4_000
"""That a reply shows of one document, unless its first unit alone has more."""
_WITHIN = " > "


class Placed(NamedTuple):
    """A unit in its passage."""

    passage: Passage
    at: int

    @property
    def text(self) -> str:
        """Its words, as they stand in the passage."""
        return units_in(self.passage)[self.at].text

    @property
    def above(self) -> list[Placed]:
        """What introduces it, the outermost first."""
        return [Placed(self.passage, lead) for lead in leads(units_in(self.passage), self.at)]

    @property
    def announces(self) -> bool:
        """Whether it says that it goes on."""
        return announces(self.text, self.passage.document.lang)


class Portion(NamedTuple):
    """As much of what is told from end to end as a reply holds, and how many units follow it."""

    units: list[Placed]
    left: int


def units_in(passage: Passage) -> tuple[Unit, ...]:
    """Return the units of a passage that are shown whole: paragraphs, items, blocks of code."""
    return paragraphs(passage.text, passage.document.lang)


def portions(passages: Sequence[Passage]) -> list[Portion]:
    """Share out all that some passages say, whole units in their order, over replies.

    What introduces a list goes with it: it is no portion's last unit, and stands above the rest of
    the list again.
    """
    every = list(_from_end_to_end(passages))
    found: list[list[Placed]] = []
    length = 0
    for number, unit in enumerate(every):
        length += len(unit.text)
        if not found or length > MAX_QUOTED_CHARS:
            moved: list[Placed] = []
            while found and len(found[-1]) > 1 and found[-1][-1].announces:
                moved.insert(0, found[-1].pop())
            first = [*moved, unit][0]
            found.append([*(first.above if number else ()), *moved])
            length = _length([*found[-1], unit])
        found[-1].append(unit)
    places = [every.index(portion[-1]) for portion in found]
    return [
        Portion(units, len(every) - 1 - place) for units, place in zip(found, places, strict=True)
    ]


def quotes_in(
    units: Sequence[Placed], sources: CitedSources, *, headed: str | None = None
) -> tuple[Quote, ...]:
    """Quote units from end to end, each section under its heading, but that of ``headed``."""
    sections = ["" if headed is None else headed, *(unit.passage.section for unit in units)]
    return tuple(
        Quote(
            text=unit.text,
            source=sources.cite(unit.passage, unit.text),
            under=_beneath(before, here),
        )
        for unit, (before, here) in zip(units, itertools.pairwise(sections), strict=True)
    )


def quotes_of(
    chosen: Sequence[tuple[Passage, str]],
    sources: CitedSources,
    found: Sequence[Hit] = (),
    beside: Iterable[Passage] = (),
) -> tuple[tuple[Quote, ...], int]:
    """Quote units with what introduces them, and as much as a reply holds of what that introduces.

    ``chosen`` are sentences or units as texts, in the order in which they are told; ``found`` tells
    how near they are, and in the passages ``beside`` a list may go on.

    Returns:
        The quotes, and how many units that belong to them are not shown.
    """
    hits = {hit.passage.id: hit for hit in found}
    known = (*beside, *(hit.passage for hit in found))
    at_hand = {(item.document.id, item.position): item for item in known}
    units = dict.fromkeys(unit_of(passage, text) for passage, text in chosen)
    above = (_first(each, at_hand) for unit in units if unit for each in (*unit.above, unit))
    starts = dict.fromkeys(above)
    every = dict.fromkeys(_first(each, at_hand) for at in starts for each in _run(at, at_hand))
    free = MAX_QUOTED_CHARS - _length(list(starts))
    shown: list[Placed] = []
    for unit in every:
        free -= 0 if unit in starts else len(unit.text)
        if unit in starts or free >= 0:
            shown.append(unit)
    said = frozenset(text.strip() for _, text in chosen)
    return tuple(_quoted(shown, sources, hits, said)), len(every) - len(shown)


def _quoted(
    units: Sequence[Placed], sources: CitedSources, hits: Mapping[str, Hit], said: frozenset[str]
) -> Iterator[Quote]:
    """Quote units, an item that nothing above it introduces under the heading that does.

    Of a paragraph the sentences are marked that are ``said``, unless all of them are.
    """
    last = ""
    for unit in units:
        passage, (text, block, lead) = unit.passage, units_in(unit.passage)[unit.at]
        section = passage.section
        heads = (is_item(text) and lead is None) or last
        under = section.rpartition(_WITHIN)[2] if heads and section != last else ""
        last = section if heads else ""
        number = sources.cite(passage, text, hits.get(passage.id))
        laid = laid_out(passage.text, passage.document.lang)
        sentences = [each.text.strip() for each in laid if each.block == block]
        marked = tuple(each for each in sentences if each in said)
        marked = marked if len(marked) < len(sentences) else ()
        yield Quote(text=text, source=number, under=under, marked=marked)


def unit_of(passage: Passage, text: str) -> Placed | None:
    """The first unit of a passage that a sentence stands in, or that is the text; None if none."""
    units, wanted = units_in(passage), text.strip()
    known = (*laid_out(passage.text, passage.document.lang), *units)
    block = next((each.block for each in known if each.text.strip() == wanted), None)
    return next((Placed(passage, at) for at, unit in enumerate(units) if unit.block == block), None)


def _first(unit: Placed, at_hand: Mapping[tuple[str, int], Passage]) -> Placed:
    """Return where a unit stands first that stands above a further part of its list again."""
    while before := at_hand.get((unit.passage.document.id, unit.passage.position - 1)):
        last = Placed(before, len(units_in(before)) - 1)
        if last.at < 0 or unit.at >= _told_again(last, unit.passage):
            break
        unit = (*last.above, last)[unit.at]
    return unit


def _run(start: Placed, at_hand: Mapping[tuple[str, int], Passage]) -> Iterator[Placed]:
    """Yield a unit with all that it introduces, also in the passages that follow."""
    passage, again, chosen = start.passage, 0, [start.at]
    while True:
        units, lang = units_in(passage), passage.document.lang
        places = [at for at in whole(units, chosen, lang) if at >= again]
        yield from (Placed(passage, at) for at in places)
        behind = at_hand.get((passage.document.id, passage.position + 1))
        goes_on = places[-1:] == [len(units) - 1] and ends_in_list(units, lang)
        if behind is None or not goes_on:
            return
        again = _told_again(Placed(passage, len(units) - 1), behind)
        passage, chosen = behind, list(range(again))


def _from_end_to_end(passages: Sequence[Passage]) -> Iterator[Placed]:
    """Yield all units; what introduces a list that goes on in the next passage stands there again.

    It is told once.
    """
    last: Placed | None = None
    for passage in passages:
        again = _told_again(last, passage) if last else 0
        for at in range(again, len(units_in(passage))):
            last = Placed(passage, at)
            yield last


def _told_again(last: Placed, passage: Passage) -> int:
    """Return how many units at the head of a passage introduced the last unit before it."""
    if passage.section != last.passage.section:
        return 0
    pairs = zip(units_in(passage), (*last.above, last), strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0].text == pair[1].text, pairs))


def _beneath(before: str, section: str) -> str:
    """Return the headings of a section that are not those of the section before it."""
    if section == before:
        return ""
    path, known = section.split(_WITHIN), before.split(_WITHIN)
    same = next(
        (n for n, pair in enumerate(zip(path, known, strict=False)) if pair[0] != pair[1]),
        len(known),
    )
    return _WITHIN.join(path[same:] or path[-1:])


def _length(units: Sequence[Placed]) -> int:
    return sum(len(unit.text) for unit in units)
