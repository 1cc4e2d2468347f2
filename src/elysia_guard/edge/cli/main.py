"""The program ``elysia-guard``: commands that are loaded when they are called."""

from __future__ import annotations

import difflib
import sys
import traceback
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn

import click

from elysia_guard import __version__
from elysia_guard.domain.errors import GuardError, QuestionError
from elysia_guard.edge.cli.options import CouldNotRunError, debugging
from elysia_guard.edge.cli.screen import one_line
from elysia_guard.running import into_pipe

COMMANDS = {
    "ask": "ask",
    "chat": "serving",
    "conversations": "conversations",
    "demo": "demo",
    "doctor": "doctor",
    "eval": "eval",
    "explain": "log",
    "feedback": "log",
    "ingest": "ingest",
    "init": "init",
    "log": "log",
    "mcp": "serving",
    "metrics": "serving",
    "tune": "tune",
    "vocab": "vocab",
}
"""Each command, and the module here that holds it, which is cheap to import."""

DONE, WRONG_USE, COULD_NOT_RUN, STOPPED = 0, 2, 3, 130


class LazyGroup(click.Group):
    """Commands that are imported when they are named, and errors that take one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*COMMANDS, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"elysia_guard.edge.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name.startswith("-") or self.get_command(ctx, name):
            return super().resolve_command(ctx, args)
        known = self.list_commands(ctx)
        near = difflib.get_close_matches(name, known, n=1)
        way = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(known)}"
        raise click.UsageError(f"There is no command '{name}'; {way}", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return into_pipe(lambda: super(LazyGroup, self).invoke(ctx), unread=DONE)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt as err:
            raise click.Abort from err
        except QuestionError as err:
            raise _seen(click.UsageError(str(err))) from err
        except GuardError as err:
            raise _seen(CouldNotRunError(str(err))) from err
        except OSError as err:
            raise _seen(CouldNotRunError(_of_the_system(err))) from err
        except Exception as err:
            # Left alone, a fault would end with 1, which says that a gate failed.
            hint = "" if debugging() else " (--debug shows where)"
            problem = CouldNotRunError(f"unexpected {type(err).__name__}: {err}{hint}")
            raise _seen(problem) from err

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run, and leave with 0 (done), 1 (gate failed), 2 (wrong use) or 3 (could not run)."""
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
        except click.UsageError as err:
            code = _complain(_with_help(err), WRONG_USE)
        except click.ClickException as err:
            code = _complain(err.format_message(), err.exit_code)
        except click.Abort:
            code = _complain("stopped", STOPPED)
        sys.exit(code if isinstance(code, int) else DONE)


def _seen(problem: click.ClickException) -> click.ClickException:
    """Show where an error came from, if ``--debug`` asks for it."""
    if debugging():
        traceback.print_exc()
    return problem


def _of_the_system(err: OSError) -> str:
    where = f"{err.filename}: " if err.filename else ""
    return f"{where}{err.strerror or err}"


def _with_help(err: click.UsageError) -> str:
    message = err.format_message()
    return f"{message} (see {err.ctx.command_path} --help)" if err.ctx else message


def _complain(message: str, code: int) -> int:
    click.echo(f"elysia-guard: {one_line(message)}", err=True)
    return code


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="elysia-guard")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Ask a knowledge base that says only what its sources say.

    Terms come from a governed vocabulary, documents pass gates, every sentence is quoted from a
    source; what cannot be supported is refused, with the reason and a way on. No key, no server.

    \b
    Start here:
      elysia-guard demo                     a dozen questions, and what becomes of them
      elysia-guard init                     settings and a sample, for documents of your own
      elysia-guard ask "What is CIMXML?"    one question
      elysia-guard chat                     the web chat
      elysia-guard doctor                   what is configured, and what is missing

    \b
    Data goes to standard output, progress to standard error. Exit codes:
      0 done   1 a gate failed   2 wrong use   3 could not run
    """  # noqa: D301  click reads the \b
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(WRONG_USE)


def main() -> None:
    """Run the program; what the terminal cannot show is escaped instead of ending the run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    cli.main(prog_name="elysia-guard")


if __name__ == "__main__":
    main()
