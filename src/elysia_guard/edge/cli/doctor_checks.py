"""What ``elysia-guard doctor`` looks at: each check tries a part, as a question would use it."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard import config
from elysia_guard.adapters.models.vetting import ANSWERED, control_units
from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.domain.document import Document, DocumentKind, Filters, IndexInfo, Passage
from elysia_guard.domain.errors import (
    ConfigError,
    ConversationStoreError,
    GuardError,
    PassageIndexError,
    SourceUnavailableError,
)
from elysia_guard.edge.cli import doctor_settings, doctor_surroundings
from elysia_guard.edge.cli.doctor_surroundings import Check, PartState
from elysia_guard.language.own_kinds import own_folder
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.edge.cli.options import Setup
    from elysia_guard.ports import Embedder
    from elysia_guard.wiring import Wiring

CONVERSATIONS = "conversations"
QUESTION = "How often are keys rotated?"
ANSWERING = Passage(
    id="doctor#0",
    document=Document(
        id="doctor", kind=DocumentKind.DOCUMENT, title="Keys", path="doctor", sha256=""
    ),
    section="",
    text="Keys are rotated every year.",
    position=0,
)
BESIDE = replace(
    ANSWERING, id="doctor#1", text="Keys are kept in a cabinet on the first floor.", position=1
)


def check_all(setup: Setup) -> Iterator[Check]:
    """Look at every part; what needs a configuration is left out where there is none."""
    yield doctor_surroundings.program()
    try:
        wiring = setup.wiring()
    except GuardError as err:
        yield Check("configuration", PartState.ERROR, str(err), needed=True)
    else:
        yield _configuration(setup, wiring)
        for part, look in PARTS.items():
            try:
                yield look(wiring)
            except (GuardError, OSError) as err:
                yield Check(part, PartState.ERROR, str(err), needed=True)
    yield doctor_surroundings.elysia()
    yield doctor_surroundings.language_model()
    yield doctor_surroundings.weaviate()


def _configuration(setup: Setup, wiring: Wiring) -> Check:
    path = str(setup.config or config.chosen(os.environ))
    variables = sorted(name for name in os.environ if name.startswith(config.PREFIX))
    over = f"; changed by {', '.join(variables)}" if variables else ""
    if languages := own_folder():
        over += f"; languages: {languages}"
    data = {
        "path": path,
        "variables": variables,
        "languages": str(languages or ""),
        "log_queries": wiring.config.log_queries,
    }
    return Check("configuration", PartState.OK, f"{path}{over}", needed=True, data=data)


def knowledge(wiring: Wiring) -> Check:
    """Say whose documents and terms are asked: the demo's, or what the settings name."""
    text, demo = f"of your own, in {wiring.index_place}", wiring.is_demo
    if demo:
        text = "the demo that ships, of a grid operator that does not exist"
    return Check("knowledge", PartState.OK, text, data={"demo": demo})


def vocabulary(wiring: Wiring) -> Check:
    """Read the files, or look a term up: what a question about a term would do."""
    section = wiring.config.terminology
    if notice := wiring.left_out.vocabulary and wiring.left_out.notice:
        return Check("vocabulary", PartState.OK, notice, needed=True)
    if not section.files and section.kind == "skos_file":
        text = "none is configured; what a term means is then looked for in the documents"
        return Check("vocabulary", PartState.OK, text, needed=True)
    if section.kind == "skosmos" and section.skosmos:
        return _skosmos(wiring, section.skosmos)
    return _skos_files(section.files, section.max_bytes)


def _skosmos(wiring: Wiring, section: config.SkosmosSection) -> Check:
    """Look a term up: a server that answers, but with nothing, is not well either."""
    term = section.known_term
    data = {"url": section.url, "vocabularies": dict(section.vocabularies), "known_term": term}
    state, said = PartState.OK, "answers; set known_term to tell outages from misses"
    try:
        source = wiring.terminology
        found = run_anywhere(source.lookup(term or "x", lang="en")) if source else ()
    except SourceUnavailableError as err:
        state, said = PartState.ERROR, str(err)
    else:
        if found:
            said = f"'{term}' is there"
        elif term:
            state, said = PartState.ERROR, f"does not know '{term}'"
    text = f"Skosmos at {section.url}: {said}"
    return Check("vocabulary", state, text, needed=True, data=data)


def _skos_files(files: Sequence[Path], max_bytes: int) -> Check:
    empty: list[str] = []
    concepts = read_concepts(
        files, max_bytes=max_bytes, on_empty=lambda err: empty.append(str(err))
    )
    languages = Counter(text.lang for item in concepts for text in item.preferred if text.lang)
    deprecated = sum(item.deprecated for item in concepts)
    spoken = ", ".join(f"{lang} {count}" for lang, count in languages.most_common())
    names = ", ".join(map(str, files))
    told = f"{names}; {len(concepts)} concepts ({spoken}), {deprecated} deprecated"
    data = {
        "files": [str(file) for file in files],
        "concepts": len(concepts),
        "deprecated": deprecated,
        "languages": dict(languages),
    }
    state = PartState.ERROR if empty else PartState.OK
    return Check("vocabulary", state, "; ".join([*empty, told]), needed=not empty, data=data)


def index(wiring: Wiring) -> Check:
    """Open the index; one in a Weaviate is searched: a server that is up may hold none."""
    path, place = wiring.config.index.path, wiring.index_place
    if wiring.config.index.kind == "weaviate":
        try:
            return _damage(wiring) or _weaviate_index(wiring)
        except (SourceUnavailableError, PassageIndexError) as err:
            data = {"location": place}
            return Check("index", PartState.ERROR, f"{place}: {err}", needed=True, data=data)
    if wiring.left_out.documents:
        text = wiring.left_out.notice or "no documents (index.kind: none)"
        return Check("index", PartState.OK, text, needed=True)
    if wiring.index_missing:
        text = f"{path} is not built yet; the first question builds it, or: elysia-guard ingest"
        return Check("index", PartState.MISSING, text, data={"path": str(path)})
    if not path.exists():
        text = f"{path}; run: elysia-guard ingest FOLDER"
        return Check("index", PartState.MISSING, text, needed=True, data={"path": str(path)})
    return _damage(wiring) or _sqlite_index(wiring)


def _sqlite_index(wiring: Wiring) -> Check:
    path, model = wiring.config.index.path, wiring.embedder
    opened = SqliteIndex.open(
        path,
        model_id=model.model_id,
        dimension=model.dimension,
        kinds=wiring.config.kinds,
    )
    info = run_anywhere(opened.info())
    opened.close()
    size = path.stat().st_size
    return _held(wiring, info, str(path), f"{size / 1e6:.1f} MB", {"bytes": size})


def _weaviate_index(wiring: Wiring) -> Check:
    place, started = wiring.index_place, time.perf_counter()
    info = run_anywhere(wiring.index.info())
    run_anywhere(wiring.index.search("grid", None, filters=Filters(), limit=1))
    elapsed_ms = (time.perf_counter() - started) * 1000
    return _held(wiring, info, place, f"answers in {elapsed_ms:.0f} ms", {"location": place})


def _held(
    wiring: Wiring, info: IndexInfo, place: str, measured: str, data: dict[str, object]
) -> Check:
    """Say what an index holds, and how large or how quick it is."""
    types = ", ".join(f"{name} {count}" for name, count in sorted(info.by_type.items()))
    text = (
        f"{place}; {info.documents} documents ({types}), {info.passages} passages, "
        f"{measured}, built with {info.model_id}{_behind(wiring)}"
    )
    told = {**asdict(info), "by_type": dict(info.by_type), **data}
    return Check("index", PartState.OK, text, needed=True, data=told)


def _damage(wiring: Wiring) -> Check | None:
    """Say what of the index does not stand as it was written; None if everything does."""
    place, found = wiring.index_place, run_anywhere(wiring.index_damage()).findings
    if not found:
        return None
    text = f"{place}: {'; '.join(found)}; mend it: elysia-guard ingest"
    data = {"location": place, "damage": list(found)}
    return Check("index", PartState.ERROR, text, needed=True, data=data)


def _behind(wiring: Wiring) -> str:
    """Say whether the folders have changed since the index was filled."""
    if not wiring.config.index.sources:
        return ""
    plan = run_anywhere(wiring.fill_index(dry_run=True))
    changes = len(plan.added) + len(plan.updated) + len(plan.removed)
    return f"; {changes} documents have changed since: elysia-guard ingest" if changes else ""


def _embedder(wiring: Wiring) -> Check:
    return _embedding("embedder", wiring.embedder)


def _embedding(part: str, embedder: Embedder) -> Check:
    """Ask a model twice: the first question waits until it is loaded."""
    started = time.perf_counter()
    run_anywhere(embedder.embed_question("How do we ensure grid stability?"))
    loaded = time.perf_counter()
    run_anywhere(embedder.embed_question("What is the data retention policy?"))
    load_ms, embed_ms = (loaded - started) * 1000, (time.perf_counter() - loaded) * 1000
    text = (
        f"{embedder.model_id}, {embedder.dimension} dimensions; "
        f"{embed_ms:.1f} ms a question, {load_ms:.0f} ms to load"
    )
    data = {
        "model_id": embedder.model_id,
        "dimension": embedder.dimension,
        "embed_ms": round(embed_ms, 3),
        "load_ms": round(load_ms, 3),
    }
    return Check(part, PartState.OK, text, needed=True, data=data)


def language_model(wiring: Wiring) -> Check:
    """Ask the model the control questions, which it has to pass to be believed."""
    section, guidance = wiring.config.llm, wiring.guidance
    data: dict[str, object] = {"use": section.use, "mode": section.mode}
    if guidance is None:
        text = "none is used (llm.use: none); the rules answer"
        if wiring.config.points_with_elysia:
            text = (
                "the models of Elysia's settings, on trees that have them: two calls at most for a "
                "question that passages answer, some 5,000 tokens; else the rules answer"
            )
        return Check("language model", PartState.OK, text, data=data)
    model = guidance.guide.model_id
    data["model_id"] = model
    started = time.perf_counter()
    try:
        run_anywhere(guidance.guide.point(ANSWERED, control_units()))
    except SourceUnavailableError as err:
        text = f"{model}: {err}; the rules answer until it does"
        return Check("language model", PartState.ERROR, text, data=data)
    data["answered_ms"] = elapsed_ms = round((time.perf_counter() - started) * 1000, 3)
    worth = wiring.pipeline.thresholds.pointing
    known = worth if worth and worth.model == model else None
    data["measured"] = known.answers if known else None
    text = (
        f"{model}, mode {section.mode}; passes the control questions, in {elapsed_ms:.0f} ms; two "
        "calls at most for a question that passages answer, some 5,000 tokens; "
    )
    text += (
        f"{known.answers:.3f} of its answers were right"
        if known
        else "not measured, so what it points at is hedged: elysia-guard tune --judge"
    )
    return Check("language model", PartState.OK, text, data=data)


def conversations(wiring: Wiring) -> Check:
    """Ask the store, as opening a conversation does; the guard answers without it too."""
    section = wiring.config.conversations
    try:
        keeper = wiring.conversations
    except ConfigError as err:
        # The chat does not start with it.
        return Check(CONVERSATIONS, PartState.ERROR, str(err), needed=True)
    if keeper is None:
        text = "not kept (conversations.enabled); they end with the server"
        return Check(CONVERSATIONS, PartState.OK, text, data={"kept": False})
    data: dict[str, object] = {
        "kept": True,
        "place": keeper.place,
        "shared": section.shared,
        "keep_days": section.keep_days,
    }
    started = time.perf_counter()
    try:
        # Not through the keeper, which would only log what is wrong.
        run_anywhere(keeper.store.listed(""))
    except ConversationStoreError as err:
        return Check(CONVERSATIONS, PartState.ERROR, str(err), data=data)
    data["answers_ms"] = round((time.perf_counter() - started) * 1000, 1)
    kept = "for good" if section.keep_days is None else f"for {section.keep_days} days"
    others = ", shared with other servers" if section.shared else ""
    text = f"{keeper.place}, kept {kept}{others}; answers in {data['answers_ms']} ms"
    return Check(CONVERSATIONS, PartState.OK, text, data=data)


PARTS: dict[str, Callable[[Wiring], Check]] = {
    "profile": doctor_settings.profile,
    "thresholds": doctor_settings.thresholds,
    "weights": doctor_settings.weights,
    "languages": doctor_settings.languages,
    "knowledge": knowledge,
    "vocabulary": vocabulary,
    "index": index,
    "embedder": _embedder,
    "language model": language_model,
    CONVERSATIONS: conversations,
}
