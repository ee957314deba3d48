#!/usr/bin/python3 -ESB
"""Processes: those that use the most of the processor or of memory, in the order that is chosen; a press asks, and ends one."""

import os
import time

from process_table import KEYS, ordered, processes, shares, tree
from todaykit import Failure, Widget, button, bytes_words, gauge, hstack, list_, number, row, secondary, text, vstack

SIGNALS = {"end": (15, "End"), "kill": (9, "Kill")}
SHORT, LONG, MOST = 3, 15, 40
PAUSE = 0.5
# The columns of the card from which on there is room for bars.
WIDE = 56
BAR_COLUMNS, PID_COLUMNS, SHARE_COLUMNS, MEMORY_COLUMNS = 10, 7, 6, 9
# Of a name, also where the view is laid out narrower than it was made for.
NAME_COLUMNS = 8
DEEPEST = 8  # more levels of the tree are not indented further
HEADS = {"pid": "PID", "name": "Process", "processor": "CPU", "memory": "Memory"}


class Processes(Widget):
    expands = True
    folder = os.environ.get("TODAY_PROC", "/proc")

    def initialize(self):
        self.before, self.time = {}, 0.0
        self.shown = []
        self.asked = None
        self.note = None
        self.is_tree = self.load("tree", False) is True

    @property
    def order(self):
        """The order that was chosen on the card, or that of the settings."""
        chosen = self.load("order", None)
        wanted = self.configuration.get("order")
        return chosen if isinstance(chosen, str) and chosen in KEYS else "memory" if wanted == "memory" else "processor"

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
        self.arrange()

    def arrange(self):
        """Chooses the rows. While a question is open nothing moves: what is pressed next is what was read."""
        if self.find(self.asked):
            found = [self.before.get(one.pid) for one in self.shown]
            for old, new in zip(self.shown, found):
                if new:
                    new.depth = old.depth
            self.shown = [new for old, new in zip(self.shown, found) if new and new.start == old.start]
            return
        self.shown = (tree if self.is_tree else ordered)(self.before, self.order, MOST)

    def perform_action(self, action, value):
        kind, _, key = action.partition(" ")
        process = self.find(key)
        self.note = None
        if kind == "ask":
            self.ask(key)
        elif kind in SIGNALS:
            self.asked = None
            pid, start = (int(part) for part in key.split())
            signal, word = SIGNALS[kind]
            self.request("sendSignal", {"process": pid, "startTime": start, "signal": signal})
            self.note = f"{word}: sent to {process.name if process else pid}."
        else:
            self.asked = None
            if kind == "order" and key in KEYS:
                self.store("order", key)
            elif kind == "tree":
                self.is_tree = not self.is_tree
                self.store("tree", self.is_tree)
            self.arrange()
        return self.draw()

    def ask(self, key):
        self.asked = key if self.find(key) else None
        if not self.asked:
            self.note = "That process has ended."

    def list_should_remove_row(self, identifier, row):
        """The key that removes a row asks whether to end its process."""
        self.note = None
        self.ask(row)
        self.set_view(self.draw())
        return False

    def list_did_remove_row(self, identifier, row):
        return self.draw()

    def find(self, key):
        """A process of the last sample, which need not be among those that are shown any more; None if it has ended."""
        number, _, start = (key or "").partition(" ")
        process = self.before.get(int(number)) if number.isdecimal() else None
        return process if process and str(process.start) == start else None

    # The view.

    def draw(self):
        asked = self.find(self.asked)
        shown = self.shown if self.is_expanded else self.shown[:SHORT]
        rows = [self.question(one) if one is asked else self.row(one) for one in shown]
        if asked and asked not in shown:
            rows = [self.question(asked), *rows][:len(shown)]
        more = {"minimumVisibleRowCount": LONG} if len(rows) > LONG else {}
        return vstack(secondary(self.note) if self.note else self.head(), list_("processes", *rows, **more))

    @property
    def is_wide(self):
        return self.width >= WIDE

    def head(self):
        """The names of the columns, of which a press sorts by one."""
        cells = [
            self.cell(self.name("pid"), PID_COLUMNS, "trailing"),
            text([self.name("name"), *self.tree_switch()], lineLimit=1, layoutPriority=-1),
            {"type": "spacer"},
            self.cell(self.name("processor"), SHARE_COLUMNS + (BAR_COLUMNS + 1) * self.is_wide, "trailing"),
            self.cell(self.name("memory"), MEMORY_COLUMNS, "trailing"),
        ]
        return hstack(*cells)

    def name(self, order):
        is_chosen = order == self.order
        style = {"foreground": "label" if is_chosen else "secondaryLabel", "bold": is_chosen}
        return {"text": HEADS[order], "action": f"order {order}", "style": style}

    def tree_switch(self):
        if not self.is_expanded:
            return []
        style = {"foreground": "label" if self.is_tree else "secondaryLabel", "bold": self.is_tree}
        return ["   ", {"text": "Tree", "action": "tree", "style": style}]

    @staticmethod
    def cell(words, columns, alignment="leading", colour=None):
        return text([words] if isinstance(words, dict) else words, colour, lineLimit=1, alignment=alignment, frame={"width": columns})

    def row(self, process):
        colour = "red" if process.share >= 90 else "orange" if process.share >= 50 else None
        indent = "  " * min(process.depth, DEEPEST) if self.is_tree else ""
        bar = gauge(min(process.share, 100), 0, 100, thresholds=[(0, "teal"), (50, "orange"), (90, "red")], frame={"width": BAR_COLUMNS})
        view = hstack(
            text(str(process.pid), "secondaryLabel", lineLimit=1, alignment="trailing", frame={"width": PID_COLUMNS}),
            text(indent + process.name, lineLimit=1, truncation="middle", layoutPriority=-1, frame={"minWidth": NAME_COLUMNS}),
            {"type": "spacer"},
            bar if self.is_wide else None,
            self.cell(f"{number(process.share, 0)} %", SHARE_COLUMNS, "trailing", colour),
            self.cell(bytes_words(process.memory), MEMORY_COLUMNS, "trailing"),
            help="Enter asks whether to end it",
        )
        return row(process.key, view, action=f"ask {process.key}")

    def question(self, process):
        """The question in the place of the row of its process."""
        view = hstack(
            text(f"End {process.name} ({process.pid})?", bold=True, lineLimit=1, layoutPriority=-1),
            {"type": "spacer"},
            *(button(word, f"{kind} {process.key}") for kind, (_, word) in SIGNALS.items()),
            button("Cancel", "cancel"),
        )
        return row(process.key, view)


if __name__ == "__main__":
    Processes().run()
