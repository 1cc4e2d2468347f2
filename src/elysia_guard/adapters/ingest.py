"""Bringing an index up to date with folders of documents."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from elysia_guard.adapters.documents import ParsedDocument, Skipped, embedding_text, read_folder
from elysia_guard.adapters.sqlite_index.schema import SCHEMA_VERSION
from elysia_guard.adapters.sqlite_index.writer import built_by, stored_fingerprints, writing
from elysia_guard.domain.errors import DocumentError
from elysia_guard.ports import Clock, Embedder


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestProgress:
    """How far an ingest is, in documents to write."""

    done: int
    total: int
    path: str


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestReport:
    """What an ingest did, as ids of documents; ``passages`` counts those of the whole index.

    ``rebuilt`` says why every document was embedded anew; empty if that was not necessary.
    """

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    documents: int = 0
    passages: int = 0
    rebuilt: str = ""
    dry_run: bool = False
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        return asdict(self)


async def ingest(
    paths: Sequence[Path | str],
    index_path: Path | str,
    embedder: Embedder,
    *,
    observe: Callable[[IngestProgress], None] | None = None,
    dry_run: bool = False,
    clock: Clock = time.perf_counter,
) -> IngestReport:
    """Make the index hold exactly the documents under the paths, and embed only what changed.

    The old index serves until the new one is complete; an ingest that is cut off changes nothing,
    and the next goes on where it stopped. ``dry_run`` reports what would be done.

    Raises:
        DocumentError: a path does not exist, or there is no document under any.
        PassageIndexError: another process writes, the place is read-only, or the disk is full.
        SourceUnavailableError: the embedder could not be asked.
    """
    started = clock()
    index_path = Path(index_path)
    read = list(read_folder(paths))
    parsed = {item.document.id: item for item in read if isinstance(item, ParsedDocument)}
    if not parsed:
        where = ", ".join(str(path) for path in paths)
        raise DocumentError(
            f"no document to read under {where or 'no path'}; the index is left as it is"
        )
    rebuilt = _why_rebuild(index_path, embedder)
    stored = stored_fingerprints(index_path) if index_path.exists() and not rebuilt else {}
    report = replace(_plan(parsed, stored), rebuilt=rebuilt, dry_run=dry_run)
    if not dry_run and (report.added or report.updated or report.removed or rebuilt):
        await _write(parsed, index_path, embedder, observe=observe)
    return replace(
        report,
        skipped=tuple(item for item in read if isinstance(item, Skipped)),
        warnings=tuple(warning for item in parsed.values() for warning in item.warnings),
        documents=len(parsed),
        passages=sum(len(item.passages) for item in parsed.values()),
        seconds=clock() - started,
    )


def _plan(parsed: dict[str, ParsedDocument], stored: dict[str, str]) -> IngestReport:
    same = {id_ for id_, item in parsed.items() if stored.get(id_) == _fingerprint(item)}
    return IngestReport(
        added=tuple(id_ for id_ in parsed if id_ not in stored),
        updated=tuple(id_ for id_ in parsed if id_ in stored and id_ not in same),
        unchanged=tuple(id_ for id_ in parsed if id_ in same),
        removed=tuple(id_ for id_ in stored if id_ not in parsed),
    )


async def _write(
    parsed: dict[str, ParsedDocument],
    index_path: Path,
    embedder: Embedder,
    *,
    observe: Callable[[IngestProgress], None] | None,
) -> None:
    with writing(index_path, model_id=embedder.model_id, dimension=embedder.dimension) as writer:
        # Asked again: the writer may go on from the work of an ingest that was cut off.
        plan = _plan(parsed, writer.fingerprints())
        for document_id in plan.removed:
            writer.remove(document_id)
        changed = [*plan.updated, *plan.added]
        for done, document_id in enumerate(changed, start=1):
            item = parsed[document_id]
            vectors = await embedder.embed([embedding_text(passage) for passage in item.passages])
            writer.put(item.document, item.passages, vectors, fingerprint=_fingerprint(item))
            if observe:
                observe(IngestProgress(done=done, total=len(changed), path=item.document.path))


def _fingerprint(item: ParsedDocument) -> str:
    """A hash of the file and of what was made of it: a better parser is a change too."""
    texts = [(embedding_text(passage), passage) for passage in item.passages]
    return hashlib.sha256(repr((item.document, texts)).encode("utf-8", "surrogatepass")).hexdigest()


def _why_rebuild(index_path: Path, embedder: Embedder) -> str:
    built = built_by(index_path)
    if built is None:
        return ""
    if built.schema_version != SCHEMA_VERSION:
        return f"schema version {built.schema_version} became {SCHEMA_VERSION}"
    if (built.model_id, built.dimension) != (embedder.model_id, embedder.dimension):
        return f"the model {built.model_id} was replaced by {embedder.model_id}"
    return ""
