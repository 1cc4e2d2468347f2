"""Topics of a list: which they are, and whether a text bears one word for word or by the stem."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from elysia_guard.domain.evidence import Match, Topics
from elysia_guard.domain.question import Lang
from elysia_guard.language.glossary import named
from elysia_guard.language.pack import langs, pack
from elysia_guard.language.phrases import spoken
from elysia_guard.language.stems import content_words, inflected, is_stop_word, stem, stems
from elysia_guard.language.text import QUOTES, elided, unquote, words

_QUOTED = re.compile(f"[{QUOTES}][^{QUOTES}]*[{QUOTES}]")
_BETWEEN = r"[\s\-\u2010-\u2015/'\u2019]*"
"""What may stand between the words of a name that is written in another form."""
_NO_VOWEL = re.compile(r"[bcdfghjklmnpqrstvwxz]+")


def topics_of(written: str, lang: Lang) -> Topics:
    """Tell apart what is joined by 'and' or 'or'; what is quoted, or is a clause, is one.

    >>> topics_of("encryption and authentication", "en")
    Topics(names=('encryption', 'authentication'), any_of=False)
    """
    is_clause = not set(pack(lang).core.questions.words).isdisjoint(words(written))
    if is_clause or _QUOTED.fullmatch(written.strip()):
        return Topics(names=(unquote(written),))
    parts, joints = _joined(lang).split(written), _joined(lang).findall(written)
    names = (
        _led_in(unquote(_leading(lang).sub("", part, 1)).strip(" -()"), lang) for part in parts
    )
    any_of = any(_any_of(lang).fullmatch(joint.strip()) for joint in joints)
    return Topics(names=tuple(dict.fromkeys(filter(None, names))), any_of=any_of)


def _led_in(name: str, lang: Lang) -> str:
    """Return a name without the little words before it: 'de la norme' without 'de la'."""
    said = name.split()
    first = next((at for at, word in enumerate(said) if not is_stop_word(word.lower(), lang)), 0)
    return " ".join(said[first:])


@cache
def _joined(lang: Lang) -> re.Pattern[str]:
    said = pack(lang).table("listings")
    joints = _either((*said["all_of"], *said["any_of"]))
    return re.compile(rf"\s*[,;]\s*(?:{joints}\s+)?|\s+{joints}\s+", re.IGNORECASE)


@cache
def _any_of(lang: Lang) -> re.Pattern[str]:
    return re.compile(rf"[,;]?\s*{_either(pack(lang).table('listings')['any_of'])}", re.IGNORECASE)


@cache
def _leading(lang: Lang) -> re.Pattern[str]:
    """What leads a topic in: 'about the', 'both'."""
    said, core = pack(lang).table("listings"), pack(lang).core.words
    leading = (*said["each_of"], *said["about"], *core.definite, *core.indefinite)
    return re.compile(rf"^\s*(?:{_either(leading)}\s+|{elided()})+", re.IGNORECASE)


def _either(phrases: Sequence[str]) -> str:
    longest_first = sorted(phrases, key=len, reverse=True)
    said = "|".join(spoken(re.escape(each)) for each in longest_first)
    return rf"(?<!\w)(?:{said})(?!\w)" if said else "(?!)"


class TopicMatch(NamedTuple):
    """How a text bears a topic, and how it writes it where not as it is asked: 'keys' for 'key'."""

    match: Match
    written: str = ""


@dataclass(frozen=True, kw_only=True)
class Topic:
    """One topic of a list, in the language that it is asked in.

    ``others`` are its other names, and the language in whose texts one is a name; '' is any.
    """

    name: str
    lang: Lang
    others: tuple[tuple[str, Lang], ...] = ()

    @classmethod
    def of(cls, name: str, lang: Lang, synonyms: Sequence[Sequence[str]]) -> Topic:
        """Take a topic with what the vocabulary calls it, and a single word in other languages.

        A group of synonyms counts where it is of the whole name, and not of a word in it.
        """
        asked = _stemmed(name, lang)
        of_it = (rest for label, *rest in synonyms if _stemmed(label, lang) == asked)
        labels = [(other, "") for rest in of_it for other in rest]
        return cls(
            name=name,
            lang=lang,
            others=(*labels, *_acronyms(name), *_translated(words(name), lang)),
        )

    @cached_property
    def names(self) -> tuple[tuple[tuple[str, ...], Lang], ...]:
        """The words of its name, and of each of its other names."""
        others = ((tuple(words(name)), lang) for name, lang in self.others)
        return ((tuple(words(self.name)), ""), *(other for other in others if other[0]))

    @cached_property
    def sought(self) -> tuple[tuple[str, ...], ...]:
        """The words to look for in an index, of each name: those that carry content, if any."""
        each = ((name, lang or self.lang) for name, lang in self.names)
        return tuple(tuple(content_words(" ".join(name), lang)) or name for name, lang in each)

    def found_in(self, texts: Sequence[str], lang: str) -> TopicMatch | None:
        """Tell how texts of a document bear the topic, in the closest way; None if they do not."""
        if any(map(self._pattern.search, texts)):
            return TopicMatch(match=Match.WORDS)
        own = lang if lang in langs() else self.lang
        stemmed = {word: stem(word, own) for word in sorted(set(words("\n".join(texts))))}
        forms: list[TopicMatch] = []
        for name, only in self.names[self._is_as_written :]:
            keys = [stem(word, own) for word in name]
            each = [[it for it, key in stemmed.items() if key == wanted] for wanted in keys]
            if only in {"", own} and all(each):
                joined = _BETWEEN.join(f"(?:{'|'.join(map(re.escape, found))})" for found in each)
                pattern = re.compile(rf"(?<![^\W_]){joined}(?![^\W_])", re.IGNORECASE)
                written = {found[0] for text in texts for found in pattern.finditer(text)}
                forms += (self._form(name, one, own) for one in sorted(written))
        return min(forms, key=lambda form: form.match is Match.FORMS, default=None)

    def _form(self, name: tuple[str, ...], written: str, lang: Lang) -> TopicMatch:
        pairs = zip(name, words(written), strict=False)
        same = name == self.names[0][0] and all(inflected(*pair, lang) for pair in pairs)
        return TopicMatch(match=Match.WORDS if same else Match.FORMS, written=written)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        name = r"\s+".join(map(re.escape, unicodedata.normalize("NFC", self.name).split()))
        flags = re.NOFLAG if self._is_as_written else re.IGNORECASE
        return re.compile(rf"(?<![^\W_]){name}(?![^\W_])", flags)

    @property
    def _is_as_written(self) -> bool:
        """Whether it is a name in capitals alone: 'IT' is not 'it'."""
        return self.name.isupper() and is_stop_word(self.name.lower(), self.lang)

    def words_in(self, text: str, lang: str) -> bool:
        """Tell whether a text of some language has all words of a longer name, in any form."""
        own = lang if lang in langs() else self.lang
        wanted = {stem(word, own) for word in self.sought[0]}
        return len(wanted) > 1 and wanted <= stems(text, own)


def _stemmed(name: str, lang: Lang) -> tuple[str, ...]:
    return tuple(stem(word, lang) for word in words(name))


def _acronyms(name: str) -> Iterator[tuple[str, Lang]]:
    """One acronym for several, or several for one: no stemmer takes an s off what has no vowel.

    >>> list(_acronyms("VPC")), list(_acronyms("VPCs")), list(_acronyms("gateway"))
    ([('VPCs', '')], [('VPC', '')], [])
    """
    one = name.removesuffix("s")
    if len(one) < 2 or not one.isalpha():  # noqa: PLR2004  a letter alone is no acronym
        return
    if one.isupper():
        yield (f"{one}s" if one == name else one), ""
    elif _NO_VOWEL.fullmatch(name):
        yield f"{name}s", ""


def _translated(found: Sequence[str], lang: Lang) -> Iterator[tuple[str, Lang]]:
    """Name a single word in the other languages, where one word names it there."""
    called = named(found[0], lang) if len(found) == 1 else ()
    phrased = {other for name, other in called if is_stop_word(name, other)}
    yield from ((name, other) for name, other in called if other not in phrased)
