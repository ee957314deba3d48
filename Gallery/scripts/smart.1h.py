#!/usr/bin/python3 -ESB
# today: title="Drives" icon=◉ tint=brown format=xbar timeout=25s
# today: description="The health of drives as SMART knows it: what fails, wear, temperature and age. Not in the sandbox: copy it to your scripts."
# <xbar.var>boolean(VAR_SUDO=false): Whether to use sudo</xbar.var>
# <xbar.var>number(VAR_HOT=60): Hot from (°C)</xbar.var>
"""Drives: their health as SMART knows it, those that fail first.

Needs smartctl (apt install smartmontools), which only root may use: set VAR_SUDO, and let sudo run it without a password
with lines of visudo:
  me ALL=(root) NOPASSWD: /usr/sbin/smartctl --json --scan-open
  me ALL=(root) NOPASSWD: /usr/sbin/smartctl --json -n standby -H -A -i /dev/sd[a-z]
  me ALL=(root) NOPASSWD: /usr/sbin/smartctl --json -n standby -H -A -i /dev/nvme[0-9]
Drives are not in the sandbox: copy this file to ~/.config/today/scripts.
"""

import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import unicodedata

# Attributes of which every one is a bad sign: reallocated, pending and uncorrectable sectors.
SECTORS = {5: "reallocated sectors", 197: "pending sectors", 198: "uncorrectable sectors"}
# The first bits of the exit status: a wrong command, a drive that cannot be opened, an answer that is none.
NOT_READ = 0b111
# The next ones (smartctl(8)): the drive fails, and attributes are or have been beyond their limits.
FAILS = 1 << 3
LIMITS = {"now": (1 << 4, "is beyond its limit"), "past": (1 << 5, "was beyond its limit")}


def smartctl(*arguments):
    sudo = ("sudo", "--non-interactive") if setting("VAR_SUDO") == "true" else ()
    # smartctl is often where PATH of users does not lead.
    path = shutil.which("smartctl") or next(
        (one for one in ("/usr/sbin/smartctl", "/sbin/smartctl") if os.access(one, os.X_OK)), "smartctl"
    )
    return read_json(run(*sudo, path, "--json", *arguments, codes=range(256), install="apt install smartmontools"), "smartctl")


def drive(device):
    """Look, name, note, temperature and details of a drive."""
    # One that sleeps is not woken up.
    answer = smartctl("-n", "standby", "-H", "-A", "-i", device)
    about = answer.get("smartctl") if isinstance(answer.get("smartctl"), dict) else {}
    # Drives of SCSI and SAS have names and counts of their own.
    name = words(answer.get("model_name")) or words(answer.get("scsi_model_name")) or device
    found = about.get("messages") if isinstance(about.get("messages"), list) else []
    messages = [words(one.get("string")) for one in found if isinstance(one, dict)]
    if any("STANDBY" in one for one in messages):
        return QUIET, name, "sleeps", "", [(device, "")]
    status = answer.get("smart_status") if isinstance(answer.get("smart_status"), dict) else {}
    exit_status = number(about.get("exit_status"), 0, 255)
    if exit_status is None or int(exit_status) & NOT_READ or not isinstance(status.get("passed"), bool):
        if any("Permission denied" in one or "requires root" in one for one in messages):
            raise Failure("only root may ask drives: set VAR_SUDO with , and permit smartctl to sudo without a password")
        raise Failure(messages[-1] if messages else "the drive does not say how it is")
    troubles = ["fails"] if not status["passed"] or int(exit_status) & FAILS else []
    notes, failed = [], set()
    table = answer.get("ata_smart_attributes") if isinstance(answer.get("ata_smart_attributes"), dict) else {}
    for row in table.get("table") or []:
        if isinstance(row, dict) and row.get("id") in SECTORS and isinstance(row.get("raw"), dict):
            count = number(row["raw"].get("value"), 1)
            notes += [f"{count:,.0f} {SECTORS[row['id']]}"] if count else []
        when = words(row.get("when_failed")) if isinstance(row, dict) else ""
        if when in LIMITS:
            failed.add(when)
            notes.append(f"{words(row.get('name'), 40).replace('_', ' ').lower() or 'an attribute'} {LIMITS[when][1]}")
    notes += [f"an attribute {told}" for when, (bit, told) in LIMITS.items() if int(exit_status) & bit and when not in failed]
    defects = number(answer.get("scsi_grown_defect_list"), 1)
    notes += [f"{defects:,.0f} grown defects"] if defects else []
    log = answer.get("nvme_smart_health_information_log")
    log = log if isinstance(log, dict) else {}
    used, spare, least = (
        number(log.get(key), 0, 255) for key in ("percentage_used", "available_spare", "available_spare_threshold")
    )
    notes += ["critical warning"] if number(log.get("critical_warning"), 1) else []
    notes += [f"{number(log.get('media_errors'), 1):,.0f} errors"] if number(log.get("media_errors"), 1) else []
    notes += [f"spare {spare:.0f} %"] if spare is not None and least is not None and spare <= least else []
    notes += [f"{used:.0f} % worn"] if used is not None and used >= 90 else []
    heat = answer.get("temperature") if isinstance(answer.get("temperature"), dict) else {}
    degrees = number(heat.get("current"), -50, 200)
    limit = number(setting("VAR_HOT"), 0, 200) or 60
    notes += ["hot"] if degrees is not None and degrees >= limit else []
    hours = answer.get("power_on_time") if isinstance(answer.get("power_on_time"), dict) else {}
    years = number(hours.get("hours"), 0, 1e6)
    look = BAD if troubles else WARN if notes else GOOD
    size = answer.get("user_capacity") if isinstance(answer.get("user_capacity"), dict) else {}
    count = number(size.get("bytes"), 1, 1e18)
    details = [
        (device, ""),
        (f"{count / 1e12:.1f} TB" if count else "", ""),
        (f"runs for {years / 8766:.1f} years" if years is not None else "", ""),
        (f"{used:.0f} % worn" if used is not None else "", ""),
        (f"serial number {words(answer.get('serial_number'), 60)}", ""),
    ]
    return look, name, ", ".join(troubles + notes) or "healthy", f"{degrees:.0f} °C" if degrees is not None else "", details


def show(card):
    if not is_outside(card, "drives"):
        return None
    listed = smartctl("--scan-open" if setting("VAR_SUDO") == "true" else "--scan").get("devices")
    names = [words(one.get("name"), 100) for one in listed or [] if isinstance(one, dict)]
    names = [name for name in names if name.startswith("/dev/")][:40]
    if not names:
        return card.hint("No drives that can be asked.", "See: smartctl --scan. In virtual machines there are none.")
    rows, failures = [], []
    # All at once, as one that fails can take long.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        tasks = [(name, pool.submit(drive, name)) for name in names]
    for name, task in tasks:
        try:
            rows.append(task.result())
        except Failure as failure:
            failures.append(failure)
            card.add(UNSURE, name, str(failure))
        except (TypeError, ValueError, AttributeError):
            failures.append(Failure(f"{name} cannot be read"))
            card.add(UNSURE, name, "the answer cannot be read")
    if not rows:
        raise failures[0]
    for look, name, note, right, details in sorted(rows, key=lambda row: [BAD, WARN, GOOD, QUIET].index(row[0])):
        card.add(look, name, note, right, details=details)
    bad, marked = (sum(row[0] is look for row in rows) for look in (BAD, WARN))
    parts = [(bad, "failing"), (marked, "to watch"), (len(failures), "cannot be read")]
    told = ", ".join(f"{count} {what}" for count, what in parts if count)
    if told:
        return card.show(told, BAD if bad else WARN)
    return card.show(f"{len(rows)} drive{'' if len(rows) == 1 else 's'} healthy", GOOD)


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


# part: readjson
def read_json(text, name):
    """The JSON that a program has printed; numbers that are none are None."""
    try:
        return json.loads(text, strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{name} did not answer with JSON") from error


# end of readjson


if __name__ == "__main__":
    main(show)
