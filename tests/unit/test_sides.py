"""A comparison is told of each side alike, and each sentence rests on its own side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.made_writers import CIM, SURE, TLS, Scripted, seated, source_of
from tests.unit.small_world import KNOWLEDGE, World, document
from tests.unit.test_writing import types

from elysia_guard.domain.claim import Claim, Proved, Support, Told, Written
from elysia_guard.domain.document import DocumentKind, Passage, SectionRole
from elysia_guard.domain.mode import Mode
from elysia_guard.domain.reading import Comparison
from elysia_guard.domain.response import RAGResponse
from elysia_guard.stages.writing import sides_of, told_of

COMPARED = "Compare ADR-0012 and ADR-0027"
NAMED_SIDE = "According to ADR-0012, we use CIM as the domain language."
LONG = tuple(
    document(
        DocumentKind.DECISION,
        71,
        "Log every access",
        *(
            (SectionRole.SUBSTANCE, f"Access number {n} is logged. " + "Rows stay. " * 40)
            for n in range(9)
        ),
    )
)


def ask(
    *claims: Claim, text: str = COMPARED, passages: Sequence[Passage] = KNOWLEDGE
) -> tuple[RAGResponse, Scripted]:
    def say(_told: Sequence[Told], _failed: Sequence[Proved]) -> Written:
        return Written(answers=True, claims=claims)

    world = World(thresholds=SURE, passages=passages)
    writer = Scripted(say)
    seated(writer, world)
    return world.reply(world.begin(text)), writer


def told(text: str = COMPARED, passages: Sequence[Passage] = KNOWLEDGE) -> Sequence[Told]:
    _, writer = ask(text=text, passages=passages)
    return writer.asked[0][1]


def claim(text: str, *words: str) -> Claim:
    found = told()
    return Claim(
        text=text,
        supports=tuple(Support(source=source_of(each, found), words=each) for each in words),
    )


def test_it_is_one_writing_of_both_sides_in_turns() -> None:
    """The best of each first, and of each as much."""
    found = told()
    named = [each.identifiers[0] for each in found]
    assert named[:2] == ["ADR-0012", "ADR-0027"]
    assert [each.section for each in found[:2]] == ["Substance", "Substance"]
    assert set(named) == {"ADR-0012", "ADR-0027"}


def test_a_long_document_leaves_the_other_its_room() -> None:
    """Each side has its share of what may be told, however much there is of one."""
    world = World(passages=(*KNOWLEDGE, *LONG))
    inquiry = world.begin("Compare ADR-0071 and ADR-0012")
    world.reply(inquiry)
    passages = told_of(inquiry, max_chars=1_200)
    lengths = {
        name: sum(len(each.text) for each in passages if each.document.id == name)
        for name in ("ADR-0071", "ADR-0012")
    }
    assert lengths["ADR-0012"] == sum(
        len(each.text) for each in KNOWLEDGE if each.document.id == "ADR-0012"
    )
    assert 0 < lengths["ADR-0071"] <= 600


def test_both_sides_are_told_where_both_are_proved() -> None:
    reply, _ = ask(claim(CIM, CIM), claim(TLS, TLS))
    assert reply.mode is Mode.AUTO
    assert {item.doc_id for item in reply.sources} == {"ADR-0012", "ADR-0027"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ADR-0027 uses CIM as the domain language.", [CIM]),
        ("ADR-0012: Connections are encrypted with TLS 1.3.", [TLS]),
        ("In both, connections are encrypted with TLS 1.3.", [TLS]),
    ],
)
def test_what_is_said_of_a_side_rests_on_its_words(text: str, words: list[str]) -> None:
    """A word for both needs words of both."""
    reply, writer = ask(claim(CIM, CIM), claim(TLS, TLS), claim(text, *words))
    assert text not in reply.answer
    assert CIM in reply.answer
    failed = writer.asked[1][3]
    assert [str(each.findings[0].fault) for each in failed] == ["actors"]


def test_a_sentence_that_names_its_own_side_stands() -> None:
    reply, _ = ask(claim(NAMED_SIDE, CIM), claim(TLS, TLS))
    assert NAMED_SIDE in reply.answer


def test_a_sentence_that_names_no_side_is_told_under_its_own() -> None:
    """Behind one on the other side it would be read as one on that."""
    reply, _ = ask(claim(NAMED_SIDE, CIM), claim(TLS, TLS))
    assert f"\n\nADR-0027: {TLS} [source:2]" in reply.answer
    assert f"{NAMED_SIDE} [source:1]" in reply.answer


def test_words_that_name_the_other_side_themselves_may_be_told() -> None:
    """'Replaces ADR-0012' stands in the one, and speaks of the other."""
    said = "This decision replaces ADR-0012."
    other = document(DocumentKind.DECISION, 72, "Take another", (SectionRole.SUBSTANCE, said))
    passages = (*KNOWLEDGE, *other)
    text = "Compare ADR-0012 and ADR-0072"
    found = told(text, passages)
    claims = [
        Claim(text=words, supports=(Support(source=source_of(words, found), words=words),))
        for words in (CIM, said)
    ]
    reply, _ = ask(*claims, text=text, passages=passages)
    assert said in reply.answer
    assert not types(reply)


def test_one_side_alone_compares_nothing() -> None:
    reply, _ = ask(claim(CIM, CIM))
    assert reply.mode is Mode.INSTANT


def test_terms_that_are_compared_are_sides_too() -> None:
    """Each holds the passages that hold its words."""
    world = World()
    inquiry = world.begin(COMPARED)
    asks = Comparison(terms=("CIM", "TLS"), topic="CIM and TLS")
    inquiry.part = replace(inquiry.part, asks=asks)
    first, second = sides_of(inquiry)
    by_name = {each.text: each for each in KNOWLEDGE}
    tls = next(each for text, each in by_name.items() if TLS in text)
    cim = next(each for text, each in by_name.items() if CIM in text)
    assert (first.holds(cim), first.holds(tls)) == (True, False)
    assert (second.holds(cim), second.holds(tls)) == (False, True)
    assert first.is_named_in("What CIM says", "en")
    assert not first.is_named_in("What TLS says", "en")


def test_one_document_has_no_sides() -> None:
    assert not sides_of(World().begin("What does ADR-0027 say about attackers?"))
