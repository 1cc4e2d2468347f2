"""``elysia-guard vocab``: what the vocabulary holds, what it finds, and what is wrong in it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.domain.errors import ConfigError, DocumentError
from elysia_guard.edge.cli.options import (
    NEW_FILE,
    SKOS,
    GateFailedError,
    Setup,
    hand_down,
    with_json,
    with_setup,
)
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.screen import Screen, is_terminal, print_json

if TYPE_CHECKING:
    from elysia_guard.adapters.skos.report import Report
    from elysia_guard.domain.concept import Concept, TermMatch
    from elysia_guard.domain.question import Lang
    from elysia_guard.ports import TerminologySource
    from elysia_guard.wiring import Wiring

SCREENFUL = 50
NEAREST = 5
MARK = "Written by elysia-guard vocab load; the next load writes over it."


def _known(_context: click.Context, _option: click.Parameter, lang: str | None) -> str | None:
    """Take a language that has a pack alone; the packs are read when one is named."""
    from elysia_guard.language.pack import langs

    if lang is not None and lang not in langs():
        raise click.BadParameter(f"'{lang}' is not one of {', '.join(langs())}")
    return lang


lang_option = click.option(
    "--lang",
    metavar="LANG",
    callback=_known,
    help="The language to ask and show in.  [default: the configured one]",
)
examples_option = click.option(
    "--examples",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="How many of each problem to show; JSON holds all.",
)


@click.group(
    "vocab",
    short_help="Load, look into and check the vocabulary.",
    invoke_without_command=True,
)
@with_setup
def vocab_command(setup: Setup) -> None:
    """Look into the vocabulary that answers come from, find what is wrong in it, make another.

    The configured one, or any SKOS file or folder (Turtle, RDF/XML, JSON-LD, N-Triples) with
    --vocabulary; the options below may stand before or behind the name of the command.

    \b
    Examples:
      elysia-guard vocab load my/terms.ttl            make files the vocabulary
      elysia-guard vocab list                         its schemes and concepts
      elysia-guard vocab search transformers          what a term finds, and why
      elysia-guard vocab show "power transformer"     one concept, whole
      elysia-guard vocab check --strict my/terms.ttl  what is wrong; exit 1 on errors
    """  # noqa: D301  click reads the \b
    hand_down(setup)


@vocab_command.command("list", short_help="List schemes and concepts.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    help=f"How many to list.  [default: {SCREENFUL} on a terminal, else all]",
)
@lang_option
@with_json()
@with_setup
def list_command(
    setup: Setup,
    *,
    limit: int | None,
    lang: Lang | None,
    as_json: bool,
) -> None:
    """List the schemes, with their labels counted per language, and the concepts in them.

    \b
    Examples:
      elysia-guard vocab list
      elysia-guard vocab list --lang nl --limit 500
      elysia-guard vocab list --vocabulary my/terms.ttl --json | jq .schemes
    """  # noqa: D301  click reads the \b
    from elysia_guard.adapters.skos.rdf import read_concepts
    from elysia_guard.edge.cli import vocab_views as views

    config = setup.wiring().config
    lang = lang or config.default_lang
    concepts = read_concepts(config.terminology.files, max_bytes=config.terminology.max_bytes)
    concepts.sort(key=lambda item: (item.vocabulary, item.label(lang).casefold(), item.uri))
    limit = limit or (SCREENFUL if is_terminal(sys.stdout) and not as_json else len(concepts))
    views.show_list(concepts, limit, lang=lang, as_json=as_json)


@vocab_command.command("search", short_help="Say what a term finds.")
@click.argument("words", nargs=-1, required=True, metavar="TERM")
@lang_option
@with_json()
@with_setup
def search_command(
    setup: Setup, *, words: tuple[str, ...], lang: Lang | None, as_json: bool
) -> None:
    """Say which concepts a TERM finds, as a question would, and through which label.

    A term is looked for as it is written, then in another spelling (hyphens, blanks, accents),
    then in another form (plural); preferred and alternative labels come before hidden ones. The
    first way that finds anything counts. If none does, the nearest concepts are named.

    \b
    Examples:
      elysia-guard vocab search transformers
      elysia-guard vocab search --lang nl vermogenstrafo
      elysia-guard vocab search CIM/XML --json
    """  # noqa: D301  click reads the \b
    from elysia_guard.edge.cli import vocab_views as views

    wiring = setup.wiring()
    lang = lang or wiring.config.default_lang
    term = " ".join(words)
    matches, nearest = asyncio.run(_found(_source(wiring), term, lang))
    views.show_search(term, matches, nearest, lang=lang, as_json=as_json)


def _source(wiring: Wiring) -> TerminologySource:
    if wiring.terminology is None:
        raise ConfigError("no vocabulary is configured; name one with --vocabulary")
    return wiring.terminology


async def _found(
    source: TerminologySource, term: str, lang: Lang
) -> tuple[Sequence[TermMatch], Sequence[Concept]]:
    """Return what a term finds; where that is nothing, what is nearest."""
    matches = await source.lookup(term, lang=lang)
    return matches, [] if matches else await source.suggest(term, lang=lang, limit=NEAREST)


@vocab_command.command("show", short_help="Show a concept, whole.")
@click.argument("words", nargs=-1, required=True, metavar="TERM_OR_URI")
@lang_option
@with_json()
@with_setup
def show_command(setup: Setup, *, words: tuple[str, ...], lang: Lang | None, as_json: bool) -> None:
    """Show a concept: its labels and definitions in every language, word for word, and relations.

    A TERM that names several concepts shows each of them; a URI shows one.

    \b
    Examples:
      elysia-guard vocab show "power transformer"
      elysia-guard vocab show https://vocab.vennet.example/grid/asset
      elysia-guard vocab show aansluiting --lang nl --json
    """  # noqa: D301  click reads the \b
    from elysia_guard.edge.cli import vocab_views as views

    wiring = setup.wiring()
    lang = lang or wiring.config.default_lang
    concepts, neighbours = asyncio.run(_shown(_source(wiring), " ".join(words), lang))
    views.show_concepts(concepts, neighbours, lang=lang, as_json=as_json)


async def _shown(
    source: TerminologySource, wanted: str, lang: Lang
) -> tuple[Sequence[Concept], Mapping[str, Concept]]:
    """Return the concepts that a term or URI names, and those that they point to, by URI."""
    from elysia_guard.adapters.skos.check import relations

    concepts = await source.concepts([wanted])
    if not concepts:
        matches, nearest = await _found(source, wanted, lang)
        concepts = [match.concept for match in matches]
        if not concepts:
            near = ", ".join(concept.label(lang) for concept in nearest)
            way = f"nearest are: {near}" if near else "see: elysia-guard vocab list"
            raise click.UsageError(f"'{wanted}' is not in the vocabulary; {way}")
    uris = [uri for item in concepts for found in relations(item).values() for uri in found]
    neighbours = await source.concepts(list(dict.fromkeys(uris)))
    return concepts, {item.uri: item for item in neighbours}


@vocab_command.command("check", short_help="Say what is wrong in a vocabulary.")
@click.argument("files", nargs=-1, type=SKOS, metavar="[FILE]...")
@click.option("--strict", is_flag=True, help="Leave with 1 when there are errors.")
@examples_option
@lang_option
@with_json()
@with_setup
def check_command(
    setup: Setup,
    *,
    files: tuple[Path, ...],
    strict: bool,
    examples: int,
    lang: Lang | None,
    as_json: bool,
) -> None:
    """Say what is wrong in SKOS FILEs, read together as one vocabulary; else the configured one.

    An error breaks SKOS or RDF itself (broken language tags, no or two prefLabels, cycles), a
    warning costs somebody an answer (no definition, homonyms, relations that lead nowhere), a
    note is good to know. What can be read is checked, whatever else is broken.

    \b
    Examples:
      elysia-guard vocab check
      elysia-guard vocab check my/terms.ttl my/more.rdf --strict
      elysia-guard vocab check --json | jq '.problems[] | {id, count}'

    \b
    Exit codes:
      0 done   1 errors found, with --strict   3 no file can be read
    """  # noqa: D301  click reads the \b
    from elysia_guard.adapters.skos.check import check_files
    from elysia_guard.adapters.skos.report import Severity
    from elysia_guard.edge.cli import vocab_report

    config = setup.wiring().config
    with Progress("Checking the vocabulary"):
        report = check_files(
            list(files) or config.terminology.files, max_bytes=config.terminology.max_bytes
        )
    if as_json:
        print_json(vocab_report.to_dict(report))
    else:
        vocab_report.show(report, lang=lang or config.default_lang, examples=examples)
    errors = vocab_report.count(report, Severity.ERROR)
    if strict and errors:
        raise GateFailedError(f"the vocabulary has {errors} error(s)")


@vocab_command.command("load", short_help="Make SKOS files the vocabulary.")
@click.argument("files", nargs=-1, required=True, type=SKOS, metavar="FILE...")
@click.option(
    "--output", type=NEW_FILE, metavar="FILE.ttl", help="[default: vocabulary.ttl beside the index]"
)
@click.option("--strict", is_flag=True, help="Load nothing, and leave with 1, if there are errors.")
@examples_option
@click.option("--force", is_flag=True, help="Write over any file.")
@click.option("--dry-run", is_flag=True, help="Say what would be loaded; write nothing.")
@lang_option
@with_json()
@with_setup
def load_command(  # noqa: PLR0913 - one for each option
    setup: Setup,
    *,
    files: tuple[Path, ...],
    output: Path | None,
    strict: bool,
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

    \b
    Exit codes:
      0 loaded   1 errors found, with --strict; nothing is loaded   3 no file can be read
    """  # noqa: D301  click reads the \b
    from elysia_guard.adapters.skos.check import check_files
    from elysia_guard.adapters.skos.rdf import files_of
    from elysia_guard.adapters.skos.report import Severity
    from elysia_guard.adapters.skos.turtle import commented, turtle, write_whole
    from elysia_guard.edge.cli import vocab_report

    config = setup.wiring().config
    path = output or config.index.path.parent / "vocabulary.ttl"
    _check_output(path, force=force)
    # A copy of last time among them would keep what is gone from its sources.
    sources = [file for file in files_of(files) if file.resolve() != path.resolve()]
    with Progress("Checking the vocabulary"):
        report = check_files(sources, max_bytes=config.terminology.max_bytes)
    errors = vocab_report.count(report, Severity.ERROR)
    refused = strict and errors > 0
    concepts = _usable(report)
    written = not dry_run and not refused
    if written:
        names = ", ".join(file.name for file in report.files)
        head = [MARK, f"from: {names}", f"concepts: {len(concepts)}"]
        write_whole(path, commented(head) + turtle(concepts, report.schemes))
    if as_json:
        vocab_report.print_loaded(report, path, len(concepts), written=written)
    else:
        vocab_report.show(report, lang=lang or config.default_lang, examples=examples)
        vocab_report.show_loaded(report, path, len(concepts), written=written)
        if written:
            vocab_report.show_use(path, setup.config)
        if written and config.terminology.kind == "skosmos":
            note = "The configuration asks a Skosmos: these are the labels beside it"
            Screen().line(note, "yellow")
    if refused:
        raise GateFailedError(f"the vocabulary has {errors} error(s); nothing was loaded")


def _usable(report: Report) -> tuple[Concept, ...]:
    """The concepts that have a label: no term finds another.

    Raises:
        DocumentError: there is none.
    """
    found = tuple(
        concept
        for concept in report.concepts
        if concept.preferred or concept.alternative or concept.hidden
    )
    if not found:
        names = ", ".join(file.name for file in report.files)
        raise DocumentError(f"{names}: no concept has a label, so no term would find any")
    return found


def _check_output(path: Path, *, force: bool) -> None:
    """Refuse to write what no vocabulary is read from, or over a file of somebody else's."""
    from elysia_guard.adapters.skos.turtle import begins_with

    if path.suffix.lower() != ".ttl":
        raise click.UsageError(f"--output {path}: Turtle is written; name a file that ends in .ttl")
    if path.exists() and not force and not begins_with(path, MARK):
        raise click.UsageError(
            f"{path} is there, and this command did not write it; name another --output, "
            "or write over it with --force"
        )
