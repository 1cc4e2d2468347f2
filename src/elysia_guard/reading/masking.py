"""A question with one sign for each thing that is known of it: terms, and documents.

A form need then not guess where a name begins and ends, and what stands in a name is never taken
for a word of the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import Final, NamedTuple, Self

from elysia_guard.domain.question import Reference
from elysia_guard.language.references import reference_places

_TERMS, _DOCUMENTS, _END = 0xE000, 0xE400, 0xE800
TERM: Final = f"[{chr(_TERMS)}-{chr(_DOCUMENTS - 1)}]"
"""The pattern of the sign for a term."""
DOCUMENT: Final = f"[{chr(_DOCUMENTS)}-{chr(_END)}]"
"""The pattern of the sign for one document, or several."""
_SIGN: Final = re.compile(f"[{chr(_TERMS)}-{chr(_END)}]")
_QUOTED: Final = re.compile(
    r"(?<!\w)(?:'[^'\"]{1,60}'|\"[^\"]{1,60}\"|\u2018[^\u2018\u2019]{1,60}\u2019"
    r"|[\u201c\u201e][^\u201c\u201d\u201e]{1,60}[\u201c\u201d]|\u00ab[^\u00ab\u00bb]{1,60}\u00bb)(?!\w)"
)


class KnownMention(NamedTuple):
    """A mention at ``[start, end)`` of a text: of documents, or else of a term."""

    start: int
    end: int
    documents: tuple[Reference, ...] = ()


class Masked(NamedTuple):
    """A text with a sign for each mention, and what the signs stand for."""

    text: str
    written: dict[str, str]
    documents: dict[str, tuple[Reference, ...]]
    titles: frozenset[str] = frozenset()
    """The signs of documents that no number names."""

    @classmethod
    def of(cls, text: str, known: Sequence[KnownMention] = ()) -> Self:
        """Mask what is known of a text, and the numbers of documents; of two, the first longest.

        What stands in quotation marks is masked as a term, with its marks.
        """
        places = [
            *known,
            *(
                KnownMention(start=a, end=b, documents=refs)
                for a, b, refs in reference_places(text)
            ),
            *(KnownMention(start=item.start(), end=item.end()) for item in _QUOTED.finditer(text)),
        ]
        terms, documents = map(chr, count(_TERMS)), map(chr, count(_DOCUMENTS))
        signs: dict[str, KnownMention] = {}
        masked, at = "", 0
        for item in sorted(places, key=lambda item: (item.start, -item.end)):
            if item.start >= at:
                sign = next(documents if item.documents else terms)
                signs[sign] = item
                masked += f"{text[at : item.start]}{sign}"
                at = item.end
        named = {sign: item.documents for sign, item in signs.items() if item.documents}
        return cls(
            text=f"{masked}{text[at:]}",
            written={sign: text[item.start : item.end] for sign, item in signs.items()},
            documents=named,
            titles=frozenset(sign for sign in named if signs[sign] in known),
        )

    @property
    def terms(self) -> list[str]:
        """The signs that stand for terms, in order."""
        return [sign for sign in self.written if sign not in self.documents]

    def plain(self, text: str) -> str:
        """Write a part of it as it was."""
        return _SIGN.sub(lambda sign: self.written.get(sign.group(), sign.group()), text)

    def references(self, text: str) -> tuple[Reference, ...]:
        """The documents that a part of it names, each once."""
        if not self.documents:
            return ()
        found = (self.documents.get(sign, ()) for sign in _SIGN.findall(text))
        return tuple(dict.fromkeys(item for each in found for item in each))


def is_sign(text: str) -> bool:
    """Tell whether a text is one sign and no more."""
    return bool(_SIGN.fullmatch(text))


def has_sign(text: str) -> bool:
    """Tell whether something that is known stands in a text."""
    return bool(_SIGN.search(text))


def signs(text: str) -> list[str]:
    """Return the signs that stand in a text."""
    return _SIGN.findall(text)
