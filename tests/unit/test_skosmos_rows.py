"""Definitions that arrive with the search: which can be trusted, and which have to be repaired."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from elysia_guard.adapters.http import Answer
from elysia_guard.adapters.skosmos.answers import LabelRow, read_concept, read_rows


def split(definitions: list[str]) -> list[object]:
    """What becomes of definitions on their way: Skosmos issue 1106."""
    quoted = "\n".join('"' + text.replace('"', '""') + '"' for text in definitions)
    elements: list[object] = []
    for line in quoted.split("\n"):
        cells = next(csv.reader(io.StringIO(line, newline="")), [""]) or [""]
        elements.append(cells[0] if len(cells) == 1 else {"uri": cells[0], "prefLabel": cells[1]})
    return elements


def row(*definition: object) -> LabelRow:
    return LabelRow.model_validate(
        {"uri": "http://vocab.example/iec/c001", "definition": definition}
    )


TEXTS = st.text(st.sampled_from("ab ,;\"\\\n\r\t'é<&"), max_size=24)


@given(st.lists(TEXTS, min_size=1, max_size=3))
@example(['Site with a "yard",\neach < 1 km long, and more.'])
@example(["first line\nsecond line"])
@example(["first line\n"])
@example(['one "quoted" word'])
@example(["one", "two"])
@example([""])
def test_a_definition_is_trusted_only_if_it_is_as_it_was_written(written: list[str]) -> None:
    """Whatever the vocabulary says: the text itself, or 'ask again'; never another text."""
    sound = row(*split(written)).sound_definition
    assert sound is None or [sound] == written


@pytest.mark.parametrize(
    "definition",
    [
        (),
        ("",),
        ("  ",),
        ("one", "two"),
        ({"uri": "http://vocab.example/iec/c018-def"},),
        ("first", {"uri": "each < 1 km long", "prefLabel": " and more"}),
        ('the end of something"',),
        ("a\ttab",),
        ("a\x00zero",),
        ("a \\ backslash",),
        (None,),
        (7,),
        (["a"],),
    ],
)
def test_a_definition_that_may_be_damaged_is_not_trusted(definition: tuple[object, ...]) -> None:
    """Several elements may be one text; an odd quotation mark is the end of one."""
    assert row(*definition).sound_definition is None


@given(st.binary(max_size=200))
@example(b"[]")
@example(b"{}")
@example(b'{"results": null}')
@example(b'{"results": [{}]}')
@example(b'{"results": [{"uri": "\\ud800"}]}')
@example(b"[" * 100_000)
@example(b'{"results":' * 100_000)
def test_what_is_no_answer_of_a_search_is_not_read_as_one(body: bytes) -> None:
    """Nor is any of it an exception."""
    assert read_rows(Answer(status=200, media_type="application/json", body=body)) is None


@given(st.binary(max_size=200))
@example(b"[" * 100_000)
@example(b'{"@context": "http://elsewhere.example/context"}')
@example(b'{"@graph": [{"@id": "http://vocab.example/iec/c001", "@type": 7}]}')
def test_what_is_no_graph_is_refused(body: bytes) -> None:
    """By an error that the caller expects."""
    with pytest.raises((ValueError, SyntaxError)):
        read_concept(body, "http://vocab.example/iec/c001", vocabulary="iec", title="")
