"""The passage index: one file, or a Weaviate; as questions read it, and as an ingest writes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from elysia_guard import config as configuration
from elysia_guard.adapters.hybrid import WeighableIndex
from elysia_guard.adapters.index_store import ModelSpace
from elysia_guard.adapters.sqlite_index import SqliteIndex
from elysia_guard.adapters.sqlite_index.store import SqliteStore
from elysia_guard.config import Config, WeaviateSection
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.search_weights import AS_EVER, WeightsByKind
from elysia_guard.ports import Embedder
from elysia_guard.wiring.surroundings import Surroundings

# Weaviate's client takes most of a second to import, and a file has no use for it.
if TYPE_CHECKING:
    from elysia_guard.adapters.index_store import IndexStore
    from elysia_guard.adapters.weaviate_index import Server


def weaviate_section(config: Config) -> WeaviateSection | None:
    """Return the Weaviate that is configured; None where a file is the index."""
    section = config.index
    return section.weaviate if section.kind == "weaviate" else None


def index_of(
    config: Config,
    key: str,
    embedder: Embedder,
    around: Surroundings,
    *,
    second: ModelSpace | None = None,
) -> WeighableIndex:
    """Open the file to read, or make a Weaviate's index, which is not yet asked.

    Raises:
        PassageIndexError: the file is missing, damaged, or was built with another model.
        ConfigError: the Weaviate needs a key that is not there.
    """
    if section := weaviate_section(config):
        return _weaviate_index(section, config, key, embedder, around)
    index = SqliteIndex.open(
        config.index.path,
        model_id=embedder.model_id,
        dimension=embedder.dimension,
        second=second,
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
def store_of(config: Config, key: str) -> Iterator[IndexStore]:
    """The index as an ingest writes it; past the breaker of the questions."""
    section = weaviate_section(config)
    if section is None:
        yield SqliteStore(config.index.path, kinds=config.kinds)
        return
    from elysia_guard.adapters.weaviate_index import Connection, Names, WeaviateStore

    names = Names(passages=config.collections, prefix=section.prefix, kinds=config.kinds)
    with closing(Connection(_server(section, key))) as connection:
        yield WeaviateStore(connection, names)


def _weaviate_index(
    section: WeaviateSection, config: Config, key: str, embedder: Embedder, around: Surroundings
) -> WeighableIndex:
    from elysia_guard.adapters.weaviate_index import Connection, Names, WeaviateIndex

    breaker = around.breaker("weaviate", section.circuit_breaker)
    connection = Connection(_server(section, key), breaker=breaker)
    around.opened.callback(connection.close)
    return WeaviateIndex(
        connection,
        Names(passages=config.collections, prefix=section.prefix, kinds=config.kinds),
        model_id=embedder.model_id,
        dimension=embedder.dimension,
        weights=weights_of(config),
    )


def _server(section: WeaviateSection, key: str) -> Server:
    from elysia_guard.adapters.weaviate_index import Server

    if section.api_key_env and not key:
        raise ConfigError(
            f"index.weaviate.api_key_env: the variable {section.api_key_env} holds no key; "
            "set it before the start, or leave its name out"
        )
    return Server(
        url=section.url,
        grpc_port=section.grpc_port,
        grpc_host=section.grpc_host,
        deadline_s=section.deadline_seconds,
        api_key=key,
    )
