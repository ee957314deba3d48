"""Dates of feeds: RFC 3339 and its relatives, RFC 822, and what programs print instead of them."""

import datetime
import email.utils
import re
import zoneinfo

# 2019-08-15T13:00:00.123Z, 20190815T1300, 2019/08/15 13:00, 2019-08, and what Go prints.
ISO = re.compile(
    r"([12]\d{3})(?:([-/.]?)([01]\d)(?:\2([0-3]\d))?)?"
    r"(?:(?:\s*[Tt]\s*|\s+)([0-2]?\d)(?::?([0-5]\d)(?::?([0-6]\d)(?:[.,]\d{1,20})?)?)?(?:\s*([AaPp])[Mm]\b)?)?(?![\d:])(.*)",
    re.ASCII | re.DOTALL,
)
# 15.08.2019 13:00, 08/15/2019 1:00 PM
NUMBERS = re.compile(
    r"(\d{1,2})([./])(\d{1,2})\2(\d{4})(?:[,\s]\s*([0-2]?\d):([0-5]\d)(?::([0-6]\d))?(?:\s*([AaPp])[Mm]\b)?)?(?![\d:])(.*)",
    re.ASCII | re.DOTALL,
)
MONTH = re.compile(r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b", re.IGNORECASE)
TIME = re.compile(r"\b(\d{1,2}):([0-5]\d)(?::([0-6]\d)(?:[.,]\d{1,20})?)?(?!\d)(?:\s*([ap])\.?m\b\.?)?", re.ASCII | re.IGNORECASE)
NUMBER = re.compile(r"(?<![\d:+-])(\d{4}|\d{1,2})(?:st|nd|rd|th)?(?![\d:])", re.ASCII)
OFFSET = re.compile(r"(?:UTC|GMT|Z)?\s*([+-])(\d{1,2})(?::?([0-5]\d))?(?!\d)", re.ASCII)
NAME = re.compile(r"[A-Za-z]+(?:/[A-Za-z_+-]+){0,2}")

# Years before are zeroes of programs; those after are as good as never.
OLDEST, NEWEST = 1900, 2999

# Minutes east of Greenwich. Where a name means several zones, it is the one that RFC 822 or most of its users mean.
ZONES = {
    "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 60, "BST": 60, "CET": 60, "MEZ": 60, "CEST": 120, "MESZ": 120,
    "EET": 120, "EEST": 180, "MSK": 180, "IST": 330, "SGT": 480, "HKT": 480, "AWST": 480, "JST": 540, "KST": 540,
    "ACST": 570, "ACDT": 630, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "SAST": 120, "BRT": -180, "ART": -180,
    "NST": -210, "NDT": -150, "AST": -240, "ADT": -180, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300,
    "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540, "AKDT": -480, "HST": -600,
}  # fmt: skip


def moment(words):
    """The date that words say, with a zone; without one it is UTC. None if they say none."""
    words = words.strip()[:100]
    try:
        return seconds_since_1970(words) or iso(words) or numbers(words) or written(words)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def seconds_since_1970(words):
    if re.fullmatch(r"\d{9,10}|\d{13}", words, re.ASCII):
        return datetime.datetime.fromtimestamp(int(words[:10]), datetime.timezone.utc)
    return None


def iso(words):
    found = ISO.match(words)
    if not found:
        return None
    year, _, month, day, hour, minute, second, half, rest = found.groups()
    date = datetime.datetime.fromisoformat(f"{year}-{month or '01'}-{day or '01'}")
    return placed(date, hour, minute, second, half, rest)


def numbers(words):
    """Day and month in numbers: with points the day is first, with slashes the month where it can be."""
    found = NUMBERS.match(words)
    if not found:
        return None
    first, sign, second, year, *time = found.groups()
    day, month = (first, second) if sign == "." or int(first) > 12 else (second, first)
    return placed(datetime.datetime(int(year), int(month), int(day)), *time)


def written(words):
    """15 Aug 2019 13:00 CEST, Aug 15, 2019 1:00 PM, Thu Aug 15 13:00:00 CEST 2019."""
    month = MONTH.search(words)
    if not month:
        return None
    time = TIME.search(words)
    hour, minute, second, half = time.groups() if time else (None, None, None, None)
    # What is neither month nor time: the day and the year, a day of the week, and a zone.
    start, end = time.span() if time else (len(words), len(words))
    dates, zone = (words[:start] + " " * (end - start) + words[end:], words[end:] if time else "")
    numbers = NUMBER.findall(re.sub(r"[+-]\d\d:?\d\d", " ", dates[: month.start()] + " " + dates[month.end() :].replace("-", " ")))
    day = next(one for one in [*numbers, ""] if len(one) < 4)
    year = next((one for one in numbers if len(one) == 4), None) or [one for one in numbers if len(one) < 4][1]
    if len(year) == 4 and int(year) < OLDEST:
        return None
    parts = email.utils.parsedate(f"{int(day)} {month[1]} {year} 00:00:00")
    return placed(datetime.datetime(*parts[:3]), hour, minute, second, half, zone)


def placed(date, hour, minute, second, half, zone):
    """A day with a time, which may be 24:00, a leap second, or of a half of the day, and the words of its zone."""
    hour, minute, second = int(hour or 0), int(minute or 0), min(59, int(second or 0))
    if not OLDEST <= date.year <= NEWEST:
        return None
    if half:
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    if hour > 24 or hour == 24 and (minute or second):
        return None
    date += datetime.timedelta(hours=hour, minutes=minute, seconds=second)
    return date.replace(tzinfo=zone_of(zone))


def zone_of(words):
    """The zone at the beginning of words: +0200, GMT+2, (CEST), Europe/Vienna; UTC if there is none that is known."""
    words = words.strip(" \t\r\n([")
    offset = OFFSET.match(words)
    if offset:
        sign, hours, minutes = offset.groups()
        shift = datetime.timedelta(hours=int(hours), minutes=int(minutes or 0))
        if shift > datetime.timedelta(hours=14):
            return datetime.timezone.utc
        return datetime.timezone(-shift if sign == "-" else shift)
    name = NAME.match(words)
    if name and "/" in name[0]:
        try:
            return zoneinfo.ZoneInfo(name[0])
        except (zoneinfo.ZoneInfoNotFoundError, OSError):
            pass
    return datetime.timezone(datetime.timedelta(minutes=ZONES.get(name[0].upper(), 0) if name else 0))
