"""What the project's card says that it is: a plugin of Elysia, its packages, and its layout."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from elysia.objects import Tool
from elysia.tree.tree import Tree
from elysia.tree.util import DecisionNode

from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.tools import TOOLS

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "elysia-ai": "elysia",
    "weaviate-client": "weaviate",
    "dspy-ai": "dspy",
    "httpx": "httpx",
    "prometheus-client": "prometheus_client",
}
"""What the card lists that users get, and as what it is imported."""


def imported(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each package that a file of a folder imports, wherever in the file."""
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [item.name for item in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            yield from ((name.partition(".")[0], file) for name in names)


def declared() -> set[str]:
    """The packages that an installation brings, with any of its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(item for extra in extras for item in extra)]
    return {re.split(r"[\s\[<>=~;!]", item, maxsplit=1)[0] for item in wanted}


def test_it_is_a_tree_of_elysia_with_tools_and_a_decision_node(tree: GuardedTree) -> None:
    """Real classes of the host, and not look-alikes."""
    assert isinstance(tree, Tree)
    assert isinstance(tree.decision_nodes[tree.root], DecisionNode)
    assert {"skosmos_lookup", "guarded_search", "abstain"} <= set(tree.tools)
    assert all(issubclass(tool, Tool) for tool in TOOLS)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_of_the_card_is_declared_and_used(package: str) -> None:
    assert package in declared()
    assert [file for name, file in imported(ROOT / "src") if name == PACKAGES[package]]


def test_tests_are_of_pytest_and_clients_are_tested_with_respx() -> None:
    assert {"pytest", "respx"} <= declared()
    using = {name for name, _ in imported(ROOT / "tests" / "unit")}
    assert {"pytest", "respx"} <= using


def test_the_top_level_is_that_of_the_card() -> None:
    for name in ("pyproject.toml", "README.md", "config/thresholds.yaml"):
        assert (ROOT / name).is_file()
    for name in ("src/elysia_guard", "tests", "data", "scripts"):
        assert (ROOT / name).is_dir()
