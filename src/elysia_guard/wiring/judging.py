"""The judge of the settings: behind its deadline and breaker, and asked once about the same."""

from __future__ import annotations

from elysia_guard.adapters.background import BackgroundLoop
from elysia_guard.adapters.judges.any_loop import AsyncJudge, JudgeFromAnyLoop
from elysia_guard.adapters.judges.cached import CachedJudge
from elysia_guard.adapters.judges.guarded import GuardedJudge
from elysia_guard.config import Config
from elysia_guard.config.judge import JudgeSection
from elysia_guard.domain.errors import ConfigError
from elysia_guard.ports import Judge
from elysia_guard.stages.judging import Bench
from elysia_guard.wiring.surroundings import Surroundings

SERVICE = "judge"


def bench_of(config: Config, key: str, around: Surroundings) -> Bench | None:
    """Make the judge that the settings name; None where they name none, or a tree's own model.

    Raises:
        ConfigError: its key, its files or what it needs to run is not there.
    """
    section = config.judge
    if section.kind == "none" or section.is_elysias:
        return None
    if section.api_key_env and not key:
        raise ConfigError(
            f"judge.api_key_env: the variable {section.api_key_env} holds no key; set it before "
            "the start, or leave its name out"
        )
    guarded = GuardedJudge(
        _judge(section, key, around),
        around.breaker(SERVICE, config.circuit_breaker.judge),
        around.observe,
        deadline_s=section.deadline_seconds,
        at_once=section.max_concurrency,
        clock=around.clock,
    )
    judge = CachedJudge(guarded, at_most=section.cache_max_size)
    return Bench(judge=judge, passages=section.passages)


def _judge(section: JudgeSection, key: str, around: Surroundings) -> Judge:
    if section.kind == "onnx":
        from elysia_guard.adapters.judges.onnx import OnnxJudge

        assert section.path is not None  # noqa: S101  (the section has made sure)
        return OnnxJudge.load(
            section.path,
            label=section.label,
            pair=section.pair,
            max_tokens=section.max_tokens,
        )
    loop = BackgroundLoop("elysia-guard-judge")
    around.opened.callback(loop.close)
    return JudgeFromAnyLoop(_served(section, key, around, loop), loop)


def _served(
    section: JudgeSection, key: str, around: Surroundings, loop: BackgroundLoop
) -> AsyncJudge:
    # httpx takes a tenth of a second to import, and the gates have no use for it.
    from elysia_guard.adapters.judges.errors import of_judge
    from elysia_guard.adapters.judges.language_model import LanguageModelJudge
    from elysia_guard.adapters.judges.rerank import RerankJudge
    from elysia_guard.adapters.models.openai_chat import OpenAIChat

    if section.kind == "language_model":
        chat = OpenAIChat(section.url, section.model, api_key=key, section=SERVICE, errors=of_judge)
        around.opened.callback(lambda: loop.run(chat.aclose()))
        return LanguageModelJudge(chat, max_chars=section.max_chars)
    ranks = RerankJudge(
        section.url,
        section.model,
        api_key=key,
        form=section.form,
        scores=section.scores,
        max_chars=section.max_chars,
    )
    around.opened.callback(lambda: loop.run(ranks.aclose()))
    return ranks
