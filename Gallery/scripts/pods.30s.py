#!/usr/bin/python3 -ESB
# today: title="Pods" icon=⎈ tint=blue format=xbar network=true files="~/.kube"
# today: description="Pods of Kubernetes that are not well, with the reason and their restarts."
# <xbar.var>string(VAR_CONTEXT=""): A context of kubectl; the present one if empty</xbar.var>
# <xbar.var>string(VAR_NAMESPACE=""): A namespace; all if empty</xbar.var>
"""Pods: those of Kubernetes that are not well, with the reason and their restarts.

Needs kubectl, and a configuration in ~/.kube whose user may list pods.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import unicodedata


def state(pod):
    """The look, the state in a word, the number of restarts, and what Kubernetes says about a pod."""
    status = pod["status"]
    found = status.get("containerStatuses") if isinstance(status.get("containerStatuses"), list) else []
    begun = status.get("initContainerStatuses") if isinstance(status.get("initContainerStatuses"), list) else []
    containers = [one for one in found if isinstance(one, dict)]
    restarts = sum(int(number(one.get("restartCount"), 0, 1e9) or 0) for one in containers)
    phase = words(status.get("phase"), 40)
    for one in [one for one in begun if isinstance(one, dict)] + containers:
        # A container is in one of three states, of which two can say why.
        current = one.get("state") if isinstance(one.get("state"), dict) else {}
        waiting = current.get("waiting") if isinstance(current.get("waiting"), dict) else {}
        reason = words(waiting.get("reason"), 40)
        if reason and reason not in ("ContainerCreating", "PodInitializing"):
            return BAD, reason, restarts, words(waiting.get("message"))
        ended = current.get("terminated") if isinstance(current.get("terminated"), dict) else {}
        if number(ended.get("exitCode"), 1) is not None and phase != "Succeeded":
            return BAD, words(ended.get("reason"), 40) or "Error", restarts, words(ended.get("message"))
    if pod["metadata"].get("deletionTimestamp"):
        return WARN, "Terminating", restarts, ""
    if phase in ("Failed", "Unknown", ""):
        return BAD, words(status.get("reason"), 40) or phase or "no state", restarts, words(status.get("message"))
    if phase == "Succeeded":
        return QUIET, "Completed", restarts, ""
    ready = sum(one.get("ready") is True for one in containers)
    if phase != "Running" or ready < len(containers) or not containers:
        return WARN, f"{phase} {ready}/{len(containers)}", restarts, words(status.get("message"))
    return GOOD, "Running", restarts, ""


def show(card):
    command = ["kubectl", "get", "pods", "--output=json", "--request-timeout=8s"]
    command += [f"--context={setting('VAR_CONTEXT')}"] if setting("VAR_CONTEXT") else []
    command += [f"--namespace={setting('VAR_NAMESPACE')}"] if setting("VAR_NAMESPACE") else ["--all-namespaces"]
    pods = read_json(run(*command, install="https://kubernetes.io/docs/tasks/tools", seconds=12), "kubectl")["items"]
    rows, lost = [], 0
    for pod in pods:
        try:
            look, word, restarts, message = state(pod)
            name, space = words(pod["metadata"]["name"]), words(pod["metadata"].get("namespace"))
        except (TypeError, KeyError, AttributeError):
            lost += 1
            continue
        place = [BAD, WARN, GOOD, QUIET].index(look)
        note = space + (f" · {restarts} restart{'' if restarts == 1 else 's'}" if restarts else "")
        rows.append((place, -restarts, name, look, note, word, [(f"{space}/{name}", ""), (message, "")]))
    for _, _, name, look, note, word, details in sorted(rows, key=lambda one: one[:3]):
        card.add(look, name, note, word, details=details)
    if not pods:
        return card.hint("No pods here.", "Press , and set VAR_CONTEXT or VAR_NAMESPACE if there should be some.")
    broken, soon = (sum(row[0] == place for row in rows) for place in (0, 1))
    well = sum(row[0] == 2 for row in rows)
    parts = [(broken, "broken"), (soon, "not ready"), (lost, "cannot be read")]
    told = [f"{count} {what}" for count, what in parts if count]
    if told:
        return card.show(", ".join([*told, f"{well} running"]), BAD if broken else WARN, most=max(4, min(8, broken + soon)))
    return card.show(f"{well} pod{'' if well == 1 else 's'} running", GOOD, most=3)


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
