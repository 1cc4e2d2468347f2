"""What a list asserts is what grep finds in the files: their titles and their text.

Nothing of the program is used to read the files: the expected members are found by plain means.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from tests.shipped import KNOWLEDGE, shipped_guard
from tests.unit.made_register import Register

from elysia_guard.direct import Guard
from elysia_guard.domain.conversation import Conversation
from elysia_guard.domain.response import RAGResponse
from elysia_guard.language.catalogue import say

ROOT = Path(__file__).parents[2]
ESA = ROOT.parent / "shared" / "corpus" / "esa"
PREFIXES = {"decisions": "ADR", "principles": "PCP", "policies": "POL"}
TOPICS = [
    "data", "security", "encryption", "authentication", "certificates", "meter readings", "TLS",
    "suppliers", "customers", "operational technology", "keys", "open standards", "grid",
    "real-time", "field engineers", "password", "costs", "hydrogen",
]  # fmt: skip
ASKED = {
    "decisions": ["Which decisions are about {}?", "How many decisions mention {}?"],
    "principles": ["Which principles concern {}?", "Welke principes gaan over {}?"],
    "policies": ["List all policies about {}", "Welche Richtlinien betreffen {}?"],
}
TITLED = ("In the title", "In de titel", "Im Titel")
QUOTED = r"'([^']+)'"


@dataclass(frozen=True)
class File:
    """A document as it lies on the disk."""

    id: str
    folder: str
    title: str
    body: str
    fields: dict[str, str]

    def bears(self, names: list[str], where: str = "all") -> bool:
        text = self.title if where == "title" else f"{self.title}\n{self.body}"
        return any(
            re.search(rf"(?<![^\W_]){name}(?![^\W_])", text, re.IGNORECASE)
            for name in (r"\s+".join(map(re.escape, name.split())) for name in names)
        )


def files(root: Path) -> list[File]:
    found = []
    for path in sorted(root.rglob("[0-9]*-*.md")):
        number, folder = path.name.partition("-")[0], path.parent.name
        if number.endswith("D"):
            continue
        text = re.sub(r"<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        front, body = re.match(r"(?:---\n(.*?)\n---\n)?(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
        fields = dict(re.findall(r"^ *(\w+): *\"?(.*?)\"?$", front or "", re.MULTILINE))
        title = fields.get("title") or re.search(r"^# (.*)", body, re.MULTILINE)[1]  # type: ignore[index]
        id_ = f"{PREFIXES[folder]}-{number}"
        found.append(File(id_, folder, title, re.sub(r"\]\([^)]*\)", "]", body), fields))
    return found


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    with shipped_guard(tmp_path_factory.mktemp("demo") / "index.sqlite") as guard:
        yield guard


@pytest.fixture(scope="module")
def esa(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guard]:
    if not ESA.is_dir():
        pytest.skip("the corpus is not there")
    with shipped_guard(tmp_path_factory.mktemp("esa") / "index.sqlite", ESA) as guard:
        yield guard


@dataclass(frozen=True)
class Told:
    """What a list says, and what stands under each of its headings."""

    whole: str
    groups: dict[str, list[str]]

    @property
    def names(self) -> list[str]:
        return re.findall(QUOTED, self.whole)

    @property
    def main(self) -> list[str]:
        """What is listed by its sentence, and not by other forms."""
        return [id_ for said, ids in self.groups.items() if ", '" not in said for id_ in ids]


def told(reply: RAGResponse) -> Told:
    """Read a list as it is written: its sentence, then what stands under each heading."""
    assert reply.sources, reply.answer
    ids, said, groups = iter(reply.sources), "", dict[str, list[str]]()
    whole = ""
    for line in filter(None, reply.answer.splitlines()):
        if line.startswith("- "):
            groups.setdefault("" if said == whole else said, []).append(next(ids).doc_id)
        else:
            said = line
            whole = whole or (line if ("'" in line and line.endswith(":")) else "")
    return Told(whole.rpartition(". ")[2], groups)


def check(reply: RAGResponse, of: list[File]) -> None:
    """Hold every sentence of a list against the files."""
    said = told(reply)
    bearing = {item.id for item in of if item.bears(said.names)}
    assert sorted(said.main) == sorted(bearing), said.whole
    assert re.search(rf"\b{len(bearing)}\b", said.whole), said.whole
    for heading, ids in said.groups.items():
        assert not heading or f"({len(ids)})" in heading
        if heading.startswith(TITLED):
            assert set(ids) == {item.id for item in of if item.bears(said.names, "title")}
        if ", '" in heading:
            forms = re.findall(QUOTED, heading)
            assert set(ids) == {item.id for item in of if item.bears(forms)} - bearing, heading


def members(reply: RAGResponse) -> set[str]:
    return {source.doc_id for source in reply.sources}


@pytest.mark.parametrize(
    ("folder", "form", "topic"),
    [(at, form, topic) for at, forms in ASKED.items() for form, topic in product(forms, TOPICS)],
)
def test_a_list_asserts_what_grep_finds(demo: Guard, folder: str, form: str, topic: str) -> None:
    """All that bear it, in the title or in the text, and as many as it says."""
    of = [item for item in files(KNOWLEDGE) if item.folder == folder]
    reply = demo.ask(form.format(topic))
    assert not any(item.bears([topic]) and item.id not in members(reply) for item in of)
    if "- **" in reply.answer:
        check(reply, of)
        assert "word for word in its source" not in reply.verified


@pytest.mark.parametrize("topic", ["data", "privacy", "systemen", "interoperabiliteit", "klant"])
@pytest.mark.parametrize("form", ["Welke principes gaan over {}?", "Hoeveel principes noemen {}?"])
def test_a_list_of_another_register_asserts_what_grep_finds(
    esa: Guard, form: str, topic: str
) -> None:
    """In Dutch as well, over a corpus that is not ours."""
    of = [item for item in files(ESA) if item.folder == "principles"]
    check(esa.ask(form.format(topic)), of)


@pytest.mark.parametrize(
    ("asked", "joined", "first", "second"),
    [
        ("Which decisions are about TLS and certificates?", all, "TLS", "certificates"),
        ("Which decisions are about data or keys?", any, "data", "keys"),
        ("decisions that concern both access and devices", all, "access", "devices"),
        ("How many decisions mention VPN or about OAuth?", any, "VPN", "OAuth"),
        ("Welke besluiten gaan over TLS of VPN?", any, "TLS", "VPN"),
        ("Welke besluiten gaan over TLS en OAuth?", all, "TLS", "OAuth"),
        ("Welche Entscheidungen betreffen TLS oder VPN?", any, "TLS", "VPN"),
        ("Welche Entscheidungen betreffen TLS und OAuth?", all, "TLS", "OAuth"),
    ],
)
def test_topics_that_are_joined_are_topics_each(
    demo: Guard, asked: str, joined: Callable[..., bool], first: str, second: str
) -> None:
    """'And' asks for what bears both, 'or' for what bears either; the sentence says which."""
    of = [item for item in files(KNOWLEDGE) if item.folder == "decisions"]
    reply = demo.ask(asked)
    said = told(reply)
    names = [[first], [second]]
    for name in said.names:  # their other forms, which the sentence names
        names[first[:4].lower() != name[:4].lower()].append(name)
    both = {item.id for item in of if joined(item.bears(each) for each in names)}
    assert set(said.main) == both
    assert re.search(rf"\b{len(both)}\b", said.whole)
    rest = {item.id for item in of if any(item.bears(each) for each in names)} - both
    unlisted = say(reply.lang, "answer.more_partly", count="#", topics="").partition("#")[0]
    assert bool(rest) == (unlisted in reply.answer)


def test_topics_that_nothing_bears_together_are_listed_each(demo: Guard) -> None:
    """And the reply says first that there is none of both."""
    of = [item for item in files(KNOWLEDGE) if item.folder == "decisions"]
    reply = demo.ask("Which decisions are about blockchain and hydrogen?")
    assert reply.answer.startswith(
        "There are no decisions whose title or text mentions 'blockchain' and 'hydrogen'. "
    )
    assert set(told(reply).main) == {i.id for i in of if i.bears(["blockchain", "hydrogen"])}


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        ("Which accepted decisions are about data?", {"status": "accepted"}),
        (
            "Which decisions owned by the Security Architecture Group are about data?",
            {"owner": "Security Architecture Group"},
        ),
        (
            "How many accepted decisions of the Security Architecture Group mention keys?",
            {"status": "accepted", "owner": "Security Architecture Group"},
        ),
        ("Which principles written in Dutch are about data?", {"lang": "nl"}),
    ],
)
def test_a_topic_beside_other_restrictions(demo: Guard, asked: str, fits: dict[str, str]) -> None:
    """Every restriction holds of all that is listed, and of nothing that is left out."""
    folder = "principles" if "principles" in asked else "decisions"
    of = [item for item in files(KNOWLEDGE) if item.folder == folder]
    check(demo.ask(asked), [item for item in of if fits.items() <= item.fields.items()])


def test_the_newest_about_a_topic_are_told_of_how_many(demo: Guard) -> None:
    """So many are asked for, and how many there are is said."""
    of = [item for item in files(KNOWLEDGE) if item.folder == "decisions" and item.bears(["data"])]
    reply = demo.ask("the three newest decisions about data")
    assert f"3 of {len(of)} decisions" in reply.answer
    newest = sorted(of, key=lambda item: item.fields["date"])[-3:]
    assert [source.doc_id for source in reply.sources] == [item.id for item in newest[::-1]]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Which decisions have data in their title?", "2 decisions whose title mentions 'data'"),
        (
            "How many decisions are about unicorns?",
            "There are no decisions whose title or text mentions 'unicorns'.",
        ),
        ("Which decisions are about IT?", "There are no decisions whose title"),
        (
            "How many decisions and policies are about encryption?",
            "decisions and policies whose title or text mentions 'encryption'",
        ),
    ],
)
def test_the_sentence_names_what_restricts_it(demo: Guard, asked: str, said: str) -> None:
    """No more than the documents were looked through for, and no less."""
    assert said in demo.ask(asked).answer


def test_what_is_found_by_other_words_alone_is_not_asserted(demo: Guard) -> None:
    """By a translation, by the stem, or by words that do not stand together."""
    for asked in (
        "Welke besluiten gaan over beveiliging?",
        "Which decisions are about access for field engineers?",
    ):
        reply = demo.ask(asked)
        assert reply.outcome == "hedged", asked
        assert reply.sources


def test_a_count_is_the_length_of_the_list(demo: Guard) -> None:
    """However it is asked for."""
    for topic in TOPICS:
        counted = demo.ask(f"How many decisions are about {topic}?")
        listed = demo.ask(f"List all decisions about {topic}")
        assert counted.answer == listed.answer, topic


def test_a_list_that_follows_is_as_exhaustive(demo: Guard) -> None:
    """And 'the second' is the second that was shown."""
    talk = Conversation()
    first = demo.ask("Which decisions are about TLS?", conversation=talk)
    second = demo.ask("the second one", conversation=talk)
    assert second.sources[0].doc_id == first.sources[1].doc_id
    demo.ask("List all decisions", conversation=talk)
    check(
        demo.ask("only those about data", conversation=talk),
        [item for item in files(KNOWLEDGE) if item.folder == "decisions"],
    )


def test_a_file_that_has_changed_leaves_a_list_about_a_topic(tmp_path: Path) -> None:
    """Whether it still bears the topic, nobody knows; that it was left out is said."""
    shutil.copytree(KNOWLEDGE, tmp_path / "knowledge")
    (path,) = (tmp_path / "knowledge" / "decisions").glob("0033-*.md")
    with shipped_guard(tmp_path / "index.sqlite", tmp_path / "knowledge") as asked:
        before = asked.ask("Which decisions are about gas?")
        path.write_text(re.sub("gas", "air", path.read_text(), flags=re.IGNORECASE))
        after = asked.ask("Which decisions are about gas?")
    assert members(before) - members(after) == {"ADR-0033"}
    assert "ADR-0033" in after.warnings[0].message
    assert not after.complete
    assert re.search(rf"\b{len(told(after).main)}\b", told(after).whole)


@pytest.mark.parametrize(
    ("asked", "named", "other"),
    [("VPC", "One network", "Two networks"), ("VPCs", "Two networks", "One network")],
)
def test_several_of_an_acronym_are_told_of_apart(
    tmp_path: Path, asked: str, named: str, other: str
) -> None:
    """No stemmer takes an s off what has no vowel."""
    text = "# {}\n\n## Decision\n\nEach team has {}.\n"
    register = Register(
        tmp_path,
        {
            "decisions/0001-one.md": text.format("One network", "its own VPC"),
            "decisions/0002-two.md": text.format("Two networks", "two VPCs"),
        },
    )
    first, _, apart = register.ask(f"Which decisions mention {asked}?").answer.partition("Not word")
    assert named in first
    assert other not in first
    assert other in apart
