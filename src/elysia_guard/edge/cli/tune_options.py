"""How ``elysia-guard tune`` is told what to do: the rule, its limits, and the questions."""

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
    """What was asked for; ``files`` are the sets of questions, with a file of one's own or None."""

    rule: str
    max_wrong: float
    folds: int
    files: Mapping[str, Path | None]


def _sets(_ctx: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
    if unknown := [name for name in names if name not in SETS]:
        raise click.BadParameter(
            f"'{unknown[0]}' is no set of questions; there are: {', '.join(SETS)}"
        )
    return names


def wishing(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a tuning run; it gets them as a ``wish``."""

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
        max_wrong: float,
        folds: int,
        sets: tuple[str, ...],
        **options: Any,
    ) -> None:
        if cross_validated and rule == "adr-004":
            raise click.UsageError("--cross-validated and --rule adr-004 exclude each other")
        files = {name: options.pop(name) for name in SETS}
        wish = Wish(
            rule=rule or RULES[0],
            max_wrong=max_wrong,
            folds=folds,
            files={name: files[name] for name in sets},
        )
        function(*args, wish=wish, **options)

    return command
