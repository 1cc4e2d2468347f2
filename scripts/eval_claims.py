"""Measure what code tells of sentences beside sources: what is shown, what stays open, what fails.

    python scripts/eval_claims.py                         the tuning half
    python scripts/eval_claims.py --split all --json build/eval/claims.json
    python scripts/eval_claims.py --misses                tuning sentences told wrongly
    python scripts/eval_claims.py --into docs/verification.md

Printed are the rates by label, kind and language, what the sentences alone tell, and the processor
time of five sentences against five sources, read for the first time, their words known as those of
an index are.

Exit codes: 0 done, 1 more than 2 in 100 sentences that are not supported hold, 2 wrong use, 3 could
not run.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from operator import mul
from pathlib import Path

from elysia_guard import __version__
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.word_likeness import WordVectors
from elysia_guard.adapters.word_pieces import word_chances
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import claims, claims_table
from elysia_guard.evaluation.claims import ClaimCase, ClaimOutcome
from elysia_guard.evaluation.claims_control import words_alone
from elysia_guard.evaluation.golden import Split
from elysia_guard.language.dates import dates
from elysia_guard.language.quantities import quantities
from elysia_guard.language.sentences import units
from elysia_guard.running import into_pipe
from elysia_guard.stages.verification.claims import prove
from elysia_guard.stages.verification.claims.evidence import parts_of
from elysia_guard.stages.verification.claims.said import read
from elysia_guard.stages.verification.claims.spoken import spoken
from elysia_guard.stages.verification.claims.tokens import tokens

ROOT = Path(__file__).resolve().parents[1]
DONE, TOO_MANY, COULD_NOT_RUN = 0, 1, 3
MOST_HELD = 0.02
AT_ONCE = 5
KEPT = 0.85
BEGIN, END = "<!-- claims: begin -->", "<!-- claims: end -->"


@dataclass(frozen=True, kw_only=True, slots=True)
class Timing:
    """Milliseconds of a processor for five sentences against five sources: median, 95th of 100."""

    p50: float
    p95: float


def main() -> int:
    """Judge the sentences, print the figures, and say whether the promise is kept."""
    options = _options()
    splits = list(Split) if options.split == "all" else [Split(options.split)]
    try:
        cases = claims.load(options.claims, splits)
        outcomes, timing = asyncio.run(_measured(cases))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    table = claims_table.markdown(outcomes, words_alone(cases))
    held = claims.rates([each for each in outcomes if each.case.supported]).holds
    table += f"\n\n{asyncio.run(_cosine(cases, held))}"
    sources = len({case.source_id for case in cases})
    told = (
        f"By elysia-guard {__version__}: {len(cases)} sentences, "
        f"{sources} sources ({options.split}); "
        f"five against five in {timing.p50:.1f} ms, p95 {timing.p95:.1f} ms"
    )
    print(told, table, sep="\n\n")
    if options.misses:
        _print_misses(outcomes)
    if options.into:
        _put(f"{told}.\n\n{table}", options.into)
    if options.json:
        _write(outcomes, timing, options.json)
    bad = claims.rates([each for each in outcomes if not each.case.supported])
    return TOO_MANY if bad.holds > MOST_HELD else DONE


async def _measured(cases: Sequence[ClaimCase]) -> tuple[list[ClaimOutcome], Timing]:
    alike = WordVectors(BundledEmbedder())
    outcomes = [await claims.judge(case, alike=alike, chances=word_chances) for case in cases]
    return outcomes, await _timed(cases, alike)


async def _cosine(cases: Sequence[ClaimCase], held: float) -> str:
    """Say what the cosine of the nearest sentence of the source tells, which many would go by."""
    model = BundledEmbedder()
    good: list[float] = []
    bad: list[float] = []
    for case in cases:
        parts = parts_of(case.source, case.lang_source)
        sentence, *vectors = await model.embed([case.sentence, *parts])
        nearest = max(sum(map(mul, sentence, vector)) for vector in vectors)
        (good if case.supported else bad).append(nearest)
    shown, alike = (1 - claims.caught(good, bad, kept=each) for each in (KEPT, held))
    return (
        f"Beside it, the cosine of the nearest sentence by the bundled model: AUC "
        f"{claims.auc(good, bad):.2f}. Where {KEPT:.2f} of the supported are kept, {shown:.3f} of "
        f"the others are shown; where {held:.3f} are kept, as many as hold by code, {alike:.3f}."
    )


async def _timed(cases: Sequence[ClaimCase], alike: WordVectors) -> Timing:
    """Prove five sentences at a time, each resting on one of five sources that nobody has read.

    Their words are known, as those of an index are; of the texts nothing is remembered. What
    this program holds besides (models, outcomes) is not searched for garbage in between.
    """
    for remembered in (read, tokens, spoken, parts_of, units, quantities, dates):
        remembered.cache_clear()
    gc.collect()
    gc.freeze()
    first = list({case.source_id: case for case in cases}.values())
    took = []
    for at in range(0, len(first) - AT_ONCE + 1, AT_ONCE):
        group = first[at : at + AT_ONCE]
        told = [case.told for case in group]
        begun = time.process_time()
        for number, case in enumerate(group, start=1):
            await prove(
                case.claim(number), told, question=case.sentence, lang=case.lang_sentence,
                alike=alike, chances=word_chances,
            )  # fmt: skip
        took.append((time.process_time() - begun) * 1000)
    gc.unfreeze()
    took.sort()
    return Timing(p50=took[len(took) // 2], p95=took[int(len(took) * 0.95)])


def _print_misses(outcomes: Sequence[ClaimOutcome]) -> None:
    """What is told wrongly beyond doubt; of the tuning half alone, whatever was asked."""
    tuning = {case.id for case in claims.load(_options().claims, [Split.TUNING])}
    for each in outcomes:
        wrong = each.shown is not each.case.supported and each.proved.proof.value != "open"
        if wrong and each.case.id in tuning:
            found = ", ".join(f"{one.fault.value}: {one.about}" for one in each.proved.findings)
            print(f"  {each.case.id} {each.case.label.value} ({each.case.kind}) "
                  f"{each.proved.proof.value}: {each.case.sentence} [{found}]")  # fmt: skip


def _put(text: str, path: Path) -> None:
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def _write(outcomes: Sequence[ClaimOutcome], timing: Timing, path: Path) -> None:
    by_label = claims.rates_by(outcomes, lambda case: case.label.value)
    found = {
        "version": __version__,
        "timing_ms": asdict(timing),
        "auc": claims.told_apart(outcomes),
        "labels": {
            name: asdict(good if good.count else bad) for name, (good, bad) in by_label.items()
        },
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    splits = (*(split.value for split in Split), "all")
    add("--split", choices=splits, default=Split.TUNING.value)
    add("--claims", type=Path, metavar="FOLDER", default=ROOT / "data" / "evaluation" / "claims")
    add("--misses", action="store_true", help="show the tuning sentences that are told wrongly")
    add("--json", type=Path, metavar="PATH", help="write the figures there too")
    add("--into", type=Path, metavar="PATH", help="put the tables into a page, between its marks")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
