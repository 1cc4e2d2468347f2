"""What a scripted model writes that is asked to plan or to point, by name.

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
from scripts.lab.adversaries.invented import presupposition
from scripts.lab.adversaries.told import (
    AdversaryPrompt,
    AdversaryReply,
    InventionKind,
    MadeSentence,
)

from elysia_guard.domain.errors import GuardError

SEED = 15
MOST = 8
"""Texts and numbers that a form takes of each."""
HALF = 0.5
VERDICTS = ("answers", "answers", "partly", "contradicts")


class UnknownPolicyError(GuardError):
    """No adversary has this name; the message names those that there are."""


@dataclass(frozen=True, kw_only=True)
class Script:
    """A policy by its name, the kinds that it invents, and its seed."""

    policy: str
    kinds: tuple[InventionKind, ...] = tuple(InventionKind)
    seed: int = SEED
    attacks: Sequence[Attack] = ()

    def __call__(self, asked: AdversaryPrompt) -> AdversaryReply:
        """Return what it writes, the same whenever it is asked the same."""
        named = "+".join(self.kinds)
        drawn = random.Random(f"{self.seed} {asked.turn} {named} {asked.question}")  # noqa: S311
        ground = Ground(asked=asked, chance=drawn, attacks=self.attacks)
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
    """Invent as much as a form holds; half the time it stands where numbers belong, too."""
    made = making.made(ground, _drawn(ground, kinds), most=MOST)
    texts = [item.text for item in made] if ground.chance.random() < HALF else []
    asked = made[0].text if made else ground.question
    return _written(ground, made, [*texts, *_wrong(ground, made)], question=asked)


def right(ground: Ground, _kinds: Sequence[InventionKind] = ()) -> AdversaryReply:
    """Point at what is nearest to the question."""
    said = _right(ground)
    return _written(ground, said, _numbers(said), verdict="answers" if said else "no")


def mixed(ground: Ground, kinds: Sequence[InventionKind]) -> AdversaryReply:
    """Point at what is right, and at what is not; invent in every text."""
    said = _right(ground)
    texts = {item.text for item in said}
    drawn = making.made(ground, _drawn(ground, kinds), most=MOST // 2)
    made = [item for item in drawn if item.text not in texts]
    named = list(dict.fromkeys((*_numbers(said), *_wrong(ground, made))))
    # What stands after the eighth is read by nobody, so that the form holds.
    beyond = [item.text for item in made] if len(named) >= MOST else []
    return _written(ground, [*said, *made], [*named[:MOST], *beyond])


def always_claims(ground: Ground, kinds: Sequence[InventionKind]) -> AdversaryReply:
    """Say yes to every question, in its own words, and point at everything."""
    made = tuple(presupposition(ground)) or making.made(ground, _drawn(ground, kinds), most=1)
    return _written(ground, made, list(range(1, MOST + 1)), verdict="answers")


def always_denies(ground: Ground, _kinds: Sequence[InventionKind] = ()) -> AdversaryReply:
    """Say that no unit answers."""
    return _written(ground, (), [], verdict="no")


def empty(ground: Ground, _kinds: Sequence[InventionKind] = ()) -> AdversaryReply:
    """Answer, and say nothing: in one of the ways in which nothing can be said."""
    nothing = _written(ground, (), [], verdict="answers").text
    return AdversaryReply(text=ground.chance.choice(("", "{}", "   \n", nothing)))


def broken(ground: Ground, kinds: Sequence[InventionKind]) -> AdversaryReply:
    """Invent, in a structure that nobody asked for."""
    reply = fabricate(ground, kinds)
    return replace(reply, text=ground.chance.choice(_BREAKS)(reply.text))


def _cut(text: str) -> str:
    return text[: len(text) * 2 // 3]


def _prose(text: str) -> str:
    return " ".join(json.loads(text)["sentences"]) or "I do not know."


def _sentences_for_numbers(text: str) -> str:
    said = json.loads(text)
    return json.dumps({**said, "units": said["sentences"], "documents": said["sentences"]})


def _words_for_numbers(text: str) -> str:
    said = json.loads(text)
    named = [f"source {n}" for n in range(1, MOST + 1)]
    return json.dumps({**said, "units": named, "documents": named, "verdict": "very much so"})


def _another_shape(text: str) -> str:
    return json.dumps({"answer": json.loads(text)["sentences"]})


def _deep(text: str) -> str:
    return '{"sentences":' + "[" * 5_000 + json.dumps(text)


_BREAKS: tuple[Callable[[str], str], ...] = (
    _cut,
    _prose,
    _sentences_for_numbers,
    _words_for_numbers,
    _another_shape,
    _deep,
)

POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        "fabricate": fabricate,
        "right": right,
        "mixed": mixed,
        "broken": broken,
        "always_claims": always_claims,
        "always_denies": always_denies,
        "empty": empty,
    }
)


def _drawn(ground: Ground, kinds: Sequence[InventionKind]) -> list[InventionKind]:
    drawn = list(kinds)
    ground.chance.shuffle(drawn)
    return drawn


def _right(ground: Ground) -> list[MadeSentence]:
    """Return what stands nearest to the question, as it stands there."""
    near = ground.near()[: MOST // 2]
    return [MadeSentence(text=line.text, units=line.units) for line in near]


def _numbers(made: Sequence[MadeSentence]) -> list[int]:
    return list(dict.fromkeys(n for item in made for n in item.units))


def _wrong(ground: Ground, made: Sequence[MadeSentence]) -> list[int]:
    """Return numbers that were not given, those of inventions, of another document and role."""
    near, last = ground.near(), max((item.id for item in ground.sources), default=0)
    other = [
        item.id
        for item in ground.sources
        if item.id and (item.role or (near and item.document != near[0].source.document))
    ]
    ground.chance.shuffle(other)
    unknown = [0, -1, last + 1, 10**12]
    ground.chance.shuffle(unknown)
    return [*unknown[:2], *other[:1], *_numbers(made), *other[1:], *unknown[2:]]


def _written(
    ground: Ground,
    made: Sequence[MadeSentence],
    named: Sequence[int | str],
    *,
    question: str = "",
    verdict: str = "",
) -> AdversaryReply:
    """Return a plan or a pointing, with what is invented wherever a text may stand."""
    invented = [item for item in made if item.invented]
    texts = [item.text for item in invented]
    said: dict[str, object] = {"answer": " ".join(texts), "sentences": texts}
    if ground.asked.plans:
        said |= {"question": question or ground.question, "searches": texts, "terms": texts}
        said["documents"] = named
    else:
        said["verdict"] = verdict or ground.chance.choice(VERDICTS)
        said |= {"missing": " ".join(texts), "units": named}
    # Of a plan nothing is right: no title is an answer.
    return AdversaryReply(
        text=json.dumps(said, ensure_ascii=False),
        made=tuple(invented if ground.asked.plans else made),
    )
