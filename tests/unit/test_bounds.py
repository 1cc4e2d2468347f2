"""What comes from outside has a bound: vocabularies, folders, documents, files of questions."""

from __future__ import annotations

import os
import socket
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from elysia_guard.adapters.bounded import read_bounded
from elysia_guard.adapters.documents import (
    ParsedDocument,
    Skipped,
    folders,
    front_matter,
    markdown,
    pdf_limits,
    read_folder,
    web_page,
)
from elysia_guard.adapters.documents.reader import parse
from elysia_guard.adapters.documents.style_sheets import sheet_rules
from elysia_guard.adapters.documents.watching import look
from elysia_guard.adapters.ingest import ingest
from elysia_guard.adapters.origins.files import DocumentFiles
from elysia_guard.adapters.skos_limits import MAX_LABEL_CHARS, MAX_TEXT_CHARS, MAX_URI_CHARS
from elysia_guard.adapters.skos_rdf import read_concepts
from elysia_guard.adapters.skosmos.graph import read_concept
from elysia_guard.domain.errors import ConfigError, DocumentError
from elysia_guard.domain.origin import OriginState
from elysia_guard.edge.cli import rows
from elysia_guard.wiring import Wiring
from tests.unit.made_files import Put, pdf

SKOS = "http://www.w3.org/2004/02/skos/core#"
CONCEPT = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    f'xmlns:skos="{SKOS}"><skos:Concept rdf:about="{{uri}}">'
    '<skos:prefLabel xml:lang="en">{label}</skos:prefLabel></skos:Concept></rdf:RDF>'
)
TURTLE = f"@prefix skos: <{SKOS}> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
