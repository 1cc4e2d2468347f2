"""Check the golden set: schema, ids, sizes, sources and quotes, duplicates, leaks between halves.

    python scripts/lint_golden_set.py

Questions are named by their ids; a held-out question is never shown.

exit codes:
  0  nothing to mend (what is only worth a look is printed all the same)
  1  something to mend
  2  wrong use
  3  could not run
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from elysia_guard import config as configuration
from elysia_guard.adapters.documents import ParsedDocument, read_folder
from elysia_guard.adapters.skos_rdf import read_concepts
from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation import golden, lint, regression
from elysia_guard.evaluation.golden import GoldenSetError
from elysia_guard.evaluation.lint import Finding
from elysia_guard.running import into_pipe

ROOT = Path(__file__).resolve().parents[1]
EVALUATION = ROOT / "data" / "evaluation"

CLEAN, TO_MEND, COULD_NOT_RUN = 0, 1, 3


def main() -> int:
    """Look at the golden set, print the findings."""
    options = _options()
    try:
        findings = _findings(options)
    except (GuardError, OSError) as err:
        print(f"error: {err}", file=sys.stderr)
        return COULD_NOT_RUN
    if options.json:
        print(json.dumps([asdict(item) for item in findings], indent=2))
    else:
        _print(findings, options.golden)
    return TO_MEND if any(item.mistake for item in findings) else CLEAN


def _findings(options: argparse.Namespace) -> list[Finding]:
    try:
        questions = golden.load(options.golden, minimums={})
    except GoldenSetError as err:
        return [Finding(rule="schema", message=str(err))]
    config = configuration.load()
    findings = lint.lint(questions, known=_known(config))
    if options.baseline.is_file():
        meta = regression.read(options.baseline)["meta"]
        findings += lint.unraised(
            questions, version=meta["golden_set_version"], blob_hash=meta["golden_set_hash"]
        )
    return findings


def _known(config: configuration.Config) -> dict[str, list[str]]:
    """What every document says, and how every concept is defined."""
    documents = {
        item.document.id: [passage.text for passage in item.passages]
        for item in read_folder(config.index.sources)
        if isinstance(item, ParsedDocument)
    }
    concepts = {
        concept.uri: [text.value for text in (*concept.definitions, *concept.scope_notes)]
        for concept in read_concepts(
            config.terminology.files, max_bytes=config.terminology.max_bytes
        )
    }
    return documents | concepts


def _print(findings: list[Finding], path: Path) -> None:
    for item in findings:
        print(f"{'error' if item.mistake else 'look '}  {item.rule}: {item.message}")
    mistakes = sum(item.mistake for item in findings)
    print(f"{path.name}: {mistakes} to mend, {len(findings) - mistakes} worth a look")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--golden", type=Path, default=EVALUATION / "golden_queries.jsonl", help="JSON lines")
    add(
        "--baseline",
        type=Path,
        default=EVALUATION / "baseline.json",
        help="tells whether the version had to be raised",
    )
    add("--json", action="store_true", help="print the findings as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(into_pipe(main, unread=0))
