"""Dates of feeds: RFC 3339 and its relatives, RFC 822, and what programs print instead of them."""

import datetime
import re
import zoneinfo

import feed_months

# 2019-08-15T13:00:00.123Z, 20190815T1300, 2019/08/15 13:00, 2019-08, and what Go prints.
ISO = re.compile(
    r"([12]\d{3})(?:([-/.]?)([01]\d)(?:\2([0-3]\d))?)?"
    r"(?:(?:\s*[Tt]\s*|\s+)([0-2]?\d)(?::?([0-5]\d)(?::?([0-6]\d)(?:[.,]\d{1,20})?)?)?(?:\s*([AaPp])[Mm]\b)?)?(?![\d:])(.*)",
    re.ASCII | re.DOTALL,
)
# 2019-W33-4T13:00, 2019W334, 2019-227: the weeks and the days of a year (ISO 8601); 20190815130000.
WEEK = re.compile(r"([12]\d{3})-?W([0-5]\d)(?:-?([1-7]))?(?!\d)", re.ASCII)
DAY_OF_YEAR = re.compile(r"([12]\d{3})-?([0-3]\d\d)(?!\d)(?!-\d)", re.ASCII)
TOGETHER = re.compile(r"([12]\d{3}[01]\d[0-3]\d)([0-2]\d[0-5]\d[0-6]\d)(?!\d)", re.ASCII)
# 15.08.2019 13:00, 15-08-2019, 08/15/2019 1:00 PM, 8/15/19
NUMBERS = re.compile(
    r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?!\d)(?:(?:[,\s]\s*(?:-\s+)?)([0-2]?\d):([0-5]\d)(?::([0-6]\d))?(?:\s*([AaPp])[Mm]\b)?)?(?![\d:])(.*)",
    re.ASCII | re.DOTALL,
)
# 03-12-31
YEAR_IN_FRONT = re.compile(r"(\d\d)([-/])(\d\d)\2(\d\d)(?![\d-])", re.ASCII)
TIME = re.compile(r"\b(\d{1,2})[:.h]([0-5]\d)(?:[:.]([0-6]\d)(?:[.,]\d{1,20})?)?(?![\d.:])(?:\s*([ap])\.?m\b\.?)?", re.ASCII | re.IGNORECASE)
NUMBER = re.compile(r"(?<![\d:+-])(\d{3,4}|\d{1,2})(?:st|nd|rd|th)?(?![\d:])", re.ASCII)
HOUR = re.compile(r"\b(\d{1,2})()()\s*([ap])\.?m\b\.?", re.ASCII | re.IGNORECASE)
AGO = re.compile(r"\bago\.?$", re.IGNORECASE)
OFFSET = re.compile(r"(?:UTC|GMT|Z)?\s*([+-])(\d{1,2})(?::?([0-5]\d))?(?!\d)", re.ASCII)
NAME = re.compile(r"[A-Za-z]+(?:/[A-Za-z_+-]+){0,2}")

# The zones of the Americas in words, as Windows has them.
IN_WORDS = re.compile(r"(Eastern|Central|Mountain|Pacific)\s+(Standard\s+|Daylight\s+)?Time\b", re.IGNORECASE)
# Dates as programs of .NET write them in JSON: /Date(1565866800000+0200)/
SERIALIZED = re.compile(r"\\?/Date\((-?\d{12,14})(?:[+-]\d{4})?\)\\?/")
# Years of the Buddhist calendar, as programs in Thailand write them, are so many ahead.
BUDDHIST, BUDDHIST_YEARS = range(2400, 2700), 543
# Years before are zeroes of programs; those after are as good as never.
OLDEST, NEWEST = 1900, 2999

# Minutes east of Greenwich. Where a name means several zones, it is the one that RFC 822 or most of its users mean.
ZONES = {
    "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 60, "BST": 60, "CET": 60, "MEZ": 60, "CEST": 120, "MESZ": 120,
    "EET": 120, "EEST": 180, "MSK": 180, "IST": 330, "SGT": 480, "HKT": 480, "AWST": 480, "JST": 540, "KST": 540,
    "ACST": 570, "ACDT": 630, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "SAST": 120, "BRT": -180, "ART": -180,
    "ET": -300, "CT": -360, "MT": -420, "PT": -480, "NST": -210, "NDT": -150, "AST": -240, "ADT": -180, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300,
    "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540, "AKDT": -480, "HST": -600,
    "WAT": 60, "CAT": 120, "EAT": 180, "IDT": 180, "TRT": 180, "IRST": 210, "GST": 240, "PKT": 300, "UZT": 300, "NPT": 345,
    "BDT": 360, "ICT": 420, "WIB": 420, "KRAT": 420, "PHT": 480, "MYT": 480, "WITA": 480, "ACWST": 525, "WIT": 540, "YEKT": 300,
    "PET": -300, "COT": -300, "VET": -240, "CLT": -240, "CLST": -180, "BOT": -240, "UYT": -180, "BRST": -120, "SST": -660,
}  # fmt: skip


def moment(words):
    """The date that words say, with a zone; without one it is UTC. None if they say none."""
    words = feed_months.usual(words.strip()[:100])
    serialized = SERIALIZED.fullmatch(words)
    words = serialized[1] if serialized else words.removeprefix("@")
    try:
        return seconds_since_1970(words) or year_first(words) or iso(words) or numbers(words) or written(words)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def seconds_since_1970(words):
    if re.fullmatch(r"\d{9,10}(?:\.\d{1,20})?|\d{13}|\d{16}", words, re.ASCII):
        return datetime.datetime.fromtimestamp(int(words[:10]), datetime.timezone.utc)
    return None


def year_first(words):
    """Dates of which only the year is as usual; with the others they are read by `iso`."""
    week, day, together, short = (form.match(words) for form in (WEEK, DAY_OF_YEAR, TOGETHER, YEAR_IN_FRONT))
    if week:
        date = datetime.date.fromisocalendar(int(week[1]), int(week[2]), int(week[3] or 1))
    elif day:
        date = datetime.date(int(day[1]), 1, 1) + datetime.timedelta(days=int(day[2]) - 1)
        if date.year != int(day[1]):
            return None
    elif together:
        return iso(f"{together[1]}T{together[2]}{words[together.end():]}")
    elif short and (short[2] == "-" or int(short[1]) > 31):
        return iso(f"{whole_year(short[1])}-{short[3]}-{short[4]}{words[short.end():]}")
    else:
        return None
    return iso(date.isoformat() + words[(week or day).end() :])


def whole_year(words):
    """A year that can have two or three digits (RFC 5322, 4.3)."""
    year = int(words)
    return year if len(words) > 3 else year + (2000 if len(words) < 3 and year < 50 else 1900)


def iso(words):
    found = ISO.match(words)
    if not found:
        return None
    year, _, month, day, hour, minute, second, half, rest = found.groups()
    if not month and (hour or rest.strip()):
        return None  # The rest says the day in another form.
    date = datetime.datetime.fromisoformat(f"{year}-{month or '01'}-{day or '01'}")
    return placed(date, hour, minute, second, half, rest)


def numbers(words):
    """Day and month in numbers: with points or lines the day is first where it can be, with slashes the month."""
    found = NUMBERS.match(words)
    if not found:
        return None
    first, sign, second, year, *time = found.groups()
    year = whole_year(year)
    is_day_first = int(second) <= 12 if sign != "/" else int(first) > 12
    day, month = (first, second) if is_day_first else (second, first)
    return placed(datetime.datetime(year, int(month), int(day)), *time)


def written(words):
    """15 Aug 2019 13:00 CEST, Aug 15, 2019 1:00 PM, Thu Aug 15 13:00:00 CEST 2019."""
    named = feed_months.named(words)
    if not named or AGO.search(words):
        return None
    (before, behind), month = named
    time = TIME.search(words) or HOUR.search(words)
    hour, minute, second, half = time.groups() if time else (None, None, None, None)
    # What is neither month nor time: the day and the year, a day of the week, and a zone.
    start, end = time.span() if time else (len(words), len(words))
    dates, zone = (words[:start] + " " * (end - start) + words[end:], words[end:] if time else "")
    numbers = NUMBER.findall(re.sub(r"[+-]\d\d:?\d\d", " ", dates[:before] + " " + dates[behind:].replace("-", " ")))
    day = next(one for one in [*numbers, ""] if len(one) < 3)
    year = next((one for one in numbers if len(one) > 2), None) or [one for one in numbers if len(one) < 3][1]
    return placed(datetime.datetime(whole_year(year), month, int(day)), hour, minute, second, half, zone)


def placed(date, hour, minute, second, half, zone):
    """A day with a time, which may be 24:00, a leap second, or of a half of the day, and the words of its zone."""
    hour, minute, second = int(hour or 0), int(minute or 0), min(59, int(second or 0))
    if date.year in BUDDHIST:
        date = date.replace(year=date.year - BUDDHIST_YEARS)
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
    in_words = IN_WORDS.match(words)
    if in_words:
        words = in_words[1][0] + (in_words[2] or "")[:1] + "T"
    name = NAME.match(words)
    if name and "/" in name[0]:
        try:
            return zoneinfo.ZoneInfo(name[0])
        except (zoneinfo.ZoneInfoNotFoundError, OSError):
            pass
    return datetime.timezone(datetime.timedelta(minutes=ZONES.get(name[0].upper(), 0) if name else 0))
