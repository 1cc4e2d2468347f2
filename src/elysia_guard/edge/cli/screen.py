"""Standard output: formatted on a terminal, plain text elsewhere, or JSON.

Texts come from documents and vocabularies, so nothing in them may act on the terminal: control
characters are dropped, nothing is read as rich's markup, and links show where they lead.
"""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.markdown import Markdown

_THEME = {
    "markdown.block_quote": "cyan",
    "markdown.item.bullet": "bold",
    "markdown.item.number": "bold",
}
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at the stream, on a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def visible(text: str) -> str:
    """Drop what would act on a terminal: control characters, and those that turn text around."""
    return "".join(
        char
        for char in text
        if char == "\n" or (unicodedata.category(char) != "Cc" and char not in _TURNING)
    )


def one_line(text: str) -> str:
    """Put a text in one line, fit for a terminal."""
    return visible(" ".join(text.split()))


def json_text(value: Mapping[str, object], *, indent: int | None = 2) -> str:
    """Write JSON, letters as they are; only a lone surrogate, which no file can hold, escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def print_json(value: Mapping[str, object], *, indent: int | None = 2) -> None:
    """Print a value for a program; without ``indent`` in one line."""
    click.echo(json_text(value, indent=indent))


class Screen:
    """What a command prints for a person."""

    def __init__(self) -> None:
        self.fancy = is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")

    @cached_property
    def _console(self) -> Console:
        from rich.console import Console
        from rich.theme import Theme

        return Console(highlight=False, theme=Theme(_THEME))

    def line(self, text: str = "", style: str = "") -> None:
        """Print a line, in a style of rich's where there are colours."""
        if not self.fancy:
            click.echo(visible(text))
            return
        from rich.text import Text

        self._console.print(Text(visible(text), style=style))

    def title(self, text: str) -> None:
        """Print the title of a part, with a blank line before it."""
        self.line()
        self.line(text, "bold")

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Show that something is under way, where the cursor can be moved back."""
        if not self.fancy:
            yield
            return
        with self._console.status(""):
            yield

    @contextmanager
    def under(self, line: str, style: str = "") -> Iterator[None]:
        """Print a line above what is printed here; below it too, where the first scrolls away."""
        self.line(line, style)
        self.line()
        if not self.fancy:
            yield
            return
        with self._console.capture() as shown:
            yield
        text = shown.get()
        self._console.file.write(text)
        if text.count("\n") + 2 > self._console.height:
            self.line()
            self.line(line, style)

    def rule(self, title: str, style: str = "") -> None:
        """Print a title with a line behind it."""
        if not self.fancy:
            click.echo(f"--- {visible(title)}")
            return
        from rich.rule import Rule
        from rich.text import Text

        self._console.print(Rule(Text(visible(title), style=style), align="left", style="dim"))

    def markdown(self, text: str, *, indent: int = 0) -> None:
        """Print Markdown: rendered, or as it is."""
        if not self.fancy:
            lines = visible(text).split("\n")
            click.echo("\n".join(f"{' ' * indent}{line}".rstrip() for line in lines))
            return
        self._indented(_markdown(visible(text)), indent)

    def table(
        self, rows: Sequence[Sequence[str]], *, styles: Sequence[str], indent: int = 0
    ) -> None:
        """Print rows in columns, each column in its style; the last may be long."""
        shown = [[visible(cell) for cell in row] for row in rows]
        if not self.fancy:
            widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
            for row in shown:
                cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
                click.echo(" " * indent + "  ".join(cells).rstrip())
            return
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2, 0, 0))
        for position, style in enumerate(styles, start=1):
            grid.add_column(style=style, no_wrap=position < len(styles), overflow="fold")
        for row in shown:
            grid.add_row(*map(Text, row))
        self._indented(grid, indent)

    def _indented(self, shown: RenderableType, indent: int) -> None:
        from rich.padding import Padding

        self._console.print(Padding(shown, (0, 0, 0, indent)))


def _markdown(text: str) -> Markdown:
    from markdown_it import MarkdownIt
    from rich.markdown import Markdown

    document = Markdown(text, hyperlinks=False)
    # Rich's own parser drops what looks like HTML, and hides where a link leads.
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    document.parsed = parser.disable(["autolink", "link", "image"]).parse(text)
    return document
