"""What a conversation was about, turn by turn: what the words of a follow-up may refer to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from elysia_guard.domain.conversation import Conversation, Focus
from elysia_guard.domain.document import Document, DocumentKind
from elysia_guard.domain.question import Reference
from elysia_guard.language.preamble import without_portion
from elysia_guard.language.references import find_references
from elysia_guard.language.text import normalise
from elysia_guard.reading.choice_parsing import names_only_a_place

_EDGES = " ?!.,;:"


@dataclass(frozen=True, kw_only=True, slots=True)
class Antecedent:
    """A document or a term that was spoken of, by the name that a question gives it."""

    name: str
    reference: Reference | None = None

    @classmethod
    def of(cls, reference: Reference) -> Antecedent:
        """Name a document in the house form of its references, or by its title in quotes."""
        quoted = reference.number is None
        name = f'"{reference.name}"' if quoted else reference.name
        return cls(name=name, reference=reference)

    @classmethod
    def named(cls, document: Document) -> Antecedent:
        """Name a document of the catalogue."""
        return cls.of(Reference.of(document))

    @property
    def kind(self) -> DocumentKind | None:
        """Of a document; None for a term, or a bare number."""
        return self.reference.kind if self.reference else None

    @property
    def key(self) -> object:
        """What is equal for the same document or term, however it was written."""
        return self.reference.key if self.reference else normalise(self.name)

    def as_kind(self, kind: DocumentKind) -> Antecedent:
        """Return the document of a kind that bears the same number."""
        return Antecedent.of(replace(self.reference, kind=kind, id="")) if self.reference else self


Antecedents = tuple[Antecedent, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """What one turn was about, all its parts together: what it named, showed, or came near."""

    said: Focus
    """Its last part."""
    question: str
    named: Antecedents
    shown: Antecedents
    near: Antecedents

    @classmethod
    def of(cls, parts: Sequence[Focus]) -> Turn:
        """Put the parts of a turn together; records stand for what they approve."""
        last = parts[-1]
        records = any(each.approval for each in find_references(last.question))

        def documents(found: Iterable[Reference], *, apart: bool) -> Antecedents:
            plain = (replace(each, approval=each.approval and apart) for each in found)
            return _distinct(map(Antecedent.of, plain))

        named = documents((each for part in parts for each in part.documents), apart=records)
        terms = (Antecedent(name=each.strip(_EDGES)) for part in parts for each in part.terms)
        return cls(
            said=last,
            question=without_portion(last.question)[0],
            named=named or _distinct(terms),
            shown=documents((each for part in parts for each in part.listed), apart=last.listing),
            near=documents((each for part in parts for each in part.near), apart=False),
        )

    @property
    def subjects(self) -> Antecedents:
        """What was named, else what was shown, else what came near."""
        return self.named or self.shown or self.near

    @property
    def is_open(self) -> bool:
        """Whether it could not be understood: what it is about was asked back."""
        said = self.said
        return not (self.named or self.shown or said.listing or said.kinds or said.topic)

    @property
    def single(self) -> Antecedent | None:
        """The one thing that it was about; of what a search quoted the best."""
        if self.named:
            told = [item for item in self.named if item in self.shown]
            one = told or list(self.named)
            return one[0] if len(one) == 1 else None
        several = self.said.listing and len(self.shown) > 1
        return self.shown[0] if self.shown and not several else None


@dataclass(frozen=True, kw_only=True, slots=True)
class SpokenOf:
    """The turns of a conversation that a follow-up may refer to, the last one last."""

    turns: tuple[Turn, ...]
    pending: str = ""
    """The last message, where it was asked back what it is about."""

    @classmethod
    def of(cls, conversation: Conversation) -> SpokenOf:
        """Take the turns of a conversation; what was not understood is no turn."""
        turns = [Turn.of(parts) for parts in _by_turn(conversation.focus)]
        pending = turns[-1].question if turns and turns[-1].is_open else ""
        if names_only_a_place(pending):
            pending = ""
        return cls(turns=tuple(turn for turn in turns if not turn.is_open), pending=pending)

    @property
    def last(self) -> Turn | None:
        """The last turn that was about something."""
        return self.turns[-1] if self.turns else None

    @property
    def now(self) -> Antecedent | None:
        """The one thing that is spoken of now."""
        return self.last.single if self.last else None

    @property
    def undecided(self) -> Antecedents:
        """The best of what a search quoted, where nothing said since has told them apart."""
        found: Antecedents = ()
        for turn in self.turns:
            if not turn.named:
                found = () if turn.said.listing else turn.shown[:2]
            elif {each.key for each in turn.named} != {each.key for each in found}:
                found = ()
        return found if len(found) > 1 else ()

    @property
    def document(self) -> Antecedent | None:
        """The one document that was spoken of last, however long ago."""
        singles = (turn.single for turn in reversed(self.turns))
        return next((item for item in singles if item and item.reference), None)

    @property
    def kinds(self) -> tuple[DocumentKind, ...]:
        """The kinds of documents that the last turn was about."""
        last = self.last
        subjects = last.subjects if last else ()
        kinds = (item.kind for item in subjects if item.kind and item.kind.is_numbered)
        return tuple(dict.fromkeys(kinds)) or (last.said.kinds if last else ())

    def of_kind(self, kind: DocumentKind) -> Antecedents:
        """Return the documents of a kind that were spoken of last; 'number 12' may be of any."""
        for turn in reversed(self.turns):
            fitting = tuple(
                item if item.kind else item.as_kind(kind)
                for item in (turn.named or turn.shown[: 0 if turn.said.listing else 1] or turn.near)
                if item.reference and item.kind in {None, kind}
            )
            if fitting:
                return fitting
        return ()

    def pair(self, count: int = 2) -> Antecedents:
        """Return what was spoken of together, or one after another, where that are so many."""
        found: dict[object, Antecedent] = {}
        for turn in reversed(self.turns):
            subjects = turn.named or turn.shown
            if len(subjects) == count:
                return subjects
            if turn.said.listing or len(turn.named) > count:
                return ()
            one = turn.single
            alike = one and all(bool(one.reference) is bool(i.reference) for i in found.values())
            if one and alike:
                found.setdefault(one.key, one)
            if len(found) == count:
                return tuple(reversed(found.values()))
        return ()

    def other(self) -> Antecedent | None:
        """Return the one of two that is not spoken of now."""
        now = self.now
        if now is None:
            return None
        for turn in reversed(self.turns):
            said = turn.named or ((turn.single,) if turn.single else turn.shown)
            others = [item for item in said if item.key != now.key]
            if others:
                return others[0] if len(others) == 1 else None
        return None

    def several(self) -> Antecedents:
        """Return the last list that was shown, or what was named, quoted or proposed together."""
        for turn in reversed(self.turns):
            if turn.said.listing and turn.shown:
                return turn.shown
            if len(turn.subjects) > 1:
                return turn.subjects
        return ()

    def all_documents(self) -> Antecedents:
        """Return every document that was spoken of or shown, the latest first."""
        every = (item for turn in reversed(self.turns) for item in (*turn.named, *turn.shown))
        return _distinct(item for item in every if item.reference)


def _by_turn(focus: Iterable[Focus]) -> list[list[Focus]]:
    turns: list[list[Focus]] = []
    for part in focus:
        if part.further and turns:
            turns[-1].append(part)
        else:
            turns.append([part])
    return turns


def _distinct(found: Iterable[Antecedent]) -> Antecedents:
    return tuple({item.key: item for item in found}.values())


def names(subjects: Sequence[Antecedent], joined: str) -> str:
    """Return the names of documents or terms as one part of a sentence."""
    *before, last = [item.name for item in subjects]
    return f"{', '.join(before)} {joined} {last}" if before else last
