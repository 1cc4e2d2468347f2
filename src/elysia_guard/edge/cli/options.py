"""What commands have in common: options, what they were given, and how they end."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from elysia_guard.domain.own_kinds import OwnKinds, under
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.edge.cli.progress import Progress

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_DEBUG = "elysia_guard.debug"
_AGO = re.compile(r"(\d{1,6})([hd])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1)}

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
SKOS = click.Path(exists=True, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)


class GateFailedError(click.ClickException):
    """What was looked at is not as good as was asked for, or not all of it could be taken."""

    exit_code = 1


class CouldNotRunError(click.ClickException):
    """Something that the command needs cannot be had."""

    exit_code = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    """What was named on the command line; what is not named, the configuration says."""

    config: Path | None = None
    index: Path | None = None
    vocabulary: Path | None = None
    profile: ProfileName | None = None

    def wiring(self) -> Wiring:
        """Read the configuration; nothing is opened yet."""
        from elysia_guard.wiring import Wiring

        wiring = Wiring.load(
            self.config, index=self.index, vocabulary=self.vocabulary, profile=self.profile
        )
        if ctx := click.get_current_context(silent=True):
            # A program is of one house: what is read outside of questions is read under it too.
            ctx.with_resource(under(wiring.config.kinds))
        return wiring

    def kinds(self) -> OwnKinds:
        """Read which kinds of documents there are; nothing else is."""
        from elysia_guard.wiring import kinds_of

        return kinds_of(self.config)

    def ready(self, wiring: Wiring | None = None) -> Wiring:
        """Read the configuration, unless it is given, and build the index if there is none yet."""
        wiring = wiring or self.wiring()
        if wiring.index_missing:
            title = f"Building the index {wiring.config.index.path}"
            with Progress(title) as bar:
                wiring.ensure_index(
                    progress=lambda step: bar.show(step.done, step.total, step.path)
                )
        if notice := wiring.left_out.notice:
            click.echo(notice, err=True)
        tell_of_vocabulary(wiring)
        return wiring


def tell_of_vocabulary(wiring: Wiring) -> None:
    """Say which files of the vocabulary define nothing; a command goes on without them."""
    for notice in wiring.vocabulary_notices:
        click.echo(f"elysia-guard: {notice}", err=True)


def hand_down(setup: Setup) -> None:
    """Let the commands of a group have the options that stood before their name."""
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)
    named = {"config": setup.config, "index": setup.index, "vocabulary": setup.vocabulary}
    given: dict[str, object] = {name: path for name, path in named.items() if path}
    if debugging():
        given["debug"] = True
    if isinstance(ctx.command, click.Group):
        ctx.default_map = dict.fromkeys(ctx.command.commands, given)


def with_setup(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the common options, as its first argument."""

    @click.option("--config", type=FILE, metavar="FILE", help="A guard.yaml of your own.")
    @click.option("--index", type=NEW_FILE, metavar="FILE", help="Another index file.")
    @click.option(
        "--vocabulary", type=SKOS, metavar="FILE", help="Another SKOS vocabulary (file or folder)."
    )
    @click.option(
        "--debug",
        is_flag=True,
        expose_value=False,
        callback=_remember,
        help="Show where an error came from.",
    )
    @functools.wraps(function)
    def command(
        config: Path | None, index: Path | None, vocabulary: Path | None, **options: Any
    ) -> None:
        function(Setup(config=config, index=index, vocabulary=vocabulary), **options)

    return command


def with_profile(function: Callable[..., None]) -> Callable[..., None]:
    """Let a command that answers, and has the common options, choose the policy profile."""

    @click.option(
        "--profile",
        type=click.Choice([str(name) for name in ProfileName]),
        help="The gates and limits of one design document.  [default: as configured]",
    )
    @functools.wraps(function)
    def command(setup: Setup, *, profile: str | None, **options: Any) -> None:
        chosen = ProfileName(profile) if profile else None
        function(replace(setup, profile=chosen), **options)

    return command


def with_json(told: str = "Print JSON.") -> Callable[[Decorated], Decorated]:
    """Let a command print for programs, as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help=told)


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


def debugging() -> bool:
    """Whether ``--debug`` was given."""
    ctx = click.get_current_context(silent=True)
    return bool(ctx and ctx.meta.get(_DEBUG))


def _remember(ctx: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001
    ctx.meta[_DEBUG] = value
