"""A server on loopback that passes requests on to a real one, and keeps what it answered."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

from elysia_guard.evaluation.adversaries.asked import asked
from elysia_guard.evaluation.adversaries.server import AdversaryServer
from elysia_guard.evaluation.adversaries.told import Source

LATEST_S = 300.0
MOST_CHARS, MOST_ITEMS = 160, 2
"""Of a string and of a list, in what a model writes: a very small one never comes to an end."""


class Relay(AdversaryServer):
    """Stands between the guard and a model; ``replies`` are what was told and what was written."""

    def __init__(self, url: str, model: str = "", *, brief: bool = False) -> None:
        """Take the server's address, with ``/v1``, and the model that it is to be asked for.

        ``brief`` bounds how long it may write, by the schema that it is held to.
        """
        super().__init__()
        self._brief = brief
        self.replies: list[tuple[Sequence[Source], str]] = []
        self._to, self._model = url.rstrip("/"), model

    def _answer(self, line: str, request: Mapping[str, Any]) -> tuple[int, bytes, float]:
        del line
        model = self._model or request.get("model", "")
        body = json.dumps({**(bounded(request) if self._brief else request), "model": model})
        passed = urllib.request.Request(  # noqa: S310
            f"{self._to}/chat/completions",
            data=body.encode(),
            headers={"content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(passed, timeout=LATEST_S) as answer:  # noqa: S310
                said = answer.read()
        except urllib.error.HTTPError as err:
            return err.code, err.read(), 0.0
        except OSError as err:
            return 502, json.dumps({"error": {"message": str(err)}}).encode(), 0.0
        text = str(json.loads(said)["choices"][0]["message"]["content"])
        self.replies.append((asked(request.get("messages", ()))[1], text))
        return 200, said, 0.0


def bounded(value: Any) -> Any:
    """Return a request whose JSON schema allows short strings and lists alone."""
    if isinstance(value, list):
        return [bounded(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    inner = {key: bounded(item) for key, item in value.items()}
    limits = {"string": {"maxLength": MOST_CHARS}, "array": {"maxItems": MOST_ITEMS}}
    kind = inner.get("type")
    return {**inner, **limits.get(kind, {})} if isinstance(kind, str) else inner
