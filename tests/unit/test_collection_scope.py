"""A question that is asked of some collections: nothing of the others is shown, in any way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.shipped import shipped_guard
from tests.unit.small_world import (
    COLLECTIONS,
    DECISION,
    KNOWLEDGE,
    POLICY,
    PRINCIPLE,
    World,
    cited,
    document,
    index,
)

from elysia_guard.direct import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.document import Document, Filters, SectionRole
from elysia_guard.domain.errors import ScopeError
from elysia_guard.domain.refusal import RefusalReason
from elysia_guard.domain.response import RAGResponse
from elysia_guard.domain.scope import CollectionScope
from elysia_guard.evaluation.golden import Split, load
from elysia_guard.language.catalogue import say
from elysia_guard.language.pack import langs
from elysia_guard.language.references import find_references
from elysia_guard.running import run_anywhere
from elysia_guard.scoping import ScopedIndex

DATA = Path(__file__).parents[2] / "data"
VOCABULARY = "Vocabulary_Ollama"
NAMES = (*COLLECTIONS.values(), VOCABULARY)


def ask(
    world: World, text: str, *names: str, conversation: Conversation | None = None
) -> RAGResponse:
    """Ask a question of the collections of these names."""

    async def answer() -> RAGResponse:
        under_way = await world.pipeline.begin(
            text,
            request_id="req-1",
            route="direct",
            scope=world.pipeline.scope(names),
            conversation=conversation,
        )
        return await world.pipeline.answer(under_way)

    return run_anywhere(answer())


@pytest.fixture
def world() -> World:
    return World()


class TestAnswers:
    @pytest.mark.parametrize("number", [12, 3, 9999])
    @pytest.mark.parametrize("lang", langs())
    def test_a9_a_document_outside_is_refused_as_one_that_is_not_there(
        self, world: World, number: int, lang: str
    ) -> None:
        """A named document outside the collections asked is refused, whether it exists or not."""
        asked = {
            "en": "What does {} decide?",
            "nl": "Wat besluit {}?",
            "de": "Was sagt {}?",
            "fr": "Que dit l'{} ?",
        }
        name = f"ADR-{number:04d}"
        response = ask(world, asked[lang].format(name), "Principle_Ollama")
        assert response.refusal_reason is RefusalReason.ENTITY_NOT_FOUND
        told = say(
            response.lang,
            "refusal.entity_not_found_scoped",
            subject=name,
            collections=say(response.lang, "list.principle_many"),
        )
        assert told in response.answer
        assert {item.question for item in response.suggestions} == {
            say(response.lang, "suggest.list_principle")
        } or response.suggestions == ()

    def test_a9_beside_one_that_may_be_asked_it_is_told_as_not_asked(self, world: World) -> None:
        """Of two named documents the one that may be asked is answered, the other told."""
        response = ask(world, "Compare PCP.10 with ADR.12", "Principle_Ollama")
        assert cited(response) == ["PCP-0010"]
        (warning,) = response.warnings
        assert warning.message.startswith("ADR-0012 is not among the collections asked")

    def test_a9_a_bare_number_means_what_may_be_asked(self, world: World) -> None:
        """A number that fits two documents is asked back only if both may be asked."""
        assert ask(world, "12").refusal_reason is RefusalReason.TERMINOLOGY_AMBIGUOUS
        assert cited(ask(world, "12", "Principle_Ollama", "Policy_Ollama")) == ["PCP-0012"]
        assert ask(world, "12", "Policy_Ollama", VOCABULARY).refused

    def test_a9_a_choice_made_before_reaches_no_further(self, world: World) -> None:
        """A choice offered by an earlier, wider question is held to the collections asked now."""
        talk = Conversation()
        ask(world, "12", conversation=talk)
        assert ask(world, "the first", "Principle_Ollama", conversation=talk).refused
        ask(world, "What is an asset?", conversation=talk)
        assert not ask(world, "the first", "ADR_Ollama", conversation=talk).sources

    def test_a9_a_list_holds_and_counts_what_may_be_asked(self, world: World) -> None:
        """A list of kinds outside is refused; of several kinds, those outside are told."""
        refused = ask(world, "List all decisions", "Principle_Ollama")
        assert refused.refusal_reason is RefusalReason.NO_RESULTS
        assert "in the collections asked (principles)" in refused.answer
        both = ask(world, "List all decisions and principles", "Principle_Ollama")
        assert cited(both) == ["PCP-0010", "PCP-0012"]
        assert both.answer.startswith("There are 2 principles")
        assert [warning.type for warning in both.warnings] == ["OUTSIDE"]

    def test_a9_owners_outside_are_not_named(self, world: World) -> None:
        """Who owns documents outside is not told where an owner is not found."""
        known = document(POLICY, 7, "T", (SectionRole.SUBSTANCE, "Said."), owner="The council")
        world = World(passages=[*KNOWLEDGE, *known])
        response = ask(world, "List all policies owned by Marketing", "Policy_Ollama")
        assert "The council" in response.answer
        assert "The board" not in response.answer

    def test_a9_a_search_finds_what_may_be_asked(self, world: World) -> None:
        """A question of substance is answered from the collections asked, or refused."""
        asked = "Which fallback do encrypted connections have?"
        assert cited(ask(world, asked)) == ["ADR-0027"]
        response = ask(world, asked, "Principle_Ollama", "Policy_Ollama")
        assert response.refused
        assert "ADR" not in response.answer
        assert "decisions" not in response.answer

    @pytest.mark.parametrize("asked", ["What is a transformer?", "power transformer"])
    def test_a9_the_vocabulary_is_asked_where_it_is_named(self, world: World, asked: str) -> None:
        """A term is defined only where the vocabulary is among the collections asked."""
        assert ask(world, asked, VOCABULARY).sources[0].doc_type == "Vocabulary"
        response = ask(world, asked, "ADR_Ollama")
        assert "Vocabulary" not in {source.doc_type for source in response.sources}
        assert not any(item.question == "What is transformer?" for item in response.suggestions)

    def test_a9_that_a_term_was_not_looked_up_is_told(self, world: World) -> None:
        """A refusal for a term says that the vocabulary was not among the collections asked."""
        response = ask(world, "What is a transformer?", "Principle_Ollama")
        told = say("en", "refusal.undefined_outside", term="transformer")
        assert told in response.answer

    def test_a9_nothing_is_left_of_names_that_are_not_there(self, world: World) -> None:
        """Asked of strange collections alone, everything but small talk is refused."""
        for asked in ("ADR.12", "List all principles", "What is a transformer?", "TLS", "12"):
            response = ask(world, asked, "Ecommerce")
            assert response.refused, asked
            assert response.suggestions == ()
            assert "Ecommerce" in response.answer

    def test_a9_help_names_what_may_be_asked(self, world: World) -> None:
        """The examples of help come from the collections asked."""
        told = ask(world, "help", "Policy_Ollama").answer
        assert "POL-0003" in told
        assert "ADR" not in told
        assert say("en", "suggest.list_decision") not in told


class TestView:
    async def test_a9_the_view_counts_what_may_be_seen(self) -> None:
        """What the view tells of the index is told of the documents that it shows."""
        view = ScopedIndex(index(), CollectionScope.of_kind(POLICY))
        info = await view.info()
        assert (info.documents, info.passages, info.by_type) == (1, 1, {"Policy": 1})
        assert not await view.passages("ADR-0012")
        assert await view.passages("POL-0003")


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    """The shipped documents and vocabulary, with a toy embedder: what leaks, leaks with it too."""
    with shipped_guard(tmp_path_factory.mktemp("scope") / "index.sqlite") as guard:
        lenient = guard.pipeline.thresholds
        limits = replace(lenient.default, distance_threshold=2.0)
        thresholds = replace(lenient, default=limits, collections={})
        guard.pipeline = replace(guard.pipeline, thresholds=thresholds)
        yield guard


QUESTIONS = [
    case.query for case in load(DATA / "evaluation" / "golden_queries.jsonl").select(Split.TUNING)
]


def written(response: RAGResponse) -> str:
    """Everything that a person or a program is shown."""
    return "\n".join(
        (
            response.answer,
            *(f"{item.question} {item.label}" for item in response.suggestions),
            *(warning.message for warning in response.warnings),
            *(f"{source.title} {source.quote}" for source in response.sources),
            *(step.note for step in response.trace),
        )
    )


class TestEveryQuestion:
    @settings(
        max_examples=150,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(
        asked=st.sampled_from(QUESTIONS),
        names=st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    )
    @example("How do we define zero trust", [COLLECTIONS[DECISION], VOCABULARY])
    def test_a9_nothing_outside_is_named_by_any_reply(
        self, shipped: Guard, asked: str, names: list[str]
    ) -> None:
        """Whatever is asked of some collections, no reply names a document of the others."""
        response = shipped.ask(asked, collections=names)
        assert {source.collection for source in response.sources} <= set(names)
        told = written(response).casefold()
        within, outside = split(shipped, names)
        # 'Who approved ADR-0021?' names ADR-0021D, whether there is one or not.
        named = (f"{item.identity} {item.identity}D" for item in find_references(asked))
        known = "\n".join([asked, *named, *within]).casefold()
        for item in outside:
            for name in (item.title.casefold(), item.identifier.casefold()):
                assert not name or name not in told or name in known, (name, told)


def split(guard: Guard, names: list[str]) -> tuple[list[str], list[Document]]:
    """What the documents and the vocabulary within say, and the documents outside."""
    source, within, outside = guard.pipeline.index, [], []
    if VOCABULARY in names:  # 'least privilege' is a term too, not only a principle's title
        within.append((DATA / "vocabulary" / "vennet.ttl").read_text(encoding="utf-8"))
    for item in run_anywhere(source.documents(Filters(approval=None))):
        if guard.pipeline.collections[item.kind] not in names:
            outside.append(item)
            continue
        stated = (item.title, item.identifier, item.superseded_by, item.supersedes, item.status)
        passages = run_anywhere(source.passages(item.id))
        within += [text.casefold() for text in (*stated, *(p.in_context for p in passages))]
    return within, outside


class TestGuard:
    def test_a9_the_direct_route_takes_kinds_and_collections(self, shipped: Guard) -> None:
        """Python may name a kind, a collection, or several, and both restrictions hold."""
        assert shipped.ask("ADR-0012", kind=PRINCIPLE).refused
        assert not shipped.ask("ADR-0012", kind="decision").refused
        assert not shipped.ask("ADR-0012", kind="adr_ollama").refused
        assert shipped.ask("ADR-0012", kind="decision", collections=["Policy_Ollama"]).refused
        assert shipped.ask("ADR-0012", collections="Policy_Ollama").refused

    @pytest.mark.parametrize("asked", ["ADR-0012", "List all policies", "What is CIMXML?", "12"])
    def test_a9_who_may_see_nothing_is_shown_nothing(self, shipped: Guard, asked: str) -> None:
        """An empty list of collections is none of them: whoever has no rights is refused."""
        response = shipped.ask(asked, collections=[])
        assert response.refused
        assert (response.sources, response.suggestions) == ((), ())
        assert not shipped.ask(asked, collections=None).refused

    def test_a9_a_collection_that_is_not_there_is_an_error(self, shipped: Guard) -> None:
        """A name that is none of the collections is told, with those that there are."""
        with pytest.raises(ScopeError, match=r"no collection 'polcy'.*policy \(Policy_Ollama\)"):
            shipped.ask("ADR-0012", kind="polcy")
