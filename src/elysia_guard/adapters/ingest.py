"""Bringing an index up to date with folders of documents."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from elysia_guard.adapters.documents import (
    ContentCache,
    ParsedDocument,
    Skipped,
    embedding_text,
    linked,
    read_folder,
    sentence_texts,
)
from elysia_guard.adapters.documents.formats import DEADLINE_S
from elysia_guard.adapters.index_store import (
    Damage,
    Embedded,
    FindEmbedded,
    IndexStore,
    digest,
)
from elysia_guard.adapters.sqlite_index import SqliteStore
from elysia_guard.adapters.word_likeness import WordVectors
from elysia_guard.domain.document import Passage
from elysia_guard.domain.errors import DocumentError
from elysia_guard.language.coverage import passage_words
from elysia_guard.ports import Embedder


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestProgress:
    """How far an ingest is: in files to read, as long as it is ``reading``, then in documents."""

    done: int
    total: int
    path: str
    reading: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestReport:
    """What an ingest did, as ids of documents; ``passages`` counts those of the whole index.

    ``repaired`` were as they are, but did not stand whole in the index; ``damage`` says what was
    found there, and ``leftover`` counts what belonged to no document. ``dropped`` are collections
    that are deleted first. ``rebuilt`` says why every document was written anew; empty if that
    was not necessary. ``embedded`` counts the passages that were embedded: of others the index
    had the vectors already.
    """

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    warnings: tuple[str, ...] = ()
    documents: int = 0
    passages: int = 0
    embedded: int = 0
    rebuilt: str = ""
    damage: tuple[str, ...] = ()
    leftover: int = 0
    dropped: tuple[str, ...] = ()
    dry_run: bool = False
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class Beside:
    """What goes with an index beside its model.

    ``readings`` is a file to remember in what was read of files that take time; by default it lies
    beside an embedded index. ``words`` learns the words of what changed, or of everything if it
    has learnt none before. ``file_deadline_s``
    is for reading one file of PDF, DOCX or HTML.
    """

    readings: Path | None = None
    words: WordVectors | None = None
    file_deadline_s: float = DEADLINE_S


async def ingest(
    paths: Sequence[Path | str],
    index: IndexStore | Path | str,
    embedder: Embedder,
    *,
    observe: Callable[[IngestProgress], None] | None = None,
    dry_run: bool = False,
    beside: Beside | None = None,
) -> IngestReport:
    """Make the index hold exactly the documents under the paths, and embed only what changed.

    The old index serves until the new one is complete; an ingest that is cut off changes nothing,
    and the next goes on where it stopped. ``dry_run`` reports what would be done. A path is that
    of an embedded index.

    Raises:
        DocumentError: a path does not exist, or there is no document under any.
        PassageIndexError: another process writes, the place is read-only, or the disk is full.
        SourceUnavailableError: the embedder, or the server of the index, could not be asked.
    """
    started = time.perf_counter()
    store = SqliteStore(index) if isinstance(index, Path | str) else index
    beside = beside or Beside()
    memory = _memory(index, beside.readings, dry_run=dry_run)
    read = _read(paths, memory, observe, beside.file_deadline_s)
    parsed = linked({item.document.id: item for item in read if isinstance(item, ParsedDocument)})
    if not parsed:
        where = ", ".join(str(path) for path in paths)
        raise DocumentError(
            f"no document to read under {where or 'no path'}; the index is left as it is"
        )
    plan, damage, moved = await _planned(parsed, store, embedder)
    report = replace(plan, dry_run=dry_run)
    if not dry_run and (damage or moved or _changes(report)):
        stale = None if report.rebuilt else {*report.updated, *report.removed}
        known = await store.embedded(
            _key, model_id=embedder.model_id, dimension=embedder.dimension, of=stale
        )
        vectors = _Vectors(embedder, known)
        await _write(parsed, store, vectors, damaged=damage.documents, observe=observe)
        report = replace(report, embedded=vectors.embedded)
    if beside.words and not dry_run:
        changed = {*report.added, *report.updated} if beside.words.has_learnt else parsed.keys()
        await _learn(beside.words, [parsed[id_] for id_ in parsed if id_ in changed])
    return replace(
        report,
        skipped=tuple(item for item in read if isinstance(item, Skipped)),
        warnings=tuple(warning for item in parsed.values() for warning in item.warnings),
        documents=len(parsed),
        passages=sum(len(item.passages) for item in parsed.values()),
        seconds=time.perf_counter() - started,
    )


async def _planned(
    parsed: dict[str, ParsedDocument],
    store: IndexStore,
    embedder: Embedder,
) -> tuple[IngestReport, Damage, bool]:
    """Compare the documents with what the index holds, and that with what was written into it.

    Returns the plan, what is damaged, and whether documents lie elsewhere than they did.
    """
    model_id, dimension = embedder.model_id, embedder.dimension
    rebuilt = await store.why_rebuild(model_id=model_id, dimension=dimension)
    damage = Damage() if rebuilt else await store.damage()
    stored = {} if rebuilt else await store.fingerprints()
    dropped: Sequence[str] = ()
    if rebuilt or damage:
        dropped = await store.drops(model_id=model_id, dimension=dimension)
    plan = replace(
        _plan(parsed, stored, damage.documents),
        rebuilt=rebuilt,
        damage=damage.findings,
        leftover=damage.leftover,
        dropped=tuple(dropped),
    )
    return plan, damage, bool(_moved(parsed, stored))


async def _learn(words: WordVectors, parsed: Sequence[ParsedDocument]) -> None:
    """Learn the words of documents; those that cannot be kept are embedded as they are met."""
    for item in parsed:
        found = (word for passage in item.passages for word in passage_words(passage))
        try:
            await words.learn(found)
        except OSError:
            return


def _memory(
    index: IndexStore | Path | str, readings: Path | None, *, dry_run: bool
) -> ContentCache | None:
    if readings is None and isinstance(index, Path | str):
        readings = Path(f"{index}.readings")
    return ContentCache(readings, dry_run=dry_run) if readings else None


def _read(
    paths: Sequence[Path | str],
    memory: ContentCache | None,
    observe: Callable[[IngestProgress], None] | None,
    deadline_s: float,
) -> list[ParsedDocument | Skipped]:
    def tell(done: int, total: int, path: str) -> None:
        if observe:
            observe(IngestProgress(done=done, total=total, path=path, reading=True))

    read = list(read_folder(paths, memory=memory, tell=tell, deadline_s=deadline_s))
    if memory:
        memory.save()
    return read


def _changes(plan: IngestReport) -> bool:
    return bool(plan.rebuilt or plan.added or plan.updated or plan.repaired or plan.removed)


def _plan(
    parsed: dict[str, ParsedDocument], stored: Mapping[str, str], damaged: AbstractSet[str]
) -> IngestReport:
    same = {
        id_
        for id_, item in parsed.items()
        if id_ in stored and _content(stored[id_]) == _content(_fingerprint(item))
    }
    return IngestReport(
        added=tuple(id_ for id_ in parsed if id_ not in stored),
        updated=tuple(id_ for id_ in parsed if id_ in stored and id_ not in same),
        repaired=tuple(id_ for id_ in parsed if id_ in same & damaged),
        unchanged=tuple(id_ for id_ in parsed if id_ in same - damaged),
        removed=tuple(id_ for id_ in stored if id_ not in parsed),
    )


def _moved(parsed: dict[str, ParsedDocument], stored: Mapping[str, str]) -> list[ParsedDocument]:
    """The documents that are held as they are, and now lie in another folder."""
    found = ((item, stored.get(id_, ""), _fingerprint(item)) for id_, item in parsed.items())
    return [item for item, old, new in found if old != new and _content(old) == _content(new)]


async def _write(
    parsed: dict[str, ParsedDocument],
    store: IndexStore,
    vectors: _Vectors,
    *,
    damaged: AbstractSet[str],
    observe: Callable[[IngestProgress], None] | None,
) -> None:
    model_id, dimension = vectors.embedder.model_id, vectors.embedder.dimension
    async with store.writing(model_id=model_id, dimension=dimension) as writer:
        # Asked again: the writer may go on from the work of an ingest that was cut off.
        held = await writer.fingerprints()
        plan = _plan(parsed, held, damaged)
        for document_id in plan.removed:
            await writer.remove(document_id)
        for item in _moved(parsed, held):
            await writer.locate(item.document, fingerprint=_fingerprint(item))
        changed = [*plan.repaired, *plan.updated, *plan.added]
        for done, document_id in enumerate(changed, start=1):
            item = parsed[document_id]
            known = await vectors.of(item.passages)
            await writer.put(
                item.document,
                item.passages,
                [each.vector for each in known],
                sentences=[each.sentences for each in known],
                fingerprint=_fingerprint(item),
            )
            if observe:
                observe(IngestProgress(done=done, total=len(changed), path=item.document.path))


@dataclass(slots=True)
class _Vectors:
    """Embeds passages and their sentences, but for those whose vectors the index knows."""

    embedder: Embedder
    known: FindEmbedded
    embedded: int = 0

    async def of(self, passages: Sequence[Passage]) -> list[Embedded]:
        found = [self.known(_key(passage)) for passage in passages]
        new = [item for item, held in zip(passages, found, strict=True) if held is None]
        made = iter(await self._made(new) if new else ())
        self.embedded += len(new)
        return [held or next(made) for held in found]

    async def _made(self, passages: Sequence[Passage]) -> list[Embedded]:
        parts = [sentence_texts(passage) for passage in passages]
        whole = [embedding_text(passage) for passage in passages]
        vectors = await self.embedder.embed([*whole, *chain.from_iterable(parts)])
        rest = iter(vectors[len(whole) :])
        return [
            Embedded(vector=vector, sentences=list(islice(rest, len(part))))
            for vector, part in zip(vectors, parts, strict=False)
        ]


def _key(passage: Passage) -> bytes:
    """A digest of all the texts that are embedded of a passage."""
    return digest(repr((embedding_text(passage), sentence_texts(passage))))


def _fingerprint(item: ParsedDocument) -> str:
    """A hash of the file and of what was made of it, and the folder it lies in.

    A better parser is a change too, and so is one that cuts sentences elsewhere; a folder that was
    moved, or touched, is none.
    """
    document = replace(item.document, root="", stamp="")
    texts = [
        (embedding_text(passage), sentence_texts(passage), replace(passage, document=document))
        for passage in item.passages
    ]
    content = repr((document, texts)).encode("utf-8", "surrogatepass")
    return f"{hashlib.sha256(content).hexdigest()} {item.document.root}"


def _content(fingerprint: str) -> str:
    """The part of a fingerprint that says what a document holds, wherever it lies."""
    return fingerprint.partition(" ")[0]
