"""What a Word document may ask of its reader, counted before it is made into HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from elysia_guard.adapters.documents.content import UnreadableError

MAX_UNPACKED = 60_000_000
"""Bytes of XML that a document may unpack to; a book of 1,000 pages has some 15 million."""
MAX_ELEMENTS = 500_000
"""Of that XML: each takes its time; a book of 1,000 pages has some 300,000."""
MAX_FIELDS = 100
"""That are open at once: each piece of text is held against all of them."""
_REFERENCES = ("footnoteReference", "endnoteReference")


def check_elements(parts: Mapping[str, bytes]) -> None:
    """Refuse XML of more elements than are read in a minute.

    Raises:
        UnreadableError: there are more than the limit.
    """
    _hold("elements of XML", sum(xml.count(b"<") - xml.count(b"</") for xml in parts.values()))


def check_contents(trees: Mapping[str, ET.Element]) -> None:
    """Refuse notes that multiply, and fields that are opened and not closed.

    Raises:
        UnreadableError: there is more than the limit.
    """
    elements = [element for tree in trees.values() for element in tree.iter()]
    _check_fields(elements)
    _check_notes(elements)


def _check_fields(elements: list[ET.Element]) -> None:
    count = 0
    for element in elements:
        if _local(element) == "fldChar":
            count += {"begin": 1, "end": -1}.get(_attribute(element, "fldCharType"), 0)
            if count > MAX_FIELDS:
                raise UnreadableError(f"opens more than {MAX_FIELDS} fields at once; save it anew")


def _check_notes(elements: list[ET.Element]) -> None:
    """Count a note each time that it is referred to: so often it is written out."""
    referred = Counter(_attribute(each, "id") for each in elements if _local(each) in _REFERENCES)
    notes = [each for each in elements if _local(each) in ("footnote", "endnote")]
    often = [referred[_attribute(note, "id")] for note in notes]
    sizes = [sum(1 for _ in note.iter()) for note in notes]
    lengths = [sum(map(len, note.itertext())) for note in notes]
    _hold("elements in its notes", sum(a * b for a, b in zip(often, sizes, strict=True)))
    if sum(a * b for a, b in zip(often, lengths, strict=True)) > MAX_UNPACKED:
        raise UnreadableError(f"its notes come to more than {MAX_UNPACKED:,} letters; split it")


def _hold(what: str, count: int) -> None:
    if count > MAX_ELEMENTS:
        raise UnreadableError(f"has {count:,} {what}; the limit is {MAX_ELEMENTS:,}; split it")


def _local(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _attribute(element: ET.Element, name: str) -> str:
    return next(
        (value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), ""
    )
