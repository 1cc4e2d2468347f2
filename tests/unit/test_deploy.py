"""The dashboard and the alerts name metrics, labels and values that there are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from scripts.observability_catalogue import metrics

ROOT = Path(__file__).resolve().parents[2]
DASHBOARD = json.loads((ROOT / "deploy/grafana/elysia-guard.json").read_text(encoding="utf-8"))
ALERTS = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text(encoding="utf-8"))
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
PROMTOOL = shutil.which("promtool")
RUNBOOK = (ROOT / "docs/observability.md").read_text(encoding="utf-8")

KNOWN = {row.name: row for row in metrics("ADR_Ollama")}
BY_PROMETHEUS = {"up"}
TARGET_LABELS = {"job", "instance"}
WORDS = {
    *("sum", "max", "rate", "increase", "histogram_quantile", "by", "and", "or", "unless"),
    *("without", "on"),
}


def expressions() -> Iterator[tuple[str, str]]:
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]
    for rule in RULES:
        yield rule["alert"], rule["expr"]


def kind_of(name: str) -> str:
    """The metric that a series belongs to: ``x_bucket`` to the histogram ``x``."""
    for end in ("_bucket", "_count", "_sum"):
        base = name.removesuffix(end)
        if name.endswith(end) and base in KNOWN and KNOWN[base].kind == "histogram":
            return base
    return name


def names_in(expression: str) -> set[str]:
    """The series of an expression: what is left without labels, groupings, words and numbers."""
    bare = re.sub(r"\{[^}]*\}|\[[^]]*\]|\b(?:by|without|on) *\([^)]*\)", " ", expression)
    return set(re.findall(r"\b[a-z_][a-z0-9_]*\b", bare)) - WORDS


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_every_metric_exists(where: str, expression: str) -> None:
    """In the dashboard and in the alerts; a counter is never read without a rate."""
    names = names_in(expression)
    assert names
    for name in names - BY_PROMETHEUS:
        base = kind_of(name)
        assert base in KNOWN, f"{where}: {name}"
        if KNOWN[base].kind != "gauge":
            assert re.search(rf"(rate|increase)\({name}\b", expression), f"{where}: {name}"


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_every_label_exists_on_its_metrics(where: str, expression: str) -> None:
    """Those that are selected by, with the values that there are, and those that are kept."""
    named = [kind_of(name) for name in names_in(expression) - BY_PROMETHEUS]
    allowed = {KNOWN[name].label for name in named} | TARGET_LABELS
    if any(KNOWN[name].kind == "histogram" for name in named):
        allowed |= {"le"}
    for grouped in re.findall(r"\bby *\(([^)]*)\)", expression):
        assert {label.strip() for label in grouped.split(",")} <= allowed, where
    for name, selected in re.findall(r"([a-z_]+)\{([^}]*)\}", expression):
        for label, value in re.findall(r'(\w+) *(?:=~|!~|!=|=) *"([^"]*)"', selected):
            if label in TARGET_LABELS:
                continue
            row = KNOWN[kind_of(name)]
            assert label == row.label, where
            assert value in row.values, where


def test_the_dashboard_shows_what_an_operator_asks_first() -> None:
    """Requests, reasons, Skosmos, its cache, embeddings, fallbacks, breakers, latencies."""
    shown = {kind_of(name) for _, text in list(expressions()) for name in names_in(text)}
    assert shown >= set(KNOWN) - {"embedding_request_total"}


def test_the_dashboard_can_be_imported() -> None:
    """Panels have a place of their own, a title, a description, and the chosen data source."""
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells
        assert place["x"] + place["w"] <= 24
        assert panel["title"]
        assert panel["description"]
        for part in (panel, *panel["targets"]):
            assert part["datasource"]["uid"] == "${datasource}"
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids)
    assert [item["name"] for item in DASHBOARD["templating"]["list"]] == ["datasource", "job"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_every_alert_says_how_bad_it_is_and_what_to_do(rule: dict) -> None:
    """It waits, has a severity and a summary, and its runbook is there."""
    assert re.fullmatch(r"\d+m", rule["for"])
    assert rule["labels"]["severity"] in {"warning", "critical"}
    assert rule["annotations"]["summary"]
    page, _, anchor = rule["annotations"]["runbook_url"].partition("#")
    assert page == "docs/observability.md"
    assert anchor == rule["alert"].lower()
    assert f"### {rule['alert']}\n" in RUNBOOK


def test_every_runbook_has_its_alert() -> None:
    runbooks = re.findall(r"^### (\w+)$", RUNBOOK.split("## Dashboard and alerts")[1], re.M)
    assert runbooks == [rule["alert"] for rule in RULES]


@pytest.mark.skipif(not PROMTOOL, reason="needs promtool on the path")
@pytest.mark.slow
def test_prometheus_takes_the_rules_and_the_queries(tmp_path: Path) -> None:
    """What Prometheus' own checker says of the configuration, the rules and each panel."""
    queries = [
        {"record": f"panel:{number}", "expr": text.replace("$__rate_interval", "5m")}
        for number, (_, text) in enumerate(expressions())
    ]
    panels = tmp_path / "panels.yml"
    panels.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": queries}]}))
    for command, what, file in (
        ("check", "config", ROOT / "deploy/prometheus/prometheus.yml"),
        ("check", "rules", ROOT / "deploy/prometheus/alerts.yml"),
        ("check", "rules", panels),
        ("test", "rules", ROOT / "deploy/prometheus/alerts_test.yml"),
    ):
        ran = subprocess.run(
            [PROMTOOL, command, what, str(file)], capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
