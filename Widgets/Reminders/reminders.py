#!/usr/bin/python3 -ESB
"""Reminders: open entries, to be ticked off, edited, removed, moved and added.

They are the lines of a todo.txt file, or the tasks of Taskwarrior.
"""

import os
import select
import time

import entries
import groups
from entries import Refusal, reason
from drawing import clear, drafting, folded, more_words, say, stack
from file_watch import PATIENCE_SECONDS, QUIET_SECONDS, RETRY_SECONDS, FileWatch
from filters import Filter
from messages import METHODS, send, set_view, take
from removal import Reading, Removal
from taskwarrior import Taskwarrior
from todo_file import TodoFile

COMPACT_ROWS = 4  # the height of a compact card that has an expanded form
SHOWN = 20  # of one group, before the user asks for more
ROW_LIMIT = 200  # the host takes views up to a size
DONE_LIMIT = 20
EXPANDED_LINES = 3  # of one entry
UNWATCHED_SECONDS = 60


class Reminders:
    def __init__(self):
        self.source = TodoFile("~/todo.txt")
        self.watch = FileWatch()
        self.stamp = None
        self.grouping = groups.BY_DUE
        self.is_expanded = False
        self.offers_more = self.said_more = False
        self.is_editing = False  # a press on a row edits it
        self.is_drafting = False  # a field for a new entry is shown
        self.edited = None  # the row that is edited, and its text
        self.note = None  # what came of the last press, until the next
        self.latest = None  # what was done last: a Removal, which can be undone for a while, or a Reading
        self.trouble = None  # why the source cannot be read
        self.filter = Filter()
        self.lists = {}  # by the identifier of a list: its group, and the first entry that is not shown
        self.shown = None

    def initialize(self, params):
        configuration = params.get("configuration")
        configuration = configuration if isinstance(configuration, dict) else {}
        is_rehearsal = params.get("reason") == "test"
        entries.set_now(params.get("now"))
        if configuration.get("source") == "taskwarrior":
            self.source = Taskwarrior(configuration.get("taskrc"), is_rehearsal=is_rehearsal)
        else:
            path = configuration.get("file") or "~/todo.txt"
            self.source = TodoFile(str(path), is_rehearsal=is_rehearsal)
        self.grouping = configuration.get("groups") or groups.BY_DUE
        self.is_expanded = params.get("activeDisplayMode") == "expanded"
        self.shown = self.view()
        self.said_more = self.offers_more
        return {
            "protocolVersion": 1,
            "implements": METHODS,
            "allowsEditing": True,
            "view": self.shown,
            **({"largestAvailableDisplayMode": "expanded"} if self.offers_more else {}),
        }

    def viewWillAppear(self, params):
        self.source.appear()
        self.note = None
        self.is_drafting = self.is_drafting and self.is_editing
        self.shown = self.view()
        return {"view": self.shown}

    def widgetPerformUpdate(self, params):
        self.note = None
        before, view = self.shown, self.view()
        self.shown = view
        if self.trouble:
            if view != before:
                send(self, set_view(view))
            return {"result": "failed", "error": self.trouble}
        if view == before:
            return {"result": "noData", "refreshAfter": self.refresh_after}
        return {"result": "newData", "view": view, "refreshAfter": self.refresh_after}

    @property
    def refresh_after(self):
        """With a watch only the words for days change by themselves; that a file cannot be read any more is for an update to say."""
        longest = groups.next_midnight(entries.now()) if self.watch.is_complete else UNWATCHED_SECONDS
        return min(longest, self.source.check_seconds or longest)

    def performAction(self, params):
        action, value = str(params.get("action", "")), params.get("value")
        value = value if isinstance(value, str) else ""
        self.note = None
        latest, self.latest = self.latest, None
        try:
            if action == "undo":
                if not latest or not latest.undo:
                    raise Refusal("It is too late to undo that.")
                latest.undo()
            else:
                self.act(action, value)
        except OSError as error:
            self.note = f"Not written: {reason(error)}"
        except Refusal as refusal:
            self.note = str(refusal)
        self.shown = self.view()
        view = clear(self.shown) if action == "add" and not self.note else self.shown
        return {"result": "newData", "view": view, "preferredContentSize": None}

    def act(self, action, value):
        kind, _, name = action.partition(" ")
        # Who does something else has left the field for a new entry.
        self.is_drafting = self.is_drafting and kind == "add"
        if kind == "edit":
            text = self.source.row(name).text
            if text is None:
                raise Refusal("That entry is too long, or no text; it is not edited here.")
            self.edited, self.is_drafting = (name, text), False
        elif kind == "change" and self.edited and self.edited[0] == name:
            (_, old), self.edited = self.edited, None
            if value.split() and value != old:
                self.source.edit(name, old, value)
                self.say_reading("Changed", value)
        elif kind == "add":
            if value.split():
                # The field stays for the next one, also where it was offered by itself: what is typed goes on.
                self.is_drafting = True
                self.source.add(value)
                self.say_reading("Added", value)
            else:
                self.is_drafting = False
        elif kind == "filter":
            self.filter.press(name)
        elif kind != "change":
            self.source.toggle(action)

    def say_reading(self, words, text):
        """Says which dates of a typed entry were read, and how, if it has any."""
        entry = self.source.reading(text)
        reading = Reading(entry, words) if entry else None
        self.latest = reading if reading and reading.facts else None

    def widgetDidBeginEditing(self, params):
        self.is_editing = True
        return self.pushed()

    def widgetDidEndEditing(self, params):
        self.is_editing = self.is_drafting = False
        self.edited = None
        return self.pushed()

    def widgetActiveDisplayModeDidChange(self, params):
        self.is_expanded = params.get("activeDisplayMode") == "expanded"
        return self.pushed()

    def clockDidChange(self, params):
        entries.set_now(params.get("now"))

    def pushed(self):
        self.shown = self.view()
        return set_view(self.shown)

    def listDidRemoveRow(self, params):
        def remove():
            self.is_drafting = False
            self.latest = Removal(*self.source.remove(params.get("row")))

        return self.change(remove)

    def listDidMoveRow(self, params):
        group, following = self.lists.get(params.get("list"), (None, None))
        before = params.get("before")

        def order(listed):
            listed = self.filter.applied(entry for entry in listed if not entry.is_waiting)
            found = groups.grouped(listed, self.grouping if self.is_expanded else groups.UNGROUPED)
            return next((one.entries for one in found if one.name == group), listed)

        # The end of what is shown need not be that of the list.
        return self.change(lambda: self.source.move(params.get("row"), following if before is None else before, order))

    def widgetListPerformAddAction(self, params):
        self.is_drafting, self.edited = True, None
        self.shown = self.view()
        return {"view": self.shown}

    def change(self, work):
        """The answer to a change of the list."""
        try:
            work()
        except OSError as error:
            raise Refusal(f"Not written: {reason(error)}") from error
        self.shown = self.view()
        return {"view": self.shown}

    def files_changed(self):
        """A view to show after a change of the files by another program; None if it changes nothing."""
        self.watch.follow(self.source.watched)
        if self.stamp is not None and self.source.stamp == self.stamp:
            return None
        before, self.shown = self.shown, self.view()
        return None if self.shown == before else self.shown

    def latest_did_expire(self):
        """The view without what was done last."""
        self.latest = None
        return self.pushed()

    # The view.

    def row(self, entry, says_due=True):
        """The row of an entry, or a field with its text while that is edited."""
        if self.edited and self.edited[0] == entry.name:
            name, text = self.edited
            field = {"type": "field", "id": f"edit {name}", "action": f"change {name}", "text": text}
            return {"id": name, "view": field}
        has_pencil = self.is_expanded or not self.offers_more
        row = entry.row(self.is_editing, says_due, EXPANDED_LINES if self.is_expanded else 1, has_pencil)
        return row if self.source.has_order and not entry.is_done else {**row, "canMove": False}

    def view(self):
        # In this order: what changes while it is read is read again.
        self.watch.follow(self.source.watched)
        self.stamp = self.source.stamp
        self.lists = {}
        self.trouble = None
        head = [say(self.note, "orange")] if self.note else []
        empty = "All done."
        try:
            listed = self.source.listed()
            done = self.source.finished()
        except FileNotFoundError:
            listed, done, empty = [], [], None
            head += [say("No reminders yet."), say(f"The first one makes {self.source.name}.", dim=True)]
        except OSError as error:
            self.offers_more = False
            self.trouble = f"{self.source.name} cannot be read: {reason(error)}"
            return stack([*head, say(self.trouble, "orange")])
        head += [say(words, "orange") for words in [getattr(self.source, "note", None)] if words]
        waiting = [entry for entry in listed if entry.is_waiting]
        current = [entry for entry in listed if not entry.is_waiting]
        listed = self.filter.applied(current)
        empty = f"Nothing for {self.filter.tag}." if empty and self.filter.tag else empty
        # While the card is edited, the list has a line to add one.
        foot = [self.latest.row()] if self.latest else []
        has_field = self.is_drafting or not self.is_editing
        room = COMPACT_ROWS - len(head) - len(foot) - has_field
        found = groups.grouped(listed, self.grouping)
        # A card without more to show is as high as it must be.
        fits = len(listed) <= room + has_field and len(found) < 2
        self.offers_more = bool(done or waiting or self.filter.tag) or not fits
        if self.is_editing and not self.is_expanded:
            # A card that is edited is as high as it must be.
            rows, rest = [self.list(groups.ALL, listed[:ROW_LIMIT], listed[ROW_LIMIT:], empty)], []
        elif self.is_expanded and self.offers_more:
            rows, rest = self.expanded(listed, current, empty), []
            foot = [*self.waiting(waiting), *([self.finished(done)] if done else []), *foot]
        else:
            rest = listed[max(1, room):] if self.offers_more else []
            shown = listed[:len(listed) - len(rest)]
            rows = [self.list(groups.ALL, shown, rest, empty)]
        if has_field:
            hidden = more_words([entry for entry in rest if not entry.is_done])
            foot.append(drafting(hidden, self.filter.chosen() if self.filter.tag and not self.is_expanded else None))
        return stack([*head, *rows, *foot])

    def expanded(self, listed, current, empty):
        """All entries, below the line of filters."""
        filters = self.filter.row(current)
        rows = [filters] if filters else []
        rows += self.groups(listed[:ROW_LIMIT], empty)
        if len(listed) > ROW_LIMIT:
            rows.append(say(f"The first {ROW_LIMIT} of {len(listed)}", dim=True))
        return rows

    def groups(self, listed, empty):
        """All entries, with a heading for each group."""
        rows = []
        found = groups.grouped(listed, self.grouping)
        for group in found:
            if group.heading:
                heading = {"type": "text", "text": group.heading, "style": group.style, "lineLimit": 1}
                rows.append({**heading, "accessibilityLabel": f"{group.heading}, {len(group.entries)}"})
            node = self.list(group, group.entries, [], empty, says_due=not group.says_due)
            if group is not found[-1]:
                node["allowsAdding"] = False
            rows.append(node)
        return rows

    def list(self, group, shown, rest, empty, says_due=True):
        identifier = "entries" if group.name == "all" else f"entries {group.name}"
        self.lists[identifier] = (group.name, rest[0].name if rest else None)
        node = {
            "type": "list",
            "id": identifier,
            "rows": [self.row(entry, says_due) for entry in shown],
        }
        if len(shown) > SHOWN:
            node["minimumVisibleRowCount"] = SHOWN
        if empty:
            node["emptyText"] = empty
        return node

    def waiting(self, waiting):
        """What is not listed before its day, folded."""
        if not waiting:
            return []
        waiting = sorted(waiting, key=lambda entry: entry.start)[:ROW_LIMIT]
        rows = [{**self.row(entry), "canMove": False} for entry in waiting]
        return [folded("waiting", f"Scheduled ({len(waiting)})", rows)]

    @staticmethod
    def finished(done):
        """What is done, folded: a press opens an entry again."""
        rows = [{**entry.row(), "canMove": False} for entry in done[:DONE_LIMIT]]
        words = f"Done, the last {DONE_LIMIT} of {len(done)}" if len(done) > DONE_LIMIT else f"Done ({len(done)})"
        return folded("finished", words, rows)


def main():
    widget = Reminders()
    waiting = select.poll()
    waiting.register(0, select.POLLIN)
    if widget.watch.fileno() >= 0:
        waiting.register(widget.watch.fileno(), select.POLLIN)
    rest = b""
    due, latest = None, None  # when to read the files again
    while True:
        ends = [due, latest, widget.latest.end if widget.latest else None]
        # Not every change of what may be read is told, as where the folder may not be watched either.
        ends.append(time.monotonic() + RETRY_SECONDS if widget.trouble else None)
        ends = [end for end in ends if end is not None]
        pause = max(0, min(ends) - time.monotonic()) * 1000 if ends else None
        ready = [descriptor for descriptor, _ in waiting.poll(pause)]
        if 0 in ready:
            data = os.read(0, 64 * 1024)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if line.strip():
                    take(widget, line)
        now = time.monotonic()
        if widget.watch.fileno() in ready and widget.watch.has_changed():
            due, latest = now + QUIET_SECONDS, latest or now + PATIENCE_SECONDS
        elif not ready and widget.trouble and due is None:
            due = latest = now
        if widget.latest and now >= widget.latest.end:
            send(widget, widget.latest_did_expire())
        if due is not None and now >= min(due, latest):
            due = latest = None
            view = widget.files_changed()
            send(widget, set_view(view) if view else None)


if __name__ == "__main__":
    main()
