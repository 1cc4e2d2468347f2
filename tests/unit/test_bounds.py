"""What a vocabulary may hold: bytes, depth, lengths, and what it unfolds to."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from elysia_guard.adapters.bounded import read_bounded
from elysia_guard.adapters.skos.graph import MAX_LABEL_CHARS, MAX_TEXT_CHARS, MAX_URI_CHARS
from elysia_guard.adapters.skos.rdf import read_concepts
from elysia_guard.adapters.skosmos.answers import read_concept
from elysia_guard.domain.errors import ConfigError, DocumentError
from elysia_guard.wiring import Wiring

SKOS = "http://www.w3.org/2004/02/skos/core#"
CONCEPT = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    f'xmlns:skos="{SKOS}"><skos:Concept rdf:about="{{uri}}">'
    '<skos:prefLabel xml:lang="en">{label}</skos:prefLabel></skos:Concept></rdf:RDF>'
)
TURTLE = f"@prefix skos: <{SKOS}> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"


def entities(*pairs: tuple[str, str]) -> str:
    """Write a document type that defines entities."""
    made = "".join(f'<!ENTITY {name} "{text}">' for name, text in pairs)
    return f"<!DOCTYPE x [{made}]>"


def rdf(head: str = "", *, uri: str = "urn:x:1", label: str = "switch") -> bytes:
    """A vocabulary of one concept in RDF/XML."""
    return f'<?xml version="1.0"?>{head}{CONCEPT.format(uri=uri, label=label)}'.encode()


def refused(path: Path, data: bytes | str, **limits: int) -> str:
    """What is said of a vocabulary that is not read."""
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(DocumentError) as caught:
        read_concepts([path], **limits)
    assert str(path) in str(caught.value)
    return str(caught.value)


LAUGHS = [("a", "ha" * 50), *((f"a{i}", f"&a{i - 1 or ''};" * 10) for i in range(1, 6))]


@pytest.mark.parametrize(
    ("head", "values", "said"),
    [
        (entities(*LAUGHS), {"label": "&a5;"}, "entity of others"),
        (entities(*LAUGHS), {"uri": "urn:x:&a4;"}, "entity of others"),
        (entities(("a", "x" * 5_000)), {"label": "&a;" * 500}, "entity of others, or of more"),
        ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', {"label": "&a;"}, "elsewhere"),
        ('<!DOCTYPE x [<!ENTITY % a "x">]>', {}, "an entity from elsewhere"),
    ],
)
def test_b4_entities_do_not_multiply(
    tmp_path: Path, head: str, values: dict[str, str], said: str
) -> None:
    """A vocabulary whose entities would multiply, or are fetched from elsewhere, is refused."""
    tracemalloc.start()
    assert said in refused(tmp_path / "a.rdf", rdf(head, **values))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_b4_entities_that_abbreviate_an_address_are_read(tmp_path: Path) -> None:
    """The entities that RDF/XML is usually written with are read as before."""
    path = tmp_path / "a.rdf"
    path.write_bytes(rdf(entities(("grid", "https://grid.example/")), uri="&grid;switch"))
    assert [concept.uri for concept in read_concepts([path])] == ["https://grid.example/switch"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.rdf", rdf(label="x").replace(b"x</", b"<a>" * 5_000 + b"</a>" * 5_000 + b"</")),
        ("a.jsonld", b'{"@id":"urn:a","urn:b":' * 5_000 + b"1" + b"}" * 5_000),
        ("a.jsonld", b"[" * 5_000 + b"]" * 5_000),
        ("b.jsonld", b'{"@context":{"a":"urn:b"},"urn:b":' * 2_000 + b"1" + b"}" * 2_000),
    ],
)
def test_b4_a_vocabulary_is_not_nested_without_end(tmp_path: Path, name: str, data: bytes) -> None:
    """A vocabulary that is nested without end is refused, not left to its parser."""
    assert "nested more than 100 deep" in refused(tmp_path / name, data)


def test_b4_contexts_have_a_number_however_they_are_spelt(tmp_path: Path) -> None:
    """JSON-LD with contexts without end is refused, also where their name is escaped."""
    for key in (b'"@context"', b'"\\u0040context"'):
        data = b"[" + b",".join([b"{%b:{}}" % key] * 1_001) + b"]"
        assert "more than 1,000 '@context'" in refused(tmp_path / "a.jsonld", data)


def test_b4_a_skosmos_answer_is_not_nested_without_end() -> None:
    """An answer of Skosmos that is nested without end is a fault of the server, not a crash."""
    with pytest.raises(ValueError, match="nested more than 100 deep"):
        read_concept(b'{"urn:b":' * 5_000 + b"1" + b"}" * 5_000, "urn:a", vocabulary="v", title="")


def test_b4_prefixes_do_not_multiply(tmp_path: Path) -> None:
    """A vocabulary whose prefixes make it a hundred times as large as its file is refused."""
    long = f"{TURTLE}@prefix p: <urn:{'a' * 20_000}> .\n"
    many = "".join(f"p:{number} a skos:Concept .\n" for number in range(2_000))
    assert "the limit is 100 times the bytes" in refused(tmp_path / "a.ttl", long + many)


@pytest.mark.parametrize(
    ("turtle", "said"),
    [
        ("<urn:a> a skos:Concept; skos:prefLabel '%s'.", f"the limit is {MAX_LABEL_CHARS:,}"),
        ("<urn:a> a skos:Concept; skos:definition '%s'.", f"the limit is {MAX_TEXT_CHARS:,}"),
        ("<urn:%s> a skos:Concept .", f"an address may have {MAX_URI_CHARS:,}"),
    ],
)
def test_b4_labels_texts_and_addresses_have_a_length(
    tmp_path: Path, turtle: str, said: str
) -> None:
    """A label, definition or address without end is refused by name of its concept."""
    message = refused(tmp_path / "a.ttl", TURTLE + turtle % ("x" * (MAX_TEXT_CHARS + 1)))
    assert said in message
    assert "urn:" in message


def test_b4_texts_in_nodes_are_not_shared_without_end(tmp_path: Path) -> None:
    """Texts in one node that thousands of concepts point to do not become millions."""
    node = "".join(f"<urn:n> rdf:value 'text {number}' .\n" for number in range(600))
    concepts = "".join(
        f"<urn:{number}> a skos:Concept; skos:prefLabel <urn:n> .\n" for number in range(600)
    )
    assert "share texts in nodes" in refused(tmp_path / "a.ttl", TURTLE + node + concepts)


def test_b4_vocabulary_files_have_a_size_together(tmp_path: Path) -> None:
    """Vocabulary files that are too large together are a ConfigError that names the setting."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.ttl").write_text(f"{TURTLE}<urn:{name}> a skos:Concept .")
    size = (tmp_path / "a.ttl").stat().st_size
    assert len(read_concepts([tmp_path], max_bytes=2 * size)) == 2
    with pytest.raises(ConfigError, match=r"b\.ttl.*raise terminology\.max_bytes"):
        read_concepts([tmp_path], max_bytes=2 * size - 1)


def test_b4_the_size_of_a_vocabulary_is_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """terminology.max_bytes bounds what an installation starts with."""
    monkeypatch.setenv("ELYSIA_GUARD_TERMINOLOGY__MAX_BYTES", "1000")
    with pytest.raises(ConfigError, match=r"more than 1,000 bytes; raise terminology\.max_bytes"):
        _ = Wiring.load().vocabulary


def test_b4_a_pipe_is_no_vocabulary(tmp_path: Path) -> None:
    """A pipe among vocabulary files is refused; nobody waits for what may never come."""
    os.mkfifo(tmp_path / "a.ttl")
    with pytest.raises(DocumentError, match="not a regular file"):
        read_concepts([tmp_path])


def test_b4_what_grows_while_it_is_read_is_bounded(tmp_path: Path) -> None:
    """A file is read up to its limit, whatever its size was said to be."""
    assert Path("/dev/zero").stat().st_size == 0
    with pytest.raises(OSError, match="not a regular file"):
        read_bounded(Path("/dev/zero"), 10)
    (tmp_path / "a").write_bytes(b"12345678901")
    assert read_bounded(tmp_path / "a", 11) == b"12345678901"
    with pytest.raises(OSError, match="more than 10 bytes"):
        read_bounded(tmp_path / "a", 10)
