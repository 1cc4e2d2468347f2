"""A question that a model makes whole: what it is told of the talk, and which names it may use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from elysia_guard.domain.document import Filters
from elysia_guard.domain.inquiry import Inquiry
from elysia_guard.domain.reading import Asks, Comparison, Definition, Listing, Search
from elysia_guard.language.pack import pack
from elysia_guard.language.references import find_references
from elysia_guard.language.spelling import is_form_word
from elysia_guard.language.stems import is_stop_word, stem
from elysia_guard.language.text import normalise, without_marks, words, words_in_place
from elysia_guard.ports import PassageIndex, TerminologySource

LAST_TURNS = 3
_BEGINS = re.compile(r"(?:^|[.?!:\u2026]\s)\W*\Z")


def talk(inquiry: Inquiry) -> tuple[str, ...]:
    """What was asked last, the newest last, each with the names of what was shown for it.

    The questions of this turn are not kept yet.
    """
    return tuple(
        f"{each.question} [shown: {'; '.join(each.shown)}]" if each.shown else each.question
        for each in inquiry.conversation.focus[-LAST_TURNS:]
    )


def says_more(text: str, inquiry: Inquiry) -> bool:
    """Tell whether a text says anything beside what was typed."""
    question = inquiry.question
    return words(text) not in ([], words(question.asked), words(question.text))


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """What names a question may use: those typed, spoken of or shown, and those that there are."""

    texts: tuple[str, ...]
    """In lower case."""
    words: frozenset[str]
    references: frozenset[object]

    @classmethod
    async def of(
        cls, inquiry: Inquiry, index: PassageIndex, vocabulary: TerminologySource, text: str
    ) -> Spoken:
        """Gather the names that a text may use in the place of a question.

        Raises:
            SourceUnavailableError, PassageIndexError: the index or the vocabulary is down.
        """
        lang = inquiry.question.lang
        said = [inquiry.question.asked, inquiry.question.text, *talk(inquiry)]
        # What was read as naming nothing may name what was spoken of, not anything there is.
        if not isinstance(inquiry.asks, Search):
            known = await index.documents(Filters(approval=None))
            said += (item.heading for item in known)
            found = await vocabulary.synonyms(text, lang=lang)
            said += (label for group in found for label in group)
        return cls(
            texts=tuple(map(normalise, said)),
            words=frozenset(_plain(word, lang) for each in said for word in words(each)),
            references=frozenset(key for each in said for key in _references(each)),
        )

    async def covers(self, text: str, lang: str, index: PassageIndex) -> bool:
        """Tell whether a text has no name, number or identifier of its own.

        A word that is written large where every word would be is none if documents have it.
        """
        if set(_references(text)) - self.references:
            return False
        others = [
            found for found in words_in_place(text) if _plain(found[0], lang) not in self.words
        ]
        large = [found for found in others if found[0] != found[0].lower()]
        if any(char.isdecimal() for found in others for char in found[0]):
            return False
        ordinary = {
            found[0].lower() for found in large if found[0][1:].islower() and _is_due(found, lang)
        }
        if len(ordinary) < len({found[0].lower() for found in large}):
            return False
        asked = [word for word in ordinary if not _is_of_language(word, lang)]
        return not (asked and await index.spelt_like(asked))

    def tells(self, asks: Asks) -> bool:
        """Tell whether what a reply repeats of a reading, terms and topics, is in these names."""
        return all(any(normalise(each) in text for text in self.texts) for each in _repeated(asks))


def _repeated(asks: Asks) -> Sequence[str]:
    match asks:
        case Definition(term=term) | Search(term=term):
            return (term,)
        case Comparison(terms=terms):
            return terms
        case Listing(topic=topic, filters=filters):
            named = (each for each in (filters.owner, filters.party) if each)
            return (topic, *(each.written for each in named))
        case _:
            return ()


def _references(text: str) -> Iterator[object]:
    return ((each.kind, each.number, each.approval) for each in find_references(text))


def _plain(word: str, lang: str) -> str:
    """A word as it is compared: by its stem, a number without the zeros before it."""
    plain = word.casefold().replace("\u2019", "'").removesuffix("'s")
    return stem(plain.lstrip("0") or plain, lang)


def _is_due(found: re.Match[str], lang: str) -> bool:
    """Whether a word is written large because of where it stands, or as any noun is."""
    nouns = pack(lang).core.words.nouns_capitalised
    return nouns or bool(_BEGINS.search(found.string[: found.start()]))


def _is_of_language(word: str, lang: str) -> bool:
    return is_stop_word(word, lang) or is_form_word(without_marks(word))
