"""The words of a follow-up that refer to what was said before: 'it', 'daarvan', 'das Prinzip'."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from elysia_guard.domain.document import DocumentKind
from elysia_guard.reading.followup_text import Said
from elysia_guard.reading.followup_words import FollowupWords
from elysia_guard.reading.ordinals import COUNTS, Place, place_at

MOST_DESCRIBING = 5
"""Words of 'the demand response verification one' between article and noun."""
MOST_BEFORE = 2
"""Words of content before a pronoun of which none need be what it refers to."""


class Refers(StrEnum):
    """How a word refers."""

    THING = "thing"
    THINGS = "things"
    PAIR = "pair"
    PERSON = "person"
    POSSESSIVE = "possessive"
    POSSESSIVES = "possessives"
    ADVERB = "adverb"
    PLACE = "place"
    SUCH = "such"
    KIND = "kind"
    TERM = "term"
    DESCRIBED = "described"
    OTHER = "other"
    ORDINAL = "ordinal"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mention:
    """Words that refer: from ``first`` up to ``end``, as places among the words of the text.

    ``preposition`` is what a pronominal adverb holds ('daarvan': 'van'), ``at`` the place of the
    other half of one that is split ('daar ... van'). ``inside`` tells whether the text itself
    names what it may refer to.
    """

    refers: Refers
    first: int
    end: int
    kind: DocumentKind | None = None
    preposition: str = ""
    at: int | None = None
    place: Place | None = None
    inside: bool = False

    @property
    def plural(self) -> bool:
        """Whether it refers to several."""
        return self.refers in {Refers.THINGS, Refers.PAIR, Refers.POSSESSIVES}


def mentions(said: Said) -> tuple[Mention, ...]:
    """Return the referring words of a text, in order; those of a dummy ('is it allowed to') not."""
    found: list[Mention] = []
    if _is_idiom(said):
        return ()
    at = 0
    while at < len(said.words):
        mention = None if said.words[at].own else _mention(said, at)
        if mention:
            found.append(mention)
        at = mention.end if mention else at + 1
    return tuple(_merged(said, found))


def _merged(said: Said, found: list[Mention]) -> Iterator[Mention]:
    """'De eerste daarvan', 'davon das zur Energie': of what list one is, goes with which it is."""
    picks = {Refers.ORDINAL, Refers.DESCRIBED, Refers.OTHER}
    for n, mention in enumerate(found):
        beside = found[max(n - 1, 0) : n] + found[n + 1 : n + 2]
        near = (one for one in beside if mention.first in {one.end} or mention.end == one.first)
        if mention.refers is Refers.ADVERB and said.pack.has("refers.of", mention.preposition):
            if any(one.refers in picks for one in near):
                continue
        if mention.refers in picks:
            of = [one for one in beside if one.refers is Refers.ADVERB]
            first = min([mention.first, *(one.first for one in of if one.end == mention.first)])
            end = max([mention.end, *(one.end for one in of if one.first == mention.end)])
            yield replace(mention, first=first, end=end)
        else:
            yield mention


def _mention(said: Said, at: int) -> Mention | None:
    return next(filter(None, (find(said, at) for find in _FINDERS)), None)


def _pair(said: Said, at: int) -> Mention | None:
    """'Both', 'those two', 'van deze twee stukken', 'die drie'."""
    pack, end = said.pack, at + said.pack.match("refers.pair", said.low, at)
    if end == at and at + 1 < len(said.low) and pack.has("refers.demonstratives", said.low[at]):
        end += 2 * (pack.member("numbers", said.low[at + 1]) in COUNTS)
    if end == at:
        return None
    kind = kind_of(said, end) if end < len(said.words) else None
    if kind is None and end == at + 1 and not (_stands_alone(said, at) or _filler(said, end)):
        return None
    return Mention(refers=Refers.PAIR, first=at, end=end + bool(kind), kind=kind)


def _other(said: Said, at: int) -> Mention | None:
    length = said.pack.match("refers.other", said.low, at)
    if not length:
        return None
    end = at + length
    kind = kind_of(said, end) if end < len(said.words) else None
    if kind:
        end += 1
    elif not _stands_alone(said, end - 1):
        return None
    return Mention(refers=Refers.OTHER, first=at, end=end, kind=kind)


def _ordinal(said: Said, at: int) -> Mention | None:
    placed = place_at(said, at)
    if placed is None:
        return None
    place, end = placed
    kind = kind_of(said, end) if end < len(said.words) else None
    if kind:
        end += 1
    elif not _stands_alone(said, end - 1):
        return None
    return Mention(refers=Refers.ORDINAL, first=at, end=end, kind=kind, place=place)


def _adverb(said: Said, at: int) -> Mention | None:
    word = said.low[at]
    if preposition := said.pack.plain.get("refers.adverbs", {}).get(word):
        return Mention(
            refers=Refers.ADVERB,
            first=at,
            end=at + 1,
            preposition=preposition,
            inside=_inside(said, at),
        )
    if not said.pack.has("split.words", word):
        return None
    for later in range(at + 1, len(said.words)):
        if said.words[later - 1].breaks:
            break
        if said.words[later].breaks and said.pack.has("split.prepositions", said.low[later]):
            return Mention(
                refers=Refers.ADVERB,
                first=at,
                end=at + 1,
                preposition=said.low[later],
                at=later,
                inside=_inside(said, at),
            )
    return None


def _such(said: Said, at: int) -> Mention | None:
    """'Such a certificate', 'die tweeling': of what was spoken of, though not by its name."""
    pack, word = said.pack, said.low[at]
    if pack.has("refers.demonstratives", word) and not pack.has("refers.said", word):
        if said.words[at].breaks or not pack.is_content(said.low[at + 1]):
            return None
        if said.words[at + 1].own or _is_relative(said, at, 1):
            return None
    elif not pack.has("refers.such", word):
        return None
    return Mention(refers=Refers.SUCH, first=at, end=at + 1, inside=_inside(said, at))


def _kind(said: Said, at: int) -> Mention | None:
    """'That principle', 'the decision'; not 'the decision about TLS', which says which."""
    pack, word = said.pack, said.low[at]
    pointing = pack.has("refers.demonstratives", word)
    if not (pointing or pack.has("refers.articles", word)) or at + 1 >= len(said.words):
        return None
    if pointing and pack.has("refers.term", said.low[at + 1]):
        return Mention(refers=Refers.TERM, first=at, end=at + 2)
    kind = kind_of(said, at + 1)
    if kind is None:
        return None
    plural = pack.has("kinds." + _PLURALS[kind], said.low[at + 1])
    if not pointing and (plural or _goes_on(said, at + 1)):
        return None
    refers = Refers.THINGS if plural else Refers.KIND
    return Mention(refers=refers, first=at, end=at + 2, kind=kind)


def _described(said: Said, at: int) -> Mention | None:
    """'The one about TLS', 'the TLS one', 'die over toegang': told from others by what it says."""
    pack, low = said.pack, said.low
    if at and pack.has("lists.only", low[at - 1]):
        return None
    if pack.has("refers.articles", low[at]):
        for end in range(at + 1, min(at + 1 + MOST_DESCRIBING, len(low))):
            if pack.has("refers.selected", low[end]):
                if end > at + 1 and not all(map(_is_asked, [pack] * len(low), low[at + 1 : end])):
                    return Mention(refers=Refers.DESCRIBED, first=at, end=end + 1)
                return _about(said, at, end)
            if said.words[end].breaks or said.words[end].own or not pack.is_content(low[end]):
                break
    if at < MOST_BEFORE and pack.has("refers.thing", low[at]) and not pack.has("refers.said", low[at]):
        return _about(said, at, at)
    return None


def _about(said: Said, first: int, at: int) -> Mention | None:
    """Take in what follows up to the end of the clause, where it begins with 'about'."""
    if said.words[at].breaks or not said.pack.has("refers.about", said.low[at + 1]):
        return None
    end = next(n for n in range(at + 1, len(said.words)) if said.words[n].breaks) + 1
    verbs = [n for n in range(at + 2, end) if said.pack.has("grammar.verbs", said.low[n])]
    end = verbs[0] if verbs else end
    if not any(said.pack.is_content(word) for word in said.low[at + 2 : end]):
        return None
    return Mention(refers=Refers.DESCRIBED, first=first, end=end)


def _possessive(said: Said, at: int) -> Mention | None:
    pack, word = said.pack, said.low[at]
    several = pack.has("refers.possessives", word)
    if not (several or pack.has("refers.possessive", word)) or said.words[at].breaks:
        return None
    following = said.words[at + 1]
    if following.own or pack.is_closed(following.low):
        return None
    if pack.has("grammar.verbs", word) and not any(
        pack.has("grammar.verbs", each) for each in said.low[:at]
    ):
        return None
    refers = Refers.POSSESSIVES if several else Refers.POSSESSIVE
    inside = _inside(said, at, plural=several)
    return Mention(refers=refers, first=at, end=at + 1, inside=inside)


def _pronoun(said: Said, at: int) -> Mention | None:
    pack = said.pack
    for refers in (Refers.PERSON, Refers.THING, Refers.THINGS):
        length = pack.match(f"refers.{refers}", said.low, at)
        if length and not _is_other_use(said, at, length):
            end = at + length
            plural = refers is Refers.THINGS
            return Mention(
                refers=refers, first=at, end=end, inside=_inside(said, at, plural=plural)
            )
    return None


def _place(said: Said, at: int) -> Mention | None:
    if not at or not said.pack.has("refers.place", said.low[at]):
        return None
    beside = (said.low[at - 1], "" if said.words[at].breaks else _next(said, at))
    dummies = said.pack.phrases.get("dummy.there", frozenset())
    if any((word,) in dummies for word in beside):
        return None
    return Mention(refers=Refers.PLACE, first=at, end=at + 1, inside=_inside(said, at))


_FINDERS = (
    _pair,
    _other,
    _ordinal,
    _described,
    _adverb,
    _kind,
    _such,
    _possessive,
    _pronoun,
    _place,
)
_PLURALS = {
    DocumentKind.DECISION: "decisions",
    DocumentKind.PRINCIPLE: "principles",
    DocumentKind.POLICY: "policies",
    DocumentKind.DOCUMENT: "documents",
}


def kind_of(said: Said, at: int) -> DocumentKind | None:
    """Return the kind of documents that a word names, in the singular or the plural."""
    for kind, plural in _PLURALS.items():
        if said.pack.has(f"kinds.{kind}", said.low[at]) or said.pack.has(
            f"kinds.{plural}", said.low[at]
        ):
            return kind
    return None


def is_plural(said: Said, at: int) -> bool:
    """Tell whether a word names a kind in the plural: 'principles'."""
    return any(said.pack.has(f"kinds.{plural}", said.low[at]) for plural in _PLURALS.values())


def _is_idiom(said: Said) -> bool:
    length = said.pack.match("dummy.idioms", said.low)
    return bool(length) and length == len(said.words)


def _is_other_use(said: Said, at: int, length: int) -> bool:
    """Tell whether what looks like a pronoun is an article, a relative, a conjunction, a dummy."""
    pack, word = said.pack, said.low[at]
    if length == 1 and pack.has("refers.article_like", word) and not _stands_alone(said, at):
        return True
    return _is_relative(said, at, length) or _is_dummy(said, at)


def _stands_alone(said: Said, at: int, *, of_too: bool = False) -> bool:
    """Tell whether no noun follows that a word would be the article of."""
    if said.words[at].breaks:
        return True
    following = said.words[at + 1]
    if following.own:
        return of_too
    low = following.low
    if said.pack.is_closed(low):
        return True
    written = said.text[following.start : following.end]
    return following.breaks and said.pack.is_no_noun(written)


def _is_relative(said: Said, at: int, length: int) -> bool:
    """'A principle that says', 'ik bedoel dat we': it joins what stands before it."""
    pack = said.pack
    if length > 1 or not at or said.words[at].breaks:
        return False
    if said.words[at - 1].breaks and at > MOST_BEFORE:
        joins = pack.has("refers.relative_after_comma", said.low[at])
        return joins and not pack.has("grammar.verbs", said.low[at + 1])
    if not pack.has("refers.relative_like", said.low[at]):
        return False
    if pack.has("grammar.subjects", _next(said, at)):
        return True
    if at > 1 and pack.has("split.words", said.low[at - 1]):
        return True
    before = said.words[at - 1]
    if before.own or pack.has("lists.only", before.low):
        return True
    if pack.is_closed(before.low) or (at == 1 and kind_of(said, 0) is None):
        return False
    following = said.low[at + 1]
    return pack.has("grammar.verbs", following) or not pack.is_closed(following)


def _is_dummy(said: Said, at: int) -> bool:
    """'Is it allowed to', 'gibt es', 'het regent': nothing is referred to."""
    pack, low = said.pack, said.low
    if not pack.has("dummy.words", low[at]):
        return False
    if at and pack.has("dummy.before", low[at - 1]):
        return True
    ahead = low[at + 1 : at + 4]
    if any(pack.has("dummy.verbs", word) for word in (*ahead[:2], *low[max(at - 1, 0) : at])):
        return True
    judged = next((n for n, word in enumerate(ahead) if pack.has("dummy.judgements", word)), None)
    if judged is None:
        return False
    rest = low[at + 2 + judged :]
    return any(pack.has("dummy.continues", word) for word in rest)


def _inside(said: Said, at: int, *, plural: bool = False) -> bool:
    """Tell whether what stands before in the text itself may be what is referred to."""
    pack, before = said.pack, said.words[:at]
    own = [n for n, word in enumerate(before) if word.own]
    if own:
        return plural or not _is_object(said, own[-1], at)
    telling = [
        n
        for n, word in enumerate(before)
        if pack.is_content(word.low) and not pack.member("asked", word.low)
    ]
    if not telling:
        return False
    possessive = pack.has("refers.possessive", said.low[at]) and len(telling) >= MOST_BEFORE
    if possessive or pack.has("refers.possessives", said.low[at]):
        return True
    indefinite = any(pack.has("refers.indefinite", word.low) for word in before)
    apart = any(before[n].breaks for n in range(telling[0], len(before)))
    if not (said.has_verb or apart):
        return False
    return indefinite or apart or len(telling) > MOST_BEFORE


def _is_object(said: Said, own: int, at: int) -> bool:
    """'Does ADR-0030 replace it?': what a clause is about is not what it does something to."""
    between = said.words[own:at]
    closed = any(said.pack.has("grammar.function", word.low) for word in between[1:])
    alone = at + 1 == len(said.words)
    return alone and len(between) > 1 and not closed and not any(word.breaks for word in between)


def _is_asked(pack: FollowupWords, word: str) -> bool:
    return bool(pack.member("asked", word)) or pack.has("lists.orders", word)


def _goes_on(said: Said, at: int) -> bool:
    """'The decision about TLS', 'the policy 2024': the kind alone does not say which."""
    if said.words[at].breaks:
        return False
    following = said.words[at + 1]
    if any(said.pack.has("numbers.number", word) for word in said.low[at + 2 : at + 4]):
        return False
    return (
        following.own
        or following.low.isdigit()
        or said.pack.has("refers.about", following.low)
        or said.pack.has("refers.of", following.low)
    )


def _filler(said: Said, at: int) -> bool:
    return at < len(said.low) and said.pack.has("grammar.fillers", said.low[at])


def _next(said: Said, at: int) -> str:
    return said.low[at + 1] if at + 1 < len(said.words) else ""


def clauses(said: Said) -> Iterator[tuple[int, int]]:
    """Give the clauses of a text, as places among its words."""
    start = 0
    for at, word in enumerate(said.words):
        if word.breaks:
            yield start, at + 1
            start = at + 1
