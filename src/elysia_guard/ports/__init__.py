"""The ports: what the stages need from the world, each as small as it can be."""

from elysia_guard.ports.clock import (
    Clock,
    Timekeeper,
    timeout,
    timeout_at,
)
from elysia_guard.ports.embedding import (
    Embedder,
    Vector,
)
from elysia_guard.ports.judging import (
    Judge,
    Verifier,
)
from elysia_guard.ports.keeping import (
    AnswerStore,
    ConversationLocks,
    ConversationStore,
)
from elysia_guard.ports.observing import (
    Observer,
    unobserved,
)
from elysia_guard.ports.origins import (
    LineFinder,
    Lines,
    NoOrigins,
    Origins,
    no_lines,
)
from elysia_guard.ports.passages import (
    PassageIndex,
    SecondVector,
)
from elysia_guard.ports.reading import (
    IntentModel,
    ReadingModel,
    no_intents,
)
from elysia_guard.ports.terminology import (
    ExampleTerm,
    TerminologySource,
    no_term,
)
from elysia_guard.ports.words import (
    WordChance,
    WordChances,
    WordLikeness,
    by_form_alone,
    no_chances,
)
from elysia_guard.ports.writing import (
    Planner,
    StreamedWriter,
    Writer,
)

__all__ = [
    "AnswerStore",
    "Clock",
    "ConversationLocks",
    "ConversationStore",
    "Embedder",
    "ExampleTerm",
    "IntentModel",
    "Judge",
    "LineFinder",
    "Lines",
    "NoOrigins",
    "Observer",
    "Origins",
    "PassageIndex",
    "Planner",
    "ReadingModel",
    "SecondVector",
    "StreamedWriter",
    "TerminologySource",
    "Timekeeper",
    "Vector",
    "Verifier",
    "WordChance",
    "WordChances",
    "WordLikeness",
    "Writer",
    "by_form_alone",
    "no_chances",
    "no_intents",
    "no_lines",
    "no_term",
    "timeout",
    "timeout_at",
    "unobserved",
]
