"""Fit which sentences are shown on questions whose sentence is known, and say what it is worth.

    python scripts/fit_sentences.py           # prints: what was not seen, and each measure's worth
    python scripts/fit_sentences.py --write   # and updates the weights that the guard reads
    python scripts/fit_sentences.py --also guard.yaml questions.jsonl   # with another corpus
    python scripts/fit_sentences.py --config both.yaml --second --write   # for a second model

Fitted on the tuning half of the golden set, and on further corpora where they are given: a
configuration of the guard over one, and its questions (see ``sentence_examples.of_file``). The
weights that ship were fitted with two public registers beside, which are not in the repository.
The held-out questions are never looked at. Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from elysia_guard.domain.errors import ConfigError, GuardError
from elysia_guard.evaluation import golden, sentence_examples, sentence_fit, sentence_table
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.sentence_examples import Asked, Example
from elysia_guard.running import into_pipe
from elysia_guard.stages.answering import ranking
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
WEIGHTS = Path(str(ranking.FITTED))
OWN = "demo"

DONE, COULD_NOT_RUN = 0, 3


def main() -> int:
    """Fit, print, and write when asked to."""
    options = _options()
    try:
        asked = golden.load(options.golden)
        own = sentence_examples.of_golden(asked.select(Split.TUNING), OWN)
        found = asyncio.run(_examples(options.config, own))
        sets = {options.golden.name: asked.blob_hash}
        for config, questions in options.also:
            further = sentence_examples.of_file(questions)
            found += asyncio.run(_examples(config, further))
            sets[questions.name] = golden.blob_hash(questions.read_bytes())
        models = sentence_fit.fit(found)
        print(sentence_table.table(found, ablation=not options.quick))
        if options.write:
            write = sentence_fit.written_for_both if options.second else sentence_fit.written
            model, held = (
                _model(options.config, second=options.second),
                options.weights.read_text("utf-8"),
            )
            text = write(models, found, model=model, sets=sets, held=held)
            options.weights.write_text(text, encoding="utf-8")
            print(f"wrote {options.weights}")
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    return DONE


def _model(config: Path | None, *, second: bool) -> str:
    """Name the model whose vectors the weights are of.

    Raises:
        ConfigError: a second model is not configured.
    """
    wiring = Wiring.load(config)
    model = wiring.second_embedder if second else wiring.embedder
    if model is None:
        raise ConfigError("--second needs a configuration with 'second_embedder': give --config")
    return model.model_id


async def _examples(config: Path | None, asked: Sequence[Asked]) -> list[Example]:
    wiring = Wiring.load(config)
    try:
        return [item async for item in sentence_examples.examples(wiring.pipeline, asked)]
    finally:
        wiring.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--golden", type=Path, default=GOLDEN, help="the golden set")
    parser.add_argument(
        "--also",
        type=Path,
        nargs=2,
        metavar=("CONFIG", "QUESTIONS"),
        action="append",
        default=[],
        help="another corpus and its questions; may be given again",
    )
    parser.add_argument("--config", type=Path, help="of the guard over the golden set's corpus")
    parser.add_argument(
        "--second", action="store_true", help="fit what counts where a second model compares too"
    )
    parser.add_argument("--quick", action="store_true", help="leave out the worth of each measure")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="the file to write")
    parser.add_argument("--write", action="store_true", help="write the weights")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
