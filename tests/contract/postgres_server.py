"""A real PostgreSQL to test with: TEST_DATABASE_URL names a database where schemas may be made."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import URL, create_engine, make_url, text

NAMED = os.environ.get("TEST_DATABASE_URL", "")
SERVER = NAMED if NAMED.startswith("postgresql") else ""

LIVE = [
    pytest.mark.live,
    pytest.mark.enable_socket,
    pytest.mark.skipif(not SERVER, reason="TEST_DATABASE_URL names no PostgreSQL to test with"),
]


@contextmanager
def own_schema() -> Iterator[URL]:
    """The address of a schema that nobody else has; dropped at the end."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    engine = create_engine(make_url(SERVER))
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    try:
        yield make_url(SERVER).update_query_dict({"options": f"-csearch_path={name}"})
    finally:
        with engine.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
        engine.dispose()


def written_out(url: URL) -> str:
    """An address with its password, for another process."""
    return url.render_as_string(hide_password=False)
