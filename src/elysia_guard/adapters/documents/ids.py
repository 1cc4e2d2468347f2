"""Ids: every document has one of its own; and what tells documents of one number or title apart."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import PurePath

from elysia_guard.adapters.documents.content import ParsedDocument, Skipped
from elysia_guard.domain.document import Document

Read = tuple[str, ParsedDocument | Skipped]
"""A file by the path that tells it from all others, and what became of it."""
LONGEST_APART = 120
"""Characters of a title that tells a document from others in its name."""
_NUMBER = re.compile(r"\A\W*[^\W\d_]*[-_. ]*\d+d?", re.IGNORECASE)


def by_path(path: str) -> str:
    """The id of a document that has no number."""
    return f"DOC-{_slug(path)}"


def with_ids(read: Iterable[Read]) -> Iterator[Read]:
    """Give each document an id that no other has; the same text under one id stays one.

    Documents of one kind and number have their paths in their ids, whichever is read first. Paths
    that come to the same (two formats, a blank for a hyphen) are counted.
    """
    found = list(read)
    documents = [item.document for _, item in found if isinstance(item, ParsedDocument)]
    texts: defaultdict[str, set[str]] = defaultdict(set)
    for item in documents:
        texts[item.id].add(item.sha256)
    within = _Within(documents)
    given: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for shown, result in found:
        if isinstance(result, Skipped):
            yield shown, result
            continue
        document = result.document
        key = document.id, document.sha256
        if key not in given:
            own = document.id
            if document.number is not None and len(texts[own]) > 1:
                own = f"{own}-{_slug(str(within.path(document)))}"
            names = chain([own], (f"{own}-{n}" for n in count(2)))
            given[key] = next(name for name in names if name not in taken)
            taken.add(given[key])
        yield shown, result.under(given[key])


def is_of(own: str, id_: str) -> bool:
    """Tell whether a document that calls itself ``own`` may have an id among others."""
    return id_ == own or id_.startswith(f"{own}-")


def told_apart(documents: Sequence[Document]) -> dict[str, str]:
    """Return, by id, what tells a document from all others of its number, or of its title.

    That is its folder where none of the others lies in one of that name, else its title, else its
    file.
    """
    alike: defaultdict[Hashable, list[Document]] = defaultdict(list)
    for document in documents:
        alike[document.identity or document.title.casefold()].append(document)
    within = _Within(documents)
    return {
        item.id: told
        for group in alike.values()
        if len(group) > 1
        for item, told in zip(group, _apart(group, within), strict=True)
    }


def _apart(group: Sequence[Document], within: _Within) -> Iterator[str]:
    paths = [within.path(item) for item in group]
    folders = [path.parts[:-1] for path in paths]
    titles = [item.title.casefold() for item in group]
    for place, (item, path) in enumerate(zip(group, paths, strict=True)):
        others = {name for n, names in enumerate(folders) if n != place for name in names}
        folder = next((name for name in reversed(folders[place]) if name not in others), "")
        is_titled = titles.count(titles[place]) == 1 and len(item.title) <= LONGEST_APART
        yield folder or (item.title if is_titled else "") or str(path)


def paired(documents: Iterable[Document]) -> dict[str, str]:
    """Return approval records and what they approve, each by the id of the other.

    Where several documents or records are of one number, those that lie in one folder belong
    together, else those whose files have one name there, but for the number; of others nothing
    tells.
    """
    alike: defaultdict[Hashable, list[Document]] = defaultdict(list)
    for document in documents:
        if document.number is not None:
            alike[document.kind, document.number].append(document)
    pairs: dict[str, str] = {}
    for group in alike.values():
        folders: defaultdict[Hashable, list[Document]] = defaultdict(list)
        for item in group:
            path = PurePath(item.path)
            folders[item.root, path.parent].append(item)
            folders[item.root, path.parent, _NUMBER.sub("", path.stem)].append(item)
        for together in (group, *folders.values()):
            sides = {item.approval: item.id for item in together}
            if len(together) == len(sides) == len((True, False)):
                pairs |= {sides[True]: sides[False], sides[False]: sides[True]}
    return pairs


def unpaired(documents: Sequence[Document]) -> dict[str, str]:
    """Warn, by id, of records of a number that several documents have, so that nothing tells which.

    A record whose document is not there at all is none of them.
    """
    pairs, there = paired(documents), {item.identity for item in documents if not item.approval}
    return {
        item.id: f"{item.path}: several documents or records are of number {item.number}, and "
        "nothing tells which of them it approves; call its file as that of its document"
        for item in documents
        if item.approval and item.identity and item.id not in pairs
        if replace(item.identity, approval=False) in there
    }


class _Within:
    """Paths of documents below the folder in which all of them lie."""

    def __init__(self, documents: Iterable[Document]) -> None:
        roots = {document.root for document in documents}
        self._above: Mapping[str, PurePath] = {}
        if len(roots) > 1 and all(roots):
            top = os.path.commonpath(roots)
            self._above = {root: PurePath(os.path.relpath(root, top)) for root in roots}

    def path(self, document: Document) -> PurePath:
        return self._above.get(document.root, PurePath()) / document.path


def _slug(path: str) -> str:
    stem = str(PurePath(path).with_suffix(""))
    bare = "".join(
        c for c in unicodedata.normalize("NFKD", stem.lower()) if not unicodedata.combining(c)
    )
    return re.sub(r"[\W_]+", "-", bare).strip("-")
