"""What ``elysia-guard doctor`` says of the vocabulary: its files, or the Skosmos that has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard import config
from elysia_guard.adapters.skos_rdf import read_concepts
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.cli.surroundings import Check, State
from elysia_guard.running import run_anywhere

if TYPE_CHECKING:
    from elysia_guard.wiring import Wiring


def look(wiring: Wiring) -> Check:
    """Read the files, or look a term up: what a question about a term would do."""
    section = wiring.config.terminology
    if notice := wiring.left_out.vocabulary and wiring.left_out.notice:
        return Check(part="vocabulary", state=State.OK, text=notice, needed=True)
    if not section.files and section.kind == "skos_file":
        text = "none is configured; what a term means is then looked for in the documents"
        return Check(part="vocabulary", state=State.OK, text=text, needed=True)
    asked = section.skosmos if section.kind == "skosmos" else None
    return _skosmos(wiring, asked) if asked else _skos_files(section.files, section.max_bytes)


def _skosmos(wiring: Wiring, section: config.SkosmosSection) -> Check:
    """Look a term up: a server that answers, but with nothing, is not well either."""
    term = section.known_term
    data = {"url": section.url, "vocabularies": dict(section.vocabularies), "known_term": term}
    try:
        source = wiring.terminology
        found = run_anywhere(source.lookup(term or "x", lang="en")) if source else ()
    except SourceUnavailableError as err:
        return Check(
            part="vocabulary",
            state=State.ERROR,
            text=f"Skosmos at {section.url}: {err}",
            needed=True,
            data=data,
        )
    said = f"'{term}' is there" if found else "answers; set known_term to tell outages from misses"
    return Check(
        part="vocabulary",
        state=State.ERROR if term and not found else State.OK,
        text=f"Skosmos at {section.url}: "
        + (f"does not know '{term}'" if term and not found else said),
        needed=True,
        data=data,
    )


def _skos_files(files: Sequence[Path], max_bytes: int) -> Check:
    concepts = read_concepts(files, max_bytes=max_bytes)
    languages = Counter(text.lang for item in concepts for text in item.preferred if text.lang)
    deprecated = sum(item.deprecated for item in concepts)
    spoken = ", ".join(f"{lang} {count}" for lang, count in languages.most_common())
    names = ", ".join(map(str, files))
    return Check(
        part="vocabulary",
        state=State.OK,
        text=f"{names}; {len(concepts)} concepts ({spoken}), {deprecated} deprecated",
        needed=True,
        data={
            "files": [str(file) for file in files],
            "concepts": len(concepts),
            "deprecated": deprecated,
            "languages": dict(languages),
        },
    )
