"""Markdown, taken apart into sections of plain text that can be quoted as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import yaml
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.tree import SyntaxTreeNode

from elysia_guard.adapters.documents.chunks import names_section, role_of
from elysia_guard.adapters.documents.content import (
    BlockKind,
    Content,
    ContentBlock,
    FrontMatter,
    Item,
    UnreadableError,
    clean_lines,
    in_item,
    outlined,
    rows_as_text,
)
from elysia_guard.domain.document import SectionRole
from elysia_guard.domain.errors import DocumentError

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_PLAIN = (SectionRole.OTHER, SectionRole.PROPOSAL)
"""What a line in bold may say without being a heading: '**How**'."""
_BOLD_LEVEL = 7
"""Of a line in bold that is a heading: below all that are written as such."""
MAX_MARKS = 5_000
"""Of images and backticks in one paragraph: the time for them grows with their square."""
MAX_CHARS = 50_000
"""Of front matter: it is read at the pace of a person."""
_FRONT = re.compile(
    r"\A---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_ALERT = re.compile(r"\A\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*", re.IGNORECASE)
_UNSEEN_HTML = re.compile(
    r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_BREAKING_TAG = re.compile(
    r"</?(?:br|p|div|li|t[dhr]|d[dt]|summary|h[1-6])\b[^<>]*>", re.IGNORECASE
)
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
    front, body = split_front_matter(text, name=name)
    tree = SyntaxTreeNode(_PARSER.parse(without_comments(body)))
    links = (str(node.attrs["href"]) for node in tree.walk() if node.type == "link")
    found = outlined(_below_title(list(_items_of(tree.children))), front=front)
    return replace(found, links=tuple(dict.fromkeys(links)))


def _below_title(items: Sequence[Item]) -> Sequence[Item]:
    """Take headings of level 1 for those of sections where the first is: '# Summary', '# Design'.

    Such a document has no title of its own.
    """
    titles = [item[1] for item in items if isinstance(item, tuple) and item[0] == 1]
    if len(titles) <= 1 or not names_section(titles[0]):
        return items
    return [(item[0] + 1, item[1]) if isinstance(item, tuple) else item for item in items]


def split_front_matter(text: str, *, name: str) -> tuple[FrontMatter, str]:
    """Separate front matter and body; without front matter the mapping is empty.

    Raises:
        DocumentError: the front matter is not well-formed YAML; names file and line.
    """
    match = _FRONT.match(text)
    if match is None:
        return {}, text
    if len(match["yaml"]) > MAX_CHARS:
        raise DocumentError(
            f"{name}:2: the front matter has {len(match['yaml']):,} characters; the limit is "
            f"{MAX_CHARS:,}; move text below the second '---'"
        )
    try:
        # Every value stays the text that was written: no dates, no booleans out of 'no'.
        front = yaml.load(match["yaml"], Loader=yaml.BaseLoader)  # noqa: S506
    except yaml.YAMLError as err:
        raise DocumentError(_describe(err, name)) from err
    except RecursionError as err:
        raise DocumentError(f"{name}:2: the front matter is nested too deeply") from err
    if front is None:
        return {}, text[match.end() :]
    if isinstance(front, str):  # text between two rules, not front matter
        return {}, text
    if not isinstance(front, dict):
        raise DocumentError(f"{name}:2: the front matter is a list; write 'key: value' lines")
    return front, text[match.end() :]


def _describe(err: yaml.YAMLError, name: str) -> str:
    problem = getattr(err, "problem", None) or "not well-formed YAML"
    # What is never closed is noticed at the end, but wants mending where it was opened.
    unclosed = "stream" in problem
    mark = getattr(err, "context_mark" if unclosed else "problem_mark", None)
    line = mark.line + 2 if mark else 2  # the mark counts from 0 and from below the first '---'
    return f"{name}:{line}: the front matter cannot be read: {problem}"


def _check_marks(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and _marks(token.content) > MAX_MARKS:
            raise UnreadableError(
                f"a paragraph with more than {MAX_MARKS:,} images or backticks; split it"
            )


def _marks(text: str) -> int:
    return text.count("![") + text.count("`")


_PARSER.core.ruler.before("inline", "marks", _check_marks)


def _items_of(nodes: Sequence[SyntaxTreeNode]) -> Iterator[Item]:
    for node in nodes:
        if node.type == "heading":
            yield int(node.tag[1]), _inline(node.children).replace("\n", " ")
        elif _is_heading(node):
            yield _BOLD_LEVEL, _inline(node.children)
        else:
            yield from _blocks(node)


def _is_heading(node: SyntaxTreeNode) -> bool:
    """Tell a line in bold that heads a part as a heading would: '**Decision**'."""
    if node.type != "paragraph":
        return False
    marks = (" ", ":", "")
    written = [
        child.type for child in node.children[0].children if _raw(child).strip() not in marks
    ]
    return written == ["strong"] and role_of([_inline(node.children)]) not in _PLAIN


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


def _blocks(node: SyntaxTreeNode, indent: str = "") -> Iterator[ContentBlock]:
    match node.type:
        case "paragraph" | "heading":
            if text := _ALERT.sub("", _inline(node.children)):
                yield ContentBlock(text=_indented(text, indent))
        case "bullet_list" | "ordered_list":
            yield from _items(node, indent)
        case "table":
            yield from _rows(node)
        case "fence" | "code_block":
            code = "\n".join(line.rstrip() for line in node.content.splitlines() if line.strip())
            if code:
                yield ContentBlock(text=code, kind=BlockKind.CODE)
        case "html_block":
            if text := _html_text(node.content):
                yield ContentBlock(text=text)
        case _:
            for child in node.children:
                yield from _blocks(child, indent)


def _items(node: SyntaxTreeNode, indent: str) -> Iterator[ContentBlock]:
    first = int(node.attrs.get("start", 1))
    for offset, item in enumerate(node.children):
        marker = f"{first + offset}. " if node.type == "ordered_list" else "- "
        held = (block for child in item.children for block in _blocks(child, indent + "  "))
        yield from in_item(held, indent + marker)


def _rows(table: SyntaxTreeNode) -> Iterator[ContentBlock]:
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
