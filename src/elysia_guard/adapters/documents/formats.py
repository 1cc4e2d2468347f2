"""Which formats are read, and how: by their reader, in a process of its own, once.

A few hundred bytes can keep a parser busy for ever, or make it ask for all memory, and no thread
can be ended: PDF, DOCX and HTML are read in a process that may be given up. A page of PDF takes a
tenth of a second: what was read is remembered.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sqlite3
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath
from threading import Event, Lock, Timer
from typing import IO

from pydantic import TypeAdapter

from elysia_guard.adapters.documents.content import Content, UnreadableError
from elysia_guard.domain.errors import DocumentError
from elysia_guard.language.own_kinds import FOLDER_VARIABLE, own_folder

MAX_TEXT_BYTES = 2_000_000
MAX_BYTES = 50_000_000
"""Of a file that holds more than its text: fonts, pictures, scripts."""

DEADLINE_S = 120.0
"""A page full of text takes a twentieth of a second, and a PDF may have 2,000."""
MEMORY_BYTES = 2_000_000_000
_START = "import sys; from elysia_guard.adapters.documents.formats import serve; serve(sys.argv[1])"

Read = Callable[..., Content]
"""As ``read``."""
_LIBRARIES = ("mammoth", "pdfminer.six", "selectolax")
_TABLE = "CREATE TABLE IF NOT EXISTS readings (key TEXT PRIMARY KEY, reading TEXT NOT NULL)"
_READING: TypeAdapter[Content | str] = TypeAdapter(Content | str)
"""What a file holds, or why it cannot be read."""

_MODULES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "markdown",
    ".html": "web_page",
    ".htm": "web_page",
    ".xhtml": "web_page",
    ".docx": "word",
    ".pdf": "pdf",
}
_WAY_OUT = {
    ".doc": "save it as .docx",
    ".docm": "save it as .docx",
    ".dotx": "save it as .docx",
    ".odt": "save it as .docx or PDF",
    ".rtf": "save it as .docx or PDF",
    ".pages": "save it as .docx or PDF",
    ".epub": "save it as PDF or HTML",
    ".ppt": "save it as PDF",
    ".pptx": "save it as PDF",
    ".odp": "save it as PDF",
    ".rst": "save it as Markdown or HTML",
    ".adoc": "save it as Markdown or HTML",
    ".mht": "save it as HTML or PDF",
    ".mhtml": "save it as HTML or PDF",
}


def is_document(path: PurePath) -> bool:
    """Tell a file that is read, or of which the report says why it is not."""
    return path.suffix.lower() in _MODULES.keys() | _WAY_OUT.keys()


def takes_time(path: PurePath) -> bool:
    """Tell a file that is worth remembering."""
    return _MODULES.get(path.suffix.lower()) in ("pdf", "word")


def is_text(path: PurePath) -> bool:
    """Tell a file whose lines a person can count."""
    return _MODULES.get(path.suffix.lower()) == "markdown"


def is_foreign(path: PurePath) -> bool:
    """Tell a file whose bytes only a library understands."""
    return path.suffix.lower() in _MODULES and not is_text(path)


def max_bytes(path: PurePath) -> int:
    """Return how large a file may be."""
    return MAX_TEXT_BYTES if is_text(path) else MAX_BYTES


def read(raw: bytes, *, path: str) -> Content:
    """Read a file as its suffix says; the libraries are loaded with the first that needs them.

    Raises:
        UnreadableError: it is of a format that is not read, or holds no document; or what reads it
            is not installed.
        DocumentError: the front matter is not well-formed; names file and line.
    """
    suffix = PurePath(path).suffix.lower()
    if way_out := _WAY_OUT.get(suffix):
        raise UnreadableError(f"{suffix} files are not read; {way_out}")
    if not raw.strip():
        raise UnreadableError("empty")
    name = _MODULES.get(suffix, "markdown")
    try:
        reader = import_module(f"elysia_guard.adapters.documents.{name}").read
        content: Content = reader(raw, name=path)
    except ModuleNotFoundError as err:
        raise UnreadableError(
            f"{err.name}, which reads {suffix} files, is not installed; "
            "pip install 'elysia-guard[documents]'"
        ) from err
    return content


class ContentCache:
    """What files hold, in a file beside the index, by their bytes and by who read them.

    It only saves time: without a file, or with one that is damaged, everything is read anew.
    """

    def __init__(self, path: Path, *, dry_run: bool = False) -> None:
        self._path = path
        self._frozen = dry_run
        self._known = dict(self._stored())
        self._stored_keys = frozenset(self._known)
        self._used: dict[str, str] = {}

    def recall(self, raw: bytes, *, path: str, read: Read) -> Content:
        """Return what these bytes hold, as they were read before, or read them now.

        Raises:
            UnreadableError: they hold no document.
            DocumentError: they could not be read, which is not remembered.
        """
        key = hashlib.sha256(f"{_edition()}\0{PurePath(path).suffix.lower()}\0".encode() + raw)
        kept = self._known.get(key.hexdigest())
        if kept is None:
            try:
                found: Content | str = read(raw, path=path)
            except UnreadableError as err:
                found = str(err)
            kept = _READING.dump_json(found).decode()
        self._used[key.hexdigest()] = self._known[key.hexdigest()] = kept
        found = _READING.validate_json(kept)
        if isinstance(found, str):
            raise UnreadableError(found)
        return found

    def save(self) -> None:
        """Keep what was used, and forget the rest."""
        if self._frozen or self._used.keys() == self._stored_keys:
            return
        with _unless_damaged(), closing(sqlite3.connect(self._path)) as connection, connection:
            connection.execute(_TABLE)
            connection.execute("DELETE FROM readings")
            connection.executemany("INSERT INTO readings VALUES (?, ?)", self._used.items())

    def _stored(self) -> Iterator[tuple[str, str]]:
        if not self._path.exists():
            return
        with _unless_damaged(), closing(sqlite3.connect(self._path)) as connection:
            yield from connection.execute("SELECT key, reading FROM readings")


@contextmanager
def _unless_damaged() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError):
        return


@cache
def _edition() -> str:
    """Name the readers: a change in any of them makes what it read another reading."""
    digest = hashlib.sha256()
    for module in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(module.read_bytes())
    for library in _LIBRARIES:
        with suppress(PackageNotFoundError):
            digest.update(f"{library} {version(library)}".encode())
    return digest.hexdigest()


def stamp_of(stat: os.stat_result) -> str:
    """Return what changes whenever the bytes of a file may have: no writer can keep its ctime."""
    return f"{stat.st_mtime_ns}-{stat.st_ctime_ns}-{stat.st_size}"


class ForeignReader:
    """Reads one file after the other in one process, which is replaced where it is given up.

    Args:
        deadline_s: of one file, in seconds.
        memory_bytes: that the process may use, where the system can hold it to that (POSIX).

    Example:
        >>> ForeignReader().read(b"<p>Text</p>", path="a.html").sections[0].blocks[0].text
        'Text'
    """

    def __init__(self, *, deadline_s: float = DEADLINE_S, memory_bytes: int = MEMORY_BYTES) -> None:
        self._deadline_s = deadline_s
        self._memory_bytes = memory_bytes
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, raw: bytes, *, path: str) -> Content:
        """Read a file as ``read`` does.

        Raises:
            UnreadableError: it is of a format that is not read, or holds no document.
            DocumentError: it was given up; the message names the file.
            OSError: the process cannot be started.
        """
        if not is_foreign(PurePath(path)):
            return read(raw, path=path)
        with self._lock:
            answer = self._asked(raw, path)
        if isinstance(answer, UnreadableError | DocumentError):
            raise answer
        return answer

    def kill(self) -> None:
        """End the process; the next file has another."""
        if self._process:
            self._process.kill()

    def _asked(self, raw: bytes, path: str) -> Content | UnreadableError | DocumentError:
        process = self._running()
        late = Event()

        def give_up() -> None:
            late.set()
            process.kill()

        timer = Timer(self._deadline_s, give_up)
        timer.start()
        try:
            # It answers nothing before it has all of it, and takes no more than one at a time.
            pickle.dump((raw, path), _of(process.stdin))
            _of(process.stdin).flush()
            answer: Content | UnreadableError | DocumentError = pickle.load(_of(process.stdout))  # noqa: S301  our own process
        except (OSError, EOFError, pickle.UnpicklingError):
            self._ended()
            reason = f"not read within {self._deadline_s:g} s" if late.is_set() else _BROKEN
            return DocumentError(f"{path}: {reason}")
        finally:
            timer.cancel()
        return answer

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._ended()
            self._process = subprocess.Popen(  # noqa: S603  ourselves
                [sys.executable, "-P", "-c", _START, str(self._memory_bytes)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                    FOLDER_VARIABLE: str(own_folder() or ""),
                },
            )
            self._end = weakref.finalize(self, _end, self._process)
            # Its start is not the file's time.
            _of(self._process.stdout).read(len(_READY))
        return self._process

    def _ended(self) -> None:
        if self._process:
            self._end()
            self._process = None


_READY = b"ready"
_BROKEN = "the process that read it broke off; print it to a new PDF"


def serve(memory_bytes: str) -> None:
    """Read what comes in and write what it holds, until nothing comes; the process's main."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # POSIX alone has it

        resource.setrlimit(resource.RLIMIT_AS, (int(memory_bytes), int(memory_bytes)))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    answers.write(_READY)
    answers.flush()
    with suppress(EOFError, KeyboardInterrupt, BrokenPipeError):
        while True:
            raw, path = pickle.load(sys.stdin.buffer)  # noqa: S301  from the process we serve
            pickle.dump(_answer(raw, path, int(memory_bytes)), answers)
            answers.flush()


def _answer(raw: bytes, path: str, memory_bytes: int) -> Content | UnreadableError | DocumentError:
    try:
        return read(raw, path=path)
    except (UnreadableError, DocumentError) as err:
        return err
    except MemoryError:
        return DocumentError(f"{path}: takes more than {memory_bytes:,} bytes of memory to read")
    except Exception as err:  # noqa: BLE001  one file is not to end the reading of all
        return DocumentError(f"{path}: its reader failed: {type(err).__name__}: {err}"[:200])


def _of(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # noqa: S101  the process was started with both
    return pipe


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(OSError):
        process.communicate()
