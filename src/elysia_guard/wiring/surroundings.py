"""What every part is made with: who is told, which clock and keys, what to close at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field

from elysia_guard.config import BreakerSection, Config, read_key
from elysia_guard.domain.errors import ConfigError
from elysia_guard.domain.events import BreakerChanged
from elysia_guard.ports import Clock, Observer
from elysia_guard.resilience.breaker import Breaker, BreakerState


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """Shared by all parts of one configuration; what they open is closed with ``opened``.

    ``keys`` are those that the configuration names, by their variables; in no traceback either.
    """

    observe: Observer
    clock: Clock
    opened: ExitStack
    keys: Mapping[str, str] = field(repr=False)

    def breaker(
        self,
        service: str,
        section: BreakerSection,
        *,
        on_change: Callable[[BreakerState], None] | None = None,
    ) -> Breaker:
        """Make the circuit breaker of a service; its states are told to the observers.

        With ``on_change`` they are told to that instead.
        """

        def observe(state: BreakerState) -> None:
            self.observe(BreakerChanged(service=service, state=state))

        return Breaker(
            service,
            failure_threshold=section.failure_threshold,
            success_threshold=section.success_threshold,
            rest_s=section.timeout_seconds,
            clock=self.clock,
            on_change=on_change or observe,
        )

    def key(self, section: str, variable: str) -> str:
        """Return the key for a section; empty where it names no variable.

        Raises:
            ConfigError: the variable holds no key.
        """
        key = self.keys.get(variable, "")
        if variable and not key:
            raise ConfigError(
                f"{section}.api_key_env: the variable {variable} holds no key; set it before the "
                "start, or leave its name out"
            )
        return key


def keys_of(config: Config) -> dict[str, str]:
    """Read the keys that a configuration names, by their variables; empty where none is set."""
    named = (
        config.embedder.server,
        config.index.weaviate,
        config.llm,
    )
    variables = {section.api_key_env for section in named if section}
    return {variable: read_key(variable) for variable in variables if variable}
