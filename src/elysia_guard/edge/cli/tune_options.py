"""How ``elysia-guard tune`` is told what to do: what to tune, by which rule, on which questions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from elysia_guard.edge.cli.options import FILE

RULES = ("cross-validated", "adr-004")
SETS = ("golden", "retrieval")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What was asked for; ``files`` are the sets of questions, with a file of one's own or None.

    With ``alpha`` the weights of the search's rankings are tuned, and ``seed`` is that of the draws
    that tell a difference from noise.
    """

    rule: str
    max_wrong: float
    folds: int
    files: Mapping[str, Path | None]
    alpha: bool = False
    seed: int = 1


def _sets(_ctx: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
    if unknown := [name for name in names if name not in SETS]:
        raise click.BadParameter(
            f"'{unknown[0]}' is no set of questions; there are: {', '.join(SETS)}"
        )
    return names


def _limits_alone(**options: object) -> None:
    """Refuse options that say how limits are tuned where weights are."""
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    source = click.get_current_context().get_parameter_source("max_wrong")
    if source is click.core.ParameterSource.COMMANDLINE:
        given.append("--max-wrong")
    if given:
        raise click.UsageError(f"{given[0]} is about limits, and --alpha tunes none")


def wishing(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a tuning run; it gets them as a ``wish``."""

    @click.option(
        "--alpha",
        is_flag=True,
        help="Tune what meaning counts beside words, and words in titles and under headings,"
        " instead of the limits.",
    )
    @click.option(
        "--seed",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        metavar="N",
        help="With --alpha: of the draws that tell a difference from noise.",
    )
    @click.option(
        "--rule",
        type=click.Choice(RULES),
        help="How to choose: the best values that hold on questions left out (the default), or one"
        " step as ADR-004 says.",
    )
    @click.option("--cross-validated", is_flag=True, help="The same as --rule cross-validated.")
    @click.option(
        "--max-wrong",
        type=click.FloatRange(0.0, 1.0),
        default=0.01,
        show_default=True,
        metavar="SHARE",
        help="The share of the answers that may be wrong.",
    )
    @click.option(
        "--folds",
        type=click.IntRange(2, 20),
        default=5,
        show_default=True,
        metavar="N",
        help="Into how many parts the questions are put.",
    )
    @click.option(
        "--questions",
        "sets",
        callback=_sets,
        default="golden",
        show_default=True,
        metavar="SETS",
        help="Which questions: golden, retrieval, or golden,retrieval.",
    )
    @click.option("--golden", type=FILE, metavar="FILE", help="Another golden set.")
    @click.option("--retrieval", type=FILE, metavar="FILE", help="Other retrieval questions.")
    @functools.wraps(function)
    def command(
        *args: Any,
        rule: str | None,
        cross_validated: bool,
        sets: tuple[str, ...],
        **options: Any,
    ) -> None:
        if cross_validated and rule == "adr-004":
            raise click.UsageError("--cross-validated and --rule adr-004 exclude each other")
        numbers = {name: options.pop(name) for name in ("max_wrong", "folds", "alpha", "seed")}
        if numbers["alpha"]:
            _limits_alone(rule=rule, cross_validated=cross_validated, html=options.get("html"))
        files = {name: options.pop(name) for name in SETS}
        wish = Wish(
            rule=rule or RULES[0],
            files={name: files[name] for name in sets},
            **numbers,
        )
        function(*args, wish=wish, **options)

    return command
