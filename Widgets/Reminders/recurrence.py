"""What todo.txt files say of later: `rec:` makes the next entry when one is ticked off, `t:` hides an entry until a day.

Neither is part of the format; both are as Simpletask and others have them. `rec:2w` counts from the day on which the
entry is ticked off, `rec:+2w` from its own date. The units are d, b (days from Monday to Friday), w, m and y.
"""

import calendar
import datetime
import re

from entries import today

INTERVAL = re.compile(r"(?<!\S)rec:(\+?)(\d{1,4})([dbwmy])(?!\S)")
DUE = re.compile(r"(?<!\S)due:(\d{4}-\d{2}-\d{2})(?![^\sT])")
START = re.compile(r"(?<!\S)t:(\d{4}-\d{2}-\d{2})(?![^\sT])")
# A day in words: due:tomorrow, t:fri, due:2w.
IN_WORDS = re.compile(r"(due|t):(?:(\d{1,3})([dbwmy])|([a-z]{3,9}))", re.IGNORECASE)
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MADE = re.compile(r"((?:\([A-Z]\) )?)\d{4}-\d{2}-\d{2} ")


def date_of(pattern, line):
    """The first date of this kind in a line that is one of the calendar; None if there is none."""
    for match in pattern.finditer(line):
        try:
            return datetime.date.fromisoformat(match.group(1))
        except ValueError:
            continue
    return None


def with_day(word):
    """A word of an entry, with the date in the place of a day in words, as files have dates alone; all others as they are.

    The name of a day of the week is the next one after the present day.
    """
    match = IN_WORDS.fullmatch(word)
    if not match:
        return word
    key, count, unit, name = match.groups()
    name = (name or "").lower()
    days = {"today": 0, "tomorrow": 1, "tod": 0, "tom": 1}.get(name)
    weekdays = [index for index, one in enumerate(WEEKDAYS) if one.startswith(name)] if name else []
    try:
        if count:
            date = later(today(), int(count), unit.lower())
        elif days is not None:
            date = today() + datetime.timedelta(days=days)
        elif weekdays:
            date = today() + datetime.timedelta(days=(weekdays[0] - today().weekday() - 1) % 7 + 1)
        else:
            return word
    except (ValueError, OverflowError):
        return word
    return f"{key.lower()}:{date.isoformat()}"


def repeats(line):
    """Whether ticking a line off makes the next one."""
    match = INTERVAL.search(line)
    return bool(match and int(match.group(2)))


def following(line, done):
    """The line that comes after an open one that repeats; None where there is none, as after the year 9999."""
    match = INTERVAL.search(line)
    if not match or not int(match.group(2)):
        return None
    is_strict, count, unit = bool(match.group(1)), int(match.group(2)), match.group(3)
    due, start = date_of(DUE, line), date_of(START, line)
    try:
        next_date = later((due or start or done) if is_strict else done, count, unit)
        # What begins some days before it is due does so again.
        next_start = next_date - (due - start) if due and start else next_date
    except (ValueError, OverflowError):
        return None
    new = MADE.sub(lambda made: f"{made.group(1)}{done:%Y-%m-%d} ", line, count=1) if MADE.match(line) else line
    if start:
        new = with_date(START, "t", next_start, new)
    if due:
        new = with_date(DUE, "due", next_date, new)
    return new if due or start else f"{new} due:{next_date.isoformat()}"


def with_date(pattern, name, date, line):
    """The line with another date in the place of the one that counts."""
    old = date_of(pattern, line)
    return line.replace(f"{name}:{old.isoformat()}", f"{name}:{date.isoformat()}", 1)


def later(date, count, unit):
    if unit == "b":
        for _ in range(count):
            date += datetime.timedelta(days=1)
            while date.weekday() > 4:
                date += datetime.timedelta(days=1)
        return date
    if unit in "dw":
        return date + datetime.timedelta(days=count * (7 if unit == "w" else 1))
    months = date.year * 12 + date.month - 1 + count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    # The 31st of a month without one is its last day.
    return date.replace(year=year, month=month + 1, day=min(date.day, calendar.monthrange(year, month + 1)[1]))
