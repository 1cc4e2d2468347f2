"""Make the pages of the site that are not in docs; mkdocs calls it (docs/site/mkdocs.yml).

README.md becomes the first page, the changelog and whatever else a page links to are taken in, and
the reference is made from the code: the commands from their own help, the Python names from their
docstrings. The tutorial's cells are run, and diagrams are shown as their pictures. Links between
files of the checkout become links between pages.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
# mkdocs runs this file without its folder.
sys.path.insert(0, str(ROOT / "scripts"))

import diagrams  # noqa: E402
import site_notebook  # noqa: E402

COG = re.compile(r"<!-- ?\[\[\[.*?\]\]\] ?-->\n?", re.DOTALL)
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(?=[)\s])")
ITEM = re.compile(r"[-*] |\d+\. ")
STEP = 4
TUTORIAL = "docs/tutorial.ipynb"
CALLED = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", TUTORIAL: "tutorial.md"}
"""Where a file stands in the site, if not under its own path in docs."""
DOWNLOAD = '\n\n<p><a href="tutorial.ipynb" download>This page as a notebook</a></p>\n'
DIAGRAM = (
    '<div class="diagram" tabindex="0" role="group" aria-label="Diagram, wider than a narrow page"'
    ' style="overflow-x: auto; background: #fff"><a href="{src}"><img src="{src}" alt="{alt}"'
    ' style="max-width: none; width: 1300px"></a></div>\n'
)
"""On white, since the picture is drawn for that; what is wider than the page is scrolled."""
PAGES = {
    "reference/python.md": "Python",
    "reference/ports.md": "Ports",
    "reference/commands.md": "Commands",
}
PYTHON = {
    "direct.Guard": "Asks on the direct route, without Elysia's tree.",
    "domain.response.Replies": "What `Guard.ask_many` returns.",
    "domain.response.RAGResponse": "What every question is answered with, on both routes. As JSON: "
    "[the published schema](../response.schema.json).",
    "domain.conversation.Conversation": "What follow-ups rest on.",
    "domain.refusal.RefusalReason": "Why nothing is said; each is told in "
    "[reasons for refusal](../refusals.md).",
    "edge.elysia.GuardedTree": "An `elysia.Tree`, guarded.",
    "edge.elysia.install": "Guards a tree that a program has.",
    "edge.elysia.guard": "Guards a tool of your own: [how](../internals/wrapped-tools.md).",
    "wiring.skosmos_client.SKOSMOSClient": "Asks a Skosmos server.",
    "reading.terminology.is_terminology_query": "Whether a question asks what a term means.",
    "domain.errors.GuardError": "The root of all errors that are raised on purpose.",
}
"""Where the public names live, below ``elysia_guard``, and what each is for."""
TOLD_ELSEWHERE = {"domain.refusal.RefusalReason"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put what the navigation does not name behind it: internals, decisions, the rest."""
    nav = config.nav or []
    docs = Path(config.docs_dir)
    named = set(_named(nav))
    rest = [
        path.relative_to(docs).as_posix()
        for path in sorted(
            [*docs.glob("*.md"), *docs.glob("internals/*.md"), *docs.glob("adr/*.md")]
        )
        if path.relative_to(docs).as_posix() not in named
    ]
    decisions = [path for path in rest if path.startswith("adr/") and path != "adr/README.md"]
    internals = [path for path in rest if path.startswith("internals/")]
    more = [path for path in rest if "/" not in path]
    nav.append({"Internals": internals})
    nav.append({"Decisions": ["adr/README.md", *decisions]})
    if more:
        nav.append({"More": more})
    config.nav = nav
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, and the files outside docs that a page links to."""
    made = {
        "reference/python.md": python_page(),
        "reference/ports.md": ports_page(),
        "reference/commands.md": commands_page(),
        CALLED[TUTORIAL]: site_notebook.page_of(ROOT / TUTORIAL) + DOWNLOAD,
    }
    found = {
        target
        for path in [*Path(config.docs_dir).glob("**/*.md"), ROOT / "README.md"]
        for target in _linked(path)
        if not target.startswith("docs/") and (ROOT / target).is_file()
    }
    outside = found | (set(CALLED) - {TUTORIAL})
    # What a page that was taken in links to is taken in as well.
    outside |= {each for path in outside for each in _linked(ROOT / path) if _beyond(each)}
    made |= {placed(path): (ROOT / path).read_text(encoding="utf-8") for path in sorted(outside)}
    for uri, text in made.items():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_named: object) -> str:
    """Leave the makers of tables out, and let links lead to pages."""
    uri = page.file.src_uri
    source = next((path for path, name in CALLED.items() if name == uri), None)
    if source is None:
        in_docs = (ROOT / "docs" / uri).is_file()
        source = f"docs/{uri}" if in_docs or uri in PAGES else uri
    return relinked(widened(drawn(COG.sub("", markdown), uri=uri)), source=source, uri=uri)


def drawn(markdown: str, *, uri: str) -> str:
    """Show diagrams as their pictures (scripts/diagrams.py), which need no library to be read.

    Raises:
        FileNotFoundError: a diagram was changed and not drawn again.
    """

    def picture(found: re.Match[str]) -> str:
        name = diagrams.picture_of(found[1])
        if not (diagrams.PICTURES / name).is_file():
            raise FileNotFoundError(f"{uri}: a diagram has no picture {name}; scripts/diagrams.py")
        src = posixpath.relpath(f"pictures/{name}", posixpath.dirname(uri) or ".")
        named = ", ".join(dict.fromkeys(re.findall(r"\b[a-z]{5,}\b", found[1].partition("\n")[2])))
        return DIAGRAM.format(src=src, alt=f"Diagram of: {named}")

    return diagrams.BLOCK.sub(picture, markdown)


def relinked(markdown: str, *, source: str, uri: str) -> str:
    """Turn links of a file of the checkout into those of the page that it becomes.

    ``source`` is the file's path from the checkout's root, ``uri`` the page's in the site. A link
    to another site, and one within the page, stays as it is.
    """

    def leads(found: re.Match[str]) -> str:
        target = found[2]
        if ":" in target:
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        there = posixpath.relpath(placed(path), posixpath.dirname(uri) or ".")
        return f"{found[1]}{there}{found[3] or ''}"

    return LINK.sub(leads, markdown)


def widened(markdown: str) -> str:
    """Indent what stands within a list by four columns, which mkdocs asks for; elsewhere two do."""
    lines: list[str] = []
    within, fence, shift = False, "", ""
    for line in markdown.splitlines():
        text = line.lstrip()
        columns = len(line) - len(text)
        if fence:
            lines.append(shift + line if text else line)
            fence = "" if text.startswith(fence) else fence
            continue
        item = ITEM.match(text) is not None and columns < STEP
        if not columns and text:
            if item and not within and lines and lines[-1]:
                lines.append("")
            within = item
        indented = within and text and columns
        shift = " " * (STEP * (1 + (columns - 1) // 3) - columns) if indented else ""
        lines.append(shift + line)
        fence = text[:3] if text.startswith("```") else ""
    return "\n".join(lines) + "\n"


def placed(path: str) -> str:
    """Say where a file of the checkout stands in the site."""
    return CALLED.get(path, path.removeprefix("docs/"))


def python_page() -> str:
    """Name the public API: what each is for, and its docstring."""
    lines = ["# Python", "", "| name | what for |", "| --- | --- |"]
    lines += [
        f"| [{name.rpartition('.')[2]}](#elysia_guard.{name}) | {purpose} |"
        for name, purpose in PYTHON.items()
    ]
    for name in PYTHON:
        lines += ["", f"::: elysia_guard.{name}"]
        if name in TOLD_ELSEWHERE:
            lines += ["    options:", "      members: false"]
    return "\n".join(lines) + "\n"


def ports_page() -> str:
    """Name what the stages need from the world."""
    said = "What an adapter of your own has to give; `tests/contract` in the repository tests it."
    names = "::: elysia_guard.ports\n    options:\n      show_root_heading: false\n"
    return f"# Ports\n\n{said}\n\n{names}"


def commands_page() -> str:
    """Let each command tell its own help."""
    from elysia_guard.edge.cli.main import cli

    lines = ["# Commands", ""]
    for path, command, context in _commands(cli, click.Context(cli, info_name="elysia-guard")):
        lines += [f"{'#' * min(len(path) + 1, 4)} {' '.join(path)}", ""]
        lines += ["```text", command.get_help(context).rstrip(), "```", ""]
    return "\n".join(lines)


def _commands(
    command: click.Command, context: click.Context
) -> Iterator[tuple[list[str], click.Command, click.Context]]:
    context.terminal_width = 80
    yield context.command_path.split(), command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _commands(inner, click.Context(inner, info_name=name, parent=context))


def _named(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, dict):
        yield from _named(list(nav.values()))
    else:
        for item in nav:
            yield from _named(item)


def _linked(path: Path) -> Iterator[str]:
    """Tell the files of the checkout that a Markdown file links to, as paths from its root."""
    if path.suffix != ".md":
        return
    folder = path.relative_to(ROOT).parent.as_posix()
    for found in LINK.finditer(path.read_text(encoding="utf-8")):
        if ":" not in found[2]:
            yield posixpath.normpath(posixpath.join(folder, found[2]))


def _beyond(path: str) -> bool:
    return not path.startswith("docs/") and (ROOT / path).is_file()
