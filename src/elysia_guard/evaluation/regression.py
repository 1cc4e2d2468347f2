"""The regression gate: is an evaluation worse than its baseline, where, and by which questions?

Only equals are compared: the same golden set, profile, index, vocabulary and model. Thresholds
and code may differ, since whether they may is the question.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from elysia_guard.domain.errors import GuardError
from elysia_guard.domain.profiles import ProfileName
from elysia_guard.domain.response import ReplyOutcome
from elysia_guard.evaluation import regression_figures as figures
from elysia_guard.evaluation.regression_figures import ABSTENTION_RATE, Allowance, Change
from elysia_guard.evaluation.report_questions import HELD_OUT, Report

__all__ = ["Allowance", "Change", "IncomparableError", "Regression", "compare", "read"]

EQUAL = (
    ("meta", "golden_set_hash", "golden sets"),
    ("meta", "golden_set_version", "golden set versions"),
    ("setting", "profile", "policy profiles"),
    ("setting", "split", "splits"),
    ("setting", "model_id", "embedding models"),
    ("setting", "index_hash", "indexed documents"),
    ("setting", "passages", "numbers of passages in the index"),
    ("setting", "vocabulary_hash", "vocabularies"),
)
"""What must be the same in both, and how it is called."""
UNSAID = {"profile": str(ProfileName.DEFAULT)}
"""What results from before a setting existed were measured with."""
NOTED = ("config_hash", "route", "store", "version", "python", "concurrency")
"""What may differ and is shown when it does."""
CHECKED = (
    "overall",
    "by_collection",
    "by_category",
    "by_language",
    "abstention",
    "latency",
    "answers",
    "certainty",
    "sentences",
    "route_accuracy",
    "gates",
)
"""The groups of metrics of which none may disappear."""
NO_GATE = 5
"""A gate that turned so many passages away, and now turns away none, has been switched off."""


class IncomparableError(GuardError):
    """Two evaluations cannot be compared; the message names what differs and the way out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Regression:
    """Something that got worse than is allowed, and the tuning questions that show it."""

    where: str
    message: str
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Turned:
    """A question that was right and is not any more; ``query`` tells only tuning questions."""

    id: str
    reason: str
    query: str
    collections: tuple[str, ...]


def read(path: Path) -> Report:
    """Read the results of an evaluation.

    Raises:
        IncomparableError: the file cannot be read, or holds none.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as err:
        raise IncomparableError(f"{path}: cannot be read: {err.strerror}") from err
    except ValueError as err:
        raise IncomparableError(f"{path}: is not JSON: {err}") from err
    wanted = ("meta", "setting", "metrics", "failures", "could_not_run", "questions")
    missing = [name for name in wanted if not isinstance(found, dict) or name not in found]
    if missing:
        raise IncomparableError(
            f"{path}: has no '{missing[0]}'; write it with scripts/eval_rag_quality.py"
        )
    results: Report = found
    return results


def compare(current: Report, baseline: Report, allowed: Allowance) -> Report:
    """Hold an evaluation against its baseline; ``passed`` in the result is the gate's verdict.

    Raises:
        IncomparableError: they do not measure the same.
    """
    for group, name, called in EQUAL:
        unsaid = UNSAID.get(name)
        _same(current[group].get(name, unsaid), baseline[group].get(name, unsaid), called)
    changes = tuple(figures.changes(current["metrics"], baseline["metrics"], allowed))
    regressions = (
        *_wrongly_sure(current, baseline, allowed),
        *_drops(changes, current["questions"], baseline["questions"]),
        *_switched_off(current["metrics"], baseline["metrics"]),
        *_gone(current["metrics"], baseline["metrics"]),
        *_unasked(current, allowed),
    )
    return {
        "timestamp": baseline["meta"]["timestamp"],
        "passed": not regressions,
        "allowed": asdict(allowed),
        "notes": _notes(current["metrics"], baseline["metrics"]),
        "settings": list(_noted(current, baseline)),
        "limits": list(_limits(current["setting"], baseline["setting"])),
        "changes": [asdict(item) | {"failed": item.failed} for item in changes],
        "regressions": [asdict(item) for item in regressions],
        "gone_wrong": [asdict(item) for item in _gone_wrong(current, baseline)],
        "mended": sorted(_failed(baseline) - _failed(current) - _not_run(current)),
    }


def _same(now: object, before: object, called: str) -> None:
    if now is None or before is None or now != before:
        raise IncomparableError(
            f"the {called} differ ({_short(before)} in the baseline, {_short(now)} now), so the"
            " figures cannot be compared; make a new baseline (make baseline) and have it reviewed"
        )


def _short(value: object) -> str:
    return "none" if value is None else str(value)[:40]


def _drops(
    changes: Sequence[Change], now: Mapping[str, Report], before: Mapping[str, Report]
) -> Iterator[Regression]:
    for item in changes:
        if not item.failed:
            continue
        worse = tuple(
            name
            for name, question in now.items()
            if name in before
            and (item.where == "overall" or item.where in question["collections"])
            and _worth(question, item.metric) < _worth(before[name], item.metric)
        )
        moved, sign = ("rose", "+") if item.lower_is_better else ("fell", "-")
        yield Regression(
            where=item.where,
            message=(
                f"{item.metric.replace('_', ' ')} {moved} from {item.before:.3f} to"
                f" {item.after:.3f} ({item.after - item.before:+.3f}; allowed is"
                f" {sign}{item.allowed:.3f})"
            ),
            questions=worse,
        )


def _worth(question: Report, metric: str) -> float:
    """What a question adds to a metric; one that does not count takes nothing from it."""
    if metric in _SPOILT:
        return 0.0 if _SPOILT[metric](question) else 1.0
    value: float | None = question.get("shown" if metric == figures.SHOWN else metric)
    return 1.0 if value is None else value


def _ends(question: Report, outcome: ReplyOutcome) -> bool:
    return question.get("outcome") == outcome


_SPOILT: Mapping[str, Callable[[Report], bool]] = {
    ABSTENTION_RATE: lambda it: it.get("precision") is None,
    figures.ASSERTED_PRECISION: lambda it: _ends(it, ReplyOutcome.ASSERTED) and not it["precision"],
    # A near miss is a question without a recall: nothing is to be found.
    figures.NEAR_ASSERTED: lambda it: _ends(it, ReplyOutcome.ASSERTED) and it["recall"] is None,
    figures.NEAR_HEDGED: lambda it: _ends(it, ReplyOutcome.HEDGED) and it["recall"] is None,
}
"""Metrics that a question can only spoil, and when it does."""


def _wrongly_sure(current: Report, baseline: Report, allowed: Allowance) -> Iterator[Regression]:
    """Fail where less of what is asserted is right than is promised, whatever it was before."""
    if message := figures.below_floor(current["metrics"], allowed):
        spoils = _SPOILT[figures.ASSERTED_PRECISION]
        wrong = [name for name, item in current["questions"].items() if spoils(item)]
        before = baseline["questions"]
        new = tuple(name for name in wrong if not spoils(before.get(name, {})))
        yield Regression(where="overall", message=message, questions=new or tuple(wrong))


def _notes(now: Report, before: Report) -> list[str]:
    """Say what could not be compared, because the baseline is from before it was measured."""
    untold = figures.untold(now, before)
    if not untold:
        return []
    names = ", ".join(name.replace("_", " ") for name in untold)
    return [f"the baseline does not tell {names}; a new one does (make baseline)"]


def _switched_off(now: Report, before: Report) -> Iterator[Regression]:
    for where, gates in before["gates"].items():
        for gate, effect in gates.items():
            left = now["gates"].get(where, {}).get(gate)
            if left and effect["turned_away"] >= NO_GATE and not left["turned_away"]:
                yield Regression(
                    where=where,
                    message=(
                        f"the {gate} gate turned {effect['turned_away']} of"
                        f" {effect['passages']} passages away, and now turns away none: its limit"
                        " is no limit"
                    ),
                    questions=tuple(effect["questions"]),
                )


def _gone(now: Report, before: Report) -> Iterator[Regression]:
    for group in CHECKED:
        left = set(_leaves(now.get(group), group))
        for path in _leaves(before.get(group), group):
            if path not in left:
                yield Regression(where="overall", message=f"the metric {path} is gone")


def _leaves(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _leaves(item, f"{path}.{name}")
    elif isinstance(value, int | float):
        yield path


def _unasked(current: Report, allowed: Allowance) -> Iterator[Regression]:
    lost = current["could_not_run"]
    if len(lost) > allowed.could_not_run:
        yield Regression(
            where="overall",
            message=f"{len(lost)} question(s) could not run; allowed are {allowed.could_not_run}",
            questions=tuple(item["id"] for item in lost),
        )


def _noted(current: Report, baseline: Report) -> Iterator[Report]:
    now = {**current["meta"], **current["setting"]}
    before = {**baseline["meta"], **baseline["setting"]}
    for name in NOTED:
        if now.get(name) != before.get(name):
            yield {"name": name, "before": before.get(name), "after": now.get(name)}


def _limits(now: Report, before: Report) -> Iterator[Report]:
    new, old = now.get("limits", {}), before.get("limits", {})
    for name in dict.fromkeys((*old, *new)):
        if new.get(name) != old.get(name):
            yield {"name": name, "before": old.get(name), "after": new.get(name)}


def _gone_wrong(current: Report, baseline: Report) -> Iterator[Turned]:
    before = _failed(baseline) | _not_run(baseline)
    for item in current["failures"]:
        if item["id"] not in before:
            known = current["questions"].get(item["id"], {})
            yield Turned(
                id=item["id"],
                reason=item["reason"],
                query=known.get("query", HELD_OUT),
                collections=tuple(known.get("collections", ())),
            )


def _failed(results: Report) -> set[str]:
    return {item["id"] for item in results["failures"]}


def _not_run(results: Report) -> set[str]:
    return {item["id"] for item in results["could_not_run"]}
