"""Proving who every document is: by which evidence, and what contradicts it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from elysia_guard.adapters.documents.content import ParsedDocument, Skipped
from elysia_guard.adapters.documents.identity import TITLE_NUMBER
from elysia_guard.adapters.documents.ids import is_of, paired, unpaired
from elysia_guard.adapters.documents.joining import linked, misheaded, odd_numbers
from elysia_guard.adapters.documents.reader import read_files
from elysia_guard.domain.document import Document
from elysia_guard.language.approvals import differences


@dataclass(frozen=True, kw_only=True, slots=True)
class Verified:
    """One document; ``evidence`` names what says who it is, the first of which is believed.

    ``approval_record`` is the id of the record that approves it, or of the document it approves.
    """

    document: Document
    approval_record: str
    evidence: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what is said of the document, in plain values."""
        document = self.document
        who = {name: getattr(document, name) for name in ("path", "id", "doc_type")}
        which = {"kind": document.kind.value, "number": document.number}
        said = {name: getattr(document, name) for name in ("title", "status", "date", "lang")}
        record = {"approval": document.approval, "approval_record": self.approval_record}
        return {**who, **which, **record, **said, "evidence": self.evidence}


@dataclass(frozen=True, kw_only=True, slots=True)
class Conflict:
    """Why a document's identity cannot be trusted."""

    path: str
    problem: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Verification:
    """What was found; it holds when there is no conflict."""

    documents: tuple[Verified, ...]
    conflicts: tuple[Conflict, ...]
    skipped: tuple[Skipped, ...]
    warnings: tuple[Conflict, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        rows = [row.to_dict() for row in self.documents]
        return {"holds": not self.conflicts, **asdict(self), "documents": rows}


def verify(
    paths: Iterable[Path | str],
    *,
    indexed: Sequence[Document] | None = None,
    allow_documents: bool = False,
) -> Verification:
    """Read folders, and compare them with the documents of an index where one is given.

    ``allow_documents`` accepts documents that are no decision, principle or policy.

    Raises:
        DocumentError: a path does not exist.
    """
    read = list(read_files(paths))
    parsed = [item for item in read if isinstance(item, ParsedDocument)]
    documents = [item.document for item in parsed]
    conflicts = [_conflict(item.document, told) for item in parsed for told in item.warnings]
    conflicts += (
        Conflict(path=path, problem=warning.removeprefix(f"{path}: "))
        for path, told in odd_numbers(parsed).items()
        for warning in told
    )
    if not allow_documents:
        conflicts += _unknown(documents)
    if indexed is not None:
        conflicts += _against(documents, indexed)
    return Verification(
        documents=_rows(documents, {_key(item.document): _evidence(item) for item in parsed}),
        conflicts=tuple(conflicts),
        skipped=tuple(item for item in read if isinstance(item, Skipped)),
        warnings=(*_warnings(documents), *_different(parsed)),
    )


def verify_index(indexed: Sequence[Document], *, allow_documents: bool = False) -> Verification:
    """Check the documents of an index alone: each says of itself what its id says."""
    conflicts = [_conflict(item, f"its id is {item.id}") for item in indexed if _misnamed(item)]
    if not allow_documents:
        conflicts += _unknown(indexed)
    return Verification(
        documents=_rows(indexed, {_key(item): ("index",) for item in indexed}),
        conflicts=tuple(conflicts),
        skipped=(),
        warnings=tuple(_warnings(indexed)),
    )


def _rows(
    documents: Sequence[Document], evidence: dict[tuple[str, str], tuple[str, ...]]
) -> tuple[Verified, ...]:
    pairs = paired({document.id: document for document in documents}.values())
    return tuple(
        Verified(
            document=document,
            approval_record=pairs.get(document.id, ""),
            evidence=evidence[_key(document)],
        )
        for document in documents
    )


def _key(document: Document) -> tuple[str, str]:
    """A file may hold several documents, and several files may claim one identity."""
    return document.path, document.id


def _evidence(item: ParsedDocument) -> tuple[str, ...]:
    if item.claims:
        first, *others = (claim.source for claim in item.claims)
        return tuple(dict.fromkeys([first, *(each for each in others if each != TITLE_NUMBER)]))
    return ("folder",) if item.document.kind.is_numbered else ()


def _different(parsed: Sequence[ParsedDocument]) -> Iterator[Conflict]:
    """Tell where a document and its approval record disagree, and who says what."""
    for item in linked({item.document.id: item for item in reversed(parsed)}).values():
        document = item.document
        for found in differences(document):
            problem = f"its {found.what} is {found.own!r}, and {document.record} says "
            yield _conflict(document, f"{problem}{found.recorded!r}")
        for told in misheaded(document):
            yield _conflict(document, told)


def _unknown(documents: Iterable[Document]) -> list[Conflict]:
    problem = "its kind is unknown; give it a type, an identifier, or a folder such as 'decisions'"
    return [_conflict(item, problem) for item in documents if not item.kind.is_numbered]


def _against(documents: Sequence[Document], indexed: Sequence[Document]) -> Iterator[Conflict]:
    there = {item.id: item for item in indexed}
    for document in documents:
        other = there.pop(document.id, None)
        if other is None:
            yield _conflict(document, f"{document.id} is not in the index; ingest again")
        elif (other.identity, other.doc_type) != (document.identity, document.doc_type):
            yield _conflict(document, f"it is {document.doc_type}, in the index {other.doc_type}")
        elif other.sha256 != document.sha256:
            yield _conflict(document, f"the index holds another text of {document.id}")
    for other in there.values():
        yield _conflict(other, f"{other.id} is in the index, and no file is; ingest again")


def _misnamed(document: Document) -> bool:
    return document.identity is not None and not is_of(str(document.identity), document.id)


def _warnings(documents: Sequence[Document]) -> Iterator[Conflict]:
    there, lone = {item.identity for item in documents}, unpaired(documents)
    for document in documents:
        if document.approval and document.identity:
            approved = replace(document.identity, approval=False)
            if approved not in there:
                yield _conflict(document, f"it approves {approved}, which is not here")
        if document.id in lone:
            yield _conflict(document, lone[document.id])
        if document.number is None and document.kind.is_numbered:
            yield _conflict(document, f"a {document.kind} without a number")


def _conflict(document: Document, problem: str) -> Conflict:
    return Conflict(path=document.path, problem=problem.removeprefix(f"{document.path}: "))
