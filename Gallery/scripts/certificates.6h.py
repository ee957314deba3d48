#!/usr/bin/python3 -ESB
# today: title="Certificates" icon=◇ tint=green format=xbar network=true timeout=25s
# today: description="The days until certificates of servers expire, the soonest first."
# <xbar.var>string(VAR_SERVERS=""): Servers, such as example.com, mail.example.com:993</xbar.var>
# <xbar.var>number(VAR_DAYS=21): Marked with so many days left</xbar.var>
"""Certificates: the days until those of your servers expire, the soonest first.

A certificate is checked as a browser does: with its chain, its name and its dates. Asks the servers alone.
"""

import concurrent.futures
import os
import re
import socket
import ssl
import sys
import textwrap
import time
import unicodedata


def certificate(server):
    """Until when the certificate of a server is valid, and who has issued it."""
    host, _, port = server.removeprefix("https://").rstrip("/").partition(":")
    port = port or "443"
    if not re.fullmatch(r"[\w.-]+", host) or not port.isdigit() or not 0 < int(port) < 65536:
        raise Failure("a server is such as example.com or example.com:993")
    try:
        with socket.create_connection((host, int(port)), timeout=6) as plain:
            plain.settimeout(6)
            with ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secure:
                found = secure.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        return 0, words(error.verify_message, 80) or "is not valid"
    except ssl.SSLError as error:
        raise Failure(f"no TLS: {words(error.reason, 60)}") from error
    except TimeoutError as error:
        raise Failure("no answer within 6 s") from error
    except OSError as error:
        raise Failure(f"cannot be reached: {words(error.strerror or error, 60)}") from error
    issuer = {key: value for part in found.get("issuer", ()) for key, value in part}
    return ssl.cert_time_to_seconds(found["notAfter"]), words(issuer.get("organizationName") or issuer.get("commonName"))


def show(card):
    servers = items("VAR_SERVERS")[:60]
    if not servers:
        return card.hint("No servers yet.", "Press , and set VAR_SERVERS, such as example.com, mail.example.com:993.")
    limit = number(setting("VAR_DAYS"), 0, 1e5)
    limit = 21 if limit is None else limit
    rows = []
    for server, found in zip(servers, each(certificate, servers)):
        name = server.removeprefix("https://").rstrip("/")
        if isinstance(found, Failure):
            rows.append((-1e9, UNSURE, name, str(found), ""))
            continue
        until, note = found
        days = int((until - time.time()) // 86400)
        if not until or days < 0:
            rows.append((-1e8 + days, BAD, name, note if not until else "has expired", "not valid"))
        else:
            look = BAD if days < 3 else WARN if days < limit else GOOD
            told = {BAD: "renew now · ", WARN: "renew · ", GOOD: ""}[look]
            date = time.strftime("%-d %b %Y", time.localtime(until))
            rows.append((days, look, name, f"{told}until {date} · {note}", f"{days} d"))
    for _, look, name, note, right in sorted(rows, key=lambda one: one[0]):
        card.add(look, name, note, right)
    looks = [row[1] for row in rows]
    broken, soon, unknown = looks.count(BAD), looks.count(WARN), looks.count(UNSURE)
    parts = [(broken, "expired or about to"), (soon, "to renew soon"), (unknown, "cannot be read")]
    told = ", ".join(f"{count} {what}" for count, what in parts if count)
    if told:
        return card.show(told, BAD if broken else WARN)
    least = int(min(row[0] for row in rows))
    return card.show(f"All valid for {least} days and more", GOOD)


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


# part: each
def each(function, values):
    """What a function makes of each value, at the same time; in the place of one that has failed is its Failure."""

    def attempt(value):
        try:
            return function(value)
        except Failure as failure:
            return failure
        except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
            return Failure(f"the answer cannot be read ({type(error).__name__})")

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        return list(pool.map(attempt, values))


# end of each


if __name__ == "__main__":
    main(show)
