#!/usr/bin/python3 -ESB
"""Processes: those that use the most of the processor or of memory, in the order that is chosen; a press asks, and ends one."""

import os
import threading
import time

from process_table import KEYS, Details, ordered, processes, shares, tree
from todaykit import Failure, Widget, button, bytes_words, gauge, hstack, list_, number, row, secondary, text, vstack

SIGNALS = {"end": (15, "End"), "kill": (9, "Kill")}
SHORT, LONG, MOST = 3, 15, 40
# A share is of so much time at least: processors are counted in hundredths of a second.
PAUSE = 0.5
# While the card is on the screen, it is looked at so often.
LOOK_SECONDS = 2
# With thousands of processes it is looked at less often, so that it takes one part in so many of a processor.
LOOK_SHARE = 100
# A message stays so long, but for a press.
NOTE_SECONDS = 6
# And a question without an answer so long.
QUESTION_SECONDS = 60
# How long it is waited for a process that is to end.
END_SECONDS = 0.4
# After a longer time than this, an average says nothing of the present.
OLD_SECONDS = 60
# The columns of the card from which on there is room for bars.
WIDE = 56
# And for what a process was started with, and for its user and its threads.
COMMAND_WIDTH, WIDEST = 70, 90
USER_COLUMNS, THREAD_COLUMNS = 9, 7
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
        self.asked, self.asked_time = None, 0.0
        self.note, self.note_end = None, 0.0
        self.is_tree = self.load("tree", False) is True
        self.is_arranged_expanded = self.is_expanded
        self.details = {}
        self.latest = None
        self.is_visible = threading.Event()
        self.is_looking = False
        self.look_cost = 0.0
        self.follower = None

    @property
    def order(self):
        """The order that was chosen on the card, or that of the settings."""
        chosen = self.load("order", None)
        wanted = self.configuration.get("order")
        return chosen if isinstance(chosen, str) and chosen in KEYS else "memory" if wanted == "memory" else "processor"

    def view(self):
        if self.is_arranged_expanded != self.is_expanded and self.before:
            self.arrange()
        return self.draw() if self.shown else None

    def widget_perform_update(self, reason):
        self.sample()
        return self.draw()

    # While it is on the screen, the list is a few seconds old at most.

    def view_did_appear(self):
        self.is_visible.set()
        if not self.follower:
            self.follower = threading.Thread(target=self.follow, daemon=True)
            self.follower.start()

    def view_will_disappear(self):
        self.is_visible.clear()

    def follow(self):
        while self.is_visible.wait():
            if not self.is_looking:
                self.is_looking = True
                self.perform_later(self.look)
            time.sleep(max(LOOK_SECONDS, LOOK_SHARE * self.look_cost))

    def look(self):
        """Another view, where something has changed."""
        self.is_looking = False
        if not self.is_visible.is_set() or time.monotonic() - self.time < LOOK_SECONDS - PAUSE:
            return None
        before, begun = self.latest, time.thread_time()
        try:
            self.sample()
        except Failure:
            # The next update says it.
            return None
        if self.note and time.monotonic() > self.note_end:
            self.note = None
        view = self.draw()
        self.look_cost = time.thread_time() - begun
        return view if view != before else None

    def say(self, words):
        self.note, self.note_end = words, time.monotonic() + NOTE_SECONDS

    def sample(self):
        if not self.before or time.monotonic() - self.time > OLD_SECONDS:
            self.before, self.time = processes(self.folder), time.monotonic()
        # There may have been another look just now, as where the card has come on the screen before its first update.
        time.sleep(max(0, self.time + PAUSE - time.monotonic()))
        after, now = processes(self.folder), time.monotonic()
        if len(after) < 2:
            raise Failure("other processes are not shown; permit “org.today.process-info”")
        shares(self.before, after, now - self.time)
        self.before, self.time = after, now
        if now - self.asked_time > QUESTION_SECONDS:
            self.asked = None
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
        self.is_arranged_expanded = self.is_expanded
        if self.is_tree and self.is_expanded:
            self.shown = tree(self.before, self.order, MOST)
        else:
            # The first rows of a tree are those that have started all others, which say nothing.
            is_measured = self.order in ("processor", "memory") or not self.is_tree
            self.shown = ordered(self.before, self.order if is_measured else "processor", MOST)

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
            self.say(f"{word}: sent to {process.name if process else pid}.")
            self.renew(pid, start)
        else:
            self.asked = None
            if kind == "order" and key in KEYS:
                self.store("order", key)
            elif kind == "tree":
                self.is_tree = not self.is_tree
                self.store("tree", self.is_tree)
            self.arrange()
        return self.draw()

    def renew(self, pid, start):
        """A new list, without a process that is to end, if it does so at once."""
        end = time.monotonic() + END_SECONDS
        after = processes(self.folder)
        while pid in after and after[pid].start == start and time.monotonic() < end:
            time.sleep(0.02)
            after = processes(self.folder)
        now = time.monotonic()
        if now - self.time > PAUSE:
            shares(self.before, after, now - self.time)
            self.before, self.time = after, now
        else:
            self.before = {key: one for key, one in self.before.items() if key in after and after[key].start == one.start}
        self.arrange()

    def ask(self, key):
        process = self.find(key)
        self.asked = None
        if not process:
            self.say("That process has ended.")
        elif not self.details_of(process).can_be_ended:
            user = self.details_of(process).user_words
            self.say(f"{process.name} ({process.pid}) belongs to {'another user' if user == 'other' else user}; it cannot be ended.")
        else:
            self.asked, self.asked_time = key, time.monotonic()

    def details_of(self, process):
        # A process can become another program.
        if process.identity not in self.details:
            self.details[process.identity] = Details(self.folder, process)
        return self.details[process.identity]

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
        shown = self.shown if self.is_expanded else self.shown[:SHORT - bool(self.note)]
        known = {one.identity for one in shown}
        self.details = {identity: one for identity, one in self.details.items() if identity in known}
        rows = [self.question(one) if one is asked else self.row(one) for one in shown]
        if asked and asked not in shown:
            rows = [self.question(asked), *rows][:len(shown)]
        more = {"minimumVisibleRowCount": LONG} if len(rows) > LONG else {}
        note = secondary(self.note) if self.note else None
        self.latest = vstack(self.head(), note, list_("processes", *rows, **more))
        return self.latest

    @property
    def is_wide(self):
        return self.width >= WIDE

    @property
    def is_widest(self):
        return self.width >= WIDEST and self.is_expanded

    def head(self):
        """The names of the columns, of which a press sorts by one."""
        cells = [
            self.cell(self.name("pid"), PID_COLUMNS, "trailing"),
            text([self.name("name"), *self.tree_switch()], lineLimit=1, layoutPriority=-1),
            {"type": "spacer"},
            *([self.cell("User", USER_COLUMNS, colour="secondaryLabel")] if self.is_widest else []),
            *([self.cell("Threads", THREAD_COLUMNS, "trailing", "secondaryLabel")] if self.is_widest else []),
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
        indent = "  " * min(process.depth, DEEPEST) if self.is_tree else ""
        words, cut = indent + process.name, "middle"
        if self.width >= COMMAND_WIDTH and self.is_expanded:
            command = self.details_of(process).command
            words, cut = [words, {"text": f" {command}", "style": {"foreground": "secondaryLabel"}}] if command else words, "tail"
        view = hstack(
            text(str(process.pid), "secondaryLabel", lineLimit=1, alignment="trailing", frame={"width": PID_COLUMNS}),
            text(words, lineLimit=1, truncation=cut, layoutPriority=-1, frame={"minWidth": NAME_COLUMNS}),
            {"type": "spacer"},
            *([self.cell(self.details_of(process).user_words, USER_COLUMNS, colour="secondaryLabel")] if self.is_widest else []),
            *([self.cell(str(process.threads), THREAD_COLUMNS, "trailing", "secondaryLabel")] if self.is_widest else []),
            self.bar(process.share) if self.is_wide else None,
            self.share(process.share),
            self.cell(bytes_words(process.memory), MEMORY_COLUMNS, "trailing"),
            help="Enter asks whether to end it",
        )
        return row(process.key, view, action=f"ask {process.key}")

    def bar(self, share):
        if share is None:
            return self.cell("", BAR_COLUMNS)
        return gauge(min(share, 100), 0, 100, thresholds=[(0, "teal"), (50, "orange"), (90, "red")], frame={"width": BAR_COLUMNS})

    def share(self, share):
        if share is None:
            return self.cell("–", SHARE_COLUMNS, "trailing", "secondaryLabel")
        colour = "red" if share >= 90 else "orange" if share >= 50 else None
        return self.cell(f"{number(share, 0)} %", SHARE_COLUMNS, "trailing", colour)

    def question(self, process):
        """The question in the place of the row of its process."""
        view = hstack(
            text(f"End {process.name} ({process.pid})?", bold=True, lineLimit=1, layoutPriority=-1),
            {"type": "spacer"},
            *(button(word, f"{kind} {process.key}") for kind, (_, word) in SIGNALS.items()),
            # The host presses it on Esc.
            button("Cancel", "cancel", id="cancel"),
        )
        return row(process.key, view)


if __name__ == "__main__":
    Processes().run()
