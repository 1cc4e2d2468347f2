"""The keys of all that is asked over a network, read from the variables that the settings name."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from elysia_guard.config import Config, read_key
from elysia_guard.wiring import writing


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Keys:
    """One key each; empty where none is named or set. Not to be seen in a traceback either."""

    model: str
    weaviate: str
    judge: str
    writer: str
    verifier: str
    answers: str

    @classmethod
    def of(cls, config: Config) -> Keys:
        """Read the keys that a configuration names."""
        server, held = config.embedder.server, config.index.weaviate
        return cls(
            model=read_key(server.api_key_env) if server else "",
            weaviate=read_key(held.api_key_env) if held else "",
            judge=read_key(config.judge.api_key_env),
            writer=read_key(writing.key_variable(config)),
            verifier=read_key(config.verifier.api_key_env),
            answers=read_key(config.answer_cache.key_env),
        )

    @property
    def all(self) -> tuple[str, ...]:
        """What must stand in no log."""
        return astuple(self)
