"""The names that a house gives its kinds, put into the files of a language where kinds play a role.

A name of a kind that every house has stands beside the language's own word for it. The names of
a kind of the house's own stand wherever the word for the kind does that it is like, and where
words are told apart by kind, under its own name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from elysia_guard.domain.kinds import DocumentKind
from elysia_guard.domain.own_kinds import Called, FurtherKind, OwnKinds

PLURALS: Final = {
    "decision": "decisions",
    "principle": "principles",
    "policy": "policies",
    "document": "documents",
}
"""Under which name a language lists the words for several documents of a kind."""
_SAID: Final = {"definite": "one", "plurals": "many"}
"""Sections that hold for each kind one phrase, which is said."""

Names = Mapping[str, tuple[str, ...]]


def plural_role(kind: str) -> str:
    """Return under which name the words for several documents of a kind are listed."""
    return PLURALS.get(kind, f"{kind}*")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Own:
    """A kind of a house's own, with its names beside the language's words for what it is like."""

    kind: DocumentKind
    said: Called
    names: Names


def beside(
    own: OwnKinds, table: dict[str, Any], kinds: object, *, lang: str = "", only: str = ""
) -> dict[str, Any]:
    """Put the names of a house beside a language's own words for the kinds, wherever they stand.

    Args:
        own: what the house calls its kinds.
        table: what a file of the language holds.
        kinds: what the language calls the kinds of documents.
        lang: the language.
        only: the one section in which they are put, by default in all; kinds of the house's own
            are then left out.
    """
    known = kinds if isinstance(kinds, dict) else {}
    names: dict[str, tuple[str, ...]] = {}
    for kind in own.numbered:
        if kind.like == kind:
            names |= _names(known.get(kind.value), own.of(kind).called(lang))
    if only:
        return {**table, only: _with(table.get(only), names)}
    further = [
        _Own(kind=item.kind, said=said, names=_names(known.get(item.kind.like.value), said))
        for item in own.further
        for said in (item.says.called(lang),)
    ]
    grown = {key: _with(value, names) for key, value in table.items()}
    for each in further:
        grown = _grown(grown, each)
    return grown


def display(said: Called, *, many: bool) -> str:
    """Return how replies call one document of a kind, or several."""
    words = said.many if many else said.one
    if words:
        return words[0]
    return f"{said.prefixes[0]}{'s' if many else ''}"


def with_own(messages: Mapping[str, str], own: OwnKinds, lang: str) -> dict[str, str]:
    """Return the messages of a language, with those that name a kind, also of a house's own."""
    found = {**messages, **dict(_messages(own, lang))}
    for kind in (*PLURALS, *(further.kind.value for further in own.further)):
        found[f"suggest.list_{kind}"] = messages["suggest.list"].format(
            kinds=found[f"list.{kind}_many"]
        )
    return found


def _messages(own: OwnKinds, lang: str) -> Iterator[tuple[str, str]]:
    for further in own.further:
        kind = further.kind.value
        one, many = _called(further, lang)
        yield f"list.{kind}_one", one
        yield f"list.{kind}_many", many
        yield f"talk.a_{kind}", many


def _called(further: FurtherKind, lang: str) -> tuple[str, str]:
    said = further.says.called(lang)
    return display(said, many=False), display(said, many=True)


def _names(section: object, said: Called) -> dict[str, tuple[str, ...]]:
    """A language's first word for one document and for several, with the names beside it."""
    one, many = (_words(section, key) for key in ("one", "many"))
    several = next((word for word in many if word not in one), "")
    return {word: own for word, own in _pairs(one[:1], several, said) if word}


def _pairs(one: list[str], several: str, said: Called) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield (one[0] if one else ""), said.singular
    yield several, said.plural


def _grown(table: dict[str, Any], own: _Own) -> dict[str, Any]:
    """Put in the names of a kind of the house's own: under its own name, and where none is told."""
    like, kind = own.kind.like.value, own.kind.value
    apart = {like: kind, PLURALS[like]: plural_role(kind)}
    grown: dict[str, Any] = {}
    for key, value in table.items():
        if key in apart:
            grown[key] = value
            grown[apart[key]] = _alone(value, own)
        elif isinstance(value, dict) and key in _SAID:
            grown[key] = {**value, kind: _said(own.said, key)}
        elif isinstance(value, dict):
            grown[key] = _grown(value, own)
        else:
            grown[key] = _with(value, own.names)
    return grown


def _said(said: Called, section: str) -> str:
    many = _SAID[section] == "many"
    return (not many and said.definite) or display(said, many=many)


def _alone(value: Any, own: _Own) -> Any:
    """The names that stand for a list of words: those of the words in it."""
    held = value.split() if isinstance(value, str) else value
    found = [name for word in held for name in own.names.get(word, ())]
    if isinstance(value, str):
        return " ".join(name for name in found if " " not in name)
    return found


def _words(section: object, key: str) -> list[str]:
    said = section.get(key, ()) if isinstance(section, dict) else ()
    return said.split() if isinstance(said, str) else [str(word) for word in said]


def _with(value: object, names: Names) -> Any:
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
