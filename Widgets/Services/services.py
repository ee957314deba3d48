#!/usr/bin/python3 -ESB
"""Services: units of systemd that have failed, and those that are watched, with the end of their journal."""

from todaykit import COMPACT_ROWS, Failure, Widget, fold, grid, run, secondary, text, vstack

COLOURS = {"active": "green", "reloading": "yellow", "activating": "yellow", "deactivating": "yellow", "failed": "red"}
PROPERTIES = "Id,Description,LoadState,ActiveState,SubState"
# The columns from which on a unit and what it is for fit in one row.
WIDE = 46
# More units have failed for one reason.
JOURNALS = 5


class Unit:
    def __init__(self, name, state, detail, words, manager):
        self.name, self.state, self.detail, self.words, self.manager = name, state, detail, words, manager
        self.journal = []


def systemctl(manager, *words):
    options = ["--user"] if manager == "user" else []
    return run(["systemctl", *options, "--no-pager", *words], seconds=10, install="systemd")


def failed(manager):
    """The failed units of a manager, "system" or "user"."""
    found = []
    output = systemctl(manager, "list-units", "--state=failed", "--plain", "--no-legend", "--full")
    for line in output.splitlines():
        fields = line.split(None, 4)
        if len(fields) >= 4:
            words = fields[4] if len(fields) > 4 else ""
            found.append(Unit(fields[0], "failed", fields[3], words, manager))
    return found


def watched(manager, names):
    """What `systemctl show` says about units; one block of properties for each."""
    if not names:
        return []
    output = systemctl(manager, "show", f"--property={PROPERTIES}", "--", *names)
    found = []
    for name, block in zip(names, output.split("\n\n")):
        values = dict(line.partition("=")[::2] for line in block.splitlines())
        state = values.get("ActiveState", "")
        if values.get("LoadState") == "not-found":
            state, values["SubState"] = "missing", "there is no such unit"
        found.append(Unit(values.get("Id") or name, state, values.get("SubState", ""), values.get("Description", ""), manager))
    return found


class Services(Widget):

    def initialize(self):
        self.units = None
        self.notes = []

    def view(self):
        return self.draw() if self.units is not None else None

    def widget_perform_update(self, reason):
        names = {"system": self.setting("units", []), "user": self.setting("userUnits", [])}
        units, notes, answered = [], [], False
        for manager in ("system", "user"):
            try:
                seen = watched(manager, names[manager])
                known = {unit.name for unit in seen}
                units += seen + [unit for unit in failed(manager) if unit.name not in known]
                answered = True
            except Failure as failure:
                if manager == "user" and not names["user"]:
                    continue  # Not every account has a manager of its own.
                notes.append(f"{manager}: {str(failure).removeprefix('systemctl: ')}")
        if notes and not answered:
            raise Failure(notes[0])
        units.sort(key=lambda unit: (unit.state in ("active", "inactive"), unit.name))
        # In the compact form too: More shows it at once.
        for unit in [unit for unit in units if unit.state == "failed"][:JOURNALS]:
            unit.journal = self.journal(unit)
        self.units, self.notes = units, notes
        return self.draw()

    @staticmethod
    def journal(unit):
        option = "--user-unit" if unit.manager == "user" else "--unit"
        try:
            command = ["journalctl", option, unit.name, "--lines=5", "--output=cat", "--no-pager", "--quiet"]
            return run(command, seconds=5).splitlines()[-5:]
        except Failure as failure:
            return [str(failure)]

    def draw(self):
        rows, journals, is_wide = [], [], self.width >= WIDE
        failures = [unit for unit in self.units if unit.state == "failed"]
        # All that More would show: a unit and its journal fit into a compact card.
        full = len(self.units) * (1 if is_wide else 2) + (len(failures) or 1) + len(self.notes)
        more = full > COMPACT_ROWS
        shows_all = self.is_expanded or not more
        self.offer_more(more)
        for unit in self.units:
            colour = COLOURS.get(unit.state, "secondaryLabel")
            name = text([{"text": "● ", "style": {"foreground": colour}}, {"text": unit.name}], truncation="middle")
            words, state = secondary(unit.words or unit.manager), text(words_of(unit), colour)
            if is_wide:
                rows.append([name, words, state])
            else:
                rows += [[name, state], *([[words, ""]] if shows_all else [])]
            if unit.state == "failed":
                lines = [secondary(line or " ", limit=2) for line in unit.journal]
                journals.append(fold(f"Journal of {unit.name}", *lines, identifier=f"journal {unit.name}"))
        parts = [text(note, "orange") for note in self.notes]
        if not journals:
            parts.insert(0, text([{"text": "✓ ", "style": {"foreground": "green"}}, {"text": "No unit has failed."}]))
        if not shows_all:
            rows, journals = rows[:COMPACT_ROWS - len(parts)], []
        if rows:
            words = [{"alignment": "leading"}] if is_wide else []
            shapes = [{"alignment": "leading", "priority": 1}, *words, {"alignment": "trailing", "priority": 1}]
            parts.append(grid(rows, shapes))
        return vstack(*parts, *journals)


def words_of(unit):
    """The state in words; the word in parentheses only where it says more."""
    if unit.state == "missing":
        return "missing"
    return unit.state if unit.detail in ("", unit.state, "dead") else f"{unit.state} ({unit.detail})"


if __name__ == "__main__":
    Services().run()
