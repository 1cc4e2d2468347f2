"""HTML: what a browser shows is read, what it hides or what leads elsewhere is not."""

from __future__ import annotations

from functools import partial

import pytest
from tests.tables import cases
from tests.unit import reading

read = partial(reading.read, path="notes/page.html")
reason = partial(reading.reason, path="page.html")


def text(html: str) -> str:
    return "\n\n".join(passage.text for passage in read(html).passages)


def test_structure() -> None:
    """Headings make sections; paragraphs, lists, tables and code read as in Markdown."""
    parsed = read(
        "<title>Site - ADR-0012</title><h1>ADR-0012: Use <b>CIM</b></h1><p>Intro<br>line.</p>"
        "<h2>Decision</h2><p>We use CIM.<p>Always.<ul><li>one<li>two<ol start=3><li>deep</ol></ul>"
        "<h3>Scope</h3><table><tr><th>Area<th>Rule<tr><td>Grid<td>All<tr><td>Gas<td></table>"
        "<pre>a\n\n  b</pre>tail"
    )
    assert [(p.section, p.role, p.text) for p in parsed.passages] == [
        ("", "other", "Intro\nline."),
        (
            "Decision",
            "substance",
            "We use CIM.\n\nAlways.\n\n- one\n- two\n  3. deep",
        ),
        (
            "Decision > Scope",
            "substance",
            "- Area: Grid; Rule: All.\n- Area: Gas.\n\n```\na\n  b\n```\n\ntail",
        ),
    ]
    assert (parsed.document.id, parsed.document.title) == ("ADR-0012", "Use CIM")


@pytest.mark.parametrize("row", cases("read_as", "hidden"))
def test_what_is_not_shown_is_no_evidence(row: dict[str, str]) -> None:
    """Neither scripts nor menus nor hidden text reach a passage or a heading."""
    parsed = read(f"<body><p>Shown.</p>{row['asked']}<!-- --></body>")
    assert not [p for p in parsed.passages if "SECRET" in p.text + p.section]
    assert "Shown." in parsed.passages[0].text


def test_a_rule_for_some_screens_hides_nothing() -> None:
    """What only print hides is shown."""
    html = "<style>@media print { .x { display: none } } .y::-moz-z {display:none}</style>"
    assert text(f"{html}<p class=x>Shown.") == "Shown."


def test_the_main_part_alone() -> None:
    """Where a page marks its main part, what is around it is left out."""
    assert text("<div>Menu</div><main><p>Text.</main><div>Adverts</div>") == "Text."


def test_layout_tables_are_no_tables() -> None:
    """A table that holds headings, tables or one column lays out a page."""
    assert text("<table><tr><td>One.<tr><td>Two.</table>") == "One.\n\nTwo."
    assert text("<table><tr><td>One<td>Two<td>Three</table>") == "- One; Two; Three."
    html = "<table><tr><td>Menu<td><h2>Decision</h2><p>We do.</table>"
    assert read(html).passages[-1].section == "Decision"


def test_identity_from_its_properties() -> None:
    """Metadata that somebody wrote on purpose counts like front matter."""
    document = read(
        "<html lang=nl-NL><head><title>Een pagina</title>"
        "<meta name=identifier content=ADR-0041D><meta name=type content=approval>"
        "<meta name=DCTERMS.issued content=2026-03-12><meta name=status content=Vastgesteld>"
        "<meta name=author content='Bureau M'></head><body><p>Dit is akkoord bevonden."
    ).document
    assert (document.id, document.doc_type) == ("ADR-0041D", "DAR")
    assert (document.status, document.date) == ("Vastgesteld", "2026-03-12")
    assert (document.owner, document.lang, document.title) == ("Bureau M", "nl", "Een pagina")


def test_what_the_text_says_of_itself() -> None:
    """Lines under the title beat what a program noted; 'en' is what tools write unasked."""
    document = read(
        "<html lang=en><meta name=author content=Admin><h1>Nota</h1>"
        "<p>Status: vervangen door ADR-0007<br>Eigenaar: Bureau M<p>Datum: 2026-03-12"
        "<h2>Besluit</h2><p>Wij bewaren de meterstanden van iedereen zeven jaar."
    ).document
    assert document.status == "vervangen door ADR-0007"
    assert document.superseded_by == "ADR-0007"
    assert (document.owner, document.date, document.lang) == ("Bureau M", "2026-03-12", "nl")


def test_chapters_without_a_title() -> None:
    """Of several headings of level 1 the first is no title, unless the page is called so."""
    chapters = "<title>Handbook</title><h1>Scope</h1><p>All.<h1>Rules</h1><p>None."
    assert read(chapters).document.title == "Handbook"
    assert [p.section for p in read(chapters).passages] == ["Scope", "Rules"]
    titled = "<title>Scope | Site</title><h1>Scope</h1><p>All.<h1>Rules</h1><p>None."
    assert read(titled).document.title == "Scope"


@pytest.mark.parametrize(
    "raw",
    [
        "<meta charset=iso-8859-1><p>caf\u00e9 \u201cx\u201d".encode("cp1252"),
        "<meta http-equiv=Content-Type content='text/html; charset=windows-1252'>"
        "<p>caf\u00e9 \u201cx\u201d".encode("cp1252"),
        "\ufeff<p>caf\u00e9 \u201cx\u201d".encode("utf-16-le"),
        "\ufeff<meta charset=latin-1><p>caf\u00e9 \u201cx\u201d".encode(),
    ],
)
def test_encodings(raw: bytes) -> None:
    """A byte order mark, then what the page says, then UTF-8."""
    assert read(raw).passages[0].text == "caf\u00e9 \u201cx\u201d"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"<p>caf\xe9", "not UTF-8 (byte 6)"),
        (b"<meta charset=klingon><p>x", "says that it is in 'klingon', an unknown encoding"),
        (b"", "empty"),
        (b" \n", "empty"),
        (b"<html><body><script>x</script></body></html>", "empty"),
        (b"<div>" * 300 + b"deep", "nested more than 150 deep"),
        (b"<ul><li>" * 300 + b"deep", "nested more than 150 deep"),
        (b"<i>" * 300 + b"deep", "nested more than 150 deep"),
        (b"<div>" * 200_000 + b"deep", "more than 2,000 elements are open at once"),
    ],
)
def test_bad_pages_get_a_reason(raw: bytes, said: str) -> None:
    """Never a traceback, and never a wait."""
    assert reason(raw) == said


def test_a_template_is_left_out() -> None:
    """A placeholder is no evidence."""
    assert reason(b"<h1>{short title}</h1><p>{text}") == "a template"


def test_odd_attributes() -> None:
    """Numbers that are none do not end the reading."""
    html = "<ol start=x><li>a</ol><table><tr><th colspan=99999>H<th>I<tr><td>a<td>b</table>"
    assert text(html) == "1. a\n\n- H: a; I: b."
