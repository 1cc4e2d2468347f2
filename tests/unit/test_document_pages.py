"""Pages of documents: what they say first, where headings stand, and what hostile ones become."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.unit.test_linking import OF_A_TOOL, POLICY, TERM, reply

from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.document import Document, DocumentKind, Passage
from elysia_guard.domain.kinds import STANDING_KINDS
from elysia_guard.domain.origin import OriginState
from elysia_guard.domain.refusal import GateReading
from elysia_guard.domain.response import ResponseWarning, TraceStep, Validation
from elysia_guard.edge.linking import GAP, LONGEST_WORDS, shortened
from elysia_guard.edge.views import answers, concepts, documents
from elysia_guard.edge.views.marking import MOST_PLACES, Marked
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


KEY = Concept(
    uri="https://v.example/key",
    vocabulary="v",
    vocabulary_title="Terms",
    preferred=(Text(value="key", lang="en"), Text(value="sleutel", lang="nl")),
    alternative=(Text(value="opener", lang="en"),),
    definitions=(Text(value="What opens.", lang="en"), Text(value="Wat opent.", lang="nl")),
    narrower=("https://v.example/master", "https://v.example/unknown"),
)
MASTER = replace(KEY, uri="https://v.example/master", preferred=(Text(value="master key"),))


def hostile(page: Page) -> None:
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "img", "iframe", "style", "form"})
    for _, said in page.tags:
        assert not [name for name in said if name.startswith("on") or name == "src"]
        assert not re.match(r"\s*(javascript|data|//)", str(said.get("href", "")))


class TestConcepts:
    def test_it_is_told_in_the_language_asked_and_in_the_others(self) -> None:
        page = Page(concepts.page(KEY, [MASTER], lang="nl"))
        assert page.text.index("sleutel") < page.text.index("Wat opent.")
        assert page.text.index("Wat opent.") < page.text.index("What opens.")
        assert "opener (Engels)" in " ".join(page.text.split())
        links = [said["href"] for tag, said in page.tags if tag == "a" and "uri=" in said["href"]]
        assert links == ["/guard/concepts?uri=https%3A%2F%2Fv.example%2Fmaster&lang=nl"]
        assert "https://v.example/unknown" in page.text

    def test_of_thousands_some_are_shown_and_the_others_counted(self) -> None:
        top = replace(KEY, narrower=tuple(f"https://v.example/{n}" for n in range(3_000)))
        assert len(concepts.neighbours(top)) == concepts.MOST_RELATED
        page = Page(concepts.page(top, [], lang="en"))
        assert f"(+{3_000 - concepts.MOST_RELATED})" in page.text

    @pytest.mark.parametrize("uri", ["javascript:alert(1)", "data:text/html,x", EVIL])
    def test_what_is_hostile_is_text(self, uri: str) -> None:
        texts = (Text(value=EVIL, lang=EVIL),)
        evil = replace(
            KEY,
            uri=uri,
            vocabulary_title=EVIL,
            preferred=texts,
            alternative=texts,
            definitions=texts,
            scope_notes=texts,
            notation=EVIL,
            broader=(uri,),
        )
        hostile(Page(concepts.page(evil, [evil], lang="en")))


def payloads(question: str, said: Any) -> list[dict[str, Any]]:
    """What a conversation has shown: a question with its reply, and another one."""
    plain = json.loads(json.dumps(said))
    return [
        {"type": "user_prompt", "query_id": "q1", "payload": {"prompt": question}},
        {"type": "text", "query_id": "q1", "payload": {}},
        {"type": "rag_response", "query_id": "q1", "payload": plain},
        {"type": "user_prompt", "query_id": "q2", "payload": {"prompt": "another"}},
    ]


class TestAnswers:
    answered = reply(
        "> Keys are kept. [source:1]",
        POLICY,
        TERM,
        OF_A_TOOL,
        validation=Validation(sources_verified=1, sources_total=2, confidence=0.5),
        warnings=(ResponseWarning(type="X", message="Mind the gap."),),
        trace=(
            TraceStep(
                stage="gates",
                note="answer",
                elapsed_ms=1.25,
                remarks=("The search brought 2 passages (documents: 1).",),
                readings=(
                    GateReading(
                        gate="distance", passed=True, value=0.5, threshold=0.7, source="a.b"
                    ),
                ),
            ),
            TraceStep(stage="of_tomorrow", note="what nobody knows yet", elapsed_ms=0.0),
        ),
    )

    def test_what_was_kept_is_read_again(self) -> None:
        """As it was, and so every line of it is told."""
        asked = answers.recorded(payloads("Where are keys?", self.answered.to_dict()), "q1")
        assert asked is not None
        assert asked.reply == self.answered
        page = Page(answers.page(asked, lang="en"))
        told = " ".join(page.text.split())
        assert "Where are keys?" in told
        assert "Sure to 90% that this answers the question: high." in told
        assert "1 of 2 quotes stand word for word" in told
        assert "Mind the gap." in told
        measured = "How far it is in meaning (zero is the same): 0.50 (at most 0.70)"
        assert f"\u2713 passed: {measured}" in told
        assert "Where the limit is set: a.b" in told
        assert "The search brought 2 passages (documents: 1)." in told
        assert "what nobody knows yet" in told
        assert "of_tomorrow" in told

    @pytest.mark.parametrize("said", [{}, {"answer": "of another version"}, None, 3])
    def test_what_another_version_kept_is_not_there(self, said: Any) -> None:
        assert answers.recorded(payloads("x", said), "q1") is None

    def test_what_is_hostile_is_text(self) -> None:
        evil = replace(
            self.answered,
            answer=f"{EVIL}\n\n> {EVIL} [source:1]\n\n[x](javascript:alert(1)) [y](//e.example)",
            sources=(replace(POLICY, title=EVIL, section=EVIL, location=EVIL),),
            warnings=(ResponseWarning(type="X", message=EVIL),),
            trace=(TraceStep(stage=EVIL, note=EVIL, elapsed_ms=0.0),),
        )
        hostile(Page(answers.page(answers.AnswerShown(question=EVIL, reply=evil), lang="en")))


HOSTILE = (
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[click](javascript:alert(1))",
    '"><mark id="quoted">',
    "![x](http://elsewhere.example/x.png)",
    "`<b>` and\n\n    <i>code</i>\n\n```\n<u>fence</u>\n```",
)

ALLOWED = re.compile(
    r"</?(p|a|mark|code|pre|br|em|strong|ul|ol|li)"
    r'( (id="quoted"|href="(?!javascript)[^"<>]*"|rel="[a-z ]+"))* ?/?>'
)


def marked_up(text: str, *words: str) -> tuple[str, int]:
    marked = Marked(resolve=lambda href: href)
    write = marked.markdown(text)
    found = marked.letters.mark(words)
    return write(), found


def marks(html: str) -> list[str]:
    plain = (re.sub(r"<[^>]+>", "", item) for item in re.findall(r"<mark.*?</mark>", html, re.S))
    return [unescape(item) for item in plain]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("One. Two words here. Three.", "Two words here.", ["Two words here."]),
        ("A **bold *and* plain** end.", "bold and plain", ["bold", "and", "plain"]),
        ("It holds\nover lines.", "It holds over lines.", ["It holds", "over lines."]),
        ("1. First.\n2. Second thing.", "2. Second thing.", ["Second thing."]),
        ("- an item\n- another", "- another", ["another"]),
        ("Use `kubectl get` now", "kubectl get", ["kubectl get"]),
        ("```\nkubectl get pods\n```", "kubectl get pods", ["kubectl get pods"]),
        ("| a | b |\n|---|---|\n| one | two |", "| one | two |", ["one", "two"]),
        ("Ein Straßenname.", "STRASSENNAME", []),
        ("Über Größe.", "über größe", ["Über Größe."]),
        ("the cart and the art", "art", ["art"]),
        ("the cart", "art", []),
        ("See [the rules](https://x.example/a).", "See the rules.", ["See", "the rules"]),
        ("x < y & z", "y & z", ["y & z"]),
        ("", "nothing", []),
        ("Nothing of it.", "", []),
        ("Signs alone.", "!?", []),
    ],
)
def test_words_are_marked_where_they_stand(text: str, words: str, expected: list[str]) -> None:
    html, found = marked_up(text, words)
    assert marks(html) == expected
    assert found == bool(expected)


def test_long_words_are_marked_from_their_beginning_to_their_end() -> None:
    """Of long words an address holds how they begin and end."""
    words = " ".join(f"word{number}" for number in range(100)) + "."
    short = shortened(words)
    assert len(short) <= LONGEST_WORDS + len(GAP)
    html, found = marked_up(f"Before. {words} After.", short)
    assert found == 1
    assert marks(html) == [words]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_hostile_is_text(text: str) -> None:
    """Marked or not, a document brings no tag, no handler and no picture."""
    for words in ("", text, "alert", "click", "x"):
        html, _ = marked_up(text, words)
        assert not re.findall(r"<", ALLOWED.sub("", html)), html
        assert html.count('<mark id="quoted">') <= 1


def test_a_letter_that_stands_everywhere_costs_no_search_without_end() -> None:
    """So many places are looked at, and no more."""
    html, found = marked_up("xa " * (MOST_PLACES + 5) + "a end", "a", f"x{GAP}nowhere")
    assert (marks(html), found) == ([], 0)
