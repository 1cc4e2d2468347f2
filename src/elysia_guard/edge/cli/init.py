"""``elysia-guard init``: a folder to begin in."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.domain.document import DocumentKind

if TYPE_CHECKING:
    from elysia_guard.adapters.documents.survey import Survey

FOLDER = click.Path(file_okay=False, path_type=Path)
SAMPLE_QUESTION = "How long are meter readings kept?"
OWN_KINDS = ("decision", "principle", "policy")
DOCUMENTS = click.Path(exists=True, path_type=Path)


def _prefixes(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> Mapping[str, DocumentKind]:
    found = {}
    for text in given:
        letters, _, kind = text.partition("=")
        if not letters.isalpha() or kind not in OWN_KINDS:
            raise click.BadParameter(
                f"'{text}' must be letters, '=' and one of {', '.join(OWN_KINDS)}"
            )
        found[letters.lower()] = DocumentKind(kind)
    return found


def _kinds(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> Mapping[str, DocumentKind]:
    found = {}
    for text in given:
        name, _, like = text.partition("=")
        like = like or OWN_KINDS[0]
        if not (name.isascii() and name.isalpha()) or like not in OWN_KINDS:
            raise click.BadParameter(
                f"'{text}' must be one word of letters, alone or with '=' and one of "
                f"{', '.join(OWN_KINDS)}"
            )
        found[name.lower()] = DocumentKind(like)
    return found


@click.command("init", short_help="Write settings and a small sample, and say what next.")
@click.argument("folder", type=FOLDER, default=".")
@click.option(
    "--documents",
    type=DOCUMENTS,
    multiple=True,
    metavar="PATH",
    help="Documents of your own in place of the sample's; may be given again.",
)
@click.option(
    "--vocabulary",
    type=DOCUMENTS,
    metavar="PATH",
    help="A SKOS vocabulary of your own (file or folder). Documents without one, or one without "
    "documents: none.",
)
@click.option(
    "--prefix",
    "prefixes",
    callback=_prefixes,
    multiple=True,
    metavar="LETTERS=KIND",
    help="What your house calls its decisions, principles or policies, before a number and in the "
    "names of folders: rfc=decision. May be given again.",
)
@click.option(
    "--kind",
    "kinds",
    callback=_kinds,
    multiple=True,
    metavar="NAME[=KIND]",
    help="A kind of documents of your own, with numbers of its own, and which of decision, "
    "principle and policy it is like: rfc, runbook=policy.  [default: =decision]  May be given "
    "again.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
def init_command(
    folder: Path,
    *,
    documents: tuple[Path, ...],
    vocabulary: Path | None,
    prefixes: Mapping[str, DocumentKind],
    kinds: Mapping[str, DocumentKind],
    dry_run: bool,
) -> None:
    """Write a commented configuration into FOLDER, with a small sample, and say what next.

    With --documents or --vocabulary the sample stays away, and what is yours is read where it is.
    What is there already is never written over.

    \b
    Examples:
      elysia-guard init
      elysia-guard init --documents docs/adr
      elysia-guard init --documents rfcs --prefix rfc=decision
      elysia-guard init --documents docs --kind rfc --kind runbook=policy
      elysia-guard init --vocabulary ~/terms.ttl
      elysia-guard init handbook --documents ~/decisions --vocabulary ~/terms.ttl
    """  # noqa: D301  click reads the \b
    from elysia_guard.config.files import SETTINGS
    from elysia_guard.edge.beginning import KindNames, begin

    looked_at = _looked_at(documents) if documents else None
    written = begin(
        folder,
        documents=documents,
        vocabulary=vocabulary,
        called=KindNames(
            prefixes=prefixes, kinds=kinds, proposed=looked_at.proposed if looked_at else ()
        ),
        dry_run=dry_run,
    )
    for path in written:
        click.echo(f"{'would write' if dry_run else 'wrote'}  {path}")
    own = documents or vocabulary
    asked = f'ask "{SAMPLE_QUESTION}"' if not own else "ask"
    read = {"ingest": "read the documents, and tell what is left out"}
    steps = (read if documents or not vocabulary else {"vocab check": "what is wrong with it"}) | {
        asked: "a question" if not own else "a conversation in the terminal",
        "chat": "the web chat",
        "doctor": "what is configured, and what is missing",
    }
    click.echo("\nNext:")
    if folder != Path():
        click.echo(f"  cd {shlex.quote(str(folder))}")
    for step, meaning in steps.items():
        click.echo(f"  elysia-guard {step:<{max(map(len, steps))}}   {meaning}")
    click.echo(f"\n{SETTINGS} says what is read, and how; its comments say what else there is.")


def _looked_at(documents: tuple[Path, ...]) -> Survey:
    """Look at the documents, and say what they are."""
    from elysia_guard.adapters.documents.survey import survey
    from elysia_guard.edge.cli.progress import Progress

    with Progress("Looking at the documents") as bar:
        found = survey(documents, tell=bar.show)
    left = f"; left out: {_counted(found.left_out)}" if found.left_out else ""
    shared = f"; {found.shared} share theirs with another" if found.shared else ""
    told = {
        "documents": f"{found.documents}{left}",
        "kinds": _counted(found.kinds),
        "numbers": f"{found.numbered} have one{shared}",
        "fields": f"{found.stated} say their status, {found.dated} their date",
        "languages": _counted(found.langs),
    }
    for each in found.proposed:
        where = ", ".join(each.folders)
        told["proposed"] = f"{each.documents} in {where} are called {each.name}"
    for name, text in told.items():
        click.echo(f"  {name:<{max(map(len, told))}}  {text}")
    return found


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items())
