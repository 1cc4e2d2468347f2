"""Links of an answer to our own pages: which words they lead to, and what has no page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.unit.small_world import World

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.question import Reference
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse, Source
from elysia_guard.edge import steps
from elysia_guard.edge.linking import GAP, LONGEST_QUERY, Links, address, linked

POLICY = Source(
    n=1,
    doc_type="Policy",
    doc_id="POL-0003",
    title="Of keys",
    collection="Policy_Ollama",
    quote="Keys are kept.",
    location="policies/3.md",
)
TERM = Source(
    n=2,
    doc_type="Vocabulary",
    doc_id="https://v.example/a(b)#c&d",
    title="Key",
    collection="Vocabulary_Ollama",
    quote="What opens.",
    location="https://v.example/a(b)#c&d",
)
OF_A_TOOL = replace(POLICY, n=3, doc_type="Document", doc_id="Tickets/1", location="Tickets/1")


def reply(answer: str, *sources: Source, **more: object) -> RAGResponse:
    made = RAGResponse(
        answer=answer,
        request_id="q 1/2",
        route="tree",
        lang="en",
        intent="open",
        retrieval_quality=RetrievalQuality.from_retrieval(0.9, ()),
        transparency=TransparencyStatement(statement=None, show_to_user=False),
        sources=sources,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def places(text: str) -> list[str]:
    return re.findall(r"\]\(([^()\s]+)\)", text)


def words(place: str) -> Sequence[str]:
    return parse_qs(urlsplit(place).query).get("words", [])


def test_a_mark_leads_to_the_words_before_it() -> None:
    said = "> One.\n> Goes on. [source:1]\n>\n> Two. [source:1]"
    assert [words(place) for place in places(linked(reply(said, POLICY), said))] == [
        ["One. Goes on."],
        ["Two."],
    ]


@pytest.mark.parametrize("said", ["> x [source:3]", "> x [source:9]", "x [source:]", "[source:-1]"])
def test_what_has_no_page_stays_as_it_is(said: str) -> None:
    assert linked(reply(said, POLICY, OF_A_TOOL), said) == said


def test_brackets_of_a_title_end_no_link() -> None:
    said = "- **POL-0003** Of ](javascript:x) [keys] (accepted) [source:1]"
    found = linked(reply(said, POLICY, intent="list"), said)
    assert found.startswith(r"- [**POL-0003** Of \](javascript:x) \[keys\]](/guard/documents/")


def test_quoted_items_keep_their_numbers() -> None:
    """Markdown counts on from the first item of a list; two quotes are no list."""
    said = "> 3. Three. [source:1]\n>\n> 12) Twelve. [source:1]\n\n1. Ours\n2. Ours too"
    found = linked(reply(said, POLICY), said)
    assert "> 3\\. Three." in found
    assert "> 12\\) Twelve." in found
    assert found.endswith("1. Ours\n2. Ours too")
    assert words(places(found)[0]) == ["3. Three."]


@pytest.mark.parametrize("sign", ["x", "é", "電"])
def test_an_address_is_never_too_long(sign: str) -> None:
    """Of many words those that fit are named, of long ones how they begin and end."""
    many = [f"{n} " + f"{sign * 7} " * 60 for n in range(40)]
    place = address(POLICY, many, lang="en")
    assert len(urlsplit(place).query) <= LONGEST_QUERY
    assert all(GAP in each for each in words(place))


def test_why_leads_to_ones_own_answer() -> None:
    place = Links(user_id="a/b", conversation_id="c?d").why(reply("x", POLICY))
    assert place == "/guard/answers/a%2Fb/c%3Fd/q%201%2F2?lang=en#asserted"


ADR = Reference(number=12, written="ADR-12", kind=DocumentKind.DECISION)


@pytest.mark.parametrize(
    ("lang", "asked", "term"),
    [
        ("en", "What is a busbar?", "busbar"),
        ("nl", "Wat is een busbar?", "busbar"),
        ("de", "Was ist ein Busbar?", "Busbar"),
    ],
)
def test_a_trace_is_told_in_english(lang: str, asked: str, term: str) -> None:
    """Whatever the language of the question and of its reply."""
    reply = World().ask(asked)
    assert reply.lang == lang
    assert reply.trace[0].remarks[0] == f"Read as a question for what a term means: '{term}'."


@pytest.mark.parametrize(
    "asked",
    [
        "What does ADR-0012 decide?",
        "Who approved ADR-0012?",
        "How are connections encrypted?",
        "List all decisions",
        "What is FooBarBaz?",
        "What does ADR-0999 decide?",
        "What does ADR-0012 decide and who approved ADR-0027?",
        "Hello",
    ],
)
def test_no_step_of_any_question_is_left_untold(asked: str) -> None:
    reply = World().ask(asked)
    assert [step.stage for step in reply.trace if not step.remarks] == []
    assert {step.stage for step in reply.trace} <= set(steps.STAGES)
    assert {item.gate for step in reply.trace for item in step.readings} <= set(steps.GATES)


def test_an_entry_of_a_list_is_its_link() -> None:
    said = "There are:\n\n- **POL-0003** Of keys (accepted) [source:1]\n- **X** Y [source:3]"
    found = linked(reply(said, POLICY, OF_A_TOOL, intent="list"), said)
    assert re.search(r"\n- \[\*\*POL-0003\*\* Of keys\]\(/guard[^ ]+\) \(accepted\)\n", found)
    assert found.endswith("- **X** Y [source:3]")
    assert "#quoted" not in found


def test_mentions_of_a_refusal_lead_to_where_they_stand() -> None:
    said = "No.\n\n**POL-0003**\n> Keys are kept.\n>\n> And locked.\n\n> Of nobody."
    found = linked(reply(said, refused=True, mentions=(POLICY,)), said)
    assert [words(place) for place in places(found)] == [["Keys are kept."], ["And locked."]]
    assert found.endswith("> Of nobody.")


def test_meanings_that_are_offered_lead_to_their_pages() -> None:
    said = "1. **Key**: what opens. <https://v.example/key>"
    asked = reply(said, refusal_reason=RefusalReason.TERMINOLOGY_AMBIGUOUS)
    assert parse_qs(urlsplit(places(linked(asked, said))[0]).query)["uri"] == [
        "https://v.example/key"
    ]
    assert linked(reply(said), said) == said


def test_a_concept_leads_to_its_page_whatever_its_address() -> None:
    said = "> What opens. [source:2]"
    (place,) = places(linked(reply(said, POLICY, TERM), said))
    assert urlsplit(place).path == "/guard/concepts"
    assert parse_qs(urlsplit(place).query)["uri"] == [TERM.doc_id]


def test_of_a_sentence_that_a_model_wrote_it_leads_to_what_it_rests_on() -> None:
    said = "All keys are kept safe. [source:1]"
    (place,) = places(linked(reply(said, POLICY), said))
    assert words(place) == ["Keys are kept."]
    assert place.startswith("/guard/documents/Policy_Ollama/POL-0003?")
    assert place.endswith("#quoted")
