"""What ``elysia-guard doctor`` says of profile, limits, weights and languages in force."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from elysia_guard import config
from elysia_guard.domain.profiles import DEFAULT
from elysia_guard.domain.search_weights import AS_EVER
from elysia_guard.domain.thresholds import Limits, Thresholds
from elysia_guard.edge.cli.doctor_surroundings import Check, PartState
from elysia_guard.language.pack import packs
from elysia_guard.wiring.models import lacks_model
from elysia_guard.wiring.sources import weights_of

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring

MODELS = ("calibration", "words_alone", "forms_alone")
Found = dict[str, dict[str, object]]


def profile(wiring: Wiring) -> Check:
    """Name the profile in force, and the document whose policy it is."""
    policy = wiring.config.policy
    text = f"{policy.label} ({policy.document})"
    if policy.without:
        text += f"; {len(policy.without)} things left out: docs/profiles.md"
    lacking = lacks_model(wiring.config)
    return Check(
        "profile",
        PartState.ERROR if lacking else PartState.OK,
        f"{text}; {lacking}" if lacking else text,
        needed=bool(lacking),
        rows=() if policy == DEFAULT else (("gate", "rule"), *policy.described.items()),
        data={
            "name": str(policy.name),
            "limits": wiring.config.profile_limits,
            "document": policy.document,
            "gates": policy.described,
            "needs_model": policy.needs_model,
            "without": list(policy.without),
            "beyond": list(policy.beyond),
        },
    )


def languages(_wiring: Wiring) -> Check:
    """Read every file of every language, which a question reads only when it needs them."""
    lacking = {lang: list(item.lacking) for lang, item in packs().items()}
    for item in packs().values():
        item.check()
    without = (f"{lang} lacks {', '.join(files)}" for lang, files in lacking.items() if files)
    text = "; ".join((", ".join(lacking), *without))
    return Check("languages", PartState.OK, text, needed=True, data={"lacking": lacking})


def thresholds(wiring: Wiring) -> Check:
    """Tell the limits in force for each collection, each with the key that sets it."""
    path = wiring.config.thresholds
    limits = config.load_thresholds(path)
    file = config.read_thresholds(path)
    own, like = wiring.config.collection_names, wiring.config.collections_like
    written = config.by_collection({name: name for name in file.collections}, own, path, like=like)
    names = {name: written.get(name, name) for name in own.values()}
    settings = [setting for name in names for setting in _limits(file, name, names[name])]
    settings += [
        {"collection": "", "value": value, "source": f"confidence.{key}"}
        for key, value in file.confidence.model_dump().items()
    ]
    header = ("collection", "distance_threshold", "min_query_coverage", "set by")
    rows = (header, *(_limits_row(file, name, section) for name, section in names.items()))
    state, fitted = _fitted(file, wiring.embedder.model_id)
    policy = wiring.config.policy
    if policy == DEFAULT:
        said = f"refuses below {limits.min_confidence:.2f}"
    elif policy.gates and not policy.limits:
        said = f"in force by the rules of profile {policy.name}"
    else:
        said, rows = f"its limits are not in force under profile {policy.name}", ()
        settings = [
            {"collection": "", "value": value, "source": f"profiles.{policy.name}.{key}"}
            for key, value in policy.limits.items()
        ]
    data = {
        "path": str(path),
        "in_force": settings,
        "fitted": file.fitted.model_dump() if file.fitted else None,
    }
    text = f"{path}; {fitted}; {said}"
    return Check("thresholds", state, text, needed=True, rows=rows, data=data)


def _fitted(file: config.ThresholdsFile, model: str) -> tuple[PartState, str]:
    fitted = file.fitted
    if not fitted:
        return PartState.OK, "calibration not fitted: provisional numbers"
    if fitted.model != model:
        return PartState.ERROR, f"calibration fitted for {fitted.model}, the embedder is {model}"
    return (
        PartState.OK,
        f"calibration fitted on {fitted.cases} cases ({fitted.golden_set_hash[:12]})",
    )


def _limits(file: config.ThresholdsFile, name: str, section: str) -> list[dict[str, object]]:
    """List the limits in force for a collection, each with the key that sets it."""
    own, default = file.collections.get(section), file.default
    found: list[dict[str, object]] = []
    for key in ("distance_threshold", "min_query_coverage", *MODELS):
        value = getattr(own, key, None)
        source = f"default.{key}" if value is None else f"collections.{section}.{key}"
        shown = getattr(default, key) if value is None else value
        plain = shown if isinstance(shown, float) else shown.model_dump()
        found.append({"collection": name, "value": plain, "source": source})
    return found


def _limits_row(file: config.ThresholdsFile, name: str, section: str) -> tuple[str, ...]:
    limits = _limits(file, name, section)
    distance, coverage, *_ = (limit["value"] for limit in limits)
    keys = [str(limit["source"]).rpartition(".") for limit in limits]
    main = keys[0][0]
    others = [f"{key}: {section}" for section, _, key in keys if section != main]
    return name, f"≤ {distance:.2f}", f"≥ {coverage:.2f}", ", ".join([main, *others])


def weights(wiring: Wiring) -> Check:
    """Tell what rankings count, and the coefficients of every model of confidence."""
    # The pipeline would open an index, and there may be none yet.
    limits = config.load_thresholds(wiring.config.thresholds)
    found = {**_searches(wiring), **_confidence(limits)}
    if limits.matter:
        found["matter"] = asdict(limits.matter)
    rows = [(name, ", ".join(map(_pair, values.items()))) for name, values in found.items()]
    return Check(
        "weights",
        PartState.OK,
        _weights_text(limits),
        rows=(("of", "in force"), *rows),
        data={"in_force": found},
    )


def _searches(wiring: Wiring) -> Found:
    """What the rankings of a search count, for each collection that it looks into."""
    names, counted = wiring.config.collections, weights_of(wiring.config)
    return {
        f"search {name}": asdict(counted.get(kind, AS_EVER))
        for kind, name in sorted(names.items(), key=lambda item: item[1])
    }


def _confidence(limits: Thresholds) -> Found:
    """The models of all collections, and those of collections that have their own."""
    shared = _models(limits.default)
    own = {
        f"{name} {collection}": model
        for collection, section in sorted(limits.collections.items())
        for name, model in _models(section).items()
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


def _weights_text(limits: Thresholds) -> str:
    matter = "by its own model" if limits.matter else f"always {limits.entity_matter:.2f}"
    return f"a matter of a named document {matter}"


def _pair(item: tuple[str, object]) -> str:
    name, value = item
    return f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
