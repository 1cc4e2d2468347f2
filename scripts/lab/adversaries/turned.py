"""Sentences of a source with one thing turned: a word, who and whom, or what they are said of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scripts.lab.adversaries.ground import Ground, SourceLine
from scripts.lab.adversaries.told import InventionKind, MadeSentence, words_of

SPELT = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30)
"""What the number words of a language stand for, one for one."""

_NUMBER = re.compile(r"(?<![\w.,/:#§-])(\d{1,3}(?:[.,]\d+)?)(?![\w/:-]|[.,]\d)")
_ISO = re.compile(r"(?<![\w-])((?:19|20)\d\d)-(\d\d)-(\d\d)(?![\w-])")
_YEAR = re.compile(r"(?<![\w.,/:-])((?:19|20)\d\d)(?![\w:/-]|[.,]\d)")


def number(ground: Ground) -> Iterator[MadeSentence]:
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
                yield _turned(line, found.span(1), other, InventionKind.NUMBER)
        yield from _spelt(ground, line)


def _spelt(ground: Ground, line: SourceLine) -> Iterator[MadeSentence]:
    words: Sequence[str] = line.turning.data["numbers"]["words"]
    for found in re.finditer(rf"(?<![\w-])({'|'.join(words)})(?![\w-])", line.text):
        free = [
            word
            for word, value in zip(words, SPELT, strict=True)
            if word not in ground.vocabulary and str(value) not in ground.vocabulary
        ]
        if free:
            yield _turned(line, found.span(1), ground.chance.choice(free), InventionKind.NUMBER)


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


def date(ground: Ground) -> Iterator[MadeSentence]:
    """Put another day, month or year into a sentence."""
    for line in ground.shuffled():
        names: Sequence[str] = line.turning.data["numbers"]["months"]
        for found in re.finditer(rf"(?<!\w)({'|'.join(names)})(?=\s+(?:19|20)\d\d)", line.text):
            other = ground.chance.choice([name for name in names if name != found[1]])
            yield _turned(line, found.span(1), other, InventionKind.DATE)
        for found in _ISO.finditer(line.text):
            other = f"{int(found[1]) + ground.chance.randint(1, 9)}-{found[2]}-{found[3]}"
            yield _turned(line, found.span(), other, InventionKind.DATE)
        for found in _YEAR.finditer(line.text):
            years = [str(int(found[1]) + by) for by in range(-9, 10) if by]
            free = [year for year in years if year not in ground.vocabulary]
            if free:
                yield _turned(line, found.span(1), ground.chance.choice(free), InventionKind.DATE)


def unit(ground: Ground) -> Iterator[MadeSentence]:
    """Give a number the unit of another size."""
    for line in ground.shuffled():
        numbers = line.turning.data["numbers"]
        counted = rf"(?<![\w.,])(?:\d{{1,3}}(?:[.,]\d+)?|{'|'.join(numbers['words'])})\s?"
        for group in numbers["units"]:
            names = "|".join(sorted(map(re.escape, group), key=len, reverse=True))
            for found in re.finditer(rf"{counted}({names})(?![\w-])", line.text):
                other = ground.chance.choice([name for name in group if name != found[1]])
                yield _turned(line, found.span(1), other, InventionKind.UNIT)


def negation(ground: Ground) -> Iterator[MadeSentence]:
    """Put a negation into a sentence that has none, or take out the only one."""
    for line in ground.shuffled():
        denied = len(_denials(line, line.text))
        table = line.turning.table("take_out" if denied else "put_in")
        if denied > 1:
            continue
        for span, found, other in _matches(line.text, table):
            if not denied or _denials(line, found):
                yield _turned(line, span, other, InventionKind.NEGATION)
                break


def modality(ground: Ground) -> Iterator[MadeSentence]:
    """Make a duty a permission, a permission a duty."""
    yield from _by_table(ground, "modality", InventionKind.MODALITY)


def scope(ground: Ground) -> Iterator[MadeSentence]:
    """Make all of some, and some of all."""
    yield from _by_table(ground, "scope", InventionKind.SCOPE)


def comparative(ground: Ground) -> Iterator[MadeSentence]:
    """Turn a comparison or a limit."""
    yield from _by_table(ground, "comparative", InventionKind.COMPARATIVE, denied=True)


def _by_table(
    ground: Ground, name: str, kind: InventionKind, *, denied: bool = False
) -> Iterator[MadeSentence]:
    for line in ground.shuffled():
        for span, found, other in _matches(line.text, line.turning.table(name)):
            rest = f"{line.text[: span[0]]} {line.text[span[1] :]}"
            # 'must not' is no duty, and 'not only' has no scope to be turned by one word.
            if denied or not _denials(line, rest) or _denials(line, found):
                yield _turned(line, span, other, kind)


def condition(ground: Ground) -> Iterator[MadeSentence]:
    """Leave out what limits a sentence."""
    for line in ground.shuffled():
        for text in _halves(line):
            yield MadeSentence(
                text=text, units=line.units, kind=InventionKind.CONDITION, original=line.text
            )


def _halves(line: SourceLine) -> Iterator[str]:
    """Yield what is left of a sentence without a limit of it."""
    limits, dull = line.turning.data["limits"], line.turning.words("no_nouns")
    for opening in limits["trailing"]:
        start = r"(?<!\w)" if opening[0].isalpha() else ""
        found = re.search(rf"\s*,?\s*{start}{re.escape(opening)}[,\s]+\w", line.text)
        kept = line.text[: found.start()] if found else ""
        said = words_of(kept)
        whole = kept[-1:].isalnum() and _balanced(kept)  # 'until then' after a ';' limits nothing
        if len(said) > 3 and said[-1] not in dull and whole:  # noqa: PLR2004
            yield f"{kept}."
    for opening in limits["leading"]:
        found = re.match(rf"{re.escape(opening)}\s[^,]+,\s*", line.text, re.IGNORECASE)
        kept = line.text[found.end() :] if found else ""
        if len(words_of(kept)) > 3:  # noqa: PLR2004
            yield kept[0].upper() + kept[1:]


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count('"') % 2 == 0


def _denials(line: SourceLine, text: str) -> list[str]:
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


def _turned(
    line: SourceLine, span: tuple[int, int], other: str, kind: InventionKind
) -> MadeSentence:
    text = f"{line.text[: span[0]]}{other}{line.text[span[1] :]}"
    tidy = " ".join(text.split()) if not other else text
    return marked(MadeSentence(text=tidy, units=line.units, kind=kind, original=line.text))


def marked(made: MadeSentence) -> MadeSentence:
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


_WORD = re.compile(r"[^\W_][\w'’-]*")
Span = tuple[int, int]


def actors(ground: Ground) -> Iterator[MadeSentence]:
    """Swap the two of 'A is kept by B', of 'A tells the B', and of 'from A to B'."""
    for line in ground.shuffled():
        parts = line.open.split()
        for one, other in (*_passive(line, parts), *_active(line, parts), *_pairs(line, parts)):
            made = _swapped(line, parts, one, other)
            if made:
                yield made


def _passive(line: SourceLine, parts: Sequence[str]) -> Iterator[tuple[Span, Span]]:
    swap = line.turning.data["swap"]
    at = next((n for n, part in enumerate(parts[:6]) if part in swap["by"]), 0)
    if not at or not _is_phrase(line, parts[:at]):
        return
    by = next((n for n in range(at + 1, min(at + 4, len(parts))) if parts[n] == swap["agent"]), 0)
    agent = _after(line, parts, by + 1) if by else None
    if agent:
        yield (0, at), agent


def _active(line: SourceLine, parts: Sequence[str]) -> Iterator[tuple[Span, Span]]:
    verb = re.compile(rf"\w{{2,}}{line.turning.data['swap']['verb']}$")
    determiners = line.turning.words("determiners")
    for at in (2, 3):
        if len(parts) <= at + 2 or not _is_phrase(line, parts[:at]):
            continue
        says = parts[at]
        if not verb.match(says) or not says.islower() or says in line.turning.words("no_nouns"):
            continue
        whom = _after(line, parts, at + 1)
        if whom and parts[at + 1].lower() in determiners and parts[0].lower() in determiners:
            yield (0, at), whom


def _pairs(line: SourceLine, parts: Sequence[str]) -> Iterator[tuple[Span, Span]]:
    for opening, joining in line.turning.data["swap"]["pairs"]:
        if not joining:
            continue
        for at in (n for n, part in enumerate(parts) if part == opening):
            one = _after(line, parts, at + 1)
            if one and one[1] < len(parts) and parts[one[1]] == joining:
                other = _after(line, parts, one[1] + 1)
                if other:
                    yield one, other


def _is_phrase(line: SourceLine, parts: Sequence[str]) -> bool:
    """Tell whether words name one thing: an article at most, then nouns and what stands by them."""
    inner = parts[1:] if parts[0].lower() in line.turning.words("determiners") else parts
    dull = line.turning.words("no_nouns") | line.turning.words("determiners")
    return bool(inner) and all(_WORD.fullmatch(part) and part.lower() not in dull for part in inner)


def _after(line: SourceLine, parts: Sequence[str], at: int) -> Span | None:
    """Return where the thing stands that is named from here on: an article and a word, or names."""
    determiners = line.turning.words("determiners")
    first = at + 1 if at < len(parts) and parts[at].lower() in determiners else at
    end = first
    while end < min(first + 3, len(parts)):
        part = parts[end].rstrip(",")
        name = part[:1].isupper()
        if part.lower() in line.turning.words("no_nouns") or not _WORD.fullmatch(part):
            break
        if end > first and not name:
            break
        end += 1
        if part != parts[end - 1]:
            break
    return (at, end) if end > first else None


def _swapped(line: SourceLine, parts: Sequence[str], one: Span, other: Span) -> MadeSentence | None:
    first, second = " ".join(parts[slice(*one)]), " ".join(parts[slice(*other)]).rstrip(",")
    bare = [words_of(each)[-1] for each in (first, second)]
    if bare[0] == bare[1]:
        return None
    comma = "," if parts[other[1] - 1].endswith(",") else ""
    if one[0] == 0:
        lower = first[0].lower() + first[1:]
        first = lower if parts[0].lower() in line.turning.words("determiners") else first
        second = second[0].upper() + second[1:]
    said = [*parts[: one[0]], second, *parts[one[1] : other[0]], first + comma, *parts[other[1] :]]
    text = f"{' '.join(said)}."
    made = MadeSentence(text=text, units=line.units, kind=InventionKind.ACTORS, original=line.text)
    return marked(made)


_AROUND = 3
"""Words on either side of the joint that no source has so."""


def joined(ground: Ground) -> Iterator[MadeSentence]:
    """Join what begins with a pronoun to what is about another thing, or put it under an 'if'."""
    lines = ground.lines
    for line in ground.shuffled():
        at = lines.index(line)
        # What stands before a pronoun may be what it is for.
        others = [item for n, item in enumerate(lines) if n not in {at - 1, at}]
        for head, tail in ((other, line) for other in others if _is_turned(other, line)):
            text = f"{head.open} {tail.turning.data['joined']['and']} {_low(tail)}"
            yield MadeSentence(
                text=text,
                units=(*head.units, *tail.units),
                kind=InventionKind.JOINED,
                original=tail.text,
                mark=_mark(head, tail),
            )


def _is_turned(head: SourceLine, tail: SourceLine) -> bool:
    """Whether the second says joined what it does not say by itself."""
    if head.lang != tail.lang or "," in tail.text:
        return False
    pronouns = head.turning.data["joined"]["pronouns"].split()
    first = words_of(tail.text)[0]
    leading = tuple(f"{word} " for word in head.turning.data["limits"]["leading"])
    is_limited = head.text.lower().startswith(leading) and "," in head.text
    return first in pronouns or (is_limited and first in head.turning.words("determiners"))


def _low(line: SourceLine) -> str:
    return line.text[0].lower() + line.text[1:]


def _mark(head: SourceLine, tail: SourceLine) -> str:
    said = [*words_of(head.text)[-_AROUND:], tail.turning.data["joined"]["and"]]
    return " ".join([*said, *words_of(tail.text)[:_AROUND]])
