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
from elysia_guard.language.own_kinds import OwnKinds, own_folder, own_kinds
from elysia_guard.language.pack_files import Documents, Forms, SmallTalkWords
from elysia_guard.language.pack_reader import PackError, read_section
from elysia_guard.language.pack_sections import Core, KindSection
from elysia_guard.language.pack_tables import (
    emptied,
    held_against,
    hold_patterns,
    hold_slots,
    with_languages,
)

Section = TypeVar("Section")

SPOKEN_FIRST: Final[Lang] = "en"
"""The language whose pack the others are held against, and the last resort."""
_MONTHS_A_YEAR = 12
_CODE = re.compile(r"[a-z]{2,3}\Z")
_NAMING: Final = ("core", "listings", "followups", "clauses", "fields")
"""Files in which a word for a kind of document plays a role."""
_FORMED: Final = ("core", "documents", "forms", "talk")
"""Files that must be there, whose phrases are patterns."""
_ROLES: Final = (
    *("clauses", "comparisons", "fields", "followups"),
    *("listings", "relations", "spans"),
)
"""Files that may be left out, whose keys are roles of words."""


@dataclass(frozen=True, kw_only=True)
class Pack:
    """What is known of one language; its files are read when they are first asked for.

    ``kinds`` are those of the house that it is read for.
    """

    lang: Lang
    folder: Path = field(repr=False)
    kinds: OwnKinds = field(default_factory=own_kinds, repr=False)
    _files: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False, compare=False)

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
        """``forms.toml``: the core forms of a question.

        Raises:
            PackError: a form has no place for what is asked of.
        """
        found = self._section(Forms, "forms")
        hold_slots(self._read("forms"), self._english("forms"), self._called("forms"))
        return found

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
            self._hold_against(found, dict(_flatten(self._english("messages"), "")))
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
        """Return what one of its files holds, with what a house calls its documents.

        Roles of words are held against the English ones, and what languages are called is added.

        Args:
            name: of the file, without its ending.
            optional: nothing is returned if it is missing; else no word of any role.

        Raises:
            PackError: it is missing, or not TOML; or a role is unknown, missing or of another type.
        """
        roles = name in _ROLES
        found = self._read(name, optional=optional or roles)
        if roles and not (found or optional):
            return emptied(self._english(name))
        if found and roles:
            held = held_against(found, self._english(name), self._called(name))
            found = with_languages(name, held, self._languages())
        if name not in _NAMING or not self.kinds.digest:
            return found
        core = found if name == "core" else self._read("core")
        only = "kinds" if name == "core" else ""
        return beside(self.kinds, found, core.get("kinds"), lang=self.lang, only=only)

    def check(self) -> None:
        """Read every file, and every phrase as the pattern that it is.

        Raises:
            PackError: a file is missing, incomplete or wrong.
        """
        for name in (*_FORMED, "messages", "glossary"):
            getattr(self, name)
        for name in _FORMED:
            hold_patterns(self._read(name), self._called(name))
        for name in _ROLES:
            self.table(name, optional=True)

    @property
    def lacking(self) -> tuple[str, ...]:
        """The files that a language can do without, and this one does."""
        optional = (*_ROLES, *(() if self.lang == SPOKEN_FIRST else ("glossary",)))
        return tuple(f"{name}.toml" for name in optional if not self.has(name))

    def _english(self, name: str) -> dict[str, Any]:
        return packs()[SPOKEN_FIRST]._read(name)  # noqa: SLF001  # of the same class

    def _languages(self) -> dict[str, str]:
        """What the languages that there are are called in this one."""
        said = language_names(self.lang)
        return {lang: said.get(lang, it.core.name) for lang, it in packs().items()}

    def _section(self, section: type[Section], name: str) -> Section:
        found: Section = read_section(section, self.table(name), self._called(name))
        return found

    def _read(self, name: str, *, optional: bool = False) -> dict[str, Any]:
        import tomllib

        if name in self._files:
            return self._files[name]
        try:
            text = self.folder.joinpath(f"{name}.toml").read_text(encoding="utf-8")
            return self._files.setdefault(name, tomllib.loads(text))
        except FileNotFoundError as err:
            if optional:
                return {}
            raise PackError(f"{self._called(name)}: there is no such file") from err
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as err:
            raise PackError(f"{self._called(name)}: cannot be read: {err}") from err

    def _hold_against(self, found: Mapping[str, Any], english: Mapping[str, str]) -> None:
        where = self._called("messages")
        if key := next((key for key, said in found.items() if not isinstance(said, str)), ""):
            raise PackError(f"{where}: '{key}' is {found[key]!r}; it must be a string")
        for key, text in english.items():
            if not found.get(key, "").strip():
                raise PackError(f"{where}: '{key}' is missing")
            if (own := placeholders(found[key])) != placeholders(text):
                wanted = ", ".join(sorted(placeholders(text))) or "none"
                raise PackError(
                    f"{where}: '{key}' has the placeholders {', '.join(sorted(own)) or 'none'}; "
                    f"in English it has {wanted}"
                )
        if key := next((key for key in found if key not in english), ""):
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


@cache
def language_names(lang: Lang) -> Mapping[str, str]:
    """Return what languages are called in one, by their tags, as CLDR has it; else nothing."""
    from babel import Locale, UnknownLocaleError  # not every reply names a language

    try:
        return dict(Locale(lang).languages)
    except UnknownLocaleError:
        return {}


def _folders() -> Iterable[Path]:
    if own := own_folder():
        yield own
    yield Path(__file__).with_name("packs")


def _flatten(table: Mapping[str, Any], prefix: str) -> Iterable[tuple[str, Any]]:
    for key, value in table.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict):
            yield from _flatten(value, path)
        else:
            yield path, value
