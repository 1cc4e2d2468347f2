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
from elysia_guard.evaluation.report import HELD_OUT, SENTENCES_HELD, Report

ABSTENTION_RATE = "abstention_rate"
"""The share of questions that are refused."""
ASSERTED_PRECISION = "asserted_precision"
ADDED = "added_p95_ms"
"""What the guard takes beyond a plain search, at the pace of the machine of the baseline."""
SHOWN = "right_passage_shown"
NEAR_ASSERTED = "near_misses_asserted"
NEAR_HEDGED = "near_misses_hedged"
CERTAINTY = {
    ASSERTED_PRECISION: "asserted_precision",
    SHOWN: "shown_share",
    NEAR_ASSERTED: "near_misses_asserted_share",
    NEAR_HEDGED: "near_misses_hedged_share",
}
"""The shares that the three outcomes are held to, and their keys in ``metrics.certainty``."""
NOISE = 1e-6

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
    "control",
    "added",
    "answers",
    "certainty",
    "sentences",
    "route_accuracy",
    "gates",
)
"""The groups of metrics of which none may disappear."""
NO_GATE = 5
"""A gate that turned so many passages away, and now turns away none, has been switched off."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Allowance:
    """How much worse is still accepted, by IR0003's success metrics.

    Points of precision and recall (0 to 1), a share of the abstention rate, milliseconds of the
    95th percentile of what is added to a plain search, and questions. ``recall`` holds for the
    share of answers with the sentence that answers too. ``asserted`` are points of the precision
    of what is asserted, which beside that may not be less than ``asserted_floor``, whatever it was
    before; ``shown`` of the share of answerable questions that are shown the right passage;
    ``near_asserted`` and ``near_hedged`` of the shares of near misses that are asserted and hedged.
    The same questions are asked of the same documents, so these four are narrow: nothing but a
    change moves them.
    """

    precision: float = 0.05
    recall: float = 0.05
    abstention: float = 0.05
    p95_ms: float = 100.0
    could_not_run: int = 0
    asserted: float = 0.01
    asserted_floor: float = 0.97
    shown: float = 0.01
    near_asserted: float = 0.005
    near_hedged: float = 0.02


@dataclass(frozen=True, slots=True)
class Change:
    """One figure before and after; ``allowed`` is how much worse it may be, None: only shown."""

    where: str
    metric: str
    before: float
    after: float
    allowed: float | None = None
    lower_is_better: bool = False

    @property
    def failed(self) -> bool:
        """Whether it got worse by more than is allowed."""
        worse = self.after - self.before if self.lower_is_better else self.before - self.after
        return self.allowed is not None and worse > self.allowed + NOISE


class IncomparableError(GuardError):
    """Two evaluations cannot be compared; the message names what differs and the way out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Regression:
    """Something that got worse than is allowed, and the tuning questions that show it."""

    where: str
    message: str
    questions: tuple[str, ...] = ()


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
    changes = tuple(_changes(current["metrics"], baseline["metrics"], allowed))
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
        "gone_wrong": list(_gone_wrong(current, baseline)),
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
    value: float | None = question.get("shown" if metric == SHOWN else metric)
    return 1.0 if value is None else value


def _ends(question: Report, outcome: ReplyOutcome) -> bool:
    return question.get("outcome") == outcome


_SPOILT: Mapping[str, Callable[[Report], bool]] = {
    ABSTENTION_RATE: lambda it: it.get("precision") is None,
    ASSERTED_PRECISION: lambda it: _ends(it, ReplyOutcome.ASSERTED) and not it["precision"],
    # A near miss is a question without a recall: nothing is to be found.
    NEAR_ASSERTED: lambda it: _ends(it, ReplyOutcome.ASSERTED) and it["recall"] is None,
    NEAR_HEDGED: lambda it: _ends(it, ReplyOutcome.HEDGED) and it["recall"] is None,
}
"""Metrics that a question can only spoil, and when it does."""


def _wrongly_sure(current: Report, baseline: Report, allowed: Allowance) -> Iterator[Regression]:
    """Fail where less of what is asserted is right than is promised, whatever it was before."""
    found = current["metrics"].get("certainty") or {}
    share: float = found.get("asserted_precision", 1.0)
    if not found.get("asserted") or share >= allowed.asserted_floor - NOISE:
        return
    message = (
        f"asserted precision is {share:.3f} ({found['asserted_right']} of {found['asserted']});"
        f" at least {allowed.asserted_floor:.2f} is promised"
    )
    spoils = _SPOILT[ASSERTED_PRECISION]
    wrong = [name for name, item in current["questions"].items() if spoils(item)]
    before = baseline["questions"]
    new = tuple(name for name in wrong if not spoils(before.get(name, {})))
    yield Regression(where="overall", message=message, questions=new or tuple(wrong))


def _notes(now: Report, before: Report) -> list[str]:
    """Say what could not be compared, because the baseline is from before it was measured."""
    new, old = now.get("certainty") or {}, before.get("certainty") or {}
    untold = [metric for metric, key in CERTAINTY.items() if key in new and key not in old]
    untold += [ADDED] if _paced(now) and not _paced(before) else []
    if not untold:
        return []
    names = ", ".join(name.replace("_", " ") for name in untold)
    return [f"the baseline does not tell {names}; a new one does (make baseline)"]


def _changes(now: Report, before: Report, allowed: Allowance) -> Iterator[Change]:
    """Return every figure that both metrics tell, in the order in which it is shown."""
    for where in ("overall", *before["by_collection"]):
        new, old = (
            each["overall"] if where == "overall" else each["by_collection"].get(where, {})
            for each in (now, before)
        )
        limits = {"precision": allowed.precision, "recall": allowed.recall, "f1": None}
        for metric, limit in limits.items():
            if metric in new and metric in old:
                yield Change(where, metric, old[metric], new[metric], limit)
    yield from _certainty(now, before, allowed)
    held, was = now.get("sentences"), before.get("sentences")
    if held and was and was["count"]:
        yield Change("overall", SENTENCES_HELD, was["share"], held["share"], allowed.recall)
    for group, metric, called, share in (
        ("abstention", "total_rate", ABSTENTION_RATE, allowed.abstention),
        ("answers", "wrong_answers", "wrong_answers", None),
        ("answers", "wrong_refusals", "wrong_refusals", None),
        ("latency", "p50_ms", "p50_ms", None),
        ("latency", "p95_ms", "p95_ms", None),
    ):
        new, old = now.get(group, {}), before.get(group, {})
        if metric in new and metric in old:
            limit = None if share is None else share * old[metric]
            yield Change("overall", called, old[metric], new[metric], limit, lower_is_better=True)
    # Clocks of two machines cannot be compared, nor those of one that is busy and then is not: what
    # the plain search of the same questions took in each run says how much slower the later was.
    if _paced(now) and _paced(before):
        pace = now["control"]["p50_ms"] / before["control"]["p50_ms"]
        new, old = (each["added"]["p95_ms"] for each in (now, before))
        yield Change("overall", ADDED, old, new / pace, allowed.p95_ms, lower_is_better=True)


def _paced(metrics: Report) -> bool:
    return "added" in metrics and metrics["control"]["p50_ms"] > 0


def _certainty(now: Report, before: Report, allowed: Allowance) -> Iterator[Change]:
    """The three outcomes, where both tell of them; one that asserts nothing has no precision."""
    new, old = now.get("certainty") or {}, before.get("certainty") or {}
    limits = (allowed.asserted, allowed.shown, allowed.near_asserted, allowed.near_hedged)
    for (metric, key), limit in zip(CERTAINTY.items(), limits, strict=True):
        if metric == ASSERTED_PRECISION and not (new.get("asserted") and old.get("asserted")):
            continue
        if key in new and key in old:
            lower = metric in (NEAR_ASSERTED, NEAR_HEDGED)
            yield Change("overall", metric, old[key], new[key], limit, lower_is_better=lower)


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


def _gone_wrong(current: Report, baseline: Report) -> Iterator[Report]:
    """Yield what was right and is not any more; the words of tuning questions alone."""
    before = _failed(baseline) | _not_run(baseline)
    for item in current["failures"]:
        if item["id"] not in before:
            known = current["questions"].get(item["id"], {})
            yield {
                "id": item["id"],
                "reason": item["reason"],
                "query": known.get("query", HELD_OUT),
                "collections": tuple(known.get("collections", ())),
            }


def _failed(results: Report) -> set[str]:
    return {item["id"] for item in results["failures"]}


def _not_run(results: Report) -> set[str]:
    return {item["id"] for item in results["could_not_run"]}
