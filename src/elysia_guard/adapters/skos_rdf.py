"""SKOS files (Turtle, RDF/XML, JSON-LD, N-Triples) read into concepts."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from xml.parsers import expat

from pyoxigraph import NamedNode, Quad, RdfFormat
from pyoxigraph import parse as parse_rdf

from elysia_guard.adapters.bounded import read_bounded
from elysia_guard.adapters.skos_graph import Graph, concepts_of
from elysia_guard.adapters.skos_limits import MAX_BYTES, BeyondLimitError, Unfolded, check_form
from elysia_guard.domain.concept import Concept
from elysia_guard.domain.errors import ConfigError, DocumentError

_FORMATS = {
    ".ttl": RdfFormat.TURTLE,
    ".rdf": RdfFormat.RDF_XML,
    ".jsonld": RdfFormat.JSON_LD,
    ".nt": RdfFormat.N_TRIPLES,
}
RESTARTS = 50
"""How often the reading of a broken file begins anew behind what is broken."""

_PLACE = re.compile(r"^Parser error .*?: ")
_TAG = re.compile(rb"(?<=[\"'])@([A-Za-z0-9_-]*)")
_WHOLE_TAG = re.compile(rb"[A-Za-z]+(?:-[A-Za-z0-9]+)*")
_DIRECTIVE = re.compile(rb"\s*(?:@(?:prefix|base)\b|(?i:prefix|base)\s)")
_NAME = rb"(?:<[^>\s]*>|[^\s:;,.\"'<>\[\]()@#]*:[^\s;,\"'<>\[\]()]*)"
_BEGINNING = re.compile(rb"(?:%b\s+(?:a\s|%b\s)|%b\s*$)" % (_NAME, _NAME, _NAME))
_TYPED = re.compile(rb"%b\s+a\s+%b" % (_NAME, _NAME))
_END = re.compile(rb"\.\s*(?:#.*)?$")


class VocabularyTooLargeError(DocumentError, ConfigError):
    """Vocabulary files are larger together than the setting allows; the message names it."""


class Flaw(NamedTuple):
    """What a parser stumbles over: the line, where it tells it, and how much it read before."""

    line: int | None
    what: str
    read: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Broken:
    """A statement that does not parse: where, what is wrong, and what was read last before it."""

    line: int | None
    what: str
    after: str = ""

    def place(self, path: Path | str) -> str:
        """Name the file, and the line where it is known."""
        return f"{path}{f', line {self.line}' if self.line else ''}"


def read_concepts(paths: Sequence[Path], *, max_bytes: int = MAX_BYTES) -> list[Concept]:
    """Read the concepts of files, and of all SKOS files in folders, as one vocabulary.

    ``max_bytes`` is how large the files may be together.

    Raises:
        DocumentError: a file is missing, does not parse, holds no concept, or goes beyond a limit.
    """
    graph, allowance = Graph(), Allowance(max_bytes)
    for path in files_of(paths):
        quads, broken = mended_quads(path, allowance.read(path))
        if broken:
            raise DocumentError(f"{broken.place(path)}: {broken.what}")
        if not read_into(graph, path, quads):
            raise no_concept(path)
    return concepts_in(graph, paths)


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


class Allowance:
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
    return DocumentError(f"{path}: no skos:Concept in this file; is it a SKOS vocabulary?")


def mended_quads(path: Path, data: bytes) -> tuple[list[Quad], Broken | None]:
    """Parse data, language tags mended, and tell the first statement that is broken all the same.

    The name of the file tells the format.
    """
    quads, flaws = parse_quads(path, data)
    if flaws:
        data = with_whole_tags(data, flaws)
        quads, flaws = parse_quads(path, data)
    return quads, _broken(path, data, quads, flaws[0]) if flaws else None


def sound_quads(path: Path, data: bytes) -> tuple[list[Quad], list[Broken]]:
    """Parse what can be parsed, and tell every statement that cannot.

    In Turtle and N-Triples a broken statement costs itself alone: an open quotation mark takes
    what follows with it, so reading begins anew behind each error. Other formats end at the first.
    """
    quads, flaws = parse_quads(path, data)
    broken: list[Broken] = []
    lines = data.split(b"\n") if path.suffix.lower() in {".ttl", ".nt"} else []
    found = quads
    while flaws:
        broken.append(_broken(path, data, found, flaws[0]))
        start = _next_beginning(lines, broken[-1].line)
        if start is None or len(broken) > RESTARTS:
            break
        # Blank lines in place of what was read keep the numbers of the others.
        before = (line if _DIRECTIVE.match(line) else b"" for line in lines[:start])
        found, flaws = parse_quads(path, b"\n".join([*before, *lines[start:]]))
        quads = [*quads, *found]
    return list(dict.fromkeys(quads)) if broken else quads, broken


def _next_beginning(lines: Sequence[bytes], line: int | None) -> int | None:
    """The place of the next line, behind one by its number, in which a statement begins."""
    if line is None:
        return None
    ended = False
    for place in range(line - 1, len(lines)):
        text = lines[place].rstrip()
        begins = _BEGINNING.match(text) or _DIRECTIVE.match(text)
        # What does not parse may lack its full stop, so 'x a y' is enough without one before it.
        if place >= line and (_TYPED.match(text) or (ended and begins)):
            return place
        if text and not text.startswith(b"#"):
            ended = bool(_END.search(text))
    return None


def parse_quads(path: Path, data: bytes) -> tuple[list[Quad], list[Flaw]]:
    """Parse all there is; the parser goes on after an error, at the next statement.

    Raises:
        DocumentError: it is nested, or unfolds, beyond a limit.
    """
    form = _FORMATS[path.suffix.lower()]
    try:
        check_form(data, form)
        return _parsed(path, data, form)
    except BeyondLimitError as err:
        raise DocumentError(f"{path}: {err}") from err


def _parsed(path: Path, data: bytes, form: RdfFormat) -> tuple[list[Quad], list[Flaw]]:
    quads: list[Quad] = []
    flaws: list[Flaw] = []
    unfolded = Unfolded(len(data))
    # Relative URIs must not depend on the machine, hence the name of the file alone.
    reader = parse_rdf(
        data,
        form,
        base_iri=f"file:///{quote(path.name)}",
        lenient=True,
    )
    while True:
        try:
            quad = next(reader)
        except StopIteration:
            return quads, flaws
        except SyntaxError as err:
            flaws.append(Flaw(err.lineno, _PLACE.sub("", err.msg), len(quads)))
        else:
            unfolded.add(quad)
            quads.append(quad)


def with_whole_tags(data: bytes, flaws: Iterable[Flaw]) -> bytes:
    """Repair the language tags ('@en_GB', '@en-', '@') on the lines that did not parse."""
    lines = data.split(b"\n")
    for number in {flaw.line for flaw in flaws if flaw.line and flaw.line <= len(lines)}:
        lines[number - 1] = _TAG.sub(_whole_tag, lines[number - 1])
    return b"\n".join(lines)


def _whole_tag(found: re.Match[bytes]) -> bytes:
    tag = found[1].replace(b"_", b"-").strip(b"-")
    return b"@" + tag if _WHOLE_TAG.fullmatch(tag) else b""


def _broken(path: Path, data: bytes, quads: Sequence[Quad], flaw: Flaw) -> Broken:
    last = quads[flaw.read - 1].subject if flaw.read else None
    return Broken(
        line=flaw.line or _xml_line(path, data),
        what=flaw.what,
        after=last.value if isinstance(last, NamedNode) else "",
    )


def _xml_line(path: Path, data: bytes) -> int | None:
    """Find the line of an error in XML, which pyoxigraph does not tell."""
    if path.suffix.lower() != ".rdf":
        return None
    try:
        expat.ParserCreate().Parse(data, True)  # noqa: FBT003 - positional only
    except expat.ExpatError as err:
        return err.lineno
    except LookupError:  # an encoding that nobody knows
        return 1
    return None
