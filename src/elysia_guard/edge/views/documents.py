"""A document as a page: what it says of itself, its sections, and the words that were quoted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.origin import OriginState
from elysia_guard.domain.question import Lang
from elysia_guard.edge import linking
from elysia_guard.edge.views.marking import Marked, nearly, outside
from elysia_guard.edge.views.page import rendered, upper_first
from elysia_guard.language.catalogue import called, say
from elysia_guard.language.states import in_force, known_state

MOST_WORDS = 40
MOST_PASSAGES = 400
"""Shown of one document, around what is quoted: a book would take seconds."""
BEFORE = 40
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A document to show, with all others for its links; ``words`` are marked in it."""

    document: Document
    passages: Sequence[Passage]
    others: Sequence[Document]
    collections: Mapping[DocumentKind, str]
    lang: Lang
    words: Sequence[str] = ()
    state: OriginState = OriginState.UNCHANGED
    lines: str = ""
    """The lines of its file on which the first of the words stand: ':12-14'."""


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A section to show: where it stands in the document, and what writes its text."""

    level: int
    anchor: str
    heading: str
    write: Callable[[], str]


def page(opened: Opened) -> str:
    """Return a document as HTML."""
    document, lang = opened.document, opened.lang
    words = opened.words[:MOST_WORDS]
    marked = Marked(resolve=outside)
    title = marked.plain(document.title)
    facts = [(name, marked.plain(value), link) for name, value, link in _facts(opened)]
    shown = _around(opened.passages, words)
    parts = list(_parts(shown, marked))
    found = marked.letters.mark(words)
    return rendered(
        "document.html",
        lang=lang,
        title=document.title,
        name=document.label if document.identifier not in document.title else document.apart,
        heading=title(),
        facts=[(name, write(), link) for name, write, link in facts],
        notices=list(_notices(opened)),
        quoted=bool(words),
        found=found == len(set(words)),
        cut=len(shown) < len(opened.passages),
        parts=[(part, part.write()) for part in parts],
        of=document.lang or lang,
    )


def _facts(opened: Opened) -> Iterator[tuple[str, str, str]]:
    """Yield what a document says of itself: the name of each fact, its value, and its page."""
    document, lang = opened.document, opened.lang
    record = next((each for each in opened.others if each.id == document.record), None)
    stated = {
        "kind": upper_first(say(lang, f"list.{document.kind}_many")),
        "status": document.status,
        "date": document.date,
        "owner": document.owner,
        "version": document.version,
        "language": called(lang, document.lang) if document.lang else "",
        "replaces": document.supersedes,
        "replaced_by": document.superseded_by,
        "record": record.name if record else "",
        "file": f"{document.path}{opened.lines}",
    }
    named = {each.name.casefold(): each for each in opened.others}
    for name, value in stated.items():
        linked = name in {"replaces", "replaced_by", "record"}
        other = named.get(value.casefold()) if linked else None
        if value:
            link = _address(other, opened) if other else ""
            yield say(lang, f"page.{name}"), value, link


def _address(document: Document, opened: Opened) -> str:
    collection = opened.collections.get(document.kind, document.kind.value)
    return linking.document(collection, document.id, lang=opened.lang)


def _notices(opened: Opened) -> Iterator[str]:
    """Yield what a reader should know first: that it is not in force, or no longer as it was."""
    document, lang = opened.document, opened.lang
    if document.superseded_by:
        successor = document.superseded_by
        yield say(lang, "answer.superseded", name=document.name, successor=successor)
    elif not in_force(document.status):
        key = "not_in_force" if known_state(document.status) else "status_unclear"
        yield say(lang, f"answer.{key}", name=document.name, status=document.status)
    if opened.state is OriginState.CHANGED:
        yield say(lang, "stale.changed", names=document.name)
    elif opened.state is OriginState.GONE:
        yield say(lang, "page.gone")


def _around(passages: Sequence[Passage], words: Sequence[str]) -> Sequence[Passage]:
    """Return the passages to show: of a long document those around what is quoted first."""
    if len(passages) <= MOST_PASSAGES:
        return passages
    may_hold = nearly(words)
    places = (place for place, passage in enumerate(passages) if may_hold(passage.text))
    first = max(0, next(places, 0) - BEFORE)
    return passages[first : first + MOST_PASSAGES]


def _parts(passages: Sequence[Passage], marked: Marked) -> Iterator[_Part]:
    """Yield each heading with the text under it; passages of one section are one text."""
    above: list[str] = []
    anchors: set[str] = set()
    for passage in _joined(passages):
        path = passage.section.split(" > ") if passage.section else []
        same = 0
        while same < min(len(path), len(above)) and path[same] == above[same]:
            same += 1
        same = min(same, max(len(path) - 1, 0))
        for level, heading in enumerate(path[same:], start=same):
            last = level == len(path) - 1
            anchor = _anchor(heading, anchors)
            write = marked.markdown(passage.text) if last else _nothing
            yield _Part(level=min(level + 2, 6), anchor=anchor, heading=heading, write=write)
        if not path:
            yield _Part(level=2, anchor="", heading="", write=marked.markdown(passage.text))
        above = path


def _nothing() -> str:
    return ""


def _joined(passages: Sequence[Passage]) -> Iterator[Passage]:
    held: Passage | None = None
    for passage in passages:
        if held and passage.section == held.section:
            held = replace(held, text=f"{held.text}\n\n{passage.text}")
            continue
        if held:
            yield held
        held = passage
    if held:
        yield held


def _anchor(heading: str, taken: set[str]) -> str:
    slug = _SIGNS.sub("-", heading.casefold()).strip("-") or "section"
    name, count = slug, 2
    while name in taken or name == linking.QUOTED:
        name, count = f"{slug}-{count}", count + 1
    taken.add(name)
    return name
