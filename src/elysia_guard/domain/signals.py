"""What is measured of a document found, beside likeness: what its words say of an answer."""

from __future__ import annotations

from dataclasses import astuple, dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Signals:
    """Measures of all that was found of one document, each 0 to 1: the more, the likelier.

    ``document`` is the share of the question's content words, by weight, that its passages, title
    and headings cover together, ``sentence`` that which its best sentence covers by itself.
    ``held`` is 1 where the sentences that would be quoted hold a thing of every kind that is asked
    for. ``figures`` and ``names`` are the shares of the question's numbers and identifiers that
    stand in it, 1 where there are none.
    """

    document: float = 0.0
    sentence: float = 0.0
    held: float = 0.0
    figures: float = 0.0
    names: float = 0.0

    @property
    def values(self) -> tuple[float, ...]:
        """The measures, in the order of their coefficients."""
        return astuple(self)


NONE = Signals()
