"""What the commands over the decision log have in common: which entries, and moments in time."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from elysia_guard.domain.refusal import Outcome, RefusalReason

if TYPE_CHECKING:
    from elysia_guard.adapters.decision_log import DecisionLog
    from elysia_guard.edge.cli.options import Setup

JUDGEMENTS = ("should-have-been-answered", "wrong", "right")

_AGO = re.compile(r"(\d{1,6})([hd])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1)}


def moment(text: str) -> datetime:
    """Read a moment, in UTC unless it says otherwise: '2026-11-01T12:00', or '7d' ago."""
    try:
        if ago := _AGO.fullmatch(text):
            return datetime.now(UTC) - int(ago[1]) * _UNITS[ago[2]]
        found = datetime.fromisoformat(text)
    except (ValueError, OverflowError) as err:
        raise click.BadParameter(
            f"'{text}' is no moment; write 2026-11-01, 2026-11-01T12:00, 36h or 7d"
        ) from err
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


since_option = click.option(
    "--since", type=moment, metavar="WHEN", help="From then on: a day, or how long ago (7d, 36h)."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def choosing(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that choose entries; it gets them as a ``choice``."""

    @since_option
    @click.option("--before", type=moment, metavar="WHEN", help="Up to then.")
    @click.option("--refused", is_flag=True, help="Refusals only.")
    @click.option(
        "--reason", type=click.Choice([item.value for item in RefusalReason]), metavar="REASON"
    )
    @click.option("--judged", type=click.Choice(JUDGEMENTS), help="Only what was judged so.")
    @click.option("--conversation", metavar="ID", help="Only of this conversation.")
    @functools.wraps(function)
    def command(
        *args: Any,
        refused: bool,
        reason: str | None,
        judged: str | None,
        conversation: str | None,
        since: datetime | None,
        before: datetime | None,
        **options: Any,
    ) -> None:
        from elysia_guard.adapters.decision_log import Judgement, Selection

        choice = Selection(
            since=since,
            before=before,
            conversation_id=conversation,
            outcome=Outcome.REFUSE if refused else None,
            reason=RefusalReason(reason) if reason else None,
            judged=Judgement(judged) if judged else None,
        )
        function(*args, choice=choice, **options)

    return command


def open_log(setup: Setup) -> DecisionLog:
    """Return the configured log.

    Raises:
        ConfigError: none is kept.
    """
    from elysia_guard.wiring import decisions

    return decisions.log_of(setup.wiring().config)
