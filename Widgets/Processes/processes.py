#!/usr/bin/python3 -ESB
"""Processes: those that use the most of the processor or of memory; a press asks, and ends one."""

import os
import time

from todaykit import Failure, Widget, bytes_words, button, grid, hstack, number, reason, secondary, text, vstack

SIGNALS = {"end": (15, "End"), "kill": (9, "Kill")}
SHORT, LONG = 3, 15
PAUSE = 0.5


class Process:
    """What /proc says about a process."""

    def __init__(self, pid, name, start, ticks, memory):
        self.pid, self.name, self.start, self.ticks, self.memory = pid, name, start, ticks, memory
        self.share = 0.0

    @property
    def key(self):
        return f"{self.pid} {self.start}"


def processes(folder):
    """All processes by their numbers; one that ends meanwhile is left out."""
    found = {}
    page = os.sysconf("SC_PAGE_SIZE")
    try:
        names = os.listdir(folder)
    except OSError as error:
        raise Failure(f"{folder} cannot be read: {reason(error)}") from error
    for name in names:
        if not name.isdigit():
            continue
        try:
            with open(os.path.join(folder, name, "stat"), "rb") as file:
                line = file.read(4096).decode("utf-8", "replace")
            # The name is in parentheses, and may have some itself.
            words = line[line.index("(") + 1:line.rindex(")")]
            fields = line[line.rindex(")") + 2:].split()
            ticks = int(fields[11]) + int(fields[12])
            process = Process(int(name), words, int(fields[19]), ticks, int(fields[21]) * page)
        except (OSError, ValueError, IndexError):
            continue
        if process.memory > 0:
            found[process.pid] = process
    return found


def shares(before, after, seconds):
    """Sets how much of a processor each process has used, in percent."""
    rate = os.sysconf("SC_CLK_TCK") * max(seconds, 0.01)
    for pid, process in after.items():
        old = before.get(pid)
        # One that has begun since then has used all of its time since then.
        used = old.ticks if old and old.start == process.start else 0
        process.share = 100 * max(0, process.ticks - used) / rate


class Processes(Widget):
    expands = True
    folder = "/proc"

    def initialize(self):
        self.before, self.time = {}, 0.0
        self.shown = []
        self.asked = None
        self.note = None

    def view(self):
        return self.draw() if self.shown else None

    def widget_perform_update(self, reason):
        self.sample()
        return self.draw()

    def sample(self):
        if not self.before:
            self.before, self.time = processes(self.folder), time.monotonic()
            time.sleep(PAUSE)
        after, now = processes(self.folder), time.monotonic()
        if len(after) < 2:
            raise Failure("other processes are not shown; permit “org.today.process-info”")
        shares(self.before, after, now - self.time)
        self.before, self.time = after, now
        by_memory = self.configuration.get("order") == "memory"
        key = (lambda one: -one.memory) if by_memory else (lambda one: (-one.share, -one.memory))
        self.shown = sorted(after.values(), key=key)[:LONG]

    def perform_action(self, action, value):
        kind, _, key = action.partition(" ")
        process = self.find(key)
        self.note = None
        if kind == "ask":
            self.asked = key if process else None
            if not process:
                self.note = "That process has ended."
        elif kind in SIGNALS:
            self.asked = None
            pid, start = (int(part) for part in key.split())
            signal, word = SIGNALS[kind]
            self.request("sendSignal", {"process": pid, "startTime": start, "signal": signal})
            self.note = f"{word}: sent to {process.name if process else pid}."
        else:
            self.asked = None
        return self.draw()

    def find(self, key):
        """A process of the last sample, which need not be among those that are shown any more; None if it has ended."""
        number, _, start = (key or "").partition(" ")
        process = self.before.get(int(number)) if number.isdecimal() else None
        return process if process and str(process.start) == start else None

    def draw(self):
        rows = [[secondary("Process"), secondary("CPU"), secondary("Memory")]]
        for process in self.shown[:LONG if self.is_expanded else SHORT]:
            colour = "red" if process.share >= 90 else "orange" if process.share >= 50 else None
            rows.append([
                text([{"text": process.name, "action": f"ask {process.key}"}], truncation="middle"),
                text(f"{number(process.share, 0)} %", colour),
                text(bytes_words(process.memory)),
            ])
        shapes = [{"alignment": "leading"}, *({"alignment": "trailing", "priority": 1},) * 2]
        asked = self.find(self.asked)
        if asked:
            question = hstack(
                text(f"End {asked.name} ({asked.pid})?", bold=True, layoutPriority=-1),
                {"type": "spacer"},
                *(button(word, f"{kind} {asked.key}") for kind, (_, word) in SIGNALS.items()),
                button("Cancel", "cancel"),
            )
            return vstack(question, grid(rows[:1 + LONG if self.is_expanded else SHORT], shapes))
        table = grid(rows, shapes)
        return vstack(secondary(self.note), grid(rows[:SHORT], shapes)) if self.note else table


if __name__ == "__main__":
    Processes().run()
