"""What ``elysia-guard vocab harvest`` says it would do, and did; for a person and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from elysia_guard.adapters.skosmos.harvest import Harvest, Plan
from elysia_guard.edge.cli import vocab_setting
from elysia_guard.edge.cli.screen import Screen, json_text
from elysia_guard.edge.cli.terminal import one_line

SHOWN = 5


def show_plans(plans: Sequence[Plan], path: Path, *, as_json: bool) -> None:
    """Print how vocabularies would be fetched."""
    if as_json:
        rows = [_planned(plan) for plan in plans]
        told = {"output": str(path), "dry_run": True, "vocabularies": rows}
        click.echo(json_text(told, indent=2))
        return
    screen = Screen()
    screen.line(f"{path} would hold {_many(len(plans), 'vocabulary', 'vocabularies')}", "bold")
    _table(screen, [(plan.vocabulary, _way(plan), plan.title) for plan in plans])


def show_harvests(
    found: Sequence[Harvest], path: Path, config: Path | None, *, as_json: bool
) -> None:
    """Print what was fetched, and how to use it."""
    if as_json:
        told = {"output": str(path), "vocabularies": [_fetched(item) for item in found]}
        click.echo(json_text(told, indent=2))
        return
    screen = Screen()
    total = sum(len(item.concepts) for item in found)
    screen.line(f"{path} holds {_many(total, 'concept', 'concepts')}", "bold")
    _table(
        screen,
        [
            (item.plan.vocabulary, str(len(item.concepts)), _came(item.plan), item.plan.title)
            for item in found
        ],
    )
    for item in found:
        _warn(screen, item)
    screen.line()
    screen.line("To use it, beside the server or in its place, in guard.yaml:")
    for line in vocab_setting.lines(path, config):
        screen.line(f"  {line}")


def _planned(plan: Plan) -> dict[str, object]:
    return {
        "vocabulary": plan.vocabulary,
        "title": plan.title,
        "way": _came(plan),
        "concepts": None if plan.whole else len(plan.concepts),
        "download_elsewhere": plan.elsewhere and not plan.whole,
    }


def _fetched(item: Harvest) -> dict[str, object]:
    return {
        "vocabulary": item.plan.vocabulary,
        "title": item.plan.title,
        "way": _came(item.plan),
        "concepts": len(item.concepts),
        "deprecated": sum(concept.deprecated for concept in item.concepts),
        "pieced_together": list(item.pieced),
        "missing": list(item.missing),
    }


def _way(plan: Plan) -> str:
    if plan.whole:
        return "as one download"
    why = " (its download is on another host: --allow-host)" if plan.elsewhere else ""
    return f"{_many(len(plan.concepts), 'concept', 'concepts')}, one by one{why}"


def _came(plan: Plan) -> str:
    return "download" if plan.whole else "one by one"


def _warn(screen: Screen, item: Harvest) -> None:
    id_ = item.plan.vocabulary
    notes = {
        "listed, yet not to be had": item.missing,
        "put together from searches, perhaps without all labels and relations": item.pieced,
    }
    for what, uris in notes.items():
        if uris:
            more = f" and {len(uris) - SHOWN} more" if len(uris) > SHOWN else ""
            shown = f"{', '.join(uris[:SHOWN])}{more}"
            screen.line(one_line(f"{id_}: {len(uris)} {what}: {shown}"), "yellow")
    if item.plan.elsewhere and not item.plan.whole:
        screen.line(f"{id_}: its download is on another host (--allow-host)", "yellow")
    if not item.plan.whole:
        screen.line(f"{id_}: has deprecated concepts only as far as others lead to them", "yellow")


def _table(screen: Screen, rows: Sequence[tuple[str, ...]]) -> None:
    shown = [tuple(map(one_line, row)) for row in rows]
    screen.table(shown, styles=("bold", *[""] * (len(rows[0]) - 2), "dim"), indent=2)


def _many(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"
