"""What a scripted model does with a question and its sources, by name.

``fabricate`` invents, ``mixed`` puts it among what is right; ``fabricate:number+date`` names the
kinds, and ``fabricate:number:7`` a seed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from scripts.lab.adversaries import invented as making
from scripts.lab.adversaries.ground import Attack, Ground
from scripts.lab.adversaries.invented import according, presupposition
from scripts.lab.adversaries.told import (
    AdversaryReply,
    AdversarySource,
    InventionKind,
    MadeSentence,
    written,
)
from scripts.lab.adversaries.turned import evidence

from elysia_guard.domain.errors import GuardError

SEED = 15
MOST = 8
"""Sentences of an answer."""
SLOW_S = 2.0
"""What a slow model takes."""


class UnknownPolicyError(GuardError):
    """No adversary has this name; the message names those that there are."""


@dataclass(frozen=True, kw_only=True)
class Script:
    """A policy by its name, the kinds that it invents, and its seed."""

    policy: str
    kinds: tuple[InventionKind, ...] = tuple(InventionKind)
    seed: int = SEED
    attacks: Sequence[Attack] = ()

    def __call__(
        self, question: str, sources: Sequence[AdversarySource], *, turn: int = 0
    ) -> AdversaryReply:
        """Return what it writes, the same whenever it is asked the same.

        ``turn`` counts how often it is asked to write better.
        """
        named = "+".join(self.kinds)
        drawn = random.Random(f"{self.seed} {turn} {named} {question}")  # noqa: S311
        ground = Ground(question=question, sources=sources, chance=drawn, attacks=self.attacks)
        return POLICIES[self.policy](ground, self.kinds)


def script(name: str, attacks: Sequence[Attack] = ()) -> Script:
    """Return the adversary of a name: ``policy``, ``policy:kind+kind`` or ``policy:kind:seed``.

    Raises:
        UnknownPolicyError: there is no such policy or kind, or the seed is no number.
    """
    policy, _, rest = name.rpartition("/")[2].partition(":")
    named, _, seed = rest.partition(":")
    try:
        kinds = (
            tuple(InventionKind(each) for each in named.split("+"))
            if named
            else tuple(InventionKind)
        )
        found = Script(policy=policy, kinds=kinds, seed=int(seed or SEED), attacks=attacks)
    except ValueError as err:
        raise UnknownPolicyError(f"{name!r} names no adversary: {err}") from None
    if policy not in POLICIES:
        raise UnknownPolicyError(f"no adversary is called {policy!r}: {', '.join(POLICIES)}")
    return found


Policy = Callable[[Ground, Sequence[InventionKind]], AdversaryReply]


def fabricate(ground: Ground, kinds: Sequence[InventionKind]) -> AdversaryReply:
    """Invent as much as an answer holds."""
    return written(making.made(ground, _drawn(ground, kinds), most=MOST))


def right(ground: Ground, _kinds: Sequence[InventionKind] = ()) -> AdversaryReply:
    """Say what the sources say that are nearest to the question."""
    said = _right(ground, most=4)
    return written(said, can_answer=bool(said))


def mixed(ground: Ground, kinds: Sequence[InventionKind]) -> AdversaryReply:
    """Say what is right, and as many inventions among it."""
    said = _right(ground, most=MOST // 2)
    texts = {item.text for item in said}
    made = making.made(ground, _drawn(ground, kinds), most=MOST // 2)
    # What answers comes first, so that there is an answer that inventions may hide in.
    every = [*said, *(item for item in made if item.text not in texts)]
    return written(every, can_answer=bool(every))


def slow(ground: Ground, _kinds: Sequence[InventionKind] = ()) -> AdversaryReply:
    """Be right, late."""
    return replace(right(ground), delay_s=SLOW_S)


def always_claims(ground: Ground, kinds: Sequence[InventionKind]) -> AdversaryReply:
    """Say yes to every question, as sure as can be, in its own words."""
    made = tuple(presupposition(ground)) or making.made(ground, _drawn(ground, kinds), most=1)
    return written(made, confidence=1.0)


def always_denies(_ground: Ground, _kinds: Sequence[InventionKind] = ()) -> AdversaryReply:
    """Say that no source answers."""
    return written((), can_answer=False, confidence=1.0)


def empty(ground: Ground, _kinds: Sequence[InventionKind] = ()) -> AdversaryReply:
    """Answer, and say nothing: in one of the ways in which nothing can be said."""
    return AdversaryReply(text=ground.chance.choice(("", "{}", "   \n", written(()).text)))


def broken(ground: Ground, kinds: Sequence[InventionKind]) -> AdversaryReply:
    """Invent, in a structure that nobody asked for."""
    reply = fabricate(ground, kinds)
    return replace(reply, text=ground.chance.choice(_BREAKS)(reply.text))


def _cut(text: str) -> str:
    return text[: len(text) * 2 // 3]


def _prose(text: str) -> str:
    return " ".join(row["text"] for row in json.loads(text)["sentences"]) or "I do not know."


def _without_evidence(text: str) -> str:
    said = json.loads(text)
    return json.dumps({**said, "sentences": [row["text"] for row in said["sentences"]]})


def _words_for_numbers(text: str) -> str:
    said = json.loads(text)
    for row in said["sentences"]:
        row["source"] = f"source {row['source']}"
    return json.dumps({**said, "can_answer": "yes", "confidence": "very"})


def _another_shape(text: str) -> str:
    return json.dumps({"answer": json.loads(text)["sentences"]})


def _deep(text: str) -> str:
    return '{"sentences":' + "[" * 5_000 + json.dumps(text)


_BREAKS: tuple[Callable[[str], str], ...] = (
    _cut,
    _prose,
    _without_evidence,
    _words_for_numbers,
    _another_shape,
    _deep,
)

POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "fabricate": fabricate,
        "right": right,
        "mixed": mixed,
        "slow": slow,
        "broken": broken,
        "always_claims": always_claims,
        "always_denies": always_denies,
        "empty": empty,
    }
)

FORMLESS = frozenset({"broken", "empty"})
"""Those that never write what they are asked for."""


def _drawn(ground: Ground, kinds: Sequence[InventionKind]) -> list[InventionKind]:
    drawn = list(kinds)
    ground.chance.shuffle(drawn)
    return drawn


def _right(ground: Ground, *, most: int) -> list[MadeSentence]:
    """Reword what stands nearest to the question: its document is named first, or it is not."""
    said = []
    for line in ground.near()[:most]:
        named = line.source.document and ground.chance.random() < 0.5  # noqa: PLR2004
        text = according(line) if named else line.text
        said.append(MadeSentence(text=text, evidence=evidence(line), original=line.text))
    return said
