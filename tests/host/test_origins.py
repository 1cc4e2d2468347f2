"""Through the tree too, an answer is held against its sources as they are now."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.host.runs import assert_well_formed, run

from elysia_guard.config import home
from elysia_guard.edge.elysia import GuardedTree
from elysia_guard.edge.elysia.host import Settings
from elysia_guard.wiring import Wiring

pytestmark = pytest.mark.usefixtures("any_model", "socket_disabled")

DECISION = "# ADR-0027: Encrypt\n\n## Decision outcome\n\nConnections are encrypted with TLS 1.3.\n"


async def test_a6_the_tree_tells_of_a_changed_file_before_it_answers(
    tmp_path: Path, user_settings: Settings
) -> None:
    """In the chat a changed file is told first, and what it no longer says is not shown."""
    file = tmp_path / "handbook" / "decisions" / "0027-encrypt.md"
    file.parent.mkdir(parents=True)
    file.write_text(DECISION, encoding="utf-8")
    parts = Wiring.load(
        index=tmp_path / "index.sqlite", vocabulary=home() / "data" / "vocabulary" / "vennet.ttl"
    )
    await parts.fill_index([tmp_path / "handbook"])
    file.write_text(f"{DECISION}\nKeys rotate.\n", encoding="utf-8")
    told = await run(
        GuardedTree(wiring=parts, settings=user_settings), "What does ADR-0027 decide?"
    )
    assert_well_formed(told)
    assert told.texts[0].startswith("\u26a0 ADR-0027 changed after the index was filled.")
    assert "TLS 1.3" in told.texts[0]
    file.unlink()
    gone = await run(
        GuardedTree(wiring=parts, settings=user_settings), "What does ADR-0027 decide?"
    )
    assert gone.steps == ["guarded_search"]
    assert gone.reply
    assert gone.reply.refusal_reason == "unverified_answer"
    assert "TLS 1.3" not in "".join(gone.texts)
    parts.close()
