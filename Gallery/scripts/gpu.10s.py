#!/usr/bin/python3 -ESB
# today: title="GPU" icon=▦ tint=green format=xbar history=true thresholds="70:orange,90:red"
# today: description="Use, memory, temperature and power of graphics cards (nvidia-smi, amdgpu). Not in the sandbox: copy it to your scripts."
# <xbar.var>number(VAR_HOT=85): Hot from (°C)</xbar.var>
# <xbar.var>string(VAR_DRM="/sys/class/drm"): The folder of the kernel</xbar.var>
"""GPU: use, memory, temperature and power of graphics cards.

Needs nvidia-smi for those of NVIDIA, and nothing for those of AMD. Devices are not in the sandbox: copy this file to
~/.config/today/scripts.
"""

import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import unicodedata

FIELDS = "name,utilization.gpu,memory.used,memory.total,temperature.gpu,power.draw"


def nvidia():
    """Cards of NVIDIA: name, use in %, memory in MiB, degrees and watts; a field that a card has not is none."""
    text = run("nvidia-smi", f"--query-gpu={FIELDS}", "--format=csv,noheader,nounits")
    for line in text.splitlines():
        parts = [one.strip() for one in line.split(",")]
        # A name can have a comma.
        if len(parts) >= 6:
            yield ", ".join(parts[:-5]), *(number(one, 0, 1e7) for one in parts[-5:])


def amd(folder):
    """Cards of AMD, from files of the kernel."""
    for device in sorted(glob.glob(f"{glob.escape(folder)}/card[0-9]*/device")):
        use = read(f"{device}/gpu_busy_percent")
        if use is None:
            continue
        sensors = sorted(glob.glob(f"{glob.escape(device)}/hwmon/hwmon*"))
        # What a broken sensor measures is no temperature.
        is_sound = sensors and not read(f"{sensors[0]}/temp1_fault")
        heat = read(f"{sensors[0]}/temp1_input") if is_sound else None
        watts = next(
            (
                one
                for name in ("power1_average", "power1_input")
                if sensors and (one := read(f"{sensors[0]}/{name}")) is not None
            ),
            None,
        )
        used, total = read(f"{device}/mem_info_vram_used"), read(f"{device}/mem_info_vram_total")
        name = "AMD " + os.path.basename(os.path.dirname(device))
        mib = [None if one is None else one / (1 << 20) for one in (used, total)]
        yield name, use, *mib, None if heat is None else heat / 1000, None if watts is None else watts / 1e6


def read(path):
    try:
        with open(path, encoding="ascii") as file:
            return number(file.read(64).strip(), 0, 1e15)
    except (OSError, UnicodeDecodeError):
        return None


def gauge(percent):
    """A bar of ten signs, coloured by how full it is."""
    full = min(10, round(percent / 10))
    colour = "31" if percent >= 90 else "33" if percent >= 70 else "32"
    return [("█", colour)] * full + [("░", "2")] * (10 - full)


def show(card):
    if not is_outside(card, "graphics cards"):
        return None
    failure, cards = None, list(amd(setting("VAR_DRM", "/sys/class/drm")))
    if shutil.which("nvidia-smi"):
        try:
            cards += list(nvidia())
        except Failure as error:
            failure = error
            card.add(UNSURE, "nvidia-smi", str(error))
    if not cards:
        if failure:
            raise failure
        return card.hint(
            "No graphics card that can be asked.", "Install nvidia-smi for one of NVIDIA; those of AMD need nothing."
        )
    limit = number(setting("VAR_HOT"), 0, 1e4) or 85
    hot, most = 0, 0
    for name, use, used, total, heat, watts in cards:
        is_hot = heat is not None and heat >= limit
        hot += is_hot
        most = max(most, min(use or 0, 100))
        look = BAD if is_hot else QUIET
        card.add(look, name, "hot" if is_hot else "", f"{heat:.0f} °C" if heat is not None else "")
        card.add(
            QUIET,
            "Use",
            gauge(min(use, 100)) if use is not None else "unknown",
            f"{min(use, 100):.0f} %" if use is not None else "",
        )
        if used is not None and total:
            card.add(QUIET, "Memory", gauge(min(100, 100 * used / total)), f"{used / 1024:.1f} of {total / 1024:.0f} GiB")
        if watts is not None:
            card.add(QUIET, "Power", "", f"{watts:.0f} W")
    told = f"{most:.0f} % used" + (f", {hot} hot" if hot else "") + (", one cannot be asked" if failure else "")
    return card.show(told, BAD if hot else WARN if failure else QUIET, most=12)


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


if __name__ == "__main__":
    main(show)
