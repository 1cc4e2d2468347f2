"""Embedders: the bundled model, Ollama, and any server that speaks OpenAI's ``/v1/embeddings``."""

from elysia_guard.adapters.embedders.bundled import BundledEmbedder

__all__ = ["BundledEmbedder"]
