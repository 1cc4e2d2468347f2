"""Sentences of a source with one thing in them turned."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from elysia_guard.evaluation.adversaries.ground import Ground, Line
from elysia_guard.evaluation.adversaries.told import Evidence, Kind, Made
from elysia_guard.evaluation.adversaries.words import words_of

SPELT = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30)
"""What the number words of a language stand for, one for one."""

_NUMBER = re.compile(r"(?<![\w.,/:#§-])(\d{1,3}(?:[.,]\d+)?)(?![\w/:-]|[.,]\d)")
_ISO = re.compile(r"(?<![\w-])((?:19|20)\d\d)-(\d\d)-(\d\d)(?![\w-])")
_YEAR = re.compile(r"(?<![\w.,/:-])((?:19|20)\d\d)(?![\w:/-]|[.,]\d)")


def number(ground: Ground) -> Iterator[Made]:
    """Put another number into a sentence, one that no source has."""
    for line in ground.shuffled():
        months = "|".join(map(re.escape, line.turning.data["numbers"]["months"]))
        for found in _NUMBER.finditer(line.text):
            before = line.text[: found.start()].split()
            named = bool(before) and before[-1][0].isupper() and len(before) > 1
            dated = re.match(rf"\.?\s*(?:{months})\b", line.text[found.end() :])
            if named or dated:
                continue
            other = _other_number(ground, found[1])
            if other:
                yield _turned(line, found.span(1), other, Kind.NUMBER)
        yield from _spelt(ground, line)


def _spelt(ground: Ground, line: Line) -> Iterator[Made]:
    words: Sequence[str] = line.turning.data["numbers"]["words"]
    for found in re.finditer(rf"(?<![\w-])({'|'.join(words)})(?![\w-])", line.text):
        free = [
            word
            for word, value in zip(words, SPELT, strict=True)
            if word not in ground.vocabulary and str(value) not in ground.vocabulary
        ]
        if free:
            yield _turned(line, found.span(1), ground.chance.choice(free), Kind.NUMBER)


def _other_number(ground: Ground, said: str) -> str:
    """Return a number that is nowhere told, near to one or far from it."""
    value = float(said.replace(",", "."))
    spelt = {
        str(n)
        for words in (line.turning.data["numbers"]["words"] for line in ground.lines)
        for word, n in zip(words, SPELT, strict=True)
        if word in ground.vocabulary
    }
    whole = value.is_integer()
    near = [value + 1, value - 1, value * 2, value * 10, ground.chance.randint(32, 97)]
    ground.chance.shuffle(near)
    for each in near:
        comma = "," if "," in said else "."
        other = str(int(each)) if whole else f"{each:.1f}".replace(".", comma)
        if each > 0 and other not in ground.vocabulary and other not in spelt and other != said:
            return other
    return ""


def date(ground: Ground) -> Iterator[Made]:
    """Put another day, month or year into a sentence."""
    for line in ground.shuffled():
        names: Sequence[str] = line.turning.data["numbers"]["months"]
        for found in re.finditer(rf"(?<!\w)({'|'.join(names)})(?=\s+(?:19|20)\d\d)", line.text):
            other = ground.chance.choice([name for name in names if name != found[1]])
            yield _turned(line, found.span(1), other, Kind.DATE)
        for found in _ISO.finditer(line.text):
            other = f"{int(found[1]) + ground.chance.randint(1, 9)}-{found[2]}-{found[3]}"
            yield _turned(line, found.span(), other, Kind.DATE)
        for found in _YEAR.finditer(line.text):
            years = [str(int(found[1]) + by) for by in range(-9, 10) if by]
            free = [year for year in years if year not in ground.vocabulary]
            if free:
                yield _turned(line, found.span(1), ground.chance.choice(free), Kind.DATE)


def unit(ground: Ground) -> Iterator[Made]:
    """Give a number the unit of another size."""
    for line in ground.shuffled():
        numbers = line.turning.data["numbers"]
        counted = rf"(?<![\w.,])(?:\d{{1,3}}(?:[.,]\d+)?|{'|'.join(numbers['words'])})\s?"
        for group in numbers["units"]:
            names = "|".join(sorted(map(re.escape, group), key=len, reverse=True))
            for found in re.finditer(rf"{counted}({names})(?![\w-])", line.text):
                other = ground.chance.choice([name for name in group if name != found[1]])
                yield _turned(line, found.span(1), other, Kind.UNIT)


def negation(ground: Ground) -> Iterator[Made]:
    """Put a negation into a sentence that has none, or take out the only one."""
    for line in ground.shuffled():
        denied = len(_denials(line, line.text))
        table = line.turning.table("take_out" if denied else "put_in")
        if denied > 1:
            continue
        for span, found, other in _matches(line.text, table):
            if not denied or _denials(line, found):
                yield _turned(line, span, other, Kind.NEGATION)
                break


def modality(ground: Ground) -> Iterator[Made]:
    """Make a duty a permission, a permission a duty."""
    yield from _by_table(ground, "modality", Kind.MODALITY)


def scope(ground: Ground) -> Iterator[Made]:
    """Make all of some, and some of all."""
    yield from _by_table(ground, "scope", Kind.SCOPE)


def comparative(ground: Ground) -> Iterator[Made]:
    """Turn a comparison or a limit."""
    yield from _by_table(ground, "comparative", Kind.COMPARATIVE, denied=True)


def _by_table(ground: Ground, name: str, kind: Kind, *, denied: bool = False) -> Iterator[Made]:
    for line in ground.shuffled():
        for span, found, other in _matches(line.text, line.turning.table(name)):
            rest = f"{line.text[: span[0]]} {line.text[span[1] :]}"
            # 'must not' is no duty, and 'not only' has no scope to be turned by one word.
            if denied or not _denials(line, rest) or _denials(line, found):
                yield _turned(line, span, other, kind)


def condition(ground: Ground) -> Iterator[Made]:
    """Leave out what limits a sentence; what it rests on has it."""
    for line in ground.shuffled():
        for text, _ in _halves(line):
            yield Made(text=text, evidence=evidence(line), kind=Kind.CONDITION, original=line.text)


def half(ground: Ground) -> Iterator[Made]:
    """Say half a sentence, and give that half for evidence."""
    for line in ground.shuffled():
        for text, words in _halves(line):
            named = (Evidence(source=line.source.id, words=words),)
            yield Made(text=text, evidence=named, kind=Kind.HALF, original=line.text)


def _halves(line: Line) -> Iterator[tuple[str, str]]:
    """Yield what is left of a sentence without a limit of it: as a sentence, and word for word."""
    limits, dull = line.turning.data["limits"], line.turning.words("no_nouns")
    for opening in limits["trailing"]:
        start = r"(?<!\w)" if opening[0].isalpha() else ""
        found = re.search(rf"\s*,?\s*{start}{re.escape(opening)}[,\s]+\w", line.text)
        kept = line.text[: found.start()] if found else ""
        said = words_of(kept)
        whole = kept[-1:].isalnum() and _balanced(kept)  # 'until then' after a ';' limits nothing
        if len(said) > 3 and said[-1] not in dull and whole:  # noqa: PLR2004
            yield f"{kept}.", kept
    for opening in limits["leading"]:
        found = re.match(rf"{re.escape(opening)}\s[^,]+,\s*", line.text, re.IGNORECASE)
        kept = line.text[found.end() :] if found else ""
        if len(words_of(kept)) > 3:  # noqa: PLR2004
            yield kept[0].upper() + kept[1:], kept.removesuffix(".")


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count('"') % 2 == 0


def evidence(line: Line) -> tuple[Evidence, ...]:
    """Return a sentence as what another rests on."""
    return (Evidence(source=line.source.id, words=line.text),)


def _denials(line: Line, text: str) -> list[str]:
    deny = line.turning.words("deny")
    return [word for word in words_of(text) if word in deny or word.startswith(("n'", "n’"))]


def _matches(text: str, table: Mapping[str, str]) -> Iterator[tuple[tuple[int, int], str, str]]:
    """Yield where a word of a table stands, it, and its contrary; the longest word first."""
    keys = "|".join(sorted(map(re.escape, table), key=len, reverse=True))
    for found in re.finditer(rf"(?<![\w-])({keys})(?![\w-])", text, re.IGNORECASE):
        upper = found[1][0].isupper()
        # 'May 2026' is no permission, and a capital inside a sentence makes a name.
        if upper and (found.start() or re.match(r"\s*\d", text[found.end() :])):
            continue
        other = table[found[1].lower()]
        yield found.span(1), found[1], other[:1].upper() + other[1:] if upper else other


def _turned(line: Line, span: tuple[int, int], other: str, kind: Kind) -> Made:
    text = f"{line.text[: span[0]]}{other}{line.text[span[1] :]}"
    tidy = " ".join(text.split()) if not other else text
    return marked(Made(text=tidy, evidence=evidence(line), kind=kind, original=line.text))


def marked(made: Made) -> Made:
    """Add the mark: the words around what differs from the original, two on either side."""
    said, was = words_of(made.text), words_of(made.original)
    start = _alike(said, was)
    end = _alike(said[::-1], was[::-1])
    until = max(len(said) - end, start + 1)
    return replace(made, mark=" ".join(said[max(0, start - 2) : until + 2]))


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words are the same before the first that is not; 0 where all are."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (left, right) in pairs if left != right), 0)
