"""What every ``Origins`` must do; inherit it in a test class and say how a source is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tests.contract.index_contract import run

from elysia_guard.domain.document import Document
from elysia_guard.domain.origin import Against, Origin, OriginState
from elysia_guard.ports import Origins


@dataclass(frozen=True, kw_only=True)
class Source:
    """A document as an index knows it, and two things that may happen to what it was read from."""

    document: Document
    write: Callable[[str], None]
    """Replaces its sentence."""
    remove: Callable[[], None]


class OriginsContract:
    """Give ``make`` the origins under test, and ``source`` a document that says one sentence."""

    def make(self) -> Origins:
        """The origins under test."""
        raise NotImplementedError

    def source(self) -> Source:
        """A document that the origins know."""
        raise NotImplementedError

    def look(self, document: Document, *, read: bool = False) -> Origin:
        """Look at one document."""
        found: Mapping[str, Origin] = run(
            self.make().documents([document], read=[document.id] if read else [])
        )
        return found[document.id]

    def test_a6_what_has_not_changed_is_unchanged(self) -> None:
        """It says what it was held against, and has no text: there was no need to read it."""
        origin = self.look(self.source().document)
        assert (origin.state, origin.text) == (OriginState.UNCHANGED, "")
        assert origin.against is not Against.INDEX

    def test_a6_what_has_changed_says_what_it_says_now(self) -> None:
        """With the text and what the document says of itself, as an ingest would read them."""
        source = self.source()
        source.write("Another sentence.")
        origin = self.look(source.document)
        assert origin.state is OriginState.CHANGED
        assert "Another sentence." in origin.text
        assert origin.document is not None
        assert origin.document.id == source.document.id

    def test_a6_what_has_gone_is_gone(self) -> None:
        """Nothing can be quoted from it."""
        source = self.source()
        source.remove()
        origin = self.look(source.document)
        assert (origin.state, origin.text) == (OriginState.GONE, "")

    def test_a6_what_is_named_is_read_in_any_case(self) -> None:
        """A caller that doubts its own text gets the source's."""
        assert self.look(self.source().document, read=True).text

    def test_a6_what_has_no_source_is_not_spoken_of(self) -> None:
        """A document that was read from nowhere is not said to be there, changed or gone."""
        nowhere = replace(self.source().document, sha256="", root="", stamp="")
        assert run(self.make().documents([nowhere])) == {}
