"""What somebody's own house calls its kinds of documents: ``kinds.toml`` beside their languages.

A section is a kind. One of the three that every house has says what else it is called, in whatever
language, and how references to it are written. Any other is a kind of the house's own, ``like`` one
of the three; a section of a language in it holds names in that language.

    [decision]
    prefixes = "adr besluit"

    [rfc]
    like = "decision"
    form = "RFC-{number:04d}"
    one = ["request for comments"]

    [rfc.nl]
    one = ["voorstel"]
    many = ["voorstellen"]
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Final, NamedTuple, ParamSpec, TypeVar, cast

from elysia_guard.domain.kinds import STANDING_KINDS, DocumentKind
from elysia_guard.domain.own_kinds import (
    STANDING,
    Called,
    FurtherKind,
    OwnKind,
    OwnKinds,
    in_force,
    under,
)
from elysia_guard.language.pack_reader import PackError, read_section

__all__ = [
    "FILE",
    "FOLDER_VARIABLE",
    "Called",
    "OwnKind",
    "OwnKinds",
    "kept_by_kinds",
    "of_process",
    "own_folder",
    "own_kinds",
    "read_kinds",
    "under",
]

FILE: Final = "kinds.toml"
_PREFIX = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+)*")
_OWN_NAME = re.compile(r"[a-z]+")
_LANG = re.compile(r"[a-z]{2,3}\Z")
_STANDING: Final = {kind.value: kind for kind in STANDING_KINDS if kind.is_numbered}
_TAKEN: Final = frozenset(
    {"document", "record", "vocabulary", "name", "prefix", "number", "any", "anything"}
)
"""Words that stand where a kind may stand, and are none."""
FOLDER_VARIABLE: Final = "ELYSIA_GUARD_LANGUAGES"
Given = ParamSpec("Given")
Made = TypeVar("Made")


class _Section(NamedTuple):
    """What the file may say of a kind, beside the names in one language."""

    like: str = ""
    form: str = ""
    type: str = ""
    collection: str = ""
    folders: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    one: tuple[str, ...] = ()
    many: tuple[str, ...] = ()


class _Spoken(NamedTuple):
    """What it may say of a kind in one language."""

    one: tuple[str, ...] = ()
    many: tuple[str, ...] = ()
    definite: str = ""


def own_kinds() -> OwnKinds:
    """Return the kinds of the house that is worked for: of the request, else of the process.

    Raises:
        PackError: as for ``of_process``.
    """
    return in_force() or of_process()


@cache
def of_process() -> OwnKinds:
    """Return what is said in the folder of one's own languages; nothing where there is no file.

    Raises:
        PackError: as for ``read_kinds``.
    """
    folder = own_folder()
    return read_kinds(folder / FILE) if folder else STANDING


def read_kinds(file: Path) -> OwnKinds:
    """Read the kinds of a house; those that every house has, where there is no file.

    Raises:
        PackError: the file is not TOML, a key is unknown, a name holds more than letters, blanks
            and hyphens, or is that of two kinds; a form has no number; a kind is like none.
    """
    if not file.is_file():
        return STANDING
    import tomllib  # most houses have no file

    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise PackError(f"{file}: cannot be read: {err}") from err
    where = str(file)
    said = {name: _standing(table[name], f"{where}: {name}") for name in table if name in _STANDING}
    others = [name for name in table if name not in _STANDING]
    ranked = enumerate(others, start=len(_STANDING))
    further = tuple(_further(name, table[name], where, rank=rank) for rank, name in ranked)
    found = OwnKinds(**said, further=further)
    _check(found, where)
    _check_folders(found, where)
    return found


def _standing(table: object, where: str) -> OwnKind:
    section, spoken = _read(table, where)
    for key in ("like", "type", "collection"):
        if getattr(section, key):
            raise PackError(f"{where}: '{key}' is for kinds of a house's own; this one all have")
    letters = (_letters(section.form, where),) if section.form else ()
    known = [word.lower() for word in section.prefixes]
    prefixes = (*(each for each in letters if each.lower() not in known), *section.prefixes)
    names = Called(prefixes=prefixes, one=section.one, many=section.many)
    folders = _folders(section)
    return OwnKind(form=section.form, folders=folders, everywhere=names, spoken=spoken)


def _folders(section: _Section) -> tuple[str, ...]:
    return tuple(folder.strip("/").casefold() for folder in section.folders)


def _further(name: str, table: object, where: str, *, rank: int) -> FurtherKind:
    at = f"{where}: {name}"
    if not isinstance(table, dict):
        raise PackError(f"{at}: is {table!r}; it must be a section")
    if table.get("like") not in _STANDING:
        raise PackError(
            f"{where}: '{name}' is not a key that is known; a kind of your own says which one it "
            "is like: like = 'decision', 'principle' or 'policy'"
        )
    if not _OWN_NAME.fullmatch(name) or name in _TAKEN:
        raise PackError(f"{where}: '{name}' is no name of a kind; give one word of letters, a to z")
    section, spoken = _read(table, at)
    form = section.form or f"{name.upper()}-{{number:04d}}"
    letters = _letters(form, at)
    named = () if letters.lower() == name else (name,)
    several = () if section.one else tuple(f"{word}s" for word in named)
    names = Called(
        prefixes=(letters, *(each for each in section.prefixes if each.lower() != letters.lower())),
        one=section.one or named,
        many=section.many or several,
    )
    like = _STANDING[section.like]
    kind = DocumentKind.own(name, like=like, form=form, rank=rank, doc_type=section.type)
    says = OwnKind(form=form, folders=_folders(section), everywhere=names, spoken=spoken)
    return FurtherKind(kind=kind, says=says, collection=section.collection or kind.doc_type)


def _letters(form: str, where: str) -> str:
    """The letters that a form writes before a number."""
    try:
        return DocumentKind.own("any", like=DocumentKind.POLICY, form=form, rank=0).prefix
    except ValueError as err:
        raise PackError(f"{where}: {err}") from err


def _read(table: object, where: str) -> tuple[_Section, tuple[tuple[str, Called], ...]]:
    """Read a section, with the sections of languages in it."""
    given = dict(table) if isinstance(table, dict) else table
    spoken = []
    if isinstance(given, dict):
        for lang in [key for key in given if _LANG.match(key) and isinstance(given[key], dict)]:
            said: _Spoken = read_section(_Spoken, given.pop(lang), f"{where}: {lang}")
            spoken.append((lang, Called(one=said.one, many=said.many, definite=said.definite)))
    section: _Section = read_section(_Section, given, where)
    return section, tuple(spoken)


def _check(found: OwnKinds, where: str) -> None:
    known: dict[str, list[str]] = {}
    forms: dict[str, str] = {}
    for kind, own in found.said:
        for word in {word for said in own.every for word in (*said.singular, *_several(said))}:
            known.setdefault(word, []).append(kind)
        for word in own.everywhere.prefixes:
            if not _PREFIX.fullmatch(word):
                raise PackError(f"{where}: the prefix '{word}' must be letters alone")
        if (other := forms.setdefault(kind.prefix.lower(), kind)) != kind:
            raise PackError(
                f"{where}: {kind.prefix} stands before the numbers of {other} and {kind}"
            )
    for word, kinds in known.items():
        if not _NAME.fullmatch(word):
            raise PackError(f"{where}: '{word}' must be letters, with blanks or hyphens between")
        if len(kinds) > 1:
            raise PackError(f"{where}: '{word}' is the name of two kinds: {', '.join(kinds)}")


def _check_folders(found: OwnKinds, where: str) -> None:
    known: dict[str, str] = {}
    for kind, own in found.said:
        for folder in own.folders:
            if (other := known.setdefault(folder, kind)) != kind:
                raise PackError(f"{where}: the folder '{folder}' is of {other} and of {kind}")


def _several(said: Called) -> tuple[str, ...]:
    return tuple(word.lower() for word in said.many)


def _named_folder() -> str:
    """The folder that the environment names, or ``languages`` beside the settings in force."""
    if named := os.environ.get(FOLDER_VARIABLE, "").strip():
        return named
    settings = Path(os.environ.get("ELYSIA_GUARD_CONFIG", "").strip() or "config/guard.yaml")
    beside = settings.absolute().parent / "languages"
    return str(beside) if settings.is_file() and beside.is_dir() else ""


# Once: Elysia swaps the environment while its tools run.
_FOLDER: Final = _named_folder()


def own_folder() -> Path | None:
    """Return the folder of one's own languages, if there is one.

    Raises:
        PackError: it is named, and not there.
    """
    if not _FOLDER:
        return None
    own = Path(_FOLDER)
    if not own.is_dir():
        raise PackError(f"{FOLDER_VARIABLE}: there is no folder {_FOLDER}")
    return own


def kept_by_kinds(
    maxsize: int | None = None,
) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Keep what a function returns, apart for each house.

    Whatever asks, in the end, what kinds of documents are called must be kept so: two houses may
    be asked in one process.

    >>> @kept_by_kinds()
    ... def several(word: str) -> str:
    ...     return f"{word}s"
    >>> several("rfc")
    'rfcs'
    """

    def keeping(make: Callable[Given, Made]) -> Callable[Given, Made]:
        @cache
        def of_house(_: str) -> Callable[Given, Made]:
            return cast(Callable[Given, Made], lru_cache(maxsize=maxsize)(make))

        @wraps(make)
        def kept(*args: Given.args, **named: Given.kwargs) -> Made:
            return of_house(own_kinds().digest)(*args, **named)

        return kept

    return keeping
