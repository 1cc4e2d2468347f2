"""Take 25 journeys through the web chat in a headless Chromium, and print what went wrong.

Starts the chat over the documents that ship, with nothing configured. Each journey has a fresh
profile; its pictures go to build/journeys. On every page that is pictured it looks for errors of
the console, requests that leave this machine, red warnings, words that no person writes, a page
that is too wide, and what axe-core calls serious or critical (make journeys installs it). At the
end every button is pressed once: one after which a person notices nothing is dead.

With --weaviate the index stands in that Weaviate, and after the 25 come journeys of an index that
goes away and of workers. What is made in it is dropped at the end.

Exit codes: 0 nothing went wrong, 1 something did, 3 could not run.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.journeys import asking, connecting, looking, pressing, staying
from benchmarks.journeys.clusters import Cluster, lent
from benchmarks.journeys.place import Place
from benchmarks.journeys.traveller import AXE, BARRIERS, SHOTS, Traveller
from tests.e2e.conftest import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FINE, WRONG, COULD_NOT_RUN = 0, 1, 3
WINDOW = {"width": 1400, "height": 1000}
LONGEST = 110


@dataclass(frozen=True, kw_only=True)
class Taken:
    """How a journey went."""

    name: str
    wrong: list[str]
    pictures: int
    took_s: float


def journeys(place: Place) -> dict[str, Callable[[Traveller], None]]:
    """Return all journeys by name, in the order in which they are taken."""
    return {
        "first visit": asking.first_visit,
        "each kind of question": asking.kinds,
        "follow-ups": asking.followups,
        "picking a meaning": asking.meaning,
        "a source at its section": asking.source,
        "a list entry": asking.entry,
        "a way on": asking.way_on,
        "hedge": asking.hedge,
        "refusal": asking.refusal,
        "thumbs, seen on Evaluation": looking.judged,
        "Data page": looking.data,
        "document view": looking.document,
        "search": looking.search,
        "Settings": looking.settings,
        "rename and delete": looking.renamed,
        "reload": staying.reload,
        "restart of the server": partial(staying.restart, place=place),
        "two tabs": staying.two_tabs,
        "lost websocket": staying.lost_socket,
        "400 px": looking.narrow,
        "1,600 px": looking.wide,
        "keyboard alone": looking.keyboard,
        "dark and light": looking.colours,
        "Dutch": asking.dutch,
        "German": asking.german,
        **{
            f"(every button: {page})": partial(pressing.every_button, name=page)
            for page in pressing.PAGES
        },
    }


def take(browser: Browser, address: str, name: str, way: Callable[[Traveller], None]) -> Taken:
    """Take one journey in a fresh profile."""
    began = time.perf_counter()
    file = "".join(letter if letter.isalnum() else "-" for letter in name.lower()).strip("-")
    context = browser.new_context(viewport=WINDOW, color_scheme="dark")
    one = Traveller(context, address, name=file)
    failed: list[str] = []
    try:
        way(one.start())
    except Exception as error:  # noqa: BLE001
        failed.append(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
        one.page.screenshot(path=SHOTS / f"{file}-failed.png")
    one.leave()
    context.close()
    took_s = time.perf_counter() - began
    return Taken(name=name, wrong=failed + one.wrong(), pictures=one.shots, took_s=took_s)


def tell(taken: Taken) -> None:
    """Print how a journey went, and below it each thing that went wrong."""
    how = "passed" if not taken.wrong else f"{len(taken.wrong)} wrong"
    print(f"{taken.name:27} {how:9} {taken.pictures:3} pictures {taken.took_s:6.1f} s", flush=True)
    for item in taken.wrong:
        print(f"    {item[:LONGEST]}", flush=True)


@dataclass(frozen=True, kw_only=True)
class Trip:
    """Some of the journeys, through one browser."""

    browser: Browser
    only: Sequence[str]

    def take(self, place: Place, ways: Mapping[str, Callable[[Traveller], None]]) -> list[Taken]:
        """Take those that are wanted, where the chat runs, and tell of each."""
        taken = []
        for name, way in ways.items():
            if any(part in name for part in self.only):
                taken.append(take(self.browser, place.address, name, way))
                tell(taken[-1])
        return taken

    def wants(self, ways: Mapping[str, object]) -> bool:
        """Tell whether any of some journeys is wanted."""
        return any(part in name for name in ways for part in self.only)

    def through(self, folder: Path, cluster: Cluster | None) -> list[Taken]:
        """Take them over one's own index, or one in a Weaviate."""
        place = Place(folder, cluster.indexed if cluster else {})
        ways = journeys(place)
        if cluster:
            ways |= connecting.over_its_index(place, cluster)
        taken = []
        if self.wants(ways):
            if cluster:
                print(cluster.fill(place.environment), flush=True)
            place.start()
            taken = self.take(place, ways)
            place.stop()
        return taken


def main() -> int:
    """Serve, take the journeys, and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="journeys whose name has one of these, by comma")
    parser.add_argument("--weaviate", default="", metavar="URL", help="over a Weaviate, too")
    parser.add_argument("--grpc-port", default=50051, type=int, help="its other port")
    asked = parser.parse_args()
    only = asked.only.split(",")
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        print(f"error: no browser: none of {', '.join(CHROMIUM)} is there", file=sys.stderr)
        return COULD_NOT_RUN
    from playwright.sync_api import sync_playwright

    if only == [""]:
        shutil.rmtree(SHOTS, ignore_errors=True)
    SHOTS.mkdir(parents=True, exist_ok=True)
    cluster = Cluster(url=asked.weaviate, grpc_port=asked.grpc_port) if asked.weaviate else None
    with tempfile.TemporaryDirectory() as folder, lent(cluster) as version:
        if version:
            print(f"over Weaviate {version}")
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
            all_taken = Trip(browser=browser, only=only).through(Path(folder), cluster)
            browser.close()
    for (whose, rule), where in sorted(BARRIERS.items()):
        print(f"axe-core, {whose}: {rule}, {where.total()} times")
        for example, _ in where.most_common(6):
            print(f"    {example}")
    fine = sum(not item.wrong for item in all_taken)
    print("axe-core found nothing serious" if AXE and not BARRIERS else "", end="")
    print(f"\n{fine} of {len(all_taken)} without anything wrong; pictures in {SHOTS.name}/", end="")
    print("" if AXE else "; axe-core is not installed and looked for nothing")
    return FINE if fine == len(all_taken) and not BARRIERS else WRONG


if __name__ == "__main__":
    sys.exit(main())
