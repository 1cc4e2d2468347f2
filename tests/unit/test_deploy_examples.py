"""The examples for Kubernetes and systemd name commands, ports, paths and variables there are."""

from __future__ import annotations

import configparser
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from elysia_guard import __version__, config
from elysia_guard.config.files import ACCESS, SETTINGS
from elysia_guard.edge.cli.main import cli
from elysia_guard.edge.service.routes import ALIVE

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PARTS: dict[str, Any] = {
    part["kind"]: part
    for part in yaml.safe_load_all(
        (ROOT / "deploy/kubernetes/elysia-guard.yaml").read_text(encoding="utf-8")
    )
}
POD = PARTS["Deployment"]["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]


def parsed(command: list[str]) -> dict[str, Any]:
    """What the program makes of a command line, which is not carried out."""
    program, name, *args = command
    assert Path(program).name == "elysia-guard"
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found.make_context(name, args).params


def test_the_container_runs_what_the_program_takes() -> None:
    """It listens at the port that it names, where the Service and the probes look for it."""
    given = parsed(CONTAINER["command"])
    (port,) = CONTAINER["ports"]
    assert (given["host"], given["port"]) == ("0.0.0.0", port["containerPort"])  # noqa: S104
    (of_service,) = PARTS["Service"]["spec"]["ports"]
    assert of_service["targetPort"] == port["name"]
    assert PARTS["Service"]["spec"]["selector"] == POD["metadata"]["labels"]
    assert PARTS["Deployment"]["spec"]["selector"]["matchLabels"] == POD["metadata"]["labels"]
    assert CONTAINER["image"].endswith(f":{__version__}")
    assert f"--uid {POD['spec']['securityContext']['runAsUser']} " in DOCKERFILE


def test_the_probes_ask_what_is_there() -> None:
    """Readiness with the secret, by the image's own check; the others what nobody need be for."""
    for probe in ("startupProbe", "livenessProbe"):
        asked = CONTAINER[probe]["httpGet"]
        assert asked == {"path": ALIVE, "port": CONTAINER["ports"][0]["name"]}
    _, script, address = CONTAINER["readinessProbe"]["exec"]["command"]
    assert f"COPY docker/health.py {script}\n" in DOCKERFILE
    assert "/guard/ready" in (ROOT / "docker/health.py").read_text(encoding="utf-8")
    assert address.endswith(f":{CONTAINER['ports'][0]['containerPort']}")


def test_the_settings_are_usable_and_what_is_made_stays(tmp_path: Path) -> None:
    """The ConfigMap lies where the program looks; index and conversations are on the volume."""
    mounts = {item["name"]: Path(item["mountPath"]) for item in CONTAINER["volumeMounts"]}
    assert mounts["settings"] == Path("/app") / SETTINGS.parent
    assert "WORKDIR /app\n" in DOCKERFILE
    (name,) = PARTS["ConfigMap"]["data"]
    file = tmp_path / "config" / name
    file.parent.mkdir()
    file.write_text(PARTS["ConfigMap"]["data"][name], encoding="utf-8")
    read = config.load(file, environ={})
    assert read.index.sources == [mounts["documents"]]
    assert read.conversations.path is not None
    for kept in (read.index.path, read.conversations.path):
        assert mounts["kept"] in kept.parents
    volumes = {item["name"] for item in POD["spec"]["volumes"]}
    assert volumes == mounts.keys()


def test_the_secret_comes_from_the_cluster() -> None:
    (variable,) = CONTAINER["env"]
    assert variable["name"] in ACCESS
    named = variable["valueFrom"]["secretKeyRef"]
    text = (ROOT / "deploy/kubernetes/elysia-guard.yaml").read_text(encoding="utf-8")
    assert f"generic {named['name']} --from-literal={named['key']}=" in text


@pytest.fixture
def unit() -> configparser.SectionProxy:
    read = configparser.RawConfigParser()
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read(ROOT / "deploy/systemd/elysia-guard.service", encoding="utf-8")
    return read["Service"]


def test_the_unit_runs_what_the_program_takes(unit: configparser.SectionProxy) -> None:
    """On loopback, at the port that the proxy of the documents passes on to."""
    assert parsed(shlex.split(unit["ExecStartPre"].lstrip("-")))
    given = parsed(shlex.split(unit["ExecStart"]))
    assert (given["host"], given["port"]) == ("127.0.0.1", 8000)
    assert f"http://127.0.0.1:{given['port']}" in (ROOT / "docs/security.md").read_text("utf-8")
    assert unit["ReadWritePaths"] == unit["WorkingDirectory"]


def test_the_unit_sets_variables_that_there_are(unit: configparser.SectionProxy) -> None:
    text = (ROOT / "deploy/systemd/elysia-guard.service").read_text(encoding="utf-8")
    assert set(re.findall(r"ELYSIA_GUARD_SECRET|ADMIN_SECRET", text)) <= set(ACCESS)
    assert f"> {unit['EnvironmentFile']}" in text
    name, _, value = unit["Environment"].partition("=")
    assert config.load(environ={name: value}).log_level == value
