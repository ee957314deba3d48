"""Many widgets: the cost of a page that has more cards than a screen shows, and how it grows."""

import shutil
import time

from measure import Results, Session, first_picture, idle, press_keys, warm_up
from processes import Reading, memory_kib
from programs import Page, Program

COUNTS = (200, 1000)
# The mouse wheel in the middle of the screen, down and up (SGR, mode 1006).
WHEEL = (b"\x1b[<65;60;20M", b"\x1b[<64;60;20M")


def crowd(
    results: Results, program: Program, count: int, seconds: float, presses: int, starts: int
) -> None:
    """First picture, idle cost, keys and memory with `count` pushing widgets."""
    page, name = Page(count, "push"), f"{count}"
    settling = 3 + count / 200
    warm_up(results, program, page, settling)
    for _ in range(starts):
        first_picture(results, program, page, f"{name} first picture")
    with Session(results, program, page, f"{name} quit") as terminal:
        terminal.read_for(settling)
        idle(results, program, terminal, name, seconds)
        if presses:
            press_keys(results, program, terminal, f"{name} key", presses)
        results.add(program, f"{name} memory", memory_kib(terminal.pid) / 1024)


def first_minute(results: Results, program: Program, count: int) -> None:
    """The CPU time of the tree in the first minute of a page that was never seen, from exec on."""
    page = Page(count, "push")
    shutil.rmtree(program.environment(page)["HOME"])
    with Session(results, program, page) as terminal:
        terminal.read_for(60)
        used = Reading.of(terminal.pid).tree_since(Reading(terminal.pid)).cpu
        results.add(program, f"{count} first minute", used)


def tiles(results: Results, program: Program, seconds: float) -> None:
    """The idle cost of 200 cards that stand side by side, so that a quarter of them is on the screen."""
    page = Page(200, "push", tiles=True)
    warm_up(results, program, page, 4)
    with Session(results, program, page) as terminal:
        terminal.read_for(4)
        idle(results, program, terminal, "200 tiles", seconds)


def scroll(results: Results, program: Program, seconds: float) -> None:
    """The wheel turns thirty times a second, through all 200 cards and back."""
    page = Page(200, "push")
    with Session(results, program, page) as terminal:
        terminal.read_for(4)
        before, begun, turns = Reading.of(terminal.pid), time.monotonic(), 0
        while (passed := time.monotonic() - begun) < seconds:
            terminal.write(WHEEL[passed > seconds / 2])
            turns += 1
            terminal.read_for(max(0.0, begun + turns / 30 - time.monotonic()))
        passed = time.monotonic() - begun
        used = Reading.of(terminal.pid).host_since(before).cpu
        results.add(program, "200 scroll CPU", 100 * used / passed)


def blocks(results: Results, program: Program, seconds: float) -> None:
    """The cost of a bar that starts a script each second for each of 200 blocks."""
    with Session(results, program, Page(200, "push")) as terminal:
        terminal.read_for(2)
        idle(results, program, terminal, "200", seconds)


def bytes_per_card(results: Results, program: Program, count: int, figure: str) -> None:
    """The bytes per second divided by the cards on the screen."""
    cards = len(program.visible.get(Page(count, "push"), [])) or count
    if cards:
        found = results.samples[program.name, f"{figure} bytes"]
        results.add(program, f"{figure} bytes a card", *(value / cards for value in found))
