"""What ``elysia-guard doctor`` says of the weights of search, confidence and judge in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from elysia_guard import config
from elysia_guard.domain.search_weights import AS_EVER
from elysia_guard.domain.thresholds import Limits, Thresholds
from elysia_guard.edge.cli.surroundings import Check, State
from elysia_guard.wiring.passages import weights_of

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring

HEADER = ("of", "in force")
MODELS = ("calibration", "words_alone", "forms_alone")
Found = Mapping[str, Mapping[str, object]]


def look(wiring: Wiring) -> Check:
    """Tell what rankings count, and the coefficients of every model of confidence."""
    # The pipeline would open an index, and there may be none yet.
    thresholds = config.load_thresholds(wiring.config.thresholds)
    found = {**_searches(wiring), **_confidence(thresholds), **dict(_further(thresholds))}
    rows = [(name, ", ".join(map(_pair, values.items()))) for name, values in found.items()]
    return Check(
        part="weights",
        state=State.OK,
        text=_text(thresholds),
        rows=(HEADER, *rows),
        data={"in_force": {name: dict(values) for name, values in found.items()}},
    )


def _searches(wiring: Wiring) -> Found:
    """What the rankings of a search count, for each collection that it looks into."""
    names, weights = wiring.config.collections, weights_of(wiring.config)
    return {
        f"search {name}": asdict(weights.get(kind, AS_EVER))
        for kind, name in sorted(names.items(), key=lambda item: item[1])
    }


def _confidence(thresholds: Thresholds) -> Found:
    """The models of all collections, and those of collections that have their own."""
    shared = _models(thresholds.default)
    own = {
        f"{name} {collection}": model
        for collection, limits in sorted(thresholds.collections.items())
        for name, model in _models(limits).items()
        if model != shared.get(name)
    }
    return {**shared, **own}


def _models(limits: Limits) -> Found:
    """The models of confidence, without the coefficients that count nothing."""
    found = {name: getattr(limits, name) for name in MODELS}
    return {
        name: {key: value for key, value in asdict(model).items() if value}
        for name, model in found.items()
        if model is not None
    }


def _further(thresholds: Thresholds) -> Iterator[tuple[str, Mapping[str, object]]]:
    if thresholds.matter:
        yield "matter", asdict(thresholds.matter)
    if thresholds.judge:
        yield "judge", asdict(thresholds.judge)


def _text(thresholds: Thresholds) -> str:
    matter = "by its own model" if thresholds.matter else f"always {thresholds.entity_matter:.2f}"
    judge = f"calibrated for {thresholds.judge.model}" if thresholds.judge else "none calibrated"
    said = "no search is asserted for what one sentence says"
    if thresholds.search_said:
        said = (
            f"a search is {thresholds.search_said:.2f} sure where one sentence says"
            f" {thresholds.said_from:.2f} of every word"
        )
    return f"{said}; a matter of a named document {matter}; judge: {judge}"


def _pair(item: tuple[str, object]) -> str:
    name, value = item
    return f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
