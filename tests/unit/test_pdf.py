"""PDF: headings by their type, paragraphs, lists and ruled tables, each with its page."""

from __future__ import annotations

import zlib
from functools import partial

import pytest
from tests.unit import reading
from tests.unit.made_files import Put, pdf, rules

from elysia_guard.adapters.documents import pdf as pdf_reader

TITLE = Put("ADR-0012: Use CIM", 760, size=20)


read = partial(reading.read, path="rules.pdf")
reason = partial(reading.reason, path="rules.pdf")


def passages(*pages: list[Put | str]) -> list[tuple[str, str]]:
    return [(item.section, item.text) for item in read(pdf(*pages)).passages]


def test_headings_by_their_type() -> None:
    """Larger type, or bold on a line of its own; numbers tell how deep; every passage its page."""
    first = [
        TITLE,
        Put("Status: accepted", 730),
        Put("1 Decision", 700, size=15),
        Put("We use CIM as the language between domains,", 680),
        Put("and map everything else to it.", 667),
        Put("1.1 Scope", 640, size=15),
        Put("All domains.", 620),
        Put("Exceptions", 590, bold=True),
        Put("Purchased packages.", 570),
    ]
    second = [Put("2 Consequences", 760, size=15), Put("Mapping costs effort.", 740)]
    parsed = read(pdf(first, second))
    assert [(p.section, p.role, p.text) for p in parsed.passages] == [
        ("p. 1", "particulars", "Status: accepted"),
        (
            "1 Decision (p. 1)",
            "substance",
            "We use CIM as the language between domains, and map everything else to it.",
        ),
        ("1 Decision > 1.1 Scope (p. 1)", "substance", "All domains."),
        (
            "1 Decision > 1.1 Scope > Exceptions (p. 1)",
            "substance",
            "Purchased packages.",
        ),
        ("2 Consequences (p. 2)", "consequences", "Mapping costs effort."),
    ]
    document = parsed.document
    assert (document.id, document.title, document.status) == ("ADR-0012", "Use CIM", "accepted")


def test_a_title_over_two_lines() -> None:
    """It is one title."""
    page = [
        Put("ADR-0012: Use CIM as the language of every", 760, size=20),
        Put("domain", 736, size=20),
        *(Put(f"Line {n} of the text, which is long enough.", 700 - 13 * n) for n in range(5)),
    ]
    assert read(pdf(page)).document.title == "Use CIM as the language of every domain"


def test_paragraphs() -> None:
    """Lines join, also over a page; words that were hyphenated are whole again."""
    first = [
        Put("The grid operator keeps the measure-", 100),
        Put("ments of a data-driven process for seven", 87),
    ]
    second = [
        Put("years. A data-", 700),
        Put("driven process needs them.", 687),
        Put("A new paragraph begins.", 650),
    ]
    assert passages(first, second) == [
        (
            "p. 1",
            (
                "The grid operator keeps the measurements of a data-driven process for seven "
                "years. A data-driven process needs them.\n\nA new paragraph begins."
            ),
        )
    ]


def test_lists() -> None:
    """Bullets and numbers begin items, also where a gap parts them from their text."""
    page = [
        Put("The rules are the following ones for everybody:", 700),
        Put("\u2022", 680),
        Put("first rule, which goes on", 680, x=110),
        Put("on another line", 667, x=110),
        Put("\u2022 second rule", 654),
        Put("1.", 630),
        Put("step one", 630, x=110),
        Put("2. step two", 617),
    ]
    assert passages(page) == [
        (
            "p. 1",
            (
                "The rules are the following ones for everybody:\n\n"
                "- first rule, which goes on on another line\n- second rule\n"
                "1. step one\n2. step two"
            ),
        )
    ]


def cells(rows: list[list[str]], top: float) -> list[Put | str]:
    lines = [top - 20 * n for n in range(len(rows) + 1)]
    texts = [
        Put(cell, top - 20 * r - 14, x=76 + 150 * c)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    ]
    return [rules([72 + 150 * n for n in range(len(rows[0]) + 1)], lines), *texts]


def test_ruled_tables() -> None:
    """Each row says its headers; a table that goes on overleaf keeps them."""
    head = ["Kind", "Period", "Owner"]
    first = [
        Put("Before.", 700),
        *cells([head, ["Daily", "7 years", "Metering"], ["Codes", "", "Field"]], 680),
    ]
    again = cells([head, ["Hourly", "1 year", "Metering"]], 740)
    more = cells([["Yearly", "99 years", "Archive"]], 740)
    assert passages(first, again, [*more, Put("After.", 500)]) == [
        (
            "p. 1",
            (
                "Before.\n\n- Kind: Daily; Period: 7 years; Owner: Metering.\n"
                "- Kind: Codes; Owner: Field.\n"
                "- Kind: Hourly; Period: 1 year; Owner: Metering.\n"
                "- Kind: Yearly; Period: 99 years; Owner: Archive.\n\nAfter."
            ),
        )
    ]


def test_two_columns() -> None:
    """The left one is read before the right one."""
    left = [Put(f"Left line {n} of this column.", 700 - 13 * n) for n in range(8)]
    right = [Put(f"Right line {n} of this column.", 700 - 13 * n, x=320) for n in range(8)]
    [(_, text)] = passages([*left, *right])
    assert text.index("Left line 7") < text.index("Right line 0")


def test_running_heads_and_page_numbers() -> None:
    """What stands at the edge of every page is no evidence."""
    pages = [
        [
            Put("Grid operator - confidential", 820),
            Put(f"Page {n} of 3", 20),
            Put(f"Text {n}.", 600),
        ]
        for n in (1, 2, 3)
    ]
    assert passages(*pages) == [("p. 1", "Text 1.\n\nText 2.\n\nText 3.")]


def test_properties() -> None:
    """The file's own notes fill what the text leaves open."""
    raw = pdf(
        [Put("Wij bewaren de meterstanden van iedereen.", 700)],
        info="/Title(Meterstanden)/Author(Bureau M)/CreationDate(D:20260312090000+01'00')"
        "/Identifier(POL-0007)",
        catalog="/Lang(nl-NL)",
    )
    document = read(raw).document
    assert (document.id, document.title, document.owner) == ("POL-0007", "Meterstanden", "Bureau M")
    assert (document.date, document.lang) == ("2026-03-12", "nl")


def packed(size: int, times: int = 1) -> bytes:
    """A stream that unpacks to so many bytes."""
    data = b" " * size
    for _ in range(times):
        data = zlib.compress(data)
    return b"%PDF-1.4\n1 0 obj <<>> stream\n" + data + b"\nendstream endobj"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"no PDF at all", "damaged: it does not begin like a PDF"),
        (b"%PDF-1.4\n", "damaged: "),
        (pdf([Put("x", 700)])[:400], "damaged: "),
        (pdf(["72 72 m 300 300 l S"]), "a PDF without text (a scan?)"),
        (pdf([]), "a PDF without text (a scan?)"),
        (
            pdf(
                [Put("x", 700)],
                trailer="/Encrypt<</Filter/Standard/V 1/R 2/P -4/Length 40"
                f"/O<{'ab' * 32}>/U<{'cd' * 32}>>>/ID[<00><00>]",
            ),
            "encrypted; save it without a password",
        ),
    ],
)
def test_bad_files_get_a_reason(raw: bytes, said: str) -> None:
    """Never a traceback."""
    assert reason(raw).startswith(said)


@pytest.mark.parametrize("times", [1, 2])
def test_a_bomb(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks without end is not unpacked, packed twice neither."""
    monkeypatch.setattr(pdf_reader, "MAX_UNPACKED", 1_000_000)
    assert reason(packed(2_000_000, times)).startswith("unpacks to more than 1,000,000 bytes")


def test_too_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document is read whole or not at all."""
    monkeypatch.setattr(pdf_reader, "MAX_PAGES", 2)
    assert reason(pdf(*[[Put("x", 700)]] * 3)) == "more than 2 pages"


def test_letters_without_names() -> None:
    """Fonts that do not say what they draw give no text to quote."""
    nameless = (
        b"/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts[<</Type/Font"
        b"/Subtype/CIDFontType2/BaseFont/Odd/DW 500/CIDSystemInfo<</Registry(Adobe)"
        b"/Ordering(Identity)/Supplement 0>>>>]>>"
    )
    raw = pdf([Put("abcdef", 700)]).replace(
        b"/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>", nameless
    )
    assert reason(raw).startswith("its fonts do not say which letters they draw")


def test_damage_anywhere_gets_a_reason() -> None:
    """Whatever bytes are wrong, the file is read or skipped by name."""
    page = [TITLE, Put("1 Decision", 700, size=15), Put("We use CIM.", 680)]
    whole = pdf([*page, *cells([["a", "b"], ["c", "d"]], 600)], info="/Title(x)")
    assert reading.read_or_skipped(whole, "x.pdf")


def test_a_frame_is_no_table_of_headers() -> None:
    """What stands in the cells of a single row is read."""
    assert passages(cells([["Mind", "the gap"]], 700)) == [("p. 1", "- Mind: the gap.")]
