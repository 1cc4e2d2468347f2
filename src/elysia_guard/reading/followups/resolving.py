"""The way from a follow-up to a whole question, in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Lang, Reference
from elysia_guard.domain.reading import Unclear
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.stems import function_word_counts
from elysia_guard.language.text import words
from elysia_guard.reading.followups import (
    asking,
    narrowing,
    referents,
    repeating,
    wholes,
)
from elysia_guard.reading.followups.focus import Antecedent, SpokenOf
from elysia_guard.reading.followups.followup import Followup, Perhaps, Whole
from elysia_guard.reading.followups.mention import PICKS, ReferringWords, Refers
from elysia_guard.reading.followups.pronouns import MOST_BEFORE, names_kind
from elysia_guard.reading.followups.referents import MOST_NAMED, is_several
from elysia_guard.reading.followups.text import EDGES, FollowUpText, Subject
from elysia_guard.reading.followups.words import followup_words

LONGEST: Final = 80
"""Words of a follow-up; a longer text says itself what it is about."""
MOST_VAGUE: Final = 3
"""Words of content from which a first question may say itself what it is about."""
_MAY_BE_NOTHING: Final = {Refers.SUCH, Refers.PLACE, Refers.PERSON, Refers.DESCRIBED, Refers.TERM}
_OF_ITS_OWN: Final = ("lists.shows", "lists.everything")
"""Roles of words with which a text that refers to nothing is a question of its own."""
_OF_DOCUMENTS: Final = {Refers.PLACE, Refers.PERSON, Refers.SUCH}
_MAY_BE_OF_SEVERAL: Final = {Refers.SUCH, Refers.PLACE, Refers.PERSON}


def resolve(
    text: str,
    *,
    lang: Lang,
    conversation: Conversation,
    documents: Sequence[Document] = (),
    subjects: Sequence[Subject] = (),
) -> Whole | Unclear:
    """Make a whole question of a text, by what the conversation was about.

    A text with a subject of its own and no word that refers is returned as it is, and so is any in
    a language whose pack has no follow-ups.

    Args:
        text: what was typed, cleaned.
        lang: the language that it is in.
        conversation: what was said before; a message that was asked back stands in its focus
            without any subject.
        documents: those that there are, for 'the TLS one' and for who owns them.
        subjects: the terms and titles that stand in the text; what it names by number is found.

    >>> resolve("is it accepted?", lang="en", conversation=Conversation()).word
    'it'
    """
    talk = SpokenOf.of(conversation)
    lang = _lang_of(text, lang, talk)
    if not pack(lang).has("followups"):
        return Whole(text=text, lang=lang)
    said = FollowUpText.of(text, lang, subjects)
    if len(said.words) > LONGEST:
        return Whole(text=text, lang=lang)
    asked = Followup.of(said, talk, documents)
    if asked.is_something_else:
        return Whole(text=asked.said.text, lang=lang, reason="it says that it is something else")
    if asked.number_alone and not (talk.last or asked.content or said.subjects):
        return Whole(text=asked.number_alone, lang=lang)
    if asked.is_small_talk:
        thanks = text[: len(text) - len(asked.said.text)].strip(EDGES)
        return Whole(text=thanks if len(asked.content) == 1 else text, lang=lang)
    answers = (rule(asked) for rule in _RULES)
    return next((each for each in answers if each), Whole(text=text, lang=lang))


def _lang_of(text: str, lang: Lang, talk: SpokenOf) -> Lang:
    """Return the language of a text; that of the conversation where no word of it tells."""
    if talk.last is None or any(function_word_counts(text).values()):
        return lang
    said = words(text)
    spoken = (talk.last.lang, lang, *langs())
    packed = (each for each in spoken if pack(each).has("followups"))
    asked = (each for each in packed if all(map(followup_words(each).is_known, said)))
    return next(asked, talk.last.lang)


def _compared(asked: Followup) -> Whole | Unclear | None:
    """'Vergleiche es mit 21', 'and the difference?': with what was spoken of before."""
    named = asked.own or asked.numbered
    comparing = [word for word in asked.content if asked.pack.compares(word)]
    if named and asked.refers_back and asked.said.says("refers.same"):
        comparing = [word for word in asked.said.low if asked.pack.has("refers.same", word)]
    picks = {each.refers for each in asked.mentions} & {Refers.ORDINAL, Refers.OTHER}
    if not comparing or len(named) > 1 or picks:
        return None
    if set(asked.content) - set(comparing) or asked.talk.last is None:
        return None
    if not named and asked.refers_back and not asked.refers_back.plural:
        return None
    if not named:
        return _difference(asked, asked.talk.pair())
    others = [each for each in asked.talk.one() if each.key != named[0].key]
    if any((each.reference is None) != (named[0].reference is None) for each in others):
        return None
    wholes_ = [_difference(asked, (each, named[0])) for each in others]
    if len(wholes_) == 1:
        return wholes_[0]
    candidates = tuple(each.text for each in wholes_[:MOST_NAMED] if each)
    return Unclear(word=asked.said.text, candidates=candidates)


def _difference(asked: Followup, both: tuple[Antecedent, ...]) -> Whole | None:
    if len(both) != len(("one", "other")):
        return None
    it = wholes.names(both, asked.lang)
    return asked.whole(asked.pack.worded("difference", it=it), f"it compares {it}", both)


def _referred(asked: Followup) -> Whole | Unclear | None:
    """'Who approved it?', 'the third one', 'die andere', 'its owner'."""
    mention = asked.refers_back
    if mention is None:
        return None
    found = referents.referents(asked, mention)
    if mention.inside and found:
        many = len(found) > 1 and not is_several(asked, mention)
        document = found[0].reference
        if asked.own or many or document is None:
            return None
        return _if_told(document, asking.of(asked, mention, found), asked)
    if not found:
        described_so = mention.refers is Refers.DESCRIBED
        return _as_described(asked, mention) if described_so else _unclear(asked, mention)
    if mention.refers in _OF_DOCUMENTS and found[0].reference is None:
        return None
    if len(found) == 1 or is_several(asked, mention):
        return asking.of(asked, mention, found)
    if mention.refers in _MAY_BE_OF_SEVERAL:
        return None
    candidates = tuple(asking.of(asked, mention, (each,)).text for each in found[:MOST_NAMED])
    return Unclear(word=asked.worded(mention), candidates=candidates)


def _as_described(asked: Followup, mention: ReferringWords) -> Whole | None:
    """'Die over toegankelijk' where no title is known: 'het principe over toegankelijk'."""
    kind = asked.talk.kind
    if kind is None:
        return None
    matter = referents.matter(asked.said, mention)
    named = asked.pack.worded("described", kind=asked.pack.plain["definite"][kind], matter=matter)
    text = asking.worded(asked, mention, named)
    return asked.whole(text, "it tells which one by what it is about")


def _unclear(asked: Followup, mention: ReferringWords) -> Unclear | None:
    """Ask back what a word refers to, unless the text may do without."""
    first = not asked.talk.turns
    if asked.own or mention.refers in _MAY_BE_NOTHING:
        return None
    if first and (mention.refers is Refers.KIND or len(asked.content) >= MOST_VAGUE):
        return None
    before = None if mention.refers in PICKS else asked.talk.before
    wholly = (asking.of(asked, mention, (before,)).text,) if before else ()
    return Unclear(word=asked.worded(mention), candidates=wholly)


def _fragment(asked: Followup) -> Whole | Unclear | None:
    """'Status?', 'why', 'since when?', 'default priority': of the one thing spoken of."""
    said, talk = asked.said, asked.talk
    if asked.own or asked.mentions or any(map(said.says, _OF_ITS_OWN)):
        return None
    if talk.last is None:
        return _of_nothing(said)
    single = talk.document or talk.term
    if single is None:
        return _side_of_several(asked)
    if any(names_kind(said, at) for at in range(len(said.words))):
        return None
    name = asking.side(asked, single, said.content)
    if name and (not said.has_verb or talk.last.named or asked.opening):
        text = asked.pack.worded(name, it=single.name)
        return asked.whole(text, f"it asks for a side of {single.name}", (single,))
    if single.reference is None or said.says("grammar.defines"):
        return None
    if not said.asks and all(map(asked.pack.is_known, asked.content)):
        return None
    phrase = asking.noun_phrase(said)
    text = wholes.about(asked.pack, single.name, phrase)
    text = wholes.according(said, single.name) if said.asks else text
    whole = asked.whole(text, f"it is about {single.name}", (single,))
    short = not said.has_verb and (not said.asks or len(asked.content) <= 1)
    if said.says("refers.else") or (short and talk.last.named):
        return whole
    before = "" if said.asks else f"{talk.last.question.rstrip(EDGES)}: {phrase}?"
    return _if_told(single.reference, whole, asked, before)


def _if_told(document: Reference, whole: Whole, asked: Followup, text: str = "") -> Whole:
    """Ask of a document that was spoken of if it tells of all that is said; else what is typed.

    ``text`` is what else is asked, where that is not the words alone.
    """
    words = (word for word in asked.content if not asked.pack.is_known(word))
    told = tuple(word for word in words if not asked.pack.has("grammar.persons", word))
    name = Antecedent.of(document).name
    whole = replace(whole, reason=f"{name} was spoken of, and tells of it")
    perhaps = Perhaps(document=document, whole=whole, words=told)
    return Whole(text=text or asked.said.text, lang=asked.lang, perhaps=perhaps)


def _side_of_several(asked: Followup) -> Unclear | None:
    """'Who is the owner?' after a list: of which, is asked back."""
    several = asked.talk.several()[:MOST_NAMED]
    if not asked.content or any(each.reference is None for each in several):
        return None
    name = asking.side(asked, several[0], asked.content) if several else ""
    if not name:
        return None
    candidates = tuple(asked.pack.worded(name, it=each.name) for each in several)
    return Unclear(word=asked.said.text.strip(" ?!."), candidates=candidates)


def _of_nothing(said: FollowUpText) -> Unclear | None:
    """'Status?', 'why?' before anything was said."""
    if said.has_verb or len(said.words) > MOST_BEFORE or not wholes.asked_word(said, said.content):
        return None
    return Unclear(word=said.text.strip(" ?!."))


_RULES: Final[tuple[Callable[[Followup], Whole | Unclear | None], ...]] = (
    repeating.continued,
    repeating.filled,
    narrowing.changed,
    repeating.repeated,
    _compared,
    repeating.same_of_another,
    repeating.of_other_kind,
    narrowing.of_others,
    narrowing.of_owner,
    _referred,
    repeating.clarified,
    _fragment,
)
"""From the most to the least certain; the first that answers decides."""
