"""How deep the elements of a web page are nested, before a parser has to live with it."""

from __future__ import annotations

import re

from elysia_guard.adapters.documents.content import UnreadableError

_MAX_OPEN = 2_000  # the parser's time grows with the square of the depth
MAX_ELEMENTS = 2_000_000
"""That a page may come to: a parser opens formatting again in each block that it runs into."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_ENDS_BY_ITSELF = frozenset(
    "a area base br col dd dt embed hr img input li link meta option p param source tbody td "
    "tfoot th thead tr track wbr".split()
)
_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption "
    "figure footer header hgroup html main p section summary".split()
)


def check_nesting(html: str) -> None:
    """Refuse what is nested without end, or comes to too many elements.

    Raises:
        UnreadableError: it is.
    """
    depth = formats = made = 0
    for found in _TAG.finditer(html):
        closing, tag = found[1], found[2].lower()
        if tag in _FORMATTING:
            formats = max(formats - 1, 0) if closing else formats + 1
        made += 0 if closing and tag not in BLOCKS else 1 + formats
        if made > MAX_ELEMENTS:
            raise UnreadableError(f"comes to more than {MAX_ELEMENTS:,} elements; split it")
        if tag not in _ENDS_BY_ITSELF:
            depth = max(depth - 1, 0) if closing else depth + 1
            if depth > _MAX_OPEN:
                raise UnreadableError(f"more than {_MAX_OPEN:,} elements are open at once")
