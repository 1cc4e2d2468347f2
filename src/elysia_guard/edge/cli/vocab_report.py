"""What ``elysia-guard vocab check`` and ``load`` say of a vocabulary, for a person and as JSON."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from elysia_guard import config as configuration
from elysia_guard.adapters.skos.report import Problem, Report, Severity, VocabularyFinding
from elysia_guard.domain.concept import Concept
from elysia_guard.edge.cli.screen import Screen, one_line, print_json

_PLAIN = re.compile(r"[A-Za-z0-9_./][\w./+-]*")
_MARKS = {
    Severity.ERROR: ("✗", "bold red"),
    Severity.WARNING: ("!", "yellow"),
    Severity.NOTE: ("·", "cyan"),
}


def count(report: Report, severity: Severity) -> int:
    """Count the findings of a severity."""
    return sum(finding.problem.severity is severity for finding in report.findings)


def show(report: Report, *, lang: str, examples: int) -> None:
    """Print the report; labels in a language."""
    screen = Screen()
    screen.line(_headline(report), "bold")
    known = {concept.uri: concept for concept in report.concepts}
    for problem, findings in _by_problem(report).items():
        mark, style = _MARKS[problem.severity]
        row = (mark, f"{problem.severity:7}", f"{len(findings):5}", f"{problem}: {problem.meaning}")
        screen.line()
        screen.table([row], styles=(style, style, "bold", "bold"))
        every = _once([_row(finding, known, lang) for finding in findings])
        rows = every[:examples]
        if screen.fancy:
            # Long texts would push the place out of sight.
            screen.table([("  ".join(row).rstrip(),) for row in rows], styles=("",), indent=18)
        else:
            screen.table(_filled(rows), styles=("", "dim"), indent=18)
        if len(every) > examples:
            screen.line(f"{'':18}and {len(every) - examples} more (--examples)", "dim")


def to_dict(report: Report) -> dict[str, object]:
    """Give every finding, as JSON can hold it."""
    return {
        "files": [str(file) for file in report.files],
        "concepts": len(report.concepts),
        **{f"{severity}s": count(report, severity) for severity in Severity},
        "problems": [
            {
                "id": str(problem),
                "severity": problem.severity,
                "meaning": problem.meaning,
                "count": len(findings),
                "findings": [_without_problem(finding) for finding in findings],
            }
            for problem, findings in _by_problem(report).items()
        ],
    }


def print_loaded(report: Report, path: Path, loaded: int, *, written: bool) -> None:
    """Print as JSON how many concepts a file holds, or would hold, and what is wrong."""
    left_out = len(report.concepts) - loaded
    told = {"output": str(path), "written": written, "loaded": loaded, "left_out": left_out}
    print_json(told | to_dict(report))


def show_loaded(report: Report, path: Path, loaded: int, *, written: bool) -> None:
    """Print how many concepts a file holds, or would hold."""
    screen = Screen()
    verb = "holds" if written else "would hold"
    screen.title(f"{path} {verb} {loaded:,} concept{'' if loaded == 1 else 's'}")
    if left_out := len(report.concepts) - loaded:
        screen.line(f"{left_out} without any label are left out", "yellow")


def show_use(path: Path, config: Path | None) -> None:
    """Print how questions are answered from a vocabulary file, if the configuration names it."""
    screen = Screen()
    screen.line("To answer from it, in guard.yaml:")
    screen.line("  terminology:")
    screen.line(f"    files: [{_written(path, config)}]")
    screen.line(f'Or: elysia-guard ask "What is ...?" --vocabulary {path}')


def _written(file: Path, config: Path | None) -> str:
    """A path as guard.yaml has it: from the folder above its own, where it lies below that."""
    base = (config or configuration.chosen(os.environ)).resolve().parent.parent
    file = file.resolve()
    path = str(file.relative_to(base) if file.is_relative_to(base) else file)
    return path if _PLAIN.fullmatch(path) else json.dumps(path, ensure_ascii=False)


def _by_problem(report: Report) -> dict[Problem, list[VocabularyFinding]]:
    """Group the findings, in their order; a problem that nobody has is not there."""
    groups: dict[Problem, list[VocabularyFinding]] = {}
    for finding in report.findings:
        groups.setdefault(finding.problem, []).append(finding)
    return groups


def _without_problem(finding: VocabularyFinding) -> dict[str, object]:
    return {key: value for key, value in asdict(finding).items() if key != "problem"}


def _headline(report: Report) -> str:
    names = ", ".join(file.name for file in report.files)
    schemes = len({concept.vocabulary for concept in report.concepts})
    parts = [f"{names}: {_many(len(report.concepts), 'concept')} in {_many(schemes, 'scheme')}"]
    parts += [_many(count(report, severity), severity) for severity in Severity]
    return " · ".join(parts)


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _row(finding: VocabularyFinding, known: dict[str, Concept], lang: str) -> tuple[str, str]:
    """Name what a finding is about, and where it is."""
    labels = " | ".join(known[uri].label(lang) for uri in finding.concepts if uri in known)
    names = [name for name in (finding.text, labels) if name]
    uri = finding.concepts[0] if len(finding.concepts) == 1 else ""
    return one_line(": ".join(names) or finding.place), (finding.place if names else "") or uri


def _once(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Write what is found again in the same words once, with how often, where it is first."""
    told = Counter(first for first, _ in rows)
    firsts = dict(reversed(rows))
    return [
        (f"{first} ({told[first]} times)" if told[first] > 1 else first, firsts[first])
        for first in dict.fromkeys(first for first, _ in rows)
    ]


def _filled(rows: list[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Leave the second column out where it says nothing, or what the first has said."""
    said = any(second and second != first for first, second in rows)
    return [row if said else row[:1] for row in rows]
