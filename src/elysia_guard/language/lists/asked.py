"""Which documents a question asks to be listed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.question import Lang, Owner
from elysia_guard.domain.reading import Listing
from elysia_guard.language.kinds import kinds_named
from elysia_guard.language.lists.reading import RECORDS
from elysia_guard.language.pack import pack
from elysia_guard.language.text import words

if TYPE_CHECKING:
    from elysia_guard.language.lists.scopes import Restricted


def list_asked(text: str, given: DocumentKind | None, lang: Lang) -> Listing | None:
    """Read which documents a text asks for; None where it does not ask for a list of any."""
    if not (given or kinds_named(text) or RECORDS.search(text)):
        return None
    # Their tables take a quarter of a second to compile, and most questions name no documents.
    from elysia_guard.language.lists.asides import without_asides
    from elysia_guard.language.lists.scopes import scope_of

    asked, wished = without_asides(text, lang)
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
    return text if set(words(text)).difference(pack(lang).core.words.function) else ""
