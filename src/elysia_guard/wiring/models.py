"""The models of the settings: of vectors, of language, the judge and the writer.

Questions ask them behind breakers and deadlines, an ingest with patience.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.embedders import BundledEmbedder
from elysia_guard.adapters.judges import CachedJudge, RerankJudge, late, of_judge
from elysia_guard.adapters.judges.language_model import LanguageModelJudge
from elysia_guard.adapters.models import ModelCaller, ModelCallers
from elysia_guard.adapters.models.chat import Chat, OpenAIChat
from elysia_guard.adapters.observed import observed_embedder
from elysia_guard.adapters.writers import LanguageModelWriter
from elysia_guard.config import Config, EmbedderSection, JudgeSection
from elysia_guard.domain.events import BreakerChanged, TokensUsed
from elysia_guard.domain.mode import Mode
from elysia_guard.ports import Clock, Embedder, Judge
from elysia_guard.resilience.breaker import Breaker, BreakerState
from elysia_guard.resilience.calls import Guarded, through
from elysia_guard.stages.judging import RelevanceJudge
from elysia_guard.stages.writing import AnswerGenerator
from elysia_guard.wiring.surroundings import Surroundings

if TYPE_CHECKING:
    from elysia_guard.adapters.embedders.served import ModelServer

LLM = "llm"
JUDGE = "judge"
ONE_CALL = 0.95
"""The share of the time for an answer that one call of its writer may take."""


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
                "reading": config.llm.choice_deadline_seconds,
                "choice": config.llm.choice_deadline_seconds,
                "tool": config.llm.deadline_seconds,
                "judge": config.judge.deadline_seconds,
                # A little less than the whole answer may take, so that the breaker hears of it.
                "write": ONE_CALL * config.writer.deadline_seconds,
            },
            at_once=config.llm.max_concurrency,
            clock=around.clock,
        )

    return ModelCallers(
        breaker,
        caller,
        on_change=lambda state: around.observe(BreakerChanged(service=LLM, state=state)),
    )


def bench_of(config: Config, around: Surroundings) -> RelevanceJudge | None:
    """Make the judge that the settings name; None where they name none, or a tree's own model.

    It is asked once about the same, behind its deadline and breaker.

    Raises:
        ConfigError: its key, its files or what it needs to run is not there.
    """
    section = config.judge
    if section.kind == "none" or section.is_elysias:
        return None
    judge = _judge(section, around.key(JUDGE, section.api_key_env), around)
    caller = ModelCaller(
        around.breaker(JUDGE, config.circuit_breaker.judge),
        around.observe,
        deadlines_s={"judge": section.deadline_seconds},
        at_once=section.max_concurrency,
        late=late,
        clock=around.clock,
    )
    asked = through(judge, partial(caller.call, purpose="judge"))
    cached = CachedJudge(asked, at_most=section.cache_max_size)
    return RelevanceJudge(judge=cached, passages=section.passages)


def _judge(section: JudgeSection, key: str, around: Surroundings) -> Judge:
    if section.kind == "onnx":
        from elysia_guard.adapters.onnx import OnnxJudge

        assert section.path is not None  # noqa: S101  (the section has made sure)
        return OnnxJudge.load(
            section.path,
            label=section.label,
            pair=section.pair,
            max_tokens=section.max_tokens,
        )
    loop = BackgroundLoop("elysia-guard-judge")
    around.opened.callback(loop.close)
    if section.kind == "language_model":
        chat = OpenAIChat(section.url, section.model, api_key=key, section=JUDGE, errors=of_judge)
        around.opened.callback(lambda: loop.run(chat.aclose()))
        return through(LanguageModelJudge(chat, max_chars=section.max_chars), loop.call)
    ranks = RerankJudge(
        section.url,
        section.model,
        api_key=key,
        form=section.form,
        scores=section.scores,
        max_chars=section.max_chars,
    )
    around.opened.callback(lambda: loop.run(ranks.aclose()))
    return through(ranks, loop.call)


def lacks_writer(config: Config) -> str:
    """Say what a profile that writes lacks, and the way out; nothing where it lacks nothing."""
    if not config.policy.writes:
        return ""
    if config.writer.kind == "none":
        lacks = "the settings name none: set writer.kind (docs/writing.md)"
    elif config.writer.mode == "instant":
        lacks = "writer.mode is 'instant', in which nobody writes: choose auto or thinking"
    else:
        return ""
    return f"profile '{config.profile}' needs a model that writes, and {lacks}, or another profile"


def desk_of(config: Config, callers: ModelCallers, around: Surroundings) -> AnswerGenerator | None:
    """Make the writer that the settings name; None where they name none, or a tree's own model.

    Raises:
        ConfigError: its key is not there.
    """
    if config.writer.kind == "none" or config.writes_with_elysia:
        return None
    own = bool(config.writer.url)
    name, section = ("writer", config.writer) if own else ("llm", config.llm)
    key = around.key(name, section.api_key_env)
    caller = callers.of(f"writer\n{section.url}\n{section.model}")

    def used(prompt: int, written: int) -> None:
        around.observe(TokensUsed(purpose="write", prompt=prompt, written=written))

    loop = BackgroundLoop(f"elysia-guard-{name}")
    around.opened.callback(loop.close)
    chat = OpenAIChat(section.url, section.model, api_key=key, section=name, used=used)
    around.opened.callback(lambda: loop.run(chat.aclose()))
    return seated(through(chat, loop.call), caller, config, around.clock)


def seated(chat: Chat, caller: ModelCaller, config: Config, clock: Clock) -> AnswerGenerator:
    """Let a model write as the settings want it."""
    section = config.writer
    writer = LanguageModelWriter(chat, caller, max_chars=section.source_max_chars)
    return AnswerGenerator(
        writer=writer,
        planner=writer.plan,
        mode=Mode(section.mode),
        deadline_s=section.deadline_seconds,
        thinking_s=section.thinking_seconds,
        max_chars=section.max_chars,
        clock=clock,
    )
