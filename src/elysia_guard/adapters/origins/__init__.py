"""What the index and the vocabulary were read from, as it is now."""

from elysia_guard.adapters.origins.files import DocumentFiles
from elysia_guard.adapters.origins.sources import Sources
from elysia_guard.adapters.origins.vocabulary import LiveVocabulary, VocabularyFiles

__all__ = ["DocumentFiles", "LiveVocabulary", "Sources", "VocabularyFiles"]
