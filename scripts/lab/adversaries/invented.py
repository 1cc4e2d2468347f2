"""Sentences that say what no source says, or not the source that they name; every way by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from scripts.lab.adversaries import turned
from scripts.lab.adversaries.ground import Attack, Ground, SourceLine, met
from scripts.lab.adversaries.told import (
    InventionKind,
    MadeSentence,
    holds,
    outside,
    turnings,
    words_of,
)

_ONSETS = ("Br", "Dr", "F", "Gl", "H", "K", "Kr", "M", "Pl", "Qu", "Sk", "T", "V", "W")
_ENDS = ("ovik", "essel", "undro", "ambert", "illeway", "octen", "arquin", "ebbing")
_SERIES = ("ADR-0", "POL-0", "PCP-0", "RFC 9", "ISO 8", "NEN 7")


def number(ground: Ground) -> Iterator[MadeSentence]:
    """Put in a number where there was none."""
    for line in ground.shuffled():
        n = str(ground.chance.choice([n for n in range(32, 98) if str(n) not in ground.vocabulary]))
        yield from _put_in(ground, line, InventionKind.INVENTED_NUMBER, "number", "{n}", n)


def name(ground: Ground) -> Iterator[MadeSentence]:
    """Name somebody who does not exist."""
    for line in ground.shuffled():
        parts = [ground.chance.choice(_ONSETS) + ground.chance.choice(_ENDS) for _ in range(2)]
        yield from _put_in(ground, line, InventionKind.NAME, "name", "{name}", " ".join(parts))


def role(ground: Ground) -> Iterator[MadeSentence]:
    """Name a role that nobody has."""
    for line in ground.shuffled():
        made = ground.chance.choice(line.turning.data["invented"]["roles"])
        yield from _put_in(ground, line, InventionKind.ROLE, "role", "{role}", made)


def identifier(ground: Ground) -> Iterator[MadeSentence]:
    """Refer to a document that is not there."""
    for line in ground.shuffled():
        made = f"{ground.chance.choice(_SERIES)}{ground.chance.randint(611, 989)}"
        yield from _put_in(
            ground, line, InventionKind.IDENTIFIER, "identifier", "{identifier}", made
        )


def quotation(ground: Ground) -> Iterator[MadeSentence]:
    """Quote what nobody said."""
    for line in ground.shuffled():
        made = ground.chance.choice(line.turning.data["invented"]["quoted"])
        yield from _put_in(ground, line, InventionKind.QUOTATION, "quotation", "{words}", made)


def reason(ground: Ground) -> Iterator[MadeSentence]:
    """Give a reason that nobody gave."""
    for line in ground.shuffled():
        if not holds(line.text, line.turning.data["because"]):
            yield from _put_in(ground, line, InventionKind.REASON, "reason", "", "")


def status(ground: Ground) -> Iterator[MadeSentence]:
    """Give a document another status than it has."""
    for line in ground.shuffled():
        source, made = line.source, line.turning.data["invented"]
        told = f"{source.status} {source.text}".casefold()
        # In whatever language: the lists name the same statuses in the same order.
        named = [item.data["invented"]["statuses"] for item in turnings().values()]
        free = [
            said[0]
            for said in zip(made["statuses"], *named, strict=True)
            if not any(each.casefold() in told for each in said)
        ]
        if not (source.status and source.document and free):
            continue
        form, other = ground.chance.choice(made["status"]), ground.chance.choice(free)
        text = f"{form.format(document=source.document, status=other)}."
        mark = text.removesuffix(".")
        yield MadeSentence(text=text, units=line.units, kind=InventionKind.STATUS, mark=mark)


def known(ground: Ground) -> Iterator[MadeSentence]:
    """Say what is true and stands in no source, of what the sources are about if there is some."""
    rows = outside().get(ground.lang, ())
    near = [text for about, text in rows if about and about.casefold() in ground.told]
    far = [text for about, text in rows if not about]
    ground.chance.shuffle(near)
    for text in (*near, *far):
        for line in ground.near()[:1]:
            yield MadeSentence(text=text, units=line.units, kind=InventionKind.OUTSIDE, mark=text)


def wrong_source(ground: Ground) -> Iterator[MadeSentence]:
    """Say a right sentence under the number of a source that does not have it."""
    for line in ground.shuffled():
        others = [item for item in ground.sources if not holds(item.text, line.text)]
        if others and line.source.document:
            other = ground.chance.choice(others)
            text = according(line)
            yield MadeSentence(
                text=text, units=(other.id,), kind=InventionKind.WRONG_SOURCE, mark=text
            )


def elsewhere(ground: Ground) -> Iterator[MadeSentence]:
    """Say of one document what another says, under the number of something else in the first."""
    for line in ground.shuffled():
        others = [
            item
            for item in ground.lines
            if item.source.document
            and item.source.document != line.source.document
            and item.lang == line.lang
            and not holds(item.source.text, line.text)
            and _shared(item, line) < 0.3  # noqa: PLR2004
        ]
        if others:
            other = ground.chance.choice(others)
            text = according(replace(line, source=other.source))
            yield MadeSentence(
                text=text, units=other.units, kind=InventionKind.ELSEWHERE, mark=text
            )


def presupposition(ground: Ground) -> Iterator[MadeSentence]:
    """State as a fact what the question takes for granted, where no source has its words."""
    known = {word[:5] for word in ground.told.split()}
    # After what asks: 'how quickly' takes nothing for granted.
    taken = [word for word in words_of(ground.question)[2:] if len(word) > 4]  # noqa: PLR2004
    if all(word[:5] in known for word in taken) or not (near := ground.near()):
        return
    table = turnings()[ground.lang].table("presupposed")
    first, _, rest = ground.question.strip().rstrip("?!. ").partition(" ")
    opening = table.get(first.casefold())
    said = rest if opening else f"{first.lower()} {rest}"
    text = f"{opening or table['other']} {said}."
    yield MadeSentence(text=text, units=near[0].units, kind=InventionKind.PRESUPPOSITION, mark=text)


def obeyed(ground: Ground) -> Iterator[MadeSentence]:
    """Say what an instruction wants that stands in a document, or in what is or was asked."""
    for attack, at in met(ground.attacks, *(item.text for item in ground.sources)):
        yield _obeying(attack, (ground.sources[at].id,))
    for attack, _ in met(ground.attacks, ground.question, *ground.asked.talk):
        yield _obeying(attack, ())


def _obeying(attack: Attack, units: tuple[int, ...]) -> MadeSentence:
    return MadeSentence(
        text=attack.says,
        units=units,
        kind=InventionKind.OBEYED,
        original=attack.text,
        mark=attack.mark,
    )


def according(line: SourceLine) -> str:
    """Return a sentence with its document named before it."""
    document, text = line.source.document, line.text
    determiners = line.turning.words("determiners")
    lower = text.split()[0].lower() in determiners | line.turning.words("no_nouns")
    said = text[0].lower() + text[1:] if lower else text
    form: str = line.turning.data["according"]
    return form.format(document=document, sentence=said)


def _put_in(
    ground: Ground, line: SourceLine, kind: InventionKind, form: str, slot: str, made: str
) -> Iterator[MadeSentence]:
    whole: str = ground.chance.choice(line.turning.data["invented"][form])
    filled = whole.replace(slot, made) if slot else whole
    text = f"{filled.replace('{sentence}', line.open)}."
    mark = " ".join(words_of(filled.replace("{sentence}", "")))
    yield MadeSentence(text=text, units=line.units, kind=kind, original=line.text, mark=mark)


def _shared(one: SourceLine, other: SourceLine) -> float:
    """Return the share of the longer words of one sentence that another has too."""
    said = {word for word in words_of(one.text) if len(word) > 3}  # noqa: PLR2004
    heard = set(words_of(other.text))
    return len(said & heard) / len(said) if said else 1.0


Maker = Callable[[Ground], Iterator[MadeSentence]]


MAKERS: Mapping[InventionKind, Maker] = MappingProxyType(
    {
        InventionKind.NUMBER: turned.number,
        InventionKind.INVENTED_NUMBER: number,
        InventionKind.DATE: turned.date,
        InventionKind.UNIT: turned.unit,
        InventionKind.NEGATION: turned.negation,
        InventionKind.MODALITY: turned.modality,
        InventionKind.ACTORS: turned.actors,
        InventionKind.CONDITION: turned.condition,
        InventionKind.OUTSIDE: known,
        InventionKind.WRONG_SOURCE: wrong_source,
        InventionKind.ELSEWHERE: elsewhere,
        InventionKind.NAME: name,
        InventionKind.ROLE: role,
        InventionKind.IDENTIFIER: identifier,
        InventionKind.QUOTATION: quotation,
        InventionKind.STATUS: status,
        InventionKind.REASON: reason,
        InventionKind.SCOPE: turned.scope,
        InventionKind.COMPARATIVE: turned.comparative,
        InventionKind.PRESUPPOSITION: presupposition,
        InventionKind.JOINED: turned.joined,
        InventionKind.OBEYED: obeyed,
    }
)


def made(ground: Ground, kinds: Sequence[InventionKind], *, most: int) -> tuple[MadeSentence, ...]:
    """Make up to so many sentences of some kinds, one of each in turn; none twice.

    A kind is passed over where the sources offer nothing to turn.
    """
    left: list[Iterator[MadeSentence]] = [_sure(ground, kind) for kind in kinds]
    found: dict[str, MadeSentence] = {}
    while left and len(found) < most:
        for making in list(left):
            item = next(making, None)
            if item is None:
                left.remove(making)
            elif len(found) < most:
                found.setdefault(item.text, item)
    return tuple(found.values())


def _sure(ground: Ground, kind: InventionKind) -> Iterator[MadeSentence]:
    """Yield the sentences of a kind that no source says."""
    for item in MAKERS[kind](ground):
        if kind is InventionKind.CONDITION:
            if not _stands_alone(ground, item):
                yield item
        # An order may hold the words that it wants to hear: as an order, no source says them.
        elif kind is InventionKind.OBEYED or not (ground.says(item.text) or ground.says(item.mark)):
            yield item


def _stands_alone(ground: Ground, item: MadeSentence) -> bool:
    """Tell whether a source says half a sentence elsewhere, without what was left out."""
    half, whole = (" ".join(words_of(text)) for text in (item.text, item.original))
    rest = ground.told.replace(f" {whole} ", " \n ")
    return f" {half} " in rest
