"""The experiment that measures a model which points: recorded, by script, and without answers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from scripts.lab import pointing

WORDS = "Keys are rotated every twelve months by the security team, and never by anybody else."
OTHER = "When do our secrets have to be exchanged for fresh ones?"


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The options for two questions over a folder of one document."""
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "keys.md").write_text(f"# Keys\n\n## Rules\n\n{WORDS}\n", encoding="utf-8")
    unit = {"file": "keys.md", "heading": "Rules", "text": WORDS}
    rows = [
        {"id": "1", "query": OTHER, "kind": "other_words", "need": "any", "units": [unit]},
        {"id": "2", "query": "Who paints keys?", "kind": "near_miss", "need": "any", "units": []},
    ]
    asked = tmp_path / "asked.jsonl"
    asked.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return [
        *("--documents", str(folder), "--questions", str(asked)),
        *("--answers", str(tmp_path / "answers.json"), "--json", str(tmp_path / "told.json")),
        *("--prompts", str(tmp_path / "prompts")),
    ]


def run(lab: list[str], monkeypatch: pytest.MonkeyPatch, *more: str) -> dict[str, dict[str, int]]:
    monkeypatch.setattr(sys, "argv", ["pointing", *lab, *more])
    assert pointing.main() == 0
    told = json.loads(Path(lab[lab.index("--json") + 1]).read_text(encoding="utf-8"))
    return {name: counted["all"] for name, counted in told.items()}


def test_prompts_are_written_answered_and_kept(
    lab: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the plans wait for an answer, then the pointings; once all are there it is measured."""
    prompts = tmp_path / "prompts"
    first = run(lab, monkeypatch)
    assert first["recorded"]["right"] == first["rules alone"]["right"] == 1
    for _ in range(2):
        for path in prompts.glob("*.txt"):
            data = json.loads(path.read_text(encoding="utf-8").rpartition("=====")[2])
            plan = {"question": OTHER, "searches": ["key rotation"], "documents": [1], "terms": []}
            found = data["question"] == OTHER
            point = {"missing": "", "verdict": "answers" if found else "no"}
            said = plan if "catalogue" in data else point | {"units": [1] if found else []}
            path.with_suffix(".json").write_text(json.dumps(said), encoding="utf-8")
        run(lab, monkeypatch, "--collect")
    assert run(lab, monkeypatch)["recorded"]["right"] == 2


@pytest.mark.parametrize(("reader", "right"), [("beyond", 1), ("denying", 1), ("lazy", 1)])
def test_readers_by_script(
    lab: list[str], monkeypatch: pytest.MonkeyPatch, reader: str, right: int
) -> None:
    counted = run(lab, monkeypatch, "--reader", reader)["recorded"]
    assert counted["asked"] == 2
    assert counted["right"] == right


def test_a_folder_that_is_not_there(lab: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pointing", "--documents", "nowhere"])
    assert pointing.main() == 3
