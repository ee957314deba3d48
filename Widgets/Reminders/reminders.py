#!/usr/bin/python3 -ESB
"""Reminders: open entries, to be ticked off, edited, removed, moved and added.

They are the lines of a todo.txt file, or the tasks of Taskwarrior.
"""

import json
import sys

from entries import Refusal, reason
from taskwarrior import Taskwarrior
from todo_file import TodoFile

SHOWN = 8
ROW_LIMIT = 200  # the host takes views up to a size
NOTIFICATIONS = ["widgetDidBeginEditing", "widgetDidEndEditing"]
METHODS = [
    "viewWillAppear",
    "widgetPerformUpdate",
    "performAction",
    "listDidRemoveRow",
    "listDidMoveRow",
    "widgetListPerformAddAction",
    *NOTIFICATIONS,
]


class Reminders:
    def __init__(self):
        self.source = TodoFile("~/todo.txt")
        self.is_editing = False  # a press on a row edits it
        self.is_drafting = False  # a field for a new entry is shown
        self.edited = None  # the row that is edited, and its text
        self.shown = None

    def initialize(self, params):
        configuration = params.get("configuration")
        configuration = configuration if isinstance(configuration, dict) else {}
        is_rehearsal = params.get("reason") == "test"
        if configuration.get("source") == "taskwarrior":
            self.source = Taskwarrior(configuration.get("taskrc"), is_rehearsal=is_rehearsal)
        else:
            path = configuration.get("file") or "~/todo.txt"
            self.source = TodoFile(str(path), is_rehearsal=is_rehearsal)
        self.shown = self.view()
        return {
            "protocolVersion": 1,
            "implements": METHODS,
            "allowsEditing": True,
            "view": self.shown,
        }

    def viewWillAppear(self, params):
        self.source.appear()
        self.shown = self.view()
        return {"view": self.shown}

    def widgetPerformUpdate(self, params):
        view = self.view()
        if view == self.shown:
            return {"result": "noData", "refreshAfter": 60}
        self.shown = view
        return {"result": "newData", "view": view, "refreshAfter": 60}

    def performAction(self, params):
        action, value = str(params.get("action", "")), params.get("value")
        value = value if isinstance(value, str) else ""
        note = None
        try:
            self.act(action, value)
        except OSError as error:
            note = f"Not written: {reason(error)}"
        except Refusal as refusal:
            note = str(refusal)
        self.shown = self.view(note)
        return {"result": "newData", "view": self.shown, "preferredContentSize": None}

    def act(self, action, value):
        kind, _, name = action.partition(" ")
        if kind == "edit":
            text = self.source.row(name).text
            if text is None:
                raise Refusal("That entry is too long, or no text; it is not edited here.")
            self.edited, self.is_drafting = (name, text), False
        elif kind == "change" and self.edited and self.edited[0] == name:
            (_, old), self.edited = self.edited, None
            if value.split() and value != old:
                self.source.edit(name, old, value)
        elif kind == "add":
            if value.split():
                self.source.add(value)
        elif kind != "change":
            self.source.toggle(action)

    def widgetDidBeginEditing(self, params):
        self.is_editing = True
        return self.pushed()

    def widgetDidEndEditing(self, params):
        self.is_editing = self.is_drafting = False
        self.edited = None
        return self.pushed()

    def pushed(self):
        self.shown = self.view()
        return {"jsonrpc": "2.0", "method": "setView", "params": {"view": self.shown}}

    def listDidRemoveRow(self, params):
        return self.change(lambda: self.source.remove(params.get("row")))

    def listDidMoveRow(self, params):
        return self.change(lambda: self.source.move(params.get("row"), params.get("before")))

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

    def row(self, entry):
        """The row of an entry, or a field with its text while that is edited."""
        if self.edited and self.edited[0] == entry.name:
            name, text = self.edited
            field = {"type": "field", "id": f"edit {name}", "action": f"change {name}", "text": text}
            return {"id": name, "view": field}
        return entry.row(self.is_editing)

    def view(self, note=None):
        rows = [say(note, "orange")] if note else []
        empty = "All done."
        try:
            listed = self.source.listed()
        except FileNotFoundError:
            listed, empty = [], None
            how = say(f"Make some:  echo Buy milk >> {self.source.name}", dim=True)
            rows += [say("No reminders yet."), how]
        except OSError as error:
            return stack([say(f"{self.source.name} cannot be read: {reason(error)}", "orange")])
        rows += [say(words, "orange") for words in [getattr(self.source, "note", None)] if words]
        list_rows = [self.row(entry) for entry in listed[:ROW_LIMIT]]
        if not self.source.has_order:
            list_rows = [{**row, "canMove": False} for row in list_rows]
        node = {
            "type": "list",
            "id": "entries",
            "rows": list_rows,
            "minimumVisibleRowCount": SHOWN,
        }
        if empty:
            node["emptyText"] = empty
        rows.append(node)
        if len(listed) > ROW_LIMIT:
            rows.append(say(f"The first {ROW_LIMIT} of {len(listed)}", dim=True))
        if self.is_drafting:
            placeholder = "New reminder"
            rows.append(
                {"type": "field", "id": "draft", "placeholder": placeholder, "action": "add", "text": ""}
            )
        return stack(rows)


def stack(children):
    return {"type": "vstack", "alignment": "leading", "children": children}


def say(text, colour=None, dim=False):
    style = {"foreground": colour} if colour else {"dim": True} if dim else {}
    return {"type": "text", "text": text, "style": style}


def answer(widget, call):
    """The answer to a message; None where it wants none."""
    if not isinstance(call, dict) or not isinstance(call.get("method"), str):
        return failure(None, -32600, "a message needs a method, a string")
    if "id" not in call:
        if call["method"] == "shutdown":
            sys.exit(0)
        if call["method"] in NOTIFICATIONS:
            return getattr(widget, call["method"])(call.get("params"))
        return None
    if call["method"] not in ["initialize", *METHODS]:
        return failure(call["id"], -32601, f"{call['method']} is not implemented")
    params = call.get("params")
    if not isinstance(params, (dict, type(None))):
        return failure(call["id"], -32602, "params must be an object")
    try:
        result = getattr(widget, call["method"])(params or {})
    except Refusal as refusal:
        return failure(call["id"], -32603, str(refusal))
    return {"jsonrpc": "2.0", "id": call["id"], "result": result}


def failure(identifier, code, message):
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": message}}


def main():
    widget = Reminders()
    for line in sys.stdin.buffer:
        try:
            call = json.loads(line)
        except ValueError:
            reply = failure(None, -32700, "a line is not JSON")
        else:
            reply = answer(widget, call)
        if reply:
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
