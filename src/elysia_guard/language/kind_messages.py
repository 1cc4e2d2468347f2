"""The messages that name kinds of documents, for the kinds of a house's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from elysia_guard.domain.own_kinds import FurtherKind, OwnKinds
from elysia_guard.language.kind_roles import display


def with_own(messages: Mapping[str, str], own: OwnKinds, lang: str) -> dict[str, str]:
    """Return the messages of a language, and those that name the kinds of a house's own.

    >>> with_own({"suggest.list_own": "List all {kinds}"}, OwnKinds(), "en")
    {'suggest.list_own': 'List all {kinds}'}
    """
    return {**messages, **dict(_named(messages, own, lang))}


def _named(messages: Mapping[str, str], own: OwnKinds, lang: str) -> Iterator[tuple[str, str]]:
    for further in own.further:
        kind = further.kind.value
        one, many = _called(further, lang)
        yield f"list.{kind}_one", one
        yield f"list.{kind}_many", many
        yield f"kind.{kind}", many
        yield f"prompt.{kind}", one
        yield f"talk.a_{kind}", many
        yield f"suggest.list_{kind}", messages["suggest.list_own"].format(kinds=many)


def _called(further: FurtherKind, lang: str) -> tuple[str, str]:
    said = further.says.called(lang)
    return display(said, many=False), display(said, many=True)
