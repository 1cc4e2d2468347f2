"""Which other documents a text names: by kind and number, or by a link to their files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from os.path import normpath
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from elysia_guard.adapters.documents.content import ParsedDocument
from elysia_guard.domain.document import Document, Identity
from elysia_guard.language.references import reference_places


def links_of(parsed: Mapping[str, ParsedDocument]) -> dict[str, tuple[str, ...]]:
    """Return by id the ids of the other documents that each names, in the order of their ids.

    What an approval record names is its own, and not what it approves names: others wrote it.
    """
    numbered: defaultdict[Identity | None, list[Document]] = defaultdict(list)
    files: defaultdict[tuple[str, str], list[Document]] = defaultdict(list)
    for item in parsed.values():
        document = item.document
        numbered[document.identity].append(document)
        files[document.root, document.path].append(document)
    found = {}
    for id_, item in parsed.items():
        named = {_meant(numbered[each], item.document) for each in _identities(item)}
        named |= {_only(files.get(each, [])) for each in _paths(item)}
        found[id_] = tuple(sorted(named - {"", id_}))
    return found


def _identities(item: ParsedDocument) -> Iterator[Identity]:
    texts = (f"{passage.section}\n{passage.text}" for passage in item.passages)
    for text in (item.document.title, *texts):
        for _, _, references in reference_places(text):
            yield from (each.identity for each in references if each.identity)


def _paths(item: ParsedDocument) -> Iterator[tuple[str, str]]:
    """The files that its links lead to, by folder and path; a link into the web leads to none."""
    folder = PurePosixPath(item.document.path).parent
    for link in item.links:
        to = urlsplit(link)
        if to.path and not (to.scheme or to.netloc):
            yield item.document.root, normpath(folder / unquote(to.path))


def _meant(bearers: list[Document], by: Document) -> str:
    """The one that bears a number; of several the one in the folder of who names it."""
    folder = PurePosixPath(by.path).parent
    near = [each for each in bearers if PurePosixPath(each.path).parent == folder]
    return _only(bearers if len(bearers) == 1 else near)


def _only(found: list[Document]) -> str:
    return found[0].id if len(found) == 1 else ""
