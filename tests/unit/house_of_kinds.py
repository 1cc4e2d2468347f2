"""A house with decisions, RFCs, runbooks and policies, whose numbers are the same."""

from __future__ import annotations

from pathlib import Path

KINDS = """\
[rfc]
like = "decision"
form = "RFC-{number:04d}"

[runbook]
like = "policy"
form = "RB {number}"
collection = "Runbooks"

[runbook.nl]
one = ["draaiboek"]
many = ["draaiboeken"]

[runbook.de]
one = ["Betriebsanleitung"]
many = ["Betriebsanleitungen"]
definite = "die Betriebsanleitung"
"""
"""What the house says of its kinds of documents."""

DOCUMENTS = {
    "adr/0012-slate.md": """\
# ADR-0012: Cover roofs with slate

- Status: accepted
- Date: 2024-03-11
- Owner: Housing

## Context

Felt roofs leak after ten winters.

## Decision

Roofs are covered with slate, since it lasts a hundred years.
""",
    "adr/0013-copper.md": """\
# ADR-0013: Copper pipes

- Status: proposed
- Date: 2024-05-02

## Decision

Water pipes are made of copper.
""",
    "rfcs/0012-road-closures.md": """\
# Road closures

- Status: accepted
- Date: 2025-01-20
- Owner: Streets

## Context

Drivers complained of surprises.

## Decision

A road closure is announced three weeks before it begins, by letter to each household.
""",
    "rfcs/0013-street-lamps.md": """\
# Street lamps

- Status: proposed
- Date: 2025-06-01

## Decision

Street lamps are dimmed to forty percent after midnight.
""",
    "anywhere/RFC-0114-benches.md": """\
# Benches

- Status: superseded by RFC-0012
- Date: 2021-06-01

## Decision

Benches in parks are made of oak.
""",
    "runbooks/RB-12-restart-the-pump.md": """\
# Restart the pump

- Status: accepted
- Date: 2023-02-01

## Rules

The pump is restarted by closing valve B and waiting ninety seconds.
""",
    "runbooks/0014-drain-the-tank.md": """\
# Drain the tank

- Status: accepted
- Date: 2025-07-09

## Rules

The tank is drained through the lower hatch before any inspection.
""",
    "policies/0012-noise.md": """\
# POL-0012: Noise

- Status: accepted
- Date: 2022-02-02

## Policy

Building work may make noise between seven in the morning and seven in the evening only.
""",
}


def settle(folder: Path, kinds: str = KINDS) -> Path:
    """Write the house into a folder; return its settings."""
    files = {f"docs/{name}": text for name, text in DOCUMENTS.items()}
    files["config/guard.yaml"] = (
        "terminology: {kind: skos_file, files: []}\n"
        "index: {path: build/index.sqlite, sources: [docs]}\n"
        "collections: {decision: ADRs, principle: Principles, policy: Policies, document: Others}\n"
        "conversations: {enabled: false}\n"
    )
    if kinds:
        files["config/languages/kinds.toml"] = kinds
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "config" / "guard.yaml"
