"""What ``elysia-guard doctor`` looks at: each check tries a part, as a question would use it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from elysia_guard import config
from elysia_guard.adapters.index_store import space_of
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.domain.document import Filters
from elysia_guard.domain.errors import GuardError, PassageIndexError, SourceUnavailableError
from elysia_guard.domain.profiles import DEFAULT
from elysia_guard.edge.cli import (
    conversations_check,
    judge_check,
    profile_check,
    surroundings,
    verifier_check,
    vocabulary_check,
    weights_check,
    writer_check,
)
from elysia_guard.edge.cli.surroundings import Check, State
from elysia_guard.language.own_folder import own_folder
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.edge.cli.options import Setup
    from elysia_guard.ports import Embedder
    from elysia_guard.wiring import Wiring

HEADER = ("collection", "distance_threshold", "min_query_coverage", "set by")


def check_all(setup: Setup) -> Iterator[Check]:
    """Look at every part; what needs a configuration is left out where there is none."""
    yield surroundings.program()
    try:
        wiring = setup.wiring()
    except GuardError as err:
        yield Check(part="configuration", state=State.ERROR, text=str(err), needed=True)
    else:
        yield _configuration(setup, wiring)
        for part, look in _PARTS.items():
            yield _guarded(part, look, wiring)
    yield surroundings.elysia()
    yield surroundings.language_model()
    yield surroundings.weaviate()


def _guarded(part: str, look: Callable[[Wiring], Check], wiring: Wiring) -> Check:
    try:
        return look(wiring)
    except (GuardError, OSError) as err:
        return Check(part=part, state=State.ERROR, text=str(err), needed=True)


def _configuration(setup: Setup, wiring: Wiring) -> Check:
    path = str(setup.config or config.chosen(os.environ))
    variables = sorted(name for name in os.environ if name.startswith(config.PREFIX))
    over = f"; changed by {', '.join(variables)}" if variables else ""
    if languages := own_folder():
        over += f"; languages: {languages}"
    return Check(
        part="configuration",
        state=State.OK,
        text=f"{path}{over}",
        needed=True,
        data={
            "path": path,
            "variables": variables,
            "languages": str(languages or ""),
            "log_queries": wiring.config.log_queries,
        },
    )


def _thresholds(wiring: Wiring) -> Check:
    path = wiring.config.thresholds
    limits = config.load_thresholds(path)
    file = config.read_thresholds(path)
    own, like = wiring.config.collection_names, wiring.config.collections_like
    sections = {name: name for name in file.collections}
    written = config.by_collection(sections, own, path, like=like)
    names = {name: written.get(name, name) for name in own.values()}
    settings = [setting for name in names for setting in _limits(file, name, names[name])]
    settings += [
        {"collection": "", "value": value, "source": f"confidence.{key}"}
        for key, value in file.confidence.model_dump().items()
    ]
    state, fitted = _fitted(file, wiring.embedder.model_id)
    profile = wiring.config.policy
    rows: tuple[tuple[str, ...], ...] = ()
    if profile == DEFAULT:
        said, rows = f"refuses below {limits.min_confidence:.2f}", _rows(file, names)
    elif profile.gates and not profile.limits:
        said, rows = f"in force by the rules of profile {profile.name}", _rows(file, names)
    else:
        said = f"its limits are not in force under profile {profile.name}"
        settings = [
            {"collection": "", "value": value, "source": f"profiles.{profile.name}.{key}"}
            for key, value in profile.limits.items()
        ]
    return Check(
        part="thresholds",
        state=state,
        text=f"{path}; {fitted}; {said}",
        needed=True,
        rows=rows,
        data={
            "path": str(path),
            "in_force": settings,
            "fitted": file.fitted.model_dump() if file.fitted else None,
        },
    )


def _rows(file: config.ThresholdsFile, names: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    return (HEADER, *(_limits_row(file, name, section) for name, section in names.items()))


def _fitted(file: config.ThresholdsFile, model: str) -> tuple[State, str]:
    fitted = file.fitted
    if not fitted:
        return State.OK, "calibration not fitted: provisional numbers"
    if fitted.model != model:
        return State.ERROR, f"calibration fitted for {fitted.model}, the embedder is {model}"
    return State.OK, f"calibration fitted on {fitted.cases} cases ({fitted.golden_set_hash[:12]})"


def _limits(file: config.ThresholdsFile, name: str, section: str) -> list[dict[str, object]]:
    """List the limits in force for a collection, each with the key that sets it."""
    own, default = file.collections.get(section), file.default
    found: list[dict[str, object]] = []
    models = ("calibration", "words_alone", "forms_alone")
    for key in ("distance_threshold", "min_query_coverage", *models):
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


def _index(wiring: Wiring) -> Check:
    if wiring.config.index.kind == "weaviate":
        return _weaviate_index(wiring)
    path = wiring.config.index.path
    if wiring.left_out.documents:
        return Check(part="index", state=State.OK, text=wiring.left_out.notice, needed=True)
    if not path.exists():
        return Check(
            part="index",
            state=State.MISSING,
            text=f"{path}; run: elysia-guard ingest",
            needed=True,
            data={"path": str(path)},
        )
    if wrong := _damage(wiring):
        return wrong
    opened = SqliteIndex.open(
        path,
        model_id=wiring.embedder.model_id,
        dimension=wiring.embedder.dimension,
        second=space_of(wiring.second_embedder),
    )
    info = run_anywhere(opened.info())
    opened.close()
    size = path.stat().st_size
    types = ", ".join(f"{name} {count}" for name, count in sorted(info.by_type.items()))
    return Check(
        part="index",
        state=State.OK,
        text=f"{path}; {info.documents} documents ({types}), {info.passages} passages, "
        f"{size / 1e6:.1f} MB, built with {info.model_id}{_behind(wiring)}",
        needed=True,
        data={**asdict(info), "by_type": dict(info.by_type), "bytes": size},
    )


def _weaviate_index(wiring: Wiring) -> Check:
    """Search it, as a question would: a server that is up may still hold no index."""
    place = wiring.index_place
    try:
        if wrong := _damage(wiring):
            return wrong
        started = time.perf_counter()
        info = run_anywhere(wiring.index.info())
        run_anywhere(wiring.index.search("grid", None, filters=Filters(), limit=1))
    except (SourceUnavailableError, PassageIndexError) as err:
        return Check(
            part="index",
            state=State.ERROR,
            text=f"{place}: {err}",
            needed=True,
            data={"location": place},
        )
    elapsed_ms = (time.perf_counter() - started) * 1000
    types = ", ".join(f"{name} {count}" for name, count in sorted(info.by_type.items()))
    return Check(
        part="index",
        state=State.OK,
        text=f"{place}; {info.documents} documents ({types}), {info.passages} passages, "
        f"answers in {elapsed_ms:.0f} ms, built with {info.model_id}{_behind(wiring)}",
        needed=True,
        data={**asdict(info), "by_type": dict(info.by_type), "location": place},
    )


def _damage(wiring: Wiring) -> Check | None:
    """Say what of the index does not stand as it was written; None if everything does."""
    found = run_anywhere(wiring.index_damage())
    if not found.findings:
        return None
    return Check(
        part="index",
        state=State.ERROR,
        text=f"{wiring.index_place}: {'; '.join(found.findings)}; mend it: elysia-guard ingest",
        needed=True,
        data={"location": wiring.index_place, "damage": list(found.findings)},
    )


def _behind(wiring: Wiring) -> str:
    """Say whether the folders have changed since the index was filled."""
    if not wiring.config.index.sources:
        return ""
    plan = run_anywhere(wiring.fill_index(dry_run=True))
    changes = len(plan.added) + len(plan.updated) + len(plan.removed)
    said = f"; {changes} documents have changed since: elysia-guard ingest" if changes else ""
    if plan.conflicts:
        said += f"; {len(plan.conflicts)} documents are left out: elysia-guard ingest --dry-run"
    return said


def _second(wiring: Wiring) -> Check:
    """Without it the first ranks alone, as it does while the second is away."""
    if wiring.second_embedder is None:
        text = "none; set second_embedder.kind for one (docs/embedders.md)"
        return Check(part="second model", state=State.OK, text=text)
    return _asked("second model", wiring.second_embedder)


def _embedder(wiring: Wiring) -> Check:
    return _asked("embedder", wiring.embedder)


def _asked(part: str, embedder: Embedder) -> Check:
    """Ask a model twice: the first question waits until it is loaded."""
    started = time.perf_counter()
    run_anywhere(embedder.embed_question("How do we ensure grid stability?"))
    loaded = time.perf_counter()
    run_anywhere(embedder.embed_question("What is the data retention policy?"))
    load_ms, embed_ms = (loaded - started) * 1000, (time.perf_counter() - loaded) * 1000
    return Check(
        part=part,
        state=State.OK,
        text=f"{embedder.model_id}, {embedder.dimension} dimensions; "
        f"{embed_ms:.1f} ms a question, {load_ms:.0f} ms to load",
        needed=True,
        data={
            "model_id": embedder.model_id,
            "dimension": embedder.dimension,
            "embed_ms": round(embed_ms, 3),
            "load_ms": round(load_ms, 3),
        },
    )


_PARTS: dict[str, Callable[[Wiring], Check]] = {
    "profile": profile_check.look,
    "thresholds": _thresholds,
    "weights": weights_check.look,
    "vocabulary": vocabulary_check.look,
    "index": _index,
    "embedder": _embedder,
    "second model": _second,
    "judge": judge_check.look,
    "writer": writer_check.look,
    "verifier": verifier_check.look,
    conversations_check.PART: conversations_check.look,
}
