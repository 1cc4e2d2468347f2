"""How large, deep and long a vocabulary may be: whatever it comes from, it has a bound."""

from __future__ import annotations

import json
import re
from xml.parsers import expat

from pyoxigraph import NamedNode, Quad, RdfFormat

MAX_BYTES = 50_000_000
"""Of all files together; ``terminology.max_bytes`` sets another."""
MAX_DEPTH = 100
"""Of elements in RDF/XML, of objects and lists in JSON-LD."""
MAX_ENTITY_CHARS = 200
"""Of what an entity stands for in RDF/XML: the beginning of an address."""
MAX_CONTEXTS = 1_000
"""Of JSON-LD: each is made from a copy of the one around it."""
MAX_URI_CHARS = 2_000
MAX_LABEL_CHARS = 1_000
MAX_TEXT_CHARS = 20_000
"""Of a definition, a note or an example."""
UNFOLDS_TO = 100
"""Times its bytes that a file's text may come to, prefixes and entities written out."""
UNFOLDS_FREELY = 8_000_000
"""Characters that any file may come to."""
SHARED_TIMES = 10
"""How often, on average, a text in a node may be shared by concepts."""
SHARED_FREELY = 100_000

_ENTITY = re.compile(
    rb"<!ENTITY\s+(?P<name>%\s+)?[^\s\"'>]+\s*(?:\"(?P<a>[^\"]*)\"|'(?P<b>[^']*)')?"
)
_JSON = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_CONTEXT_BYTES = 60


class BeyondLimitError(ValueError):
    """What a vocabulary holds goes beyond a limit; the message tells which, and no file."""


def check_form(data: bytes, form: RdfFormat) -> None:
    """Refuse what costs more to parse than its bytes say: entities in entities, endless nesting.

    Raises:
        BeyondLimitError: it goes beyond a limit.
    """
    if form == RdfFormat.RDF_XML:
        _check_entities(data)
        _check_elements(data)
    elif form == RdfFormat.JSON_LD:
        check_json(data)


def check_json(data: bytes) -> None:
    """Refuse JSON-LD that is nested without end, or has contexts without end.

    Raises:
        BeyondLimitError: it goes beyond a limit.
    """
    depth = contexts = 0
    for found in _JSON.finditer(data):
        token = found[0]
        if token in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise BeyondLimitError(f"objects and lists are nested more than {MAX_DEPTH} deep")
        elif token in b"]}":
            depth -= 1
        else:
            contexts += _is_context(token)
            if contexts > MAX_CONTEXTS:
                raise BeyondLimitError(f"more than {MAX_CONTEXTS:,} '@context'")


class Unfolded:
    """Counts what a file's statements come to, and stops where that has no end."""

    def __init__(self, size: int) -> None:
        """Take the size of the file in bytes."""
        self._limit = max(UNFOLDS_FREELY, UNFOLDS_TO * size)
        self._left = self._limit

    def add(self, quad: Quad) -> None:
        """Count a statement.

        Raises:
            BeyondLimitError: the file comes to more than it may.
        """
        for term in (quad.subject, quad.predicate, quad.object):
            self._left -= len(getattr(term, "value", ""))
        if self._left < 0:
            raise BeyondLimitError(
                f"its statements come to more than {self._limit:,} characters, prefixes and "
                f"entities written out; the limit is {UNFOLDS_TO} times the bytes of the file"
            )


def check_uri(node: NamedNode) -> None:
    """Refuse an address without end.

    Raises:
        BeyondLimitError: it is longer than the limit.
    """
    if len(node.value) > MAX_URI_CHARS:
        raise BeyondLimitError(
            f"<{node.value[:60]}...> has {len(node.value):,} characters; an address may have "
            f"{MAX_URI_CHARS:,}"
        )


def check_text(text: str, *, subject: str, name: str, limit: int) -> None:
    """Refuse a label or text without end; the error names its concept.

    Raises:
        BeyondLimitError: it is longer than the limit.
    """
    if len(text) > limit:
        raise BeyondLimitError(
            f"the {name} of <{subject}> has {len(text):,} characters; the limit is {limit:,}; "
            "shorten it"
        )


def _check_entities(data: bytes) -> None:
    for found in _ENTITY.finditer(data):
        text = found["a"] if found["a"] is not None else found["b"]
        if found["name"] or text is None:
            raise BeyondLimitError(
                "it has an entity from elsewhere; write out what that stands for"
            )
        if b"&" in text or len(text) > MAX_ENTITY_CHARS:
            raise BeyondLimitError(
                f"it has an entity of others, or of more than {MAX_ENTITY_CHARS} characters; "
                "write out what that stands for"
            )


def _check_elements(data: bytes) -> None:
    """Count how deep elements are; what is no XML is for the parser to say."""
    depth = 0

    def begin(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise BeyondLimitError(f"elements are nested more than {MAX_DEPTH} deep")

    def end(*_: object) -> None:
        nonlocal depth
        depth -= 1

    reader = expat.ParserCreate()
    reader.StartElementHandler, reader.EndElementHandler = begin, end
    try:
        reader.Parse(data, True)  # noqa: FBT003 - positional only
    except (expat.ExpatError, LookupError):
        return


def _is_context(token: bytes) -> bool:
    if b"\\" not in token or len(token) > _CONTEXT_BYTES:
        return token == b'"@context"'
    try:
        return bool(json.loads(token) == "@context")
    except ValueError:
        return False
