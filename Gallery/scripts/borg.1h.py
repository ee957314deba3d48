#!/usr/bin/python3 -ESB
# today: title="Borg" icon=⛁ tint=mint format=xbar timeout=25s
# today: description="The age of the last backup in each repository of Borg. Not in the sandbox: copy it to your scripts."
# <xbar.var>string(VAR_REPOSITORIES=""): Repositories, such as /srv/borg, ssh://me@nas/./borg</xbar.var>
# <xbar.var>secret(VAR_BORG_PASSPHRASE): The passphrase of the repositories</xbar.var>
# <xbar.var>number(VAR_HOURS=26): Hours until a backup is late</xbar.var>
"""Borg: the age of the last backup in each repository, the oldest first.

Needs borg (apt install borgbackup). A repository is only read. Neither repositories nor keys of ssh are in the sandbox: copy
this file to ~/.config/today/scripts.
"""

import concurrent.futures
import datetime
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import unicodedata


def last(repository):
    """The moment and the name of the last archive; none of an empty repository."""
    # No question is ever answered with yes, and ssh asks none.
    environment = {
        "BORG_RSH": "ssh -oBatchMode=yes -oConnectTimeout=8",
        "BORG_PASSPHRASE": setting("VAR_BORG_PASSPHRASE"),
        "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK": "no",
        "BORG_RELOCATED_REPO_ACCESS_IS_OK": "no",
    }
    command = ("borg", "--bypass-lock", "list", "--last", "1", "--json", "--", repository)
    answer = read_json(run(*command, environment=environment, seconds=15, install="apt install borgbackup"), "borg")
    if not answer["archives"]:
        return []
    archive = answer["archives"][-1]
    # Borg prints the time of the local clock.
    return [(moment(archive.get("start") or archive["time"], zone=None), words(archive.get("name")))]


def show(card):
    if is_outside(card, "repositories of Borg"):
        show_backups(card, items("VAR_REPOSITORIES"), last, "such as /srv/borg, ssh://me@nas/./borg, and VAR_BORG_PASSPHRASE")


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


# part: backups
def show_backups(card, repositories, last, example):
    """Shows the age of the last backups of each repository; `last` returns the moment and the name of each."""
    if not repositories:
        card.hint("No repositories yet.", f"Press , and set VAR_REPOSITORIES, {example}.")
        return
    limit = number(setting("VAR_HOURS"), 0, 1e6) or 26
    rows, failures = [], []

    def attempt(repository):
        try:
            return last(repository)
        except Failure as failure:
            return failure
        except (TypeError, ValueError, KeyError, AttributeError, IndexError):
            return Failure("the answer cannot be read")

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(zip(repositories, pool.map(attempt, repositories)))
    for repository, found in answers:
        # An address may have a password in it.
        name = re.sub(r"//[^/@]*@", "//", repository.rstrip("/"))
        short = name.split("/")[-1] or name
        if isinstance(found, Failure):
            failures.append(found)
            rows.append((0, UNSURE, short, str(found), "", [(name, ""), (str(found), "")]))
            continue
        if not found:
            rows.append((-1, BAD, short, "no backup", "never", [(name, "")]))
        for when, label in found:
            title, details = f"{short}: {label}" if len(found) > 1 and label else short, [(name, ""), (label, "")]
            if when is None:
                rows.append((-1, BAD, title, "no date", "", details))
                continue
            seconds = time.time() - when
            late = seconds > limit * 3600
            very = seconds > 3 * limit * 3600
            look = BAD if very else WARN if late else GOOD
            rows.append(
                (-seconds if late else 4e9 - seconds, look, title, "late" if late else "in time", span(seconds), details)
            )
    if len(failures) == len(rows):
        raise failures[0]
    for _, look, name, note, right, details in sorted(rows, key=lambda row: row[0]):
        card.add(look, name, note, right, details=details)
    late = sum(row[1] in (BAD, WARN) for row in rows)
    parts = [(late, "late"), (len(failures), "cannot be read")]
    told = ", ".join(f"{count} {what}" for count, what in parts if count)
    look = BAD if any(row[1] is BAD for row in rows) else WARN
    newest = "All backups are up to date" if len(rows) > 1 else f"{rows[0][4]} ago"
    card.show(told or newest, look if told else GOOD)


# end of backups


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


# part: readjson
def read_json(text, name):
    """The JSON that a program has printed; numbers that are none are None."""
    try:
        return json.loads(text, strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{name} did not answer with JSON") from error


# end of readjson


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
