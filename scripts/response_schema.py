"""Write the JSON schema of a response to docs/response.schema.json.

python scripts/response_schema.py
"""

from __future__ import annotations

import json
from pathlib import Path

from elysia_guard.edge.response_schema import response_schema

PUBLISHED = Path(__file__).resolve().parents[1] / "docs" / "response.schema.json"

if __name__ == "__main__":
    text = json.dumps(response_schema(), indent=2, ensure_ascii=False)
    PUBLISHED.write_text(f"{text}\n", encoding="utf-8")
