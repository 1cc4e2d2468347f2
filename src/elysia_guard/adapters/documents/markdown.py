"""Markdown, taken apart into sections of plain text that can be quoted as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.tree import SyntaxTreeNode

from elysia_guard.adapters.documents import front_matter
from elysia_guard.adapters.documents.content import (
    Block,
    BlockKind,
    Content,
    Outline,
    Section,
    UnreadableError,
    clean_lines,
    rows_as_text,
)

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MAX_MARKS = 5_000
"""Of images and backticks in one paragraph: the time for them grows with their square."""
_ALERT = re.compile(r"\A\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*", re.IGNORECASE)
_UNSEEN_HTML = re.compile(
    r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_BREAKING_TAG = re.compile(r"</?(?:br|p|div|li|tr|h[1-6])\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_COMMENT_OR_CODE = re.compile(
    r"(?m)(?P<fence>^[ \t]*(?P<mark>```+|~~~+))|(?P<ticks>`+)|(?P<comment><!--)"
)


def read(raw: bytes, *, name: str) -> Content:
    """Read a file of Markdown or plain text, with its front matter.

    Raises:
        UnreadableError: it is not UTF-8.
        DocumentError: the front matter is not well-formed; names file and line.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        raise UnreadableError(f"not UTF-8 (byte {err.start})") from err
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front, body = front_matter.split(text, name=name)
    heading, sections = parse(body)
    return Content(heading=heading, sections=sections, front=front)


def _check_marks(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and _marks(token.content) > MAX_MARKS:
            raise UnreadableError(
                f"a paragraph with more than {MAX_MARKS:,} images or backticks; split it"
            )


def _marks(text: str) -> int:
    return text.count("![") + text.count("`")


_PARSER.core.ruler.before("inline", "marks", _check_marks)


def parse(body: str) -> tuple[str, Sequence[Section]]:
    """Return the first heading of level 1, and the sections that hold text, in reading order."""
    outline = Outline()
    for node in SyntaxTreeNode(_PARSER.parse(without_comments(body))).children:
        if node.type == "heading":
            outline.heading(int(node.tag[1]), _inline(node.children).replace("\n", " "))
        else:
            outline.add(*_blocks(node))
    return outline.title, outline.sections


def without_comments(body: str) -> str:
    """Remove HTML comments, closed or not, but not what looks like one inside code."""
    kept: list[str] = []
    position = 0
    while found := _COMMENT_OR_CODE.search(body, position):
        start = found.start()
        if found["comment"] is None:
            end = _code_end(body, found)
            kept.append(body[position:end])
            position = end
            continue
        kept.append(body[position:start])
        end = body.find("-->", start)
        position = end + 3 if end >= 0 else len(body)
    kept.append(body[position:])
    return "".join(kept)


def _code_end(body: str, opening: re.Match[str]) -> int:
    if mark := opening["mark"]:
        closing = re.compile(rf"^[ \t]*{re.escape(mark)}+[ \t]*$", re.MULTILINE).search(
            body, opening.end()
        )
        return closing.end() if closing else len(body)
    line_end = body.find("\n", opening.end())
    end = body.find(opening["ticks"], opening.end(), line_end if line_end >= 0 else len(body))
    return end + len(opening["ticks"]) if end >= 0 else opening.end()


def _blocks(node: SyntaxTreeNode, indent: str = "") -> Iterator[Block]:
    match node.type:
        case "paragraph":
            if text := _ALERT.sub("", _inline(node.children)):
                yield Block(text=_indented(text, indent))
        case "bullet_list" | "ordered_list":
            yield from _items(node, indent)
        case "table":
            yield from _rows(node)
        case "fence" | "code_block":
            code = "\n".join(line.rstrip() for line in node.content.splitlines() if line.strip())
            if code and node.info.split(" ")[0] not in ("mermaid", "plantuml"):
                yield Block(text=code, kind=BlockKind.CODE)
        case "html_block":
            if text := _html_text(node.content):
                yield Block(text=text)
        case _:
            for child in node.children:
                yield from _blocks(child, indent)


def _items(node: SyntaxTreeNode, indent: str) -> Iterator[Block]:
    first = int(node.attrs.get("start", 1))
    for offset, item in enumerate(node.children):
        marker = f"{first + offset}. " if node.type == "ordered_list" else "- "
        for child in item.children:
            for block in _blocks(child, indent + "  "):
                if marker:
                    yield Block(text=indent + marker + block.text.lstrip(), kind=BlockKind.ITEM)
                else:
                    yield Block(text=block.text, kind=BlockKind.ITEM)
                marker = ""


def _rows(table: SyntaxTreeNode) -> Iterator[Block]:
    rows = [
        [_inline(cell.children).replace("\n", ", ") for cell in row.children]
        for part in table.children
        for row in part.children
    ]
    yield from rows_as_text(rows)


def _inline(nodes: Sequence[SyntaxTreeNode]) -> str:
    if len(nodes) == 1 and nodes[0].type == "inline":
        nodes = nodes[0].children
    text = [_raw(node) for node in nodes]
    if len(nodes) > 1 and nodes[0].type == "strong" and nodes[1].type == "softbreak":
        text[1] = "\n"  # a label on a line of its own, such as '**Additional Notes**'
    return clean_lines("".join(text))


def _raw(node: SyntaxTreeNode) -> str:
    match node.type:
        case "text" | "code_inline" | "image":
            return node.content
        case "softbreak":
            return " "
        case "hardbreak":
            return "\n"
        case "html_inline":
            return "\n" if _BREAKING_TAG.match(node.content) else ""
        case _:
            return "".join(_raw(child) for child in node.children)


def _html_text(html: str) -> str:
    visible = _BREAKING_TAG.sub("\n", _UNSEEN_HTML.sub("", html))
    return clean_lines(_TAG.sub("", visible))


def _indented(text: str, indent: str) -> str:
    return "\n".join(indent + line for line in text.split("\n"))
