"""Vocabularies in SKOS: read from files, checked, written, and looked up in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Self

from elysia_guard.adapters.skos.kept import KeptConcepts, ReadFiles
from elysia_guard.adapters.skos.labels import LabelIndex
from elysia_guard.adapters.skos.rdf import MAX_BYTES, bytes_of, concepts_from
from elysia_guard.domain.concept import Concept, Label, Labels, TermMatch
from elysia_guard.domain.loading import uncollected
from elysia_guard.domain.question import Lang


class SkosFile:
    """A terminology source over SKOS files: Turtle, RDF/XML, JSON-LD or N-Triples.

    >>> source = SkosFile.load([Path("vocabulary/grid.ttl")])  # doctest: +SKIP
    >>> await source.lookup("transformers", lang="en")         # doctest: +SKIP
    """

    def __init__(
        self,
        concepts: Iterable[Concept],
        *,
        name: str = "the vocabulary",
        empty: Iterable[str] = (),
    ) -> None:
        """Hold concepts; ``empty`` says of each file without one that it is so."""
        self.empty = tuple(empty)
        ordered = sorted(concepts, key=lambda concept: (concept.vocabulary, concept.uri))
        self._name = name
        self._concepts = {concept.uri: concept for concept in ordered}
        self._living = LabelIndex([concept for concept in ordered if not concept.deprecated])
        self._deprecated = LabelIndex([concept for concept in ordered if concept.deprecated])

    @classmethod
    def load(
        cls,
        paths: Sequence[Path],
        *,
        name: str = "the vocabulary",
        max_bytes: int = MAX_BYTES,
        kept: Path | None = None,
    ) -> Self:
        """Read files, and all SKOS files in folders; together they may have ``max_bytes``.

        ``kept`` is a file for what was read of large ones, so that the next start need not.

        Raises:
            DocumentError: a file is missing, does not parse, or goes beyond a limit.
        """
        files = bytes_of(paths, max_bytes=max_bytes)
        before = KeptConcepts(kept, files)
        with uncollected():
            found = before.read()
            if found is None:
                empty: list[str] = []
                concepts = concepts_from(files, on_empty=lambda err: empty.append(str(err)))
                found = ReadFiles(concepts, tuple(empty))
                before.write(found)
            return cls(found.concepts, name=name, empty=found.empty)

    @property
    def name(self) -> str:
        """How the source is called before a reader."""
        return self._name

    def example(self, lang: Lang) -> str:
        """Return the first label that names one concept alone, a defined one where there is any.

        Empty if there is none.
        """
        bare = ""
        for concept in self._concepts.values():
            told = any(text.is_in(lang) for text in concept.definitions)
            label = next((text.value for text in concept.preferred if text.lang == lang), "")
            tells = label and not concept.deprecated and (told or not bare)
            if tells and self._is_plain(label, lang):
                if told:
                    return label
                bare = label
        return bare

    def _is_plain(self, label: str, lang: Lang) -> bool:
        return len(self._living.find(label, lang)) == 1

    async def lookup(self, term: str, *, lang: Lang) -> Sequence[TermMatch]:
        """Return every concept that the term names, deprecated ones where no living one does."""
        return self._living.find(term, lang) or self._deprecated.find(term, lang)

    async def concepts(self, uris: Sequence[str]) -> Sequence[Concept]:
        """Return the concepts with these URIs, unknown ones left out."""
        return [self._concepts[uri] for uri in uris if uri in self._concepts]

    async def suggest(self, term: str, *, lang: Lang, limit: int = 3) -> Sequence[Concept]:
        """Return the living concepts whose labels are nearest to a term that was not found."""
        return self._living.nearest(term, lang, limit)

    async def synonyms(self, text: str, *, lang: Lang) -> Sequence[Sequence[str]]:
        """Return, for each label that occurs in the text, all names of its concept."""
        return self._living.mentions(text, lang)

    async def labels(self) -> Labels:
        """Return every label of the files."""
        return self._labels

    @cached_property
    def _labels(self) -> Labels:
        with uncollected():
            every = tuple(each for concept in self._concepts.values() for each in Label.of(concept))
        version = sha256()
        for label in every:
            told = (label.uri, label.text.value, label.text.lang, label.role, label.deprecated)
            version.update(repr(told).encode())
        return Labels(version=version.hexdigest(), all=every)
