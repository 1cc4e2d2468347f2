"""What a list is restricted to, read from a question part by part; the rest is its topic."""

from __future__ import annotations

import re
from dataclasses import dataclass

from elysia_guard.domain.question import Scope
from elysia_guard.language import forms
from elysia_guard.language.lists.belongings import take_language, take_records
from elysia_guard.language.lists.ownership import read_owner
from elysia_guard.language.lists.periods import take_period
from elysia_guard.language.lists.reading import GAP, KINDS, NOISE, NOW, RECORD, phrase
from elysia_guard.language.lists.statuses import take_statuses
from elysia_guard.language.lists.titles import take_titled
from elysia_guard.language.phrases import spoken
from elysia_guard.language.text import words

_ASKS = re.compile(
    spoken(
        r"^((van|of|for|von|für|in) )?(which|welke?|welche\w*"
        r"|what(?! (is|was|has|does|gets|must|should|can|happens)\b(?!.{0,40}\bdecided\b))"
        r"|wat(?! (is|was|werd|wordt|heeft|moet|mag|kan)\b(?!.{0,40}\bbesloten\b))"
        r"|was(?! (ist|wird|wurde|hat|muss|soll|kann"
        r"|darf)\b(?!.{0,40}\b(entschieden|beschlossen)\b)))\b"
        r"(?! (is|ist) (an?|the|een|de|het|eine?|der|die|das)\b)"
    ),  # one of them
    re.IGNORECASE,
)
_EXISTS = re.compile(
    spoken(
        r"^(are|is) there\b|^any (?!of\b)|^(do|have) (we|you)\b|^(zijn|is|bestaan) er\b"
        r"|^(hebben we|heb je)\b|^(gibt es|haben wir|hast du)\b"
    ),
    re.IGNORECASE,
)
_ANY_OF_THEM = re.compile(
    spoken(
        r"^(are|is|have|has|do|does|did|were) any\b"
        r"|^(sind|zijn|wurden|werden|haben|hebben|staan|stehen) "
        rf"((irgendwelche|einige|bepaalde|sommige) )?({KINDS})"
    ),
    re.IGNORECASE,
)
"""'Are any decisions rejected?', where a list is wished."""
_SAYS = re.compile(
    spoken(
        rf"\b({KINDS}) ((all|also|actually|allemaal|eigenlijk|eigentlich|genau|precies) "
        r")*(says?|said|tells?|states?|requires?|demands?|allows?|prescribes?|means?|contains?"
        r"|zeggen|zegt|eisen|vereisen|verlangen|schrijven|bepalen|sagen|sagt|fordern|erlauben"
        r"|besagen|vorschreiben|regeln|enthalten)\b"
    ),
    re.IGNORECASE,
)
"""'What do our policies say': what stands in them is asked."""
_SORTED = phrase(
    r",? (sorted|ordered|grouped) by \w+|,? (gesorteerd|geordend|gegroepeerd) (op|naar|per) "
    r"\w+|,? nach \w+ (sortiert|geordnet|gruppiert)\b|,? (sortiert|geordnet|gruppiert) nach "
    r"\w+"
)
_DENIED = phrase(
    r"(\b(not|never|no|non|niet|nooit|geen|nicht|nie|keine?|except|excluding|without|behalve"
    r"|uitgezonderd|zonder|außer|ausgenommen|ohne|other than|apart from|anders dan)|n't) "
    r"((for|the|those|ones|that|which|have|has|are|is|were|been|any|de|die|der|den|das|zijn|sind"
    rf"|haben|hebben|owned|written|dated|taken|from|in|of|van|von|uit|aus|by|door|{KINDS}) "
    rf")*{GAP}"
    r"|\b(also|including|as well as|plus|ook|inclusief|evenals|auch|einschließlich|sowie) "
    r"(those|the ones|ones|die|degenen?|deze|diejenigen|solche|denen)\b"
)
"""A restriction is turned round, or something else is wanted too."""
_KIND = re.compile(spoken(KINDS), re.IGNORECASE)
_EACH = re.compile(
    spoken(rf"\b(every|each|any|elke?|iedere?|jede[nmrs]?) ([\w-]+ )?({KINDS}|{RECORD}\b)"),
    re.IGNORECASE,
)
_HEAD = re.compile(
    spoken(
        rf"(({forms.LIST_WORDS.pattern}|any|some|a|unser\w*|sämtliche[nrs]?|aller|full|complete) )*"
        r"((?!(in|of|from|by|to|der|des|uit|aus|unserer|our|the|de|het|die)\b)[^\s?!,;:]{1,40} "
        r"){0,2}?"
        rf"({KINDS}|{RECORD}\b)"
    ),
    re.IGNORECASE,
)
"""Documents are what is wished, not something of theirs: 'the rules of our policies'."""
_TOOK = r"(taken|took|made|adopted|genomen|gemaakt|vastgesteld|getroffen|gefasst|gefällt)"
_TAKEN = re.compile(spoken(rf"\b{_TOOK}\b|\bdid (we|you) (take|make)\b"), re.IGNORECASE)
_FILLERS = phrase(
    rf"\b({_TOOK}|take|make|dated|date|written|decided|issued|were|was|been|has|had|did|do"
    r"|be|own|hold|holds|keep|keeps|any|some|came|come|out|appeared|published|komen|stammen|only"
    r"|merely|just|but|or|in|from|by|at|so far|architecture|architectural"
    r"|werden?|worden|wurden|haben|wir|inmiddels|alleen|slechts|maar|enkele|dat|uit|bij|of"
    r"|eigenlijk|eigentlich|nur|aber|oder|aus|im|bei|bisher|irgendwelche|got|get|gotten|since"
    r"|sinds|sindsdien|seit(dem|her)?|inzwischen|mittlerweile|intussen|ondertussen|meanwhile"
    r"|by now|later|subsequently|to date|until now|tot nu toe|bis(her|lang| jetzt)|yet"
    r"|already|ever|ooit|jemals|reeds|bereits|schon|it|they|ze|sie|hun|daar|also|ook|auch|maar"
    r"|added|adopt|joined|bij|erbij|gekomen|bijgekomen|toegevoegd|verschenen|erschienen"
    r"|veröffentlicht|gepubliceerd|hinzugekommen|dazugekommen)\b"
)
"""What may stand beside the restrictions of 'Which decisions were taken in 2023?'."""
_NOW = phrase(rf"\b{NOW}\b")
"""'Currently' goes without saying; of what was taken today, it is the day."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Restricted:
    """A question for a list as far as it is understood.

    ``rest`` is what is said beside the scope, ``phrase`` the part of it that names the ``owner``,
    ``owner_said`` tells whether its words say that it is one; ``titled`` is what titles must bear.
    ``denied`` tells that a restriction is turned round: 'not in Dutch'; ``status_said`` that a
    status is spoken of, which may be any.
    """

    asked: str
    scope: Scope
    rest: str
    owner: str
    phrase: str
    owner_said: bool
    titled: str = ""
    denied: bool = False
    status_said: bool = False

    @property
    def restricts(self) -> bool:
        """Whether a restriction is understood, beyond doubt."""
        said = self.status_said or bool(self.titled) or (self.owner_said and bool(self.owner))
        return said or self.scope != Scope()

    @property
    def of_documents(self) -> str:
        """The rest without the name of an owner, which may hold the word for a kind."""
        return self.rest.replace(self.phrase, GAP, 1) if self.owner_said else self.rest

    def is_list(self, *, wished: bool) -> bool:
        """Tell whether documents are asked for: by the form, or as nothing else is asked of them.

        'Which decisions were taken in 2023?' asks for nothing but decisions of 2023; 'Which
        decision says who owns the data?' does.
        """
        if self.denied or any(form.match(self.asked) for form in forms.NOT_A_LIST):
            return False
        if any(form.match(self.asked) for form in forms.LIST):
            return True
        plural = bool(forms.MANY.search(self.asked) or _EACH.search(self.asked))
        asks = _ASKS.match(self.asked)
        any_of_them = wished and plural and bool(_ANY_OF_THEM.match(self.asked))
        if not asks and not any_of_them and not (plural and self._is_there()):
            return False
        if wished and plural and _HEAD.match(self.asked) and not _SAYS.search(self.asked):
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
    titled, of_status = take_titled(_SORTED.sub(GAP, text))
    statuses, rest = take_statuses(of_status)
    status_said = rest != of_status
    lang, rest = take_language(rest)
    since, until, rest = take_period(rest)
    owner, named, owner_said = read_owner(rest)
    denied = bool(_DENIED.search(rest.replace(named, GAP, 1) if owner and owner_said else rest))
    approval, rest = take_records(rest)
    return Restricted(
        asked=text,
        scope=Scope(statuses=statuses, lang=lang, since=since, until=until, approval=approval),
        rest=rest,
        owner=owner,
        phrase=named,
        owner_said=owner_said,
        titled=titled,
        denied=denied,
        status_said=status_said,
    )


def _topic(text: str) -> str:
    rest = _KIND.sub(GAP, text)
    said = rest if _TAKEN.search(text) else _NOW.sub(GAP, rest)
    if not words(_without_list_words(_FILLERS.sub(GAP, said))):
        return ""
    return re.sub(r"\s+", " ", _without_list_words(rest)).strip(" ?!.,;:'\"")


def _without_list_words(text: str) -> str:
    return forms.LIST_WORDS.sub(GAP, NOISE.sub(GAP, text))
