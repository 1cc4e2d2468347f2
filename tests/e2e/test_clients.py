"""Programs that know of the server only what it tells: over HTTP, and as the tool of an agent."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any, Self

import httpx
import jsonschema
import pytest
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from tests.e2e.house import PATIENCE_S, House

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

PAGE = Path(__file__).parents[2] / "docs" / "service.md"
CURL = re.compile(r"^\$ (curl (?:.*\\\n)*.*)$", re.MULTILINE)
TEN = {
    "What is CIMXML?": "asserted",
    "What does ADR-0012 decide?": "asserted",
    "What does ADR-0050 decide?": "refused",
    "What is CIM?": "clarified",
    "How long may a privileged session last?": "hedged",
    "Which decisions are accepted?": "asserted",
    "Who approved ADR-12?": "asserted",
    "Wat is CIMXML?": "asserted",
    "What is the capital of France?": "refused",
    "When was ADR-16 accepted?": "asserted",
}


class Described:
    """A client that takes paths, bodies and replies from a server's OpenAPI, and nothing else."""

    def __init__(self, address: str) -> None:
        self._http = httpx.Client(base_url=address, timeout=PATIENCE_S)
        self._told: dict[str, Any] = self._http.get("/guard/openapi.json").json()
        self._operations = {
            operation["operationId"]: (path, method, operation)
            for path, methods in self._told["paths"].items()
            for method, operation in methods.items()
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._http.close()

    def call(self, operation_id: str, **body: object) -> tuple[int, Any]:
        """Call an operation by its name; what is sent and what comes is as it is described."""
        path, method, operation = self._operations[operation_id]
        if body:
            self._check(operation["requestBody"], body)
        answer = self._http.request(method, path, json=body or None)
        found = answer.json()
        self._check(operation["responses"][str(answer.status_code)], found)
        return answer.status_code, found

    def _check(self, part: dict[str, Any], value: object) -> None:
        schema = part["content"]["application/json"]["schema"]
        jsonschema.Draft202012Validator({**self._told, **schema}).validate(value)


def test_a_client_made_of_the_description_asks_ten_questions(house: House) -> None:
    """Over the real server: each reply is of the kind that it should be, and as described."""
    with house.chat(), Described(house.address) as client:
        status, ready = client.call("ready")
        assert (status, ready["status"]) == (200, "ready")
        replies = {question: client.call("ask", question=question) for question in TEN}
        assert {question: reply["outcome"] for question, (_, reply) in replies.items()} == TEN
        assert client.call("ask", question="?!")[0] == 422
    assert house.problems() == []


def test_what_the_page_shows_of_curl_is_answered(house: House) -> None:
    """As it stands there, at the port of the test's server."""
    shown = [shlex.split(found.replace("\\\n", " ")) for found in CURL.findall(PAGE.read_text())]
    assert len(shown) >= 2
    with house.chat(), httpx.Client(timeout=PATIENCE_S) as client:
        answers = []
        for words in shown:
            (url,) = (word for word in words if word.startswith("http"))
            pairs = list(itertools.pairwise(words))
            headers = [word.split(": ") for option, word in pairs if option == "-H"]
            (body,) = (word for option, word in pairs if option == "-d")
            here = url.replace("http://127.0.0.1:8000", house.address)
            answers.append(client.post(here, content=body, headers=dict(headers)))
    assert [answer.status_code for answer in answers] == [200] * len(shown)
    first, second, *_ = answers
    assert "ADR-0012" in first.json()["answer"]
    # A follow-up of the same conversation.
    assert "ADR-0012D" in second.json()["answer"]


async def test_an_agent_that_starts_the_program_asks_ten_questions(
    index: Path, tmp_path: Path
) -> None:
    """The official client over standard input and output, as agents' settings start it."""
    kept = {name: value for name, value in os.environ.items() if "ELYSIA_GUARD" not in name}
    words = ["-m", "elysia_guard.edge.cli.main", "mcp", "--index", str(index)]
    started = StdioServerParameters(command=sys.executable, args=words, env=kept, cwd=tmp_path)
    with (tmp_path / "mcp.log").open("w") as log:
        async with (
            stdio_client(started, errlog=log) as (read, write),
            ClientSession(read, write) as agent,
        ):
            await agent.initialize()
            (tool,) = (await agent.list_tools()).tools
            found = {}
            for question in TEN:
                reply = await agent.call_tool(tool.name, {"question": question})
                jsonschema.Draft202012Validator(tool.output_schema).validate(
                    reply.structured_content
                )
                found[question] = reply.structured_content["outcome"]
    assert found == TEN
