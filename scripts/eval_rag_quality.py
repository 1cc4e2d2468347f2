"""Measure the guard on the golden set, as IR0003 calls it (gap B): ``elysia-guard eval``.

\b
python scripts/eval_rag_quality.py --config config/thresholds.yaml --output results.json
python scripts/eval_rag_quality.py --baseline baseline.json --markdown report.md
python scripts/eval_rag_quality.py --profiles all --split tuning --markdown profiles.md
python scripts/eval_rag_quality.py --without-embedder --split tuning

\b
exit codes:
  0  done; whether it is a regression is for scripts/check_regression.py to say
  1  there are more wrong answers than --max-wrong-answers allows; or, with --beside, a third or
     more of what was shown is lost, or a reply does not say that it was found by words alone
  2  wrong use
  3  could not run, or cannot be compared with the baseline (the results are written all the same)
"""  # noqa: D301  click reads the \b

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from elysia_guard.domain.errors import GuardError
from elysia_guard.edge.cli import eval as evaluation
from elysia_guard.edge.cli.options import NEW_FILE, Setup
from elysia_guard.running import into_pipe


@click.command(help=__doc__)
@click.option(
    "--config", "thresholds", type=NEW_FILE, metavar="FILE", help="The limits to measure."
)
@evaluation.with_evaluation
def command(thresholds: Path | None, **options: Any) -> int:
    """Evaluate, and say in one line why it could not be done."""
    try:
        return evaluation.run(Setup(), thresholds=thresholds, own=_own_sentences, **options)
    except (GuardError, OSError) as err:
        click.echo(f"error: {err}", err=True)
        return evaluation.COULD_NOT_RUN


def _own_sentences(wiring: Any, scores: Any) -> dict[str, Any]:
    """Hold the program's own sentences against the files: what a checkout has beyond the wheel."""
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from scripts.lab import oracle

    return oracle.held_against_files(wiring, scores)


def main() -> int:
    """Run as a program does: wrong use ends with 2."""
    try:
        code: int = command.main(standalone_mode=False)
    except click.ClickException as err:
        err.show()
        return err.exit_code
    return code


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
