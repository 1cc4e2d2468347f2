"""Stores of answers: in this process, or in a Redis that several share."""

from elysia_guard.adapters.answers.memory import MAX_SIZE, MemoryAnswers
from elysia_guard.adapters.answers.redis_store import RedisAnswers

__all__ = ["MAX_SIZE", "MemoryAnswers", "RedisAnswers"]
