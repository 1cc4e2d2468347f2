"""Words that pick one or some of several: 'the third one', 'both', 'the TLS one'."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Reference
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import stems
from elysia_guard.reading.choice_parsing import LAST, names_only_a_place, places, position
from elysia_guard.reading.followups.message import Message
from elysia_guard.reading.followups.spoken import Antecedent, Antecedents, SpokenOf
from elysia_guard.reading.naming_words import naming_words

MOST_DESCRIBING = 5
"""Words of 'the demand response verification one' between article and noun."""
MOST_COUNTED = 12


class Pick(NamedTuple):
    """Words from ``first`` up to ``end`` that pick, and what: nothing where there is no such."""

    first: int
    end: int
    found: Antecedents
    kind: DocumentKind | None = None
    telling: tuple[str, ...] = ()
    """Words that describe what none of the titles known says."""

    def beside(self, said: Message) -> list[int]:
        """Return where the other words of its message stand."""
        return [at for at in range(len(said.words)) if not self.first <= at < self.end]


def pick(said: Message, talk: SpokenOf, documents: Sequence[Document]) -> Pick | None:
    """Return what the first words that pick something pick of what was spoken of."""
    if said.words and names_only_a_place(said.text):
        return Pick(0, len(said.words), _at(talk.several(), position(said.text) or 0))
    for at in range(len(said.words)):
        if said.words[at].own:
            continue
        for find in (_pair, _other, _placed):
            if found := find(said, at, talk):
                return found
    for at in range(len(said.words)):
        if found := _described(said, at, talk, documents):
            return found
    return None


def _lead(said: Message, at: int) -> int:
    """Skip an article or a demonstrative, and 'very'."""
    at += said.pack.has("refers.pointing", said.low[at])
    return at + (at < len(said.low) and said.pack.has("places.very", said.low[at]))


def _end(said: Message, end: int) -> tuple[int, DocumentKind | None]:
    """Take in 'one', or a kind."""
    kind = None
    if end < len(said.words) and not said.words[end - 1].breaks:
        named = said.kind_at(end)
        if named:
            kind, end = named[0], end + 1
        elif said.pack.has("refers.one", said.low[end]):
            end += 1
    return end, kind


def _is_noun_next(said: Message, end: int) -> bool:
    if end >= len(said.words) or said.words[end - 1].breaks:
        return False
    return said.words[end].own or (
        said.is_content(end) and not said.pack.no_noun.search(said.low[end])
    )


def _pair(said: Message, at: int, talk: SpokenOf) -> Pick | None:
    """'Both', 'those two', 'die drie'."""
    length, count = said.pack.match("refers.pair", said.low, at), 2
    if not length and said.pack.has("refers.that", said.low[at]) and at + 1 < len(said.low):
        count = naming_words().cardinals.get(said.low[at + 1], 0)
        length = 2 if 1 < count <= MOST_COUNTED else 0
    if not length:
        return None
    end, kind = _end(said, at + length)
    if length == 1 and kind is None and _is_noun_next(said, end):
        return None
    return Pick(at, end, talk.pair(count), kind)


def _other(said: Message, at: int, talk: SpokenOf) -> Pick | None:
    """'The other one', 'die andere Entscheidung'."""
    length = said.pack.match("refers.other", said.low, at)
    if not length:
        return None
    end, kind = _end(said, at + length)
    if kind is None and _is_noun_next(said, end):
        return None
    if any(n < end and many for n, _, many in said.kinds() if n >= at):
        return None  # 'andere Entscheidungen'
    other = talk.other()
    return Pick(at, end, (other,) if other else (), kind)


def _placed(said: Message, at: int, talk: SpokenOf) -> Pick | None:
    """'The third one', 'die letzten beiden', 'the one after that'; bare where a clause begins."""
    pack, low, start = said.pack, said.low, _lead(said, at)
    bare = start == at and at and not pack.has("clauses.prepositions", low[at - 1])
    if start >= len(low) or (bare and not said.words[at - 1].breaks):
        return None
    if step := _step(said, start):
        return _stepped(talk, at, *step)
    place = place_of(low[start])
    spelt = naming_words().cardinals
    if place is None or low[start] in spelt or pack.has("refers.one", low[start]):
        return None
    if low[start].isdecimal():
        return None
    end, count = start + 1, 1
    if end < len(low) and not said.words[start].breaks:
        both = 2 * pack.match("refers.pair", low, end)
        count = spelt.get(low[end], 0) or both or 1
        end += count > 1
    end, kind = _end(said, end)
    if kind is None and count == 1 and end == start + 1 and _is_noun_next(said, end):
        return None
    several = talk.several()
    if kind:
        several = tuple(item for item in several if item.kind in {kind, None}) or several
    return Pick(at, end, _at(several, place, count), kind)


def _at(several: Antecedents, place: int, count: int = 1) -> Antecedents:
    """Return so many of several, from a place on; nothing where there are fewer."""
    first = len(several) - count if place == LAST else place - 1
    return several[first : first + count] if first >= 0 and first + count <= len(several) else ()


def place_of(word: str) -> int | None:
    """Return the place in a list that a word names, from 1, or -1 for the last."""
    return places().get(word) or naming_words().ordinal(word)


def _step(said: Message, at: int) -> tuple[int, int] | None:
    """'Next one', 'one after that': by how many, and where the words end."""
    pack, low = said.pack, said.low
    start = at + pack.has("refers.one", low[at])
    start += start < len(low) and pack.has("places.very", low[start])
    for role, step in (("next", 1), ("after", 1), ("previous", -1), ("before", -1)):
        if start < len(low) and (length := pack.match(f"places.{role}", low, start)):
            end = start + length
            end += end < len(low) and pack.has("refers.one", low[end])
            return step, end
    return None


def _stepped(talk: SpokenOf, at: int, step: int, end: int) -> Pick:
    several, now = talk.several(), talk.now
    keys = [item.key for item in several]
    if now and now.key in keys:
        place = keys.index(now.key) + step
        found = several[place : place + 1] if place >= 0 else ()
        return Pick(at, end, found)
    if now and now.reference and now.reference.number is not None and now.kind:
        number = now.reference.number + step
        return Pick(
            at, end, (Antecedent.of(Reference(number=number, written=str(number), kind=now.kind)),)
        )
    return Pick(at, end, ())


def _described(
    said: Message, at: int, talk: SpokenOf, documents: Sequence[Document]
) -> Pick | None:
    """'The TLS one', 'the one about TLS', 'die over toegang', 'celui de la montre'."""
    extent = _before_one(said, at) or _behind_that(said, at)
    if extent is None:
        return None
    first, end = extent
    telling = tuple(said.low[n] for n in range(first, end) if said.is_content(n))
    telling = tuple(word for word in telling if not said.pack.has("refers.one", word))
    return Pick(first, end, by_title(telling, talk, documents), telling=telling)


def _before_one(said: Message, at: int) -> tuple[int, int] | None:
    if not said.pack.has("refers.pointing", said.low[at]):
        return None
    for end in range(at + 1, min(at + 1 + MOST_DESCRIBING, len(said.low))):
        if said.pack.has("refers.one", said.low[end]):
            return (at, end + 1) if end > at + 1 else _about(said, at, end)
        if said.words[end].breaks:
            return None
    return None


def _behind_that(said: Message, at: int) -> tuple[int, int] | None:
    """'Die over toegang': a pronoun at the beginning of a clause, with 'about' behind it."""
    begins = not at or said.words[at - 1].breaks or not any(map(said.is_content, range(at)))
    pointing = said.pack.has("refers.it", said.low[at]) or said.pack.has("refers.one", said.low[at])
    return _about(said, at, at) if begins and pointing else None


def _about(said: Message, first: int, at: int) -> tuple[int, int] | None:
    if said.words[at].breaks or not said.pack.has("refers.about", said.low[at + 1]):
        return None
    end = next(n for n in range(at + 1, len(said.words)) if said.words[n].breaks) + 1
    verbs = [n for n in range(at + 2, end) if said.is_verb(n)]
    end = verbs[0] if verbs else end
    return (first, end) if any(map(said.is_content, range(at + 2, end))) else None


def by_title(telling: Iterable[str], talk: SpokenOf, documents: Sequence[Document]) -> Antecedents:
    """Return the one document whose title says some words, of those spoken of first."""
    wanted = tuple(telling)
    spoken = talk.all_documents()
    keys = {item.key for item in spoken}
    kinds = {item.kind for item in spoken} | set(talk.kinds)
    known = [(Antecedent.named(each), each) for each in documents if not each.approval]
    near = [each for each in known if each[0].key in keys]
    alike = [each for each in known if each[1].kind in kinds]
    for among, least in ((near, len(wanted)), (alike, len(wanted)), (near, 1)):
        told = [(_tells(document, wanted), item) for item, document in among]
        most = max((count for count, _ in told), default=0)
        best = [item for count, item in told if count == most]
        if most >= least > 0:
            return tuple(best) if len(best) == 1 else ()
    return ()


def _tells(document: Document, telling: Sequence[str]) -> int:
    """Count the words that stand in a title, in some form of them."""
    titled = {stem for lang in langs() for stem in stems(document.title, lang)}
    return sum(any(titled & stems(word, lang) for lang in langs()) for word in telling)


def clauses_behind(said: Message, end: int) -> Iterator[int]:
    """Yield where a clause begins behind a place."""
    for at in range(max(end - 1, 0), len(said.words) - 1):
        if said.words[at].breaks:
            yield at + 1
