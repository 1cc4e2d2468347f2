"""``elysia-guard vocab harvest``: a copy of the vocabularies of a Skosmos server, in one file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from elysia_guard.edge.cli.options import NEW_FILE, CouldNotRunError, Setup, with_setup
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.vocab_options import check_output, json_option
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.adapters.skosmos.harvest import Harvest, Harvester, Plan
    from elysia_guard.adapters.skosmos.service import Service
    from elysia_guard.config import Config

MARK = "Written by elysia-guard vocab harvest; the next harvest writes over it."
FAR_FEWER = 0.5
"""The share of the concepts of the last harvest below which a new one does not replace it."""

_COUNT = re.compile(rb"^# concepts: (\d+)$", re.MULTILINE)


@click.command("harvest", short_help="Copy vocabularies from a Skosmos server.")
@click.option("--url", metavar="URL", help="A Skosmos server.  [default: the configured one]")
@click.option(
    "--vocab",
    "ids",
    multiple=True,
    metavar="ID",
    help="A vocabulary of it; may be repeated.  [default: the configured ones, else all]",
)
@click.option(
    "--output", type=NEW_FILE, metavar="FILE.ttl", help="[default: skosmos.ttl beside the index]"
)
@click.option(
    "--one-by-one", is_flag=True, help="Ask for each concept, even if there is a download."
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="HOST",
    help="Take downloads from this host too; may be repeated.  [default: only the server's own]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.1, 3600),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="The time for one request; a download has ten times as long.",
)
@click.option(
    "--force", is_flag=True, help="Write over any file, and over a harvest that had far more."
)
@click.option("--dry-run", is_flag=True, help="Say what would be fetched; write nothing.")
@json_option
@with_setup
def harvest(  # noqa: PLR0913 - one for each option
    setup: Setup,
    *,
    url: str | None,
    ids: tuple[str, ...],
    output: Path | None,
    one_by_one: bool,
    hosts: tuple[str, ...],
    timeout: float,
    force: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Copy vocabularies from a Skosmos server into one Turtle file.

    As terminology.files beside the server, the copy suggests what a person may have meant, knows
    synonyms, and finds what the server's search hides; as a vocabulary of its own, it answers
    where the server is too slow or too far.

    A vocabulary is taken as the download that the server offers; where it offers none, or on
    another host, its alphabetical index is read and each concept asked for, with those that they
    lead to. The file is written when all is there: after an error, the old one is as it was.

    \b
    Examples:
      elysia-guard vocab harvest --dry-run
      elysia-guard vocab harvest --url https://skosmos.example --vocab grid --vocab law
      elysia-guard vocab harvest --output data/vocabulary/beside.ttl
      elysia-guard vocab check build/skosmos.ttl      what is wrong in the copy
    """  # noqa: D301  click reads the \b
    from elysia_guard.adapters.skosmos.harvest import Harvester
    from elysia_guard.domain.errors import SourceUnavailableError
    from elysia_guard.edge.cli import vocab_harvest_views as views

    config = setup.wiring().config
    service = _service(config, url, ids, timeout)
    path = output or config.index.path.parent / "skosmos.ttl"
    check_output(path, MARK, force=force)
    harvester = Harvester(service, hosts=hosts, downloads=not one_by_one)
    try:
        if dry_run:
            views.show_plans(run_anywhere(_planned(harvester)), path, as_json=as_json)
            return
        found = run_anywhere(_fetched(harvester))
    except SourceUnavailableError as err:
        raise CouldNotRunError(f"{err}; nothing was written") from err
    _save(found, path, service.base_url, force=force)
    views.show_harvests(found, path, setup.config, as_json=as_json)


def _service(config: Config, url: str | None, ids: Sequence[str], timeout_s: float) -> Service:
    from elysia_guard.adapters.skosmos.service import Service

    configured = config.terminology.skosmos
    address = url or (configured.url if configured else "")
    if not address:
        raise click.UsageError(
            "no Skosmos is configured; name one: elysia-guard vocab harvest --url https://..."
        )
    if urlsplit(address).scheme not in {"http", "https"} or not urlsplit(address).hostname:
        raise click.UsageError("--url is no address; it begins with https:// or http://")
    titles = configured.vocabularies if configured and not url else {}
    return Service(
        base_url=address,
        vocabularies={id_: titles.get(id_, "") for id_ in ids or titles},
        timeout_ms=round(timeout_s * 1000),
        max_concurrency=configured.max_concurrency if configured else 8,
    )


async def _planned(harvester: Harvester) -> list[Plan]:
    async with harvester:
        return await harvester.plans()


async def _fetched(harvester: Harvester) -> list[Harvest]:
    async with harvester:
        with Progress("Harvesting") as bar:
            plans = await harvester.plans()
            steps = {plan.vocabulary: plan.steps for plan in plans}
            done = dict.fromkeys(steps, 0)

            def show(vocabulary: str, fetched: int, known: int, what: str) -> None:
                # Concepts lead to others, so there may be more to fetch than was planned.
                done[vocabulary], steps[vocabulary] = fetched, known
                bar.show(sum(done.values()), sum(steps.values()), what)

            # One after another: the requests for one are as many as the server is to bear.
            return [await harvester.fetch(plan, partial(show, plan.vocabulary)) for plan in plans]


def _save(found: Sequence[Harvest], path: Path, url: str, *, force: bool) -> None:
    from elysia_guard.adapters.skos_turtle import write_whole

    before, now = counted(path), sum(len(item.concepts) for item in found)
    if not force and now < FAR_FEWER * before:
        raise CouldNotRunError(
            f"{now:,} concepts were found, and {path} has {before:,}; it is left as it is; "
            "if they are gone, write over it with --force"
        )
    write_whole(path, document(found, url, datetime.now(UTC)))


def counted(path: Path) -> int:
    """How many concepts a file says it has in its head; 0 if it says nothing."""
    try:
        with path.open("rb") as file:
            said = _COUNT.search(file.read(4096))
    except OSError:
        return 0
    return int(said[1]) if said else 0


def document(found: Sequence[Harvest], url: str, now: datetime) -> bytes:
    """The file: a head that says where it comes from, and all concepts."""
    from elysia_guard.adapters.skos_turtle import commented, turtle

    concepts = [concept for item in found for concept in item.concepts]
    parts = urlsplit(url)
    secret = parts.username or parts.password or parts.query
    head = [
        MARK,
        f"server: {'not shown, its address has credentials' if secret else url}",
        f"vocabularies: {', '.join(item.plan.vocabulary for item in found)}",
        f"concepts: {len(concepts)}",
        f"at: {now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
    ]
    schemes = {concept.uri: item.scheme for item in found for concept in item.concepts}
    return commented(head) + turtle(concepts, schemes)
