"""Registers with other habits, long sections, and what a quote takes along."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tables import FOLDER

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.ingest import ingest
from elysia_guard.direct import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse
from elysia_guard.running import run_anywhere

TITLE = "Store drawings in the archive vault"
CHOSEN = "Drawings go to the vault of Zwolle."
MADR = (FOLDER / "madr.md").read_text(encoding="utf-8")
PARTS = (
    "Date: 2024-02-03\n\nStatus: accepted\n\n**Context**\n\nDrawings get lost.\n\n**Decision**\n\n"
    f"{CHOSEN}\n\n**Consequences**\n\nNobody climbs the loft.\n"
)
LABELLED = (
    "- **Status**: accepted\n- **Context**: Drawings get lost.\n"
    f"- **Decision**: {CHOSEN}\n- **Consequences**: Nobody climbs the loft.\n"
)
LONG = "\n".join(f"- Drawer {n} holds the drawings of {'substation ' * 12}{n}." for n in range(60))
METHODS = (FOLDER / "stamps.md").read_text(encoding="utf-8")


def guard_over(folder: Path, text: str, *, name: str = "0007-vault.md") -> Guard:
    (folder / "decisions").mkdir()
    (folder / "decisions" / name).write_text(text, encoding="utf-8")
    run_anywhere(ingest([folder / "decisions"], folder / "index.sqlite", BundledEmbedder()))
    return Guard(index=folder / "index.sqlite")


def quotes(reply: RAGResponse) -> str:
    lines = (line[1:] for line in reply.answer.splitlines() if line.startswith(">"))
    return " ".join(re.sub(r"\[source:\d+\]", "", "\n".join(lines)).split())


@pytest.mark.parametrize(
    "heading",
    [
        "Decision", "Decision Outcome", "3. Decision", "III. Decision", "Our decision",
        "Decision and rationale", "Chosen option", "Beslissing", "2. Besluit", "Gekozen oplossing",
        "Entscheidung", "Gewählte Option", "Décision retenue", "\u2705 Decision",
    ],
)  # fmt: skip
def test_what_is_decided_is_told_whatever_its_heading(heading: str, tmp_path: Path) -> None:
    """Not who decided and when, nor why, nor what was rejected; of what is below it the number."""
    text = MADR.format(title=TITLE, heading=heading, chosen=CHOSEN)
    reply = guard_over(tmp_path, text).ask("What does ADR-0007 decide?")
    assert quotes(reply) == CHOSEN
    assert "1 more point is not shown. Ask: 'What does ADR-0007 say, part 2?'" in reply.answer
    assert not reply.complete


@pytest.mark.parametrize("body", [PARTS, LABELLED], ids=["bold lines", "labels"])
def test_a_part_may_be_headed_by_a_label(body: str, tmp_path: Path) -> None:
    """'**Decision**' on a line of its own, or before the sentence."""
    reply = guard_over(tmp_path, f"# {TITLE}\n\n{body}").ask("What does ADR-0007 decide?")
    assert quotes(reply).removeprefix("- Decision: ") == CHOSEN


def test_where_no_heading_tells_the_decision_the_reply_says_so(tmp_path: Path) -> None:
    """A statement without headings is shown whole; its date and status are not."""
    body = (
        "Date: 2024-02-03\n\nIn the context of drawings, facing floods, we decided for the vault "
        "and against the loft, to keep them dry, accepting that they are far away.\n"
    )
    reply = guard_over(tmp_path, f"# {TITLE}\n\n{body}").ask("What does ADR-0007 decide?")
    assert quotes(reply) == " ".join(body.split("\n\n")[1].split())
    assert "has no section" in reply.answer


@pytest.mark.parametrize(
    ("question", "more", "left"),
    [
        ("What does ADR-0007 decide?", "tell me more", r"(\d+) more points are not shown"),
        ("Wat besluit ADR-0007?", "vertel meer", r"Nog (\d+) punten zijn niet getoond"),
        ("Was entscheidet ADR-0007?", "erzähl mir mehr", r"(\d+) weitere Punkte sind nicht"),
        ("Que décide ADR-0007 ?", "dis-m'en plus", r"(\d+) autres points ne sont pas"),
    ],
)
def test_what_does_not_fit_is_counted_and_follows(
    question: str, more: str, left: str, tmp_path: Path
) -> None:
    """All drawers are told over the replies, each once, the list under what introduces it."""
    guard = guard_over(tmp_path, f"# {TITLE}\n\n## Decision\n\nThe drawers are these:\n\n{LONG}\n")
    talk, told = Conversation(), list[int]()
    reply = guard.ask(question, conversation=talk)
    while not reply.complete:
        told += map(int, re.findall(r"Drawer (\d+)", quotes(reply)))
        counted = re.search(left, reply.answer)
        assert counted
        assert int(counted[1]) == 60 - len(told)
        assert quotes(reply).startswith("The drawers are these: -")
        reply = guard.ask(more, conversation=talk)
    told += map(int, re.findall(r"Drawer (\d+)", quotes(reply)))
    assert told == list(range(60))


def test_the_way_to_the_rest_can_be_asked_by_itself(tmp_path: Path) -> None:
    """The question that the reply names needs no conversation."""
    guard = guard_over(tmp_path, f"# {TITLE}\n\n## Decision\n\nThe drawers are these:\n\n{LONG}\n")
    named = re.search(r"Ask: '(.*)'", guard.ask("What does ADR-0007 decide?").answer)
    assert named
    assert "Drawer 59" in quotes(guard.ask(named[1])) or "more points" in guard.ask(named[1]).answer
    beyond = guard.ask("What does ADR-0007 say, part 99?")
    assert "says no more" in beyond.answer


def test_after_the_whole_outcome_more_is_the_rest_of_the_document(tmp_path: Path) -> None:
    """Each section under its heading, and what is asked next is asked from the beginning."""
    text = MADR.format(title=TITLE, heading="Decision Outcome", chosen=CHOSEN)
    guard, talk = guard_over(tmp_path, text), Conversation()
    guard.ask("What does ADR-0007 decide?", conversation=talk)
    rest = guard.ask("tell me more", conversation=talk)
    assert "*Context and Problem Statement*\n\n> Drawings get lost." in rest.answer
    assert CHOSEN not in rest.answer
    assert "Deciders" not in rest.answer
    assert quotes(guard.ask("What does ADR-0007 decide?", conversation=talk)) == CHOSEN


@pytest.fixture(scope="module")
def methods(tmp_path_factory: pytest.TempPathFactory) -> Guard:
    return guard_over(tmp_path_factory.mktemp("stamps"), METHODS)


def test_code_stays_code(methods: Guard) -> None:
    """Its lines are kept, in a fence, and the mark of its source stands behind it."""
    reply = methods.ask("What does ADR-0007 decide?")
    assert "> ```\n> stamp --drawing D-17\n>   --vault zwolle\n> ```\n>\n" in reply.answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Are wax seals allowed on drawings?", "Prohibited methods: - ink stamps - wax seals"),
        ("Is green wax allowed?", "Prohibited methods: - ink stamps - wax seals, such as: - red"),
        ("Why is the stamp a QR code?", "because - it survives copying - it needs no reader"),
        ("What does a blue stamp mean?", "- Colour: Blue; Meaning: The drawing is valid. It may"),
    ],
)
@pytest.mark.parametrize("named", ["", " According to ADR-0007."])
def test_a_quote_takes_along_what_belongs_to_it(
    question: str, told: str, named: str, methods: Guard
) -> None:
    """An item what introduces it, 'because' its reasons, a row its heads."""
    assert told in quotes(methods.ask(f"{question}{named}"))


def test_a_list_is_taken_along_over_the_end_of_a_passage(tmp_path: Path) -> None:
    """Also by a search, as far as it fits; the reply says how much of it does not."""
    items = "\n".join(f"- Shelf {n} is for {'old ' * 20}plans." for n in range(60))
    body = f"# Keep plans on shelves\n\n## Decision\n\nPlans may lie on these shelves:\n\n{items}\n"
    guard = guard_over(tmp_path, body, name="0008-shelves.md")
    for question in ("On which shelves may plans lie?", "What does ADR-8 say about shelves?"):
        reply = guard.ask(question)
        told = re.findall(r"Shelf (\d+)", quotes(reply))
        left = re.search(r"(\d+) more points are not shown", reply.answer)
        assert told == sorted(set(told), key=int)
        assert left
        assert len(told) + int(left[1]) == 60
        assert not reply.complete


def test_an_item_under_a_heading_alone_is_shown_under_it(methods: Guard) -> None:
    """'Barcodes on the spine' would else read as what is wanted."""
    reply = methods.ask("What does ADR-0007 say about barcodes on the spine?")
    assert "*Rejected ideas*\n\n> - Barcodes on the spine" in reply.answer
