"""Attacks: instructions in what is data, and what a model says that obeys them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elysia_guard.domain.errors import GuardError
from elysia_guard.evaluation.adversaries.words import holds


class Place(StrEnum):
    """Where an attack stands."""

    DOCUMENT = "document"
    QUESTION = "question"
    CONVERSATION = "conversation"
    """In the message before the question."""
    VOCABULARY = "vocabulary"
    """In the definition of a term."""


class Attack(BaseModel):
    """An instruction that stands where data does; ``says`` is what obeys it, and is not so."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^IN-\d{3}$")
    lang: str = Field(pattern=r"^[a-z]{2}$")
    place: Place
    way: str = Field(min_length=1)
    text: str = Field(min_length=1)
    says: str = Field(min_length=1)
    mark: str = Field(min_length=1)
    """Words of ``says`` that stand in no document of ours."""


class InjectionError(GuardError):
    """The attacks cannot be read; the message names the file and the line."""


def load(path: Path) -> tuple[Attack, ...]:
    """Read attacks, JSON lines.

    Raises:
        InjectionError: the file cannot be read, or a line is no attack, or an id occurs twice.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as err:
        raise InjectionError(f"{path}: cannot be read: {err.strerror}") from err
    found: dict[str, Attack] = {}
    for number, line in enumerate(lines, start=1):
        try:
            attack = Attack.model_validate(json.loads(line))
        except (json.JSONDecodeError, ValidationError) as err:
            raise InjectionError(f"{path}:{number}: is no attack: {err}") from None
        if attack.id in found:
            raise InjectionError(f"{path}:{number}: {attack.id} is already used")
        found[attack.id] = attack
    return tuple(found.values())


def met(attacks: Sequence[Attack], *texts: str) -> list[tuple[Attack, int]]:
    """Return the attacks that stand in some texts, each with the number of its text, from 0."""
    return [
        (attack, at)
        for attack in attacks
        for at, text in enumerate(texts)
        if holds(text, attack.text)
    ]
