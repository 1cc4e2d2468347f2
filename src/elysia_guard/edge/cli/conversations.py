"""``elysia-guard conversations``: those of the chat that are kept, and their end."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from elysia_guard.edge.cli.options import (
    CouldNotRunError,
    Setup,
    hand_down,
    moment,
    with_json,
    with_setup,
)
from elysia_guard.edge.cli.screen import Screen, one_line, print_json

if TYPE_CHECKING:
    from elysia_guard.adapters.conversations import Keeper


@click.group(
    "conversations",
    short_help="List and delete the conversations of the chat.",
    invoke_without_command=True,
)
@with_setup
def conversations_command(setup: Setup) -> None:
    """Look at the conversations that the chat keeps, and delete old ones.

    They are kept on this machine, or in the database that conversations.url of guard.yaml names,
    for as long as it says (conversations.keep_days); with 'conversations: {enabled: false}' there
    they are not.

    \b
    Examples:
      elysia-guard conversations list
      elysia-guard conversations purge --dry-run
      elysia-guard conversations purge --before 2026-10-01
    """  # noqa: D301  click reads the \b
    hand_down(setup)


@conversations_command.command("list", short_help="List conversations, the last changed first.")
@click.option("--user", metavar="ID", help="Only this user's.")
@with_json()
@with_setup
def list_command(setup: Setup, *, user: str | None, as_json: bool) -> None:
    """List conversations: when they last changed, whose they are, how long, and their titles."""
    keeper = _keeper(setup)
    found = asyncio.run(keeper.store.listed(user))
    keeper.close()
    if as_json:
        records = [
            {
                "user_id": item.key.user_id,
                "conversation_id": item.key.conversation_id,
                "title": item.title,
                "turns": item.turns,
                "changed_at": item.changed_at.isoformat(),
            }
            for item in found
        ]
        print_json({"place": keeper.place, "conversations": records})
        return
    rows = [
        (
            f"{item.changed_at:%Y-%m-%d %H:%M}",
            item.key.user_id,
            str(item.turns),
            one_line(item.title),
        )
        for item in found
    ]
    if rows:
        Screen().table(rows, styles=("dim", "", "cyan", "bold"))
    click.echo(f"{keeper.place}: {len(found)} conversation(s)", err=True)


@conversations_command.command(
    "purge", short_help="Delete conversations that have been kept long enough."
)
@click.option(
    "--before",
    type=moment,
    metavar="WHEN",
    help="Those without a question since.  [default: conversations.keep_days ago]",
)
@click.option("--dry-run", is_flag=True, help="Only say how many that is.")
@with_setup
def purge_command(setup: Setup, *, before: datetime | None, dry_run: bool) -> None:
    """Delete conversations with titles and thumbs; an SQLite file keeps no trace of them."""
    keeper = _keeper(setup)
    if before is None:
        if keeper.keep_for is None:
            raise click.UsageError(
                "conversations.keep_days is null; say until when, with --before."
            )
        before = datetime.now(UTC) - keeper.keep_for
    count = asyncio.run(keeper.store.purge(before, dry_run=dry_run))
    keeper.close()
    done = "would be deleted" if dry_run else "deleted"
    click.echo(
        f"{keeper.place}: {count} conversation(s) from before {before:%Y-%m-%d %H:%M} {done}"
    )


def _keeper(setup: Setup) -> Keeper:
    keeper = setup.wiring().conversations
    if keeper is None:
        raise CouldNotRunError("no conversations are kept: conversations.enabled is false")
    return keeper
