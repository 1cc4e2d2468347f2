"""The models of the settings: of vectors and of language.

Questions ask them behind breakers and deadlines, an ingest with patience.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.models import ModelCaller, ModelCallers
from elysia_guard.adapters.models.chat import Chat, OpenAIChat
from elysia_guard.adapters.models.guide import LanguageModelGuide
from elysia_guard.adapters.models.vetting import vetted
from elysia_guard.adapters.observed import observed_embedder
from elysia_guard.config import Config, EmbedderSection
from elysia_guard.domain.events import BreakerChanged, TokensUsed
from elysia_guard.domain.mode import Mode
from elysia_guard.ports import Clock, Embedder
from elysia_guard.resilience.breaker import Breaker, BreakerState
from elysia_guard.resilience.calls import Guarded, through
from elysia_guard.stages.guiding import ONE_CALL, Guidance
from elysia_guard.wiring.surroundings import Surroundings

if TYPE_CHECKING:
    from elysia_guard.adapters.embedders.served import ModelServer

LLM = "llm"


def embedder_of(config: Config, around: Surroundings) -> Embedder:
    """Make the model as questions ask it: behind its breaker, seen by counters and logs.

    Raises:
        ConfigError: its key, its files or what it needs to run is not there.
    """
    model = _embedder(config.embedder, around)
    breaker = around.breaker("embeddings", config.circuit_breaker.embeddings)
    behind = through(model, Guarded(breaker).call, "embed", "embed_question")
    return observed_embedder(behind, around.observe, collections=config.collections)


@asynccontextmanager
async def ingesting(
    section: EmbedderSection, embedder: Embedder, around: Surroundings
) -> AsyncIterator[Embedder]:
    """The model as an ingest asks it: with patience, and past the breaker of the questions."""
    if server := _embedding_server(section, around):
        async with server.for_ingest() as patient:
            yield patient
    else:
        yield embedder


def _embedder(section: EmbedderSection, around: Surroundings) -> Embedder:
    if server := _embedding_server(section, around):
        return server.for_questions(around.opened, clock=around.clock)
    if section.kind == "onnx" and section.onnx:
        from elysia_guard.adapters.onnx import OnnxEmbedder

        return OnnxEmbedder.load(section="embedder", **section.onnx.model_dump())
    return BundledEmbedder()


def _embedding_server(section: EmbedderSection, around: Surroundings) -> ModelServer | None:
    if section.server is None:
        return None
    if section.kind == "bundled" or section.kind == "onnx":  # noqa: PLR1714  mypy narrows by these
        return None
    key = around.key("embedder.server", section.server.api_key_env)
    from elysia_guard.adapters.embedders.served import ModelServer

    values = section.server.model_dump(exclude={"api_key_env"})
    return ModelServer(kind=section.kind, api_key=key, section="embedder.server", **values)


def callers_of(config: Config, around: Surroundings) -> ModelCallers:
    """Make who asks the language models of Elysia's settings, with a breaker before each model."""

    def breaker(on_change: Callable[[BreakerState], None]) -> Breaker:
        return around.breaker(LLM, config.circuit_breaker.llm, on_change=on_change)

    def caller(breaker: Breaker) -> ModelCaller:
        return ModelCaller(
            breaker,
            around.observe,
            deadlines_s={
                "tool": config.llm.deadline_seconds,
                # What is left of the time for an answer bounds each call of it.
                "plan": max(config.llm.answer_seconds, config.llm.thinking_seconds),
                "point": max(config.llm.answer_seconds, config.llm.thinking_seconds),
            },
            at_once=config.llm.max_concurrency,
            clock=around.clock,
        )

    return ModelCallers(
        breaker,
        caller,
        on_change=lambda state: around.observe(BreakerChanged(service=LLM, state=state)),
    )


def lacks_model(config: Config) -> str:
    """Say what a profile that asks a model lacks, and the way out; nothing where it lacks none."""
    if not config.policy.needs_model:
        return ""
    if config.llm.use == "none":
        lacks = "the settings use none: set llm.use to auto (docs/models.md)"
    elif config.llm.mode == "instant":
        lacks = "llm.mode is 'instant', in which none is asked: choose auto or thinking"
    else:
        return ""
    return f"profile '{config.profile}' needs a language model, and {lacks}, or another profile"


def guidance_of(config: Config, callers: ModelCallers, around: Surroundings) -> Guidance | None:
    """Make the model that plans and points; None where the settings name none, or a tree's own.

    Raises:
        ConfigError: its key is not there.
    """
    section = config.llm
    if section.use == "none" or config.points_with_elysia:
        return None
    key = around.key(LLM, section.api_key_env)
    caller = caller_of(config, callers)

    def used(prompt: int, written: int) -> None:
        around.observe(TokensUsed(purpose="point", prompt=prompt, written=written))

    loop = BackgroundLoop("elysia-guard-llm")
    around.opened.callback(loop.close)
    chat = OpenAIChat(section.url, section.model, api_key=key, section=LLM, used=used)
    around.opened.callback(lambda: loop.run(chat.aclose()))
    return guided_by(through(chat, loop.call), caller, config, around.clock)


def caller_of(config: Config, callers: ModelCallers) -> ModelCaller:
    """Return who asks the model that the settings name."""
    return callers.of(f"llm\n{config.llm.url}\n{config.llm.model}")


def guided_by(chat: Chat, caller: ModelCaller, config: Config, clock: Clock) -> Guidance:
    """Let a model plan and point as the settings want it."""
    section = config.llm
    return Guidance(
        guide=vetted(
            LanguageModelGuide(chat, caller), caller, within_s=ONE_CALL * section.answer_seconds
        ),
        mode=Mode(section.mode),
        deadline_s=section.answer_seconds,
        thinking_s=section.thinking_seconds,
        max_chars=section.max_chars,
        clock=clock,
    )
