"""How a widget that writes as fast as its pipe accepts data affects the page."""

import os
import random
import signal
import subprocess
import time

from measure import Results, Session
from processes import Reading, memory_kib
from programs import Page, Program, Today
from screen import Screen
from terminal import Terminal

PAGE, FLOODER = Page(17, "push"), 1


def offered(results: Results, program: Today) -> None:
    """How much the widget writes to a reader that never pauses, in MB per second."""
    with subprocess.Popen(
        [str(program.built / "widget")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout
        time.sleep(0.2)
        child.send_signal(signal.SIGUSR1)
        got, begun = 0, time.monotonic()
        while time.monotonic() < begun + 0.5:
            got += len(os.read(child.stdout.fileno(), 1 << 20))
        results.add(program, "flood offered", got / (time.monotonic() - begun) / 1e6)
        child.kill()


def flood(results: Results, program: Program, seconds: float) -> None:
    """Keys and ticks before and during a flood, then CPU and memory, then quitting, during the flood.

    The host ends a widget that floods for ten seconds, so all measurements take place within eight.
    """
    with Session(results, program, PAGE, "flood quit") as terminal:
        terminal.read_for(2.5)
        watch(results, program, terminal, "calm", seconds)
        memory, flooder = memory_kib(terminal.pid), program.feeder(terminal.pid, FLOODER)
        if flooder is None:
            results.note(program, "the widget that was to flood did not run")
            return
        os.kill(flooder, signal.SIGUSR1)
        terminal.read_for(0.5)
        before = Reading.of(terminal.pid)
        terminal.read_for(2)
        cpu = Reading.of(terminal.pid).host_since(before).cpu
        results.add(program, "flood host CPU", 100 * cpu / 2)
        watch(results, program, terminal, "flood", seconds)
        grown = (memory_kib(terminal.pid) - memory) / 1024
        results.add(program, "flood memory", max(grown, 0))
        if not os.path.exists(f"/proc/{flooder}"):
            results.note(program, "the flood had ended before it was measured")


def watch(
    results: Results, program: Program, terminal: Terminal, figure: str, seconds: float
) -> None:
    """Moves the focus for a while; measures how late keys are, and how long the other cards are not
    updated.

    The flooding widget may draw at any moment, so a key counts as handled when a card's title is drawn
    again, which happens only if the card gains or loses the focus. The screen is reconstructed
    afterwards, so that this slows no program down. F is not measured here because its terminal is
    overloaded by then.
    """
    end, presses, pressed = time.monotonic() + seconds, 0, []
    begun = time.monotonic()
    while time.monotonic() < end:
        terminal.read_for(random.uniform(0.05, 0.12))
        # Between the third card and its neighbours, after two steps to the third card.
        key = program.next_key if presses < 2 or presses % 2 else program.previous_key
        pressed.append(terminal.write(key))
        presses += 1
    ended = time.monotonic()
    terminal.read_for(0.3)
    for key in (program.previous_key,) * 2:
        terminal.write(key)
    terminal.read_for(0.1)
    if not isinstance(program, Today):
        return
    screen = Screen.of(terminal.reads)
    drawn = screen.title_writes()
    for when, following in zip(pressed, [*pressed[1:], ended + 0.3]):
        latency = next((one - when for one in drawn if when < one <= following), None)
        if latency is None:
            results.note(program, f"a key that moves the focus was not seen ({figure})")
        else:
            results.add(program, f"{figure} key", latency * 1000)
    for row, column, value in screen.counters():
        if value // 1000 != FLOODER:
            ticks = [when for when in screen.changes[row, column] if begun <= when <= ended]
            edges = [begun, *ticks, ended]
            results.add(program, f"{figure} gap", max(
                later - earlier for earlier, later in zip(edges, edges[1:])
            ))
