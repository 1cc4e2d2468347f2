"""``elysia-guard vocab load``: SKOS files made into the vocabulary of this installation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.options import NEW_FILE, SKOS, Setup, with_setup
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.vocab_options import (
    GateFailedError,
    check_output,
    json_option,
    lang_option,
)

if TYPE_CHECKING:
    from elysia_guard.adapters.skos_findings import Report
    from elysia_guard.domain.concept import Concept
    from elysia_guard.domain.question import Lang

MARK = "Written by elysia-guard vocab load; the next load writes over it."


@click.command("load", short_help="Make SKOS files the vocabulary.")
@click.argument("files", nargs=-1, required=True, type=SKOS, metavar="FILE...")
@click.option(
    "--output", type=NEW_FILE, metavar="FILE.ttl", help="[default: vocabulary.ttl beside the index]"
)
@click.option("--strict", is_flag=True, help="Load nothing, and leave with 1, if there are errors.")
@click.option(
    "--set",
    "in_config",
    is_flag=True,
    help="Write the setting into the guard.yaml that --config names.",
)
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="How many of each problem to show; JSON holds all.",
)
@click.option("--force", is_flag=True, help="Write over any file.")
@click.option("--dry-run", is_flag=True, help="Say what would be loaded; write nothing.")
@lang_option
@json_option
@with_setup
def load(  # noqa: PLR0913 - one for each option
    setup: Setup,
    *,
    files: tuple[Path, ...],
    output: Path | None,
    strict: bool,
    in_config: bool,
    examples: int,
    force: bool,
    dry_run: bool,
    lang: Lang | None,
    as_json: bool,
) -> None:
    """Check SKOS FILEs and folders of them, and copy what is sound into one vocabulary file.

    Turtle, RDF/XML, JSON-LD and N-Triples are read together as one vocabulary. A statement that
    does not parse is told with its line, and the rest read without it; so is a whole file. The
    copy is plain Turtle: broken language tags mended, labels of SKOS-XL and texts in nodes as
    plain ones, relations at both ends. What the guard does not read is not in it.

    \b
    Examples:
      elysia-guard vocab load my/terms.ttl my/more.rdf
      elysia-guard vocab load my/vocabularies --strict --output data/vocabulary/ours.ttl
      elysia-guard vocab load my/terms.ttl --config config/guard.yaml --set

    \b
    Exit codes:
      0 loaded   1 errors found, with --strict; nothing is loaded   3 no file can be read
    """  # noqa: D301  click reads the \b
    from elysia_guard.adapters.skos_check import check_files
    from elysia_guard.adapters.skos_findings import Severity
    from elysia_guard.adapters.skos_rdf import files_of
    from elysia_guard.adapters.skos_turtle import write_whole
    from elysia_guard.edge.cli import vocab_load_views as views
    from elysia_guard.edge.cli import vocab_report, vocab_setting

    if in_config and not setup.config:
        raise click.UsageError("--set needs the guard.yaml to write to: --config FILE")
    config = setup.wiring().config
    path = output or config.index.path.parent / "vocabulary.ttl"
    check_output(path, MARK, force=force)
    # A copy of last time among them would keep what is gone from its sources.
    sources = [file for file in files_of(files) if file.resolve() != path.resolve()]
    with Progress("Checking the vocabulary"):
        report = check_files(sources, max_bytes=config.terminology.max_bytes)
    errors = vocab_report.count(report, Severity.ERROR)
    refused = strict and errors > 0
    loaded = views.Loaded(
        path=path,
        report=report,
        concepts=usable(report),
        config=setup.config,
        is_set=in_config,
        beside=config.terminology.kind == "skosmos",
        written=not dry_run and not refused,
    )
    if not dry_run and not refused:
        write_whole(path, document(loaded.concepts, report))
        if in_config and setup.config:
            vocab_setting.write(path, setup.config)
    views.show(loaded, lang=lang or config.default_lang, examples=examples, as_json=as_json)
    if refused:
        raise GateFailedError(f"the vocabulary has {errors} error(s); nothing was loaded")


def usable(report: Report) -> tuple[Concept, ...]:
    """The concepts that have a label: no term finds another.

    Raises:
        DocumentError: there is none.
    """
    from elysia_guard.domain.errors import DocumentError

    found = tuple(
        concept
        for concept in report.concepts
        if concept.preferred or concept.alternative or concept.hidden
    )
    if not found:
        names = ", ".join(file.name for file in report.files)
        raise DocumentError(f"{names}: no concept has a label, so no term would find any")
    return found


def document(concepts: Sequence[Concept], report: Report) -> bytes:
    """The file: a head that says what it was made from, and all concepts."""
    from elysia_guard.adapters.skos_turtle import commented, turtle

    names = ", ".join(file.name for file in report.files)
    head = [MARK, f"from: {names}", f"concepts: {len(concepts)}"]
    return commented(head) + turtle(concepts, report.schemes)
