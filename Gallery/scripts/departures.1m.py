#!/usr/bin/python3 -ESB
# today: title="Departures" icon=⇢ tint=indigo format=xbar network=true timeout=25s
# today: description="The next departures at your stops, from the timetable of a transit agency (GTFS)."
# <xbar.var>string(VAR_FEED=""): The address of a timetable as a .zip, or its path</xbar.var>
# <xbar.var>string(VAR_STOPS=""): The numbers (stop_id) or parts of names of stops, with semicolons between them</xbar.var>
# <xbar.var>string(VAR_LINES=""): Only these lines, such as 7, U2; all if empty</xbar.var>
"""Departures: the next ones at your stops, from the timetable of a transit agency.

A timetable is a .zip of at most 64 MiB in the form of GTFS, as most agencies publish it; https://mobilitydatabase.org lists
them. It is fetched once a day and read once for a day and these stops. Asks the server of the timetable alone.
"""

import calendar
import csv
import datetime
import hashlib
import heapq
import http.client
import io
import json
import os
import re
import ssl
import sys
import textwrap
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import zipfile
import zlib
import zoneinfo

ZIP_LIMIT = 64 << 20
# What is read of one table at most.
TABLE_LIMIT = 2 << 30
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DATE = re.compile(r"\d{4}(?:0[1-9]|1[0-2])\d\d")


class Limited(io.RawIOBase):
    """A table of an archive that ends after so many bytes, whatever the archive claims."""

    def __init__(self, file):
        self.file, self.left = file, TABLE_LIMIT

    def readable(self):
        return True

    def readinto(self, buffer):
        found = self.file.read(min(len(buffer), self.left))
        self.left -= len(found)
        if not self.left:
            raise Failure("the timetable is too large")
        buffer[: len(found)] = found
        return len(found)


def table(archive, name, *fields):
    """The rows of a table, each with these fields; a missing one is empty."""
    entry = next((one for one in archive.namelist() if one.split("/")[-1] == name), None)
    if entry is None:
        return
    with archive.open(entry) as file:
        reader = csv.reader(io.TextIOWrapper(io.BufferedReader(Limited(file), 1 << 16), "utf-8-sig", "replace", newline=""))
        head = [one.strip() for one in next(reader, [])]
        places = [head.index(field) if field in head else -1 for field in fields]
        for row in reader:
            yield [row[place].strip() if 0 <= place < len(row) else "" for place in places]


def feed_path(feed):
    """The file of the timetable, fetched if the one that is here is from another day."""
    if "://" not in feed:
        return os.path.expanduser(feed)
    path = state_file("timetable-" + hashlib.sha256(feed.encode()).hexdigest()[:16] + ".zip")
    if not os.path.exists(path) or time.time() - os.path.getmtime(path) > 86400:
        try:
            content = fetch(feed, seconds=20, limit=ZIP_LIMIT)
        except Failure:
            # The old one may still be right.
            if os.path.exists(path):
                os.utime(path, (time.time() - 82800,) * 2)
                return path
            raise
        with open(path + ".part", "wb") as file:
            file.write(content)
        os.replace(path + ".part", path)
    return path


def services(archive, date):
    """The services that run on a day, which is 20261128 for 28 November 2026."""
    weekday = datetime.datetime.strptime(date, "%Y%m%d").strftime("%A").lower()
    found = {
        row[0]
        for row in table(archive, "calendar.txt", "service_id", weekday, "start_date", "end_date")
        if row[1] == "1" and row[2] <= date <= row[3]
    }
    for service, day, kind in table(archive, "calendar_dates.txt", "service_id", "date", "exception_type"):
        if day == date:
            (found.add if kind == "1" else found.discard)(service)
    return found


def validity(archive):
    """The first and the last day of all services; empty texts if none has any."""
    rows = table(archive, "calendar.txt", "start_date", "end_date", *WEEKDAYS)
    dates = [date for row in rows if "1" in row[2:] for date in row[:2]]
    dates += [date for date, kind in table(archive, "calendar_dates.txt", "date", "exception_type") if kind == "1"]
    dates = [date for date in dates if DATE.fullmatch(date)]
    return [min(dates, default=""), max(dates, default="")]


def written(date):
    """A day in words: 3 March, with the year if that is another one."""
    year = "" if date[:4] == time.strftime("%Y") else f" {date[:4]}"
    return f"{int(date[6:])} {calendar.month_name[int(date[4:6])]}{year}"


def seconds_of(text):
    """The seconds of a time such as 25:10:00, which is after midnight of the day after."""
    match = re.fullmatch(r"(\d{1,2}):(\d\d):(\d\d)", text)
    return int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3]) if match else None


def frequencies(archive, trips):
    """The seconds at which trips begin that are repeated; their own times only say how long it is from stop to stop."""
    found = {}
    for trip, start, end, headway in table(archive, "frequencies.txt", "trip_id", "start_time", "end_time", "headway_secs"):
        if trip in trips:
            first, last, step = seconds_of(start), seconds_of(end), number(headway, 1, 86400)
            whole = None not in (first, last, step)
            found.setdefault(trip, []).append(range(first, last, int(step)) if whole else range(0))
    return found


def courses(archive, trips):
    """The seconds at each place of some trips, in their order; between the stops that have times they are spread evenly."""
    found = {trip: {} for trip in trips}
    fields = ("trip_id", "stop_sequence", "departure_time", "arrival_time")
    for trip, place, departure, arrival in table(archive, "stop_times.txt", *fields) if trips else ():
        if trip in found and (place := number(place, 0)) is not None:
            found[trip][place] = seconds_of(departure or arrival)
    for trip, course in found.items():
        found[trip] = course = dict(sorted(course.items()))
        places = list(course)
        known = [index for index, place in enumerate(places) if course[place] is not None]
        for one, other in zip(known, known[1:]):
            begin, end = course[places[one]], course[places[other]]
            for index in range(one + 1, other):
                course[places[index]] = begin + (end - begin) * (index - one) // (other - one)
    return found


def read(archive, wanted, dates, zone, since):
    """The departures at the wanted stops on some days, each as its moment, line, direction and stop; and how many stops."""
    stops = {}
    for identifier, name, parent in table(archive, "stops.txt", "stop_id", "stop_name", "parent_station"):
        if any(one in (identifier, parent) or one.lower() in name.lower() for one in wanted):
            stops[identifier] = name
    running = {date: services(archive, date) for date in dates}
    trips = {}
    for trip, route, headsign, service in table(archive, "trips.txt", "trip_id", "route_id", "trip_headsign", "service_id"):
        days = [date for date in dates if service in running[date]]
        if days:
            trips[trip] = (route, headsign, days)
    names = table(archive, "routes.txt", "route_id", "route_short_name", "route_long_name")
    lines = {route: short or long for route, short, long in names}
    # Times count from noon less twelve hours, also on days on which clocks change.
    starts = {
        date: datetime.datetime.strptime(date, "%Y%m%d").replace(hour=12, tzinfo=zone).timestamp() - 43200 for date in dates
    }
    repeated = frequencies(archive, trips)
    calls = []
    # The largest table by far is read once, and again only for trips of which other stops have the times.
    fields = ("trip_id", "stop_sequence", "departure_time", "arrival_time", "stop_id", "stop_headsign", "pickup_type")
    for trip, place, departure, arrival, stop, sign, pickup in table(archive, "stop_times.txt", *fields):
        if stop in stops and trip in trips and pickup != "1":
            calls.append((trip, number(place, 0), seconds_of(departure or arrival), sign, stop))
    others = courses(archive, {trip for trip, _, seconds, _, _ in calls if trip in repeated or seconds is None})

    def departures():
        for trip, place, seconds, sign, stop in calls:
            route, headsign, days = trips[trip]
            course = others.get(trip, {})
            seconds = course.get(place) if seconds is None else seconds
            first = next(iter(course.values()), None) if trip in repeated else 0
            if seconds is None or first is None:
                continue
            for date in days:
                for begin in (one for run in repeated.get(trip, [[0]]) for one in run):
                    moment_of = starts[date] + begin + seconds - first
                    if moment_of >= since:
                        yield [moment_of, lines.get(route, ""), sign or headsign, stops[stop]]

    return heapq.nsmallest(10_000, departures()), len(stops)


def timetable(feed, wanted):
    """The departures of yesterday's and of today's services, read once a day; how many stops; the first and the last day."""
    path = feed_path(feed)
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise Failure(
            f"the timetable is not a .zip that can be read: {words(getattr(error, 'strerror', None) or error, 80)}"
        ) from error
    with archive:
        name = next((row[0] for row in table(archive, "agency.txt", "agency_timezone")), "")
        try:
            zone = zoneinfo.ZoneInfo(name)
        except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError) as error:
            raise Failure(f"the timetable has no zone that is known here: {words(name, 40) or 'none'}") from error
        now = datetime.datetime.now(zone)
        mark = [now.strftime("%Y%m%d"), feed, wanted, int(os.path.getmtime(path))]
        kept = load("departures.json", {})
        if kept.get("mark") == mark and isinstance(kept.get("found"), list) and isinstance(kept.get("days"), list):
            return kept["found"], kept.get("stops"), kept["days"]
        days = [(now - datetime.timedelta(days=back)).strftime("%Y%m%d") for back in (1, 0)]
        found, count = read(archive, wanted, days, zone, now.timestamp() - 60)
        valid = validity(archive)
    keep("departures.json", {"mark": mark, "found": found, "stops": count, "days": valid})
    return found, count, valid


def show(card):
    feed = setting("VAR_FEED")
    wanted = [one.strip() for one in setting("VAR_STOPS").split(";") if one.strip()]
    if not feed or not wanted:
        return card.hint(
            "No stops yet.",
            "Press , and set VAR_FEED to the address of a timetable, and VAR_STOPS, such as Central Station; Main St.",
        )
    try:
        found, stops, days = timetable(feed, wanted)
    except (zipfile.BadZipFile, zlib.error, csv.Error, EOFError, NotImplementedError) as error:
        raise Failure(f"the timetable cannot be read: {words(error, 80)}") from error
    if not stops:
        return card.hint("The timetable has no such stop.", "Press , and set VAR_STOPS to parts of names that it has.")
    lines = set(items("VAR_LINES"))
    now = time.time()
    found = [one for one in found if isinstance(one, list) and len(one) == 4]
    coming = [one for one in found if number(one[0], now - 30) is not None and (not lines or one[1] in lines)]
    for moment_of, line, direction, stop in coming[:14]:
        minutes = int((moment_of - now) // 60)
        at = time.strftime("%H:%M", time.localtime(moment_of))
        right = "now" if minutes < 1 else f"{minutes} min" if minutes < 60 else at
        look = WARN if minutes < 5 else QUIET
        card.add(
            look,
            f"{words(line, 12)} {words(direction)}".strip() or "no line",
            words(stop),
            right,
            details=[(f"{at} from {words(stop)}", "")],
        )
    if not coming:
        days, today = [words(one) for one in days], time.strftime("%Y%m%d")
        first, last = days if len(days) == 2 and all(map(DATE.fullmatch, days)) else (today, today)
        if not first <= today <= last:
            told = f"ended on {written(last)}" if last < today else f"begins on {written(first)}"
            return card.show(f"The timetable {told}", WARN)
        return card.show("No more departures today")
    first = int((coming[0][0] - now) // 60)
    return card.show(
        "Next now"
        if first < 1
        else f"Next in {first} min"
        if first < 60
        else "Next at " + time.strftime("%H:%M", time.localtime(coming[0][0])),
        most=6,
    )


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


# part: state
def state_file(name):
    """The path of a file that is kept between runs: in the folder of the card, or in the cache of the user."""
    folder = os.environ.get("TODAY_DATA") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "today-gallery"
    )
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return os.path.join(folder, name)


def load(name, default):
    """What was kept; `default` if there is nothing of its kind."""
    try:
        with open(state_file(name), encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return default
    return value if isinstance(value, type(default)) else default


def keep(name, value):
    """Keeps a value, whole or not at all. A full disk costs what is kept, and not the card."""
    try:
        path = state_file(name)
        part = f"{path}.{os.getpid()}"
        with open(part, "w", encoding="utf-8") as file:
            json.dump(value, file)
        os.replace(part, path)
    except OSError as error:
        print(f"nothing is kept: {error.strerror}", file=sys.stderr)


# end of state


if __name__ == "__main__":
    main(show)
