"""Single objects and collections of a Weaviate: is it there, fetch, write, delete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from elysia_guard.adapters.weaviate_index.schema import Names
from elysia_guard.domain.document import DocumentKind
from elysia_guard.domain.errors import PassageIndexError, SourceUnavailableError

if TYPE_CHECKING:
    from weaviate import WeaviateAsyncClient

AT_A_TIME = 200


async def fetched(
    client: WeaviateAsyncClient, collection: str, id_: UUID, fields: Sequence[str]
) -> dict[str, Any] | None:
    """Fetch some properties of one object; None if it is not there."""
    # Its annotation does not tell that it may be None.
    found: Any = await client.collections.use(collection).query.fetch_object_by_id(
        id_, return_properties=list(fields)
    )
    return {name: found.properties[name] for name in fields} if found else None


async def is_there(client: WeaviateAsyncClient, names: Names, kind: DocumentKind) -> bool:
    """Tell whether the collection of a kind is there; it must be of this index's making.

    Raises:
        PassageIndexError: it is somebody else's, or another index's.
    """
    name = names.passages[kind]
    if not await client.collections.exists(name):
        return False
    if not await is_ours(client, names, name):
        raise PassageIndexError(
            f"the collection {name} in Weaviate was not made by this index; give another name "
            f"under collections.{kind.value} in guard.yaml"
        )
    return True


async def is_ours(client: WeaviateAsyncClient, names: Names, name: str) -> bool:
    """Tell whether a collection is there, and is of this index's making."""
    if not await client.collections.exists(name):
        return False
    config = await client.collections.use(name).config.get(simple=True)
    return name in names.beside or (config.description or "").endswith(names.mark)


async def upsert(
    client: WeaviateAsyncClient, name: str, id_: UUID, values: Mapping[str, Any]
) -> None:
    """Write an object, whether it is there or not, in one request."""
    from weaviate.classes.data import DataObject

    await insert(client, name, [DataObject(properties=dict(values), uuid=id_)])


async def insert(client: WeaviateAsyncClient, name: str, objects: Sequence[Any]) -> None:
    """Write objects; those that are there are replaced."""
    collection = client.collections.use(name)
    for part in parts(objects):
        done = await collection.data.insert_many(part)
        if done.has_errors:
            raise SourceUnavailableError(
                f"Weaviate did not take {len(done.errors)} of {len(part)} objects", source="index"
            )


async def delete(client: WeaviateAsyncClient, name: str, ids: Sequence[UUID]) -> None:
    """Delete objects by their ids."""
    from weaviate.classes.query import Filter

    for part in parts(ids):
        await client.collections.use(name).data.delete_many(Filter.by_id().contains_any(part))


def parts(items: Sequence[Any]) -> Iterator[list[Any]]:
    """Cut a list into what one request takes."""
    for start in range(0, len(items), AT_A_TIME):
        yield list(items[start : start + AT_A_TIME])
