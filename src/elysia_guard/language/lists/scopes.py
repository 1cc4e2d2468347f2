"""What a list is restricted to, read from a question part by part; the rest is its topic."""

from __future__ import annotations

import re
from dataclasses import dataclass

from elysia_guard.domain.question import Scope
from elysia_guard.language import forms
from elysia_guard.language.lists.belongings import take_language, take_records
from elysia_guard.language.lists.ownership import read_owner
from elysia_guard.language.lists.periods import take_period
from elysia_guard.language.lists.reading import GAP, KINDS, NOW, phrase
from elysia_guard.language.lists.statuses import take_statuses
from elysia_guard.language.text import words

_ASKS = re.compile(
    r"^(?:(?:van|of|for|von|f\u00fcr|in)\s+)?(?:which|what|welke?|wat|welche\w*|was)\b"
    r"(?!\s+(?:is|ist)\s+(?:an?|the|een|de|het|eine?|der|die|das)\b)",  # one of them
    re.IGNORECASE,
)
_EXISTS = re.compile(
    r"^(?:are|is)\s+there\b|^(?:do|have)\s+(?:we|you)\b|^(?:zijn|is|bestaan)\s+er\b|^(?:hebben\s+we|heb\s+je)\b|^(?:gibt\s+es|haben\s+wir|hast\s+du)\b",
    re.IGNORECASE,
)
_KIND = re.compile(KINDS, re.IGNORECASE)
_TOOK = r"(?:taken|took|made|adopted|genomen|gemaakt|vastgesteld|getroffen|gefasst|gef\u00e4llt)"
_TAKEN = re.compile(rf"\b{_TOOK}\b|\bdid\s+(?:we|you)\s+(?:take|make)\b", re.IGNORECASE)
_FILLERS = phrase(
    rf"\b(?:{_TOOK}|{NOW}|take|make|dated|date|written|decided|issued|were|was|been|has|had|did|do"
    r"|be|own|any|some|came|come|out|appeared|published|komen|stammen|only|just|but|or|in|from|by|at|so\s+far|architecture|architectural"
    r"|werden?|worden|wurden|haben|wir|inmiddels|alleen|slechts|maar|enkele|dat|uit|bij|of"
    r"|eigenlijk|eigentlich|nur|aber|oder|aus|im|bei|bisher|irgendwelche)\b"
)
"""What may stand beside the restrictions of 'Which decisions were taken in 2023?'."""
_NOISE = phrase(
    r"\b(?:lijstje|overzichtje|zeigen?|zeig|aller|unserer|unseren|unserem|eine[nmrs]?|complete|volledige?|vollst\u00e4ndige"
    r"|appl(?:y|ies|ying)|concerns?|covers?|covering|betreffen|betreft)\b|[()]"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Restricted:
    """A question for a list as far as it is understood.

    ``rest`` is what is said beside the scope, ``phrase`` the part of it that names the ``owner``,
    and ``owner_said`` whether its words say that it is one.
    """

    asked: str
    scope: Scope
    rest: str
    owner: str
    phrase: str
    owner_said: bool

    @property
    def restricts(self) -> bool:
        """Whether a restriction is understood, beyond doubt."""
        return self.scope != Scope() or (self.owner_said and bool(self.owner))

    @property
    def of_documents(self) -> str:
        """The rest without the name of an owner, which may hold the word for a kind."""
        return self.rest.replace(self.phrase, GAP, 1) if self.owner_said else self.rest

    def is_list(self, *, wished: bool) -> bool:
        """Tell whether documents are asked for: by the form, or as nothing else is asked of them.

        'Which decisions were taken in 2023?' asks for nothing but decisions of 2023; 'Which
        decision says who owns the data?' does.
        """
        if any(form.match(self.asked) for form in forms.NOT_A_LIST):
            return False
        if any(form.match(self.asked) for form in forms.LIST):
            return True
        plural = bool(forms.MANY.search(self.asked))
        asks = _ASKS.match(self.asked)
        if not asks and not (plural and self._is_there()):
            return False
        if wished and plural:
            return True
        understood = self.restricts or (plural and asks and _TAKEN.search(self.asked))
        return bool(understood) and not _topic(self.of_documents)

    @property
    def topic(self) -> str:
        """What the documents are to be about: all the rest, where that may hold their owner."""
        return _topic(self.rest if self.owner and self.beside else self.of_documents)

    @property
    def beside(self) -> str:
        """What they are to be about beside their owner."""
        return _topic(self.rest.replace(self.phrase, GAP, 1))

    def _is_there(self) -> bool:
        """'Are there policies ...', 'policies ...': no other question word begins it."""
        return bool(_EXISTS.match(self.asked)) or not forms.QUESTION_WORDS.match(self.asked)


def scope_of(text: str) -> Restricted:
    """Read every restriction of a question.

    >>> scope_of("all principles in Dutch").scope.lang
    'nl'
    """
    statuses, rest = take_statuses(text)
    lang, rest = take_language(rest)
    since, until, rest = take_period(rest)
    owner, named, owner_said = read_owner(rest)
    approval, rest = take_records(rest)
    return Restricted(
        asked=text,
        scope=Scope(statuses=statuses, lang=lang, since=since, until=until, approval=approval),
        rest=rest,
        owner=owner,
        phrase=named,
        owner_said=owner_said,
    )


def _topic(text: str) -> str:
    rest = _KIND.sub(GAP, text)
    if not words(_without_list_words(_FILLERS.sub(GAP, rest))):
        return ""
    return re.sub(r"\s+", " ", _without_list_words(rest)).strip(" ?!.,;:'\"")


def _without_list_words(text: str) -> str:
    return _NOISE.sub(GAP, forms.LIST_WORDS.sub(GAP, text))
