"""Check the golden set: schema, ids, sizes, sources and quotes, duplicates, leaks between halves.

    python -m scripts.lab golden_set

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
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

from rapidfuzz import fuzz
from scripts.lab.corpora import DONE, FAILED, GOLDEN, QUESTIONS

from elysia_guard import config as configuration
from elysia_guard.adapters.documents import ParsedDocument, read_folder
from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.evaluation import golden, regression, scoring
from elysia_guard.evaluation.golden import (
    MINIMUMS,
    Case,
    Category,
    Expected,
    GoldenSet,
    GoldenSetError,
    Split,
)
from elysia_guard.language.text import words

ALIKE = 90.0
"""Questions so alike (0 to 100) that expect the same are one question.

Of the pairs that expect different things, and so are different questions for certain, hardly any
with the same numbers in them comes this far ('Define X' and 'Define Y', for two short terms).
"""
NEAR = 85.0
"""From here on a pair is worth a look."""
TOTAL = 50
"""IR0003's minimum size."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldenFinding:
    """Something about the golden set; a ``mistake`` has to be mended, the rest is worth a look."""

    rule: str
    message: str
    mistake: bool = True


def lint(golden: GoldenSet, *, known: Mapping[str, Sequence[str]]) -> list[GoldenFinding]:
    """Look at a golden set that fits its schema.

    Args:
        golden: the set.
        known: what every document and concept says, by its id or URI.
    """
    return [
        *_sizes(golden.cases),
        *_unknown(golden.cases, known),
        *_misquoted(golden.cases, known),
        *_disagreements(golden.cases),
        *_alike(golden.cases),
    ]


def unraised(golden: GoldenSet, *, version: str, blob_hash: str) -> list[GoldenFinding]:
    """Find a set that changed since a baseline without a new version."""
    if golden.blob_hash == blob_hash or golden.version != version:
        return []
    message = (
        f"the questions changed since the baseline ({blob_hash[:12]}, now"
        f" {golden.blob_hash[:12]}), but the version is still {version}; raise it"
    )
    return [GoldenFinding(rule="version", message=message)]


def _sizes(cases: Sequence[Case]) -> Iterator[GoldenFinding]:
    if len(cases) < TOTAL:
        yield GoldenFinding(
            rule="size", message=f"{len(cases)} questions; at least {TOTAL} are needed"
        )
    for split in Split:
        counts = Counter(case.category for case in cases if case.split is split)
        for category in Category:
            if not counts[category]:
                message = f"the {split} half has no question of category {category}"
                yield GoldenFinding(rule="category", message=message)
    counts = Counter(case.category for case in cases)
    for category, minimum in MINIMUMS.items():
        if counts[category] < minimum:
            message = f"{counts[category]} question(s) of {category}; at least {minimum} are needed"
            yield GoldenFinding(rule="category", message=message)


def _unknown(cases: Sequence[Case], known: Collection[str]) -> Iterator[GoldenFinding]:
    for case in cases:
        for name in case.expected.doc_ids:
            if name not in known:
                shown = "an expected document" if case.split is Split.HELD_OUT else name
                yield GoldenFinding(rule="document", message=f"{case.id}: {shown} does not exist")


def _misquoted(
    cases: Sequence[Case], known: Mapping[str, Sequence[str]]
) -> Iterator[GoldenFinding]:
    """Find sentences that stand in none of the expected sources."""
    for case in cases:
        names = case.expected.doc_ids
        texts = [text for name in names for text in known.get(name, ())]
        for sentence in scoring.astray(case.expected.quote or "", texts):
            message = f"'{sentence}' does not stand in {' or '.join(names)}"
            if case.split is Split.HELD_OUT:
                message = "its quote does not stand in an expected document"
            yield GoldenFinding(rule="quote", message=f"{case.id}: {message}")


def _disagreements(cases: Sequence[Case]) -> Iterator[GoldenFinding]:
    """Find sources of another kind than the types that are expected of them."""
    for case in cases:
        expected = case.expected
        if case.category.value.startswith("terminology_") and expected.route != "skosmos":
            yield GoldenFinding(
                rule="route", message=f"{case.id}: {case.category}, but not skosmos"
            )
        concepts = any("://" in name for name in expected.doc_ids)
        if concepts and "Vocabulary" not in expected.doc_types:
            yield GoldenFinding(rule="types", message=f"{case.id}: a concept, but not a Vocabulary")


def _alike(cases: Sequence[Case]) -> Iterator[GoldenFinding]:
    plain = {case.id: " ".join(words(case.query)) for case in cases}
    for first, second in combinations(cases, 2):
        score = fuzz.ratio(plain[first.id], plain[second.id], score_cutoff=NEAR)
        if not score or not _expect_the_same(first, second, plain):
            continue
        leak = first.split is not second.split
        yield GoldenFinding(
            rule="leak" if leak else "duplicate",
            message=(
                f"{first.id} ({first.split}) and {second.id} ({second.split}): {score:.1f} alike"
            ),
            mistake=score >= ALIKE,
        )


def _expect_the_same(first: Case, second: Case, plain: dict[str, str]) -> bool:
    """Tell whether two questions could be one: 'ADR-0012' and 'ADR-0013' are two.

    Questions that simulate a timeout share the trigger, so they are alike by design.
    """
    if Category.TERMINOLOGY_TIMEOUT in (first.category, second.category):
        return False
    same = _without_quote(first) == _without_quote(second)
    return same and _numbers(plain[first.id]) == _numbers(plain[second.id])


def _without_quote(case: Case) -> Expected:
    """What is right, whether or not its sentence is named."""
    return case.expected.model_copy(update={"quote": None})


def _numbers(text: str) -> list[str]:
    return [word for word in text.split() if word.isdigit()]


def main() -> int:
    """Look at the golden set, print the findings."""
    options = _options()
    findings = _findings(options)
    if options.json:
        print(json.dumps([asdict(item) for item in findings], indent=2))
    else:
        _print(findings, options.golden)
    return FAILED if any(item.mistake for item in findings) else DONE


def _findings(options: argparse.Namespace) -> list[GoldenFinding]:
    try:
        questions = golden.load(options.golden, minimums={})
    except GoldenSetError as err:
        return [GoldenFinding(rule="schema", message=str(err))]
    config = configuration.load()
    findings = lint(questions, known=_known(config))
    if options.baseline.is_file():
        meta = regression.read(options.baseline)["meta"]
        findings += unraised(
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


def _print(findings: list[GoldenFinding], path: Path) -> None:
    for item in findings:
        print(f"{'error' if item.mistake else 'look '}  {item.rule}: {item.message}")
    mistakes = sum(item.mistake for item in findings)
    print(f"{path.name}: {mistakes} to mend, {len(findings) - mistakes} worth a look")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--golden", type=Path, default=GOLDEN, help="JSON lines")
    told = "tells whether the version had to be raised"
    parser.add_argument("--baseline", type=Path, default=QUESTIONS / "baseline.json", help=told)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    return parser.parse_args()
