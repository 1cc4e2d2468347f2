"""Which documents name or replace one another: what is told is what stands in the files."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.shipped import KNOWLEDGE, shipped_guard

from elysia_guard.adapters.documents import ParsedDocument, linked, read_folder
from elysia_guard.direct import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse
from elysia_guard.language.catalogue import say

FILES = {
    re.search(r"^identifier: (\S+)$", text, re.M)[1]: text.split("---\n", 2)[2]  # type: ignore[index]
    for text in (path.read_text("utf-8") for path in sorted(KNOWLEDGE.rglob("*.md")))
    if "\nidentifier: " in text and "\ntype: approval" not in text
}
"""The text of each document of the demo, by what it calls itself."""
MADE = {
    "decisions/0001-queues.md": "Messages wait in queues.",
    "decisions/0002-topics.md": "Like [queues](./0001-queues.md#why), and unlike adr 3.",
    "decisions/0003-files.md": "See [the notes](../notes.md) and https://example.org/0001-queues.md.",
    "decisions/0004-streams.md": "Follows ADRs 1 to 3, and ADR-0004 itself.",
    "notes.md": "# Notes\n\nNothing is named here.",
    "north/decisions/0007-poles.md": "# 7. Poles\n\n## Status\n\nAccepted\n\nOf wood.",
    "south/decisions/0007-masts.md": "# 7. Masts\n\n## Status\n\nAccepted\n\nOf steel.",
    "south/decisions/0008-paint.md": "Masts of ADR-0007 are green.",
    "decisions/0009-paths.md": "Paths keep away from ADR-0007.",
}


def naming(target: str, letters: str = "") -> list[str]:
    """Return what names a document in its text, found by plain means."""
    holding = (name for name, text in FILES.items() if re.search(rf"\b{target}\b", text))
    return [name for name in holding if name != target and name.startswith(letters)]


def named_by(source: str) -> list[str]:
    found = set(re.findall(r"\b(?:ADR|PCP|POL)-\d{4}\b", FILES[source])) - {source}
    return sorted(found & FILES.keys())


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    with shipped_guard(tmp_path_factory.mktemp("links") / "index.sqlite") as made:
        yield made


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ParsedDocument]:
    folder = tmp_path_factory.mktemp("made")
    for path, text in MADE.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text if text.startswith("#") else f"## Decision\n\n{text}")
    read = [item for item in read_folder([folder]) if isinstance(item, ParsedDocument)]
    return linked({item.document.id: item for item in read})


def shown(reply: RAGResponse) -> list[str]:
    return sorted(source.doc_id for source in reply.sources)


def names(made: dict[str, ParsedDocument], path: str) -> list[str]:
    """Return the paths of what the document of a path names."""
    document = next(item.document for item in made.values() if item.document.path == path)
    return [made[id_].document.path for id_ in document.links]


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("decisions/0001-queues.md", []),
        ("decisions/0002-topics.md", ["decisions/0001-queues.md", "decisions/0003-files.md"]),
        ("decisions/0003-files.md", ["notes.md"]),
        (
            "decisions/0004-streams.md",
            [f"decisions/000{n}.md" for n in ("1-queues", "2-topics", "3-files")],
        ),
        ("south/decisions/0008-paint.md", ["south/decisions/0007-masts.md"]),
        ("decisions/0009-paths.md", []),
    ],
)
def test_a_text_names_by_number_and_by_link(
    made: dict[str, ParsedDocument], path: str, named: list[str]
) -> None:
    """A link into the web and itself are none; of one number that in its own folder is meant."""
    assert names(made, path) == named


@pytest.mark.parametrize(
    ("asked", "found", "outcome"),
    [
        ("which decisions refer to ADR-0012?", naming("ADR-0012", "ADR"), "asserted"),
        ("Which decisions build on ADR-0012?", naming("ADR-0012", "ADR"), "hedged"),
        ("welke principes verwijzen naar adr-0017", naming("ADR-0017", "PCP"), "asserted"),
        ("qui cite POL-0001 ?", naming("POL-0001"), "asserted"),
        ("Welche Entscheidungen bauen auf ADR-12 auf?", naming("ADR-0012", "ADR"), "hedged"),
        ("Wo wird ADR-12 erw\u00e4hnt?", naming("ADR-0012"), "asserted"),
        ("which decisions cite the data retention policy?", naming("POL-0001", "ADR"), "asserted"),
        ("which policies refer to PCP-0011?", naming("PCP-0011", "POL"), "asserted"),
        ("which documents does ADR-12 refer to?", named_by("ADR-0012"), "asserted"),
        ("naar welke documenten verwijst ADR-12?", named_by("ADR-0012"), "asserted"),
        ("Welche Dokumente erw\u00e4hnt ADR-12?", named_by("ADR-0012"), "asserted"),
        ("Quels documents cite ADR-12 ?", named_by("ADR-0012"), "asserted"),
        ("which documents are mentioned in ADR-0021?", named_by("ADR-0021"), "asserted"),
        ("what replaced ADR-0006", ["ADR-0021"], "asserted"),
        ("What was ADR-6 replaced by?", ["ADR-0021"], "asserted"),
        ("what does ADR-0021 replace", ["ADR-0006"], "asserted"),
        ("Que remplace ADR-0021 ?", ["ADR-0006"], "asserted"),
        ("qu'est-ce qui remplace ADR-6 ?", ["ADR-0021"], "asserted"),
        ("welk besluit is door ADR-21 vervangen?", ["ADR-0006"], "asserted"),
        ("Wodurch wurde ADR-6 ersetzt?", ["ADR-0021"], "asserted"),
        ("wat vervangt ADR-6?", ["ADR-0021"], "hedged"),
    ],
)
def test_who_is_linked_with_whom_is_listed(
    guard: Guard, asked: str, found: list[str], outcome: str
) -> None:
    """Both ways and by their fields; that a document builds on another is in doubt."""
    reply = guard.ask(asked)
    assert found
    assert (shown(reply), reply.outcome) == (sorted(found), outcome), reply.answer


def test_the_sentence_says_what_was_looked_at(guard: Guard) -> None:
    found = len(naming("ADR-0012", "ADR"))
    reply = guard.ask("Which decisions build on ADR-0012?")
    assert f"There are {found} decisions whose text names ADR-0012:" in reply.answer
    assert "build on" not in reply.answer


def test_none_is_told_by_what_was_looked_at(guard: Guard) -> None:
    reply = guard.ask("which principles are mentioned in ADR-0012?")
    assert not [name for name in named_by("ADR-0012") if name.startswith("PCP")]
    assert "There are no principles named in the text of ADR-0012." in reply.answer


@pytest.mark.parametrize(
    "asked",
    [
        "Which decisions contradict ADR-12?",
        "which decisions do not refer to ADR-12?",
        "Which decisions should refer to ADR-12?",
        "which decisions from 2025 refer to ADR-12?",
        "which decisions refer to both ADR-12 and ADR-21?",
        "what does ADR-12 mention?",
        "what does ADR-12 mention about TLS?",
        "When was ADR-6 replaced?",
        "How many decisions mention open standards?",
        "which decisions mention 'least privilege'?",
    ],
)
def test_what_asks_for_more_is_no_such_list(guard: Guard, asked: str) -> None:
    """Nothing that is asked is left out on the way, and a matter is not taken for a document."""
    assert "whose text names" not in (answer := guard.ask(asked).answer)
    assert "named in the text" not in answer
    assert "recorded as" not in answer


def test_a_document_that_is_not_there_is_told(guard: Guard) -> None:
    reply = guard.ask("which decisions refer to ADR-0099?")
    assert reply.outcome == "refused"
    assert say("en", "refusal.entity_not_found", subject="ADR-0099") in reply.answer


def test_a_number_of_several_is_asked_back_and_the_choice_is_listed(guard: Guard) -> None:
    talk = Conversation()
    reply = guard.ask("which documents refer to 10?", conversation=talk)
    assert reply.outcome == "clarified"
    chosen = guard.ask("the principle", conversation=talk)
    assert shown(chosen) == sorted(naming("PCP-0010"))


def test_a_list_by_a_link_is_narrowed_as_any_list_is(guard: Guard) -> None:
    talk = Conversation()
    guard.ask("which documents refer to ADR-0012?", conversation=talk)
    reply = guard.ask("only the principles", conversation=talk)
    assert shown(reply) == sorted(naming("ADR-0012", "PCP"))
    again = guard.ask("and policies?", conversation=talk)
    assert shown(again) == sorted(naming("ADR-0012", "POL"))


def test_what_a_record_names_is_its_own(guard: Guard) -> None:
    """The record of ADR-0021 names ADR-0006, and so does the decision itself."""
    reply = guard.ask("which approval records mention ADR-6?")
    assert shown(reply) == ["ADR-0021D"]
