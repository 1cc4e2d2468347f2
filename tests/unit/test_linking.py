"""Links of an answer to our own pages: which words they lead to, and what has no page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from elysia_guard.domain.concept import RelatedConcept
from elysia_guard.domain.quality import RetrievalQuality, TransparencyStatement
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse, Source
from elysia_guard.edge import linking
from elysia_guard.edge.linking import GAP, LONGEST_QUERY, Links, address, linked
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs

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


def test_of_a_sentence_that_a_model_wrote_it_leads_to_what_it_rests_on() -> None:
    said = "All keys are kept safe. [source:1]"
    (place,) = places(linked(reply(said, POLICY), said))
    assert words(place) == ["Keys are kept."]
    assert place.startswith("/guard/documents/Policy_Ollama/POL-0003?")
    assert place.endswith("#quoted")


def test_a_concept_leads_to_its_page_whatever_its_address() -> None:
    said = "> What opens. [source:2]"
    (place,) = places(linked(reply(said, POLICY, TERM), said))
    assert urlsplit(place).path == "/guard/concepts"
    assert parse_qs(urlsplit(place).query)["uri"] == [TERM.doc_id]


@pytest.mark.parametrize("said", ["> x [source:3]", "> x [source:9]", "x [source:]", "[source:-1]"])
def test_what_has_no_page_stays_as_it_is(said: str) -> None:
    assert linked(reply(said, POLICY, OF_A_TOOL), said) == said


def test_an_entry_of_a_list_is_its_link() -> None:
    said = "There are:\n\n- **POL-0003** Of keys (accepted) [source:1]\n- **X** Y [source:3]"
    found = linked(reply(said, POLICY, OF_A_TOOL, intent="list"), said)
    assert re.search(r"\n- \[\*\*POL-0003\*\* Of keys\]\(/guard[^ ]+\) \(accepted\)\n", found)
    assert found.endswith("- **X** Y [source:3]")
    assert "#quoted" not in found


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


@pytest.mark.parametrize("sign", ["x", "é", "電"])
def test_an_address_is_never_too_long(sign: str) -> None:
    """Of many words those that fit are named, of long ones how they begin and end."""
    many = [f"{n} " + f"{sign * 7} " * 60 for n in range(40)]
    place = address(POLICY, many, lang="en")
    assert len(urlsplit(place).query) <= LONGEST_QUERY
    assert all(GAP in each for each in words(place))


def test_words_of_a_whole_document_are_none() -> None:
    """A source that is cited for its title opens at the top."""
    cited = replace(POLICY, quote=POLICY.title)
    said = "- Status: accepted [source:1]"
    (place,) = places(linked(reply(said, cited), said))
    assert words(place) == []
    assert linking.quotes(reply(said, cited)) == {1: [""]}


def test_why_leads_to_ones_own_answer() -> None:
    place = Links(user_id="a/b", conversation_id="c?d").why(reply("x", POLICY))
    assert place == "/guard/answers/a%2Fb/c%3Fd/q%201%2F2?lang=en#asserted"


BESIDE = (
    RelatedConcept(uri="https://v.example/lock", label="Lock", relation="broader"),
    RelatedConcept(uri="https://v.example/a, b", label="Key [old], new", relation="broader"),
    RelatedConcept(uri="https://v.example/open", label="Open", relation="related"),
)


class TestBeside:
    @pytest.mark.parametrize("lang", langs())
    def test_concepts_beside_one_are_links(self, lang: str) -> None:
        """In the answer's own lines, whatever the language and whatever stands in their labels."""
        term = replace(TERM, related=BESIDE)
        lines = [
            say(lang, "answer.broader", labels="Lock, Key [old], new"),
            say(lang, "answer.related", labels="Open"),
        ]
        said = "\n\n".join(["> What opens. [source:2]", *lines])
        found = linked(reply(said, term, lang=lang), said).split("\n\n")
        for line, before, beside in zip(found[1:], lines, (BESIDE[:2], BESIDE[2:]), strict=True):
            assert (
                re.sub(r"\[((?:\\.|[^\]\\])+)\]\([^)]+\)", r"\1", line).replace("\\", "") == before
            )
            uris = [parse_qs(urlsplit(place).query)["uri"] for place in places(line)]
            assert uris == [[item.uri] for item in beside]

    def test_the_same_words_elsewhere_are_none(self) -> None:
        """Only what the answer says of the concept is, not what a source says."""
        said = "> Broader: Lock, Key [old], new [source:2]"
        (place,) = places(linked(reply(said, replace(TERM, related=BESIDE)), said))
        assert parse_qs(urlsplit(place).query)["uri"] == [TERM.doc_id]

    def test_without_concepts_beside_it_a_line_stays_as_it_is(self) -> None:
        said = "Broader: Lock"
        assert linked(reply(said, TERM), said) == said
