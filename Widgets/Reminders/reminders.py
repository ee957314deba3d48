#!/usr/bin/python3 -IS
"""Reminders: the open entries of a todo.txt file, to be ticked off, removed, moved and added.

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
COLOURS = {"A": "red", "B": "orange", "C": "yellow"}
PRIORITY = re.compile(r"\(([A-Z])\) ")
DATE = re.compile(r"\d{4}-\d{2}-\d{2} ")
SORTED = "Reminders are sorted by priority and date; it cannot stand there."
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


def entries(lines):
    """The entries in lines."""
    numbered = enumerate(lines, 1)
    return [Entry(number, line.rstrip()) for number, line in numbered if line.strip()]


def named(entries):
    """Each entry with the name of its row, which it keeps when others come, go or move."""
    counts = {}
    for entry in entries:
        count = counts[entry.content] = counts.get(entry.content, 0) + 1
        yield entry, f"{entry.content} {count}"


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
        return entries(self.read())

    def row(self, name):
        """The entry of a row of the list, or a refusal."""
        for entry, found in named(self.entries()):
            if found == name:
                return entry
        raise Refusal(CHANGED)

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

    def remove(self, entry):
        lines = list(self.read())
        del lines[entry.number - 1]
        self.keep(lines)

    def moved(self, entry, before):
        """The lines with an entry before another one, or at the end."""
        lines = list(self.read())
        is_open = not lines[-1].endswith("\n")  # the last line has no ending
        if is_open:
            lines[-1] += "\n"
        line = lines[entry.number - 1]
        place = before.number - 1 if before else len(lines)
        lines.insert(place, line)
        del lines[entry.number - 1 if entry.number - 1 < place else entry.number]
        if is_open:
            lines[-1] = lines[-1].removesuffix("\n")
        return lines

    def add(self, text):
        """Adds an entry at the end, and makes the file if there is none."""
        try:
            lines = list(self.read())
        except FileNotFoundError:
            lines = []
        ending = "\r\n" if lines and lines[-1].endswith("\r\n") else "\n"
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += ending
        lines.append(text + ending)
        if sum(map(len, lines)) > FILE_LIMIT:
            raise Refusal(f"{self.name} would be larger than 1 MiB.")
        self.keep(lines)

    def keep(self, lines):
        if self.is_rehearsal:
            self.rehearsed = lines
        else:
            self.write("".join(lines).encode("utf-8", "surrogateescape"))

    def write(self, data):
        path = os.path.realpath(self.path)  # a link stays a link
        folder, name = os.path.split(path)
        try:
            mode = stat.S_IMODE(os.stat(path).st_mode)
        except FileNotFoundError:
            mode = 0o600
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
        self.is_drafting = False  # a field for a new entry is shown
        self.ticked = set()  # toggled here, so that they stay in sight until the next appearance
        self.shown = None

    def initialize(self, params):
        configuration = params.get("configuration")
        configured = configuration.get("file") if isinstance(configuration, dict) else None
        path = configured or "~/todo.txt"
        self.file = TodoFile(str(path), is_rehearsal=params.get("reason") == "test")
        self.shown = self.view()
        return {
            "protocolVersion": 1,
            "implements": METHODS,
            "allowsEditing": True,
            "view": self.shown,
        }

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
        note = self.add(params.get("value")) if action == "add" else self.toggle(action)
        self.shown = self.view(note)
        return {"result": "newData", "view": self.shown, "preferredContentSize": None}

    def toggle(self, action):
        """Ticks an entry off, or opens it again; returns what there is to say."""
        number, _, content = action.partition(" ")
        if not number.isdecimal():
            return None
        try:
            toggled = self.file.toggle(int(number), content)
        except OSError as error:
            return f"Not written: {reason(error)}"
        if not toggled:
            return CHANGED
        self.ticked.add(toggled)
        return None

    def add(self, text):
        """Adds the entry that was typed; returns what there is to say."""
        words = text.split() if isinstance(text, str) else []
        while words and words[0] == "x":  # it would be done already
            words = words[1:]
        if not words:
            return None
        try:
            self.file.add(" ".join(words)[:LINE_LIMIT])
        except OSError as error:
            return f"Not written: {reason(error)}"
        except Refusal as refusal:
            return str(refusal)
        return None

    def widgetDidBeginEditing(self, params):
        return None

    def widgetDidEndEditing(self, params):
        if not self.is_drafting:
            return None
        self.is_drafting = False
        self.shown = self.view()
        return {"jsonrpc": "2.0", "method": "setView", "params": {"view": self.shown}}

    def listDidRemoveRow(self, params):
        return self.change(lambda: self.file.remove(self.file.row(params.get("row"))))

    def listDidMoveRow(self, params):
        return self.change(lambda: self.move(params.get("row"), params.get("before")))

    def move(self, row, before):
        entry = self.file.row(row)
        other = self.file.row(before) if before is not None else None
        lines = self.file.moved(entry, other)
        listed = [e.content for e in self.listed(entries(lines))]
        # The list is sorted, so that a line that is moved may be shown where it was before.
        places = [index for index, content in enumerate(listed) if content == entry.content]
        follows = other.content if other else None
        if not any(listed[place + 1 : place + 2] == ([follows] if other else []) for place in places):
            raise Refusal(SORTED)
        self.file.keep(lines)

    def widgetListPerformAddAction(self, params):
        self.is_drafting = True
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

    def listed(self, entries):
        """The entries that are shown, in their order."""
        entries = [e for e in entries if not e.is_done or e.line in self.ticked]
        entries.sort(key=lambda entry: entry.number if entry.is_done else 0)
        entries.sort(key=lambda entry: reopened(entry).order)
        return entries

    def view(self, note=None):
        rows = [say(note, "orange")] if note else []
        empty = "All done."
        try:
            entries = self.file.entries()
        except FileNotFoundError:
            entries, empty = [], None
            how = say(f"Make some:  echo Buy milk >> {self.file.name}", dim=True)
            rows += [say("No reminders yet."), how]
        except OSError as error:
            return stack([say(f"{self.file.name} cannot be read: {reason(error)}", "orange")])
        names = {entry.number: name for entry, name in named(entries)}
        listed = {
            "type": "list",
            "id": "entries",
            "rows": [{"id": names[e.number], "view": e.node()} for e in self.listed(entries)],
            "minimumVisibleRowCount": SHOWN,
        }
        if empty:
            listed["emptyText"] = empty
        draft = {"type": "field", "id": "draft", "placeholder": "New reminder", "action": "add"}
        return stack([*rows, listed, {**draft, "text": ""}] if self.is_drafting else [*rows, listed])


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
            reply = answer(widget, json.loads(line))
        except ValueError:
            reply = failure(None, -32700, "a line is not JSON")
        if reply:
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
