"""Harmless messages over the documents that ship: places, years, odd figures, articles.

Each is asked as a person asks it, and gets a reply that claims nothing that is not so.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.tables import table

from elysia_guard import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.cli.main import cli
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs

MISSING = [
    re.compile(re.escape(say(lang, "refusal.entity_not_found", subject="|")).replace(r"\|", ".+"))
    for lang in langs()
]
"""What is said of a document that does not exist, in each language."""
NOTHING = [say(lang, "clarify.nothing_offered") for lang in langs()]
ROWS = table("messages")


@pytest.fixture(scope="module")
def guard() -> Guard:
    return Guard()


def talked(guard: Guard, *messages: str) -> list[RAGResponse]:
    """Say some messages in one conversation."""
    talk = Conversation()
    return [guard.ask(message, conversation=talk) for message in messages]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['of']}: {row['said'][-1]}" for row in ROWS])
def test_a_message_is_taken_as_its_row_says(guard: Guard, row: dict[str, Any]) -> None:
    """Whether a document is missed, or it is asked back, or taken for what was spoken of."""
    reply = talked(guard, *row["said"])[-1]
    found = {
        "missing": any(pattern.search(reply.answer) for pattern in MISSING),
        "asked_back": reply.refusal_reason == "terminology_ambiguous",
        "about_it": "ADR-0012" in reply.trace[0].note,
        "nothing_offered": reply.answer in NOTHING and not (reply.refused or reply.sources),
    }
    wanted = {key: value for key, value in row.items() if key in found}
    assert {key: found[key] for key in wanted} == wanted


class TestPlaces:
    @pytest.mark.parametrize(
        "asked",
        [
            "Which decisions are about whales?",
            "Which principles are about bananas?",
            "Welke beleidsstukken gaan over bananen?",
        ],
    )
    @pytest.mark.parametrize("pick", ["the second", "the second one", "the 2nd", "die zweite"])
    def test_a_refused_list_is_picked_from(self, guard: Guard, asked: str, pick: str) -> None:
        """Its documents are the list, also behind a place that it does not have."""
        refused, beyond, picked = talked(guard, asked, "the ninth one", pick)
        assert refused.refused
        assert not beyond.sources
        proposed = refused.suggestions[1].question
        assert picked.sources[0].doc_id == guard.ask(proposed).sources[0].doc_id

    def test_one_place_after_another_is_picked_from_the_same_list(self, guard: Guard) -> None:
        """'The second', and then 'the third one'; a list that was refused is one."""
        listed, second, third = talked(guard, "List all principles", "the second", "the third one")
        shown = [source.doc_id for source in listed.sources]
        assert [second.sources[0].doc_id, third.sources[0].doc_id] == shown[1:3]
        refused, of_kind, last = talked(
            guard, "Which decisions are about whales?", "the second decision", "the last one"
        )
        proposed = [guard.ask(item.question).sources[0].doc_id for item in refused.suggestions]
        assert [of_kind.sources[0].doc_id, last.sources[0].doc_id] == [proposed[1], proposed[-1]]

    def test_a_list_of_one_is_a_list(self, guard: Guard) -> None:
        """'The first' is it, and there is no second."""
        listed, first, second = talked(
            guard, "Which decisions are about hydrogen?", "the first", "the second"
        )
        assert len(listed.sources) == 1
        assert first.sources[0].doc_id == listed.sources[0].doc_id
        assert not second.sources


class TestYears:
    def test_years_of_decisions_make_a_list(self, guard: Guard) -> None:
        """'The decisions of 2023 and 2024' are those of these years."""
        reply = guard.ask("List the decisions of 2023 and 2024")
        dated = [item for item in (2023, 2024) if str(item) in reply.answer]
        assert dated == [2023, 2024]
        assert len(reply.sources) > 1


class TestAVocabularyThatDefinesNothing:
    @pytest.fixture
    def house(self, tmp_path: Path) -> Path:
        """Return settings whose vocabulary holds a scheme, and no concept."""
        files = {
            "terms.ttl": "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
            "<https://x.example/s> a skos:ConceptScheme .\n",
            "docs/ADR-0001-slate.md": "# ADR-0001: Slate\n\n## Decision\n\nRoofs are of slate.\n",
            "config/guard.yaml": "terminology: {kind: skos_file, files: [terms.ttl]}\n"
            "index: {path: build/index.sqlite, sources: [docs]}\n"
            "collections: {decision: A, principle: B, policy: C, document: D}\n"
            "conversations: {enabled: false}\n",
        }
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / "config" / "guard.yaml"

    @pytest.mark.parametrize(
        "command", [["ingest"], ["ask", "What is slate?"], ["ask", "What does ADR-0001 decide?"]]
    )
    def test_it_is_told_and_a_question_gets_a_reply(self, house: Path, command: list[str]) -> None:
        """Ingest and a question name the file and the way out, and go on."""
        done = CliRunner().invoke(cli, [*command, "--config", str(house)])
        assert done.exit_code == 0
        assert "terms.ttl: no skos:Concept in this file" in done.stderr
        assert "terminology.files" in done.stderr
        assert "terms.ttl" not in done.stdout

    def test_doctor_names_it(self, house: Path) -> None:
        """It is an error of the settings, and no reason why nothing could be answered."""
        done = CliRunner().invoke(cli, ["doctor", "--config", str(house)])
        assert "no skos:Concept in this file" in done.stdout
        assert "cannot answer: vocabulary" not in done.stderr

    def test_another_file_still_defines_its_terms(self, house: Path) -> None:
        """A file without a concept takes nothing from those that have some."""
        (house.parent.parent / "more.ttl").write_text(
            "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
            '<https://x.example/slate> a skos:Concept ; skos:prefLabel "slate"@en ;\n'
            '  skos:definition "A stone that splits into plates."@en .\n',
            encoding="utf-8",
        )
        text = house.read_text(encoding="utf-8")
        house.write_text(text.replace("[terms.ttl]", "[terms.ttl, more.ttl]"), encoding="utf-8")
        assert "splits into plates" in Guard(config=house).ask("What is slate?").answer
