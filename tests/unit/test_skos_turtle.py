"""Concepts written as Turtle read back as the same concepts."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from elysia_guard.adapters.skos.check import check_files
from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.adapters.skos.turtle import commented, iri, turtle, write_whole
from elysia_guard.domain.concept import Concept, Text
from elysia_guard.domain.errors import DocumentError

ROOT = Path(__file__).parents[2]
FILES = [
    ROOT / "data/vocabulary/vennet.ttl",
    ROOT / "tests/golden/skosmos/iec.ttl",
    ROOT / "tests/golden/skosmos/legal.ttl",
]
URIS = ("https://v.example/a", "https://v.example/b?x=1&y=2", "urn:x:c", "https://v.example/é")


def again(tmp_path: Path, data: bytes) -> list[Concept]:
    path = tmp_path / "copy.ttl"
    path.write_bytes(data)
    return read_concepts([path])


@pytest.mark.parametrize("vocabulary", ["grid", "my terms", "a/b", "ü"])
def test_whatever_a_concept_says_comes_back(tmp_path: Path, vocabulary: str) -> None:
    """Texts of any letters, ids of any shape, and everything in its order."""
    hostile = ('"""@en . <urn:a> a <urn:b> .', "\\", "one\ntwo\r\ttab", "\x00\x07", "é😀'", "<>#;")
    texts = tuple(
        Text(value=value, lang=lang)
        for value, lang in zip(hostile, ("en", None, "nl", "zh-hant", "de", "fr"), strict=True)
    )
    others = dict.fromkeys(("broader", "related", "replaced_by"), ("https://w.example/x", "urn:y"))
    said = dict.fromkeys(("preferred", "alternative", "hidden", "definitions", "examples"), texts)
    written = [
        Concept(uri=uri, vocabulary=vocabulary, notation='a"b', **said, **others)  # type: ignore[arg-type]
        for uri in URIS
    ]
    assert again(tmp_path, turtle(written, {})) == written


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_vocabulary_comes_back_whole(tmp_path: Path, path: Path) -> None:
    """With its schemes, and the same bytes the second time."""
    report = check_files([path])
    data = turtle(report.concepts, report.schemes)
    assert again(tmp_path, data) == list(report.concepts)
    second = check_files([tmp_path / "copy.ttl"])
    assert turtle(second.concepts, second.schemes) == data
    assert second.schemes == report.schemes


def test_a_scheme_that_would_change_the_id_is_not_used(tmp_path: Path) -> None:
    """What a Skosmos calls 'grid' stays 'grid', whatever its scheme is called."""
    label = (Text(value="a", lang="en"),)
    one = Concept(uri="urn:a", vocabulary="grid", vocabulary_title="Grid", preferred=label)
    for scheme in ("https://v.example/yso/", "_:scheme", "no uri", ""):
        data = turtle([one], {"urn:a": scheme})
        assert b"<urn:elysia-guard:vocabulary:grid>" in data
        assert again(tmp_path, data) == [one]
    assert b"<https://v.example/grid/scheme>" in turtle(
        [one], {"urn:a": "https://v.example/grid/scheme"}
    )


@pytest.mark.parametrize(
    ("uri", "written"),
    [
        ("https://v.example/a", "https://v.example/a"),
        ("https://v.example/a b<c>", "https://v.example/a%20b%3Cc%3E"),
        ("https://v.example/é?x=1&y=2", "https://v.example/é?x=1&y=2"),
        ("_:terms-1", "urn:elysia-guard:node:terms-1"),
        ("", "urn:elysia-guard:node:"),
        ("no uri", "urn:elysia-guard:node:no%20uri"),
    ],
)
def test_every_node_gets_a_legal_uri(uri: str, written: str) -> None:
    assert iri(uri).value == written


def test_a_tag_that_is_none_is_left_out(tmp_path: Path) -> None:
    one = Concept(uri="urn:a", vocabulary="v", preferred=(Text(value="a", lang="notalanguage"),))
    (read,) = again(tmp_path, turtle([one], {}))
    assert read.preferred == (Text(value="a"),)


def test_a_comment_cannot_be_left() -> None:
    """A title may hold a line break, and Turtle."""
    assert commented(["one\n<urn:a> a <urn:b> .\r\u2028x"]) == b"# one <urn:a> a <urn:b> . x\n"


class TestFiles:
    def test_a_file_is_replaced_whole(self, tmp_path: Path) -> None:
        """In a folder that need not be there, and with the rights that any new file has."""
        path = tmp_path / "new" / "terms.ttl"
        write_whole(path, b"one")
        write_whole(path, b"two")
        assert path.read_bytes() == b"two"
        assert list(path.parent.iterdir()) == [path]
        umask = os.umask(0)
        os.umask(umask)
        assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask

    def test_a_link_stays_one(self, tmp_path: Path) -> None:
        (tmp_path / "real.ttl").write_bytes(b"old")
        (tmp_path / "link.ttl").symlink_to("real.ttl")
        write_whole(tmp_path / "link.ttl", b"new")
        assert (tmp_path / "real.ttl").read_bytes() == b"new"
        assert (tmp_path / "link.ttl").is_symlink()

    def test_what_cannot_be_written_leaves_the_old_one(self, tmp_path: Path) -> None:
        (tmp_path / "terms.ttl").mkdir()
        with pytest.raises(DocumentError, match=r"terms\.ttl: cannot be written"):
            write_whole(tmp_path / "terms.ttl", b"new")
        assert [item.name for item in tmp_path.iterdir()] == ["terms.ttl"]
