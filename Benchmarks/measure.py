"""The measurements: each starts a program in a terminal, observes it, and quits it."""

import random
import re
import time
from collections import defaultdict
from dataclasses import dataclass, field

from processes import Reading, memory_kib
from programs import Page, Program, Today
from screen import Screen
from terminal import Ended, Terminal
from Widgets.make_bundles import titles

LIVE, REST = Page(16, "push"), Page(16, "rest")
RESIZING = Page(6, "more")
FRAME = re.compile(rb"\x1b\[\?2026h.*?\x1b\[\?2026l", re.DOTALL)
FRAME_START = b"\x1b[?2026h"


@dataclass
class Results:
    """All samples by program and figure, and the problems."""

    samples: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    notes: list[str] = field(default_factory=list)

    def add(self, program: Program, figure: str, *values: float | None) -> None:
        self.samples[program.name, figure] += [value for value in values if value is not None]

    def note(self, program: Program, text: str) -> None:
        line = f"{program.name}: {text}"
        if line not in self.notes:
            self.notes.append(line)


class Session:
    """A program on a page, started on entry and quit on exit in any case."""

    def __init__(self, results: Results, program: Program, page: Page, figure: str = "") -> None:
        self.results, self.program, self.page, self.quit_figure = results, program, page, figure

    def __enter__(self) -> Terminal:
        arguments = self.program.arguments(self.page)
        self.terminal = Terminal(arguments, self.program.environment(self.page))
        return self.terminal

    def __exit__(self, kind: type | None, error: BaseException | None, _: object) -> bool:
        has_ended = self.terminal.has_ended
        seconds, left = self.terminal.quit(self.program.quit_key)
        if left:
            self.results.note(self.program, f"left {left} processes behind, which were ended")
        if isinstance(error, Ended):
            shown = self.terminal.text().strip()[-120:]
            self.results.note(self.program, f"{error}; it said: {shown!r}")
            return True
        if seconds is None and not has_ended:
            self.results.note(self.program, "did not quit in 5 s and was killed")
        elif self.quit_figure and error is None:
            self.results.add(self.program, self.quit_figure, (seconds or 0) * 1000)
        return False


def warm_up(results: Results, program: Program, page: Page = LIVE, settling: float = 1.5) -> None:
    """Runs the program once, so that files are in memory; leaves snapshots and finds out what is visible."""
    program.prepare(page)
    with Session(results, program, page) as terminal:
        wanted = program.words(page)
        terminal.wait_for(wanted, 3)
        terminal.read_for(settling)
        text = terminal.text()
        visible = [title for title in titles(page.count) if title in text]
        if isinstance(program, Today) or page.count > LIVE.count:
            program.visible[page] = visible
        if isinstance(program, Today) and len(visible) < min(page.count, LIVE.count):
            results.note(program, f"shows {len(visible)} of {page.count} cards at 120x40")


def first_picture(
    results: Results, program: Program, page: Page = LIVE, figure: str = "first picture"
) -> None:
    with Session(results, program, page) as terminal:
        seconds = terminal.wait_for(program.words(page), 5)
        if seconds is None:
            results.note(program, f"{figure} was not whole after 5 s")
        else:
            results.add(program, figure, seconds * 1000)
        terminal.read_for(0.15)


def idle(
    results: Results, program: Program, terminal: Terminal, figure: str, seconds: float
) -> None:
    """The cost of a page without user input."""
    before = Reading.of(terminal.pid)
    reads = terminal.read_for(seconds)
    after = Reading.of(terminal.pid)
    host, tree = after.host_since(before), after.tree_since(before)
    results.add(program, f"{figure} host CPU", 100 * host.cpu / seconds)
    results.add(program, f"{figure} tree CPU", 100 * tree.cpu / seconds)
    results.add(program, f"{figure} host wake-ups", host.wakeups / seconds)
    results.add(program, f"{figure} tree wake-ups", tree.wakeups / seconds)
    results.add(program, f"{figure} bytes", sum(len(data) for _, data in reads) / seconds)


def press_keys(
    results: Results, program: Program, terminal: Terminal, figure: str, presses: int
) -> None:
    """Keys at random moments; measures the time to the first byte of output after each."""
    # Two steps ahead, so that every later press moves the focus.
    for key in [program.next_key] * 2 + [program.previous_key, program.next_key] * presses:
        terminal.read_for(random.uniform(0.04, 0.12))
        latency = terminal.first_byte_after(key, 2)
        if latency is None:
            results.note(program, "a key that moves the focus drew nothing for 2 s")
            break
        results.add(program, figure, latency * 1000)


def live(results: Results, program: Program, seconds: float, presses: int) -> None:
    """Idle cost, keys at random moments, memory and quitting, with 16 pushing widgets."""
    with Session(results, program, LIVE, "quit") as terminal:
        terminal.read_for(2.5)
        idle(results, program, terminal, "idle", seconds)
        press_keys(results, program, terminal, "key", presses)
        results.add(program, "memory", memory_kib(terminal.pid) / 1024)


def rest(results: Results, program: Program, seconds: float) -> None:
    """The cost of a page when nothing is due: its widgets never push."""
    with Session(results, program, REST) as terminal:
        terminal.read_for(3)
        idle(results, program, terminal, "rest", seconds)


def resize(results: Results, program: Program, times: int) -> None:
    """The first card grows by 24 rows and shrinks again; nothing else on the page moves."""
    with Session(results, program, RESIZING) as terminal:
        terminal.read_for(2.5)
        if isinstance(program, Today) and not find_button(terminal):
            results.note(program, "Tab and Enter did not make the first card grow")
            return
        for _ in range(times):
            before, earlier_reads = Reading.of(terminal.pid), len(terminal.reads)
            terminal.write(program.resize_key or b"")
            reads = terminal.read_until_quiet(0.3, 1.5)
            after = Reading.of(terminal.pid)
            if not reads:
                results.note(program, "an animated resize drew nothing")
                return
            starts, is_inside = frames(reads)
            moving = [start for start in starts if start < starts[0] + 0.4]
            gaps = [later - earlier for earlier, later in zip(moving, moving[1:])]
            results.add(program, "resize bytes", sum(len(data) for _, data in reads))
            if least := bytes_of_changes(terminal.reads[:earlier_reads], reads):
                sent = sum(len(data) for _, data in reads)
                results.add(program, "resize bytes a change", sent / least)
            results.add(program, "resize CPU", after.host_since(before).cpu * 1000)
            results.add(program, "resize frames", len(moving))
            results.add(program, "resize gap", max(gaps, default=0) * 1000)
            results.add(program, "resize inside 2026", float(is_inside))


def motion(results: Results, program: Program, seconds: float) -> None:
    """A card that is always on its way: pressed again before it has reached its height."""
    with Session(results, program, RESIZING) as terminal:
        terminal.read_for(2.5)
        if not find_button(terminal):
            results.note(program, "Tab and Enter did not make the first card grow")
            return
        before, begun = Reading.of(terminal.pid), time.monotonic()
        while time.monotonic() < begun + seconds:
            terminal.write(program.resize_key or b"")
            terminal.read_for(0.2)
        passed = time.monotonic() - begun
        used = Reading.of(terminal.pid).host_since(before).cpu
        results.add(program, "motion CPU", 100 * used / passed)


def bytes_of_changes(before: list[tuple[float, bytes]], reads: list[tuple[float, bytes]]) -> int:
    """The bytes of the characters that differ from frame to frame: the least that a frame can send."""
    screen, count = Screen.of(before), 0
    shown = [list(row) for row in screen.cells]
    pieces = re.split(rb"(?<=\x1b\[\?2026l)", b"".join(data for _, data in reads))
    for piece in pieces:
        screen.feed(0, piece)
        for old, new in zip(shown, screen.cells):
            count += sum(len(b.encode()) for a, b in zip(old, new) if a != b)
        shown = [list(row) for row in screen.cells]
    return count


def find_button(terminal: Terminal) -> bool:
    """Presses the focused element, then those that Tab moves to, until the first card is tall."""
    for keys in (b"\t", b"", b"\t", b"j", b"\t"):
        for key in (keys, b"\r"):
            first = len(terminal.reads)
            if key:
                terminal.write(key)
            terminal.read_for(0.7 if key == b"\r" else 0.1)
        if re.search(r"row.?26", terminal.text(first)):
            return True
    return False


def frames(reads: list[tuple[float, bytes]]) -> tuple[list[float], bool]:
    """The start of each frame, and whether everything from the first frame on was drawn in mode 2026.

    Before the first frame, the pressed button is drawn. Without the mode, reads less than 4 ms apart
    count as one frame.
    """
    everything = b"".join(data for _, data in reads)
    if FRAME_START in everything:
        starts = [when for when, data in reads for _ in range(data.count(FRAME_START))]
        motion = everything[everything.index(FRAME_START) :]
        return starts or [reads[0][0]], not FRAME.sub(b"", motion)
    starts, latest = [], 0.0
    for when, _ in reads:
        if when > latest + 0.004:
            starts.append(when)
        latest = when
    return starts, False
