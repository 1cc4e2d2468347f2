"""``elysia-guard demo``: a dozen questions through the tree, and what becomes of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from elysia_guard.domain.document import Filters
from elysia_guard.domain.refusal import Examples
from elysia_guard.edge.cli.options import Setup, with_profile, with_setup
from elysia_guard.edge.cli.progress import Progress
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.domain.question import Lang
    from elysia_guard.domain.response import RAGResponse
    from elysia_guard.edge.cli.asking import Begin
    from elysia_guard.edge.cli.screen import Screen
    from elysia_guard.wiring import Wiring

QUESTIONS = (
    ("What is CIMXML?", "a term of the vocabulary"),
    ("What is CIM?", "a term with two meanings"),
    ("What is FooBarBaz?", "a word that nobody defined"),
    ("What does ADR.12 say?", "a decision, as its author writes it"),
    ("adr12", "the same decision, as people type it"),
    ("What does ADR-9999 say?", "a decision that does not exist"),
    ("Who approved ADR-0012?", "its approval record, a document of its own"),
    ("What does 12 say?", "a number that fits two documents"),
    ("List all principles", "a list, not a search"),
    ("Wat is blindvermogen?", "a definition, in Dutch"),
    ("Was ist ein Transformator?", "a definition, asked in German"),
    ("How do we ensure grid stability?", "an open question, found by meaning"),
    ("What is town gas?", "a term that is no longer used"),
    ("Who won the world cup?", "a question that the documents do not answer"),
    ("Hello!", "small talk"),
)
ASKED_OF_ANYTHING = (
    ("What is FooBarBaz?", "a word that nobody defined"),
    ("Who won the world cup?", "a question that the documents do not answer"),
    ("Hello!", "small talk"),
)
LINES, SOURCES = 14, 3


@click.command("demo", short_help="Ask a dozen questions, and see what becomes of them.")
@click.option(
    "--route",
    type=click.Choice(["tree", "direct"]),
    default="tree",
    show_default=True,
    help="tree: the Elysia tree, as the chat uses it. direct: the same stages without Elysia.",
)
@with_setup
@with_profile
def demo_command(setup: Setup, *, route: str) -> None:
    """Ask a dozen questions: answered, asked back and refused, in several languages.

    Of documents or a vocabulary of your own it asks what they can be asked.

    Builds the index first when there is none. Needs no key, no server and no network.

    \b
    Examples:
      elysia-guard demo
      elysia-guard demo --route direct
    """  # noqa: D301  click reads the \b
    from elysia_guard.edge.cli.asking import beginner
    from elysia_guard.edge.cli.screen import Screen

    wiring = setup.ready()
    questions = run_anywhere(_questions(wiring))
    with Progress("Starting Elysia" if route == "tree" else "Starting"):
        begin = beginner(wiring, route=route)
    run_anywhere(_ask_all(Screen(), begin, route, questions))


async def _questions(wiring: Wiring) -> Sequence[tuple[str, str]]:
    """The questions of the demo, or such as the documents and vocabulary in use can be asked."""
    if wiring.is_demo:
        return QUESTIONS
    pipeline, lang = wiring.pipeline, wiring.config.default_lang
    documents = await pipeline.index.documents(Filters())
    term = pipeline.example_term(lang) if pipeline.terminology else ""
    return list(_own(Examples.of(documents, term=term), lang))


def _own(examples: Examples, lang: Lang) -> Iterator[tuple[str, str]]:
    from elysia_guard.language.catalogue import say

    if examples.term:
        yield say(lang, "suggest.define", term=examples.term), "a term of the vocabulary"
    if document := examples.document:
        if examples.named:
            yield say(lang, "suggest.document", name=examples.named), "a document, by its name"
        yield document.title, "what its title says, as a question of substance"
    for kind in examples.kinds:
        if kind.is_numbered:
            yield say(lang, f"suggest.list_{kind.value}"), "a list, not a search"
            missing = say(lang, "suggest.document", name=kind.written(9_999))
            yield missing, "a document that does not exist"
    yield from ASKED_OF_ANYTHING


async def _ask_all(
    screen: Screen, begin: Begin, route: str, questions: Sequence[tuple[str, str]]
) -> None:
    from elysia_guard.edge.cli.replies import STYLES, Ending, ending

    counts: Counter[Ending] = Counter()
    spent_ms: list[float] = []
    for number, (question, about) in enumerate(questions, start=1):
        started = time.perf_counter()
        response = await begin(None)(question)
        spent_ms.append((time.perf_counter() - started) * 1000)
        counts[ending(response)] += 1
        screen.rule(f"{number}/{len(questions)}  {about}", "dim")
        _show(screen, question, response, spent_ms[-1])
    screen.rule("in all", "dim")
    parts = [f"{counts[end]} {end}" for end in STYLES if counts[end]]
    median = sorted(spent_ms)[len(spent_ms) // 2]
    screen.line(
        f"{len(questions)} questions on the {route} route: {' · '.join(parts)}; "
        f"half of them within {median:.0f} ms, all in {sum(spent_ms) / 1000:.1f} s",
        "bold",
    )


def _show(screen: Screen, question: str, response: RAGResponse, spent_ms: float) -> None:
    from elysia_guard.edge.cli.replies import STYLES, ending, show_sources
    from elysia_guard.edge.linking import emphasised, headline

    screen.line(f"› {question}", "bold")
    screen.line(f"  {headline(response)} · {spent_ms:.0f} ms", STYLES[ending(response)])
    screen.line()
    shown, left = _beginning(emphasised(response))
    screen.markdown(shown, indent=2)
    if left:
        screen.line()
        screen.line(f'  … {left} more lines: elysia-guard ask "{question}"', "dim italic")
    if response.sources:
        screen.line()
        show_sources(screen, response.sources[:SOURCES], indent=2)
    if len(response.sources) > SOURCES:
        screen.line(f"  and {len(response.sources) - SOURCES} more sources", "dim")
    screen.line()


def _beginning(answer: str) -> tuple[str, int]:
    """Return the first lines of an answer, and how many are left out."""
    lines = answer.split("\n")
    if len(lines) <= LINES + 2:
        return answer, 0
    return "\n".join(lines[:LINES]).rstrip("\n >"), len(lines) - LINES
