#!/usr/bin/python3 -ESB
# today: title="Sun" icon=☀ tint=yellow format=xbar
# today: description="Sunrise, sunset, the length of the day and the moon, computed on this machine."
# <xbar.var>string(VAR_PLACE=""): Degrees north and east, such as 52.52, 13.40</xbar.var>
"""Sun: sunrise, sunset, the length of the day and the moon. Needs no network: all of it is computed.

The equation of the sunrise, as in https://en.wikipedia.org/wiki/Sunrise_equation, is exact to a few minutes.
"""

import calendar
import math
import os
import re
import sys
import textwrap
import time
import unicodedata

# The mean time from new moon to new moon, and one new moon, in days since 1970.
MONTH, NEW_MOON = 29.530588853, 10962.760
PHASES = (
    ("●", "new moon"),
    ("☽", "waxing crescent"),
    ("◐", "first quarter"),
    ("◐", "waxing gibbous"),
    ("○", "full moon"),
    ("◑", "waning gibbous"),
    ("◑", "last quarter"),
    ("☾", "waning crescent"),
)


def sun(day, north, east):
    """The seconds since 1970 of sunrise and sunset on a day; for a day without them whether the sun is up.

    `day` is the number of the day since 1970, counted by the sun at this place.
    """
    # Days since noon of 1 January 2000.
    since = day - 10957 + 0.0008 - east / 360
    anomaly = math.radians((357.5291 + 0.98560028 * since) % 360)
    centre = 1.9148 * math.sin(anomaly) + 0.02 * math.sin(2 * anomaly) + 0.0003 * math.sin(3 * anomaly)
    longitude = math.radians((math.degrees(anomaly) + centre + 180 + 102.9372) % 360)
    noon = since + 0.0053 * math.sin(anomaly) - 0.0069 * math.sin(2 * longitude)
    height = math.asin(math.sin(longitude) * math.sin(math.radians(23.4397)))
    place = math.radians(max(-89.99, min(89.99, north)))
    # The upper edge of the sun, with the bending of light.
    cosine = (math.sin(math.radians(-0.833)) - math.sin(place) * math.sin(height)) / (math.cos(place) * math.cos(height))
    if not -1 <= cosine <= 1:
        return None, None, cosine < 0
    half = math.degrees(math.acos(cosine)) / 360
    return (noon - half + 10957.5) * 86400, (noon + half + 10957.5) * 86400, False


def clock(seconds):
    return time.strftime("%H:%M", time.localtime(seconds))


def length(seconds):
    return f"{int(seconds // 3600)} h {int(seconds % 3600 // 60)} min"


def show(card):
    place = [number(one) for one in items("VAR_PLACE")]
    if len(place) != 2 or None in place or abs(place[0]) > 90 or abs(place[1]) > 180:
        return card.hint(
            "No place yet." if not place else "VAR_PLACE is not a pair of coordinates.",
            "Press , and set VAR_PLACE to degrees north and east, such as 52.52, 13.40.",
        )
    north, east = place
    now = time.time()
    here = time.localtime(now)
    # The day of the calendar at this place.
    day = calendar.timegm((here.tm_year, here.tm_mon, here.tm_mday, 0, 0, 0)) // 86400
    rise, down, is_up = sun(day, north, east)
    moon = ((now / 86400 - NEW_MOON) % MONTH) / MONTH
    sign, phase = PHASES[int(moon * 8 + 0.5) % 8]
    if rise is None:
        told = "The sun does not set today" if is_up else "The sun does not rise today"
    else:
        card.add(("↑", "33"), "Sunrise", "", clock(rise))
        card.add(("↓", "33"), "Sunset", "", clock(down))
        before = sun(day - 1, north, east)
        difference = round((down - rise - (before[1] - before[0])) / 60) if before[0] is not None else 0
        note = f"{abs(difference)} min {'longer' if difference > 0 else 'shorter'} than yesterday" if difference else ""
        card.add(QUIET, "Day", note, length(down - rise))
        if now < rise:
            told = f"Sunrise in {length(rise - now)}"
        elif now < down:
            told = f"Sunset in {length(down - now)}"
        else:
            told = "The sun has set"
    card.add((sign, "2"), "Moon", phase, f"{50 * (1 - math.cos(2 * math.pi * moon)):.0f} %")
    return card.show(told)


# part: card
GOOD, WARN, BAD, UNSURE, QUIET = ("✓", "32"), ("!", "33"), ("✗", "31"), ("?", "33"), ("·", "2")


class Failure(Exception):
    """Why there is nothing to show, in words for a person."""


def setting(name, default=""):
    """The text of a setting of the card."""
    return os.environ.get(name, "").strip() or default


def items(name):
    """The texts of a setting that is a list, with commas or blanks between them."""
    return list(dict.fromkeys(setting(name).replace(",", " ").split()))


def words(value, limit=300):
    """A text from elsewhere on one line, without control characters; empty for what is no text."""
    if isinstance(value, (dict, list, bool)) or value is None:
        return ""
    text = str(value)[: 4 * limit]
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())[:limit]


def number(value, low=-1e15, high=1e15):
    """A number, also from a text; None for all that is none, as NaN is not, and for one out of range."""
    try:
        found = None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if found is not None and low <= found <= high else None


def cells(text):
    """How many cells of the terminal a text takes up."""
    return sum(0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def cut(text, room):
    """The beginning of a text that fits, with an ellipsis if there is more."""
    if cells(text) <= room:
        return text
    while text and cells(text) > room - 1:
        text = text[:-1]
    return text.rstrip(" ·") + "…" if room > 0 else ""


class Card:
    """Rows with a sign on the left and a number on the right, printed as a menu of xbar."""

    def __init__(self):
        self.width = int(number(os.environ.get("COLUMNS"), 10, 1000) or 40)
        self.rows = []

    def add(self, look, name, note="", right="", link="", details=()):
        """A row: `look` is one of those above, `note` is dim text, or signs with their colours of which the last are shown.

        A press on it shows `details`, and `link` below them. They are pairs of a text and what a press on that does: a link,
        the words of a command that gets the terminal, or nothing if it is empty.
        """
        note = note if isinstance(note, list) else words(note)
        # Why something is not known may be long.
        details = details or ([(note, "")] if look is UNSURE and note else [])
        details = [one for one in details if one[0]] + ([("Open in the browser", link)] if words(link) else [])
        self.rows.append((look, words(name), note, words(right), details))

    def show(self, summary, look=QUIET, most=8):
        """Prints a summary, as many rows, and a fold with the others."""
        sign = "" if look is QUIET else look[0] + " "
        print(self.line(paint(cut(sign + words(summary), self.width), "" if look is QUIET else look[1])))
        shown, others = self.rows[:most], self.rows[most:]
        # A fold for one row would take as much room as the row.
        shown, others = (shown, others) if len(others) > 1 else (self.rows, [])
        if shown:
            print("---")
        indents = bool(others) or any(row[4] for row in shown)
        for row in shown:
            print("\n".join(self.lines(row, "", indents)))
        if others:
            print(self.line(paint(f"{len(others)} more", "2")))
        # The host takes 256 KiB, and nobody scrolls through more.
        room = 200_000
        for index, row in enumerate(others):
            lines = self.lines(row, "--", any(row[4] for row in others))
            room -= sum(len(line.encode()) + 1 for line in lines)
            if index == 150 or room < 0:
                print(self.line("--" + paint(f"and {len(others) - index} more", "2")))
                break
            print("\n".join(lines))

    def lines(self, row, depth, indents):
        look, name, note, right, details = row
        room = self.width - 2 - (2 if indents else 0) - (2 if depth else 0)
        right = cut(right, max(room // 2, room - 12))
        room -= cells(right) + 1 if right else 0
        name = cut(name, room)
        if isinstance(note, list):
            # Graphs begin in one column.
            name += " " * min(max(cells(one[1]) for one in self.rows if isinstance(one[2], list)) - cells(name), room // 2)
            name = cut(name, room)
        left = room - cells(name) - 2
        note = (note[-left:] if isinstance(note, list) else cut(note, left)) if left > 5 else ""
        length = len(note) if isinstance(note, list) else cells(note)
        gap = " " * (room - cells(name) - (length + 2 if note else 0))
        painted = "".join(paint(*one) for one in note) if isinstance(note, list) else paint(note, "2")
        text = f"{paint(*look)} {name}" + (f"  {painted}" if note else "")
        text += f"{gap} {paint(right, look[1] if look in (BAD, WARN, UNSURE) else '2')}" if right else ""
        lines = [depth + self.line(("  " if indents and not details else "") + text)]
        # What did not fit is whole among the details.
        if details and look is not UNSURE and (name.rstrip() != row[1] or (not isinstance(row[2], list) and note != row[2])):
            details = [(row[1] if isinstance(row[2], list) or not row[2] else f"{row[1]} · {row[2]}", ""), *details]
        for text, link in details[:30]:
            parts = [words(text)] if link else textwrap.wrap(words(text), max(10, self.width - 4))
            lines += [f"{depth}--{self.line(paint(part, '' if link else '2'), link)}" for part in parts]
        return lines

    @staticmethod
    def line(text, link=""):
        """A line of a menu: the first `|` would end its text, and a backslash begins an escape if there is no quote."""
        text = text.replace("|", "¦")
        text = text if '"' in text else text.replace("\\", "\\\\")
        if isinstance(link, list):
            # A word that could end a parameter leaves the row without its command.
            plain = all(re.fullmatch(r"[\w$%:@./=+-]+", word) for word in link)
            command = "".join(f" param{index}={word}" for index, word in enumerate(link[1:], 1))
            return f"{text} | emojize=false" + (f" bash={link[0]}{command} terminal=true" if plain else "")
        link = words(link, 2000)
        plain = link.startswith(("https://", "http://")) and not set(link) & set("\"' <>\\")
        blanks = " trim=false" if text.startswith(" ") else ""
        return f"{text} | emojize=false{blanks}" + (f' href="{link}"' if plain else "")

    def hint(self, what, to_do):
        """Prints what is missing, and what to do about it."""
        print("---")
        for index, text in enumerate((what, to_do)):
            for line in textwrap.wrap(words(text), self.width):
                print(self.line(paint(line, "2" if index else "")))


def paint(text, code):
    return f"\033[{code}m{text}\033[0m" if code and text else text


def main(show):
    """Runs a script: a failure is its last line on standard error, which the heading has; the last card stays."""
    try:
        show(Card())
    except Failure as failure:
        sys.exit(words(failure))
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError) as error:
        sys.exit(f"the answer cannot be read ({type(error).__name__}: {words(error, 80)})")


# end of card


if __name__ == "__main__":
    main(show)
