#!/usr/bin/python3 -ESB
"""Containers: those of docker or podman with what they use; a press starts or stops one."""

import re
import shutil

from todaykit import COMPACT_ROWS, Failure, Widget, button, grid, hstack, number, run, secondary, span, text, vstack

COLOURS = {
    "running": "green", "restarting": "orange", "paused": "yellow", "removing": "yellow", "stopping": "yellow",
    "dead": "red", "unhealthy": "red", "starting": "yellow",
}
STATES = {"created", "running", "restarting", "paused", "removing", "stopping", "exited", "dead", "configured", "initialized", "stopped"}
STATUS = re.compile(r"(Up|Exited|Restarting|Paused|Created|Dead)\b(.*\(Paused\))?", re.IGNORECASE)
STATES_OF = {"exited": "exited", "restarting": "restarting", "paused": "paused", "created": "created", "dead": "dead"}
# Exit statuses of those that ended because they were asked to: with 0, or by TERM.
ENDED_AS_ASKED = (0, 143)
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
        # Old versions say in place of the state what they say of it in words.
        if self.state not in STATES and (match := STATUS.match(status)):
            self.state = STATES_OF.get(match.group(1).lower(), "paused" if match.group(2) else "running")
        self.processor, self.memory = None, ""

    @property
    def runs(self):
        return self.state in ("running", "restarting", "paused")

    @property
    def health(self):
        """What its own check says: unhealthy, starting or healthy; empty where there is none, or it does not run."""
        match = re.search(r"\((?:health: )?(unhealthy|starting|healthy)\)", self.status, re.IGNORECASE)
        return match.group(1).lower() if match and self.state == "running" else ""

    @property
    def exit_status(self):
        match = re.match(r"(?:Exited|Restarting) \((-?\d+)\)", self.status)
        return int(match.group(1)) if match else 0

    @property
    def failed(self):
        return self.state == "dead" or self.health == "unhealthy" or self.exit_status not in ENDED_AS_ASKED

    @property
    def colour(self):
        if self.failed:
            return "orange" if self.state == "restarting" else "red"
        return COLOURS.get(self.health) or COLOURS.get(self.state, "secondaryLabel")


def own_name(names):
    """The name of a container itself; those that linked ones have for it are behind a slash (app/db)."""
    listed = [name.strip() for name in names.split(",")]
    return next((name for name in listed if name and "/" not in name), names.strip())


class Containers(Widget):

    def initialize(self):
        self.shown = None
        # What was asked, and the number of its lines that cannot be read.
        self.asked_engine, self.unread = "", 0
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
        found, unread = {}, 0
        for line in self.listed(engine, options).splitlines():
            fields = line.split("\t")
            if len(fields) == 5 and re.fullmatch(r"[0-9a-f]{12,64}", fields[0]):
                identifier, names, *rest = fields
                found[identifier] = Container(identifier, own_name(names) or identifier[:12], *rest)
            elif line.strip():
                unread += 1
        if unread and not found:
            raise Failure(f"{engine} lists its containers in a form that cannot be read")
        self.asked_engine, self.unread = engine, unread
        if any(one.runs for one in found.values()):
            self.measure(engine, found)
        self.shown = sorted(found.values(), key=lambda one: (not one.failed, not one.runs, one.name))

    @staticmethod
    def listed(engine, options):
        """The containers that an engine lists; that it may not be asked is said with what to do."""
        try:
            return run([engine, "ps", *options, "--no-trunc", "--format", COLUMNS], seconds=10)
        except Failure as failure:
            if "permission denied" in str(failure).lower() and engine == "docker":
                raise Failure("you may not ask docker; join its group with: sudo usermod -aG docker $USER") from failure
            raise

    def measure(self, engine, found):
        """Sets what the running ones use; without it they are shown all the same."""
        try:
            output = run([engine, "stats", "--no-stream", "--no-trunc", "--format", USAGE], seconds=12)
        except Failure as failure:
            return self.log(failure, "warning")
        # Some versions clear the screen first.
        for line in re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", output).splitlines():
            fields = line.split("\t")
            one = next((one for key, one in found.items() if key.startswith(fields[0])), None) if len(fields) == 3 and len(fields[0]) >= 12 else None
            if one:
                # Where one of the two is not known (NaN%, --), the other is shown all the same.
                processor = re.fullmatch(r"\s*([0-9]{1,6}(?:\.[0-9]{1,20})?)\s*%\s*", fields[1])
                one.processor = float(processor.group(1)) if processor else None
                memory = fields[2].split("/")[0].strip()
                one.memory = memory if memory[:1].isdigit() else ""
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
        """What the engine says of one, without for how long where there is no room for that."""
        if self.width >= WIDE:
            return one.status
        ended = re.match(r"(?:Exited|Restarting) \(-?\d+\)", one.status)
        if ended:
            return ended.group()
        return one.health if one.health in ("unhealthy", "starting") else one.status

    def draw(self):
        if not self.shown:
            kind = "containers" if self.setting("stopped", True) else "containers that run"
            return secondary(f"{self.asked_engine} has no {kind}.")
        full, short = [], []
        for one in self.shown:
            name = [span("● ", one.colour), span(one.name, action=f"ask {one.identifier}")]
            use = f"{number(one.processor)} %" if one.processor is not None else ""
            words = text(self.status(one), one.colour) if one.health == "unhealthy" else secondary(self.status(one))
            row = [text(name, truncation="middle"), words, text(use), text(one.memory)]
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
        if self.unread:
            lines = "1 container" if self.unread == 1 else f"{self.unread} containers"
            head.append(text(f"{lines} of {self.asked_engine} cannot be read", "orange"))
        shapes = [{"alignment": "leading", "priority": 1}, {"alignment": "leading"}, *({"alignment": "trailing", "priority": 1},) * 2]
        return vstack(*head, grid(self.fit(full, short, COMPACT_ROWS - len(head)), shapes))


if __name__ == "__main__":
    Containers().run()
