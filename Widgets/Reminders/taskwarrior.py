"""The pending tasks of Taskwarrior as a source of reminders, through the program `task`.

Its form of export: https://taskwarrior.org/docs/design/task/
"""

import datetime
import json
import os
import re
import shutil
import subprocess
import time

import entries
from entries import CHANGED, LINE_LIMIT, Refusal, typed_words

LIMIT = 4 * 1024 * 1024
READ_SECONDS = 4  # the host waits 5 s for the first view
WRITE_SECONDS = 20  # hooks of the user may call a server
OPTIONS = [
    "rc.verbose=nothing",
    "rc.recurrence.confirmation=off",
    "rc.json.array=on",
    "rc.color=off",
    "rc.gc=off",  # the numbers that the user sees in a terminal stay the same
]
# Only for changes of tasks that were found: with it, task makes a configuration if there is none.
UNASKED = "rc.confirmation=off"
DONE_DAYS = datetime.timedelta(days=7)
# Of Taskwarrior 2, and of Taskwarrior 3 with the log of its database.
DATA_FILES = ("pending.data", "completed.data", "taskchampion.sqlite3", "taskchampion.sqlite3-wal")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = "%Y%m%dT%H%M%SZ"
TAG = re.compile(r"\+([^\W\d]\w*)")
ATTRIBUTE = re.compile(r"(project|due|priority|pri|wait|scheduled|until|recur):(\S*)")
SHORT = {"pri": "priority"}


class Unreadable(ValueError):
    """A task that is not what Taskwarrior exports."""


class Task(entries.Entry):
    """One task of an export; every value is checked."""

    def __init__(self, values):
        if not isinstance(values, dict):
            raise Unreadable("not an object")
        self.uuid = self.identifier = self.name = self.action = one(values, "uuid", str).lower()
        if not UUID.fullmatch(self.uuid):
            raise Unreadable("uuid")
        self.description = one(values, "description", str)
        self.is_done = one(values, "status", str) == "completed"
        self.is_open = one(values, "status", str) in ("pending", "waiting")
        # What else a task has costs itself alone, where other programs have written it in another form.
        self.priority = other(values, "priority", str, None) or None
        self.project = other(values, "project", str, "")
        tags = other(values, "tags", (list, str), [])
        tags = tags.replace(",", " ").split() if isinstance(tags, str) else tags
        self.tags = [tag for tag in tags if isinstance(tag, str)]
        urgency = other(values, "urgency", (int, float), 0)
        self.urgency = max(-1e6, min(1e6, urgency)) if urgency == urgency else 0
        self.time = moment(other(values, "due", str, None))
        self.end = other(values, "end", str, "")
        self.due = self.time.date() if self.time else None
        words = [(word, False) for word in self.description[:LINE_LIMIT].split()]
        words += [(self.project[:LINE_LIMIT], True)] if self.project else []
        self.words = words + [(f"+{tag[:LINE_LIMIT]}", True) for tag in self.tags[:20]]

    @property
    def text(self):
        """The task as it is typed; None if it is too long for that, or has bytes that cannot be typed."""
        words = [*self.description.split()]
        words += [f"{name}:{value}" for name, value in self.attributes.items()]
        text = " ".join([*words, *(f"+{tag}" for tag in self.tags if TAG.fullmatch(f"+{tag}"))])
        return text if len(text) <= LINE_LIMIT and "\ufffd" not in text else None

    @property
    def attributes(self):
        """The attributes that can be typed."""
        at_midnight = self.time and (self.time.hour, self.time.minute) == (0, 0)
        due = f"{self.time:%Y-%m-%d}" + ("" if at_midnight else f"T{self.time:%H:%M}") if self.time else ""
        found = {"project": self.project, "due": due, "priority": self.priority or ""}
        return {name: value for name, value in found.items() if value and len(value.split()) == 1}


def file_stamp(path):
    """What changes when a file is written; an empty file is as good as none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns) if status.st_size else None


REQUIRED = object()


def one(values, name, kinds, standard=REQUIRED):
    """One value of an export, of the kind that it must have."""
    value = values.get(name, standard)
    if value is not standard and (not isinstance(value, kinds) or isinstance(value, bool)):
        raise Unreadable(name)
    if value is REQUIRED:
        raise Unreadable(f"no {name}")
    return value


def other(values, name, kinds, standard):
    """A value that a task need not have; the standard for one of another kind."""
    value = values.get(name, standard)
    return value if isinstance(value, kinds) and not isinstance(value, bool) else standard


def moment(text):
    """A time of an export, in the zone of the user; None if it is none."""
    if text is None:
        return None
    for form in (TIME, "%Y-%m-%dT%H:%M:%SZ"):
        try:
            return datetime.datetime.strptime(text, form).replace(tzinfo=datetime.timezone.utc).astimezone()
        except (ValueError, OverflowError):
            continue
    return None


def tasks_of(data):
    """The tasks in an export, and how many of it cannot be read."""
    text = text_of(data)
    tasks, unreadable = [], 0
    try:
        found = DECODER.decode(text)
    except (ValueError, RecursionError):
        found, unreadable = line_by_line(text)
    if not isinstance(found, list):
        raise OSError("task export did not print a list of tasks")
    for values in found:
        try:
            tasks.append(Task(values))
        except Unreadable:
            unreadable += 1
    return tasks, unreadable


# Taskwarrior writes control characters as they are. NaN and the like are not numbers of a task.
DECODER = json.JSONDecoder(
    strict=False, parse_constant=lambda words: None, parse_int=lambda digits: (int if len(digits) < 300 else float)(digits)
)
# A character above U+FFFF as two halves, each in three bytes (CESU-8), as programs in other languages write it.
HALVES = re.compile(rb"\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])")

# An escape: a backslash, a pair of halves, or a half alone, which is no character.
ESCAPE = re.compile(r"\\(?:\\|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2}))")


def text_of(data):
    """The text of an export, in which bytes that are not UTF-8 and halves of characters are replaced."""
    def whole(halves):
        high, low, other, rest = (group[0] & 0x3F for group in halves.groups())
        return chr(0x10000 + (((high & 0x0F) << 6 | low) << 10) + ((other & 0x0F) << 6 | rest)).encode()

    text = HALVES.sub(whole, data).decode("utf-8", "replace").lstrip("\ufeff")
    return ESCAPE.sub(lambda found: "\ufffd" if found[1] else found[0], text)


def line_by_line(text):
    """The tasks of an export that is not JSON as a whole, and how many lines cannot be read: each task has its own."""
    found, unreadable = [], 0
    for line in text.splitlines():
        words = line.strip().strip(",")
        if words in ("", "[", "]"):
            continue
        try:
            found.append(DECODER.decode(words.removeprefix("[").removesuffix("]").strip(",")))
        except (ValueError, RecursionError):
            unreadable += 1
    if not any(isinstance(one, dict) for one in found):
        raise OSError("task export printed something other than tasks")
    return found, unreadable


def parsed(text):
    """What was typed: words of a description, attributes and tags."""
    words, attributes, tags = [], {}, []
    for word in typed_words(text):
        attribute, tag = ATTRIBUTE.fullmatch(word), TAG.fullmatch(word)
        if attribute:
            name = attribute.group(1)
            attributes[SHORT.get(name, name)] = attribute.group(2)
        elif tag:
            tags.append(tag.group(1))
        else:
            words.append(word)
    if not words:
        raise Refusal("A task needs a description.")
    return words, attributes, tags


def literal(words):
    """The words of a description as `task` takes them: in one with blanks it reads escapes (\\n), in all U+0041 as a character."""
    return [re.sub(r"U\+(?=[0-9a-fA-F]{4})", r"\\U+", word) for word in words]


class Taskwarrior:
    """The tasks, read and changed by `task` itself, with the configuration of the user."""

    has_order = False
    check_seconds = None
    name = "Taskwarrior"

    def __init__(self, configuration=None, is_rehearsal=False):
        # The host passes no TASKRC on.
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        if configuration:
            self.environment["TASKRC"] = os.path.expanduser(configuration)
        self.is_rehearsal = is_rehearsal  # under test: nothing is changed
        self.rehearsed = {}
        self.ticked = {}  # when tasks were toggled here
        self.done = []
        self.unreadable = 0
        self.watched = self.data_files()

    def data_files(self):
        """The files with the tasks, to watch for changes by others; none if it is not known where they are."""
        try:
            place = self.run(["_get", "rc.data.location"], READ_SECONDS / 2).decode().strip()
        except (OSError, UnicodeDecodeError):
            return []
        folder = os.path.expanduser(place)
        return [os.path.join(folder, name) for name in DATA_FILES] if os.path.isabs(folder) else []

    @property
    def stamp(self):
        """What changes with the tasks: `task` is not asked again for events that changed nothing, such as its own."""
        return [file_stamp(path) for path in self.watched]

    def appear(self):
        self.ticked.clear()

    def listed(self):
        """The tasks that are shown, the most urgent first; those that were just done are last, the newest of them first."""
        # In a fixed order, so that the command line is the same for the same tasks.
        kept = [word for uuid in sorted(self.ticked) for word in ("or", f"uuid:{uuid}")]
        since = entries.today() - DONE_DAYS
        done = ["or", "(", "status:completed", f"end.after:{since.isoformat()}", ")"]
        tasks, self.unreadable = self.export("(", "status:pending", *done, *kept, ")")
        tasks = [self.rehearsed.get(task.uuid, task) for task in tasks]
        shown = [task for task in tasks if task and (task.is_open or task.uuid in self.ticked)]
        self.done = [task for task in tasks if task and task.is_done and task.uuid not in self.ticked]
        shown.sort(key=lambda task: (-task.urgency, task.uuid))
        return sorted(shown, key=lambda task: (task.is_done, -self.ticked[task.uuid] if task.is_done else 0))

    def finished(self):
        """The tasks that were completed in the last days when they were listed, the newest first."""
        return sorted(self.done, key=lambda task: (task.end, task.uuid), reverse=True)

    @property
    def note(self):
        """What there is to say of the tasks."""
        if not self.unreadable:
            return None
        return "1 task cannot be read" if self.unreadable == 1 else f"{self.unreadable} tasks cannot be read"

    def export(self, *filters):
        return tasks_of(self.run([*filters, "export"], READ_SECONDS))

    def task(self, uuid):
        """A task as it is now, or a refusal."""
        if not isinstance(uuid, str) or not UUID.fullmatch(uuid):
            raise Refusal(CHANGED)
        task = next(iter(self.export(f"uuid:{uuid}")[0]), None)
        if not task or not (task.is_open or task.is_done):
            raise Refusal(CHANGED)
        return task

    def row(self, name):
        return self.task(name)

    def toggle(self, action):
        task = self.task(action)
        if self.is_rehearsal:
            before = self.rehearsed.get(task.uuid)
            if before:
                task = before
            task.is_done, task.is_open = not task.is_done, task.is_done
            self.rehearsed[task.uuid] = task
        elif task.is_done:
            self.change(UNASKED, f"uuid:{task.uuid}", "modify", "status:pending", "end:")
        else:
            self.change(UNASKED, f"uuid:{task.uuid}", "done")
        self.ticked[task.uuid] = time.monotonic()

    def remove(self, name):
        """Deletes a task; returns it, and what brings it back."""
        task = self.task(name)
        before = self.rehearsed.get(task.uuid, task)
        if self.is_rehearsal:
            self.rehearsed[task.uuid] = None
        else:
            self.change(UNASKED, f"uuid:{task.uuid}", "delete")
        return task, lambda: self.restore(task, before)

    def restore(self, task, before):
        """Brings a deleted task back, done or to be done as it was."""
        if self.is_rehearsal:
            self.rehearsed[task.uuid] = before
            return
        found = self.export(f"uuid:{task.uuid}")[0]
        if not found or found[0].is_open or found[0].is_done:
            raise Refusal(CHANGED)
        was = ("status:completed", f"end:{task.end}") if task.is_done and task.end else ("status:pending", "end:")
        self.change(UNASKED, f"uuid:{task.uuid}", "modify", *was)

    def move(self, row, before, order=None):
        raise Refusal("Taskwarrior sorts its tasks by their urgency.")

    @staticmethod
    def reading(text):
        """None: Taskwarrior reads the dates."""
        return None

    def add(self, text):
        words, attributes, tags = parsed(text)
        given = [f"{name}:{value}" for name, value in attributes.items()]
        # What follows “--” is never read as an attribute or an option.
        self.change("add", *given, *(f"+{tag}" for tag in tags), "--", *literal(words))

    def edit(self, name, old, new):
        """Changes what was typed otherwise, and nothing else."""
        task = self.task(name)
        if task.text != old:
            raise Refusal(CHANGED)
        words, attributes, tags = parsed(new)
        given = [f"{name}:{value}" for name, value in attributes.items() if task.attributes.get(name) != value]
        given += [f"{name}:" for name in task.attributes if name not in attributes]
        given += [f"+{tag}" for tag in tags if tag not in task.tags]
        typed = [tag for tag in task.tags if TAG.fullmatch(f"+{tag}")]
        given += [f"-{tag}" for tag in typed if tag not in tags]
        described = ["--", *literal(words)] if words != task.description.split() else []
        if given or described:
            self.change(UNASKED, f"uuid:{task.uuid}", "modify", *given, *described)

    def change(self, *command):
        if not self.is_rehearsal:
            self.run(command, WRITE_SECONDS)

    def run(self, command, seconds):
        """What `task` prints, which needs no terminal and asks nothing."""
        program = shutil.which("task")
        if not program:
            raise OSError("task is not installed; install it with: apt install taskwarrior")
        try:
            done = subprocess.run(
                [program, *OPTIONS, *command],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                env=self.environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise OSError(f"task did not answer within {seconds} s") from None
        if done.returncode != 0:
            raise OSError(self.trouble(done))
        if len(done.stdout) > LIMIT:
            raise OSError("task printed more than 4 MiB")
        return done.stdout

    def trouble(self, done):
        lines = [line.strip() for line in done.stderr.decode("utf-8", "replace").splitlines()]
        lines = [line for line in lines if line and not line.startswith(("TASKRC override", "TASKDATA override"))]
        if any("without rc file" in line for line in lines):
            where = self.environment.get("TASKRC")
            if where:
                return f"there is no {where}"
            return "Taskwarrior has no configuration yet; enter “task” in a terminal once"
        if lines:
            return lines[-1][:200]
        code = done.returncode
        return f"task ended with {code}" if code > 0 else f"task was ended by signal {-code}"
