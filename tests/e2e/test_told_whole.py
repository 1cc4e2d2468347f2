"""What a named document decides is told whole, or the reply says how much more there is.

What is expected is read from the Markdown by simple means: a regular expression on headings.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.ingest import ingest
from elysia_guard.direct import Guard
from elysia_guard.domain.response import RAGResponse
from elysia_guard.running import run_anywhere

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "knowledge"
ESA = ROOT.parent / "shared" / "corpus" / "esa"

DECIDES = {
    "en": "What does {} decide?",
    "nl": "Wat besluit {}?",
    "de": "Was entscheidet {}?",
    "fr": "Que décide {} ?",
}
_NUMBER = r"(?:[0-9IVX]+[.)]?\s+)?"
_OUTCOME = "Decision Outcome|Decision|Statement|Stelling|Policy|Beslissing|Besluit|Entscheidung"
_APART = (
    "Consequences|Positive|Negative|Pros and Cons|More Information|Considered|Gevolgen|Meer inform"
)

Ask = Callable[[str], RAGResponse]


def outcome(markdown: str) -> tuple[str, str]:
    """What stands under the outcome's heading, and what has a heading of its own apart below it."""
    text = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)
    text = re.sub(r"<!--.*?(-->|\Z)", "", text, flags=re.DOTALL)
    begun = re.search(rf"^(#+)\s+{_NUMBER}(?:{_OUTCOME})\s*$", text, re.MULTILINE)
    if begun is None:
        return "", ""
    below, section = "", _until_heading(text[begun.end() :], len(begun[1]))
    while apart := re.search(rf"^(#+)\s+{_NUMBER}(?:{_APART}).*$", section, re.MULTILINE):
        rest = section[apart.end() :]
        beneath = _until_heading(rest, len(apart[1]))
        below, section = below + beneath, section[: apart.start()] + rest[len(beneath) :]
    return section, below


def _until_heading(text: str, level: int) -> str:
    return re.split(rf"^#{{1,{level}}}\s", text, maxsplit=1, flags=re.MULTILINE)[0]


def words(markdown: str) -> list[str]:
    """The words of some Markdown, without marks, headings and the targets of links."""
    text = re.sub(r"^(#+\s.*|```.*)$", "", markdown, flags=re.MULTILINE)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"</?\w+>", " ", re.sub(r"[*`]", "", text))
    return re.findall(r"\w+", text)


def quoted(reply: RAGResponse) -> list[str]:
    """The words of all that a reply quotes, in order."""
    lines = [line for line in reply.answer.splitlines() if line.startswith(">")]
    return words(re.sub(r"\[source:\d+\]", "", "\n".join(line[1:].strip() for line in lines)))


def told_in_full(ask: Ask, question: str, path: Path) -> None:
    """Ask, and hold the reply against a section that fits into one; of what is below it is told."""
    section, below = outcome(path.read_text(encoding="utf-8"))
    reply = ask(question)
    assert section, "every one of them has its outcome under a heading"
    assert quoted(reply) == words(section)
    assert reply.complete is not bool(words(below))
    rest = {"en": "part 2", "nl": "deel 2", "de": "Teil 2", "fr": "partie 2"}[reply.lang]
    assert (rest in reply.answer) is bool(words(below))


def _built(folder: Path, index: Path) -> Ask:
    run_anywhere(ingest([folder], index, BundledEmbedder()))
    return cache(Guard(index=index).ask)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return _built(DEMO, tmp_path_factory.mktemp("demo") / "index.sqlite")


@pytest.fixture(scope="module")
def esa(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    return _built(ESA, tmp_path_factory.mktemp("esa") / "index.sqlite")


def _documents(folder: Path, prefix: str) -> list[tuple[str, Path]]:
    """The documents of a folder by their names, without approval records."""
    paths = sorted(path for path in folder.glob("0*.md") if path.name[4] == "-")
    return [(f"{prefix}-{path.name[:4]}", path) for path in paths]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        *_documents(DEMO / "decisions", "ADR"),
        *_documents(DEMO / "principles", "PCP"),
        *_documents(DEMO / "policies", "POL"),
    ],
)
def test_all_that_a_document_decides_is_told(name: str, path: Path, demo: Ask) -> None:
    """The section of its outcome, word for word and in order, and not what follows from it."""
    told_in_full(demo, DECIDES["en"].format(name), path)


@pytest.mark.parametrize("lang", ["nl", "de", "fr"])
@pytest.mark.parametrize("number", ["0015", "0016", "0017", "0028", "0030"])
def test_it_is_told_in_every_language(number: str, lang: str, demo: Ask) -> None:
    """The language of the question changes nothing of what is quoted."""
    (path,) = (DEMO / "decisions").glob(f"{number}-*.md")
    question = DECIDES[lang].format(f"ADR-{number}")
    told_in_full(demo, question, path)


@pytest.mark.skipif(not ESA.is_dir(), reason="the shared corpora are not here")
@pytest.mark.parametrize(
    ("name", "path"),
    [*_documents(ESA / "decisions", "ADR"), *_documents(ESA / "principles", "PCP")],
)
def test_all_of_another_house_is_told(name: str, path: Path, esa: Ask) -> None:
    """Other templates, lists, nested headings and HTML in the text."""
    told_in_full(esa, f"What does {name} say?", path)


@pytest.mark.parametrize("number", [12, 15, 16, 17, 21, 22, 24, 29, 31])
def test_all_of_an_approval_record_is_told(number: int, demo: Ask) -> None:
    """Every row of its tables with its head, and what was noted beneath them."""
    (path,) = (DEMO / "decisions").glob(f"{number:04d}D-*.md")
    body = path.read_text(encoding="utf-8").split("---\n", maxsplit=2)[2]
    reply = demo(f"What does the approval record of ADR-{number:04d} say?")
    cells = [
        cell.strip() for row in re.findall(r"^\|(.*)\|$", body, re.M) for cell in row.split("|")
    ]
    prose = re.sub(r"^(\|.*|#.*)$", "", body, flags=re.MULTILINE)
    answer = " ".join(words(reply.answer.replace(">", "")))
    assert reply.complete
    assert [cell for cell in cells if " ".join(words(cell)) not in answer] == []
    assert set(words(prose)) <= set(quoted(reply))
