"""A todo.txt file as a source of reminders.

Its form: https://github.com/todotxt/todo.txt
"""

import codecs
import datetime
import hashlib
import os
import re
import stat
import time

import entries
import file_change
import recurrence
from entries import CHANGED, LINE_LIMIT, SORTED, Refusal, day, today, typed_words

FILE_LIMIT = 1024 * 1024
# How often a change is made again because another program has written the file meanwhile.
ATTEMPTS = 20
# surrogateescape: a byte that is not UTF-8 is written back as it was.
UTF_8 = ("utf-8", "surrogateescape")
# The encodings by their marks; the Notepad of Windows wrote the others.
ENCODINGS = {
    codecs.BOM_UTF8: UTF_8,
    codecs.BOM_UTF16_LE: ("utf-16-le", "strict"),
    codecs.BOM_UTF16_BE: ("utf-16-be", "strict"),
}
PRIORITY = re.compile(r"\(([A-Z])\) ")
DATE = re.compile(r"\d{4}-\d{2}-\d{2} ")
# Some programs write a time behind the day, which stays in the file.
TIME = r"(?:T\d{2}:?\d{2}(?::?\d{2})?)?"
DUE = re.compile(rf"(?i:due):(\d{{4}}-\d{{2}}-\d{{2}}){TIME}")
START = re.compile(rf"t:(\d{{4}}-\d{{2}}-\d{{2}}){TIME}")
# What programs for telephones hide, such as lines that only keep the names of projects.
HIDDEN = "h:1"
# How many entries that were ticked off here are remembered with the ones that they made.
FOLLOWED_LIMIT = 200


class Line(entries.Entry):
    """One line that is not empty."""

    def __init__(self, number, line):
        self.number = self.identifier = number
        self.line = line
        self.is_done = line.startswith("x ")
        rest = line[2:] if self.is_done else line
        priority = PRIORITY.match(rest)
        self.priority = priority.group(1) if priority else None
        rest = rest[priority.end():] if priority else rest
        self.completed = None
        for is_first in (True, False) if self.is_done else (False,):  # when it was completed, when it was made
            date = DATE.match(rest)
            rest = rest[date.end():] if date else rest
            self.completed = day(date.group().strip()) if date and is_first else self.completed
        words = readable(rest).split()
        dues = [day(match.group(1)) for match in map(DUE.fullmatch, words) if match]
        self.due = next((due for due in dues if due), None)
        starts = [day(match.group(1)) for match in map(START.fullmatch, words) if match]
        self.start = next((start for start in starts if start), None)
        self.is_hidden = HIDDEN in words
        self.project = next((word[1:LINE_LIMIT] for word in words if len(word) > 1 and word[0] == "+"), "")
        # A long line says how it begins; what it is due may be at its end.
        self.words = [
            (word[:LINE_LIMIT], len(word) > 1 and word[0] in "+@" or bool(recurrence.INTERVAL.fullmatch(word)))
            for word in words[: len(rest[:LINE_LIMIT].split())]
            if not word.startswith("pri:") and not (self.due and DUE.fullmatch(word) or self.start and START.fullmatch(word))
        ]
        # What tells this line from others: it goes to the host and comes back with a press.
        content = self.line.encode("utf-8", "surrogateescape")
        self.content = hashlib.sha256(content).hexdigest()[:16]
        self.action = f"{number} {self.content}"

    @property
    def text(self):
        """The line; None if it is not text, or too long to be typed."""
        return self.line if len(self.line) <= LINE_LIMIT and self.line.isprintable() else None

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
        # Some programs leave the priority where it was, before the dates.
        priority = PRIORITY.match(rest)
        rest = rest[priority.end():] if priority else rest
        # The first date says when it was done; another one behind it, when it was made.
        date = DATE.match(rest)
        rest = rest[date.end():] if date else rest
        if priority:
            return priority.group() + rest
        kept = re.search(r"(?:^| )pri:([A-Z])(?= |$)", rest)
        if kept:
            rest = f"({kept.group(1)}) " + (rest[:kept.start()] + rest[kept.end():]).removeprefix(" ")
        return rest


def readable(text):
    """A text whose bytes that are not UTF-8 are replaced; they stay in the file."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def entries_of(lines):
    """The entries in lines, each with the name of its row, which it keeps when others come, go or move."""
    found = [Line(number, line.rstrip()) for number, line in enumerate(lines, 1) if line.strip()]
    counts = {}
    for entry in found:
        count = counts[entry.content] = counts.get(entry.content, 0) + 1
        entry.name = f"{entry.content} {count}"
    return found


def reopened(entry):
    """The entry as it was before it was done, with the priority that it had."""
    return Line(entry.number, entry.toggled()) if entry.is_done else entry


class RemovedLine:
    """A line that was removed, every byte of it, and the two lines around it; None where there is none."""

    def __init__(self, lines, index):
        self.index, self.line = index, lines[index]
        self.before = lines[index - 1] if index else None
        self.after = lines[index + 1] if index + 1 < len(lines) else None

    def put_back(self, lines):
        """The lines with this one between those that were around it, or else at the end."""
        places = [place for place in range(len(lines) + 1) if self.fits(place, lines)]
        if places:
            lines.insert(min(places, key=lambda place: abs(place - self.index)), self.line)
            return lines
        line = self.line if self.line.endswith("\n") else self.line + ending_of(lines)
        return appended(lines, line)

    def fits(self, place, lines):
        before = lines[place - 1] if place else None
        after = lines[place] if place < len(lines) else None
        return (before, after) == (self.before, self.after)


class TodoFile:
    """The file: read whole, written beside itself and put in place at once."""

    #: Whether rows can be moved.
    has_order = True
    #: How often it is looked at without an event; that costs little.
    check_seconds = 60

    def __init__(self, path, is_rehearsal=False):
        self.path = os.path.expanduser(path)
        self.is_rehearsal = is_rehearsal  # under test: changes are kept here, not in the file
        self.rehearsed = None
        self.mark = b""  # a byte order mark, which some editors write before the first line
        self.encoding = UTF_8  # of the bytes behind it
        self.ticked = {}  # when lines were toggled here, which stay in sight until the next appearance
        self.followed = {}  # what was ticked off here, with the line that it made

    @property
    def name(self):
        home = os.path.expanduser("~")
        return "~" + self.path[len(home):] if self.path.startswith(home + "/") else self.path

    def appear(self):
        self.ticked.clear()

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
        self.mark = next((mark for mark in ENCODINGS if data.startswith(mark)), b"")
        self.encoding = ENCODINGS.get(self.mark, UTF_8)
        try:
            text = data[len(self.mark):].decode(*self.encoding)
        except UnicodeDecodeError as error:
            raise OSError("it is not a text") from error
        return re.findall(r"[^\n]*\n|[^\n]+", text)

    @property
    def watched(self):
        """The files to watch for changes by others."""
        return [self.path]

    #: What changes with the file; none, as reading it costs no more.
    stamp = None

    def finished(self):
        """The newest entries that are done, but for those that are listed still."""
        done = [e for e in entries_of(self.read()) if e.is_done and e.line not in self.ticked and not e.is_hidden]
        return sorted(done, key=lambda e: (e.completed or datetime.date.min, e.number), reverse=True)

    def listed(self, lines=None):
        """The entries that are shown, in their order: those that were just done are last, the newest of them first."""
        found = entries_of(self.read() if lines is None else lines)
        found = [e for e in found if (not e.is_done or e.line in self.ticked) and not e.is_hidden]
        found.sort(key=lambda entry: reopened(entry).order)
        found.sort(key=lambda entry: (entry.is_done, -self.ticked[entry.line] if entry.is_done else 0))
        return found

    def row(self, name):
        """The entry of a row of the list, or a refusal."""
        return self.row_of(name, self.read())

    @staticmethod
    def row_of(name, lines):
        for entry in entries_of(lines):
            if entry.name == name:
                return entry
        raise Refusal(CHANGED)

    @staticmethod
    def find(number, content, lines):
        """An entry of the file as it is now; someone may have written it since.

        None where it is neither at its number nor at another.
        """
        places = [e for e in entries_of(lines) if e.content == content]
        return min(places, key=lambda e: abs(e.number - number)) if places else None

    def toggle(self, action):
        """Ticks an entry off, or opens it again."""
        number, _, content = action.partition(" ")
        if not number.isdecimal() or len(number) > 9:
            return

        def toggled(lines):
            entry = self.find(int(number), content, lines)
            if not entry:
                raise Refusal(CHANGED)
            lines = replaced(lines, entry, entry.toggled())
            return (self.without_following if entry.is_done else self.with_following)(lines, entry)

        new, following = self.change(toggled)
        self.ticked[new] = time.monotonic()
        if following:
            self.followed[new] = following
            if len(self.followed) > FOLLOWED_LIMIT:
                del self.followed[next(iter(self.followed))]

    @staticmethod
    def with_following(lines, entry):
        """The lines with the one that comes after an entry that repeats, at the end."""
        following = recurrence.following(entry.line, today())
        return (appended(lines, following + ending_of(lines)) if following else lines), (entry.toggled(), following)

    def without_following(self, lines, entry):
        """The lines without the one that a tick made that was a slip, if it still is as it was."""
        following = self.followed.get(entry.line)
        places = [index for index, line in enumerate(lines) if line.rstrip() == following] if following else []
        if places:
            del lines[places[-1]]
        return lines, (entry.toggled(), None)

    def edit(self, name, old, new):
        """Replaces an entry by what was typed; the name of its row has its old content."""
        line = as_line(new)
        self.change(lambda lines: (replaced(lines, self.row_of(name, lines), line), None))

    def remove(self, name):
        """Removes an entry; returns it, and what brings it back."""

        def removed(lines):
            entry = self.row_of(name, lines)
            line = RemovedLine(lines, entry.number - 1)
            del lines[line.index]
            return lines, (entry, line)

        entry, line = self.change(removed)
        return entry, lambda: self.change(lambda lines: (line.put_back(lines), None), makes_file=True)

    def move(self, row, before, order=None):
        """Moves an open entry before another one, or to the end of its list; those that are done are behind that end.

        `order` takes the open entries that are listed, and returns those of the list in the order in which it
        has them; without it the list has all.
        """
        def moved_lines(lines):
            entry = self.row_of(row, lines)
            other = self.row_of(before, lines) if before is not None else None
            other = None if other and other.is_done else other
            lines = moved(lines, entry, other)
            listed = [e.content for e in (order or list)([e for e in self.listed(lines) if not e.is_done])]
            # The list is sorted, so that a line that is moved may be shown where it was before.
            places = [index for index, content in enumerate(listed) if content == entry.content]
            follows = other.content if other else None
            if not any(listed[place + 1 : place + 2] == ([follows] if other else []) for place in places):
                raise Refusal(SORTED)
            return lines, None

        self.change(moved_lines)

    @staticmethod
    def reading(text):
        """The entry that a typed text is."""
        return Line(0, as_line(text))

    def add(self, text):
        """Adds an entry at the end, and makes the file if there is none."""
        line = as_line(text)

        def added(lines):
            return appended(lines, line + ending_of(lines)), None

        self.change(added, makes_file=True)

    def change(self, work, makes_file=False):
        """Writes what `work` makes of the lines, and returns what else it returns.

        Everything is done again with the new lines where another program has written the file meanwhile.
        """
        for _ in range(ATTEMPTS):
            try:
                lines = list(self.read())
                before = self.mark + self.data_of(lines)
            except FileNotFoundError:
                if not makes_file:
                    raise
                lines, before, self.mark, self.encoding = [], None, b"", UTF_8
            lines, result = work(lines)
            data = self.mark + self.data_of(lines)
            if len(data) > FILE_LIMIT:
                raise Refusal(f"{self.name} would be larger than 1 MiB.")
            if self.is_rehearsal:
                self.rehearsed = lines
                return result
            if file_change.replace(self.path, before, data):
                return result
        raise Refusal(CHANGED)

    def data_of(self, lines):
        return "".join(lines).encode(*self.encoding)


def ending_of(lines):
    """What ends a new line: as most of the lines that have an ending, or the last of them if as many have the other."""
    ended = [line.endswith("\r\n") for line in lines if line.endswith("\n")]
    return "\r\n" if 2 * sum(ended) + (ended[-1:] == [True]) > len(ended) else "\n"


def appended(lines, line):
    """The lines with another one at the end, behind a last one that gets an ending if it has none."""
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += ending_of(lines)
    return [*lines, line]


def replaced(lines, entry, text):
    """The lines with another one in the place of an entry; what is behind its text stays."""
    old = lines[entry.number - 1]
    lines[entry.number - 1] = text + old[len(old.rstrip()):]
    return lines


def moved(lines, entry, before):
    """The lines with an entry before another one, or at the end."""
    is_open = not lines[-1].endswith("\n")  # the last line has no ending
    if is_open:
        lines[-1] += ending_of(lines)
    line = lines[entry.number - 1]
    place = before.number - 1 if before else len(lines)
    lines.insert(place, line)
    del lines[entry.number - 1 if entry.number - 1 < place else entry.number]
    if is_open:
        lines[-1] = lines[-1].removesuffix("\n").removesuffix("\r")
    return lines


def as_line(text):
    """What was typed as a line of an open entry."""
    words = typed_words(text)
    while words and words[0] == "x":  # it would be done already
        words = words[1:]
    if not words:
        raise Refusal("An entry needs words.")
    return " ".join(map(recurrence.with_day, words))
