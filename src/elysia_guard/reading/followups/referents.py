"""What the words of a follow-up refer to, by what was said before."""

from __future__ import annotations

from typing import Final

from elysia_guard.reading.followups import described
from elysia_guard.reading.followups.focus import Antecedent
from elysia_guard.reading.followups.followup import Followup
from elysia_guard.reading.followups.mention import Mention, Refers
from elysia_guard.reading.followups.ordinals import COUNTS

MOST_NAMED: Final = 6
"""Documents of a list that 'they' may stand for in one question, and candidates asked back."""


def referents(asked: Followup, mention: Mention) -> tuple[Antecedent, ...]:
    """Return what a word refers to: one, several that it means or may mean, or none."""
    talk = asked.talk
    match mention.refers:
        case Refers.ORDINAL:
            return _placed(asked, mention)
        case Refers.OTHER:
            return tuple(filter(None, (talk.other(mention.kind),)))
        case Refers.DESCRIBED if asked.said.references:
            return tuple(item for item in asked.own if item.reference)
        case Refers.DESCRIBED:
            return described.found(asked.said, mention, talk, asked.documents)
        case Refers.KIND if mention.kind:
            return talk.of_kind(mention.kind)
        case Refers.TERM:
            return tuple(filter(None, (talk.term,)))
        case Refers.PAIR:
            return talk.pair(_count(asked, mention))
    return _several(asked) if is_several(asked, mention) else talk.one()


def is_several(asked: Followup, mention: Mention) -> bool:
    """Whether words that may be of one or of several are of several: 'zijn deze', 'haben sie'."""
    if mention.plural or (mention.place and mention.place.count > 1):
        return True
    pack, word = asked.pack, asked.said.low[mention.first]
    either = pack.has("refers.things", word) and pack.has("refers.thing", word)
    return either and any(pack.has("grammar.plural_verbs", each) for each in asked.said.low)


def told_apart(asked: Followup) -> tuple[Antecedent, ...]:
    """'The same for the twin': the document that was spoken of whose title says so."""
    if asked.own or not asked.content:
        return ()
    every = Mention(refers=Refers.DESCRIBED, first=0, end=len(asked.said.words))
    return described.found(asked.said, every, asked.talk, asked.documents)


def _placed(asked: Followup, mention: Mention) -> tuple[Antecedent, ...]:
    if mention.place is None:
        return ()
    talk = asked.talk
    several = talk.several(listed=asked.said.says("numbers.list"))
    current = talk.document or talk.term
    keys = [item.key for item in several]
    found = mention.place.of(keys, current.key if current else None)
    return tuple(item for item in several if item.key in found)


def _several(asked: Followup) -> tuple[Antecedent, ...]:
    """What 'they' are; where only one document was spoken of, people that it speaks of."""
    talk, last = asked.talk, asked.talk.last
    if last and len(last.subjects) > 1:
        return last.subjects if len(last.subjects) <= MOST_NAMED else ()
    if last and not last.subjects:
        return ()
    return talk.one() if talk.document else talk.pair() or talk.one()


def _count(asked: Followup, mention: Mention) -> int:
    said = asked.said.low[mention.first : mention.end]
    found = (asked.pack.member("numbers", word) for word in said)
    return next((COUNTS[name] for name in found if name in COUNTS), 2)
