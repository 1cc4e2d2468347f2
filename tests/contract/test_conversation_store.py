"""One contract for every store of conversations: the fake, and an SQLite file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from elysia_guard.adapters.conversations import SqlConversations
from elysia_guard.ports import ConversationStore
from elysia_guard.testing.conversations_contract import ConversationStoreContract
from elysia_guard.testing.fake_conversations import MemoryConversations

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
PAYLOADS = st.lists(st.dictionaries(st.text(max_size=8), _JSON, max_size=4), max_size=4)


class TestC6Memory(ConversationStoreContract):
    """C6: the fake keeps conversations as the file does."""

    @contextmanager
    def opened(self) -> Iterator[ConversationStore]:
        yield MemoryConversations()


class TestC6SqliteFile(ConversationStoreContract):
    """C6: what is kept in a file comes back as it was."""

    @contextmanager
    def opened(self) -> Iterator[ConversationStore]:
        with TemporaryDirectory() as folder:
            store = SqlConversations.in_file(Path(folder) / "c.sqlite", deadline_s=60)
            yield store
            store.close()


@given(payloads=PAYLOADS)
def test_c6_whatever_was_shown_is_shown_again(payloads: list[dict[str, Any]]) -> None:
    """Any answer that the chat has shown comes back from the file as it was."""
    TestC6SqliteFile().comes_back(*payloads)
