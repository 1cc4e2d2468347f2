"""The sources of the settings: vocabulary, passage index, and what both were read from.

One's own data and the demo's are kept apart: no question is answered from both unawares. The demo
is what ships, the documents of Vennet and their vocabulary. It is recognised by its content, so
that neither a copy of it nor one's own documents in its place are mistaken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from elysia_guard import config as configuration
from elysia_guard.adapters.cached import with_test_triggers
from elysia_guard.adapters.observed import Lookups
from elysia_guard.adapters.origins import (
    DocumentFiles,
    IndexOrigins,
    LiveVocabulary,
    VocabularyFiles,
    devices,
)
from elysia_guard.adapters.skos import SkosFile
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.adapters.sqlite_index.writer import SqliteStore
from elysia_guard.config import Config, SkosmosSection, WeaviateSection, home
from elysia_guard.domain.document import Document
from elysia_guard.domain.origin import Against
from elysia_guard.domain.search_weights import AS_EVER, WeightsByKind
from elysia_guard.ports import Embedder, PassageIndex, TerminologySource
from elysia_guard.resilience.calls import Guarded, through
from elysia_guard.wiring.surroundings import Surroundings

# Weaviate's client takes most of a second to import, and a file has no use for it.
if TYPE_CHECKING:
    from elysia_guard.adapters.index_store import IndexStore
    from elysia_guard.adapters.weaviate_index import Server


def skosmos_section(config: Config) -> SkosmosSection | None:
    """Return the server that is configured; None where files are the vocabulary."""
    section = config.terminology
    return section.skosmos if section.kind == "skosmos" else None


def terminology_of(
    config: Config, files: Callable[[], SkosFile], around: Surroundings
) -> TerminologySource | None:
    """Make the vocabulary, None where none is configured; files are read only if named."""
    section = skosmos_section(config)
    if section is None and not config.terminology.files:
        return None
    if section is None:
        return Lookups(around.observe, backend="skos_file").of(_tested(files(), config))
    labels = files() if config.terminology.files else None
    return _skosmos(section, config, labels, around)


def _tested(source: TerminologySource, config: Config) -> TerminologySource:
    return with_test_triggers(source) if config.test_triggers else source


def _skosmos(
    section: SkosmosSection, config: Config, labels: SkosFile | None, around: Surroundings
) -> TerminologySource:
    """A Skosmos server behind breaker and cache.

    Its requests run in a loop of their own: a tree may be called from many.
    """
    # httpx takes a tenth of a second to import, and a vocabulary in a file has no use for it.
    from elysia_guard.adapters.background import BackgroundLoop
    from elysia_guard.adapters.cached import Cached
    from elysia_guard.adapters.skosmos import AsyncSkosmosClient, SkosmosService
    from elysia_guard.adapters.skosmos.redis_store import RedisStore

    service = SkosmosService(
        base_url=section.url,
        vocabularies=section.vocabularies,
        name=config.terminology.name,
        timeout_ms=section.timeout_ms,
        max_concurrency=section.max_concurrency,
        known_term=section.known_term,
        whole=section.whole,
    )
    client = AsyncSkosmosClient(service, labels=labels, clock=around.clock)
    # What it suggests comes from labels kept beside, and works while the server is away.
    guarded = Guarded(around.breaker("skosmos", section.circuit_breaker))
    source = through(client, guarded.call, "lookup", "concepts")
    lookups = Lookups(around.observe)
    store = RedisStore(section.redis) if section.redis else None
    cached = Cached(
        lookups.of(_tested(source, config)),
        ttl_s=section.cache_ttl_seconds,
        miss_ttl_s=section.cache_miss_ttl_seconds,
        max_size=section.cache_max_size,
        vocabulary=f"{section.url} {' '.join(section.vocabularies)}",
        store=store,
        on_kept=lookups.kept,
    )
    loop = BackgroundLoop()
    around.opened.callback(loop.close)
    if store:
        around.opened.callback(lambda: loop.run(store.aclose()))
    around.opened.callback(lambda: loop.run(client.aclose()))
    return through(cached, loop.call, "lookup", "concepts")


def weaviate_section(config: Config) -> WeaviateSection | None:
    """Return the Weaviate that is configured; None where a file is the index."""
    section = config.index
    return section.weaviate if section.kind == "weaviate" else None


def index_of(config: Config, embedder: Embedder, around: Surroundings) -> PassageIndex:
    """Open the file to read, or make a Weaviate's index, which is not yet asked.

    Raises:
        PassageIndexError: the file is missing, damaged, or was built with another model.
        ConfigError: the Weaviate needs a key that is not there.
    """
    if section := weaviate_section(config):
        return _weaviate_index(section, config, embedder, around)
    index = SqliteIndex.open(
        config.index.path,
        model_id=embedder.model_id,
        dimension=embedder.dimension,
        weights=weights_of(config),
        kinds=config.kinds,
    )
    around.opened.callback(index.close)
    return index


def weights_of(config: Config) -> WeightsByKind:
    """What the rankings of a search count for each kind of document, by ``thresholds.yaml``.

    Raises:
        ConfigError: the file is not usable.
    """
    section = weaviate_section(config)
    alpha = section.alpha if section else AS_EVER.alpha
    file = configuration.read_thresholds(config.thresholds)
    default, sections = file.search_weights(alpha)
    found = configuration.by_collection(
        sections, config.collection_names, config.thresholds, like=config.collections_like
    )
    return {kind: found.get(name, default) for kind, name in config.collections.items()}


@contextmanager
def store_of(config: Config, around: Surroundings) -> Iterator[IndexStore]:
    """The index as an ingest writes it; past the breaker of the questions."""
    section = weaviate_section(config)
    if section is None:
        yield SqliteStore(config.index.path, kinds=config.kinds)
        return
    from elysia_guard.adapters.weaviate_index import Connection, Names, WeaviateStore

    names = Names(passages=config.collections, prefix=section.prefix, kinds=config.kinds)
    with closing(Connection(_server(section, around))) as connection:
        yield WeaviateStore(connection, names)


def _weaviate_index(
    section: WeaviateSection, config: Config, embedder: Embedder, around: Surroundings
) -> PassageIndex:
    from elysia_guard.adapters.weaviate_index import Connection, Names, WeaviateIndex

    breaker = around.breaker("weaviate", section.circuit_breaker)
    connection = Connection(_server(section, around), breaker=breaker)
    around.opened.callback(connection.close)
    return WeaviateIndex(
        connection,
        Names(passages=config.collections, prefix=section.prefix, kinds=config.kinds),
        model_id=embedder.model_id,
        dimension=embedder.dimension,
        weights=weights_of(config),
    )


def _server(section: WeaviateSection, around: Surroundings) -> Server:
    from elysia_guard.adapters.weaviate_index import Server

    return Server(
        url=section.url,
        grpc_port=section.grpc_port,
        grpc_host=section.grpc_host,
        deadline_s=section.deadline_seconds,
        api_key=around.key("index.weaviate", section.api_key_env),
    )


def origins_of(config: Config) -> IndexOrigins:
    """Make them; to be called before the vocabulary is read.

    A Weaviate is filled from any machine: a folder of that name here need not be the same one,
    unless the configuration names it.
    """
    # Where the program lies, or the index, everything waits if the device does not answer.
    near = devices([Path(__file__), config.index.path.parent])
    served = weaviate_section(config) is not None
    documents = DocumentFiles(
        config.index.sources,
        only_trusted=served,
        otherwise=Against.STORE if served else Against.INDEX,
        near=near,
        deadline_s=config.index.file_deadline_seconds,
    )
    files = config.terminology.files
    live = skosmos_section(config) is not None or not files
    vocabulary = VocabularyFiles(files, near=near, max_bytes=config.terminology.max_bytes)
    return IndexOrigins(documents, LiveVocabulary() if live else vocabulary)


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """What of the configuration is not used, because it is the demo's and the rest is not.

    ``unnamed``: the settings say that there are no documents.
    """

    vocabulary: bool = False
    documents: bool = False
    unnamed: bool = False

    @property
    def notice(self) -> str:
        """What a person is told; empty where nothing is left out that they may miss."""
        if self.vocabulary:
            return (
                "No vocabulary is asked: the demo's is not used over documents of your own. "
                "Name yours with --vocabulary, or in guard.yaml."
            )
        if self.documents and not self.unnamed:
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
    if config.index.kind == "none":
        return LeftOut(documents=True, unnamed=True)
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
