"""SKOS files (Turtle, RDF/XML, JSON-LD, N-Triples) read into concepts, within limits."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote
from xml.parsers import expat

from pyoxigraph import NamedNode, Quad, RdfFormat
from pyoxigraph import parse as parse_rdf

from elysia_guard.adapters.bounded import read_bounded
from elysia_guard.adapters.skos.graph import BeyondLimitError, Graph, concepts_of
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.errors import ConfigError, DocumentError

_FORMATS = {
    ".ttl": RdfFormat.TURTLE,
    ".rdf": RdfFormat.RDF_XML,
    ".jsonld": RdfFormat.JSON_LD,
    ".nt": RdfFormat.N_TRIPLES,
}
BY_LINES = frozenset({".ttl", ".nt"})
"""Formats that can be read on behind an error."""
MAX_BYTES = 50_000_000
"""Of all files together; ``terminology.max_bytes`` sets another."""
MAX_DEPTH = 100
"""Of elements in RDF/XML, of objects and lists in JSON-LD."""
MAX_ENTITY_CHARS = 200
"""Of what an entity stands for in RDF/XML: the beginning of an address."""
MAX_CONTEXTS = 1_000
"""Of JSON-LD: each is made from a copy of the one around it."""
UNFOLDS_TO = 100
"""Times its bytes that a file's text may come to, prefixes and entities written out."""
UNFOLDS_FREELY = 8_000_000
"""Characters that any file may come to."""

_PLACE = re.compile(r"^Parser error .*?: ")
_TAG = re.compile(rb"(?<=[\"'])@([A-Za-z0-9_-]*)")
_WHOLE_TAG = re.compile(rb"[A-Za-z]+(?:-[A-Za-z0-9]+)*")
_ENTITY = re.compile(
    rb"<!ENTITY\s+(?P<name>%\s+)?[^\s\"'>]+\s*(?:\"(?P<a>[^\"]*)\"|'(?P<b>[^']*)')?"
)
_JSON = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_CONTEXT_BYTES = 60


class VocabularyTooLargeError(DocumentError, ConfigError):
    """Vocabulary files are larger together than the setting allows; the message names it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Broken:
    """A statement that does not parse: where, what is wrong, and what was read last before it."""

    line: int | None
    what: str
    after: str = ""

    def place(self, path: Path | str) -> str:
        """Name the file, and the line where it is known."""
        return f"{path}{f', line {self.line}' if self.line else ''}"


def refuse(empty: DocumentError) -> None:
    """Raise the error of a file without a concept."""
    raise empty


def read_concepts(
    paths: Sequence[Path],
    *,
    max_bytes: int = MAX_BYTES,
    on_empty: Callable[[DocumentError], None] = refuse,
) -> list[Concept]:
    """Read the concepts of files, and of all SKOS files in folders, as one vocabulary.

    ``max_bytes`` is how large the files may be together, ``on_empty`` is told of each that holds no
    concept.

    Raises:
        DocumentError: a file is missing, does not parse, or goes beyond a limit; it holds no
            concept, and nothing else is to become of that.
    """
    return concepts_from(bytes_of(paths, max_bytes=max_bytes), on_empty=on_empty)


def bytes_of(paths: Sequence[Path], *, max_bytes: int = MAX_BYTES) -> list[tuple[Path, bytes]]:
    """Read files, and all SKOS files in folders, each with its bytes.

    Raises:
        DocumentError: a file is missing, or goes beyond a limit.
    """
    allowance = BytesLeft(max_bytes)
    return [(path, allowance.read(path)) for path in files_of(paths)]


def concepts_from(
    files: Sequence[tuple[Path, bytes]],
    *,
    on_empty: Callable[[DocumentError], None] = refuse,
) -> list[Concept]:
    """Read the concepts of files as one vocabulary, as ``read_concepts`` does."""
    graph = Graph()
    for path, data in files:
        quads, broken, _ = parse_mended(path, data)
        if broken:
            raise DocumentError(f"{broken[0].place(path)}: {broken[0].what}")
        if not read_into(graph, path, quads):
            on_empty(no_concept(path))
    return concepts_in(graph, [path for path, _ in files])


def read_into(graph: Graph, path: Path, quads: Iterable[Quad]) -> bool:
    """Add a file's facts to a graph, and tell whether there is a concept among them.

    Raises:
        DocumentError: a label, text or address goes beyond its limit.
    """
    try:
        return graph.read(quads, path.stem)
    except BeyondLimitError as err:
        raise DocumentError(f"{path}: {err}") from err


def concepts_in(graph: Graph, paths: Sequence[Path]) -> list[Concept]:
    """Make concepts of what was read from files.

    Raises:
        DocumentError: their texts go beyond a limit.
    """
    try:
        return concepts_of(graph)
    except BeyondLimitError as err:
        raise DocumentError(f"{', '.join(map(str, paths))}: {err}") from err


class BytesLeft:
    """The bytes that files may have together."""

    def __init__(self, max_bytes: int) -> None:
        self._max = self._left = max_bytes

    def read(self, path: Path) -> bytes:
        """Read a file that is a SKOS file by its name.

        Raises:
            DocumentError: it is none, cannot be read, or is more than is left.
        """
        try:
            data = _data(path, self._left)
        except OSError as err:
            if err.errno != errno.EFBIG:
                raise DocumentError(f"{path}: cannot be read: {err.strerror}") from err
            raise VocabularyTooLargeError(
                f"{path}: with this file the vocabulary has more than {self._max:,} bytes; "
                "raise terminology.max_bytes, or leave out files"
            ) from err
        self._left -= len(data)
        return data.removeprefix(b"\xef\xbb\xbf")


def files_of(paths: Sequence[Path]) -> list[Path]:
    """Name the SKOS files of the paths; a folder stands for those in it."""
    files: dict[Path, None] = {}
    for path in paths:
        found = [path]
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix.lower() in _FORMATS)
        if not found:
            raise DocumentError(f"{path}: no SKOS file in this folder ({', '.join(_FORMATS)})")
        files.update(dict.fromkeys(found))
    if not files:
        raise DocumentError("no vocabulary file is named; name at least one SKOS file or folder")
    return list(files)


def _data(path: Path, limit: int) -> bytes:
    if path.suffix.lower() not in _FORMATS:
        raise DocumentError(f"{path}: not a SKOS file by its name; use {', '.join(_FORMATS)}")
    return read_bounded(path, limit)


def no_concept(path: Path) -> DocumentError:
    """The error of a file that holds something else."""
    return DocumentError(
        f"{path}: no skos:Concept in this file, so it defines no term; is it a SKOS "
        "vocabulary? Name another under terminology.files, or none"
    )


def parse_mended(path: Path, data: bytes) -> tuple[list[Quad], list[Broken], bytes]:
    """Parse data with its language tags mended where they are broken.

    Returns what was read, what is broken all the same, and the data as they were parsed.

    Raises:
        DocumentError: it is nested, or unfolds, beyond a limit.
    """
    quads, broken = parse_quads(path, data)
    if broken and path.suffix.lower() in BY_LINES:
        data = _with_whole_tags(data, broken)
        quads, broken = parse_quads(path, data)
    return quads, broken, data


def parse_quads(path: Path, data: bytes) -> tuple[list[Quad], list[Broken]]:
    """Parse all there is; the parser goes on after an error, at the next statement.

    Raises:
        DocumentError: it is nested, or unfolds, beyond a limit.
    """
    form = _FORMATS[path.suffix.lower()]
    try:
        if form == RdfFormat.RDF_XML:
            _check_xml(data)
        elif form == RdfFormat.JSON_LD:
            check_json(data)
        return _parsed(path, data, form)
    except BeyondLimitError as err:
        raise DocumentError(f"{path}: {err}") from err


def _parsed(path: Path, data: bytes, form: RdfFormat) -> tuple[list[Quad], list[Broken]]:
    quads: list[Quad] = []
    broken: list[Broken] = []
    unfolded = Unfolded(len(data))
    # Relative URIs must not depend on the machine, hence the name of the file alone.
    reader = parse_rdf(data, form, base_iri=f"file:///{quote(path.name)}", lenient=True)
    while True:
        try:
            quad = next(reader)
        except StopIteration:
            return quads, broken
        except SyntaxError as err:
            last = quads[-1].subject if quads else None
            line = err.lineno or (_xml_line(data) if form == RdfFormat.RDF_XML else None)
            after = last.value if isinstance(last, NamedNode) else ""
            broken.append(Broken(line=line, what=_PLACE.sub("", err.msg), after=after))
        else:
            unfolded.add(quad)
            quads.append(quad)


def _with_whole_tags(data: bytes, broken: Iterable[Broken]) -> bytes:
    """Repair the language tags ('@en_GB', '@en-', '@') on the lines that did not parse."""
    lines = data.split(b"\n")
    for number in {item.line for item in broken if item.line and item.line <= len(lines)}:
        lines[number - 1] = _TAG.sub(_whole_tag, lines[number - 1])
    return b"\n".join(lines)


def _whole_tag(found: re.Match[bytes]) -> bytes:
    tag = found[1].replace(b"_", b"-").strip(b"-")
    return b"@" + tag if _WHOLE_TAG.fullmatch(tag) else b""


def _xml_line(data: bytes) -> int | None:
    """Find the line of an error in XML, which pyoxigraph does not tell."""
    try:
        expat.ParserCreate().Parse(data, True)  # noqa: FBT003 - positional only
    except expat.ExpatError as err:
        return err.lineno
    except LookupError:  # an encoding that nobody knows
        return 1
    return None


def check_json(data: bytes) -> None:
    """Refuse JSON-LD that is nested without end, or has contexts without end.

    Raises:
        BeyondLimitError: it goes beyond a limit.
    """
    depth = contexts = 0
    for found in _JSON.finditer(data):
        token = found[0]
        if token in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise BeyondLimitError(f"objects and lists are nested more than {MAX_DEPTH} deep")
        elif token in b"]}":
            depth -= 1
        else:
            contexts += _is_context(token)
            if contexts > MAX_CONTEXTS:
                raise BeyondLimitError(f"more than {MAX_CONTEXTS:,} '@context'")


class Unfolded:
    """Counts what a file's statements come to, and stops where that has no end."""

    def __init__(self, size: int) -> None:
        """Take the size of the file in bytes."""
        self._limit = max(UNFOLDS_FREELY, UNFOLDS_TO * size)
        self._left = self._limit

    def add(self, quad: Quad) -> None:
        """Count a statement.

        Raises:
            BeyondLimitError: the file comes to more than it may.
        """
        for term in (quad.subject, quad.predicate, quad.object):
            self._left -= len(getattr(term, "value", ""))
        if self._left < 0:
            raise BeyondLimitError(
                f"its statements come to more than {self._limit:,} characters, prefixes and "
                f"entities written out; the limit is {UNFOLDS_TO} times the bytes of the file"
            )


def _check_xml(data: bytes) -> None:
    """Refuse entities in entities, and endless nesting; what is no XML is for the parser to say."""
    for found in _ENTITY.finditer(data):
        text = found["a"] if found["a"] is not None else found["b"]
        if found["name"] or text is None:
            raise BeyondLimitError(
                "it has an entity from elsewhere; write out what that stands for"
            )
        if b"&" in text or len(text) > MAX_ENTITY_CHARS:
            raise BeyondLimitError(
                f"it has an entity of others, or of more than {MAX_ENTITY_CHARS} characters; "
                "write out what that stands for"
            )
    depth = 0

    def begin(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise BeyondLimitError(f"elements are nested more than {MAX_DEPTH} deep")

    def end(*_: object) -> None:
        nonlocal depth
        depth -= 1

    reader = expat.ParserCreate()
    reader.StartElementHandler, reader.EndElementHandler = begin, end
    try:
        reader.Parse(data, True)  # noqa: FBT003 - positional only
    except (expat.ExpatError, LookupError):
        return


def _is_context(token: bytes) -> bool:
    if b"\\" not in token or len(token) > _CONTEXT_BYTES:
        return token == b'"@context"'
    try:
        return bool(json.loads(token) == "@context")
    except ValueError:
        return False
