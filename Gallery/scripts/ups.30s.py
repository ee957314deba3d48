#!/usr/bin/python3 -ESB
# today: title="UPS" icon=⌁ tint=yellow format=xbar network=true alert="<50"
# today: description="Charge, load and time left of uninterruptible power supplies (NUT, apcupsd)."
# <xbar.var>string(VAR_UPS=""): Names for upsc, such as ups@server; those of this machine if empty</xbar.var>
# <xbar.var>number(VAR_MINUTES=10): Marked with so many minutes left</xbar.var>
"""UPS: charge, load and time left of uninterruptible power supplies.

Needs upsc (apt install nut-client) or apcaccess (apt install apcupsd), whose service is asked.
"""

import datetime
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import unicodedata

FLAGS = {
    "OL": "on mains",
    "OB": "on battery",
    "LB": "battery low",
    "RB": "replace the battery",
    "CHRG": "charging",
    "BYPASS": "bypass",
    "OVER": "overloaded",
    "OFF": "off",
    "FSD": "shutting down",
    "CAL": "calibrating",
    "HB": "battery high",
    "TRIM": "trimming",
    "BOOST": "boosting",
    "ALARM": "alarm",
    "DISCHRG": "discharging",
    "ECO": "saving",
    "TEST": "testing",
    "OVERLOAD": "overloaded",
    "NOBATT": "no battery",
    "SLAVE": "follows another",
    "COMMLOST": "not reached",
    "ONLINE": "on mains",
    "ONBATT": "on battery",
    "LOWBATT": "battery low",
    "REPLACEBATT": "replace the battery",
    "SHUTTING": "shutting down",
}
SEVERE = {"OB", "LB", "OVER", "OFF", "FSD", "ONBATT", "LOWBATT", "SHUTTING", "COMMLOST", "OVERLOAD"}
MAINS = {"OL", "ONLINE"}
MARKED = {"RB", "REPLACEBATT", "BYPASS", "CAL", "ALARM", "HB", "NOBATT"}


def nut(name):
    """What upsc says: the flags, the charge and the load in %, and the seconds left."""
    pairs = dict(line.split(": ", 1) for line in run("upsc", "--", name).splitlines() if ": " in line)
    status = pairs.get("ups.status", "")
    fields = [number(pairs.get(key), 0, 1e6) for key in ("battery.charge", "ups.load", "battery.runtime")]
    return name, pairs.get("ups.model", "") or pairs.get("device.model", ""), status.split(), *fields


def apc():
    pairs = {}
    for line in run("apcaccess", "-u").splitlines():
        key, _, value = line.partition(":")
        pairs[key.strip()] = value.strip()
    fields = [number(pairs.get(key), 0, 1e6) for key in ("BCHARGE", "LOADPCT", "TIMELEFT")]
    minutes = None if fields[2] is None else fields[2] * 60
    return pairs.get("UPSNAME") or "UPS", pairs.get("MODEL", ""), pairs.get("STATUS", "").split(), fields[0], fields[1], minutes


def ask(name):
    try:
        return nut(name) if name else apc()
    except Failure as failure:
        return name or "apcaccess", failure


def show(card):
    names = [name for name in items("VAR_UPS") if not name.startswith("-")]
    if not names and shutil.which("upsc"):
        names = run("upsc", "-l", codes=(0, 1)).split()
    if not names and not shutil.which("apcaccess"):
        return card.hint(
            "No UPS is known here.", "Install nut-client or apcupsd, or press , and set VAR_UPS, such as ups@server."
        )
    answers = [ask(name) for name in names or [""]]
    if all(len(one) == 2 for one in answers):
        raise answers[0][1]
    limit = number(setting("VAR_MINUTES"), 0, 1e5)
    order = [BAD, WARN, UNSURE, GOOD]
    worst, least = GOOD, None
    rows = []
    for one in answers:
        if len(one) == 2:
            rows.append((0, UNSURE, one[0], str(one[1]), "", ()))
            worst = WARN if worst is GOOD else worst
            continue
        name, model, flags, charge, load, seconds = one
        short = seconds is not None and seconds < 60 * (10 if limit is None else limit)
        severe = bool(SEVERE & set(flags)) or not flags
        is_known = bool(MAINS & set(flags)) and set(flags) <= set(FLAGS)
        look = BAD if severe else WARN if short or MARKED & set(flags) else GOOD if is_known else UNSURE
        worst = min(look, worst, key=order.index)
        told = ", ".join(FLAGS.get(flag, flag) for flag in flags) or "no state"
        details = [
            (model, ""),
            (f"load {load:.0f} %" if load is not None else "", ""),
            (f"lasts {span(seconds)}" if seconds is not None else "", ""),
        ]
        least = charge if least is None or (charge is not None and charge < least) else least
        note = told + (f" · {span(seconds)} left" if seconds is not None else "")
        rows.append((1 + order.index(look), look, name, note, f"{min(charge, 100):.0f} %" if charge is not None else "", details))
    for _, look, name, note, right, details in sorted(rows, key=lambda row: row[0]):
        card.add(look, name, note, right, details=details)
    state = {BAD: "No power or no state", WARN: "Needs a look", UNSURE: "State not known", GOOD: "On mains"}[worst]
    return card.show((f"{min(least, 100):.0f} % · " if least is not None else "") + state, worst)


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


# part: run
def run(*command, install="", codes=(0,), seconds=8, environment=None, notes=None):
    """What a program prints; a Failure in words if it is missing, slow, or fails. No shell reads the command.

    What it writes on standard error is added to the list `notes`.
    """
    name = command[0]
    if not shutil.which(name):
        raise Failure(f"{name} is not installed" + (f"; install it with: {install}" if install else ""))
    environment = {**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})}
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        ) as process:
            try:
                output, errors = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                # With what it has started, which could keep the pipe open.
                os.killpg(process.pid, signal.SIGKILL)
                raise Failure(f"{name} did not answer within {seconds} s") from None
    except OSError as error:
        raise Failure(f"{name} cannot be run: {error.strerror}") from error
    if notes is not None:
        notes.append(errors.decode("utf-8", "replace"))
    if process.returncode not in codes:
        lines = (errors.decode("utf-8", "replace").strip() or output.decode("utf-8", "replace").strip()).splitlines()
        # What follows an error is advice; without one, the last line says most.
        told = next((line for line in lines if re.match(r"(?i)\W*(fatal|error)\b", line)), lines[-1] if lines else "")
        raise Failure(f"{name}: {words(told, 160) or f'exit status {process.returncode}'}")
    return output.decode("utf-8", "replace")


# end of run


# part: ages
def moment(value, zone=datetime.timezone.utc):
    """The seconds since 1970 of a date in ISO 8601, or of a number; None for all that is none.

    A date without a zone is one of `zone`; None is that of this machine.
    """
    if not isinstance(value, str):
        return number(value, 0, 4e9)
    text = re.sub(r"[.,]\d+", "", value.strip()).replace("Z", "+00:00")
    try:
        date = datetime.datetime.fromisoformat(re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", text))
        date = date if date.tzinfo else date.replace(tzinfo=zone) if zone else date.astimezone()
        return number(date.timestamp(), 0, 4e9)
    except (ValueError, OverflowError):
        return None


def span(seconds):
    """A time in one unit: 45 s, 3 min, 2 h, 5 d; empty if there is none."""
    if seconds is None:
        return ""
    seconds = max(0, seconds)
    for limit, size, unit in ((60, 1, "s"), (3600, 60, "min"), (2 * 86400, 3600, "h")):
        if seconds < limit:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds // 86400)} d"


def age(value):
    """How long ago a date was; empty if it is none, or in the future by more than clocks differ."""
    then = moment(value)
    return "" if then is None or then > time.time() + 600 else span(time.time() - then)


# end of ages


if __name__ == "__main__":
    main(show)
