"""What the index and the vocabulary were read from, to be looked at when an answer quotes them."""

from __future__ import annotations

from pathlib import Path

from elysia_guard.adapters.origins import (
    DocumentFiles,
    LiveVocabulary,
    Sources,
    VocabularyFiles,
)
from elysia_guard.adapters.origins.looking import devices
from elysia_guard.config import Config
from elysia_guard.domain.origin import Against
from elysia_guard.wiring.passages import weaviate_section
from elysia_guard.wiring.terminology import skosmos_section


def origins_of(config: Config) -> Sources:
    """Make them; to be called before the vocabulary is read.

    A Weaviate is filled from any machine: a folder of that name here need not be the same one,
    unless the configuration names it.
    """
    # Where the program lies, or the index, everything waits if the device does not answer.
    near = devices([Path(__file__), config.index.path.parent])
    served = weaviate_section(config) is not None
    documents = DocumentFiles(
        config.index.sources,
        only_trusted=served,
        otherwise=Against.STORE if served else Against.INDEX,
        near=near,
    )
    files = config.terminology.files
    live = skosmos_section(config) is not None or not files
    vocabulary = VocabularyFiles(files, near=near, max_bytes=config.terminology.max_bytes)
    return Sources(documents, LiveVocabulary() if live else vocabulary)
