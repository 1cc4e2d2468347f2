"""What is measured of a document found, beside likeness: what its words say of an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Signals:
    """Measures of all that was found of one document, each 0 to 1: the more, the likelier.

    ``document`` is the share of the question's content words, by weight, that its passages, title
    and headings cover together, ``sentence`` that which its best sentence covers by itself.
    ``held`` is 1 where the sentences that would be quoted hold a thing of every kind that is asked
    for. ``figures`` and ``names`` are the shares of the question's numbers and identifiers that
    stand in it, 1 where there are none. ``said`` is what one sentence, under its title and its
    headings, covers of that content word of which it covers least: 1 where it holds all of them. A
    sentence without the kind of thing asked for says nothing, and what is asked for by a word of
    its own ('which reviewer') is not seen in any.
    """

    document: float = 0.0
    sentence: float = 0.0
    held: float = 0.0
    figures: float = 0.0
    names: float = 0.0
    said: float = 0.0

    @property
    def values(self) -> tuple[float, ...]:
        """The measures of a search, in the order of their coefficients; ``said`` has none there."""
        return self.document, self.sentence, self.held, self.figures, self.names


NONE = Signals()
