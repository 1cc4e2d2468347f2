"""Measure a language model that plans and points, by answers that were recorded, or by a script.

    python -m scripts.lab pointing                         the recorded reader, over ESA
    python -m scripts.lab pointing --reader denying        a model by script, once it is believed
    python -m scripts.lab pointing --url http://127.0.0.1:11434 --model qwen2.5:7b
    python -m scripts.lab pointing --prompts build/prompts --documents DIR --questions FILE

Prompts that nobody has answered are counted, and written to the folder of ``--prompts``, one a
file; whoever answers one sees it alone, and puts the JSON beside it under the same name with
``.json``. Run again with ``--collect`` it keeps those answers first, by the hash of their prompts.

Exit codes: 0 done, 2 wrong use, 3 could not run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from scripts.lab.corpora import COULD_NOT_RUN, DONE, QUESTIONS, ROOT, write_json

from elysia_guard import Guard, RAGResponse
from elysia_guard import config as configuration
from elysia_guard.adapters.models.vetting import ANSWERED, RIGHT, UNANSWERED
from elysia_guard.config import BreakerSection, Config
from elysia_guard.evaluation.retrieval_set import read_lines
from elysia_guard.language.text import words
from elysia_guard.wiring import Wiring

ASKED = QUESTIONS / "pointing_esa.jsonl"
RECORDED = QUESTIONS / "pointing_esa.answers.json"
ESA = [ROOT.parent / "shared" / "corpus" / "esa" / name for name in ("decisions", "principles")]
RUN = 10
"""Words in a row of a unit that tell that it is shown."""
PASSED = {
    ANSWERED: {"missing": "", "verdict": "answers", "units": [RIGHT]},
    UNANSWERED: {"missing": "all", "verdict": "no", "units": []},
}
READERS: Mapping[str, dict[str, Any]] = {
    "lazy": {"missing": "", "verdict": "answers", "units": [1]},
    "denying": {"missing": "all", "verdict": "no", "units": []},
    "beyond": {"missing": "", "verdict": "answers", "units": [10_000, 0, -1]},
}
"""Readers by script, by their answer to every question of people."""
Kind = Literal[
    *("plain", "other_words", "other_language", "misspelt"),
    *("two_documents", "false_premise", "near_miss"),
]


class Unit(BaseModel):
    """A place that answers: file, heading and the words of the item there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: str
    heading: str
    text: Annotated[str, Field(min_length=1)]


class Case(BaseModel):
    """A question, written by somebody who knew no rules, and where it is answered."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    query: str
    kind: Kind
    need: Literal["any", "all"]
    units: tuple[Unit, ...]
    split: Literal["work", "held"] = "work"


@dataclass
class Recorder:
    """Answers prompts from a file by their hash, or by a script; what it cannot answer it keeps."""

    answers: dict[str, str]
    script: dict[str, Any] | None = None
    unanswered: dict[str, str] = field(default_factory=dict)
    calls: int = 0

    def said(self, messages: Sequence[Mapping[str, str]]) -> str | None:
        """Return what is said to some messages; None where nobody has answered them."""
        told = json.dumps(messages, ensure_ascii=False, sort_keys=True)
        key = hashlib.sha256(told.encode()).hexdigest()[:16]
        self.calls += 1
        data = json.loads(messages[1]["content"])
        if data["question"] in PASSED:
            return json.dumps(PASSED[data["question"]])
        if self.script is not None:
            plan = {"question": data["question"], "searches": [], "documents": [], "terms": []}
            return json.dumps(plan if "catalogue" in data else self.script)
        if key not in self.answers:
            self.unanswered[key] = "\n\n=====\n\n".join(each["content"] for each in messages)
        return self.answers.get(key)

    def serving(self) -> ThreadingHTTPServer:
        """Listen on loopback, as a server of OpenAI's chat completions."""
        said = self.said

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                text = said(json.loads(self.rfile.read(length))["messages"])
                message = {"role": "assistant", "content": text}
                body = json.dumps({"choices": [{"message": message}]}).encode()
                self.send_response(200 if text else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def handle(self) -> None:
                """Answer until whoever asks goes away."""
                with suppress(ConnectionError):
                    super().handle()

            def log_message(self, *_args: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server


def is_right(case: Case, reply: RAGResponse) -> bool:
    """Tell whether what answers is shown; of what nothing answers, whether it is refused.

    A false premise is also met by a refusal.
    """
    answered = reply.outcome in {"asserted", "hedged"}
    if case.kind == "near_miss":
        return not answered
    if case.kind == "false_premise" and not answered:
        return True
    shown = f" {' '.join(words(reply.answer))} "
    found = [_stands(unit.text, shown) for unit in case.units]
    return answered and (all(found) if case.need == "all" else any(found))


def _stands(text: str, shown: str) -> bool:
    said = words(text)
    runs = (said[at : at + RUN] for at in range(0, max(1, len(said) - RUN + 1), 2))
    return any(f" {' '.join(run)} " in shown for run in runs)


def report(cases: Sequence[Case], replies: Sequence[RAGResponse]) -> dict[str, dict[str, int]]:
    """Count by kind of question, and of all of them."""
    counted: dict[str, Counter[str]] = {}
    for case, reply in zip(cases, replies, strict=True):
        for name in ("all", case.kind):
            told = counted.setdefault(name, Counter())
            told.update({"asked": 1, "right": is_right(case, reply), str(reply.outcome): 1})
    return {name: dict(told) for name, told in counted.items()}


def asked(cases: Sequence[Case], config: Config) -> list[RAGResponse]:
    """Ask by the direct route; questions that fail count as the rules answer them."""
    wiring = Wiring(config)
    try:
        wiring.ensure_index()
        guard = Guard(wiring=wiring)
        return [guard.ask(case.query) for case in cases]
    finally:
        wiring.close()


def main() -> int:
    """Ask without a model and with one, and print what became of the questions."""
    options = _options().parse_args()
    options.documents = options.documents or ESA
    if missing := next((path for path in options.documents if not path.is_dir()), None):
        print(f"error: {missing} is no folder of documents; name one with --documents")
        return COULD_NOT_RUN
    cases = [
        case for case in read_lines(options.questions, Case) if options.held or case.split == "work"
    ]
    recorder = Recorder(_answers(options), READERS.get(options.reader))
    with tempfile.TemporaryDirectory() as folder, recorder.serving() as server:
        alone = _config(options, Path(folder), use="none")
        url = options.url or f"http://127.0.0.1:{server.server_address[1]}"
        model = _config(options, Path(folder), url=url, model=options.model)
        figures = {
            "rules alone": report(cases, asked(cases, alone)),
            options.model: report(cases, asked(cases, model)),
        }
        server.shutdown()
    for name, counted in figures.items():
        print(f"{name}\n" + "\n".join(f"  {kind:15} {_told(n)}" for kind, n in counted.items()))
    print(f"calls: {recorder.calls}; prompts without an answer: {len(recorder.unanswered)}")
    _keep(options, recorder)
    write_json(figures, options.json)
    return DONE


def _told(counted: Mapping[str, int]) -> str:
    others = {name: n for name, n in counted.items() if name not in {"asked", "right"}}
    return f"{counted['right']} of {counted['asked']} right; {others}"


def _answers(options: argparse.Namespace) -> dict[str, str]:
    """Return what was recorded, with what has come since where it is to be kept."""
    kept = json.loads(options.answers.read_text("utf-8")) if options.answers.is_file() else {}
    if options.collect and options.prompts:
        came = {path.stem: path.read_text("utf-8") for path in options.prompts.glob("*.json")}
        kept = dict(sorted((kept | came).items()))
        options.answers.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")
        print(f"{len(came)} answer(s) collected into {options.answers}")
    return kept


def _keep(options: argparse.Namespace, recorder: Recorder) -> None:
    """Write the prompts that wait for an answer."""
    if not options.prompts:
        return
    options.prompts.mkdir(parents=True, exist_ok=True)
    for key, prompt in recorder.unanswered.items():
        (options.prompts / f"{key}.txt").write_text(prompt, "utf-8")


def _config(options: argparse.Namespace, folder: Path, **llm: str) -> Config:
    base = configuration.load(configuration.home() / "config" / "guard.yaml", environ={})
    config = base.naming(
        "index", kind="sqlite", path=folder / "index.sqlite", sources=options.documents
    )
    config = config.naming("terminology", kind="skos_file", files=[], skosmos=None)
    breakers = config.circuit_breaker.model_copy(
        update={"llm": BreakerSection(failure_threshold=1_000_000)}
    )
    chosen = {"llm": config.llm.model_copy(update=llm), "circuit_breaker": breakers}
    return config.model_copy(update={**chosen, "log_level": "ERROR"})


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add: Callable[..., Any] = parser.add_argument
    add("--questions", type=Path, default=ASKED, metavar="FILE", help="JSON lines")
    add("--documents", type=Path, action="append", metavar="DIR", help="may be given again")
    add("--answers", type=Path, default=RECORDED, metavar="FILE", help="recorded, by prompt")
    add("--reader", choices=("recorded", *READERS), default="recorded")
    add("--url", default="", help="ask this server in place of what was recorded")
    add("--model", default="recorded")
    add("--held", action="store_true", help="ask the half too that is held out")
    add("--prompts", type=Path, metavar="DIR", help="write prompts without an answer there")
    add("--collect", action="store_true", help="keep the answers that stand beside them")
    add("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser
