#!/usr/bin/python3 -ESB
"""Containers: those of docker or podman with what they use; a press starts or stops one."""

import re
import shutil

from todaykit import COMPACT_ROWS, Failure, Widget, button, grid, hstack, number, run, secondary, text, vstack

COLOURS = {"running": "green", "restarting": "yellow", "paused": "yellow", "dead": "red"}
VERBS = {"stop": "stopped", "start": "started"}
COLUMNS = "{{.ID}}\t{{.Names}}\t{{.State}}\t{{.Status}}\t{{.Image}}"
USAGE = "{{.ID}}\t{{.CPUPerc}}\t{{.MemUsage}}"
# A stop waits 10 s for the container before it is killed.
STOP_SECONDS = 20
# The columns from which on there is room for a long status beside what is used.
WIDE = 50


class Container:
    def __init__(self, identifier, name, state, status, image):
        self.identifier, self.name, self.state, self.status, self.image = identifier, name, state.lower(), status, image
        self.processor, self.memory = None, ""

    @property
    def runs(self):
        return self.state in ("running", "restarting", "paused")

    @property
    def failed(self):
        return self.state == "dead" or bool(re.match(r"Exited \((?!0\))", self.status))


class Containers(Widget):

    def initialize(self):
        self.shown = None
        self.asked = self.note = None

    def view(self):
        return self.draw() if self.shown is not None else None

    def engine(self):
        """The program that is asked."""
        wanted = self.setting("engine", "automatic")
        names = ("podman", "docker") if wanted == "automatic" else (wanted,)
        for name in names:
            if shutil.which(name):
                return name
        raise Failure(f"{' or '.join(names)} is not installed; install it with: apt install podman")

    def widget_perform_update(self, reason):
        self.read()
        return self.draw()

    def read(self):
        engine = self.engine()
        options = ["--all"] if self.setting("stopped", True) else []
        found = []
        for line in run([engine, "ps", *options, "--no-trunc", "--format", COLUMNS], seconds=10).splitlines():
            fields = line.split("\t")
            if len(fields) == 5 and re.fullmatch(r"[0-9a-f]{12,64}", fields[0]):
                found.append(Container(*fields))
        if any(one.runs for one in found):
            self.measure(engine, {one.identifier: one for one in found})
        self.shown = sorted(found, key=lambda one: (not one.failed, not one.runs, one.name))

    def measure(self, engine, found):
        """Sets what the running ones use; without it they are shown all the same."""
        try:
            output = run([engine, "stats", "--no-stream", "--no-trunc", "--format", USAGE], seconds=12)
        except Failure as failure:
            return self.log(failure, "warning")
        for line in output.splitlines():
            fields = line.split("\t")
            match = re.fullmatch(r"\s*([0-9.]+)\s*%", fields[1]) if len(fields) == 3 else None
            one = next((one for key, one in found.items() if key.startswith(fields[0])), None) if match else None
            if one:
                one.processor = float(match.group(1))
                one.memory = fields[2].split("/")[0].strip()
        return None

    def perform_action(self, action, value):
        kind, _, key = action.partition(" ")
        one = next((one for one in self.shown or [] if one.identifier == key), None)
        self.note, self.asked = None, None
        if kind == "ask" and one:
            self.asked = key
        elif kind in VERBS and one:
            run([self.engine(), kind, "--", key], seconds=STOP_SECONDS)
            self.note = f"{one.name} was {VERBS[kind]}."
            self.read()
        elif kind != "cancel":
            self.note = "That container is gone."
        return self.draw()

    def status(self, one):
        """What the engine says of one, without how long ago it ended where there is no room for that."""
        ended = re.match(r"Exited \(\d+\)", one.status)
        return ended.group() if ended and self.width < WIDE else one.status

    def draw(self):
        if not self.shown:
            return secondary("There are no containers.")
        full, short = [], []
        for one in self.shown:
            colour = "red" if one.failed else COLOURS.get(one.state, "secondaryLabel")
            name = [{"text": "● ", "style": {"foreground": colour}}, {"text": one.name, "action": f"ask {one.identifier}"}]
            use = f"{number(one.processor)} %" if one.processor is not None else ""
            row = [text(name, truncation="middle"), secondary(self.status(one)), text(use), text(one.memory)]
            short.append(row)
            full += [row, ["", secondary(one.image, truncation="middle"), "", ""]]
        head = []
        asked = next((one for one in self.shown if one.identifier == self.asked), None)
        if asked:
            word, kind = ("Stop", "stop") if asked.runs else ("Start", "start")
            question = text(f"{word} {asked.name}?", bold=True, layoutPriority=-1)
            press = button(word, f"{kind} {asked.identifier}")
            head = [hstack(question, {"type": "spacer"}, press, button("Cancel", "cancel"))]
        elif self.note:
            head = [secondary(self.note)]
        shapes = [{"alignment": "leading", "priority": 1}, {"alignment": "leading"}, *({"alignment": "trailing", "priority": 1},) * 2]
        return vstack(*head, grid(self.fit(full, short, COMPACT_ROWS - len(head)), shapes))


if __name__ == "__main__":
    Containers().run()
