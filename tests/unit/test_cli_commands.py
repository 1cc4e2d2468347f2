"""The commands, over a small index of our own documents."""

from __future__ import annotations

import json
import shutil
import socket
import sys
import types
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.edge.cli import demo
from elysia_guard.edge.cli.asking import beginner
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


class TestAsk:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["What does ADR.12 say?"], "**ADR-0012: Use CIM as the canonical data model**"),
            (["What does ADR.12 say?"], "[source:1]"),
            (["ADR.12"], "[1]  ADR-0012 Use CIM as the canonical data model · Decision"),
            (["ADR.12"], "decisions/0012-use-cim-as-the-canonical-data-model.md"),
            (["What", "is", "CIMXML"], "CIMXML"),
            (["What is FooBarBaz?"], "\u2717 Not answered · the vocabulary does not tell it\n"),
            (["What does 12 say?"], "? A question back · more than one thing may be meant\n"),
            (["How long do we keep data?", "--trace"], "confidence.min_"),
            (["How long do we keep data?", "--trace"], "measured"),
        ],
    )
    def test_each_ending_is_a_reply(self, config, words, said):
        """With its sources, also a refusal and a question back; the trace has every limit."""
        result = run("ask", *words, "--config", config)
        assert result.exit_code == 0
        assert said in result.stdout

    def test_json_is_the_whole_response(self, config):
        result = run("ask", "Wat is blindvermogen?", "--config", config, "--json")
        response = json.loads(result.stdout)
        assert (response["route"], response["lang"]) == ("direct", "nl")
        assert response["sources"]
        assert response["trace"]

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

    def test_one_collection_only(self, config):
        asked = ("ask", "Which rules are there for data?", "--kind", "policy", "--json")
        sources = json.loads(run(*asked, "--config", config).stdout)["sources"]
        assert {source["doc_type"] for source in sources} <= {"Policy"}

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


@pytest.mark.parametrize("command", [("ask", "What is CIM?"), ("doctor",)])
@pytest.mark.parametrize(
    ("option", "name", "text", "said"),
    [
        ("--vocabulary", "broken.ttl", "this is no turtle", "broken.ttl"),
        ("--config", "guard.yaml", "colections: {}", "colections"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(config, tmp_path, command, option, name, text, said):
    """The doctor still looks at the parts that do not need it."""
    broken = tmp_path / name
    broken.write_text(text, encoding="utf-8")
    result = run(*command, "--config", config, option, str(broken))
    assert result.exit_code == 3
    assert said in result.output
    assert command != ("doctor",) or "elysia-ai" in result.stdout


class TestTree:
    @pytest.fixture
    def noisy_elysia(self, monkeypatch):
        """A tree that draws on standard output, as Elysia's does."""

        class TreeTalk:
            def __init__(self, wiring, *, collections, mode):
                sys.stdout.write("starting\n")
                self.direct = beginner(wiring, route="direct", mode=mode)

            async def ask(self, question):
                sys.stdout.write("Current Decision\n")
                return await self.direct(None)(question)

        stub = types.ModuleType("elysia_guard.edge.elysia")
        stub.TreeTalk = TreeTalk
        monkeypatch.setitem(sys.modules, "elysia_guard.edge.elysia", stub)

    @pytest.mark.usefixtures("noisy_elysia")
    @pytest.mark.parametrize("debug", [(), ("--debug",)])
    def test_what_elysia_prints_stays_out_of_the_answers(self, config, debug):
        """With --debug it is shown on standard error."""
        asked = ("ask", "ADR-0012", "--route", "tree", "--json", "--config", config)
        result = run(*asked, *debug)
        assert json.loads(result.stdout)["sources"]
        assert ("Current Decision" in result.stderr) is bool(debug)

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


class TestIngest:
    def test_it_says_what_it_did(self, fresh):
        first = run("ingest", "--config", str(fresh))
        assert first.exit_code == 0
        assert "holds 7 documents" in first.stdout
        assert "PCP-0010" in first.stdout
        again = run("ingest", "--config", str(fresh))
        assert "unchanged  7" in again.stdout

    def test_a_dry_run_writes_nothing(self, fresh):
        result = run("ingest", "--dry-run", "--config", str(fresh))
        assert "would hold 7 documents" in result.stdout
        assert not (fresh.parents[1] / "index.sqlite").exists()
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


class TestDoctor:
    def test_everything_is_there(self, config):
        result = run("doctor", "--config", config)
        assert result.exit_code == 0
        assert "7 documents (ADR 2, DAR 1, Policy 1, Principle 3)" in result.stdout
        assert "collections.ADR_Ollama" in result.stdout
        assert result.stdout.splitlines()[-1].startswith("The guard can answer")

    def test_what_is_in_force_is_told(self, config):
        """Limits with their keys; weights of search, confidence, and a judge where there is one."""
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
        weights = parts["weights"]
        in_force = weights["data"]["in_force"]
        file = yaml.safe_load((ROOT / "config" / "thresholds.yaml").read_text("utf-8"))
        assert in_force["search ADR_Ollama"] == {"alpha": 0.5, "title": 1.0, "section": 1.0}
        assert in_force["matter"] == file["matter"]
        counted = {name: value for name, value in file["default"]["calibration"].items() if value}
        assert in_force["calibration"] == counted

    def test_no_index_and_one_behind_its_documents(self, fresh, tmp_path):
        """One that the first question builds keeps nobody from asking; another has to be filled."""
        none = run("doctor", "--config", str(fresh))
        assert none.exit_code == 0
        assert "the first question builds it, or: elysia-guard ingest" in none.stdout
        other = str(tmp_path / "none.sqlite")
        empty = run("doctor", "--config", str(fresh), "--index", other)
        assert empty.exit_code == 3
        assert "run: elysia-guard ingest FOLDER" in empty.stdout
        assert "the guard cannot answer: index" in empty.stderr
        run("ingest", "--config", str(fresh))
        policy = next((fresh.parents[1] / "knowledge/policies").iterdir())
        policy.write_text(policy.read_text(encoding="utf-8") + "\nOne more.\n", encoding="utf-8")
        behind = run("doctor", "--config", str(fresh))
        assert behind.exit_code == 0
        assert "1 documents have changed since: elysia-guard ingest" in behind.stdout

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
        # Half a model is no model: Elysia needs all four names.
        monkeypatch.delenv("COMPLEX_MODEL")
        assert "not set: COMPLEX_MODEL; answers" in run("doctor", "--config", config).stdout


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

    def test_a_named_port_that_is_taken(self, config, served, free_port):
        with socket.create_server(("127.0.0.1", free_port)):
            result = run("chat", "--port", str(free_port), "--config", config)
        assert result.exit_code == 3
        assert "leave --port away" in result.stderr
        assert not served

    @pytest.fixture
    def free_port(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            return probe.getsockname()[1]
