"""The documents' site: how a file of the checkout becomes a page, and no link leads nowhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import diagrams
import pytest
import site_notebook
import site_pages
import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config

from elysia_guard.edge.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
OUTSIDE = re.compile(r"""<(?:script|link|img|iframe)[^>]+(?:src|href)=["']?(https?:)?//""")


def test_links_between_files_become_links_between_pages() -> None:
    """Wherever the file and its page stand; a link to another site stays."""
    text = "[a](docs/a.md#b) [c](CHANGELOG.md), [d](https://e.example/docs/f.md) [g](#h)"
    assert site_pages.relinked(text, source="README.md", uri="index.md") == (
        "[a](a.md#b) [c](changelog.md), [d](https://e.example/docs/f.md) [g](#h)"
    )
    deep = site_pages.relinked("[a](../deploy/README.md)", source="docs/b.md", uri="b.md")
    assert deep == "[a](deploy/README.md)"
    back = site_pages.relinked("[a](../docs/b.md)", source="deploy/c.md", uri="deploy/c.md")
    assert back == "[a](../b.md)"


def test_each_command_is_in_the_reference() -> None:
    """With its own help, and those below it."""
    page = site_pages.commands_page()
    assert [name for name in COMMANDS if f"## elysia-guard {name}\n" not in page] == []
    assert "### elysia-guard vocab check" in page


def test_each_public_name_is_in_the_reference() -> None:
    """What `elysia_guard` lists can be looked up."""
    import elysia_guard

    named = {name.rpartition(".")[2] for name in site_pages.PYTHON}
    assert set(elysia_guard.__all__) - {"__version__"} <= named


def test_each_page_stands_in_the_navigation_once() -> None:
    """Decisions come behind it by themselves; a page under More is one that was forgotten."""
    text = (ROOT / "docs" / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    plain = yaml.safe_load(re.sub(r"!!python/\S+ \{.*\}", "x", text))
    named = list(site_pages._named(plain["nav"]))
    assert sorted(set(named)) == sorted(named)
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= set(named)


def test_every_diagram_has_its_picture() -> None:
    """Drawn from the text as it is now, and shown in its place with words for who cannot see."""
    texts = list(diagrams.diagrams())
    assert texts
    wanted = {diagrams.picture_of(text) for text in texts}
    assert {path.name for path in diagrams.PICTURES.glob("diagram-*.svg")} == wanted
    shown = site_pages.drawn(f"a\n\n```mermaid\n{texts[0]}```\n\nb\n", uri="adr/x.md")
    assert f'src="../pictures/{diagrams.picture_of(texts[0])}"' in shown
    assert 'alt="Diagram of: ' in shown
    assert "mermaid" not in shown
    with pytest.raises(FileNotFoundError, match=r"scripts/diagrams\.py"):
        site_pages.drawn("```mermaid\nflowchart LR\n    a --> b\n```\n", uri="x.md")


def test_a_notebook_becomes_a_page_with_what_its_cells_show(tmp_path: Path) -> None:
    """What is printed is text, what shows itself is HTML, and names stay from cell to cell."""
    cells: list[tuple[str, list[str]]] = [
        ("markdown", ["# Title\n", "\n", "Text."]),
        ("code", ["class Shown:\n", "    def _repr_html_(self):\n", "        return '<b>1</b>'\n"]),
        ("code", ["async def two():\n", "    return '<2>'\n", "print(await two())\n", "Shown()"]),
        ("code", ["x = 3"]),
        ("code", ["x"]),
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(
        json.dumps({"cells": [{"cell_type": kind, "source": text} for kind, text in cells]})
    )
    page = site_notebook.page_of(path)
    assert page.startswith("# Title\n\nText.\n\n```python\nclass Shown:")
    outputs = re.findall(r'<div class="cell"[^>]*>\n(.*)\n</div>', page)
    assert outputs == [
        "<pre><code>&lt;2&gt;</code></pre>",
        "<b>1</b>",
        "<pre><code>3</code></pre>",
    ]


@pytest.mark.slow
def test_the_site_is_whole_and_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every page is built, no link leads nowhere, and a page asks no other machine for anything.

    The tutorial without its cells: `test_tutorial` runs them.
    """
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    monkeypatch.setattr(site_notebook, "page_of", lambda _: "# Tutorial\n")
    file = str(ROOT / "docs" / "site" / "mkdocs.yml")
    config = load_config(file, site_dir=str(tmp_path), strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    built = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html")}
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert {f"{name}.html" for name in pages} <= built
    assert (tmp_path / "tutorial.ipynb").is_file()
    asking = [
        name for name in built if OUTSIDE.search((tmp_path / name).read_text(encoding="utf-8"))
    ]
    assert asking == []
