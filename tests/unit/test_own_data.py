"""One's own documents and vocabulary never meet the demo's, and examples come from what is used."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.unit.small_world import (
    DECISION,
    KNOWLEDGE,
    POLICY,
    World,
    cited,
    document,
    named,
)

from elysia_guard import config as configuration
from elysia_guard.config import Config, home
from elysia_guard.direct import Guard
from elysia_guard.domain.document import Document, DocumentKind, SectionRole
from elysia_guard.domain.question import Lang
from elysia_guard.domain.response import RAGResponse
from elysia_guard.edge.cli.main import cli
from elysia_guard.language.catalogue import catalogue, say
from elysia_guard.language.pack import langs
from elysia_guard.running import run_anywhere
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring
from elysia_guard.wiring.sources import LeftOut, left_out

DEMO = home() / "data"
TERMS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<https://x.example/floor> a skos:Concept ; skos:prefLabel "floor"@en ;
  skos:definition "What one stands on."@en ."""
PAINT = "# Paint\n\nWalls are painted white with chalk paint. A load of paint dries in a day.\n"


class Without(World):
    """A world in which no vocabulary is configured."""

    def __init__(self, **parts: object) -> None:
        super().__init__(**parts)  # type: ignore[arg-type]
        self.pipeline = replace(self.pipeline, terminology=None)


class TestWithoutVocabulary:
    @pytest.mark.parametrize("lang", langs())
    def test_a7_a_term_is_looked_for_in_the_documents(self, lang: Lang) -> None:
        """Without a vocabulary the documents are quoted for a term, and called no definition."""
        names = "Chalk paint, Kreidefarbe, krijtverf, peinture craie"
        said = (SectionRole.SUBSTANCE, f"{names}.")
        world = Without(passages=document(DECISION, 1, names, said))
        asked, term = {
            "en": ("What is chalk paint?", "chalk paint"),
            "nl": ("Wat is krijtverf?", "krijtverf"),
            "de": ("Was ist Kreidefarbe?", "Kreidefarbe"),
            "fr": ("Que signifie peinture craie ?", "peinture craie"),
        }[lang]
        response = world.ask(asked)
        assert cited(response) == ["ADR-0001"]
        (warning,) = response.warnings
        assert warning.message == say(lang, "answer.undefined_none", term=term)
        assert warning.message in response.answer

    @pytest.mark.parametrize("asked", ["What is a transformer?", "Define FooBarBaz"])
    def test_a7_a_refusal_says_that_there_is_no_vocabulary(self, asked: str) -> None:
        """A term that the documents do not speak of is refused, and the missing vocabulary told."""
        response = Without().ask(asked)
        assert response.refused
        assert "No vocabulary is configured" in response.answer
        assert "transformer?" not in " ".join(item.question for item in response.suggestions)

    def test_a7_everything_else_works_without_one(self) -> None:
        """Named documents, lists and questions of substance need no vocabulary."""
        world = Without()
        assert cited(world.ask("What does ADR.12 decide?")) == ["ADR-0012"]
        assert len(cited(world.ask("List all principles"))) == 2
        assert cited(world.ask("Which fallback do encrypted connections have?")) == ["ADR-0027"]
        assert not world.ask("hello").refused
        assert "governed vocabulary" not in world.ask("Who are you?").answer


def everything_said(world: World) -> list[RAGResponse]:
    """Small talk and refusals, in which examples are named."""
    asked = (
        "help", "hello", "how are you?", "Who are you?", "What is FooBarBaz?", "zzzz",
        "What does ADR-9999 say?", "What does PCP-9999 say?", "List all policies about zzz",
        "hulp", "hallo", "Wat is FooBarBaz?", "Hilfe", "Was ist FooBarBaz?",
        "Zeige alle Prinzipien",
    )  # fmt: skip
    return [world.ask(each) for each in asked]


ONLY = {
    DECISION: document(DECISION, 7, "Oak", (SectionRole.SUBSTANCE, "Floors are of oak.")),
    POLICY: document(POLICY, 4, "Paint", (SectionRole.SUBSTANCE, "Walls are white.")),
    DocumentKind.DOCUMENT: document(
        DocumentKind.DOCUMENT, None, "Memo", (SectionRole.SUBSTANCE, "The cellar is aired.")
    ),
}


class TestExamples:
    @pytest.mark.parametrize("kind", ONLY)
    def test_a7_no_list_is_proposed_that_would_be_empty(self, kind: DocumentKind) -> None:
        """Help, small talk and refusals name only kinds, documents and terms that there are."""
        replies = everything_said(Without(passages=ONLY[kind]))
        for lang in langs():
            proposed = {
                say(lang, f"suggest.list_{other}")
                for other in ("decision", "principle", "policy")
                if other != kind.value
            }
            for reply in replies:
                assert not proposed & {item.question for item in reply.suggestions}
                asked = reply.answer.partition(say(reply.lang, "refusal.try"))
                told = asked[2] or ("" if reply.refused else asked[0])
                assert not any(f"'{each}'" in told for each in proposed), reply.answer

    @pytest.mark.parametrize("lang", langs())
    def test_a7_no_message_names_an_example_of_the_demo(self, lang: Lang) -> None:
        """The texts hold no name of the demo: none of its numbers, labels or documents."""
        titles = {item.document.title for item in KNOWLEDGE}
        for key, text in catalogue(lang).items():
            counted = re.sub(r"\b1\b", "", text) if key.endswith("_one") else text
            assert not any(char.isdigit() for char in counted), key
            for name in ("CIM", "ADR", "PCP", "POL", "Vennet", *titles):
                assert name not in text, key


def demo() -> Sequence[Document]:
    return [replace(named("ADR-0012"), sha256=digest)] if (digest := _demo_hash()) else []


def own() -> Sequence[Document]:
    return [named("ADR-0012")]


def nothing() -> Sequence[Document]:
    return []


def missing() -> None:
    return None


def _demo_hash() -> str:
    from hashlib import sha256

    file = next((DEMO / "knowledge").rglob("*.md"))
    return sha256(file.read_bytes()).hexdigest()


def shipped(**variables: str) -> Config:
    return configuration.load(environ={f"ELYSIA_GUARD_{key}": v for key, v in variables.items()})


def flagged(index: bool = False, vocabulary: Path | None = None) -> Config:
    """The shipped configuration with the options of the command line."""
    return Wiring.load(index=Path("own.sqlite") if index else None, vocabulary=vocabulary).config


OWN, VENNET = Path("own.ttl"), DEMO / "vocabulary" / "vennet.ttl"
NO_TERMS, NO_DOCUMENTS, NOTHING = LeftOut(vocabulary=True), LeftOut(documents=True), LeftOut()


class TestApart:
    @pytest.mark.parametrize(
        ("made", "documents", "expected"),
        [
            (shipped, demo, NOTHING),
            (shipped, missing, NOTHING),
            (shipped, own, NO_TERMS),
            (lambda: flagged(index=True), own, NO_TERMS),
            (lambda: flagged(index=True), nothing, NO_TERMS),
            (lambda: flagged(index=True), missing, NO_TERMS),
            (lambda: flagged(index=True), demo, NOTHING),
            (lambda: flagged(index=True, vocabulary=OWN), own, NOTHING),
            (lambda: flagged(index=True, vocabulary=VENNET), own, NOTHING),
            (lambda: flagged(vocabulary=VENNET), demo, NOTHING),
            (lambda: flagged(vocabulary=OWN), demo, NO_DOCUMENTS),
            (lambda: flagged(vocabulary=OWN), missing, NO_DOCUMENTS),
            (lambda: flagged(vocabulary=OWN), own, NOTHING),
            (lambda: shipped(INDEX__PATH="own.sqlite"), own, NO_TERMS),
            (lambda: shipped(INDEX__PATH="copy.sqlite"), demo, NOTHING),
            (lambda: shipped(INDEX__PATH="fresh.sqlite"), missing, NOTHING),
            (lambda: shipped(INDEX__SOURCES="[mine]"), missing, NO_TERMS),
            (lambda: shipped(INDEX__SOURCES="[mine]"), own, NO_TERMS),
            (lambda: shipped(TERMINOLOGY__FILES="[own.ttl]"), demo, NO_DOCUMENTS),
            (lambda: shipped(TERMINOLOGY__FILES="[]"), demo, NOTHING),
            (lambda: shipped(TERMINOLOGY__FILES="[]"), own, NOTHING),
            (
                lambda: shipped(
                    TERMINOLOGY__KIND="skosmos", TERMINOLOGY__SKOSMOS__URL="http://x.example"
                ),
                demo,
                NOTHING,
            ),
        ],
    )
    def test_a7_what_is_named_is_used_and_the_demo_fills_no_gap(
        self,
        made: Callable[[], Config],
        documents: Callable[[], Sequence[Document] | None],
        expected: LeftOut,
    ) -> None:
        """However index and vocabulary are named, the demo's half is not used beside one's own."""
        found = left_out(made(), documents)
        assert found == expected
        assert bool(found.notice) == (found != NOTHING)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Documents and a vocabulary of one's own."""
    monkeypatch.setattr(Wiring, "embedder", HashEmbedder())
    (tmp_path / "memos").mkdir()
    (tmp_path / "memos" / "paint.md").write_text(PAINT, encoding="utf-8")
    (tmp_path / "own.ttl").write_text(TERMS, encoding="utf-8")
    return tmp_path


def program(*args: object) -> Mapping[str, object]:
    """Run a command; standard output is JSON."""
    result = CliRunner().invoke(cli, [str(arg) for arg in args], prog_name="elysia-guard")
    assert result.exit_code == 0, result.output
    return {"stderr": result.stderr, **json.loads(result.stdout)}


class TestPrograms:
    def test_a7_an_index_of_ones_own_is_not_asked_with_the_demos_vocabulary(
        self, folder: Path
    ) -> None:
        """After `ingest FOLDER --index FILE`, 'What is load?' is not answered from the demo."""
        index = folder / "own.sqlite"
        program("ingest", folder / "memos", "--index", index, "--json")
        replied = program("ask", "What is load?", "--index", index, "--json")
        sources = replied["sources"]
        assert isinstance(sources, list)
        assert not [each for each in sources if each["doc_type"] == "Vocabulary"]
        assert "No vocabulary is configured" in str(replied["answer"])
        assert "--vocabulary" in str(replied["stderr"])
        helped = program("ask", "help", "--index", index, "--json")
        assert "CIM" not in str(helped["answer"])
        assert "ADR" not in str(helped["answer"])

    def test_a7_a_configuration_may_name_no_vocabulary(self, folder: Path) -> None:
        """`terminology.files: []`, or no such section, is a configuration without a vocabulary."""
        (folder / "config").mkdir()
        text = (home() / "config" / "guard.yaml").read_text(encoding="utf-8")
        text = text.replace("thresholds: config", f"thresholds: {home()}/config")
        bare = text.replace("[data/knowledge]", "[memos]")
        start, end = bare.index("terminology:"), bare.index("index:")
        for terms in ("terminology: {files: []}\n\n", ""):
            file = folder / "config" / "guard.yaml"
            file.write_text(bare[:start] + terms + bare[end:], encoding="utf-8")
            guard = Guard(config=file)
            assert guard.pipeline.terminology is None
            assert guard.ask("What is a floor?").refused
            guard.wiring.close()
            run_anywhere(guard.wiring.fill_index())
        told = CliRunner().invoke(cli, ["doctor", "--config", str(file)], prog_name="elysia-guard")
        assert "none is configured" in told.output
        told = CliRunner().invoke(cli, ["vocab", "search", "x", "--config", str(file)])
        assert told.exit_code != 0
        assert "--vocabulary" in told.output
        assert told.exception is None or isinstance(told.exception, SystemExit)

    def test_a7_the_demo_asks_what_ones_own_documents_can_be_asked(self, folder: Path) -> None:
        """`demo` over an index of one's own asks nothing of the demo's documents."""
        index = folder / "own.sqlite"
        program("ingest", folder / "memos", "--index", index, "--json")
        command = ["demo", "--route", "direct", "--index", str(index)]
        shown = CliRunner().invoke(cli, command, prog_name="elysia-guard")
        assert shown.exit_code == 0, shown.output
        assert "\u203a Paint" in shown.stdout
        for name in ("CIM", "ADR", "town gas", "blindvermogen", "grid"):
            assert name not in shown.stdout
