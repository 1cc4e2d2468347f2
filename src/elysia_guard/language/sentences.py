"""Cutting text where its sentences end, and passages into units that can be quoted alone.

Where a sentence ends is said by sentencex, which knows the abbreviations of each language. What it
says is held against how texts are written: where the two differ nothing is cut, since two
sentences quoted as one are still true, and half a sentence may not be. A list goes with what
introduces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from elysia_guard.language.pack import either, langs, pack
from elysia_guard.language.phrases import compiled

FENCES: Final = ("```", "~~~", "````")
"""The lines between which a passage holds code; the first that the code itself does not have."""
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_BULLET = re.compile(r"^\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+")
_OPENING = "\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u2039([*_\u00bf\u00a1"
_END = re.compile(r"([.!?\u2026])[\"'\u201d\u201c\u2019\u00bb\u203a)\]*_]*\s+(?=\S)")
_LAST_WORD = re.compile(r"[^\s(\[\"'\u201c\u201e\u2018/]*\Z")
_VOWEL = re.compile(r"[aeiouy\u00e0-\u00f6\u00f8-\u00ff]", re.IGNORECASE)
# 'am 3. Mai', 'Das 20. Jahrhundert', 'Ludwig XIV.'; but 'Nr. 3.' and 'Version 3.' count things.
_ORDINAL = re.compile(
    r"(?:\A\w+ |(?:\A|\s)[^\s.A-Z\u00c0-\u00de][^\s.]* |, |\A)\d{1,2}\.\Z|\b[IVX]+\.\Z"
)
_CLITIC = re.compile(r"['\u2019][a-z]\s+[A-Z]")  # Dutch: 's Avonds, 't Hof
_BEFORE = 400
"""Characters: so much of what stands before a mark is looked at, however long a sentence is."""
_AFTER = 40
"""Characters: so much of what follows tells whether a sentence begins there."""
SHORTEST = 80
"""Characters; a unit that is shorter is embedded together with what follows it."""
_ABBREVIATED = 6
"""Letters: as many has a word before a number that may be an abbreviation ('approx. 5')."""


class Unit(NamedTuple):
    """What can be quoted alone: a sentence, a list item, a table row, or a block of code.

    ``block`` counts the paragraphs, items and blocks of code that a passage is made of. ``lead`` is
    the place of what introduces it: of an item the sentence or item above it, of a sentence within
    an item that item, of code what it follows; None of other sentences, and where a heading alone
    introduces it.
    """

    text: str
    block: int
    lead: int | None = None


@lru_cache(maxsize=4_000)
def units(text: str, lang: str = "") -> tuple[str, ...]:
    """Return the quotable units of a passage as texts, in order; see ``laid_out``."""
    return tuple(unit.text for unit in laid_out(text, lang))


@lru_cache(maxsize=4_000)
def laid_out(text: str, lang: str = "") -> tuple[Unit, ...]:
    """Return the quotable units of a passage, in order.

    Args:
        text: of the passage; what stands in a list keeps its indent, and code its lines.
        lang: the language of the document; without one, the rules of all of ours hold.
    """
    found: list[Unit] = []
    above: list[tuple[int, int]] = []  # the indent and the place of what may introduce an item
    for block, lines in enumerate(_blocks(text)):
        if _FENCE.match(lines):
            found.append(Unit(lines, block, len(found) - 1 if found else None))
            continue
        item = is_item(lines)
        pad = _indent(lines)
        depth = len(pad) if item else len(pad) - 1
        while above and above[-1][0] >= depth:
            above.pop()
        lead = above[-1][1] if above else None
        whole = _squeeze(lines)
        parts = [whole] if item else map(str.rstrip, sentences(whole, lang))
        found += [Unit(pad + part, block, lead) for part in parts if any(map(str.isalnum, part))]
        if found:
            above.append((depth, len(found) - 1))
    return tuple(found)


@lru_cache(maxsize=4_000)
def paragraphs(text: str, lang: str = "") -> tuple[Unit, ...]:
    """Return the units of a passage, the sentences of a paragraph as one; see ``laid_out``."""
    blocks = _blocks(text)
    found: list[Unit] = []
    places: list[int] = []
    for unit in laid_out(text, lang):
        if found and found[-1].block == unit.block:
            lines = blocks[unit.block]
            found[-1] = found[-1]._replace(text=_indent(lines) + _squeeze(lines))
        else:
            found.append(unit._replace(lead=None if unit.lead is None else places[unit.lead]))
        places.append(len(found) - 1)
    return tuple(found)


def announces(unit: str, lang: str = "") -> bool:
    """Tell whether a unit ends in what says that it goes on: a colon, 'because', 'as follows'."""
    return bool(_announcing(lang if lang in langs() else "").search(unit))


@cache
def _announcing(lang: str) -> re.Pattern[str]:
    forms = pack(lang).core.sentences.announces if lang else ()
    said = "|".join(forms) or either(lambda core: core.sentences.announces)
    return compiled(rf"(:|\b({said}))[\s*_]*\Z")


def is_item(unit: str) -> bool:
    """Tell whether a unit is an item of a list, by its marker."""
    return _BULLET.match(unit) is not None


def spans(found: Sequence[str]) -> list[slice]:
    """Group units into what is embedded as one: a short unit goes with what follows it.

    Each is a slice of the units; together they are all of them, in order.
    """
    cuts, length = [0], 0
    for at, unit in enumerate(found):
        if length >= SHORTEST:
            cuts.append(at)
            length = 0
        length += len(unit) + bool(length)
    return [slice(*both) for both in pairwise([*cuts, len(found)])] if found else []


def sentences(text: str, lang: str = "") -> list[str]:
    """Cut a paragraph where its sentences end; the parts, put together, are the paragraph."""
    said = _said(text, lang)
    parts: list[str] = []
    start = 0
    for match in _END.finditer(text):
        end = match.end()
        before = text[max(start, match.end(1) - _BEFORE) : match.end(1)]
        if end in said and not _goes_on(before, text[end : end + _AFTER], lang):
            parts.append(text[start:end])
            start = end
    return [*parts, text[start:]]


def _blocks(text: str) -> list[str]:
    """Join wrapped lines; a blank line, a list marker or fenced code starts a new block."""
    lines = text.splitlines()
    closing = {line.strip(): at for at, line in enumerate(lines) if _FENCE.match(line)}
    blocks: list[list[str]] = []
    fence = ""
    for at, line in enumerate(lines):
        if fence:
            blocks[-1].append(line)
            if line.strip() == fence:
                fence = ""
                blocks.append([])
        elif (opens := _FENCE.match(line)) and closing.get(opens[1], 0) > at:
            fence = opens[1]
            blocks.append([line])
        elif not line.strip():
            blocks.append([])
        elif _BULLET.match(line) or not blocks:
            blocks.append([line])
        else:
            blocks[-1].append(line)
    return ["\n".join(block) for block in blocks if block]


def _said(text: str, lang: str) -> set[int]:
    """Where sentences begin by the rules of a language, or where all of ours agree."""
    spoken = (lang,) if lang else langs()
    return set.intersection(*(_begun(text, each) for each in spoken))


def _begun(text: str, lang: str) -> set[int]:
    from sentencex import segment  # not for a question

    places = set()
    at = 0
    for part in segment(lang, text):
        at += len(part)
        place = at + len(text[at : at + _AFTER]) - len(text[at : at + _AFTER].lstrip())
        while place and text[place - 1] in _OPENING:
            place -= 1
        places.add(place)
    return places


def _goes_on(before: str, after: str, lang: str) -> bool:
    """Tell whether what stands before a mark and after it is written as one sentence."""
    bare = after.lstrip(_OPENING)
    first = next(iter(bare.split(maxsplit=1)), "")
    if first.islower() and not _CLITIC.match(after):
        return True
    if not before.endswith("."):
        return False
    found = _LAST_WORD.search(before[:-1])
    word = found[0] if found else ""
    return (
        not any(char.isalpha() for char in before)
        or (first[:1].isdecimal() and word.isalpha() and len(word) <= _ABBREVIATED)
        or (_has_ordinals(lang) and bool(_ORDINAL.search(before)))
        or _is_short_form(word, before)
    )


def _has_ordinals(lang: str) -> bool:
    """Tell whether a number with a full stop may be an ordinal, as in '3. Mai'.

    In a language that is none of ours it may be, as in a text of no known language.
    """
    return lang not in langs() or pack(lang).core.sentences.ordinal_dot


def _is_short_form(word: str, before: str) -> bool:
    """Tell 'Hr', 'bzw' or 'Dipl.-Ing' from a word, an acronym, and the unit of a number."""
    if ".-" in word:
        return True
    if not word.isalpha() or _VOWEL.search(word) or (word.isupper() and len(word) > 1):
        return False
    return not re.search(r"\d\s+\w+\.\Z", before[-20:])


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def leads(units: Sequence[Unit], at: int) -> list[int]:
    """Return the places of what introduces a unit, the outermost first."""
    found: list[int] = []
    lead = units[at].lead
    while lead is not None:
        found.insert(0, lead)
        lead = units[lead].lead
    return found


def introduced(units: Sequence[Unit], at: int, lang: str) -> Iterator[int]:
    """Yield the places of what a unit that ends in a colon, or in 'because', introduces.

    That is the rest of its paragraph; of its last sentence the list, or the block, that follows.
    """
    if not announces(units[at].text, lang):
        return
    behind = range(at + 1, len(units))
    if here := [place for place in behind if units[place].block == units[at].block]:
        yield from here
    elif behind and (units[at + 1].lead is not None or is_item(units[at].text)):
        yield from takewhile(lambda place: at in leads(units, place), behind)
    elif behind:
        yield from takewhile(lambda place: units[place].block == units[at + 1].block, behind)


def ends_in_list(units: Sequence[Unit], lang: str) -> bool:
    """Tell whether the last of some units belongs to what another announces, and may go on."""
    above = leads(units, len(units) - 1) if units else []
    return any(announces(units[at].text, lang) for at in above)


def whole(units: Sequence[Unit], chosen: Iterable[int], lang: str) -> list[int]:
    """Return the places of units with what introduces them, and with what those introduce."""
    kept: set[int] = set()
    waiting = list(chosen)
    while waiting:
        at = waiting.pop()
        if at not in kept:
            kept.add(at)
            waiting += [*leads(units, at), *introduced(units, at, lang)]
    return sorted(kept)
