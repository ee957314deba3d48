#!/usr/bin/python3 -ESB
# today: share accepts="public.text, public.url" title="Remember" description="in Reminders, Notes or Calendar" leaves=false
# today: option name=to title="To" choices="reminders, notes, calendar" default=reminders
# today: option name=title title="Title" default=""
# today: option name=when title="Day, or day and time, such as tomorrow or 2027-01-31 14:00" default=""
"""Keeps a text where the widgets Reminders, Notes and Calendar have theirs, and prints where that is.

The widgets' own modules write their files; where these are, the settings of the widgets say.
"""

import datetime
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
SETTINGS_SECONDS = 20


class Failure(Exception):
    """Why nothing was kept, in words, and the exit status."""

    def __init__(self, words, status=1):
        super().__init__(words)
        self.status = status


def program():
    """The program that this has come with, or the one in PATH."""
    own = os.path.join(HERE, "../../../bin/today")
    found = own if os.access(own, os.X_OK) else shutil.which("today")
    if not found:
        raise Failure("today is not in PATH, which knows the settings of the widgets", 69)
    return found


def settings(widget):
    """The settings of a widget that are set, by their names."""
    command = [program(), "settings", f"org.today.{widget}", "--json"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SETTINGS_SECONDS, check=False)
    if done.returncode != 0:
        raise Failure(done.stderr.decode("utf-8", "replace").strip() or "today settings has failed")
    return {one["name"]: one["value"] for one in json.loads(done.stdout) if one.get("value")}


def add_modules(widget):
    """Lets the modules of a widget be imported: installed ones, those of the source tree, or those of the program."""
    found = os.path.realpath(shutil.which("today") or "/")
    installed = os.path.join(os.path.dirname(found), "../lib/today/widgets", f"{widget}.widget")
    for folder in (f"{HERE}/../widgets/{widget}.widget", f"{HERE}/../Widgets/{widget}", installed):
        if os.path.isdir(folder):
            sys.path.append(folder)
            return
    raise Failure(f"the widget {widget} is not installed with today", 69)


def printable(line):
    return "".join(one if one.isprintable() else " " for one in line)


def moment(words):
    """A day, or a time of a day; None for no words."""
    if not words:
        return None
    today = datetime.date.today()
    days = {"today": today, "tomorrow": today + datetime.timedelta(days=1)}
    if words in days:
        return days[words]
    for kind in (datetime.date, datetime.datetime):
        try:
            return kind.fromisoformat(words)
        except ValueError:
            continue
    raise Failure(f"“{words}” is no day: expected today, tomorrow, or one such as 2027-01-31 or 2027-01-31 14:00", 64)


def remind(title, text, when):
    """Adds an entry of one line, of at most as many characters as the widget takes."""
    add_modules("Reminders")
    import entries
    from taskwarrior import Taskwarrior, literal
    from todo_file import TodoFile

    values = settings("Reminders")
    words = f"{title} {text}"
    try:
        if values.get("source") == "taskwarrior":
            source = Taskwarrior(values.get("taskrc"))
            # What follows “--” is never read as an attribute or an option.
            due = [f"due:{when.isoformat()}"] if when else []
            source.change("add", *due, "--", *literal(entries.typed_words(words)))
        else:
            source = TodoFile(values.get("file") or "~/todo.txt")
            day = when.date() if isinstance(when, datetime.datetime) else when
            source.add(f"{words} due:{day.isoformat()}" if day else words)
    except entries.Refusal as refusal:
        raise Failure(str(refusal)) from None
    return source.name


def note(title, text, when):
    """Adds the lines, below a heading if there is a title or a day."""
    add_modules("Notes")
    import note_file

    path = os.path.expanduser(settings("Notes").get("file") or "~/notes.txt")
    heading = " ".join([*title.split(), *(str(when or "")[:16].split())])
    lines = [f"# {heading}"] if heading else []
    for line in text.strip("\r\n").splitlines():
        lines.append("\t".join(map(printable, line.split("\t"))).rstrip())
    note_file.append(path, lines)
    return path


def enter(title, text, when):
    """Makes an entry of the calendar, a file of its own in the folder of the widget."""
    import uuid

    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    folder = os.path.expanduser(settings("Calendar").get("folder") or f"{data}/today/calendars")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    name = str(uuid.uuid4())
    path, unfinished = f"{folder}/{name}.ics", f"{folder}/.{name}.new"
    try:
        with open(unfinished, "xb") as file:
            file.write(calendar(name, title, text, when or datetime.date.today()))
            file.flush()
            os.fsync(file.fileno())
        os.rename(unfinished, path)
    except OSError:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise
    return path


def calendar(name, title, text, when):
    """One entry as a calendar (RFC 5545): a whole day, or an hour."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    summary = title or lines[0]
    rest = text.strip() if title or len(lines) > 1 else ""
    now = datetime.datetime.now(datetime.timezone.utc)
    if isinstance(when, datetime.datetime):
        # A time with a zone is one in UTC; others are those of the clock on the wall.
        if when.tzinfo:
            times = [f"DTSTART:{when.astimezone(datetime.timezone.utc):%Y%m%dT%H%M%SZ}", "DURATION:PT1H"]
        else:
            times = [f"DTSTART:{when:%Y%m%dT%H%M%S}", "DURATION:PT1H"]
    else:
        times = [f"DTSTART;VALUE=DATE:{when:%Y%m%d}"]
    made = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//today//Remember//EN", "BEGIN:VEVENT"]
    made += [f"UID:{name}", f"DTSTAMP:{now:%Y%m%dT%H%M%SZ}", *times, f"SUMMARY:{escaped(summary)}"]
    made += [f"DESCRIPTION:{escaped(rest)}"] if rest else []
    made += ["END:VEVENT", "END:VCALENDAR"]
    return b"".join(folded(line.encode("utf-8", "replace")) + b"\r\n" for line in made)


def escaped(text):
    """A text as a value of a calendar."""
    words = "\n".join(map(printable, text.splitlines()))
    for character in "\\;,":
        words = words.replace(character, "\\" + character)
    return words.replace("\n", "\\n")


def folded(line):
    """A line in parts of at most 75 bytes, none of which ends within a character."""
    parts = []
    while len(line) > 75:
        end = 75
        while line[end] & 0xC0 == 0x80:
            end -= 1
        parts.append(line[:end])
        line = b" " + line[end:]
    return b"\r\n".join([*parts, line])


def main():
    keep = {"notes": note, "calendar": enter}.get(os.environ.get("TODAY_OPTION_TO", ""), remind)
    text = sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    title = printable(" ".join(os.environ.get("TODAY_OPTION_TITLE", "").split()))
    try:
        if not title and not text.strip():
            raise Failure("there is nothing to remember", 65)
        print(keep(title, text, moment(os.environ.get("TODAY_OPTION_WHEN", "").strip())))
    except Failure as failure:
        print(failure, file=sys.stderr)
        sys.exit(failure.status)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        print(f"not remembered: {words}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
