"""Words that pick one or some of several: 'the third one', 'both', 'the TLS one'."""

from __future__ import annotations

from elysia_guard.reading.followups.mention import (
    COUNTS,
    LAST,
    ORDER,
    ListPlace,
    ReferringWords,
    Refers,
)
from elysia_guard.reading.followups.pronouns import (
    MOST_BEFORE,
    is_dummy,
    is_plural,
    kind_of,
    stands_alone,
)
from elysia_guard.reading.followups.text import FollowUpText
from elysia_guard.reading.naming_words import naming_words

MOST_DESCRIBING = 5
"""Words of 'the demand response verification one' between article and noun."""


def pair(said: FollowUpText, at: int) -> ReferringWords | None:
    """'Both', 'those two', 'van deze twee stukken', 'die drie'."""
    pack, end = said.pack, at + said.pack.match("refers.pair", said.low, at)
    if end == at and at + 1 < len(said.low) and pack.has("refers.demonstratives", said.low[at]):
        end += 2 * (pack.member("numbers", said.low[at + 1]) in COUNTS)
    if end == at:
        return None
    kind = kind_of(said, end) if end < len(said.words) else None
    if kind is None and end == at + 1 and not stands_alone(said, at):
        return None
    return ReferringWords(refers=Refers.PAIR, first=at, end=end + bool(kind), kind=kind)


def other(said: FollowUpText, at: int) -> ReferringWords | None:
    """'The other one', 'das andere', 'die andere Entscheidung'."""
    length = said.pack.match("refers.other", said.low, at)
    if not length:
        return None
    end = at + length
    kind = kind_of(said, end) if end < len(said.words) else None
    if kind:
        end += 1
    elif not stands_alone(said, end - 1):
        return None
    return ReferringWords(refers=Refers.OTHER, first=at, end=end, kind=kind)


def ordinal(said: FollowUpText, at: int) -> ReferringWords | None:
    """'The third one', 'die ersten beiden', 'the second decision'."""
    placed = _place_at(said, at)
    if placed is None or any(is_plural(said, before) for before in range(at)):
        return None
    place, end = placed
    kind = kind_of(said, end) if end < len(said.words) else None
    if kind:
        end += 1
    elif not (said.pack.has("refers.selected", said.low[end - 1]) or stands_alone(said, end - 1)):
        return None
    return ReferringWords(refers=Refers.ORDINAL, first=at, end=end, kind=kind, place=place)


def described(said: FollowUpText, at: int) -> ReferringWords | None:
    """'The one about TLS', 'the TLS one', 'die over toegang': told from others by what it says."""
    pack, low = said.pack, said.low
    if at and pack.has("lists.only", low[at - 1]):
        return None
    if pack.has("refers.articles", low[at]):
        for end in range(at + 1, min(at + 1 + MOST_DESCRIBING, len(low))):
            if pack.has("refers.selected", low[end]):
                if end > at + 1:
                    return ReferringWords(refers=Refers.DESCRIBED, first=at, end=end + 1)
                return _about(said, at, end)
            if said.words[end].breaks or said.words[end].own or not pack.is_content(low[end]):
                break
    if (
        at < MOST_BEFORE
        and pack.has("refers.thing", low[at])
        and not pack.has("refers.said", low[at])
        and not is_dummy(said, at)
    ):
        return _about(said, at, at)
    return None


def _about(said: FollowUpText, first: int, at: int) -> ReferringWords | None:
    """Take in what follows up to the end of the clause, where it begins with 'about'."""
    if said.words[at].breaks or not said.pack.has("refers.about", said.low[at + 1]):
        return None
    end = next(n for n in range(at + 1, len(said.words)) if said.words[n].breaks) + 1
    verbs = [n for n in range(at + 2, end) if said.pack.has("grammar.verbs", said.low[n])]
    end = verbs[0] if verbs else end
    if not any(said.pack.is_content(word) for word in said.low[at + 2 : end]):
        return None
    return ReferringWords(refers=Refers.DESCRIBED, first=first, end=end)


def _place_at(said: FollowUpText, at: int) -> tuple[ListPlace, int] | None:
    """Read the place that a text names at one of its words, and where its words end.

    An article belongs to it ('the third'), and so does 'one'. Without an article it is a place only
    where the text begins with it ('fourth one'); 'who approved version two' names none.
    """
    pack, low = said.pack, said.low
    start = at
    at += _leads(said, at)
    at += at < len(low) and pack.has("numbers.very", low[at])
    if at >= len(low) or (start == at and start and not said.words[start - 1].breaks):
        return None
    if found := _stepping(said, at):
        return found
    placed = _place(said, at)
    if placed is None:
        return None
    place, end = placed
    count = COUNTS.get(pack.member("numbers", low[end]), 1) if end < len(low) else 1
    if said.words[end - 1].breaks:
        count = 1
    end += count > 1
    if end < len(low) and pack.has("refers.selected", low[end]) and not said.words[end - 1].breaks:
        end += 1
    return ListPlace(position=place, count=count), end


def _place(said: FollowUpText, at: int) -> tuple[int, int] | None:
    """The place that words name, and where they end: 'third', 'last', 'twenty-first', '12th'.

    One beyond the tenth is a day or a century wherever more is said.
    """
    low, pack = said.low, said.pack
    name = pack.member("numbers", low[at])
    if name in ORDER or name == "last":
        return (LAST if name == "last" else ORDER.index(name) + 1), at + 1
    for end in range(min(at + 2, len(low)), at, -1):
        place = naming_words().ordinal("".join(low[at:end]))
        if place and place > len(ORDER) and not any(map(pack.is_content, low[:at] + low[end:])):
            return place, end
    return None


def _leads(said: FollowUpText, at: int) -> bool:
    roles = ("refers.articles", "refers.demonstratives")
    return any(said.pack.has(role, said.low[at]) for role in roles)


def _stepping(said: FollowUpText, at: int) -> tuple[ListPlace, int] | None:
    """'The next one', 'the one after that'."""
    pack, low, end = said.pack, said.low, at
    if pack.has("refers.selected", low[at]):
        end += 1
    for role, step in (("next", 1), ("after", 1), ("previous", -1), ("before", -1)):
        if end < len(low) and (length := pack.match(f"numbers.{role}", low, end)):
            end += length
            if end < len(low) and pack.has("refers.selected", low[end]):
                end += 1
            return ListPlace(step=step), end
    return None
