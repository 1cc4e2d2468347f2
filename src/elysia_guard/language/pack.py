"""The languages that there are: each a folder of data files under ``language/packs``.

A folder with a ``core.toml`` and a ``messages.toml`` is a language; no code names one. Folders of
one's own lie in the folder that ``ELYSIA_GUARD_LANGUAGES`` names, or in ``languages`` beside the
``guard.yaml`` in force, and come before those that ship.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang
from elysia_guard.language.kind_roles import beside, with_own
from elysia_guard.language.own_folder import own_folder
from elysia_guard.language.own_kinds import OwnKinds, own_kinds
from elysia_guard.language.pack_files import Documents, Forms, SmallTalkWords
from elysia_guard.language.pack_reader import PackError, read_section
from elysia_guard.language.pack_sections import Core, KindSection

Section = TypeVar("Section")

SPOKEN_FIRST: Final[Lang] = "en"
"""The language whose pack the others are held against, and the last resort."""
OPEN_MESSAGES: Final = "language."
"""Messages that a pack may have or not: what other languages are called."""
_MONTHS_A_YEAR = 12
_CODE = re.compile(r"[a-z]{2,3}\Z")
_NAMING: Final = ("core", "listings", "followups", "clauses", "fields", "spans")
"""Files in which a word for a kind of document plays a role."""


@dataclass(frozen=True, kw_only=True)
class Pack:
    """What is known of one language; its files are read when they are first asked for.

    ``kinds`` are those of the house that it is read for.
    """

    lang: Lang
    folder: Path = field(repr=False)
    kinds: OwnKinds = field(default_factory=own_kinds, repr=False)

    @cached_property
    def core(self) -> Core:
        """``core.toml``: closed classes of words, kinds, statuses, months and the like.

        Raises:
            PackError: a key is unknown or missing, or its value of another type; for the other
                files the same.
        """
        found = self._section(Core, "core")
        if (many := len(found.time.months)) != _MONTHS_A_YEAR:
            where = self._called("core")
            raise PackError(f"{where}: time.months has {many} months; it must have twelve")
        return found

    @cached_property
    def documents(self) -> Documents:
        """``documents.toml``: headings, particulars and the like."""
        return self._section(Documents, "documents")

    @cached_property
    def forms(self) -> Forms:
        """``forms.toml``: the core forms of a question."""
        return self._section(Forms, "forms")

    @cached_property
    def talk(self) -> SmallTalkWords:
        """``talk.toml``: small talk."""
        return self._section(SmallTalkWords, "talk")

    @cached_property
    def messages(self) -> Mapping[str, str]:
        """``messages.toml``: every sentence a person reads, keys flattened with dots.

        Kinds of a house's own are called in it as the others are: 'list.rfc_many'.

        Raises:
            PackError: a message is missing or unknown, or has other placeholders than in English.
        """
        found = dict(_flatten(self.table("messages"), ""))
        if self.lang != SPOKEN_FIRST:
            english = packs()[SPOKEN_FIRST]
            self._hold_against(found, dict(_flatten(english.table("messages"), "")))
        return with_own(found, self.kinds, self.lang)

    @cached_property
    def glossary(self) -> Mapping[str, str]:
        """``glossary.toml``: for English words theirs in this language; empty if there is none.

        Raises:
            PackError: a topic is no list of rows as 'owner: eigenaar'.
        """
        found = {}
        for topic, rows in self.table("glossary", optional=True).items():
            for row in rows if isinstance(rows, list) else (rows,):
                english, colon, words = str(row).partition(": ")
                if not colon:
                    where = f"{self._called('glossary')}: {topic}"
                    raise PackError(f"{where}: is {row!r}; a row is 'english: words'")
                found[english] = words
        return found

    def kind(self, kind: DocumentKind) -> KindSection:
        """What a kind of documents is called, also one of a house's own."""
        if kind.like == kind:
            return self.core.kinds.of(kind)
        said = self.kinds.of(kind).called(self.lang)
        return KindSection(one=said.singular, many=said.plural)

    def has(self, name: str) -> bool:
        """Tell whether there is such a file, named without its ending."""
        return self.folder.joinpath(f"{name}.toml").is_file()

    def table(self, name: str, *, optional: bool = False) -> dict[str, Any]:
        """Return what one of its files holds, unchecked, with what a house calls its documents.

        Args:
            name: of the file, without its ending.
            optional: nothing is returned if it is missing.

        Raises:
            PackError: it is missing, or not TOML.
        """
        found = self._read(name, optional=optional)
        if name not in _NAMING or not self.kinds.digest:
            return found
        core = found if name == "core" else self._read("core")
        only = "kinds" if name == "core" else ""
        return beside(self.kinds, found, core.get("kinds"), lang=self.lang, only=only)

    def _section(self, section: type[Section], name: str) -> Section:
        found: Section = read_section(section, self.table(name), self._called(name))
        return found

    @cached_property
    def _tables(self) -> dict[str, dict[str, Any]]:
        return {}

    def _read(self, name: str, *, optional: bool = False) -> dict[str, Any]:
        import tomllib

        try:
            if name not in self._tables:
                text = self.folder.joinpath(f"{name}.toml").read_text(encoding="utf-8")
                self._tables[name] = tomllib.loads(text)
            return self._tables[name]
        except FileNotFoundError as err:
            if optional:
                return {}
            raise PackError(f"{self._called(name)}: there is no such file") from err
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
            raise PackError(f"{self._called(name)}: cannot be read: {err}") from err

    def _hold_against(self, found: Mapping[str, str], english: Mapping[str, str]) -> None:
        where = self._called("messages")
        for key, text in english.items():
            if key.startswith(OPEN_MESSAGES):
                continue
            if not found.get(key, "").strip():
                raise PackError(f"{where}: '{key}' is missing")
            if (own := placeholders(found[key])) != placeholders(text):
                wanted = ", ".join(sorted(placeholders(text))) or "none"
                raise PackError(
                    f"{where}: '{key}' has the placeholders {', '.join(sorted(own)) or 'none'}; "
                    f"in English it has {wanted}"
                )
        unknown = (key for key in found if key not in english and not _is_open(key))
        if key := next(unknown, ""):
            raise PackError(f"{where}: '{key}' is not a message that is known")

    def _called(self, name: str) -> str:
        return f"language pack {self.lang}/{name}.toml"


def packs() -> Mapping[Lang, Pack]:
    """Return every language that there is, in the order that the packs say.

    Raises:
        PackError: a ``core.toml`` cannot be read, or English is missing.
    """
    return _packs(own_kinds())


@cache
def _packs(kinds: OwnKinds) -> Mapping[Lang, Pack]:
    found: dict[Lang, Pack] = {}
    for folder in _folders():
        for item in folder.iterdir():
            if _CODE.match(item.name) and item.joinpath("core.toml").is_file():
                found.setdefault(item.name, Pack(lang=item.name, folder=item, kinds=kinds))
    if SPOKEN_FIRST not in found:
        raise PackError(f"there is no language pack '{SPOKEN_FIRST}', which all others need")
    ranked = sorted(found.values(), key=lambda item: (item.core.order, item.lang))
    return {item.lang: item for item in ranked}


def pack(lang: Lang) -> Pack:
    """Return the pack of a language.

    Raises:
        PackError: there is none.
    """
    found = packs().get(lang)
    return found or packs()[known(lang)]


def known(lang: str) -> Lang:
    """Return a language that has a pack.

    Raises:
        PackError: it has none; the message names those that have.
    """
    if lang not in packs():
        raise PackError(f"there is no language pack '{lang}'; there are {', '.join(packs())}")
    return lang


@cache
def langs() -> tuple[Lang, ...]:
    """Return the languages that there are, in the order that the packs say."""
    return tuple(packs())


def words_of(role: Callable[[Core], Iterable[str]]) -> tuple[str, ...]:
    """Return the words or phrases that play a role, of all languages, each once.

    People mix languages, so most roles are looked for in all at once.

    >>> "december" in words_of(lambda core: core.time.months)
    True
    """
    return tuple(dict.fromkeys(word for item in packs().values() for word in role(item.core)))


def either(role: Callable[[Core], Iterable[str]], *, otherwise: str = "(?!)") -> str:
    """Return a pattern for the words that play a role in any language, the longest first.

    Args:
        role: which words.
        otherwise: the pattern where there is no such word; by default one that fits nothing.
    """
    found = sorted(words_of(role), key=len, reverse=True)
    return f"({'|'.join(found)})" if found else otherwise


def placeholders(message: str) -> frozenset[str]:
    """Return the names that a message leaves to be filled in.

    Raises:
        ValueError: its braces do not match.
    """
    return frozenset(name for _, name, _, _ in string.Formatter().parse(message) if name)


def _folders() -> Iterable[Path]:
    if own := own_folder():
        yield own
    yield Path(__file__).with_name("packs")


def _is_open(key: str) -> bool:
    return key.startswith(OPEN_MESSAGES)


def _flatten(table: Mapping[str, Any], prefix: str) -> Iterable[tuple[str, str]]:
    for key, value in table.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict):
            yield from _flatten(value, path)
        else:
            yield path, str(value)
