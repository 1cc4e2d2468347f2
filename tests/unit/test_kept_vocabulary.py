"""What was read of a large vocabulary is kept, by its content: the next start need not parse it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from elysia_guard.adapters import skos
from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.skos.kept import KEPT_FROM
from elysia_guard.domain.concept import Concept, TermMatch
from elysia_guard.domain.errors import DocumentError

HEAD = (
    "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix : <https://big.example/> .\n"
)
FULL = """:0 a skos:Concept ; skos:prefLabel "Zeroth"@en, "Nullter"@de, "untagged" ;
  skos:altLabel "Nil"@en ; skos:hiddenLabel "nill"@en ; skos:definition "The first of all."@en ;
  skos:scopeNote "A note."@en ; skos:note "Said of it."@en ; skos:example "0"@en ;
  skos:notation "N.0" ; skos:broader :1 ; skos:narrower :2 ; skos:related :3 ;
  skos:exactMatch <https://other.example/0> ; skos:topConceptOf :scheme .
"""


MANY = 50


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "big.ttl"
    others = (f':{n} a skos:Concept ; skos:prefLabel "Number {n}"@en .' for n in range(1, MANY))
    text = [HEAD, FULL, *others, f"# {'-' * KEPT_FROM}"]
    path.write_text("\n".join(text), encoding="utf-8")
    return path


def found(source: SkosFile, term: str) -> Sequence[TermMatch]:
    return asyncio.run(source.lookup(term, lang="en"))


def every(source: SkosFile) -> Sequence[Concept]:
    return asyncio.run(source.concepts([f"https://big.example/{n}" for n in range(MANY)]))


def parses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_: object, **__: object) -> list[Concept]:
        raise AssertionError("it is parsed again")

    monkeypatch.setattr(skos, "concepts_from", parse)


def test_the_same_files_are_not_parsed_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And every concept is what it was, with all that is said of it."""
    kept = file.with_name("index.sqlite.vocabulary")
    first = SkosFile.load([file], kept=kept)
    parses_nothing(monkeypatch)
    second = SkosFile.load([file], kept=kept)
    assert every(second) == every(first)
    assert found(second, "nil")[0].concept.definitions[0].value == "The first of all."
    assert asyncio.run(second.labels()) == asyncio.run(first.labels())


def test_a_change_is_read(file: Path) -> None:
    """One letter more, and nothing of what was kept is told."""
    kept = file.with_name("kept")
    SkosFile.load([file], kept=kept)
    file.write_text(file.read_text(encoding="utf-8").replace("Zeroth", "Zerothe"), encoding="utf-8")
    assert found(SkosFile.load([file], kept=kept), "Zerothe")


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff\xfe", None])
def test_what_is_damaged_is_read_anew(file: Path, damage: bytes | None) -> None:
    """An empty file, another one, and one of which a letter was changed."""
    kept = file.with_name("kept")
    SkosFile.load([file], kept=kept)
    whole = kept.read_bytes()
    kept.write_bytes(whole.replace(b"Zeroth", b"Zebras") if damage is None else damage)
    assert found(SkosFile.load([file], kept=kept), "Zeroth")
    assert kept.read_bytes() == whole


def test_a_folder_that_cannot_be_written_to_is_no_error(file: Path) -> None:
    """The vocabulary is read all the same."""
    beside = file / "not a folder" / "kept"
    assert found(SkosFile.load([file], kept=beside), "Zeroth")


def test_a_small_vocabulary_leaves_no_file(tmp_path: Path) -> None:
    """It is read as fast."""
    small, kept = tmp_path / "small.ttl", tmp_path / "kept"
    small.write_text(HEAD + FULL, encoding="utf-8")
    SkosFile.load([small], kept=kept)
    assert not kept.exists()


def test_limits_hold_of_what_is_kept(file: Path) -> None:
    """What was read once is no more than what may be read."""
    kept = file.with_name("kept")
    SkosFile.load([file], kept=kept)
    with pytest.raises(DocumentError, match="max_bytes"):
        SkosFile.load([file], kept=kept, max_bytes=1_000)
