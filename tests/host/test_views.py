"""Our own pages beside the chat: what a source says, where it stands, and to whom it is shown."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

import httpx
import pytest
from tests.host.test_webapp import Chat, Page, only, text_of

from elysia_guard.edge.elysia.webapp import front_end

pytestmark = pytest.mark.slow

DOCUMENT = "/guard/documents/ADR_Ollama/ADR-0012"


def links(text: str) -> list[str]:
    """The addresses of our own pages that a text in Markdown leads to."""
    return re.findall(r"\]\((/guard/[^ )]+)", text)


def marked(html: str) -> list[str]:
    return [unescape(item) for item in re.findall(r"<mark[^>]*>(.*?)</mark>", html, re.S)]


async def test_a_source_opens_its_document_with_the_quoted_words_marked(page: Page) -> None:
    """One mark behind its quotes leads to the words of all of them, as the card's link does."""
    payloads = await page.ask("What does ADR.12 decide?")
    text = text_of(payloads)
    quoted = re.findall(r"^> (.+?)(?: \[\\\[source:1\\\].*)?$", text, re.M)
    (place,) = re.findall(r"source:1\\\]\]\(([^)]+)\)", text)
    answer = await page.http.get(place)
    assert answer.status_code == 200
    assert urlsplit(place).fragment == "quoted"
    assert '<mark id="quoted">' in answer.text
    assert marked(answer.text)[0] == quoted[0]
    (card,) = only(payloads, "result")["objects"]
    (place,) = links(card["content"])
    found = marked((await page.http.get(place)).text)
    assert found == marked(answer.text)
    assert len(found) > 1


async def test_a_list_leads_to_its_documents(page: Page) -> None:
    """Each entry is one link, which opens the document it names."""
    payloads = await page.ask("List all principles")
    entries = [line for line in text_of(payloads).split("\n") if line.startswith("- ")]
    assert len(entries) > 10
    for line in entries:
        (place,) = links(line)
        number = re.search(r"\*\*(PCP-\d+)\*\*", line)
        answer = await page.http.get(place)
        assert number
        assert answer.status_code == 200
        assert f'<p class="name">{number[1]}</p>' in answer.text
        assert marked(answer.text) == []


async def test_a_concept_has_its_page(page: Page) -> None:
    """With its definition, its other names, and its neighbours as links that work."""
    told = text_of(await page.ask("What is CIMXML?"))
    (place,) = re.findall(r"\[\\\[source:1\\\]\]\(([^)]+)\)", told)
    html = (await page.http.get(place)).text
    assert "<h1>CIMXML</h1>" in html
    assert "Format, laid down in IEC 61970-552" in html
    assert "CIM RDF/XML" in html
    near = re.findall(r'<a href="(/guard/concepts[^"]+)">([^<]+)</a>', html)
    assert {name for _, name in near} >= {"full model", "CIM profile", "IEC 61970"}
    for address, name in near:
        answer = await page.http.get(unescape(address))
        assert answer.status_code == 200
        assert f"<h1>{name}</h1>" in answer.text


async def test_meanings_that_are_offered_lead_to_their_pages(page: Page) -> None:
    payloads = await page.ask("What is CIM?")
    offered = [item for item in links(text_of(payloads)) if "/concepts" in item]
    assert len(offered) == 2
    for place in offered:
        assert (await page.http.get(place)).status_code == 200


async def test_why_an_answer_is_given_is_told_in_words(page: Page) -> None:
    """The page has the question, how it was meant, what was checked, and each step."""
    payloads = await page.ask("How long may a privileged session last?")
    place = next(item for item in links(text_of(payloads)) if "/answers/" in item)
    html = (await page.http.get(place)).text
    assert "<h1>How long may a privileged session last?</h1>" in html
    assert "\u2248 Near, perhaps not the answer" in html
    assert "2 of 2 quotes stand word for word in their source" in html
    assert "No language model wrote it" in html
    for step in only(payloads, "rag_response")["trace"]:
        assert step["remarks"]
    assert "Read as a question that documents may answer" in html
    assert "It is answered with a caveat" in html
    quoted = links(text_of(payloads))
    assert [unescape(item) in unescape(html) for item in quoted if "/documents/" in item] == [
        True,
        True,
    ]


async def test_each_outcome_is_told_by_a_sign_and_words(page: Page) -> None:
    """No two of them begin alike, and none is told by colour alone."""
    heads = {
        question: text_of(await page.ask(question)).split("](", 1)[0]
        for question in (
            "What is CIMXML?",
            "How long may a privileged session last?",
            "What is CIM?",
            "What is FooBarBaz?",
        )
    }
    assert list(heads.values()) == [
        "[\u2713 Answered from the sources",
        "[\u2248 Near, perhaps not the answer",
        "[? A question back",
        "[\u2717 Not answered",
    ]


@pytest.mark.parametrize(
    "path",
    [
        "/guard/documents/ADR_Ollama/ADR-9999",
        "/guard/documents/ADR_Ollama/..%2Fsecret",
        "/guard/documents/Policy_Ollama/ADR-0012",
        "/guard/documents/%3Cscript%3E/%3Cscript%3E",
        "/guard/concepts",
        "/guard/concepts?uri=https://vocab.vennet.example/grid/none",
        "/guard/concepts?uri=%3Cscript%3E",
        "/guard/answers/ada/none/none",
    ],
)
@pytest.mark.parametrize(("lang", "said"), [("en", "To the chat"), ("nl", "Naar de chat")])
async def test_what_is_not_there_is_said(page: Page, path: str, lang: str, said: str) -> None:
    """A page in the reader's language, which repeats nothing of its address."""
    answer = await page.http.get(path, headers={"Accept-Language": lang})
    if "%2F" in path:  # no such route: what is asked for has another folder in it
        assert answer.status_code in {404, 405}
        return
    assert answer.status_code == 404
    assert said in answer.text
    assert f'<html lang="{lang}">' in answer.text
    assert "script" not in answer.text
    assert "none" not in answer.text


@pytest.mark.parametrize("path", [DOCUMENT, "/guard/documents/x/y", "/guard/concepts?uri=x"])
async def test_these_pages_run_nothing_and_stand_in_no_frame(page: Page, path: str) -> None:
    headers = (await page.http.get(path)).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("words", ["words=" + "x" * 1000, "words=%3Cscript%3E&words=%E2%80%A6"])
async def test_words_that_are_not_there_are_not_repeated(page: Page, words: str) -> None:
    """Nobody can put words under the name of a document by writing them into a link."""
    html = (await page.http.get(f"{DOCUMENT}?{words}")).text
    assert marked(html) == []
    assert "Not all of the quoted words stand in this document" in html
    assert "script" not in html
    assert "xxx" not in html


async def test_too_many_words_are_refused(page: Page) -> None:
    answer = await page.http.get(f"{DOCUMENT}?{'words=a&' * 50}")
    assert answer.status_code == 422


async def test_a_document_leads_to_its_record_and_its_file(page: Page) -> None:
    """What it says of itself, where it came from, and what belongs to it."""
    html = (await page.http.get(f"{DOCUMENT}?words=Profiles+are+validated+with+SHACL")).text
    assert re.search(r"decisions/0012-use-cim-as-the-canonical-data-model\.md:\d+", html), (
        "no line of the file"
    )
    (record,) = re.findall(r'<a href="([^"]+)">ADR-0012D</a>', html)
    answer = await page.http.get(unescape(record))
    assert "Grid Data Architecture Group" in answer.text


ADDRESS = "/_next/static/chunks/reach.js"


async def test_d1_the_page_loads_the_script_from_its_own_server(chat: Chat) -> None:
    """Once, in its head, without waiting for it; the policy lets a page's own scripts run."""
    async with httpx.AsyncClient(base_url=chat.address) as http:
        page, script = await http.get("/"), await http.get(ADDRESS)
    head = page.text.split("</head>")[0]
    assert (
        head.count(f'<script src="{ADDRESS}" async="" data-most="2000">')
        == page.text.count(ADDRESS)
        == 1
    )
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert script.text == front_end.REACH.read_text(encoding="utf-8")
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["cache-control"] == "no-cache"
