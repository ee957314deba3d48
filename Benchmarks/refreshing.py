"""The cost of one refresh, with a widget in C and in bash, and with a bash that is started for it."""

import resource
import shutil
import subprocess
from pathlib import Path

from measure import Results, Session
from processes import Reading
from programs import SCRIPT, Page, Today
from screen import Screen
from terminal import Terminal

PAUSE = 0.1


def updates_seen(terminal: Terminal) -> int:
    """The sum of all counters on the screen; a widget adds one for each requested update."""
    return sum(value for _, _, value in Screen.of(terminal.reads).counters())


def refresh(results: Results, program: Today, mode: str, times: int) -> None:
    """Refreshes the focused card repeatedly; the result is CPU time per update that was seen.

    The host's share includes the key, the message and its answer, the snapshot on the disk and the
    picture.
    """
    with Session(results, program, Page(16, mode)) as terminal:
        terminal.read_for(4)
        seen, before = updates_seen(terminal), Reading.of(terminal.pid)
        for _ in range(times):
            terminal.write(b"r")
            terminal.read_for(PAUSE)
        terminal.read_for(0.5)
        after, updates = Reading.of(terminal.pid), updates_seen(terminal) - seen
        if updates < times / 2:
            results.note(program, f"made {updates} updates ({mode}) when asked for {times}")
        if updates > 0:
            host, tree = after.host_since(before), after.tree_since(before)
            results.add(program, f"refresh {mode} host CPU", host.cpu * 1e6 / updates)
            results.add(program, f"refresh {mode} tree CPU", tree.cpu * 1e6 / updates)


def floor_line(results: Results) -> None:
    """The comparable figure for F: its host's CPU for one line of a pusher, from the idle runs with 16."""
    percent = results.samples["F", "idle host CPU"]
    results.samples["F", "refresh due host CPU"] = [value * 1e4 / 16 for value in percent]


def spawned(results: Results, scratch: Path, times: int) -> None:
    """The CPU of a bash that is started for the same work, prints the view and exits.

    The cost for its parent of starting it and reading from it is not counted.
    """
    script = scratch / "Bench01.widget" / "widget"
    script.parent.mkdir(exist_ok=True)
    shutil.copy2(SCRIPT, script)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(times):
        subprocess.run(["bash", str(script), "once"], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    results.samples["spawned bash", "refresh bash tree CPU"].append(cpu * 1e6 / times)

