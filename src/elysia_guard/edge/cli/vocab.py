"""``elysia-guard vocab``: what the vocabulary holds, what it finds, and what is wrong in it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.domain.errors import ConfigError
from elysia_guard.edge.cli.options import SKOS, Setup, debugging, with_setup
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.edge.cli.terminal import is_terminal
from elysia_guard.edge.cli.vocab_harvest import harvest
from elysia_guard.edge.cli.vocab_load import load
from elysia_guard.edge.cli.vocab_options import GateFailedError, json_option, lang_option

if TYPE_CHECKING:
    from elysia_guard.domain.concept import Concept
    from elysia_guard.domain.question import Lang
    from elysia_guard.edge.cli.vocab_views import Search, Shown
    from elysia_guard.ports import TerminologySource
    from elysia_guard.wiring import Wiring

SCREENFUL = 50
NEAREST = 5


@click.group(
    "vocab",
    short_help="Load, harvest, look into and check the vocabulary.",
    invoke_without_command=True,
)
@with_setup
def command(setup: Setup) -> None:
    """Look into the vocabulary that answers come from, find what is wrong in it, make another.

    The configured one, or any SKOS file or folder (Turtle, RDF/XML, JSON-LD, N-Triples) with
    --vocabulary; the options below may stand before or behind the name of the command.

    \b
    Examples:
      elysia-guard vocab load my/terms.ttl            make files the vocabulary
      elysia-guard vocab harvest --url https://...    copy it from a Skosmos server
      elysia-guard vocab list                         its schemes and concepts
      elysia-guard vocab search transformers          what a term finds, and why
      elysia-guard vocab show "power transformer"     one concept, whole
      elysia-guard vocab check --strict my/terms.ttl  what is wrong; exit 1 on errors
    """  # noqa: D301  click reads the \b
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)
    named = {"config": setup.config, "index": setup.index, "vocabulary": setup.vocabulary}
    given: dict[str, object] = {name: path for name, path in named.items() if path}
    if debugging():
        given["debug"] = True
    ctx.default_map = dict.fromkeys(command.commands, given)


@command.command("list", short_help="List schemes and concepts.")
@click.option("--scheme", metavar="ID", help="Only the concepts of this scheme.")
@click.option(
    "--start", type=click.IntRange(1), default=1, show_default=True, help="The first to list."
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    help=f"How many to list.  [default: {SCREENFUL} on a terminal, else all]",
)
@lang_option
@json_option
@with_setup
def list_command(
    setup: Setup,
    *,
    scheme: str | None,
    start: int,
    limit: int | None,
    lang: Lang | None,
    as_json: bool,
) -> None:
    """List the schemes, with their labels counted per language, and the concepts in them.

    \b
    Examples:
      elysia-guard vocab list
      elysia-guard vocab list --scheme grid --lang nl --start 51
      elysia-guard vocab list --vocabulary my/terms.ttl --json | jq .schemes
    """  # noqa: D301  click reads the \b
    from elysia_guard.adapters.skos_rdf import read_concepts
    from elysia_guard.edge.cli import vocab_views as views

    config = setup.wiring().config
    lang = lang or config.default_lang
    every = read_concepts(config.terminology.files, max_bytes=config.terminology.max_bytes)
    concepts = _of_scheme(every, scheme)
    concepts.sort(key=lambda item: (item.vocabulary, item.label(lang).casefold(), item.uri))
    limit = limit or (SCREENFUL if is_terminal(sys.stdout) and not as_json else len(concepts))
    page = views.Page(
        concepts=concepts[start - 1 : start - 1 + limit], start=start, total=len(concepts)
    )
    views.show_list(views.schemes(concepts), page, lang=lang, as_json=as_json)


def _of_scheme(concepts: Sequence[Concept], scheme: str | None) -> list[Concept]:
    found = [concept for concept in concepts if scheme in (None, concept.vocabulary)]
    if not found:
        known = ", ".join(sorted({concept.vocabulary for concept in concepts}))
        raise click.UsageError(f"There is no scheme '{scheme}'; there are: {known}")
    return found


@command.command("search", short_help="Say what a term finds.")
@click.argument("words", nargs=-1, required=True, metavar="TERM")
@lang_option
@json_option
@with_setup
def search(setup: Setup, *, words: tuple[str, ...], lang: Lang | None, as_json: bool) -> None:
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
    found = asyncio.run(_search(_source(wiring), " ".join(words), lang))
    views.show_search(found, lang=lang, as_json=as_json)


def _source(wiring: Wiring) -> TerminologySource:
    if wiring.terminology is None:
        raise ConfigError("no vocabulary is configured; name one with --vocabulary")
    return wiring.terminology


async def _search(source: TerminologySource, term: str, lang: Lang) -> Search:
    from elysia_guard.edge.cli.vocab_views import Search

    matches = await source.lookup(term, lang=lang)
    nearest = [] if matches else await source.suggest(term, lang=lang, limit=NEAREST)
    return Search(term=term, matches=matches, nearest=nearest)


@command.command("show", short_help="Show a concept, whole.")
@click.argument("words", nargs=-1, required=True, metavar="TERM_OR_URI")
@lang_option
@json_option
@with_setup
def show(setup: Setup, *, words: tuple[str, ...], lang: Lang | None, as_json: bool) -> None:
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
    shown = asyncio.run(_shown(_source(wiring), " ".join(words), lang))
    views.show_concepts(shown, lang=lang, as_json=as_json)


async def _shown(source: TerminologySource, wanted: str, lang: Lang) -> Shown:
    from elysia_guard.adapters.skos_relations import relations
    from elysia_guard.edge.cli.vocab_views import Shown

    concepts = await source.concepts([wanted])
    if not concepts:
        search = await _search(source, wanted, lang)
        concepts = [match.concept for match in search.matches]
        if not concepts:
            near = ", ".join(concept.label(lang) for concept in search.nearest)
            way = f"nearest are: {near}" if near else "see: elysia-guard vocab list"
            raise click.UsageError(f"'{wanted}' is not in the vocabulary; {way}")
    uris = [uri for item in concepts for found in relations(item).values() for uri in found]
    neighbours = await source.concepts(list(dict.fromkeys(uris)))
    return Shown(concepts=concepts, neighbours={item.uri: item for item in neighbours})


@command.command("check", short_help="Say what is wrong in a vocabulary.")
@click.argument("files", nargs=-1, type=SKOS, metavar="[FILE]...")
@click.option("--strict", is_flag=True, help="Leave with 1 when there are errors.")
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="How many of each problem to show; JSON holds all.",
)
@lang_option
@json_option
@with_setup
def check(
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
    from elysia_guard.adapters.skos_check import check_files
    from elysia_guard.adapters.skos_findings import Severity
    from elysia_guard.edge.cli import vocab_report

    config = setup.wiring().config
    with Progress("Checking the vocabulary"):
        report = check_files(
            list(files) or config.terminology.files, max_bytes=config.terminology.max_bytes
        )
    vocab_report.show(report, lang=lang or config.default_lang, examples=examples, as_json=as_json)
    errors = vocab_report.count(report, Severity.ERROR)
    if strict and errors:
        raise GateFailedError(f"the vocabulary has {errors} error(s)")


command.add_command(load)
command.add_command(harvest)
