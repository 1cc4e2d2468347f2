"""Pages of documents: what they say first, where headings stand, and what hostile ones become."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.origin import OriginState
from elysia_guard.edge.views import documents
from elysia_guard.language.pack import langs

COLLECTIONS = {kind: kind.value for kind in STANDING_KINDS}
EVIL = '<script>alert(1)</script>"><img src=x onerror=alert(2)>{{ 7 * 7 }}{% raw %}'
PLAIN = Document(
    id="POL-0007",
    kind=DocumentKind.POLICY,
    title="Of keys",
    path="policies/7.md",
    sha256="",
    identifier="POL-0007",
    status="accepted",
)


class Page(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def headings(self) -> list[tuple[str, str | None]]:
        return [(tag, said.get("id")) for tag, said in self.tags if re.fullmatch("h[2-6]", tag)]


def shown(document: Document, *texts: tuple[str, str], lang: str = "en", **more: object) -> Page:
    passages = [
        Passage(id=f"x#{n}", document=document, section=section, text=text, position=n)
        for n, (section, text) in enumerate(texts)
    ]
    opened = documents.Opened(
        document=document,
        passages=passages,
        others=(document,),
        collections=COLLECTIONS,
        lang=lang,
        **more,  # type: ignore[arg-type]
    )
    return Page(documents.page(opened))


def words(*said: str) -> dict[str, Sequence[str]]:
    return {"words": said}


def test_what_is_hostile_is_text_wherever_it_stands() -> None:
    evil = replace(
        PLAIN, title=EVIL, path=EVIL, identifier=EVIL, status=EVIL, owner=EVIL, superseded_by=EVIL
    )
    text = f"{EVIL}\n\n[a](javascript:alert(3)) [b](//evil.example) ![p](http://evil.example/p)"
    page = shown(evil, (EVIL, text), **words(EVIL, "a"), state=OriginState.CHANGED)
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "img", "iframe", "style", "form"})
    for _, said in page.tags:
        assert not [name for name in said if name.startswith("on") or name == "src"]
        assert not str(said.get("href", "")).startswith(("javascript", "//"))
    assert page.text.count("alert(1)") >= 7
    assert "{{ 7 * 7 }}" in page.text


@pytest.mark.parametrize("lang", langs())
@pytest.mark.parametrize("state", OriginState)
def test_what_became_of_it_is_said_in_every_language(lang: str, state: OriginState) -> None:
    page = shown(replace(PLAIN, status="rejected"), ("", "x"), lang=lang, state=state)
    notices = [said for tag, said in page.tags if said.get("class") == "notice"]
    told = state in {OriginState.CHANGED, OriginState.GONE}
    assert len(notices) == 1 + told


def test_of_a_book_the_part_around_the_words_is_shown() -> None:
    many = [(f"S{n}", f"Passage number{n} of it.") for n in range(2_000)]
    page = shown(PLAIN, *many, **words("number1500 of it"))
    assert "number1500" in page.text
    assert "number1499" in page.text
    assert "number12 " not in page.text
    assert page.text.count("Passage number") == documents.MOST_PASSAGES
    assert "a part of it is shown" in page.text
