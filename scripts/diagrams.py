"""Draw the diagrams of the documents, which are written in Mermaid, as pictures for their site.

    npm pack mermaid@11 && tar xzf mermaid-11.*.tgz package/dist/mermaid.min.js
    python scripts/diagrams.py package/dist/mermaid.min.js

The site shows the picture in place of the text, so that no page needs the library (3 MB). A picture
is named after the text that it was drawn from; a test fails where one is missing. Needs Chromium.
Exit codes: 0 done, 3 could not run.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
BLOCK = re.compile(r"^```mermaid\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DONE, COULD_NOT_RUN = 0, 3
DRAW = """async text => {
    mermaid.initialize({
        startOnLoad: false, theme: "neutral", deterministicIds: true,
        htmlLabels: false, fontFamily: "sans-serif",
        flowchart: {htmlLabels: false, nodeSpacing: 25, rankSpacing: 25},
    });
    return (await mermaid.render("diagram", text)).svg;
}"""


def main() -> int:
    """Draw each diagram that has no picture, and remove pictures of none."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path, help="mermaid.min.js of the npm package mermaid")
    library: Path = parser.parse_args().library
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        print("no Chromium on the path", file=sys.stderr)
        return COULD_NOT_RUN
    from playwright.sync_api import sync_playwright

    wanted = {picture_of(text): text for text in diagrams()}
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_script_tag(path=library)
        for name, text in wanted.items():
            (PICTURES / name).write_text(page.evaluate(DRAW, text) + "\n", encoding="utf-8")
            print(f"drawn: {PICTURES / name}")
        browser.close()
    for old in PICTURES.glob("diagram-*.svg"):
        if old.name not in wanted:
            old.unlink()
    return DONE


def diagrams() -> Iterator[str]:
    """Give the text of every diagram of README and docs."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]:
        yield from BLOCK.findall(path.read_text(encoding="utf-8"))


def picture_of(text: str) -> str:
    """Name the picture of a diagram after its text.

    >>> picture_of("flowchart LR")
    'diagram-35bb4631.svg'
    """
    return f"diagram-{hashlib.sha256(text.encode()).hexdigest()[:8]}.svg"


if __name__ == "__main__":
    sys.exit(main())
