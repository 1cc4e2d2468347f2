"""``elysia-guard ask``: one question, or a conversation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import PassageIndexError
from elysia_guard.domain.mode import ASKABLE, Mode
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.edge.cli.options import Setup, with_profile, with_setup
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring


@click.command("ask", short_help="Ask a question.")
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
    help="instant: code chooses the quotes. auto: a model does, where one is configured. "
    "thinking: it takes the question apart first.  [default: as configured]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole response as JSON.")
@click.option("--trace", is_flag=True, help="Show each stage, and what each gate measured.")
@with_setup
@with_profile
def ask_command(  # noqa: PLR0913  one parameter an option
    setup: Setup,
    *,
    words: tuple[str, ...],
    route: str,
    kind: str | None,
    mode: str | None,
    as_json: bool,
    trace: bool,
) -> None:
    """Ask a QUESTION, in any language that has a pack.

    Without a question it is a conversation: each line is answered, and may follow up the one
    before. A QUESTION of "-" is read from standard input.

    The answer is quoted from the sources, with [source:N] behind the quotes; a question that
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
    """  # noqa: D301  click reads the \b
    if words == ("-",):
        words = (sys.stdin.read().strip(),)
    talks = not words and sys.stdin.isatty()
    if not words and not talks:
        raise click.UsageError(
            'Give a QUESTION ("-" reads it from standard input); without one it is a conversation, '
            "which needs a terminal."
        )
    if talks and (as_json or trace):
        raise click.UsageError("--json and --trace go with a QUESTION; a conversation has /trace.")
    only, how = _kind(kind, setup) if kind else None, Mode(mode) if mode else None
    from elysia_guard.edge.cli import asking, replies
    from elysia_guard.edge.cli.screen import Screen, print_json

    wiring = setup.ready()
    begin = asking.beginner(wiring, route=route, kind=only, mode=how)
    if talks:
        asking.talk(begin)
        return
    reply = run_anywhere(begin(None)(" ".join(words)))
    if as_json:
        print_json(reply.to_dict())
    else:
        replies.show(Screen(), reply, trace=trace)
    if reply.refusal_reason is RefusalReason.INDEX_ERROR and wiring.config.index.kind == "sqlite":
        _tell_damage(wiring)


def _kind(name: str, setup: Setup) -> DocumentKind:
    kinds = setup.kinds()
    if name not in kinds.every:
        known = ", ".join(f"'{kind}'" for kind in kinds.every)
        raise click.BadParameter(f"'{name}' is not one of {known}.", param_hint="'--kind'")
    return kinds.named(name)


def _tell_damage(wiring: Wiring) -> None:
    """End with 3 where the index is damaged: it will be no better later.

    Raises:
        PassageIndexError: it is; the message says where, and what to do.
    """
    for finding in run_anywhere(wiring.index_damage()).findings:
        place = wiring.index_place
        raise PassageIndexError(f"{place}: {finding}; build it again with 'elysia-guard ingest'")
