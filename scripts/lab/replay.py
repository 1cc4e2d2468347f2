"""Record some 500 calls from outside, and hold a later version of the program against them.

    python -m scripts.lab.replay --record build/calls.json
    python -m scripts.lab.replay --against build/calls.json

Asked are both routes, dialogues, the command line, HTTP, and the schema of
responses. Ids, times and folders are left out. Exit code 1: something differs.
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elysia_guard import Conversation, Guard

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = ROOT / "data" / "evaluation"
DIRECT, TREE, DIALOGUES = 220, 90, 30
"""How many questions of the golden set on each route, and how many dialogues of the demo."""
MOVING = (
    (re.compile(r"req-[0-9a-f]{12}"), "req-ID"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(ms|MB|s)\b"), r"N \1"),
    (re.compile(r'"(\w+_ms|created|pid|uptime_s|bytes)": [0-9.]+'), r'"\1": 0'),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.+Z]+"), "MOMENT"),
    (re.compile(re.escape(str(ROOT))), "ROOT"),
)
COMMANDS = """
--help
--version
nonsense
ask --help
chat --help
conversations --help
demo --help
doctor --help
explain --help
feedback --help
ingest --help
init --help
log --help
mcp --help
metrics --help
tune --help
vocab --help
vocab check --help
vocab list --help
vocab load --help
vocab search --help
vocab show --help
log list --help
demo
doctor --json
vocab list
vocab search transformer
vocab show CIMXML
vocab check
vocab show nothing-of-the-kind
ask --json What_is_CIMXML?
ask --trace What_does_ADR-0050_decide?
ask What_does_ADR-0016_decide?
ask --route tree Who_approved_ADR-0012?
ask --kind policy How_long_do_we_keep_meter_readings?
ask --kind nothing What_is_CIM?
ask --config nowhere.yaml What_is_CIM?
ask --index nowhere/none.sqlite What_is_CIM?
ask --vocabulary nowhere.ttl What_is_CIM?
log list
log rates
explain --last
explain req-000000000000
feedback req-000000000000 --right
metrics --url http://127.0.0.1:9
ingest nowhere
init ROOT/README.md
tune --golden nowhere.jsonl
"""
PATHS = """
GET /metrics
GET /guard/ready
GET /guard/nothing
GET /openapi.json
POST /guard/ask {}
POST /guard/ask {"question":""}
POST /guard/ask {"question":"What is CIMXML?"}
POST /guard/ask {"question":"Who approved ADR-0012?","conversation_id":"one"}
POST /guard/ask {"question":"and ADR-0016?","conversation_id":"one"}
POST /guard/ask {"question":"x","mode":"odd"}
POST /guard/ask {"question":"Which policies are there?","collections":["Policy_Ollama"]}
POST /guard/ask {"question":"What is CIM?","collections":["none of these"]}
PUT /guard/ask {}
"""


def recorded(golden: Path) -> dict[str, Any]:
    """Return what every call said, by the name of the call."""
    calls: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        home = {
            "HOME": folder,
            "XDG_DATA_HOME": folder,
            "XDG_CACHE_HOME": folder,
            "XDG_CONFIG_HOME": folder,
        }
        os.environ |= home | {
            "NO_COLOR": "1",
            "COLUMNS": "100",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }
        for name, each in [
            *_routes(golden),
            *_dialogues(),
            *_over_http(),
            *_command_line(folder),
            *_names(),
        ]:
            calls[name] = _still(each, folder)
    return calls


def _still(said: object, folder: str) -> object:
    text = json.dumps(said, ensure_ascii=False, sort_keys=True, default=str).replace(folder, "HOME")
    for moving, still in MOVING:
        text = moving.sub(still, text)
    return json.loads(text)


def _chosen(lines: list[str], many: int) -> list[dict[str, Any]]:
    step = max(1, len(lines) // many)
    return [json.loads(line) for line in lines[::step][:many]]


def _shown(reply: Any) -> dict[str, Any]:
    told: dict[str, Any] = reply.to_dict()
    for moving in ("request_id", "trace"):
        told.pop(moving, None)
    return told


def _routes(golden: Path) -> Iterator[tuple[str, Any]]:
    from elysia_guard import GuardedTree

    lines = golden.read_text(encoding="utf-8").splitlines()
    guard = Guard()
    for each in _progress("direct", _chosen(lines, DIRECT)):
        yield f"direct {each['query']}", _shown(guard.ask(each["query"]))
    for each in _progress("tree", _chosen(lines[3:], TREE)):
        tree = GuardedTree()
        text, _ = tree(each["query"])
        yield f"tree {each['query']}", text


def _dialogues() -> Iterator[tuple[str, Any]]:
    lines = (QUESTIONS / "dialogues.jsonl").read_text(encoding="utf-8").splitlines()
    demo = [line for line in lines if json.loads(line)["corpus"] == "demo"]
    guard = Guard()
    for each in _progress("dialogues", _chosen(demo, DIALOGUES)):
        talk = Conversation()
        for at, turn in enumerate(each["turns"]):
            try:
                said: Any = _shown(guard.ask(turn["typed"], conversation=talk))
            except Exception as err:  # noqa: BLE001  what it raises is what is recorded
                said = repr(err)
            yield f"dialogue {each['id']}.{at} {turn['typed']}", said


def _over_http() -> Iterator[tuple[str, Any]]:
    import httpx

    from elysia_guard.edge.elysia.webapp.app import create_app
    from elysia_guard.wiring import Wiring

    app = create_app(Wiring.load())

    async def called(method: str, path: str, body: str) -> Any:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as web:
            headers = {"content-type": "application/json"}
            told = await web.request(method, path, content=body or None, headers=headers)
        try:
            said = told.json()
        except ValueError:
            said = sorted(set(re.findall(r"^# .*$", told.text, re.M))) or told.text[:2000]
        if isinstance(said, dict):
            said.pop("trace", None)
            said.pop("request_id", None)
        return {"status": told.status_code, "said": said}

    for line in _progress("http", _entries(PATHS)):
        method, path, body = [*line.split(" ", 2), ""][:3]
        yield f"http {line}", asyncio.run(called(method, path, body))


def _command_line(folder: str) -> Iterator[tuple[str, Any]]:
    program = Path(sys.executable).with_name("elysia-guard")
    for line in _progress("commands", _entries(COMMANDS)):
        words = [word.replace("_", " ").replace("ROOT", str(ROOT)) for word in line.split()]
        ran = subprocess.run(
            [program, *words],
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=180,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        out: Any = json.loads(ran.stdout) if ran.stdout.startswith("{") else ran.stdout
        yield f"$ {line}", {"code": ran.returncode, "out": out, "err": ran.stderr}


def _names() -> Iterator[tuple[str, Any]]:
    from elysia_guard.edge.response_schema import response_schema

    yield "schema of responses", response_schema()


def _entries(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def _progress(name: str, items: list[Any]) -> Iterator[Any]:
    from tqdm import tqdm

    yield from tqdm(items, desc=name, disable=not sys.stderr.isatty())


def compared(old: dict[str, Any], new: dict[str, Any]) -> int:
    """Print what differs, call by call; return how many do."""
    differ = 0
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) == new.get(name):
            continue
        differ += 1
        print(f"## {name}")
        lines = [
            json.dumps(each.get(name), indent=1, ensure_ascii=False, sort_keys=True).splitlines()
            for each in (old, new)
        ]
        changed = list(difflib.unified_diff(*lines, n=0, lineterm=""))[2:32]
        print("\n".join(line[:300] for line in changed))
    print(f"{len(new)} calls, {differ} of {len(old)} differ")
    return differ


def main() -> int:
    """Record, or compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--record", type=Path, metavar="FILE", help="where the answers go")
    what.add_argument("--against", type=Path, metavar="FILE", help="an earlier recording")
    parser.add_argument("--golden", type=Path, default=QUESTIONS / "golden_queries.jsonl")
    asked = parser.parse_args()
    calls = recorded(asked.golden)
    if asked.against:
        return int(compared(json.loads(asked.against.read_text(encoding="utf-8")), calls) > 0)
    asked.record.parent.mkdir(parents=True, exist_ok=True)
    asked.record.write_text(json.dumps(calls, indent=1, ensure_ascii=False), encoding="utf-8")
    print(f"{len(calls)} calls recorded in {asked.record}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
