#!/usr/bin/python3 -ESB
# today: title="ZFS" icon=◍ tint=cyan format=xbar timeout=25s
# today: description="Pools of ZFS: their health, how full they are, errors and the last scrub. Not in the sandbox: copy it to your scripts."
# <xbar.var>number(VAR_FULL=80): Highlight from this number percent</xbar.var>
# <xbar.var>number(VAR_SCRUB=40): Marked if the last scrub is so many days ago</xbar.var>
"""ZFS: pools, their health, how full they are, errors and the last scrub, the worst first.

Needs zpool, which every user may ask. It does not run in the sandbox: copy this file to ~/.config/today/scripts.
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

SECTION = re.compile(r"(?m)^ *(pool|state|status|errors): (.*(?:\n\t.*)*)")
SCANNED = re.compile(r"scan: (scrub|resilver)\w* .* with (\d+) errors on (.+)")
# A row of the table of devices: its state, and the numbers of errors.
DEVICE = re.compile(r"(?m)^\t *(\S.*?) +([A-Z]+) +([\d.]+[A-Z]?) +([\d.]+[A-Z]?) +([\d.]+[A-Z]?)(?: .*)?$")
# What a pool may say of itself that is no trouble: it could have more features, or be faster; a resilver is told of as one.
HARMLESS = re.compile(r"features are (not )?enabled on the pool|on-disk format|non-native block size|currently being resilvered")


def scan(text, days):
    """What is under way or was done last, in words, and what of that is to be marked: errors, and no scrub in time."""
    state = re.search(r"scan: (scrub|resilver) (in progress|cancel|paused)", text)
    if state and state[2] == "in progress":
        return f"{state[1]}s now", []
    done = SCANNED.findall(text)
    if not done:
        return "", [f"{state[1]} {state[2].replace('cancel', 'cancelled')}" if state else "never scrubbed"]
    marks = [f"{errors} errors of the {kind}" for kind, errors, _ in done if int(errors)]
    # A resilver in the place of a scrub is later than that was.
    kind, _, date = max(done)
    try:
        # Sun Jul 25 16:07:49 2026, of the local clock.
        since = time.time() - time.mktime(time.strptime(" ".join(date.split()), "%a %b %d %H:%M:%S %Y"))
    except (ValueError, OverflowError):
        return "", [*marks, "no date of the last scrub"]
    late = f"scrub {span(since)} ago" if kind == "scrub" else f"no scrub for {span(since)}"
    return f"last {kind} {span(since)} ago", [*marks, *([late] if since > days * 86400 else [])]


def devices(text):
    """What is wrong with each device; groups of devices are degraded by one of them."""
    found = []
    for name, state, *counts in DEVICE.findall(text):
        errors = [f"{count} {kind}" for count, kind in zip(counts, ("read", "write", "checksum")) if count != "0"]
        words = [state.lower()] if state not in ("ONLINE", "DEGRADED") else []
        words += [", ".join(errors) + " errors"] if errors else []
        found += [f"{name}: {', '.join(words)}"] if words else []
    return found


def status(name):
    """The whole answer about a pool, and the texts of its sections."""
    text = run("zpool", "status", "-p", name, seconds=4)
    sections = {key: " ".join(value.split()) for key, value in SECTION.findall(text)}
    if sections.get("pool") != name or not {"state", "errors"} <= set(sections) or not DEVICE.search(text):
        raise Failure("zpool does not say how the pool is")
    return text, sections


def show(card):
    if not is_outside(card, "ZFS"):
        return None
    text = run(
        "zpool",
        "list",
        "-H",
        "-p",
        "-o",
        "name,size,allocated,capacity,fragmentation,health",
        install="apt install zfsutils-linux",
    )
    pools = [line.split("\t") for line in text.splitlines()]
    pools = [row for row in pools if len(row) == 6 and re.fullmatch(r"[A-Za-z][\w.: -]*", row[0])]
    if not pools:
        if text.strip() not in ("", "no pools available"):
            raise Failure("zpool sent an unexpected response")
        return card.hint("No pools of ZFS.", "Import one with: zpool import NAME")
    full, old = number(setting("VAR_FULL"), 1, 100) or 80, number(setting("VAR_SCRUB"), 1, 1e5) or 40
    rows = []
    for name, size, used, capacity, fragmentation, health in pools:
        percent, total, taken = number(capacity.rstrip("%"), 0, 100), number(size, 0, 1e21), number(used, 0, 1e21)
        troubles, notes, now, details = [health.lower()] if health != "ONLINE" else [], [], "", []
        try:
            text, told = status(name)
        except Failure as failure:
            if not troubles:
                rows.append((1, UNSURE, name, str(failure), "", ()))
                continue
            details = [(str(failure), "")]
        else:
            now, notes = scan(text, old)
            troubles += [told["state"].lower()] if told["state"] not in (health, "ONLINE") else []
            troubles += ["errors in files"] if told["errors"] != "No known data errors" else []
            wrong, said = devices(text), told.get("status", "")
            notes = (wrong if len(wrong) < 2 else [f"errors of {len(wrong)} devices"]) + notes
            if said and not (troubles or wrong or HARMLESS.search(said)):
                notes.insert(0, said.split(". ")[0].rstrip("."))
            details = [(one, "") for one in (now, *wrong, told["errors"], said)]
        notes += [f"full from {full:.0f} %"] if percent is not None and percent >= full else []
        bad = bool(troubles) or (percent is not None and percent >= 95)
        look = BAD if bad else WARN if notes else GOOD
        details = [
            (f"{taken / 2**40:.2f} of {total / 2**40:.2f} TiB" if total and taken is not None else "", ""),
            (f"fragmentation {fragmentation.rstrip('%')} %" if fragmentation.rstrip("%").isdigit() else "", ""),
            *details,
        ]
        note = ", ".join(troubles + notes) or (now if now.endswith("now") else "healthy")
        rows.append(
            (0 if bad else 2 if notes else 3, look, name, note, f"{percent:.0f} %" if percent is not None else "", details)
        )
    for _, look, name, note, right, details in sorted(rows, key=lambda row: row[0]):
        card.add(look, name, note, right, details=details)
    bad, marked, unread = (sum(row[0] == rank for row in rows) for rank in (0, 2, 1))
    parts = [(bad, "not well"), (marked, "to watch"), (unread, "cannot be read")]
    told = ", ".join(f"{count} {what}" for count, what in parts if count)
    if told:
        return card.show(told, BAD if bad else WARN)
    return card.show(f"{len(rows)} pool{' is' if len(rows) == 1 else 's are'} healthy", GOOD)


# part: outside
def is_outside(card, what):
    """Whether the script runs with the rights of its user; otherwise the card says what the sandbox lacks.

    Only there a script has a folder of its own in TODAY_DATA.
    """
    if not os.environ.get("TODAY_DATA"):
        return True
    card.hint(
        f"The sandbox has no {what}.",
        "Copy this script to ~/.config/today/scripts, where it runs with your rights, and remove this one.",
    )
    return False


# end of outside


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
