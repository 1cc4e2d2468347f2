"""What somebody's own house calls its kinds of documents: ``kinds.toml`` beside their languages.

A section is a kind, and says what else it is called, in whatever language: letters before a
number, a word for one, a word for several. Such a name plays every role that a language gives to
its own word for that kind.

    [decision]
    prefixes = "rfc"
    one = ["request for comments"]
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final

from elysia_guard.domain.document import DocumentKind
from elysia_guard.language.own_folder import own_folder
from elysia_guard.language.pack_reader import PackError, Words, read_section

FILE: Final = "kinds.toml"
_PREFIX = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnKind:
    """What one kind of document is called besides; ``prefixes`` stand before a number."""

    prefixes: Words = ()
    one: Words = ()
    many: Words = ()

    @property
    def singular(self) -> Words:
        """What one of them is called."""
        return (*self.prefixes, *self.one)

    @property
    def plural(self) -> Words:
        """What several are called: 'rfcs', 'rfc's'."""
        return (*(f"{word}{end}" for word in self.prefixes for end in ("s", "'s")), *self.many)


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnKinds:
    """The kinds that have names of their own."""

    decision: OwnKind = OwnKind()
    principle: OwnKind = OwnKind()
    policy: OwnKind = OwnKind()

    def of(self, kind: DocumentKind) -> OwnKind:
        """What a kind is called besides."""
        found: OwnKind = getattr(self, kind.value, OwnKind())
        return found

    def beside(self, table: dict[str, Any], kinds: object, *, only: str = "") -> dict[str, Any]:
        """Put these names beside a language's own words for the kinds, wherever they stand.

        Args:
            table: what a file of the language holds.
            kinds: what the language calls the kinds of documents.
            only: the one section in which they are put, by default in all.
        """
        names = dict(self._beside(kinds if isinstance(kinds, dict) else {}))
        if only:
            return {**table, only: _with(table.get(only), names)}
        return {key: _with(value, names) for key, value in table.items()}

    def _beside(self, kinds: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """A language's first word for one document and for several, with the names beside it."""
        for kind in fields(self):
            own: OwnKind = getattr(self, kind.name)
            said = kinds.get(kind.name)
            one, many = (_words(said, key) for key in ("one", "many"))
            several = next((word for word in many if word not in one), "")
            if one:
                yield one[0], own.singular
            if several:
                yield several, own.plural

    @property
    def forms(self) -> frozenset[str]:
        """Every name, of one document and of several."""
        kinds: list[OwnKind] = [getattr(self, kind.name) for kind in fields(self)]
        return frozenset(word for kind in kinds for word in (*kind.singular, *kind.plural))

    @property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """Every name that is given, with the kinds that have it."""
        found: dict[str, tuple[str, ...]] = {}
        for kind in fields(self):
            said: OwnKind = getattr(self, kind.name)
            for word in {*said.singular, *said.many}:
                found[word] = (*found.get(word, ()), kind.name)
        return found


@cache
def own_kinds() -> OwnKinds:
    """Return what is said in the folder of one's own languages; nothing where there is no file.

    Raises:
        PackError: the file is not TOML, a key is unknown, a name holds more than letters, blanks
            and hyphens, or is that of two kinds.
    """
    folder = own_folder()
    file = folder / FILE if folder else None
    if file is None or not file.is_file():
        return OwnKinds()
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
        raise PackError(f"{file}: cannot be read: {err}") from err
    found: OwnKinds = read_section(OwnKinds, _lowered(table), str(file))
    _check(found, str(file))
    return found


def _lowered(value: Any) -> Any:
    """Languages write their words in small letters, and find them in any."""
    if isinstance(value, dict):
        return {key: _lowered(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_lowered(item) for item in value]
    return value.lower() if isinstance(value, str) else value


def _words(section: object, key: str) -> list[str]:
    said = section.get(key, ()) if isinstance(section, dict) else ()
    return said.split() if isinstance(said, str) else [str(word) for word in said]


def _with(value: object, names: Mapping[str, tuple[str, ...]]) -> Any:
    """Put names into each list of phrases, or line of words, that holds the word they go with."""
    if isinstance(value, dict):
        return {key: _with(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [
            *value,
            *(own for word in value if isinstance(word, str) for own in names.get(word, ())),
        ]
    if isinstance(value, str):
        found = (own for word in value.split() for own in names.get(word, ()) if " " not in own)
        return " ".join((value, *found))
    return value


def _check(found: OwnKinds, where: str) -> None:
    for word, kinds in found.words.items():
        if not _NAME.fullmatch(word):
            raise PackError(f"{where}: '{word}' must be letters, with blanks or hyphens between")
        if len(kinds) > 1:
            raise PackError(f"{where}: '{word}' is the name of two kinds: {', '.join(kinds)}")
    for kind in fields(found):
        for word in getattr(found, kind.name).prefixes:
            if not _PREFIX.fullmatch(word):
                raise PackError(f"{where}: the prefix '{word}' must be letters alone")
