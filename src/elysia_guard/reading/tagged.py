"""A text in its words, marks and mentions, each with the part that it plays in its language.

What a question mentions (a term, a document, a quotation) is one token, so that no rule looks into
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from elysia_guard.domain.question import Lang, Reference
from elysia_guard.language.own_kinds import kept_by_kinds
from elysia_guard.language.pack import pack
from elysia_guard.reading.roles import roles

_HYPHENS: Final = frozenset("-\u2010\u2011")
_LONGEST_NUMBER = 6
"""Figures of what may be the number of a document."""
_MARK: Final = r"|\.{2,}|\u2026|[?!.;:,()\[\]+&=/]|(?<=\s)[-\u2013\u2014]+(?=\s)|[\u2013\u2014]"
_TOKEN: Final = re.compile(r"[^\W_]+(?:['\u2019.\-\u2010\u2011_][^\W_]+)*" + _MARK)
_APART: Final = re.compile(r"[^\W_]+(?:['\u2019.][^\W_]+)*" + _MARK)
_QUOTED: Final = re.compile(
    r"(?<!\w)(?:\"[^\"]{1,120}\"|'[^']{1,120}'(?!\w)|\u2018[^\u2019]{1,120}\u2019"
    r"|[\u201c\u201e][^\u201c\u201d]{1,120}[\u201c\u201d]|\u00ab[^\u00bb]{1,120}\u00bb)"
)


_LIGHT = frozenset(
    """question_words question_subjects auxiliaries perfect subjects persons indefinite definite
    determiners demonstratives prepositions topical additive alternative adverbs openers fillers
    thing things owning adverbial whether commands requests wishes
    final_commands""".split()
)
"""Roles of words that name nothing."""


class Spotted(Protocol):
    """What stands in a text from ``start`` to ``end``, and is a term or a document."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def means(self) -> object:
        """A document, as a ``Reference``; or a term, by its ``uri`` where it has one."""


class Mention(NamedTuple):
    """What is mentioned: equal ``means`` are the same thing, however it was written."""

    span: Spotted
    means: object
    is_document: bool

    @classmethod
    def of(cls, span: Spotted) -> Mention:
        meant = span.means
        if isinstance(meant, Reference):
            return cls(span, (meant.kind, meant.number, meant.approval), is_document=True)
        return cls(span, getattr(meant, "uri", "") or meant, is_document=False)


class TaggedToken(NamedTuple):
    """A word, a mark, or a whole mention. ``word`` is in lower case, and empty for a mention."""

    start: int
    end: int
    text: str
    word: str
    span: Mention | None = None

    @property
    def is_word(self) -> bool:
        """Whether it is a word, and neither a mark nor a mention."""
        return self.word[:1].isalnum()

    @property
    def is_mention(self) -> bool:
        """Whether it is a term, a document or a quotation, taken as one."""
        return not self.word

    @property
    def number(self) -> int | None:
        """The number that stands there by itself."""
        return (
            int(self.word) if self.word.isdecimal() and len(self.word) <= _LONGEST_NUMBER else None
        )


@lru_cache(maxsize=64)
def tokens(
    text: str,
    lang: Lang,
    spans: tuple[Spotted, ...] = (),
    *,
    quotes: bool = True,
    hyphens: bool = True,
) -> tuple[TaggedToken, ...]:
    """Cut a text into words, marks and mentions; of mentions that overlap the longest counts.

    ``quotes`` tells whether a quotation is a mention, ``hyphens`` whether words that hyphens join
    are one. What a language writes onto the next word is a word of its own: 'l\u2019', 'qu\u2019'.
    """
    mentioned = {
        (each.start, each.end): Mention.of(each) for each in spans if _is_whole(text, each)
    }
    marked: list[tuple[int, int, Mention | None]] = [(*at, each) for at, each in mentioned.items()]
    for quote in _QUOTED.finditer(text) if quotes else ():
        inner = mentioned.get((quote.start() + 1, quote.end() - 1))
        marked.append((quote.start(), quote.end(), inner))
    taken: list[tuple[int, int, Mention | None]] = []
    for start, end, span in sorted(marked, key=lambda one: one[0] - one[1]):
        if all(end <= other or start >= until for other, until, _ in taken):
            taken.append((start, end, span))
    plain = _plain(text, lang, hyphens=hyphens)
    if not taken:
        return plain
    found = [TaggedToken(start, end, text[start:end], "", span) for start, end, span in taken]
    found += [
        token
        for token in plain
        if all(token.end <= other or token.start >= until for other, until, _ in taken)
    ]
    return tuple(sorted(found, key=lambda token: token.start))


@lru_cache(maxsize=64)
def _plain(text: str, lang: Lang, *, hyphens: bool) -> tuple[TaggedToken, ...]:
    """The words and marks of a text, as if it mentioned nothing."""
    found, elided = list[TaggedToken](), pack(lang).core.words.elided
    for match in (_TOKEN if hyphens else _APART).finditer(text):
        (start, end), written = match.span(), match.group()
        word = written.casefold().replace("\u2019", "'")
        head, apostrophe, rest = word.partition("'")
        if apostrophe and rest and head in elided:
            after = len(head) + 1
            found.append(TaggedToken(start, start + after, written[:after], word[:after]))
            start, written, word = start + after, written[after:], rest
        found.append(TaggedToken(start, end, written, word))
    return tuple(found)


def _is_whole(text: str, span: Spotted) -> bool:
    """Tell a term from a part of a longer word: of a 'GPLK-kabel' no cable is told."""
    before, after = text[: span.start][-2:], text[span.end :][:2]
    joined = (
        before[-1:] in _HYPHENS and before[:1].isalnum(),
        after[:1] in _HYPHENS and after[1:].isalnum(),
    )
    return not any(joined)


class Wording(NamedTuple):
    """A text in its tokens, each with the roles that it plays in the language."""

    text: str
    tokens: tuple[TaggedToken, ...]
    roles: tuple[dict[str, int], ...]
    pack: Mapping[str, Sequence[str]]

    def plays(self, place: int, *names: str) -> bool:
        """Tell whether the token at a place begins one of these roles."""
        return not self.roles[place].keys().isdisjoint(names)

    def places(self, *names: str) -> list[int]:
        """The places where one of these roles begins."""
        return [place for place in range(len(self.tokens)) if self.plays(place, *names)]

    def length(self, place: int, *names: str) -> int:
        """Over how many tokens the longest of these roles goes that begins at a place, if any."""
        return max((self.roles[place].get(name, 0) for name in names), default=0)

    def written(self, start: int, end: int) -> str:
        """What stands in the text from the token at a place to before another."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    def is_content(self, place: int) -> bool:
        """Tell whether a token is a word that names something, as far as closed classes tell."""
        token = self.tokens[place]
        return token.is_word and self.roles[place].keys().isdisjoint(_LIGHT)

    def after(self, place: int, end: int, *names: str) -> int:
        """The place after all that plays one of these roles, from a place on."""
        while place < end and (step := self.length(place, *names)):
            place += step
        return min(place, end)

    def before(self, end: int, start: int, *names: str) -> int:
        """The place before all that plays one of these roles, up to a place."""
        while fits := next((at for at in range(start, end) if self._ends(at, end, names)), None):
            end = fits
        return end

    def _ends(self, place: int, end: int, names: Sequence[str]) -> bool:
        return any(self.roles[place].get(name, 0) == end - place for name in names)


def wording(
    text: str, lang: Lang, spans: Iterable[Spotted] = (), *packs: str, quotes: bool = True
) -> Wording:
    """Return a text in its tokens and their roles, also those of further packs.

    ``quotes`` tells whether a quotation is taken as one, like a mention.
    """
    return _worded(text, lang, tuple(spans), packs, quotes=quotes)


@kept_by_kinds(maxsize=64)
def _worded(
    text: str, lang: Lang, spans: tuple[Spotted, ...], packs: tuple[str, ...], *, quotes: bool
) -> Wording:
    known, kinds = roles(lang, "clauses", *packs), _kind_nouns(lang)
    mentioned = tuple(each for each in spans if text[each.start : each.end].casefold() not in kinds)
    found = tokens(text, lang, mentioned, quotes=quotes)
    return Wording(text, found, tuple(known.of([token.word for token in found])), known.table)


@kept_by_kinds()
def _kind_nouns(lang: Lang) -> frozenset[str]:
    return frozenset(map(str.casefold, roles(lang, "clauses").table["kind_nouns"]))
