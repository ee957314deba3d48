"""A picture of 40 × 20 cells: how long it takes to be drawn with characters, and what it costs to scroll."""

import re
import shutil
import time
from pathlib import Path

from crowd import WHEEL
from measure import Results, Session
from processes import Reading
from programs import Page, Today

FIXTURE = Path(__file__).resolve().parent.parent / "Tests/Fixtures/Painting.widget"
BLOCK = re.compile("[\u2580-\u259f]")
# In 480 × 270 pixels these are 71 columns, of which a column of the page has fewer.
ROWS = "20"
COPIES = 12


class Painting(Today):
    """The product with cards that show a picture each."""

    def arguments(self, page: Page) -> list[str]:
        folder = self.scratch / f"widgets-{page.count}-picture"
        for number in range(page.count):
            bundle = folder / f"Picture{number:02}.widget"
            if bundle.exists():
                continue
            shutil.copytree(FIXTURE, bundle)
            plist = bundle / "Info.plist"
            name = f"painting{number:02}"
            plist.write_text(plist.read_text().replace("fixture.painting", f"fixture.{name}"))
        return [str(self.binary), "--widgets", str(folder)]

    def environment(self, page: Page) -> dict[str, str]:
        return {**super().environment(page), "TODAY_PAINTING_ROWS": ROWS, "COLORTERM": "truecolor"}

    def words(self, page: Page) -> list[str]:
        return ["Painting"]


def pictures(results: Results, today: Today, seconds: float, starts: int) -> None:
    """From exec to the first characters of the picture; then the wheel turns through twelve of them."""
    program = Painting(today.built, today.scratch, today.binary)
    program.visible[Page(1, "picture")] = ["Painting"]
    for _ in range(starts):
        begun = time.monotonic()
        with Session(results, program, Page(1, "picture")) as terminal:
            while time.monotonic() - begun < 10:
                terminal.read_for(0.01)
                text = b"".join(data for _, data in terminal.reads).decode("utf-8", "replace")
                if BLOCK.search(text):
                    results.add(today, "picture", 1000 * (time.monotonic() - begun))
                    break
    with Session(results, program, Page(COPIES, "picture")) as terminal:
        terminal.read_for(4)
        before, begun, turns = Reading.of(terminal.pid), time.monotonic(), 0
        while (passed := time.monotonic() - begun) < seconds:
            terminal.write(WHEEL[passed > seconds / 2])
            turns += 1
            terminal.read_for(max(0.0, begun + turns / 30 - time.monotonic()))
        used = Reading.of(terminal.pid).host_since(before).cpu
        results.add(today, "picture scroll", 1000 * used / turns)
