"""What the commands of ``elysia-guard vocab`` have in common."""

from __future__ import annotations

from pathlib import Path

import click


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
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class GateFailedError(click.ClickException):
    """The vocabulary is not as good as was asked for."""

    exit_code = 1


def check_output(path: Path, mark: str, *, force: bool) -> None:
    """Refuse to write what no vocabulary is read from, or over a file of somebody else's."""
    from elysia_guard.adapters.skos_turtle import begins_with

    if path.suffix.lower() != ".ttl":
        raise click.UsageError(f"--output {path}: Turtle is written; name a file that ends in .ttl")
    if path.exists() and not force and not begins_with(path, mark):
        raise click.UsageError(
            f"{path} is there, and this command did not write it; name another --output, "
            "or write over it with --force"
        )
