"""Text of documents as HTML, with the words marked that an answer quotes.

Words are found by their letters and digits alone: Markdown, line breaks and punctuation may differ
between what is quoted and what stands there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from elysia_guard.edge.linking import GAP, QUOTED

FURTHEST_APART = 6_000
"""Letters between how long words begin and end."""
MOST_PLACES = 1_000
"""At which one and the same words are looked for: a letter alone stands in thousands."""

Range = tuple[int, int]
Resolve = Callable[[str], str]
"""Returns where a link leads; empty where it may lead nowhere, and its text alone is shown."""


@dataclass(kw_only=True)
class _Leaf:
    """A run of plain text among the tokens, where its letters begin, and what is marked of it."""

    text: str
    begins: int
    marked: list[Range] = field(default_factory=list)


@dataclass(kw_only=True)
class Letters:
    """The letters and digits of texts in reading order, and which of them are quoted."""

    leaves: list[_Leaf] = field(default_factory=list)
    _said: list[str] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)

    def add(self, text: str) -> _Leaf:
        """Take the next text."""
        leaf = _Leaf(text=text, begins=len(self._said))
        self.leaves.append(leaf)
        for place, sign in enumerate(text):
            if sign.isalnum():
                self._said.append(sign.lower()[0])
                self._places.append(place)
        return leaf

    def mark(self, words: Sequence[str]) -> int:
        """Mark words where they stand first; return how many of them were found."""
        said = "".join(self._said)
        found = 0
        for each in words:
            begin, _, end = each.partition(GAP)
            if place := self._find(said, letters_of(begin), letters_of(end)):
                self._mark(*place)
                found += 1
        return found

    def _find(self, said: str, begin: str, end: str) -> Range | None:
        at = said.find(begin) if begin else -1
        for _ in range(MOST_PLACES):
            if at < 0:
                break
            last = at + len(begin)
            if end:
                closing = said.find(end, last, last + FURTHEST_APART)
                last = closing + len(end) if closing >= 0 else -1
            if last > 0 and self._is_whole(at, last):
                return at, last
            at = said.find(begin, at + 1)
        return None

    def _is_whole(self, first: int, end: int) -> bool:
        """Whether no word is cut in two."""
        return not (self._goes_on(first - 1) or self._goes_on(end - 1))

    def _goes_on(self, letter: int) -> bool:
        """Whether the word of a letter goes on behind it, in the same text."""
        if not 0 <= letter < len(self._places) - 1:
            return False
        same = self._leaf_of(letter) is self._leaf_of(letter + 1)
        return same and self._places[letter + 1] == self._places[letter] + 1

    def _leaf_of(self, letter: int) -> _Leaf:
        at = bisect_right(self.leaves, letter, key=lambda leaf: leaf.begins)
        return self.leaves[at - 1]

    def _mark(self, first: int, end: int) -> None:
        letter = first
        while letter < end:
            leaf = self._leaf_of(letter)
            behind = bisect_right(self.leaves, letter, key=lambda item: item.begins)
            until = self.leaves[behind].begins if behind < len(self.leaves) else len(self._said)
            last = min(until, end) - 1
            begin, stop = self._places[letter], self._places[last] + 1
            if last + 1 == end:
                stop = _with_signs(leaf.text, stop)
            leaf.marked.append((begin, stop))
            letter = last + 1


def _with_signs(text: str, stop: int) -> int:
    """Take the full stop along that ends what is marked."""
    while stop < len(text) and not (text[stop].isspace() or text[stop].isalnum()):
        stop += 1
    return stop


@dataclass(kw_only=True)
class Marked:
    """Writes texts as HTML once all of them are known, so that words may run over several."""

    resolve: Resolve
    letters: Letters = field(default_factory=Letters)
    _first: bool = True

    def plain(self, text: str) -> Callable[[], str]:
        """Take a text without Markdown; return what writes it as HTML."""
        leaf = self.letters.add(text)
        return lambda: self._pieces(leaf)

    def markdown(self, text: str) -> Callable[[], str]:
        """Take a text in Markdown; return what writes it as HTML."""
        tokens = _parser().parse(text)
        leaves = {
            id(token): self.letters.add(token.content)
            for token in _flat(tokens)
            if token.type in _TEXTS
        }
        return lambda: self._rendered(tokens, leaves)

    def _rendered(self, tokens: list[Token], leaves: dict[int, _Leaf]) -> str:
        for token in tokens:
            if token.type == "inline":
                token.children = self._inline(token.children or [], leaves)
        written = [self._written(token, leaves) for token in tokens]
        html: str = _parser().renderer.render(written, _parser().options, {})
        return html

    def _inline(self, tokens: Sequence[Token], leaves: dict[int, _Leaf]) -> list[Token]:
        kept: list[Token] = []
        dead = False
        for token in tokens:
            if token.type == "link_open":
                place = self.resolve(str(token.attrGet("href") or ""))
                dead = not place
                token.attrSet("href", place)
                token.attrSet("rel", "noopener noreferrer")
            if token.type in {"link_open", "link_close"} and dead:
                dead = token.type == "link_open"
                continue
            kept.append(self._written(token, leaves))
        return kept

    def _written(self, token: Token, leaves: dict[int, _Leaf]) -> Token:
        leaf = leaves.get(id(token))
        if leaf is None:
            return token
        html = _TEXTS[token.type].format(self._pieces(leaf))
        return Token("html_block" if token.block else "html_inline", "", 0, content=html)

    def _pieces(self, leaf: _Leaf) -> str:
        html, at = "", 0
        for begin, end in _apart(leaf.marked):
            place = f' id="{QUOTED}"' if self._first else ""
            self._first = False
            html += f"{escape(leaf.text[at:begin])}<mark{place}>{escape(leaf.text[begin:end])}"
            html, at = f"{html}</mark>", end
        return html + escape(leaf.text[at:])


_TEXTS = {
    "text": "{}",
    "code_inline": "<code>{}</code>",
    "fence": "<pre><code>{}</code></pre>\n",
    "code_block": "<pre><code>{}</code></pre>\n",
}


def outside(href: str) -> str:
    """Keep a link to another site; what stands in a source may lead nowhere else."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return ""
    return href if parts.scheme in {"http", "https"} and parts.netloc else ""


def nearly(words: Sequence[str]) -> Callable[[str], bool]:
    """Return what tells quickly whether a text may hold how any of some words begin."""
    begins = [begin for each in words if (begin := letters_of(each.partition(GAP)[0]))]

    def may_hold(text: str) -> bool:
        said = "".join(filter(str.isalnum, text)).lower()
        return any(begin in said for begin in begins)

    return may_hold


def letters_of(words: str) -> str:
    """Return the letters of words as they stand in a text, without what Markdown adds."""
    read = Letters()
    for token in _flat(_parser().parse(words)):
        if token.type in _TEXTS:
            read.add(token.content)
    return "".join(read._said)  # noqa: SLF001


def _flat(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type == "inline":
            yield from token.children or ()
        else:
            yield token


def _apart(ranges: Sequence[Range]) -> list[Range]:
    """Ranges in order, those that overlap as one."""
    kept: list[Range] = []
    for begin, end in sorted(ranges):
        if kept and begin <= kept[-1][1]:
            kept[-1] = kept[-1][0], max(end, kept[-1][1])
        else:
            kept.append((begin, end))
    return kept


@cache
def _parser() -> MarkdownIt:
    # Documents are data: their HTML is text, no picture is fetched, and lines stay lines.
    options = {"html": False, "breaks": True}
    return MarkdownIt("commonmark", options).enable("table").disable("image")
