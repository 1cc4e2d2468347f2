"""The locks say what pyproject.toml asks for: developers, users and the wheel's build, alike."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
ENTRY = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>\S+)(?: ; (?P<marker>.+?))? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")
DEVELOPERS, USERS, BUILD = (
    "requirements.lock",
    "requirements-users.lock",
    "requirements-build.lock",
)
OF_USERS = ("documents", "mcp", "onnx", "otel", "postgres", "redis")
"""What an image needs of extras: those that carry no model and no table of data."""


def lines(name: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.lstrip().startswith("#")]


def pinned(name: str) -> dict[str, Version]:
    """The version of each package of a lock."""
    found = [ENTRY.match(line) for line in lines(name)]
    return {item["name"]: Version(item["version"]) for item in found if item}


def asked_for(*groups: Iterable[str]) -> list[Requirement]:
    return [Requirement(line) for group in groups for line in group]


@pytest.mark.parametrize("name", [DEVELOPERS, USERS, BUILD])
def test_every_line_is_a_pinned_package_or_its_hash(name: str) -> None:
    """No address of a registry, nothing by its file, nothing without a hash."""
    read = lines(name)
    for number, line in enumerate(read):
        entry = ENTRY.match(line)
        assert entry or HASH.match(line), line
        if entry:
            assert HASH.match(read[number + 1]), f"{line} has no hash"
            assert not entry["marker"] or Marker(entry["marker"])
    assert "//" not in (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        (DEVELOPERS, [PROJECT["project"]["dependencies"], EXTRAS["dev"], EXTRAS["docs"]]),
        (USERS, [PROJECT["project"]["dependencies"], *(EXTRAS[each] for each in OF_USERS)]),
        (BUILD, [PROJECT["build-system"]["requires"], PROJECT["dependency-groups"]["build"]]),
    ],
)
def test_what_is_asked_for_is_pinned_to_what_is_asked(name: str, groups: list[list[str]]) -> None:
    """Each requirement of pyproject.toml, at a version that it allows."""
    versions = pinned(name)
    for asked in asked_for(*groups):
        found = versions.get(canonicalize_name(asked.name))
        assert found is not None, f"{asked} is not in {name}; run: make lock"
        assert asked.specifier.contains(found), f"{name} has {found} for {asked}; run: make lock"


@pytest.mark.parametrize("name", [USERS, BUILD])
def test_what_users_get_is_what_was_tested(name: str) -> None:
    """No package at another version than the developers'."""
    developers = pinned(DEVELOPERS)
    assert {each: developers.get(each) for each in pinned(name)} == pinned(name)


def test_the_wheel_is_built_with_what_its_project_names() -> None:
    assert PROJECT["dependency-groups"]["build"] == PROJECT["build-system"]["requires"]
