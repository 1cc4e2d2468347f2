"""HTML, read as a browser would show it: what is hidden or leads elsewhere is no evidence."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from elysia_guard.adapters.documents.content import (
    TITLE,
    BlockKind,
    Content,
    ContentBlock,
    Item,
    UnreadableError,
    clean_lines,
    in_item,
    outlined,
    rows_as_text,
)
from elysia_guard.adapters.documents.particulars import said, short_lang

MAX_DEPTH = 150
MAX_HIDING = 2_000
"""Rules that hide something: each is looked for in the whole page."""
MAX_SELECTOR = 5_000

_MAX_OPEN = 2_000  # the parser's time grows with the square of the depth
MAX_ELEMENTS = 2_000_000
"""That a page may come to: a parser opens formatting again in each block that it runs into."""
_ANY_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_ENDS_BY_ITSELF = frozenset(
    "a area base br col dd dt embed hr img input li link meta option p param source tbody td "
    "tfoot th thead tr track wbr".split()
)
_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption "
    "figure footer header hgroup html main p section summary".split()
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_MARK = re.compile(r"[@{};]")

_DECLARED = re.compile(rb"<meta[^>]+charset\s*+=\s*+[\"']?\s*+([\w.:-]+)", re.IGNORECASE)
_UNSEEN = frozenset(
    "button canvas dialog embed form head iframe input math menu nav noscript object script select "
    "style svg template textarea video audio".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_STRUCTURES = frozenset({"ul", "ol", "table", "pre", "hr", *_HEADINGS, *_BLOCKS})
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])"
    r"|font-size\s*:\s*0(?![.\d])|mso-hide\s*:\s*all",
    re.IGNORECASE,
)
_MARKED = "document-title"
"""The class of a heading that is the title for certain."""
_DEEPEST_INDENT = 20
_ROOTS = ("main", "[role=main]", "article")


def read(raw: bytes, *, name: str) -> Content:  # noqa: ARG001  every reader takes a name
    """Read a page: its main part, where it marks one.

    Raises:
        UnreadableError: its encoding is not what it says, or it is nested without end.
    """
    return read_text(_decoded(raw))


def read_text(html: str, *, title: str = "") -> Content:
    """Read a page that has been decoded; ``title`` is what else is known of its title."""
    check_nesting(html)
    tree = LexborHTMLParser(html)
    front, noted = said(_metas(tree))
    if head := tree.css_first("head title"):
        noted = {"title": clean_lines(head.text()).replace("\n", " "), **noted}
    if tree.root and (lang := short_lang(tree.root.attributes.get("lang") or "")):
        noted = {**noted, "lang": lang}
    page = _Page(hidden=_hidden_by_sheets(tree))
    found = [item for root in _roots(tree) for item in page.read(root)]
    title = title or noted.get("title", "")
    return outlined(found, title=title, front=front, properties=noted)


def _metas(tree: LexborHTMLParser) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in tree.css("head meta"):
        name = meta.attributes.get("name") or meta.attributes.get("property") or ""
        found.setdefault(name, meta.attributes.get("content") or "")
    return found


class _Page:
    """A page that is read block by block."""

    def __init__(self, *, hidden: frozenset[int]) -> None:
        self._hidden = hidden

    def read(self, node: LexborNode) -> Iterator[Item]:
        """Yield the blocks and headings of a node, in reading order."""
        return self._blocks(node, "", 0)

    def _blocks(self, node: LexborNode, indent: str, depth: int) -> Iterator[Item]:
        """Yield what a node holds; runs of inline nodes are paragraphs."""
        if depth > MAX_DEPTH:
            raise UnreadableError(f"nested more than {MAX_DEPTH} deep")
        run: list[str] = []
        for child in node.iter(include_text=True):
            if not self._is_seen(child):
                continue
            if not self._holds_structure(child, depth):
                run.append(self._inline(child, depth))
                continue
            yield from _paragraph(run, indent)
            run = []
            yield from self._structure(child, indent, depth + 1)
        yield from _paragraph(run, indent)

    def _structure(self, node: LexborNode, indent: str, depth: int) -> Iterator[Item]:
        tag = node.tag or ""
        if tag in _HEADINGS:
            if text := clean_lines(self._inline(node, depth)).replace("\n", " "):
                yield TITLE if _MARKED in _classes(node) else _HEADINGS[tag], text
        elif tag in ("ul", "ol"):
            yield from self._items(node, indent, depth)
        elif tag == "table":
            yield from self._table(node, depth)
        elif tag == "pre":
            lines = (line.rstrip() for line in node.text().splitlines() if line.strip())
            if code := "\n".join(lines):
                yield ContentBlock(text=code, kind=BlockKind.CODE)
        else:
            yield from self._blocks(node, indent, depth)

    def _items(self, node: LexborNode, indent: str, depth: int) -> Iterator[ContentBlock]:
        number = _start(node)
        for item in node.iter():
            if not self._is_seen(item):
                continue
            marker = f"{number}. " if node.tag == "ol" else "- "
            number += 1
            deeper = indent + "  " if len(indent) < _DEEPEST_INDENT else indent
            held = (
                block if isinstance(block, ContentBlock) else ContentBlock(text=deeper + block[1])
                for block in self._blocks(item, deeper, depth)
            )
            yield from in_item(held, indent + marker)

    def _table(self, table: LexborNode, depth: int) -> Iterator[Item]:
        rows = [row for row in _rows(table) if self._is_seen(row)]
        cells = [
            [cell for cell in row.iter() if cell.tag in ("td", "th") and self._is_seen(cell)]
            for row in rows
        ]
        # Tables of one cell a row, or with headings or tables in them, lay a page out.
        if all(len(row) < 2 for row in cells) or table.css_first("td table, td h1, td h2, td h3"):  # noqa: PLR2004
            for cell in (cell for row in cells for cell in row):
                yield from self._blocks(cell, "", depth)
            return
        texts = [list(self._texts(row, depth)) for row in cells]
        if len(texts) == 1:  # a row of its own has no headers
            texts.insert(0, [""] * len(texts[0]))
        yield from rows_as_text(texts)

    def _texts(self, cells: Iterable[LexborNode], depth: int) -> Iterator[str]:
        """Yield the text of each cell, in each column that it spans."""
        for cell in cells:
            lines = clean_lines(self._inline(cell, depth)).split("\n")
            text = ", ".join(line.rstrip(",") for line in lines)
            yield text
            for _ in range(_span(cell) - 1):
                yield ""

    def _inline(self, node: LexborNode, depth: int) -> str:
        if depth > MAX_DEPTH:
            raise UnreadableError(f"nested more than {MAX_DEPTH} deep")
        if node.is_text_node:
            return re.sub(r"\s+", " ", node.text_content or "")
        if node.tag == "br":
            return "\n"
        text = "".join(
            self._inline(child, depth + 1)
            for child in node.iter(include_text=True)
            if self._is_seen(child)
        )
        return f"\n{text}\n" if node.tag in _STRUCTURES or node.tag == "li" else text

    def _holds_structure(self, node: LexborNode, depth: int) -> bool:
        """Tell a block, or an inline element that is wrapped around blocks."""
        if node.is_text_node or depth > MAX_DEPTH:
            return False
        return node.tag in _STRUCTURES or any(
            self._holds_structure(child, depth + 1) for child in node.iter()
        )

    def _is_seen(self, node: LexborNode) -> bool:
        if node.is_text_node:
            return True
        tag = node.tag or ""
        if tag.startswith("-") or tag in _UNSEEN or node.mem_id in self._hidden:
            return False
        attributes = node.attributes
        return not (
            "hidden" in attributes
            or attributes.get("aria-hidden") == "true"
            or attributes.get("role") in ("navigation", "search", "doc-toc")
            or _HIDING.search(attributes.get("style") or "")
            # The mark of a footnote, and its way back.
            or (attributes.get("href") or "").startswith(("#footnote-", "#endnote-"))
        )


def check_nesting(html: str) -> None:
    """Refuse what is nested without end, or comes to too many elements.

    Raises:
        UnreadableError: it is.
    """
    depth = formats = made = 0
    for found in _ANY_TAG.finditer(html):
        closing, tag = found[1], found[2].lower()
        if tag in _FORMATTING:
            formats = max(formats - 1, 0) if closing else formats + 1
        made += 0 if closing and tag not in _BLOCKS else 1 + formats
        if made > MAX_ELEMENTS:
            raise UnreadableError(f"comes to more than {MAX_ELEMENTS:,} elements; split it")
        if tag not in _ENDS_BY_ITSELF:
            depth = max(depth - 1, 0) if closing else depth + 1
            if depth > _MAX_OPEN:
                raise UnreadableError(f"more than {_MAX_OPEN:,} elements are open at once")


def _decoded(raw: bytes) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if raw.startswith(mark):
            return _decode(raw[len(mark) :], encoding)
    declared = _DECLARED.search(raw, 0, 4_096)
    named = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    # What calls itself Latin-1 on the web is Windows' superset; UTF-16 could not be read so far.
    if named in ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"):
        named = "cp1252"
    return _decode(raw, "utf-8" if named.startswith("utf-16") else named)


def _decode(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except LookupError as err:
        raise UnreadableError(f"says that it is in {encoding!r}, an unknown encoding") from err
    except UnicodeDecodeError as err:
        raise UnreadableError(f"not {encoding.upper()} (byte {err.start})") from err


def _roots(tree: LexborHTMLParser) -> list[LexborNode]:
    for selector in _ROOTS:
        found = tree.css(selector)
        if len(found) == 1:
            return found
    if tree.body is None:
        return []
    for part in tree.css("body > footer, body > header nav, body > aside"):
        part.decompose()
    return [tree.body]


def _hidden_by_sheets(tree: LexborHTMLParser) -> frozenset[int]:
    """Find the elements that the page's own style sheets hide, whatever the screen."""
    found: set[int] = set()
    for count, selector in enumerate(_hiding_selectors(tree), start=1):
        if count > MAX_HIDING or len(selector) > MAX_SELECTOR:
            raise UnreadableError(
                f"its style sheets hide parts by more than {MAX_HIDING:,} rules, or by one of more "
                f"than {MAX_SELECTOR:,} characters; print it to a PDF"
            )
        found |= {node.mem_id for node in _selected(tree, selector)}
    return frozenset(found)


def _hiding_selectors(tree: LexborHTMLParser) -> Iterator[str]:
    for style in tree.css("style"):
        for selector, body in sheet_rules(style.text()):
            if _HIDING.search(body):
                yield selector


def sheet_rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield selector and body of each rule outside of others (``@media``, ``@font-face``)."""
    for piece in _outside(_COMMENT.sub("", css)).split("}"):
        head, brace, body = piece.rpartition("{")
        selector = head.rpartition("{")[2].rpartition(";")[2].strip()
        if brace and selector:
            yield selector, body


def _outside(css: str) -> str:
    """Leave out at-rules, up to their semicolon or with the block that they open."""
    kept: list[str] = []
    start, depth, inside = 0, 0, False
    for mark in _MARK.finditer(css):
        sign = mark[0]
        if not inside and sign == "@" and depth == 0:
            kept.append(css[start : mark.start()])
            inside = True
        elif sign in "{}":
            depth = depth + 1 if sign == "{" else max(depth - 1, 0)
        if inside and depth == 0 and sign in ";}":
            start, inside = mark.end(), False
    kept.append("" if inside else css[start:])
    return "".join(kept)


def _selected(tree: LexborHTMLParser, selector: str) -> list[LexborNode]:
    try:
        return tree.css(selector)
    except SelectolaxError:  # a selector of a browser's own
        return []


def _paragraph(run: list[str], indent: str) -> Iterator[ContentBlock]:
    if text := clean_lines("".join(run)):
        yield ContentBlock(text="\n".join(indent + line for line in text.split("\n")))


def _classes(node: LexborNode) -> list[str]:
    return (node.attributes.get("class") or "").split()


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    for part in table.iter():
        if part.tag == "tr":
            yield part
        elif part.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in part.iter() if row.tag == "tr")


def _start(node: LexborNode) -> int:
    start = node.attributes.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 6 else 1  # noqa: PLR2004


def _span(cell: LexborNode) -> int:
    span = cell.attributes.get("colspan") or ""
    return min(int(span), 50) if span.isascii() and span.isdigit() and len(span) < 4 else 1  # noqa: PLR2004
