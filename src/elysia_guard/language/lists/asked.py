"""Which documents a question asks to be listed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang, Owner
from elysia_guard.domain.reading import Listing
from elysia_guard.language.kinds import kinds_named
from elysia_guard.language.lists.reading import RECORDS
from elysia_guard.language.stems import is_content_word
from elysia_guard.language.text import words

if TYPE_CHECKING:
    from elysia_guard.language.lists.scopes import Restricted

_FUNCTION_WORDS: dict[Lang, frozenset[str]] = {
    "en": frozenset(
        """a all also an and any are as at be been by can could did do does done for from get got
        had has have he her his i if in is it its just know let like may me might must my need of
        on only or our ours please s see shall she should so some such t tell that the their them
        then there these they this those to us want was we were what which who will with would you
        your""".split()
    ),
    "nl": frozenset(
        """aan al alle alleen als bij dan dat de deze die dit door een en er graag had heb hebben
        heeft het hij hun ik in is je kan kun kunnen kunt maar me mij mijn moet mogen nu of om ons
        onze ook op s te uit uw van voor waar was wat we welke werd werden wij wil willen word
        worden wordt ze zich zij zijn zo zou""".split()
    ),
    "de": frozenset(
        """als am an auch auf aus bei bitte da dann das dass dem den der des die dies diese diesen
        dieser ein eine einem einen einer er es für gibt habe haben hat ich ihm ihn ihnen ihr ihre
        im in ist kann können mein mich mir mit muss müssen nur oder s sein sich sie sind so soll
        sollen uns unser unsere und von vom was welche welchen wer werden wie will wir wird wollen
        wurde wurden zu zum zur""".split()
    ),
}
"""Articles, pronouns, auxiliaries, prepositions and conjunctions: alone they restrict nothing."""


def list_asked(text: str, given: DocumentKind | None, lang: Lang) -> Listing | None:
    """Read which documents a text asks for; None where it does not ask for a list of any."""
    if not (given or kinds_named(text) or RECORDS.search(text)):
        return None
    # Their tables take a quarter of a second to compile, and most questions name no documents.
    from elysia_guard.language.lists.asides import without_asides
    from elysia_guard.language.lists.scopes import scope_of

    asked, wished = without_asides(text)
    read = scope_of(asked)
    of_records = (DocumentKind.DECISION,) if read.scope.approval else ()
    kinds = kinds_named(read.of_documents) or of_records or ((given,) if given else ())
    if not kinds or not read.is_list(wished=wished):
        return None
    return _listing(read, kinds, lang)


def _listing(read: Restricted, kinds: tuple[DocumentKind, ...], lang: Lang) -> Listing | None:
    topic = _subject(read.topic, lang)
    if read.titled and (topic or not _subject(read.titled, lang)):
        return None
    filters = replace(read.scope, owner=_owner(read, lang), titled=bool(read.titled))
    return Listing(kinds=kinds, topic=read.titled or topic, filters=filters)


def _owner(read: Restricted, lang: Lang) -> Owner | None:
    if not read.owner:
        return None
    beside = _subject(read.beside, lang)
    topic = None if read.owner_said and not beside else beside
    return Owner(written=read.owner, said=read.owner_said, topic=topic)


def _subject(text: str, lang: Lang) -> str:
    """What is said beside all that is understood; nothing where that are function words alone.

    A stop word of the search is not passed over: of 'yesterday' no list of all would be true.
    """
    said = set(words(text))
    if lang not in _FUNCTION_WORDS:
        return text if any(is_content_word(word, lang) for word in said) else ""
    return text if said - _FUNCTION_WORDS[lang] else ""
