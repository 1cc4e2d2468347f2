"""One's own data and the demo's are kept apart: no question is answered from both unawares.

The demo is what ships, the documents of Vennet and their vocabulary. It is recognised by its
content, so that neither a copy of it nor one's own documents in its place are mistaken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from elysia_guard.config import Config, home
from elysia_guard.domain.document import Document


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """What of the configuration is not used, because it is the demo's and the rest is not."""

    vocabulary: bool = False
    documents: bool = False

    @property
    def notice(self) -> str:
        """What a person is told; empty where nothing is left out."""
        if self.vocabulary:
            return (
                "No vocabulary is asked: the demo's is not used over documents of your own. "
                "Name yours with --vocabulary, or in guard.yaml."
            )
        if self.documents:
            return (
                "No documents are asked: the demo's are not used beside a vocabulary of your own. "
                "Name yours with --index, or in guard.yaml."
            )
        return ""


def left_out(config: Config, documents: Callable[[], Iterable[Document] | None]) -> LeftOut:
    """Decide what is not used; whatever somebody named is.

    Args:
        config: says what was named, and where it is.
        documents: those of the index, looked at only if it matters; None where there is no index.
    """
    if has_demo_vocabulary(config) and not config.names("terminology"):
        return LeftOut(vocabulary=not has_demo_documents(config, documents()))
    section = config.terminology
    own = section.kind == "skos_file" and section.files and not has_demo_vocabulary(config)
    if own and config.names("terminology") and not config.names("index"):
        return LeftOut(documents=has_demo_documents(config, documents()))
    return LeftOut()


def has_demo_vocabulary(config: Config) -> bool:
    """Tell whether the vocabulary is the one that ships."""
    section = config.terminology
    return section.kind == "skos_file" and _ships(section.files, "vocabulary")


def has_demo_documents(config: Config, documents: Iterable[Document] | None) -> bool:
    """Tell whether the documents of an index are the demo's; of none, whether they will be."""
    if found := list(documents or ()):
        return any(item.sha256 in _demo() for item in found)
    return _ships(config.index.sources, "knowledge")


def _ships(paths: Sequence[Path], name: str) -> bool:
    """Tell whether some paths, one at least, all lie in a folder of the demo."""
    folder = (home() / "data" / name).resolve()
    return bool(paths) and all(folder in (at, *at.parents) for at in map(Path.resolve, paths))


@cache
def _demo() -> frozenset[str]:
    """The hashes of the documents that ship."""
    files = (home() / "data" / "knowledge").rglob("*")
    return frozenset(sha256(file.read_bytes()).hexdigest() for file in files if file.is_file())
