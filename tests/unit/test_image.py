"""The image and the compose file, read as a builder would: what they name is there, and fits."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import click
import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version
from pyoxigraph import Literal, NamedNode, RdfFormat, Store

from elysia_guard import config as configuration
from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.cli.main import cli

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
GUARD = COMPOSE["services"]["guard"]
HEALTH = ROOT / "docker" / "health.py"
SECRET = "made-up-secret-0123456789"
SKOSMOS = "http://purl.org/net/skosmos#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
VARIABLE = re.compile(r"\$\{(\w+)(?::[-?]([^}]*))?\}")


def instructions() -> list[tuple[str, str]]:
    """Each instruction of the Dockerfile with what stands behind it, in one line."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    found = (line.split(None, 1) for line in joined.splitlines() if line.strip())
    return [(name, " ".join(rest.split())) for name, rest in found]


def last(name: str) -> str:
    """What the image that is run says: the last of its kind."""
    return [rest for each, rest in instructions() if each == name][-1]


def stage() -> list[tuple[str, str]]:
    """The instructions of the last stage."""
    found = instructions()
    begins = max(number for number, (name, _) in enumerate(found) if name == "FROM")
    return found[begins:]


def copied() -> Iterator[str]:
    """What is copied from the folder that the image is built in."""
    for name, rest in instructions():
        words = rest.split()
        if name in {"COPY", "ADD"} and not words[0].startswith("--from"):
            yield from words[:-1]


def sent(path: str) -> bool:
    """Tell whether a builder is given a path: the last fitting line of .dockerignore counts."""
    given = True
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    parts = path.split("/")
    above = ["/".join(parts[: number + 1]) for number in range(len(parts))]
    for line in lines:
        pattern = line.removeprefix("!").removeprefix("**/")
        if any(fnmatch.fnmatchcase(each, pattern) for each in above):
            given = line.startswith("!")
    return given


def environment() -> dict[str, str]:
    """What compose sets for the guard, where the machine has the secret alone."""
    known = {"ELYSIA_GUARD_SECRET": SECRET}

    def filled(found: re.Match[str]) -> str:
        return known.get(found[1]) or (found[2] if ":-" in found[0] else "")

    return {name: VARIABLE.sub(filled, value) for name, value in GUARD["environment"].items()}


def taken(command: list[str]) -> dict[str, Any]:
    """Hold a command against the program; return its options."""
    assert command[0] == "elysia-guard"
    context = click.Context(cli, info_name="elysia-guard")
    _, found, rest = cli.resolve_command(context, command[1:])
    assert found is not None
    return found.make_context(found.name, rest, parent=context).params


def test_what_is_copied_is_there_and_is_sent() -> None:
    """No more and no less: what .dockerignore lets through is copied."""
    names = list(copied())
    assert len(names) >= 6
    assert [name for name in names if not (ROOT / name).exists()] == []
    assert [name for name in names if not sent(name)] == []
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line[1:] for line in lines if line.startswith("!")} == set(names)
    assert not sent(".git")
    assert not sent("tests/conftest.py")
    assert not sent("docker/skosmos.ttl")


def test_the_wheel_gets_all_that_its_project_names() -> None:
    """What pyproject.toml puts into a wheel, its readme and its licence."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    needed = {name.split("/")[0] for name in wheel} | {"pyproject.toml", "README.md", "LICENSE"}
    assert needed <= set(copied())


def test_nothing_is_installed_without_a_hash_but_our_own_wheel() -> None:
    runs = " && ".join(rest for name, rest in instructions() if name == "RUN")
    installs = [each for each in runs.split(" && ") if "pip install" in each]
    assert len(installs) == 3
    for each in installs:
        assert "--require-hashes" in each or ("--no-deps" in each and each.endswith("*.whl"))
    assert "--no-build-isolation" in runs


def test_it_runs_as_nobody_on_a_python_that_the_project_takes() -> None:
    """By number, so that a cluster can tell that it is not root; in what it has to write it may."""
    user = last("USER")
    assert int(user) >= 1000
    (added,) = (rest for name, rest in stage() if name == "RUN")
    assert f"--uid {user}" in added
    for folder in (last("WORKDIR"), last("VOLUME")):
        assert re.search(rf"install --directory --owner=guard .*{folder}\b", added)
    order = [name for name, _ in stage()]
    assert order.index("USER") > order.index("RUN")
    # Both stages have the same Python: a virtual environment works with no other.
    (base,) = {rest.split()[0] for name, rest in instructions() if name == "FROM"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = re.search(r":(\d+\.\d+)", base)
    assert version
    assert version[1] in SpecifierSet(project["requires-python"])


def test_ports_and_health_checks_agree_with_the_program() -> None:
    """The port of the command is exposed, asked after and published, on this machine alone."""
    asked = taken(json.loads(last("CMD")))
    assert asked["host"] == "0.0.0.0"  # noqa: S104  only compared with
    assert int(last("EXPOSE")) == asked["port"]
    *_, health = last("HEALTHCHECK").partition("CMD ")
    python, script, address = json.loads(health)
    assert python == "python"
    assert urlsplit(address).port == asked["port"]
    assert f"COPY docker/health.py {script}" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
    shell, flag, line = GUARD["command"]
    assert (shell, flag) == ("sh", "-c")
    first, second = (shlex.split(each.strip()) for each in line.split("&&"))
    taken(first)
    assert second[0] == "exec"
    assert taken(second[1:]) == asked
    for service in COMPOSE["services"].values():
        assert all(each.startswith("127.0.0.1:") for each in service["ports"])
    assert GUARD["ports"] == [f"127.0.0.1:{asked['port']}:{asked['port']}"]


def test_every_variable_of_compose_is_a_setting() -> None:
    """The program itself reads them; one that it does not know, it refuses."""
    given = environment()
    assert given["ELYSIA_GUARD_SECRET"] == SECRET
    read = configuration.load(ROOT / "config" / "guard.yaml", environ=given)
    assert (read.index.kind, read.terminology.kind) == ("weaviate", "skosmos")
    hosts = {
        urlsplit(str(url)).hostname
        for url in (read.index.weaviate.url, read.terminology.skosmos.url)
    }
    assert hosts == {"weaviate", "skosmos"}
    for extra in ({"ELYSIA_GUARD_INDEX__KIN": "weaviate"}, {"ELYSIA_GUARD_INDEX__KIND": "other"}):
        with pytest.raises(ConfigError, match=r"(?i)index"):
            configuration.load(ROOT / "config" / "guard.yaml", environ=given | extra)


def test_services_volumes_and_files_of_compose_are_there() -> None:
    """Who is waited for says that it is well, and what is mounted exists."""
    services = COMPOSE["services"]
    for name, service in services.items():
        for other, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert services[other]["healthcheck"]["test"], name
        for volume in service.get("volumes", ()):
            place, _, _ = volume.partition(":")
            assert place in COMPOSE["volumes"] or (ROOT / place).exists(), volume
        assert service.get("build") or re.search(r":\d[\w.-]*$", service["image"]), name


@pytest.fixture(scope="module")
def skosmos() -> Store:
    """The settings of Skosmos, as RDF."""
    store = Store()
    text = (ROOT / "docker" / "skosmos.ttl").read_bytes()
    store.load(text, format=RdfFormat.TURTLE, base_iri="https://config.example/")
    return store


def values(store: Store, subject: str, predicate: str) -> set[str]:
    node = NamedNode(f"https://config.example/#{subject}")
    found = store.quads_for_pattern(node, NamedNode(predicate), None)
    return {quad.object.value for quad in found if isinstance(quad.object, NamedNode | Literal)}


def test_skosmos_serves_the_vocabulary_that_the_guard_asks_for(skosmos: Store) -> None:
    """By its name, its address space and its languages; the term of the health check is in it."""
    vocabularies = yaml.safe_load(
        GUARD["environment"]["ELYSIA_GUARD_TERMINOLOGY__SKOSMOS__VOCABULARIES"]
    )
    term = GUARD["environment"]["ELYSIA_GUARD_TERMINOLOGY__SKOSMOS__KNOWN_TERM"]
    (asked,) = vocabularies
    (space,) = values(skosmos, asked, "http://rdfs.org/ns/void#uriSpace")
    terms = Store()
    terms.load(path=ROOT / "data" / "vocabulary" / "vennet.ttl", format=RdfFormat.TURTLE)
    labels = list(terms.quads_for_pattern(None, NamedNode(f"{SKOS}prefLabel"), None))
    assert all(quad.subject.value.startswith(space) for quad in labels)
    assert {quad.object.language for quad in labels} == values(skosmos, asked, f"{SKOSMOS}language")
    assert (term, "en") in {(quad.object.value, quad.object.language) for quad in labels}
    test = " ".join(COMPOSE["services"]["skosmos"]["healthcheck"]["test"])
    assert f"/rest/v1/{asked}/search?query={term}&lang=en" in test
    mounts = COMPOSE["services"]["fuseki"]["volumes"] + COMPOSE["services"]["skosmos"]["volumes"]
    assert "./data/vocabulary:/vocabulary:ro" in mounts
    assert "--file=/vocabulary/vennet.ttl" in COMPOSE["services"]["fuseki"]["command"]


class _Said(BaseHTTPRequestHandler):
    """A server that answers with the status that its path begins with, to who has the secret."""

    def do_GET(self) -> None:
        status = int(self.path.split("/")[1])
        allowed = self.headers.get("Authorization") == f"Bearer {SECRET}"
        self.send_response(status if allowed else 401)
        self.end_headers()
        self.wfile.write(b"no index" if allowed else b"log in")

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def said() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Said)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("path", "secret", "problem"),
    [
        ("/200", SECRET, ""),
        ("/503", SECRET, "503: no index"),
        ("/200", "another-secret-0123", "401: log in"),
        # Behind a proxy that names people there is no secret: an answer is all that there is.
        ("/200", "", ""),
    ],
)
def test_the_health_check_tells_what_the_server_says(
    said: str, path: str, secret: str, problem: str
) -> None:
    """By its exit code, with the reason on standard error."""
    assert _asked(f"{said}{path}", secret) == problem


def _asked(address: str, secret: str) -> str:
    kept = {name: value for name, value in os.environ.items() if "ELYSIA_GUARD" not in name}
    done = subprocess.run(
        [sys.executable, str(HEALTH), address, "5"],
        # A proxy that nobody serves: it is not asked.
        env=kept | {"ELYSIA_GUARD_SECRET": secret, "http_proxy": "http://127.0.0.1:1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) == (done.stderr == "")
    return done.stderr.strip()


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
