"""``elysia-guard ask``: one question, a conversation, or a file of questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.mode import ASKABLE, Mode
from elysia_guard.edge.cli.options import Setup, with_profile, with_setup
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.edge.cli.asking import Ask


@click.command("ask", short_help="Ask a question, or a file of questions.")
@click.argument("words", nargs=-1, metavar="[QUESTION]")
@click.option(
    "--route",
    type=click.Choice(["auto", "direct", "tree"]),
    default="auto",
    show_default=True,
    help="direct: the stages alone. tree: the same stages as tools of an Elysia tree. "
    "auto: direct.",
)
@click.option(
    "--kind",
    metavar="KIND",
    help="Ask the documents of one kind alone: decision, principle, policy, document, or a kind "
    "of your own.",
)
@click.option(
    "--mode",
    type=click.Choice([str(mode) for mode in ASKABLE]),
    help="instant: quotes. auto: a model writes, where one is configured, and what is proved is "
    "shown. thinking: it takes the question apart first.  [default: as configured]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole response as JSON.")
@click.option("--trace", is_flag=True, help="Show each stage, and what each gate measured.")
@click.option(
    "--batch",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Ask every question of a JSONL file; - is standard input.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Where the answers to --batch go; what is there already is not asked again. "
    "[default: standard output]",
)
@with_setup
@with_profile
def command(  # noqa: PLR0913  one parameter an option
    setup: Setup,
    *,
    words: tuple[str, ...],
    route: str,
    kind: str | None,
    mode: str | None,
    as_json: bool,
    trace: bool,
    batch: str | None,
    output: str | None,
) -> None:
    """Ask a QUESTION, in any language that has a pack, or a whole file of them.

    Without a question it is a conversation: each line is answered, and may follow up the one
    before. A QUESTION of "-" is read from standard input.

    The answer is quoted from the sources, with [source:N] behind each quote; a question that
    cannot be supported is refused, with the reason. Where the sources only come near, the answer is
    hedged: it says so first. Each of these is a reply, so the exit code is 0; a program reads
    "outcome" in the JSON.

    \b
    Examples:
      elysia-guard ask
      elysia-guard ask "What is CIMXML?"
      elysia-guard ask "Who approved ADR-0012?" --trace
      elysia-guard ask "Wat is blindvermogen?" --json
      elysia-guard ask "How do we store measurements?" --kind decision
      elysia-guard ask "Why open standards?" --route tree

    A file of questions holds one JSON object a line, with "id" and "query"; other keys come back
    under "input". A run that was cut off goes on where it stopped, with the same command.

    \b
      {"id": "q1", "query": "What is CIMXML?"}
      elysia-guard ask --batch questions.jsonl --output answers.jsonl
    """  # noqa: D301  click reads the \b
    if words == ("-",):
        words = (sys.stdin.read().strip(),)
    talks = not words and not batch and sys.stdin.isatty()
    _check(words, batch=batch, output=output, talks=talks)
    if talks and (as_json or trace):
        raise click.UsageError("--json and --trace go with a QUESTION; a conversation has /trace.")
    only, how = _kind(kind, setup) if kind else None, Mode(mode) if mode else None
    if batch:
        from elysia_guard.edge.cli.batch import run

        run(setup, questions=batch, answers=output or "-", route=route, kind=only, mode=how)
    elif talks:
        from elysia_guard.edge.cli.talking import talk

        talk(setup.ready(), route=route, kind=only, mode=how)
    else:
        from elysia_guard.edge.cli.asking import asker

        ask = asker(setup.ready(), route=route, kind=only, mode=how)
        _ask(ask, " ".join(words), as_json=as_json, trace=trace)


def _kind(name: str, setup: Setup) -> DocumentKind:
    kinds = setup.kinds()
    if name not in kinds.every:
        known = ", ".join(f"'{kind}'" for kind in kinds.every)
        raise click.BadParameter(f"'{name}' is not one of {known}.", param_hint="'--kind'")
    return kinds.named(name)


def _check(words: tuple[str, ...], *, batch: str | None, output: str | None, talks: bool) -> None:
    if bool(words) == bool(batch) and not talks:
        raise click.UsageError(
            'Give a QUESTION ("-" reads it from standard input), or a file of questions with '
            "--batch; without either it is a conversation, which needs a terminal."
        )
    if output and not batch:
        raise click.UsageError("--output goes with --batch; for one question use --json.")
    if batch and output and batch != "-" and Path(batch).resolve() == Path(output).resolve():
        raise click.UsageError("--batch and --output are the same file.")


def _ask(ask: Ask, question: str, *, as_json: bool, trace: bool) -> None:
    from elysia_guard.edge.cli import replies, screen

    response = run_anywhere(ask(question))
    if as_json:
        click.echo(screen.json_text(response.to_dict(), indent=2))
    else:
        replies.show(screen.Screen(), response, trace=trace)
