"""How large documents and passages are: what is measured, and what stands out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner
from tests.unit.small_world import COLLECTIONS, DECISION, POLICY, document

from elysia_guard.domain.document import Passage, SectionRole
from elysia_guard.edge.cli.main import cli
from elysia_guard.evaluation.sizes import SHORT, Sizes, SizeSpread, sizes
from elysia_guard.testing.fake_index import FakeIndex, HashEmbedder

SAID = "The owner checks the class of the data every twenty-four months."
ROLE = SectionRole.SUBSTANCE


def measured(*passages: Passage, limit: int = 1_200) -> Sequence[Sizes]:
    async def asked() -> Sequence[Sizes]:
        return await sizes(FakeIndex(passages, HashEmbedder()), COLLECTIONS, limit=limit)

    return asyncio.run(asked())


def test_each_collection_is_measured_by_itself() -> None:
    """Documents by all of their passages together; one without documents is left out."""
    found = measured(
        *document(DECISION, 1, "One", (ROLE, "x" * 100), (ROLE, "y" * 300)),
        *document(POLICY, 1, "Two", (ROLE, "z" * 50)),
    )
    assert [each.collection for each in found] == ["ADR_Ollama", "Policy_Ollama"]
    adr = found[0]
    assert adr.documents == SizeSpread(count=1, least=400, median=400, p95=400, most=400)
    assert adr.passages == SizeSpread(count=2, least=100, median=100, p95=300, most=300)


def test_what_stands_out_is_named() -> None:
    """The limit itself is not beyond it."""
    (found,) = measured(
        *document(DECISION, 1, "One", (ROLE, "x" * 200), (ROLE, "y" * 201), (ROLE, "z" * 39)),
        *document(DECISION, 2, "Two", *((ROLE, str(n) * 100) for n in range(10, 36))),
        limit=200,
    )
    assert found.long[0] == "ADR-0001#1"
    assert found.short == ("ADR-0001#2",)
    assert found.large == ("ADR-0002",)
    assert len("z" * 39) < SHORT


def ingest(folder: Path, *options: str) -> str:
    place = str(folder.parent / "index.sqlite")
    result = CliRunner().invoke(cli, ["ingest", str(folder), "--index", place, *options])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_an_ingest_reports_what_the_index_holds_then(tmp_path: Path) -> None:
    """Also after the documents have changed; without the option nothing is said of it."""
    folder = tmp_path / "decisions"
    folder.mkdir()
    (folder / "0001-use-x.md").write_text(f"# Use x\n\n{SAID}\n", encoding="utf-8")
    assert "Sizes" not in ingest(folder)
    assert f"1: {len(SAID)} to {len(SAID)} characters" in ingest(folder, "--report")
    (folder / "0002-use-y.md").write_text(f"# Use y\n\n{SAID}\n", encoding="utf-8")
    (told,) = json.loads(ingest(folder, "--report", "--json"))["sizes"]
    assert told["documents"]["count"] == 2
    assert told["duplicates"] == ["ADR-0002#000"]
