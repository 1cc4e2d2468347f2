"""The way from a follow-up to a whole question, in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document
from elysia_guard.domain.question import Lang
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
from elysia_guard.reading.followups.pronouns import MOST_BEFORE, is_plural, names_kind
from elysia_guard.reading.followups.referents import MOST_NAMED, is_several
from elysia_guard.reading.followups.text import EDGES, FollowUpText, Subject
from elysia_guard.reading.followups.words import followup_words

LONGEST: Final = 80
"""Words of a follow-up; a longer text says itself what it is about."""
MOST_VAGUE: Final = 3
"""Words of content from which a first question may say itself what it is about."""
MOST_FRAGMENT: Final = 7
"""Words of what is no sentence: 'default priority'."""
_MAY_BE_NOTHING: Final = {Refers.SUCH, Refers.PLACE, Refers.PERSON, Refers.DESCRIBED, Refers.TERM}
_OF_ITS_OWN: Final = ("dummy.verbs", "lists.shows", "lists.everything")
"""Roles of words with which a text that refers to nothing is a question of its own."""
_OF_DOCUMENTS: Final = {Refers.PLACE, Refers.PERSON, Refers.SUCH}
_OF_PEOPLE: Final = {Refers.PERSON, Refers.SUCH}
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
    return next((each for each in answers if each), _as_it_is(asked, text))


def _lang_of(text: str, lang: Lang, talk: SpokenOf) -> Lang:
    """Return the language of a text; that of the conversation where no word of it tells."""
    if talk.last is None or any(function_word_counts(text).values()):
        return lang
    said = words(text)
    spoken = (talk.last.lang, lang, *langs())
    packed = (each for each in spoken if pack(each).has("followups"))
    asked = (each for each in packed if all(map(followup_words(each).is_known, said)))
    return next(asked, talk.last.lang)


def _as_it_is(asked: Followup, text: str) -> Whole:
    """'What were the risks?': a question of its own, unless the document spoken of tells it."""
    said, last, document = asked.said, asked.talk.last, asked.talk.document
    kinds = any(names_kind(said, at) for at in range(len(said.words)))
    plain = Whole(text=text, lang=asked.lang)
    if asked.own or asked.mentions or kinds or not (said.asks and said.content):
        return plain
    if last is None or document is None or document.reference is None:
        return plain
    reason = f"{document.name} was spoken of, and tells of it"
    whole = asked.whole(wholes.according(said, document.name), reason, (document,))
    told = tuple(word for word in said.content if not said.pack.has("grammar.persons", word))
    perhaps = Perhaps(document=document.reference, whole=whole, words=told)
    return replace(plain, perhaps=perhaps)


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
        return _perhaps(asked, mention, found)
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


def _perhaps(
    asked: Followup, mention: ReferringWords, found: tuple[Antecedent, ...]
) -> Whole | None:
    """'How is a key kept, and who owns it?': of the document spoken of, if that tells all of it."""
    if found[0].reference is None or asked.own:
        return None
    if len(found) > 1 and not is_several(asked, mention):
        return None
    words = (word for word in asked.content if not asked.pack.is_known(word))
    told = tuple(word for word in words if not asked.pack.has("grammar.persons", word))
    whole = asking.of(asked, mention, found)
    perhaps = Perhaps(document=found[0].reference, whole=whole, words=told)
    return Whole(text=asked.said.text, lang=asked.lang, perhaps=perhaps)


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
    if asked.own or asked.refers_back or any(map(said.says, _OF_ITS_OWN)):
        return None
    if talk.last is None:
        return _of_nothing(said)
    single = talk.document or talk.term
    if single is None:
        return _side_of_several(asked)
    if any(is_plural(said, at) for at in range(len(said.words))):
        return None
    if said.has_verb and not (talk.last.named or asked.opening or _is_of_more(said)):
        return None
    if name := asking.side(asked, single, said.content):
        text = asked.pack.worded(name, it=single.name)
        return asked.whole(text, f"it asks for a side of {single.name}", (single,))
    if single.reference is None:
        return None
    return _of_document(asked, single)


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


def _of_document(asked: Followup, document: Antecedent) -> Whole | None:
    said, reason = asked.said, f"it is about {document.name}"
    sided = said.has_verb and bool(wholes.asked_word(said, said.content))
    if not (_is_fragment(said) or _is_of_more(said) or sided) or said.says("grammar.defines"):
        return None
    if said.asks:
        return asked.whole(wholes.according(said, document.name), reason, (document,))
    start = asking.phrase_start(said)
    if not asked.content or not asked.pack.is_content(said.low[start]):
        return None
    if said.pack.is_closed(said.low[0]) and start and not asked.joins:
        return None
    phrase = asking.noun_phrase(said)
    whole = asked.whole(wholes.about(asked.pack, document.name, phrase), reason, (document,))
    last = asked.talk.last
    if document.reference is None or last is None or last.named:
        return whole
    again = asked.whole(f"{last.question.rstrip(' ?')}: {phrase}?", "it asks the same of that")
    perhaps = Perhaps(document=document.reference, whole=whole, words=asked.content)
    return replace(again, perhaps=perhaps)


def _is_of_more(said: FollowUpText) -> bool:
    """'What else was considered?', 'wat nog meer': beside what was told."""
    return said.pack.has("grammar.asks", said.low[0]) and said.says("refers.else")


def _is_fragment(said: FollowUpText) -> bool:
    """'Default priority', 'approved by whom', 'why not RACI': no sentence of its own."""
    if said.has_verb or len(said.words) > MOST_FRAGMENT or said.says("grammar.persons"):
        return False
    if any(said.pack.has("refers.indefinite", word) for word in said.low[1:]):
        return False
    if any(names_kind(said, at) for at in range(len(said.words))):
        return False
    return not said.pack.has("grammar.asks", said.low[0]) or len(said.content) <= 1


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
