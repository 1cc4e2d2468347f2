"""What the words of a follow-up refer to, by what was said before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from elysia_guard.domain.document import Document
from elysia_guard.language.pack import langs
from elysia_guard.language.stems import stems
from elysia_guard.reading.followups.focus import Antecedent, SpokenOf
from elysia_guard.reading.followups.followup import Followup
from elysia_guard.reading.followups.mention import COUNTS, ReferringWords, Refers
from elysia_guard.reading.followups.text import FollowUpText

MOST_NAMED: Final = 6
"""Documents of a list that 'they' may stand for in one question, and candidates asked back."""


def referents(asked: Followup, mention: ReferringWords) -> tuple[Antecedent, ...]:
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
            return _described(asked.said, mention, talk, asked.documents)
        case Refers.KIND if mention.kind:
            return talk.of_kind(mention.kind)
        case Refers.TERM:
            return tuple(filter(None, (talk.term,)))
        case Refers.PAIR:
            return talk.pair(_count(asked, mention))
    return _several(asked) if is_several(asked, mention) else talk.one()


def is_several(asked: Followup, mention: ReferringWords) -> bool:
    """Whether words that may be of one or of several are of several: 'zijn deze', 'haben sie'."""
    if mention.plural or (mention.place and mention.place.count > 1):
        return True
    pack, word = asked.pack, asked.said.low[mention.first]
    either = pack.has("refers.things", word) and pack.has("refers.thing", word)
    return either and any(pack.has("grammar.plural_verbs", each) for each in asked.said.low)


def _placed(asked: Followup, mention: ReferringWords) -> tuple[Antecedent, ...]:
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


def _count(asked: Followup, mention: ReferringWords) -> int:
    said = asked.said.low[mention.first : mention.end]
    found = (asked.pack.member("numbers", word) for word in said)
    return next((COUNTS[name] for name in found if name in COUNTS), 2)


def _described(
    said: FollowUpText, mention: ReferringWords, talk: SpokenOf, documents: Sequence[Document]
) -> tuple[Antecedent, ...]:
    """Return the one document whose title says what a text describes, of those spoken of first.

    None where several do, or none.
    """
    telling = [
        word
        for word in said.low[mention.first : mention.end]
        if said.pack.is_content(word) and not said.pack.has("refers.selected", word)
    ]
    spoken = {item.key for item in talk.all_documents()}
    kinds = {item.kind for item in talk.all_documents()} | set(talk.last.kinds if talk.last else ())
    known = [each for each in documents if not each.approval]
    near = [each for each in known if Antecedent.named(each).key in spoken]
    alike = [each for each in known if each.kind in kinds]
    for among in (near, alike):
        fitting = [each for each in among if telling and _tells(each, telling)]
        if len(fitting) == 1:
            return (Antecedent.named(fitting[0]),)
        if fitting:
            return ()
    return ()


def document_of(item: Antecedent, documents: Iterable[Document]) -> Document | None:
    """Return the document that is spoken of."""
    return next((each for each in documents if Antecedent.named(each).key == item.key), None)


def owner_of(document: Document) -> str:
    """Return who owns a document, or else drove its last approval; empty where neither is said."""
    return document.owner or next((each.driver for each in document.approvals if each.driver), "")


def matter(said: FollowUpText, mention: ReferringWords) -> str:
    """Return what a text says that tells the document."""
    places = [at for at in range(mention.first, mention.end) if said.pack.is_content(said.low[at])]
    return said.text[said.words[places[0]].start : said.words[places[-1]].end]


def _tells(document: Document, telling: Sequence[str]) -> bool:
    """Tell whether every word stands in a title, in some form of it."""
    titled = {stem for lang in langs() for stem in stems(document.title, lang)}
    return all(any(titled & stems(word, lang) for lang in langs()) for word in telling)
