"""Play recorded truthful answers, and count what of them is shown, on which questions, and why not.

    python scripts/eval_written.py                        the tuning half
    python scripts/eval_written.py --split all --into docs/writing.md
    python scripts/eval_written.py --misses               tuning sentences withheld by code

A server on loopback plays the answer that was recorded to each question. Asked are quotes alone,
the writer with code alone, in the language of the sources, and in that of the question with a
second opinion that is right in 95 of 100: a script, for which every recorded
sentence is right. Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

from elysia_guard import Guard, __version__  # noqa: E402
from elysia_guard import config as configuration  # noqa: E402
from elysia_guard.adapters.writers import prompt  # noqa: E402
from elysia_guard.config import WriterSection  # noqa: E402
from elysia_guard.domain.claim import Proof  # noqa: E402
from elysia_guard.domain.errors import GuardError  # noqa: E402
from elysia_guard.domain.mode import Mode  # noqa: E402
from elysia_guard.evaluation import golden, recorded, recorded_facts, recorded_table  # noqa: E402
from elysia_guard.evaluation.golden import Case, Split  # noqa: E402
from elysia_guard.evaluation.player import RecordedServer  # noqa: E402
from elysia_guard.evaluation.recorded import (  # noqa: E402
    Language,
    Recorded,
    Replayed,
    in_language,
)
from elysia_guard.evaluation.recorded_facts import Fact  # noqa: E402
from elysia_guard.evaluation.recorded_run import (  # noqa: E402
    LANGUAGES,
    SEED,
    Answered,
    Way,
    ask,
)
from elysia_guard.language.pack import langs  # noqa: E402
from elysia_guard.running import into_pipe  # noqa: E402
from elysia_guard.wiring import Wiring  # noqa: E402

GOLDEN = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
DATA = ROOT / "data" / "evaluation"
ANSWERS = [DATA / "written.jsonl", DATA / "written_parts.jsonl"]
MADE, FACTS = DATA / "parts_queries.jsonl", DATA / "parts_facts.jsonl"
DONE, COULD_NOT_RUN = 0, 3
BEGIN, END = "<!-- written: begin -->", "<!-- written: end -->"


def main() -> int:
    """Ask the recorded questions in three ways, and print what came of them."""
    options = _options()
    splits = list(Split) if options.split == "all" else [Split(options.split)]
    try:
        questions = golden.load(GOLDEN)
        made = golden.load(MADE, minimums={})
        answers = recorded.load_all(options.answers, splits)
        answered = {each.id for each in answers}
        cases = [case for case in (*questions.cases, *made.cases) if case.id in answered]
        played, runs = asyncio.run(
            _measured(answers, cases, recorded_facts.load(FACTS), Mode(options.mode))
        )
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    prompts = ", ".join(sorted({each.prompt for each in answers}))
    if prompts != prompt.version():
        print(f"the prompt is {prompt.version()} now; record the answers anew", file=sys.stderr)
    told = (
        f"By elysia-guard {__version__}, Python {platform.python_version()}; golden set "
        f"{questions.version} ({questions.blob_hash[:12]}), split {options.split}; recorded to "
        f"prompt {prompts}; seed {SEED}; direct route, mode {options.mode}."
    )
    table = recorded_table.markdown(answers, played, runs, langs())
    print(told, table, sep="\n\n")
    if options.misses:
        _print_misses(runs[Way.CODE])
    if options.into:
        _put(f"{told}\n\n{table}", options.into)
    return DONE


async def _measured(
    answers: Sequence[Recorded],
    cases: Sequence[Case],
    facts: Mapping[str, Sequence[Fact]],
    mode: Mode,
) -> tuple[dict[Language, Mapping[str, Replayed]], dict[Way, list[Answered]]]:
    """Ask on each way, the writer in the language that is asked for on it."""
    played: dict[Language, Mapping[str, Replayed]] = {}
    runs = {}
    for way in Way:
        language = LANGUAGES.get(way)
        with RecordedServer(in_language(answers, language) if language else ()) as server:
            section = WriterSection(
                kind="language_model", url=server.url, model="recorded", language=language
            )
            chosen = {"writer": section, "log_level": "ERROR"}
            with closing(Wiring(configuration.load().model_copy(update=chosen))) as wiring:
                runs[way] = await ask(Guard(wiring=wiring).pipeline, cases, way, facts, mode=mode)
        if server.unknown:
            print(f"{server.unknown} question(s) of parts have no recording", file=sys.stderr)
        if language:
            played[language] = server.played
    return played, runs


def _print_misses(found: Sequence[Answered]) -> None:
    """Print what code withheld; of held-out questions nothing."""
    print()
    for each in found:
        if each.case.split is not Split.TUNING:
            continue
        for item in recorded_table.proofread(each):
            if item.proof is Proof.HOLDS:
                continue
            why = "; ".join(f"{one.fault}: {one.about}" for one in item.findings)
            print(f"{each.case.id} {item.proof} [{why}]\n    {item.claim.text}")
            for support in item.claim.supports:
                print(f"    {support.source}: {support.words}")


def _put(table: str, path: Path) -> None:
    """Replace what stands between the marks of a document."""
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--split", choices=("tuning", "held_out", "all"), default="tuning")
    add(
        "--answers", type=Path, nargs="+", default=ANSWERS, metavar="FILE", help="what was recorded"
    )
    add("--mode", choices=("auto", "thinking"), default="auto", help="how a model writes")
    add("--misses", action="store_true", help="print tuning sentences that code withheld")
    add("--into", type=Path, help="put the tables into a document, at its marks")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
