"""The words of a follow-up that refer to what was said before: 'it', 'daarvan', 'das Prinzip'."""

from __future__ import annotations

from dataclasses import replace

from elysia_guard.language.kind_roles import plural_role
from elysia_guard.reading.followups.mention import BACK, PICKS, ReferringWords, Refers
from elysia_guard.reading.followups.picking import described, ordinal, other, pair
from elysia_guard.reading.followups.pronouns import (
    MOST_BEFORE,
    is_other_use,
    kind_of,
    names_before,
    next_word,
    stands_alone,
)
from elysia_guard.reading.followups.text import FollowUpText


def mentions(said: FollowUpText) -> tuple[ReferringWords, ...]:
    """Return the referring words of a text, in order; those of a dummy ('is it allowed to') not."""
    found: list[ReferringWords] = []
    at = 0
    while at < len(said.words):
        mention = None if said.words[at].own else _mention(said, at)
        if mention:
            found.append(mention)
        at = mention.end if mention else at + 1
    if any(each.refers in PICKS for each in found):
        # 'De eerste daarvan': of what list it is one, goes with which it is.
        of = said.pack.phrases["refers.of"]
        found = [each for each in found if (each.preposition,) not in of]
    return tuple(found)


def _mention(said: FollowUpText, at: int) -> ReferringWords | None:
    found = next(filter(None, (find(said, at) for find in _FINDERS)), None)
    if found is None or found.refers in BACK:
        return found
    several = found.plural or said.pack.match("refers.things", said.low, at)
    most = 0 if several else MOST_BEFORE
    return replace(found, inside=names_before(said, at, most))


def _adverb(said: FollowUpText, at: int) -> ReferringWords | None:
    preposition = said.pack.plain["refers.adverbs"].get(said.low[at], "")
    found = ReferringWords(refers=Refers.ADVERB, first=at, end=at + 1, preposition=preposition)
    return found if preposition else None


def _such(said: FollowUpText, at: int) -> ReferringWords | None:
    """'Such a certificate', 'die tweeling': of what was spoken of, though not by its name."""
    pack, word = said.pack, said.low[at]
    if pack.has("refers.demonstratives", word) and not pack.has("refers.said", word):
        if stands_alone(said, at) or not pack.is_content(said.low[at + 1]):
            return None
        if said.words[at + 1].own:
            return None
    elif not pack.has("refers.such", word):
        return None
    return ReferringWords(refers=Refers.SUCH, first=at, end=at + 1)


def _kind(said: FollowUpText, at: int) -> ReferringWords | None:
    """'That principle', 'the decision'; not 'the decision about TLS', which says which."""
    pack, word = said.pack, said.low[at]
    pointing = pack.has("refers.demonstratives", word)
    if not (pointing or pack.has("refers.articles", word)) or at + 1 >= len(said.words):
        return None
    if pointing and pack.has("refers.term", said.low[at + 1]):
        return ReferringWords(refers=Refers.TERM, first=at, end=at + 2)
    kind = kind_of(said, at + 1)
    if kind is None:
        return None
    plural = pack.has("kinds." + plural_role(kind), said.low[at + 1])
    if not pointing and (plural or _goes_on(said, at + 1)):
        return None
    refers = Refers.THINGS if plural else Refers.KIND
    return ReferringWords(refers=refers, first=at, end=at + 2, kind=kind)


def _possessive(said: FollowUpText, at: int) -> ReferringWords | None:
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
    return ReferringWords(refers=refers, first=at, end=at + 1)


def _pronoun(said: FollowUpText, at: int) -> ReferringWords | None:
    pack = said.pack
    number = [Refers.THING, Refers.THINGS]
    if any(pack.compares(word) for word in said.low):
        number.reverse()  # 'vergelijk ze': one alone is not compared
    for refers in (Refers.PERSON, *number):
        length = pack.match(f"refers.{refers}", said.low, at)
        if length and not is_other_use(said, at, length):
            return ReferringWords(refers=refers, first=at, end=at + length)
    return None


def _place(said: FollowUpText, at: int) -> ReferringWords | None:
    if not at or not said.pack.has("refers.place", said.low[at]):
        return None
    beside = (said.low[at - 1], "" if said.words[at].breaks else next_word(said, at))
    dummies = said.pack.phrases.get("dummy.there", frozenset())
    if any((word,) in dummies for word in beside) or beside[1] in said.pack.plain["refers.adverbs"]:
        return None
    return ReferringWords(refers=Refers.PLACE, first=at, end=at + 1)


_FINDERS = (
    pair,
    other,
    ordinal,
    described,
    _adverb,
    _kind,
    _such,
    _possessive,
    _pronoun,
    _place,
)


def _goes_on(said: FollowUpText, at: int) -> bool:
    """'The decision about TLS', 'the policy 2024': the kind alone does not say which."""
    if said.words[at].breaks:
        return False
    following = said.words[at + 1]
    if any(said.pack.has("numbers.number", word) for word in said.low[at + 2 : at + 4]):
        return False
    return (
        following.own
        or following.low.isdecimal()
        or said.pack.has("refers.about", following.low)
        or said.pack.has("refers.of", following.low)
    )
