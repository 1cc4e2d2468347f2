"""What a program sends with a question."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from elysia_guard.domain.mode import ASKABLE, Mode

MOST_COLLECTIONS = 1_000


def _askable(mode: Mode) -> Mode:
    if mode not in ASKABLE:
        raise ValueError(f"choose one of {', '.join(ASKABLE)}")
    return mode


AskableMode = Annotated[
    Mode,
    AfterValidator(_askable),
    WithJsonSchema({"type": "string", "enum": [str(mode) for mode in ASKABLE]}),
]
Id = Annotated[str, Field(min_length=1, max_length=255)]


class AskedQuestion(BaseModel):
    """A question, and how it is to be answered."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"question": "What is CIMXML?"}]}
    )

    question: Annotated[
        str, Field(description="What a person asks, in any language that has a pack.")
    ]
    collections: Annotated[
        list[str] | None,
        Field(
            max_length=MOST_COLLECTIONS,
            description="Kinds or names of the collections that may be asked; null is all.",
        ),
    ] = None
    mode: Annotated[
        AskableMode | None,
        Field(description="How the answer is made, where not as the settings say."),
    ] = None
    conversation_id: Annotated[
        Id | None,
        Field(description="Made up by the caller. Questions with the same one may follow up."),
    ] = None
    user_id: Annotated[
        str | None,
        Field(
            max_length=255,
            description="Whose conversation it is, where a program asks for several people.",
        ),
    ] = None
