"""Take the pictures of README: the web chat with an answer, a hedge and a refusal.

    python scripts/pictures.py                      # into docs/pictures
    python scripts/pictures.py --into build/look    # elsewhere, to look first

Starts the chat over the documents that ship, on a free port of this machine, and asks in a
headless Chromium. Exit codes: 0 done, 3 could not run.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PICTURES = {
    "answer": "What is CIMXML?",
    "hedge": "How long may a privileged session last?",
    "refusal": "What does ADR-0050 decide?",
}
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DONE, COULD_NOT_RUN = 0, 3
WIDE, HIGH = 1300, 1500
HIGHEST, MARGIN = 720, 16
"""Columns and rows of the window, the most rows of a picture, and what is left around a reply."""
PATIENCE_MS, FADED_IN_MS = 60_000, 1_500
SERVE = """
from elysia_guard.edge.elysia.webapp import serve
from elysia_guard.wiring import Wiring

wiring = Wiring.load()
wiring.ensure_index()
serve(wiring, port=0, ready=lambda address: print(address, flush=True))
"""
NO_DRAWING = """
for (const context of [window.WebGLRenderingContext, window.WebGL2RenderingContext]) {
    for (const name of ['drawArrays', 'drawElements', 'clear', 'readPixels']) {
        if (context) context.prototype[name] = () => {};
    }
}
"""
"""The sphere on the start page would take all of a processor that draws it."""


def main() -> int:
    """Serve, ask and take."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "pictures")
    folder: Path = parser.parse_args().into
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        print(f"error: no browser: none of {', '.join(CHROMIUM)} is there", file=sys.stderr)
        return COULD_NOT_RUN
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, question in PICTURES.items():
            path = folder / f"{name}.png"
            take(browser, address, question, path)
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()
    return DONE


@contextmanager
def served() -> Iterator[str]:
    """Run the chat, with conversations and an index of its own, and say where it is."""
    with tempfile.TemporaryDirectory() as folder:
        own = {
            "ELYSIA_GUARD_INDEX__PATH": f"{folder}/index.sqlite",
            "ELYSIA_GUARD_CONVERSATIONS__PATH": f"{folder}/conversations.sqlite",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("ELYSIA_GUARD_") and not name.endswith("_API_KEY")
        }
        with (Path(folder) / "log").open("w") as log:
            process = subprocess.Popen(
                [sys.executable, "-c", SERVE],
                cwd=folder, env=kept | own, stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        try:
            said = process.stdout.readline().strip() if process.stdout else ""
            if not said.startswith("http"):
                raise SystemExit(f"error: no chat: {(Path(folder) / 'log').read_text()[-2000:]}")
            yield said
        finally:
            process.terminate()
            process.wait(30)


def take(browser: Any, address: str, question: str, path: Path) -> None:
    """Ask in a conversation of its own, and keep the question with its reply."""
    page = browser.new_page(viewport={"width": WIDE, "height": HIGH}, color_scheme="dark")
    page.set_default_timeout(PATIENCE_MS)
    opened: set[str] = set()
    page.on("response", lambda response: opened.add(response.url))
    page.add_init_script(NO_DRAWING)
    page.goto(address)
    page.get_by_text("New Conversation").first.wait_for()
    page.locator("textarea").first.fill(question)
    page.keyboard.press("Enter")
    end = page.get_by_text(re.compile(r"^Finished in"))
    end.wait_for()
    page.wait_for_timeout(FADED_IN_MS)
    page.screenshot(path=path, clip=reply_of(page, question, end))
    # Whoever comes next is the same user, whose last conversation would be open.
    for url in opened:
        if "/init/tree/" in url:
            user, conversation = url.rsplit("/", 2)[-2:]
            page.request.delete(f"{address}/db/{user}/delete_tree/{conversation}")
    page.close()


def reply_of(page: Any, question: str, end: Any) -> dict[str, float]:
    """Find the rows from the question to the end of its reply, and the columns that they take."""
    asked = page.locator("main, body").get_by_text(question, exact=True).last.bounding_box()
    ended, typed = end.last.bounding_box(), page.locator("textarea").first.bounding_box()
    if asked is None or ended is None or typed is None:
        raise SystemExit(f"error: the page does not show the reply to {question!r}")
    top = max(asked["y"] - MARGIN, 0)
    left = min(asked["x"], typed["x"]) - 2 * MARGIN
    wide = max(asked["width"], typed["width"]) + 4 * MARGIN
    high = min(ended["y"] - top, HIGHEST)
    return {"x": left, "y": top, "width": wide, "height": high}


if __name__ == "__main__":
    sys.exit(main())
