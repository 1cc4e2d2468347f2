"""What the stages need of models, of who is told what happens, and of the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from asyncio import Timeout

    from elysia_guard.domain.document import Document, DocumentKind
    from elysia_guard.domain.events import Event
    from elysia_guard.domain.pointing import OfferedTool, Plan, Pointing, UnitOfSource
    from elysia_guard.domain.question import Lang
    from elysia_guard.domain.reading import ReadKind


class Clock(Protocol):
    """Seconds that only ever grow, such as ``time.monotonic``."""

    def __call__(self) -> float:
        """Return the seconds since some fixed moment."""


@runtime_checkable
class Timekeeper(Clock, Protocol):
    """A clock that can also wake whoever waits: then no other time counts for its deadlines."""

    def timeout_at(self, moment: float) -> Timeout:
        """Return a context that is cancelled with ``TimeoutError`` at a moment of the clock."""


def timeout_at(clock: Clock, moment: float | None) -> Timeout:
    """Return a context that ends with ``TimeoutError`` at a moment of the clock; None is never.

    A clock that keeps the time says when it has come; for any other the event loop does.
    """
    import asyncio

    if moment is None:
        return asyncio.timeout(None)
    if isinstance(clock, Timekeeper):
        return clock.timeout_at(moment)
    return asyncio.timeout(max(0.0, moment - clock()))


def timeout(clock: Clock, seconds: float | None) -> Timeout:
    """Return a context that ends with ``TimeoutError`` after some seconds; None is never."""
    return timeout_at(clock, None if seconds is None else clock() + seconds)


class Observer(Protocol):
    """Told what happens, as it happens; must not raise."""

    def __call__(self, event: Event, /) -> None:
        """Take note of an event."""


def unobserved(event: Event, /) -> None:
    """Tell nobody: the observer where there is none."""


Vector = Sequence[float]
NO_DEFINITIONS: Mapping[str, str] = MappingProxyType({})


class Embedder(Protocol):
    """Turns texts into vectors of one length, normalised to 1."""

    @property
    def model_id(self) -> str:
        """Name and version of the model; an index refuses vectors of another."""

    @property
    def dimension(self) -> int:
        """Length of the vectors."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Embed passages, in order.

        Raises:
            SourceUnavailableError: the model could not be asked.
        """

    async def embed_question(
        self, text: str, *, kinds: Sequence[DocumentKind] | None = None
    ) -> Vector:
        """Embed what is asked of passages: some models mark the two differently.

        ``kinds`` are those that are then searched, for whoever counts: empty means all, None none.

        Raises:
            SourceUnavailableError: the model could not be asked.
        """


class WordLikeness(Protocol):
    """Knows which words mean alike, within a language and across."""

    async def __call__(
        self, words: Sequence[str], others: Sequence[str], /
    ) -> Mapping[str, Mapping[str, float]]:
        """Return, for each word, those of the others that mean alike: above 0, to 1 (the same).

        Raises:
            SourceUnavailableError: the model could not be asked.
        """


async def by_form_alone(
    _words: Sequence[str], _others: Sequence[str]
) -> Mapping[str, Mapping[str, float]]:
    """Know no words that mean alike: the likeness where there is no model."""
    return {}


class WordChance(NamedTuple):
    """How likely a word is in running text, of whatever language.

    ``log`` is the logarithm of its chance, below 0. ``whole`` tells that it is so common that the
    model knows it as one: a word of some language beyond doubt, and none mistyped.
    """

    log: float
    whole: bool


class WordChances(Protocol):
    """Knows how likely words are in running text."""

    async def __call__(self, words: Sequence[str], /) -> Mapping[str, WordChance]:
        """Return the chance of each word; nothing where it cannot tell.

        Raises:
            SourceUnavailableError: the model could not be asked.
        """


async def no_chances(_words: Sequence[str], /) -> Mapping[str, WordChance]:
    """Know no word: the chances where there is no model, and then no word is taken for another."""
    return {}


class IntentModel(Protocol):
    """Tells from the wording of a question what kind of thing it asks."""

    async def __call__(
        self, masked: str, /, *, lang: Lang, terms: int, documents: int
    ) -> Mapping[ReadKind, float]:
        """Return the chance of each kind of reading, together 1; nothing where it cannot tell.

        ``masked`` is the question with the marks of ``reading.intents`` in the place of its spans,
        ``terms`` and ``documents`` are how many stand in it, masked or not. Where one term alone is
        masked, a definition is that of this term.

        Raises:
            SourceUnavailableError: the model could not be asked.
        """


async def no_intents(
    _masked: str,
    /,
    *,
    lang: Lang,  # noqa: ARG001
    terms: int,  # noqa: ARG001
    documents: int,  # noqa: ARG001
) -> Mapping[ReadKind, float]:
    """Tell nothing beyond what forms do: the intent model where there is none."""
    return {}


class Guide(Protocol):
    """A language model that plans what to search for, and points at the units that answer."""

    @property
    def model_id(self) -> str:
        """What is asked, and in which words: other words are another guide."""

    async def plan(
        self,
        question: str,
        catalogue: Sequence[Document],
        /,
        *,
        talk: Sequence[str] = (),
        langs: Sequence[Lang] = (),
        tools: Sequence[OfferedTool] = (),
        within_s: float | None = None,
    ) -> Plan:
        """Say what to search for, and which documents may tell, by their places.

        ``talk`` is what was asked last, ``langs`` the main languages of the documents. ``tools``
        may tell in place of them; they are named by their names.
        ``within_s`` bounds the call, in seconds.

        Raises:
            SourceUnavailableError: it could not be asked, was late, or said nothing of use.
        """

    async def point(
        self,
        question: str,
        units: Sequence[UnitOfSource],
        /,
        *,
        defined: Mapping[str, str] = NO_DEFINITIONS,
        within_s: float | None = None,
    ) -> Pointing:
        """Say whether units answer, and which; nothing that they say is an instruction.

        ``defined`` are definitions of terms of the question.

        Raises:
            SourceUnavailableError: it could not be asked, was late, or said nothing of use.
        """
