#!/usr/bin/python3 -ESB
# today: title="Air" icon=≈ tint=mint format=xbar network=true thresholds="40:yellow,60:orange,80:red"
# today: description="The quality of the air now and in the next hours, and what is in it (Open-Meteo)."
# <xbar.var>string(VAR_PLACE=""): Degrees north and east, such as 52.52, 13.40</xbar.var>
# <xbar.var>string(VAR_SERVER="https://air-quality-api.open-meteo.com"): The server</xbar.var>
"""Air: its quality by the European index, now and in the next hours, and what is in it. Asks open-meteo.com alone."""

import http.client
import json
import os
import re
import ssl
import sys
import textwrap
import unicodedata
import urllib.error
import urllib.parse
import urllib.request

BARS = "▁▂▃▄▅▆▇█"
# The bands of the European air quality index.
BANDS = (
    (20, "good", "32"),
    (40, "fair", "32"),
    (60, "moderate", "33"),
    (80, "poor", "33"),
    (100, "very poor", "31"),
    (1e9, "extremely poor", "31"),
)
# Names, and from which µg/m³ on each is poor in that index.
PARTS = (
    ("pm2_5", "PM2.5", 50),
    ("pm10", "PM10", 100),
    ("nitrogen_dioxide", "NO₂", 120),
    ("ozone", "O₃", 130),
    ("sulphur_dioxide", "SO₂", 350),
)


def band(index):
    return next((word, colour) for limit, word, colour in BANDS if index <= limit)


def show(card):
    place = [number(one) for one in items("VAR_PLACE")]
    if len(place) != 2 or None in place or abs(place[0]) > 90 or abs(place[1]) > 180:
        return card.hint(
            "No place yet." if not place else "VAR_PLACE is not a pair of coordinates.",
            "Press , and set VAR_PLACE to degrees north and east, such as 52.52, 13.40.",
        )
    query = urllib.parse.urlencode(
        {
            "latitude": place[0],
            "longitude": place[1],
            "current": "european_aqi," + ",".join(part[0] for part in PARTS),
            "hourly": "european_aqi",
            "forecast_hours": 24,
            "timezone": "UTC",
        }
    )
    answer = fetch_json(f"{setting('VAR_SERVER', 'https://air-quality-api.open-meteo.com').rstrip('/')}/v1/air-quality?{query}")
    current = answer["current"]
    index = number(current.get("european_aqi"), 0, 10_000)
    if index is None:
        raise Failure("the server does not know the air of this place")
    hourly = answer.get("hourly") if isinstance(answer.get("hourly"), dict) else {}
    course = hourly.get("european_aqi") if isinstance(hourly.get("european_aqi"), list) else []
    coming = [number(one, 0, 10_000) for one in course[:24]]
    found = [one for one in coming if one is not None]
    if found:
        bars = [(" ", "") if one is None else (BARS[min(7, int(one / 14))], band(one)[1]) for one in coming]
        card.add(QUIET, "Next hours", bars, f"up to {max(found):.0f}")
    for name, shown, limit in PARTS:
        amount = number(current.get(name), 0, 1e5)
        look = QUIET if amount is None or amount < limit else WARN
        card.add(look, shown, "poor" if look is WARN else "", "unknown" if amount is None else f"{amount:.0f} µg/m³")
    word, colour = band(index)
    look = {"32": GOOD, "33": WARN, "31": BAD}[colour]
    return card.show(f"{index:.0f} · {word}", look)


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


# part: fetch
class SameServer(urllib.request.HTTPRedirectHandler):
    """Follows a redirection on the same server only, as headers with a token go along."""

    def redirect_request(self, request, *others):
        there, here = urllib.parse.urlsplit(others[-1]), urllib.parse.urlsplit(request.full_url)
        if (there.scheme, there.netloc) != (here.scheme, here.netloc):
            address = f"{there.scheme}://{there.hostname}"
            raise Failure(f"{here.hostname} redirects to {words(address, 80)}; set that address")
        return super().redirect_request(request, *others)


def fetch(url, headers=None, body=None, method=None, token="the token", seconds=8, limit=4 << 20):
    """The bytes that a server answers; with a `limit` of 0 nothing is read. It may not accept the setting `token`."""
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        parts = urllib.parse.urlsplit("")
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise Failure(f"{words(url, 60)} is not an address such as https://example.com")
    host = words(parts.hostname, 80)
    problems = {
        401: f"{host} does not accept {token}; press , to set another",
        403: f"{host} refused the request: {token} is missing or lacks the permission, or there were too many requests",
        404: f"{host} has no such page (404)",
        429: f"{host} is rate-limiting requests; trying again at the next update",
    }
    try:
        request = urllib.request.Request(
            url, body, {"User-Agent": "today", "Accept": "application/json", **(headers or {})}, method=method
        )
        opener = urllib.request.build_opener(*([SameServer] if headers or body else []))
        with opener.open(request, timeout=seconds) as answer:
            content = answer.read(limit + 1) if limit else b""
    except urllib.error.HTTPError as error:
        other = "reports a server error" if error.code >= 500 else "refused the request"
        raise Failure(problems.get(error.code, f"{host} {other} ({error.code})")) from error
    except TimeoutError as error:
        raise Failure(f"{host} did not answer within {seconds} s") from error
    except urllib.error.URLError as error:
        reason = error.reason
        if isinstance(reason, ssl.SSLError):
            raise Failure(f"the certificate of {host} is not valid: {words(reason, 80)}") from error
        if isinstance(reason, TimeoutError):
            raise Failure(f"{host} did not answer within {seconds} s") from error
        raise Failure(f"{host} cannot be reached: {words(getattr(reason, 'strerror', None) or reason, 80)}") from error
    except (ValueError, http.client.InvalidURL) as error:
        raise Failure(f"the address of {host} or {token} has characters that it cannot have") from error
    except (OSError, http.client.HTTPException) as error:
        raise Failure(f"{host} sent an unexpected response") from error
    if len(content) > limit:
        raise Failure(f"{host} answers with more than {limit >> 20} MiB")
    return content


def fetch_json(url, **options):
    """The JSON that a server answers; numbers that are none are None."""
    content = fetch(url, **options)
    try:
        return json.loads(content.decode("utf-8", "replace"), strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{urllib.parse.urlsplit(url).hostname} did not answer with JSON") from error


# end of fetch


if __name__ == "__main__":
    main(show)
