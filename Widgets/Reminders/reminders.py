#!/usr/bin/python3 -IS
"""Reminders: the open entries of a todo.txt file, to be ticked off and removed.

The file is that of the setting "file".
Its form: https://github.com/todotxt/todo.txt
"""

import datetime
import hashlib
import json
import os
import re
import stat
import sys

SHOWN = 8
LINE_LIMIT = 500
FILE_LIMIT = 1024 * 1024
METHODS = ["viewWillAppear", "widgetPerformUpdate", "performAction", "listDidRemoveRow"]
COLOURS = {"A": "red", "B": "orange", "C": "yellow"}
PRIORITY = re.compile(r"\(([A-Z])\) ")
DATE = re.compile(r"\d{4}-\d{2}-\d{2} ")
CHANGED = "That entry was changed by somebody else; nothing was written."
DUE = re.compile(r"due:(\d{4}-\d{2}-\d{2})")


def today():
    return datetime.date.today()


class Refusal(Exception):
    """Why something was not done, in words for the user."""


class Entry:
    """One line that is not empty: an entry, open or done."""

    def __init__(self, number, line):
        self.number = number
        self.line = line
        self.is_done = line.startswith("x ")
        rest = line[2:] if self.is_done else line
        priority = PRIORITY.match(rest)
        self.priority = priority.group(1) if priority else None
        rest = rest[priority.end():] if priority else rest
        for _ in range(2 if self.is_done else 1):  # when it was completed, when it was made
            date = DATE.match(rest)
            rest = rest[date.end():] if date else rest
        # What is not UTF-8 in the file is replaced here, and only here.
        shown = rest[:LINE_LIMIT].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        self.words = shown.split()
        dues = [day(match.group(1)) for match in map(DUE.fullmatch, self.words) if match]
        self.due = next((due for due in dues if due), None)

    @property
    def content(self):
        """What tells this line from others: it goes to the host and comes back with a press."""
        return hashlib.sha256(self.line.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @property
    def name(self):
        return f"{self.number} {self.content}"

    @property
    def order(self):
        return (self.priority or "~", self.due or datetime.date.max, self.number)

    def toggled(self):
        """The line ticked off, or open again. The priority is kept as pri:, as is the custom."""
        if not self.is_done:
            line, priority = self.line, self.priority
            if priority:
                line = line[4:] + f" pri:{priority}"
            return f"x {today():%Y-%m-%d} {line}"
        rest = self.line[2:]
        date = DATE.match(rest)
        rest = rest[date.end():] if date else rest
        kept = re.search(r" pri:([A-Z])(?= |$)", rest)
        if kept:
            rest = f"({kept.group(1)}) " + rest[:kept.start()] + rest[kept.end():]
        return rest

    def node(self):
        spans = []
        if self.priority:
            colour = COLOURS.get(self.priority, "secondaryLabel")
            style = {"foreground": colour, "bold": True}
            spans.append({"text": f"{self.priority} ", "style": style})
        for word in self.words:
            if word.startswith("pri:") or (self.due and DUE.fullmatch(word)):
                continue
            is_tag = len(word) > 1 and word[0] in "+@"
            spans.append({"text": word + " ", "style": {"dim": is_tag}})
        if spans:
            spans[-1]["text"] = spans[-1]["text"].rstrip()
        words = {"type": "text", "text": spans or " ", "lineLimit": 1}
        if self.is_done:
            words["style"] = {"dim": True, "strikethrough": True}
        label = words
        if self.due and not self.is_done:
            due = {"type": "text", "lineLimit": 1, "layoutPriority": 1, **self.due_look()}
            children = [words, {"type": "spacer"}, due]
            label = {"type": "hstack", "spacing": 1, "children": children}
        return {
            "type": "toggle",
            "id": f"entry {self.number}",
            "action": self.name,
            "isOn": self.is_done,
            "label": label,
        }

    def due_look(self):
        """The due date in few words, bold where it is late: colour does not carry it alone."""
        days = (self.due - today()).days
        names = {-1: "yesterday", 0: "today", 1: "tomorrow"}
        text = names.get(days) or (f"{self.due.day} {self.due:%b}" if abs(days) < 300 else None)
        if days < 0:
            style = {"foreground": "red", "bold": True}
        else:
            style = {"foreground": "orange" if days == 0 else "secondaryLabel"}
        return {"text": text or self.due.isoformat(), "style": style}


def day(text):
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


class TodoFile:
    """The file: read whole, written beside itself and put in place at once."""

    def __init__(self, path, is_rehearsal=False):
        self.path = os.path.expanduser(path)
        self.is_rehearsal = is_rehearsal  # under test: changes are kept here, not in the file
        self.rehearsed = None

    @property
    def name(self):
        home = os.path.expanduser("~")
        return "~" + self.path[len(home):] if self.path.startswith(home + "/") else self.path

    def read(self):
        """The lines, each with its ending."""
        if self.rehearsed is not None:
            return self.rehearsed
        # O_NONBLOCK: a pipe under that name must not hold the widget up.
        descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError("it is not a regular file")
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(FILE_LIMIT + 1)
        finally:
            os.close(descriptor)
        if len(data) > FILE_LIMIT:
            raise OSError("it is larger than 1 MiB")
        # surrogateescape: a byte that is not UTF-8 is written back as it was.
        return re.findall(r"[^\n]*\n|[^\n]+", data.decode("utf-8", "surrogateescape"))

    def entries(self):
        numbered = enumerate(self.read(), 1)
        return [Entry(number, line.rstrip()) for number, line in numbered if line.strip()]

    def find(self, number, content):
        """An entry of the file as it is now; someone may have written it since.

        None where it is neither at its number nor at another.
        """
        places = [e for e in self.entries() if e.content == content]
        return min(places, key=lambda e: abs(e.number - number)) if places else None

    def toggle(self, number, content):
        """Toggles a line, and returns the new one; None where the old one is not there any more."""
        entry = self.find(number, content)
        if not entry:
            return None
        lines = list(self.read())
        old = lines[entry.number - 1]
        ending = old[len(old.rstrip()):]
        lines[entry.number - 1] = entry.toggled() + ending
        self.keep(lines)
        return entry.toggled()

    def remove(self, number, content):
        """Removes a line; false where it is not there any more."""
        entry = self.find(number, content)
        if not entry:
            return False
        lines = list(self.read())
        del lines[entry.number - 1]
        self.keep(lines)
        return True

    def keep(self, lines):
        if self.is_rehearsal:
            self.rehearsed = lines
        else:
            self.write("".join(lines).encode("utf-8", "surrogateescape"))

    def write(self, data):
        path = os.path.realpath(self.path)  # a link stays a link
        folder, name = os.path.split(path)
        mode = stat.S_IMODE(os.stat(path).st_mode)
        temporary = os.path.join(folder, f".{name}.{os.getpid()}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fchmod(descriptor, mode)
                os.fsync(descriptor)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class Reminders:
    def __init__(self):
        self.file = TodoFile("~/todo.txt")
        self.ticked = set()  # toggled here, so that they stay in sight until the next appearance
        self.shown = None

    def initialize(self, params):
        configuration = params.get("configuration")
        configured = configuration.get("file") if isinstance(configuration, dict) else None
        path = configured or "~/todo.txt"
        self.file = TodoFile(str(path), is_rehearsal=params.get("reason") == "test")
        self.shown = self.view()
        return {"protocolVersion": 1, "implements": METHODS, "view": self.shown}

    def viewWillAppear(self, params):
        self.ticked.clear()
        self.shown = self.view()
        return {"view": self.shown}

    def widgetPerformUpdate(self, params):
        view = self.view()
        if view == self.shown:
            return {"result": "noData", "refreshAfter": 60}
        self.shown = view
        return {"result": "newData", "view": view, "refreshAfter": 60}

    def performAction(self, params):
        action = str(params.get("action", ""))
        number, _, content = action.partition(" ")
        note = None
        if number.isdecimal():
            try:
                toggled = self.file.toggle(int(number), content)
                if toggled:
                    self.ticked.add(toggled)
                else:
                    note = CHANGED
            except OSError as error:
                note = f"Not written: {reason(error)}"
        self.shown = self.view(note)
        return {"result": "newData", "view": self.shown, "preferredContentSize": None}

    def listDidRemoveRow(self, params):
        number, _, content = str(params.get("row", "")).partition(" ")
        try:
            if not number.isdecimal() or not self.file.remove(int(number), content):
                raise Refusal(CHANGED)
        except OSError as error:
            raise Refusal(f"Not written: {reason(error)}") from error
        self.shown = self.view()
        return {"view": self.shown}

    def view(self, note=None):
        rows = [say(note, "orange")] if note else []
        try:
            entries = self.file.entries()
        except FileNotFoundError:
            how = say(f"Make some:  echo Buy milk >> {self.file.name}", dim=True)
            return stack([say("No reminders yet."), how])
        except OSError as error:
            return stack([say(f"{self.file.name} cannot be read: {reason(error)}", "orange")])
        entries = [e for e in entries if not e.is_done or e.line in self.ticked]
        entries.sort(key=lambda entry: entry.number if entry.is_done else 0)
        entries.sort(key=lambda entry: reopened(entry).order)
        listed = {
            "type": "list",
            "id": "entries",
            "rows": [{"id": entry.name, "view": entry.node()} for entry in entries],
            "minimumVisibleRowCount": SHOWN,
            "emptyText": "All done.",
        }
        return stack(rows + [listed])


def reopened(entry):
    """The entry as it was before it was done: a tick does not move it."""
    return Entry(entry.number, entry.toggled()) if entry.is_done else entry


def reason(error):
    return error.strerror.lower() if isinstance(error.strerror, str) else str(error)


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
            reply = answer(widget, json.loads(line))
        except ValueError:
            reply = failure(None, -32700, "a line is not JSON")
        if reply:
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
