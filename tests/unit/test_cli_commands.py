"""The commands, over a small index of our own documents."""

from __future__ import annotations

import json
import shutil
import socket
import sys
import types
from ipaddress import IPv4Address
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.domain.errors import SourceUnavailableError
from elysia_guard.edge.cli import chat, demo
from elysia_guard.edge.cli.asking import asker
from elysia_guard.edge.cli.main import cli
from elysia_guard.testing.fake_index import HashEmbedder
from elysia_guard.wiring import Wiring

ROOT = Path(__file__).parents[2]
SOME = ("decisions/0012*", "decisions/0027*", "principles/001[0-2]*", "policies/0001*")


def write_config(home: Path) -> Path:
    """Make a configuration whose knowledge is a handful of the documents that ship."""
    for pattern in SOME:
        for file in (ROOT / "data/knowledge").glob(pattern):
            target = home / "knowledge" / file.parent.name / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    settings = yaml.safe_load((ROOT / "config/guard.yaml").read_text(encoding="utf-8"))
    settings["terminology"]["files"] = [str(ROOT / "data/vocabulary/vennet.ttl")]
    limits = yaml.safe_load((ROOT / "config/thresholds.yaml").read_text(encoding="utf-8"))
    limits.pop("fitted", None)  # a toy of a model stands in for the one it was fitted on
    (home / "thresholds.yaml").write_text(yaml.safe_dump(limits), encoding="utf-8")
    settings["thresholds"] = "thresholds.yaml"
    settings["index"] |= {"path": "index.sqlite", "sources": ["knowledge"]}
    config = home / "config" / "guard.yaml"
    config.parent.mkdir()
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return config


@pytest.fixture(scope="session")
def config(tmp_path_factory):
    """A configuration with its index built, to be read only."""
    path = write_config(tmp_path_factory.mktemp("cli"))
    built = run("ingest", "--config", str(path))
    assert built.exit_code == 0, built.stderr
    return str(path)


@pytest.fixture(scope="session")
def model():
    """The bundled model, loaded once."""
    return BundledEmbedder()


@pytest.fixture(autouse=True)
def shared_model(monkeypatch, model):
    monkeypatch.setattr(Wiring, "embedder", model)


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A configuration without an index, and a toy of a model to fill one with."""
    monkeypatch.setattr(Wiring, "embedder", HashEmbedder())
    return write_config(tmp_path)


def run(*args: str, stdin: str | None = None):
    return CliRunner().invoke(cli, args, input=stdin, prog_name="elysia-guard")


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.jsonl"
    asked = [
        {"id": "term", "query": "What is CIMXML?", "gold": ["x"]},
        {"id": "bad", "query": " "},
        {"id": "number", "query": "What does 12 say?"},
        {"id": "none", "query": "ADR-9999"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in asked), encoding="utf-8")
    return path


class TestAsk:
    def test_an_answer_with_its_sources(self, config):
        result = run("ask", "What does ADR.12 say?", "--config", config)
        assert result.exit_code == 0
        assert "**ADR-0012: Use CIM as the canonical data model**" in result.stdout
        assert "[source:1]" in result.stdout
        assert "[1]  ADR-0012 Use CIM as the canonical data model · Decision" in result.stdout
        assert "decisions/0012-use-cim-as-the-canonical-data-model.md" in result.stdout

    def test_words_need_no_quotes(self, config):
        assert "CIMXML" in run("ask", "What", "is", "CIMXML", "--config", config).stdout

    def test_a_refusal_is_an_answer(self, config):
        result = run("ask", "What is FooBarBaz?", "--config", config)
        assert result.exit_code == 0
        assert "refused · terminology_not_found" in result.stdout

    def test_a_question_back(self, config):
        result = run("ask", "What does 12 say?", "--config", config)
        assert "PCP-0012" in result.stdout
        assert "asked back · terminology_ambiguous" in result.stdout

    def test_the_trace_shows_every_gate_with_its_limit(self, config):
        result = run("ask", "How long do we keep data?", "--config", config, "--trace")
        for part in ("router", "retrieval", "gates", " ms ", "measured", "confidence.min_"):
            assert part in result.stdout

    def test_json_is_the_whole_response(self, config):
        result = run("ask", "Wat is blindvermogen?", "--config", config, "--json")
        response = json.loads(result.stdout)
        assert response["route"] == "direct"
        assert response["lang"] == "nl"
        assert response["sources"]
        assert response["trace"]

    def test_one_collection_only(self, config):
        result = run(
            "ask", "Which rules are there for data?", "--kind", "policy", "--json",
            "--config", config,
        )  # fmt: skip
        sources = json.loads(result.stdout)["sources"]
        assert {source["doc_type"] for source in sources} <= {"Policy"}

    @pytest.mark.parametrize("question", ["", "   ", "?!", "word " * 1000])
    def test_what_is_no_question_is_wrong_use(self, config, question):
        result = run("ask", question, "--config", config)
        assert result.exit_code == 2
        assert "question" in result.stderr.lower()
        assert not result.stdout

    def test_a_missing_index_is_built(self, fresh):
        result = run("ask", "What does ADR-0012 say?", "--config", str(fresh))
        assert result.exit_code == 0
        assert "Building the index" in result.stderr
        assert (fresh.parents[1] / "index.sqlite").exists()

    def test_an_index_that_was_named_and_is_not_there(self, tmp_path):
        result = run("ask", "x", "--index", str(tmp_path / "none.sqlite"))
        assert result.exit_code == 3
        assert "elysia-guard ingest" in result.stderr

    def test_another_vocabulary(self, config, tmp_path):
        own = tmp_path / "own.ttl"
        own.write_text(
            "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
            '<https://x.example/gizmo> a skos:Concept ; skos:prefLabel "gizmo"@en ;\n'
            '  skos:definition "Thing that spins."@en .\n',
            encoding="utf-8",
        )
        result = run("ask", "What is a gizmo?", "--config", config, "--vocabulary", str(own))
        assert "Thing that spins." in result.stdout

    def test_a_broken_vocabulary(self, config, tmp_path):
        broken = tmp_path / "broken.ttl"
        broken.write_text("this is no turtle", encoding="utf-8")
        result = run("ask", "What is CIM?", "--config", config, "--vocabulary", str(broken))
        assert result.exit_code == 3
        assert "broken.ttl" in result.stderr

    def test_a_broken_configuration(self, tmp_path):
        broken = tmp_path / "guard.yaml"
        broken.write_text("colections: {}", encoding="utf-8")
        result = run("ask", "x", "--config", str(broken))
        assert result.exit_code == 3
        assert "colections" in result.stderr


class TestTree:
    @pytest.fixture
    def noisy_elysia(self, monkeypatch):
        """A tree that draws on standard output, as Elysia's does."""

        class TreeAsker:
            def __init__(self, wiring):
                sys.stdout.write("starting\n")
                self.direct = asker(wiring, route="direct")

            async def ask(self, question, *, request_id=None, collections=(), mode=None):
                sys.stdout.write("Current Decision\n")
                return await self.direct(question, request_id=request_id)

        stub = types.ModuleType("elysia_guard.edge.elysia")
        stub.TreeAsker = TreeAsker
        monkeypatch.setitem(sys.modules, "elysia_guard.edge.elysia", stub)

    @pytest.mark.usefixtures("noisy_elysia")
    def test_what_elysia_prints_stays_out_of_the_answers(self, config, questions):
        result = run("ask", "ADR-0012", "--route", "tree", "--json", "--config", config)
        assert json.loads(result.stdout)["sources"]
        assert "Current Decision" not in result.stderr
        result = run("ask", "--batch", str(questions), "--route", "tree", "--config", config)
        assert [json.loads(line)["id"] for line in result.stdout.splitlines()]

    @pytest.mark.usefixtures("noisy_elysia")
    def test_debug_shows_it_on_standard_error(self, config):
        result = run("ask", "ADR-0012", "--route", "tree", "--json", "--debug", "--config", config)
        assert json.loads(result.stdout)
        assert "Current Decision" in result.stderr

    @pytest.mark.usefixtures("noisy_elysia")
    def test_the_demo_goes_through_the_tree(self, config):
        result = run("demo", "--config", config)
        assert result.exit_code == 0
        for question, about in demo.QUESTIONS:
            assert f"› {question}" in result.stdout
            assert about in result.stdout
        for end in ("answered", "asked back", "refused", "1 small talk"):
            assert end in result.stdout.splitlines()[-1]
        assert "Current Decision" not in result.stdout


class TestBatch:
    def test_every_question_gets_its_row(self, config, questions, tmp_path):
        """In order; a bad question becomes an error row and the run goes on."""
        output = tmp_path / "answers.jsonl"
        result = run("ask", "--batch", str(questions), "--output", str(output), "--config", config)
        assert result.exit_code == 0
        term, bad, number, none = rows(output)
        assert term["response"]["sources"]
        assert term["input"] == {"gold": ["x"]}
        assert bad["error"]["code"] == "empty"
        assert "response" not in bad
        assert number["response"]["refusal_reason"] == "terminology_ambiguous"
        assert none["response"]["refused"]
        assert not result.stdout
        counts = "4 asked · 1 answered · 1 asked back · 1 refused · 1 not a question"
        assert counts in result.stderr

    def test_standard_input_and_output(self, config, questions):
        text = questions.read_text(encoding="utf-8")
        result = run("ask", "--batch", "-", "--config", config, stdin=text)
        assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == [
            "term",
            "bad",
            "number",
            "none",
        ]

    def test_an_interrupted_run_goes_on(self, config, questions, tmp_path, monkeypatch):
        """Stopped in the third question, torn in the second's row: the same file in the end."""
        output = tmp_path / "answers.jsonl"
        args = ("ask", "--batch", str(questions), "--output", str(output), "--config", config)
        asked: list[str] = []

        def interrupted(wiring, **options):
            ask = asker(wiring, **options)

            async def stop_at_three(question, *, request_id=None):
                asked.append(question)
                if len(asked) == 3:
                    raise KeyboardInterrupt
                return await ask(question, request_id=request_id)

            return stop_at_three

        monkeypatch.setattr("elysia_guard.edge.cli.batch.asker", interrupted)
        stopped = run(*args)
        assert stopped.exit_code == 130
        assert "2 asked" in stopped.stderr
        assert "stopped before 2 more; the same command goes on" in stopped.stderr
        assert [row["id"] for row in rows(output)] == ["term", "bad"]

        before = output.read_bytes().splitlines(keepends=True)
        output.write_bytes(before[0] + before[1][:-9])
        done = run(*args)
        assert done.exit_code == 0
        assert "the last line was cut off and is repaired" in done.stderr
        assert "1 already answered, skipped" in done.stderr
        assert [row["id"] for row in rows(output)] == ["term", "bad", "number", "none"]
        assert output.read_bytes().startswith(before[0])

        again = run(*args)
        assert again.exit_code == 0
        assert "All 4 questions have their answers" in again.stderr

    def test_what_could_not_run_ends_with_3_and_is_asked_again(
        self, config, questions, tmp_path, monkeypatch
    ):
        """One question that fails does not cost the others their answers."""
        output = tmp_path / "answers.jsonl"
        args = ("ask", "--batch", str(questions), "--output", str(output), "--config", config)

        def down(wiring, **options):
            ask = asker(wiring, **options)

            async def fail_on_terms(question, *, request_id=None):
                if "CIMXML" in question:
                    raise SourceUnavailableError("no route to Skosmos", source="skosmos")
                return await ask(question, request_id=request_id)

            return fail_on_terms

        with monkeypatch.context() as patch:
            patch.setattr("elysia_guard.edge.cli.batch.asker", down)
            first = run(*args)
        assert first.exit_code == 3
        assert len(rows(output)) == 4
        assert rows(output)[0]["error"] == {
            "code": "could_not_run",
            "message": "SourceUnavailableError: no route to Skosmos",
        }
        second = run(*args)
        assert second.exit_code == 0
        assert "1 that could not run are asked again" in second.stderr
        assert [row["id"] for row in rows(output)] == ["bad", "number", "none", "term"]

    def test_a_bad_line_stops_it_before_anything_runs(self, tmp_path):
        path = tmp_path / "q.jsonl"
        path.write_text('{"id": 1, "query": "x"}\n{"id": 1, "query": "y"}\n', encoding="utf-8")
        output = tmp_path / "a.jsonl"
        result = run("ask", "--batch", str(path), "--output", str(output))
        assert result.exit_code == 2
        assert f"{path}:2: id 1 was already used in line 1" in result.stderr
        assert not output.exists()

    def test_an_output_that_cannot_be_written(self, config, questions, tmp_path):
        output = tmp_path / "no" / "such" / "folder.jsonl"
        result = run("ask", "--batch", str(questions), "--output", str(output), "--config", config)
        assert result.exit_code == 3
        assert str(output) in result.stderr


class TestIngest:
    def test_it_says_what_it_did(self, fresh):
        first = run("ingest", "--config", str(fresh))
        assert first.exit_code == 0
        assert "holds 7 documents" in first.stdout
        assert "PCP-0010" in first.stdout
        again = run("ingest", "--config", str(fresh))
        assert "unchanged  7" in again.stdout

    def test_dry_run_writes_nothing(self, fresh):
        result = run("ingest", "--dry-run", "--config", str(fresh))
        assert "would hold 7 documents" in result.stdout
        assert not (fresh.parents[1] / "index.sqlite").exists()

    def test_json(self, fresh):
        report = json.loads(run("ingest", "--json", "--config", str(fresh)).stdout)
        assert len(report["added"]) == report["documents"] == 7
        assert report["index"] == str(fresh.parents[1] / "index.sqlite")

    def test_skipped_files_are_named_with_the_reason(self, tmp_path):
        folder = tmp_path / "docs"
        folder.mkdir()
        (folder / "0001-use-x.md").write_text("# Use x\n\nWe use x.\n", encoding="utf-8")
        (folder / "latin.md").write_bytes(b"# caf\xe9\n")
        result = run("ingest", str(folder), "--index", str(tmp_path / "i.sqlite"))
        assert result.exit_code == 0
        assert "latin.md  not UTF-8" in result.stdout

    def test_nothing_to_read(self, tmp_path):
        result = run("ingest", str(tmp_path), "--index", str(tmp_path / "i.sqlite"))
        assert result.exit_code == 3
        assert "no document to read" in result.stderr

    def test_another_index_needs_to_be_told_what_goes_in(self, tmp_path):
        result = run("ingest", "--index", str(tmp_path / "i.sqlite"))
        assert result.exit_code == 3
        assert "name the folders to ingest" in result.stderr


class TestDoctor:
    def test_everything_is_there(self, config):
        result = run("doctor", "--config", config)
        assert result.exit_code == 0
        assert "7 documents (ADR 2, DAR 1, Policy 1, Principle 3)" in result.stdout
        assert "collections.ADR_Ollama" in result.stdout
        assert result.stdout.splitlines()[-1] == "The guard can answer."

    def test_json_names_the_key_of_every_limit(self, config):
        report = json.loads(run("doctor", "--json", "--config", config).stdout)
        assert report["ready"] is True
        parts = {check["part"]: check for check in report["checks"]}
        limits = {
            (limit["collection"], limit["source"])
            for limit in parts["thresholds"]["data"]["in_force"]
        }
        assert ("ADR_Ollama", "collections.ADR_Ollama.distance_threshold") in limits
        assert ("Document_Ollama", "default.distance_threshold") in limits
        assert parts["vocabulary"]["data"]["concepts"] > 200
        assert parts["embedder"]["data"]["dimension"] == 512

    def test_the_weights_in_force_are_told(self, config):
        """Of the search, of confidence, and of a judge, where one is calibrated."""
        report = json.loads(run("doctor", "--json", "--config", config).stdout)
        (weights,) = (check for check in report["checks"] if check["part"] == "weights")
        in_force = weights["data"]["in_force"]
        file = yaml.safe_load((ROOT / "config" / "thresholds.yaml").read_text("utf-8"))
        assert in_force["search ADR_Ollama"] == {"alpha": 0.5, "title": 1.0, "section": 1.0}
        assert in_force["matter"] == file["matter"]
        counted = {name: value for name, value in file["default"]["calibration"].items() if value}
        assert in_force["calibration"] == counted
        assert "judge" not in in_force
        assert "judge: none calibrated" in weights["text"]

    def test_no_index(self, fresh):
        result = run("doctor", "--config", str(fresh))
        assert result.exit_code == 3
        assert "missing" in result.stdout
        assert "run: elysia-guard ingest" in result.stdout
        assert "the guard cannot answer: index" in result.stderr

    def test_an_index_behind_its_documents(self, fresh):
        run("ingest", "--config", str(fresh))
        policy = next((fresh.parents[1] / "knowledge/policies").iterdir())
        policy.write_text(policy.read_text(encoding="utf-8") + "\nOne more.\n", encoding="utf-8")
        result = run("doctor", "--config", str(fresh))
        assert result.exit_code == 0
        assert "1 documents have changed since: elysia-guard ingest" in result.stdout

    def test_no_index_at_all_in_the_file(self, config, tmp_path):
        damaged = tmp_path / "i.sqlite"
        damaged.write_bytes(b"no database")
        result = run("doctor", "--config", config, "--index", str(damaged))
        assert result.exit_code == 3
        assert "✗  index" in result.stdout

    def test_a_vocabulary_that_does_not_parse(self, config, tmp_path):
        broken = tmp_path / "broken.ttl"
        broken.write_text("this is no turtle", encoding="utf-8")
        result = run("doctor", "--config", config, "--vocabulary", str(broken))
        assert result.exit_code == 3
        assert "✗  vocabulary" in result.stdout
        assert "broken.ttl" in result.stdout

    def test_a_configuration_that_cannot_be_used(self, tmp_path):
        """The parts that need none are still looked at."""
        broken = tmp_path / "guard.yaml"
        broken.write_text("colections: {}", encoding="utf-8")
        result = run("doctor", "--config", str(broken))
        assert result.exit_code == 3
        assert "✗  configuration" in result.stdout
        assert "colections" in result.stdout
        assert "elysia-ai" in result.stdout

    def test_names_are_shown_and_values_are_not(self, config, tmp_path, monkeypatch):
        """Also those of a .env file in this folder, which Elysia reads."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / ".env").write_text("export WCD_URL=https://secret-host\nWCD_API_KEY=s3cret\n")
        for name in ("BASE_MODEL", "BASE_PROVIDER", "COMPLEX_MODEL", "COMPLEX_PROVIDER"):
            monkeypatch.setenv(name, "secret-model")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        result = run("doctor", "--config", config)
        assert "set: BASE_MODEL, BASE_PROVIDER, COMPLEX_MODEL, COMPLEX_PROVIDER" in result.stdout
        assert "OPENAI_API_KEY" in result.stdout
        assert "set: WCD_URL, WCD_API_KEY" in result.stdout
        assert "secret" not in result.stdout.replace(str(tmp_path), "")

    def test_half_a_model_is_no_model(self, config, monkeypatch):
        """Elysia needs all four names."""
        monkeypatch.setenv("BASE_MODEL", "x")
        result = run("doctor", "--config", config)
        assert "not set: BASE_PROVIDER, COMPLEX_MODEL, COMPLEX_PROVIDER" in result.stdout


class TestChat:
    @pytest.fixture
    def served(self, monkeypatch):
        """A web app that is up at once, and stopped at once."""
        calls: list[dict] = []

        def serve(wiring, *, host, port, ready):
            calls.append({"wiring": wiring, "host": host, "port": port})
            sys.stdout.write("Elysia says hello\n")
            ready(f"http://{host}:{port}")

        stub = types.ModuleType("elysia_guard.edge.elysia.webapp")
        stub.serve = serve
        monkeypatch.setitem(sys.modules, "elysia_guard.edge.elysia", types.ModuleType("x"))
        monkeypatch.setitem(sys.modules, "elysia_guard.edge.elysia.webapp", stub)
        return calls

    def test_it_serves_and_prints_the_address(self, config, served, free_port):
        """And nothing else on standard output, where a script may read it."""
        result = run("chat", "--port", str(free_port), "--config", config)
        assert result.exit_code == 0
        assert result.stdout == f"The chat is at http://127.0.0.1:{free_port} (Ctrl-C stops it)\n"
        assert served[0]["host"] == "127.0.0.1"
        assert served[0]["port"] == free_port

    def test_the_next_free_port(self, config, served, free_port, monkeypatch):
        monkeypatch.setattr(chat, "FIRST_PORT", free_port)
        with socket.create_server(("127.0.0.1", free_port)):
            run("chat", "--config", config)
        assert served[0]["port"] > free_port

    def test_a_named_port_that_is_taken(self, config, served, free_port):
        with socket.create_server(("127.0.0.1", free_port)):
            result = run("chat", "--port", str(free_port), "--config", config)
        assert result.exit_code == 3
        assert "leave --port away" in result.stderr
        assert not served

    def test_where_a_browser_here_finds_it(self, config, served, free_port):
        result = run(
            "chat", "--host", str(IPv4Address(0)), "--port", str(free_port), "--config", config
        )
        assert f"http://127.0.0.1:{free_port}" in result.stdout

    @pytest.fixture
    def free_port(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            return probe.getsockname()[1]

    @pytest.mark.usefixtures("served")
    def test_the_browser_opens_when_asked_for(self, config, free_port, monkeypatch):
        opened: list[str] = []
        monkeypatch.setattr("webbrowser.open", opened.append)
        run("chat", "--port", str(free_port), "--config", config)
        assert not opened
        run("chat", "--port", str(free_port), "--open", "--config", config)
        assert opened == [f"http://127.0.0.1:{free_port}"]
