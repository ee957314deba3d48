#!/usr/bin/python3 -ESB
"""Services: units of systemd that have failed, and those that are watched, with the end of their journal."""

import units
from todaykit import COMPACT_ROWS, Failure, Widget, fold, grid, run, secondary, span, text, vstack

COLOURS = {
    "active": "green", "reloading": "yellow", "refreshing": "yellow", "activating": "yellow", "deactivating": "yellow",
    "maintenance": "yellow", "failed": "red", "missing": "orange", "unknown": "orange",
    "bad-setting": "orange", "error": "orange",
}
# The columns from which on a unit and what it is for fit in one row.
WIDE = 46
# More units have failed for one reason.
JOURNALS = 5
MANAGERS = ("system", "user")


class Services(Widget):

    def initialize(self):
        self.units = None
        self.notes = []
        # The managers that have said which units have failed.
        self.complete = []

    def view(self):
        return self.draw() if self.units is not None else None

    def widget_perform_update(self, reason):
        names = {"system": self.setting("units", []), "user": self.setting("userUnits", [])}
        found, notes, complete = [], [], []
        for manager in MANAGERS:
            failed, trouble = [], None
            try:
                failed, unread = units.failed(manager)
                if unread:
                    notes.append(f"{manager}: {unread} of the failed units cannot be read")
                else:
                    complete.append(manager)
            except Failure as failure:
                trouble = failure
                if isinstance(failure, units.NoManager) and manager == "user" and not names["user"]:
                    # Not every account has a manager of its own; where there is none at all, nothing is known.
                    if complete:
                        complete.append(manager)
                    continue
                notes.append(f"{manager}: {units.bare(failure)}")
            # One that hangs is not asked twice.
            seen = [] if trouble and "did not answer" in str(trouble) else units.watched(manager, names[manager])
            # What the manager says need not be said of each unit.
            seen = [unit for unit in seen if not trouble or unit.state != "unknown"]
            known = {unit.name for unit in seen}
            found += seen + [unit for unit in failed if unit.name not in known]
        if notes and not found and not complete:
            raise Failure(notes[0])
        found.sort(key=lambda unit: (unit.state in ("active", "inactive"), unit.name))
        # In the compact form too: More shows it at once.
        for unit in [unit for unit in found if unit.state == "failed"][:JOURNALS]:
            unit.journal = self.journal(unit)
        self.units, self.notes, self.complete = found, notes, complete
        return self.draw()

    @staticmethod
    def journal(unit):
        option = "--user-unit" if unit.manager == "user" else "--unit"
        try:
            command = ["journalctl", option, unit.name, "--lines=5", "--output=cat", "--no-pager", "--quiet"]
            # Programs write colours into the journal.
            lines = units.SEQUENCE.sub("", run(command, seconds=5)).splitlines()[-5:]
            return lines or ["The journal has no lines of it that you may read."]
        except Failure as failure:
            return [str(failure)]

    def draw(self):
        rows, journals, is_wide = [], [], self.width >= WIDE
        failures = [unit for unit in self.units if unit.state == "failed"]
        # All that More would show: a unit and its journal fit into a compact card.
        well = [] if failures else self.all_is_well()
        full = len(self.units) * (1 if is_wide else 2) + len(failures) + len(well) + len(self.notes)
        more = full > COMPACT_ROWS
        shows_all = self.is_expanded or not more
        self.offer_more(more)
        for unit in self.units:
            colour = COLOURS.get(unit.state, "secondaryLabel")
            name = text([span("● ", colour), span(unit.name)], truncation="middle")
            words, state = secondary(unit.words or unit.manager), text(words_of(unit), colour)
            if is_wide:
                rows.append([name, words, state])
            else:
                rows += [[name, state], *([[words, ""]] if shows_all else [])]
            if unit.state == "failed":
                lines = [secondary(line or " ", limit=2) for line in unit.journal]
                journals.append(fold(f"Journal of {unit.name}", *lines, identifier=f"journal {unit.name}"))
        parts = [*well, *(text(note, "orange") for note in self.notes)]
        if not shows_all:
            rows, journals = rows[:COMPACT_ROWS - len(parts)], []
        if rows:
            words = [{"alignment": "leading"}] if is_wide else []
            shapes = [{"alignment": "leading", "priority": 1}, *words, {"alignment": "trailing", "priority": 1}]
            parts.append(grid(rows, shapes))
        return vstack(*parts, *journals)

    def all_is_well(self):
        """That no unit has failed, of the managers that have said so."""
        if not self.complete:
            return []
        whose = "" if len(self.complete) == len(MANAGERS) else f" of the {self.complete[0]}"
        return [text([span("✓ ", "green"), span(f"No unit{whose} has failed.")])]


def words_of(unit):
    """The state in words; the word in parentheses only where it says more."""
    if unit.state in ("missing", "template", "unknown"):
        return unit.state
    return unit.state if unit.detail in ("", unit.state, "dead") else f"{unit.state} ({unit.detail})"


if __name__ == "__main__":
    Services().run()
